/* Joins subgames when a decomposition turns out to be wrong. A move from a node of a tree must
 * always lead to the same node. If it leads to two, the subgame depends on something outside it. */
#include <string.h>

#include "search/multitree/multitree_internal.h"

bool multitree_has_parts(const MultiTree *t, const MultiTreeParts *parts) {
    PartMasks others = part_masks_of(t->game, parts, UINT32_MAX);
    uint32_t found = 0; /* no two parts of the list are equal */
    for (uint32_t i = 0; i < others.count; i++)
        for (uint32_t k = 0; k < t->parts.count; k++)
            found += bitset_equal(part_mask(&others, i), part_mask(&t->parts, k), t->word_count);
    bool are_all = found == others.count && others.count == t->parts.count;
    part_masks_free(&others);
    return are_all;
}

/* Adds the fluents that are in no subgame to all of them. */
static void look_everywhere(MultiTree *t) {
    for (uint32_t w = 0; w < t->word_count; w++) {
        uint64_t seen = 0;
        for (uint32_t k = 0; k < t->parts.count; k++)
            seen |= part_mask(&t->parts, k)[w];
        for (uint32_t k = 0; k < t->parts.count; k++)
            part_mask(&t->parts, k)[w] |= ~seen;
    }
    for (uint32_t k = 0; k < t->parts.count; k++)
        if (t->parts.fluent_count % 64) /* bits after the last fluent stay 0 */
            part_mask(&t->parts, k)[t->word_count - 1] &=
                (UINT64_C(1) << (t->parts.fluent_count % 64)) - 1;
}

/* Joins the marked subgames. If there is only one, it depends on fluents outside all subgames. */
static void join_subgames(MultiTree *t, const bool *joined) {
    uint32_t old = t->parts.count, count = 0, target = NONE, members = 0;
    part_masks_drop_bounds(&t->parts);
    for (uint32_t k = 0; k < old; k++) {
        members += joined[k];
        if (joined[k] && target != NONE) {
            bitset_or(part_mask(&t->parts, target), part_mask(&t->parts, k), t->word_count);
            continue;
        }
        if (joined[k])
            target = count;
        memmove(part_mask(&t->parts, count++), part_mask(&t->parts, k),
                t->word_count * sizeof *t->parts.masks);
    }
    t->parts.count = count;
    if (members < 2)
        look_everywhere(t);
    multitree_forget_trees(t);
    part_masks_make_bounds(&t->parts, t->game);
    t->counts.illegal_merges++;
}

/* Finds a position with the same node where the move leads elsewhere; NONE if it was discarded. */
static uint32_t find_witness(const MultiTree *t, uint32_t subgame, uint32_t move,
                             const Position *now) {
    const uint64_t *mask = part_mask(&t->parts, subgame);
    const uint64_t *here = successor_of(t, now, multitree_index_of(now, move));
    for (uint32_t id = 0; id < t->positions.count; id++) {
        const Position *then = &t->positions.items[id];
        if (!then->is_evaluated || then->nodes[subgame] == NONE ||
            !is_same_base(t, then->nodes[subgame], now->nodes[subgame]) ||
            !bitset_get(then->legal, move))
            continue;
        const uint64_t *there = successor_of(t, then, multitree_index_of(then, move));
        if (!bitset_agree(here, there, mask, t->word_count))
            return id;
    }
    return NONE;
}

void multitree_resolve(MultiTree *t, uint32_t subgame, uint32_t move, uint32_t position) {
    const Position *now = &t->positions.items[position];
    uint32_t witness = find_witness(t, subgame, move, now);
    bool *joined = memory_zalloc(t->parts.count + 1);
    for (uint32_t k = 0; k < t->parts.count; k++)
        joined[k] = k == subgame || witness == NONE ||
                    t->positions.items[witness].nodes[k] == NONE ||
                    !is_same_base(t, t->positions.items[witness].nodes[k], now->nodes[k]);
    join_subgames(t, joined);
    free(joined);
}
