/* All moves as first (AMAF), after Cazenave (2015, GRAVE). Sliced playouts tell which moves were
 * made in them. A node with enough visits keeps, for every move, the mean value of the playouts
 * below it in which the move was made at any time. This is known long before the move itself was
 * tried often, and guides the choice in the node and in those below that keep no means of their
 * own. */
#include <assert.h>
#include <string.h>

#include "base/bitset.h"
#include "base/cpu.h"
#include "search/uct/uct.h"

/* Constants of this module. */
enum {
    MAX_MOVES = 1024,    /* moves of a circuit for which means are kept (untuned) */
    DEFAULT_VISITS = 400 /* visits of a node before it keeps means (untuned) */
};
static const float LEFT_OF_UCT = 0.25f; /* share of UCT's exploration that is left (untuned) */

void uct_open_amaf(Uct *uct, bool one_by_one) {
    const SearchOptions *o = &uct->options;
    const Circuit *c = uct->search.game->circuit;
    UctOptions *own = &uct->uct_options;
    if (own->amaf_bias <= 0 || one_by_one || o->device || o->evaluation || own->is_decisive ||
        c->move_count > MAX_MOVES)
        return;
    uct->amaf_moves = c->move_count;
    if (!own->amaf_visits)
        own->amaf_visits = DEFAULT_VISITS;
}

void uct_amaf_open_leaf(const Uct *uct, UctLeaf *leaf) {
    size_t moves = uct->amaf_moves, places = 64 * bitset_words(moves);
    if (!moves)
        return;
    leaf->amaf = (LeafAmaf){.totals = memory_zalloc(2 * moves * sizeof(float)),
                            .playouts = memory_zalloc(places),
                            .values = memory_zalloc(uct->options.leaf_playouts *
                                                    uct->search.game->role_count * sizeof(float))};
    leaf->amaf.counts = leaf->amaf.totals + moves;
}

void uct_amaf_close_leaf(UctLeaf *leaf) {
    memory_free(leaf->amaf.totals, leaf->amaf.playouts, leaf->amaf.values);
}

void uct_amaf_clear(const Uct *uct, UctLeaf *leaf) {
    memset(leaf->amaf.totals, 0, 2 * uct->amaf_moves * sizeof(float));
}

/* Transposes 8 x 8 bits: bit k of byte j becomes bit j of byte k. */
ALWAYS_INLINE uint64_t transpose_bytes(uint64_t x) {
    uint64_t t = (x ^ x >> 7) & 0x00aa00aa00aa00aa;
    x ^= t ^ t << 7;
    t = (x ^ x >> 14) & 0x0000cccc0000cccc;
    x ^= t ^ t << 14;
    t = (x ^ x >> 28) & 0x00000000f0f0f0f0;
    return x ^ t ^ t << 28;
}

/* Finds for every move the set of these playouts, eight at most, in which it was made. */
ALWAYS_INLINE void collect_playouts(UctLeaf *leaf, const PlayoutResult *results, uint32_t count,
                                    size_t words) {
    for (size_t w = 0; w < words; w++)
        for (uint32_t byte = 0; byte < 8; byte++) {
            uint64_t block = 0;
            for (uint32_t k = 0; k < count; k++)
                block |= (results[k].moves[w] >> 8 * byte & 0xff) << 8 * k;
            block = transpose_bytes(block);
            memcpy(leaf->amaf.playouts + 64 * w + 8 * byte, &block, sizeof block);
        }
}

ALWAYS_INLINE uint8_t count_bits(uint8_t x) {
    x = (uint8_t)(x - (x >> 1 & 0x55));
    x = (uint8_t)((x & 0x33) + (x >> 2 & 0x33));
    return (uint8_t)((x + (x >> 4)) & 0x0f);
}

/* Adds `value` to the sums of moves for each of the playouts in which they were made. */
ALWAYS_INLINE void add_value(float *sums, const uint8_t *playouts, uint32_t moves, uint8_t among,
                             float value) {
    for (uint32_t m = 0; m < moves; m++)
        sums[m] += value * (float)count_bits(playouts[m] & among);
}

