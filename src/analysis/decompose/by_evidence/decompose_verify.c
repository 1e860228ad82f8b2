/* Tests a decomposition by crossing sampled states: the fluents of one subgame are replaced by
 * their values in another state. The other subgames must have the same next values under the same
 * moves, and their own moves must stay legal or illegal. Subgames that fail the test are joined. */
#include <assert.h>
#include <string.h>

#include "analysis/decompose/decompose_internal.h"
#include "base/bitset.h"
#include "game/lanes.h"

enum {
    CROSSINGS = LANES / 2, /* pairs of lanes that are compared in one pass */
    MAX_REPLACED = 2000,   /* number of subgames that are replaced, the first ones (untuned) */
    MAX_ROLES = 64,        /* games with more roles are tested without moves (untuned) */
    NOBODY = UINT32_MAX
};

typedef struct {
    Decomposer *d;
    LaneBatch *batch;
    Random random;
    State crossed;
    uint32_t *owner; /* by move: the only subgame it acts in, or NOBODY */
} Verifier;

void decompose_cross(State *crossed, const State *state, const Subgame *subgame, const State *other,
                     const FluentKind *kinds) {
    state_copy(crossed, state);
    for (size_t i = 0; i < subgame->fluents.count; i++) {
        uint32_t f = subgame->fluents.items[i];
        if (kinds && kinds[f] == FLUENT_CLOCK)
            continue;
        state_set(crossed, f);
        bitset_assign(crossed->words, f, state_holds(other, f));
    }
}

/* Loads pairs of lanes: an even lane has a sampled state, the next one the same state with one
 * subgame of another state, except clocks, which no play can make differ. */
static void load_crossings(Verifier *v, const Subgame *replaced) {
    const Evidence *e = v->d->evidence;
    assert(e->samples.count > 0);
    lane_batch_clear(v->batch);
    for (uint32_t i = 0; i < CROSSINGS; i++) {
        const State *s = &e->samples.items[random_below(&v->random, e->samples.count)];
        const State *t = &e->samples.items[random_below(&v->random, e->samples.count)];
        decompose_cross(&v->crossed, s, replaced, t, v->d->result->kinds);
        lane_batch_set(v->batch, 2 * i, s, NULL);
        lane_batch_set(v->batch, 2 * i + 1, &v->crossed, NULL);
    }
}

/* True if the row has equal values in both lanes of every pair in `counts`. */
static bool pairs_agree(const Lanes *row, const LaneMask *counts) {
    const uint64_t even = 0x5555555555555555;
    for (int w = 0; w < LANE_WORDS; w++)
        if (((*row)[w] ^ (*row)[w] >> 1) & even & counts->words[w])
            return false;
    return true;
}

/* Gives both lanes of a pair one random joint move, legal in both. Returns their even lanes. */
static LaneMask choose_moves(Verifier *v) {
    const Circuit *c = v->d->circuit;
    LaneMask ready = {{0}};
    Lanes *rows = lane_batch_move_rows(v->batch);
    const Lanes *legal = lane_batch_legal_rows(v->batch);
    for (uint32_t lane = 0; lane < LANES; lane += 2) {
        uint32_t chosen[MAX_ROLES];
        bool complete = c->role_count <= MAX_ROLES;
        for (uint32_t r = 0; r < c->role_count && complete; r++) {
            uint32_t seen = 0;
            for (uint32_t m = c->first_move[r]; m < c->first_move[r + 1]; m++)
                if ((legal[m][lane / 64] >> (lane % 64) & 3) == 3 &&
                    random_below(&v->random, ++seen) == 0)
                    chosen[r] = m;
            complete = seen > 0;
        }
        for (uint32_t r = 0; r < c->role_count && complete; r++)
            rows[chosen[r]][lane / 64] |= UINT64_C(3) << (lane % 64);
        if (complete)
            bitset_set(ready.words, lane);
    }
    return ready;
}

/* True if each move of this subgame alone is legal in both lanes of every pair or in neither. */
static bool legality_agrees(const Verifier *v, uint32_t kept) {
    LaneMask all;
    memset(&all, 0xff, sizeof all);
    for (uint32_t m = 0; m < v->d->circuit->move_count; m++)
        if (v->owner[m] == kept && !pairs_agree(&lane_batch_legal_rows(v->batch)[m], &all))
            return false;
    return true;
}

/* True if the next values of the subgame are the same in both lanes of every pair. */
static bool next_agrees(const Verifier *v, const Subgame *kept, const LaneMask *ready) {
    for (size_t k = 0; k < kept->fluents.count; k++)
        if (!pairs_agree(&lane_batch_next_rows(v->batch)[kept->fluents.items[k]], ready))
            return false;
    return true;
}

/* Replaces one subgame and tests all others. Returns false and adds links if some fail. */
static bool verify_replaced(Verifier *v, const Subgame *replaced) {
    Decomposition *r = v->d->result;
    bool agreed = true;
    load_crossings(v, replaced);
    lane_batch_evaluate_answers(v->batch);
    LaneMask ready = choose_moves(v);
    lane_batch_evaluate_next(v->batch);
    for (uint32_t i = 0; i < r->subgames.count && r->subgames.items[i].has_actions; i++) {
        const Subgame *kept = &r->subgames.items[i];
        bool in_series = kept->order && replaced->order && kept->order != replaced->order;
        if (kept == replaced || in_series ||
            (legality_agrees(v, i) && next_agrees(v, kept, &ready)))
            continue;
        agreed = false;
        decompose_add_link(v->d, kept->fluents.items[0], replaced->fluents.items[0], LINK_CHOICE,
                           1);
    }
    return agreed;
}

static void find_owners(Verifier *v) {
    const Decomposition *r = v->d->result;
    uint32_t moves = v->d->circuit->move_count;
    bool *is_seen = memory_zalloc(moves + 1);
    v->owner = u32_none(moves);
    for (size_t i = 0; i < r->actions.count; i++)
        for (size_t k = 0; k < r->actions.items[i].moves.count; k++) {
            uint32_t move = r->actions.items[i].moves.items[k];
            uint32_t subgame = r->actions.items[i].subgame;
            assert(move < moves);
            v->owner[move] = is_seen[move] && v->owner[move] != subgame ? NOBODY : subgame;
            is_seen[move] = true;
        }
    free(is_seen);
}

bool decompose_verify(Decomposer *d) {
    const Decomposition *r = d->result;
    Verifier v = {.d = d};
    bool agreed = true;
    if (!d->evidence->samples.count)
        return false;
    random_seed(&v.random, d->options->seed);
    v.batch = lane_batch_create(d->game);
    find_owners(&v);
    for (uint32_t i = 0; i < r->subgames.count && i < MAX_REPLACED && !decomposer_is_late(d); i++)
        if (r->subgames.items[i].has_actions && !verify_replaced(&v, &r->subgames.items[i]))
            agreed = false;
    state_free(&v.crossed);
    free(v.owner);
    lane_batch_free(v.batch);
    return agreed;
}