/* The playouts from `k` on whose value for the role is that of `k`, without those in `done`. */
static uint8_t same_value(const float *values, uint32_t roles, uint32_t k, uint32_t count,
                          uint8_t done) {
    uint8_t among = 0;
    for (uint32_t i = k; i < count; i++)
        if (values[i * roles] == values[k * roles])
            among |= (uint8_t)(1 << i);
    return among & (uint8_t)~done;
}

ALWAYS_INLINE void add_eight_generic(const Uct *uct, UctLeaf *leaf, const PlayoutResult *results,
                                     const float *values, uint32_t count) {
    const Circuit *c = uct->search.game->circuit;
    collect_playouts(leaf, results, count, bitset_words(uct->amaf_moves));
    add_value(leaf->amaf.counts, leaf->amaf.playouts, uct->amaf_moves, UINT8_MAX, 1);
    for (uint32_t r = 0; r < c->role_count; r++) {
        uint32_t first = c->first_move[r], moves = c->first_move[r + 1] - first;
        uint8_t done = 0;
        for (uint32_t k = 0; k < count; k++) {
            uint8_t among = same_value(values + r, c->role_count, k, count, done);
            if (among && values[k * c->role_count + r] > 0)
                add_value(leaf->amaf.totals + first, leaf->amaf.playouts + first, moves, among,
                          values[k * c->role_count + r]);
            done |= among;
        }
    }
}

CPU_DISPATCH(void, add_eight,
             (const Uct *uct, UctLeaf *leaf, const PlayoutResult *results, const float *values,
              uint32_t count),
             (uct, leaf, results, values, count))

void uct_amaf_add_playouts(const Uct *uct, UctLeaf *leaf, const PlayoutResult *results) {
    uint32_t all = uct->options.leaf_playouts, roles = uct->search.game->role_count;
    for (uint32_t done = 0; done < all; done += 8)
        add_eight(uct, leaf, results + done, leaf->amaf.values + (size_t)done * roles,
                  all - done < 8 ? all - done : 8);
}

void uct_amaf_add_step(const Uct *uct, UctLeaf *leaf, const TreeNode *node,
                       const uint32_t *chosen) {
    const Circuit *c = uct->search.game->circuit;
    for (uint32_t r = 0; r < c->role_count; r++) {
        uint32_t move = c->first_move[r] + tree_arms(node, r)[chosen[r]].move;
        leaf->amaf.totals[move] = (float)leaf->values[r];
        leaf->amaf.counts[move] = (float)uct->options.leaf_playouts;
    }
}

ALWAYS_INLINE void add_sums_generic(float *sums, const float *added, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        sums[i] += added[i];
}

CPU_DISPATCH(void, add_sums, (float *sums, const float *added, uint32_t count),
             (sums, added, count))

void uct_amaf_remember(Uct *uct, TreeNode *node, const UctLeaf *leaf) {
    if (node->visits >= uct->uct_options.amaf_visits &&
        (node->extra || tree_alloc_extra(&uct->tree, node, 2 * uct->amaf_moves * sizeof(float))))
        add_sums(node->extra, leaf->amaf.totals, 2 * uct->amaf_moves);
}

/* The means are weighted by their expected squared errors (Gelly and Silver 2011). */
float uct_amaf_bound(const Uct *uct, const TreeNode *reference, uint32_t role, const Arm *arm,
                     float exploration) {
    const float *totals = reference->extra;
    totals += uct->search.game->circuit->first_move[role] + arm->move;
    float visits = (float)arm->visits, mean = arm->visits ? (float)arm->total / visits : 0;
    float count = totals[uct->amaf_moves];
    if (count > 0) {
        float bias = (float)uct->uct_options.amaf_bias;
        float weight = count / (count + visits + bias * count * visits);
        mean += weight * (*totals / count - mean);
    } else if (!arm->visits) {
        return INFINITY;
    }
    return mean + LEFT_OF_UCT * exploration / sqrtf(visits + 1);
}
