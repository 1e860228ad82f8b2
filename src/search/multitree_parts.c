/* One move from one node of a tree must lead to one node. If it leads to two, the subgame depends
 * on something outside it: on what differs between the two positions. */
#include <string.h>

#include "search/multitree_internal.h"

static void make_masks(MultiTree *t) {
    memset(t->masks, 0, (size_t)t->subgame_count * t->word_count * sizeof *t->masks);
    for (uint32_t f = 0; f < t->fluent_count; f++)
        for (uint32_t k = 0; k < t->subgame_count; k++)
            if (t->subgame_of[f] == k || t->subgame_of[f] == MULTITREE_EVERYWHERE)
                bitset_set(multitree_mask(t, k), f);
}

static uint32_t group_count(const MultiTree *t) {
    return (t->subgame_count + BOUNDS_MOST_PARTS - 1) / BOUNDS_MOST_PARTS;
}

void multitree_free_parts(MultiTree *t) {
    for (uint32_t g = 0; t->bounds && g < group_count(t); g++)
        bounds_free(t->bounds[g]);
    free(t->bounds);
    t->bounds = NULL;
}

void multitree_make_parts(MultiTree *t) {
    make_masks(t);
    t->bounds = memory_zalloc((group_count(t) + 1) * sizeof(GoalBounds *));
    uint64_t *parts_of = memory_alloc((t->fluent_count + 1) * sizeof *parts_of);
    for (uint32_t g = 0; g < group_count(t); g++) {
        uint32_t first = g * BOUNDS_MOST_PARTS;
        uint32_t count = t->subgame_count - first;
        if (count > BOUNDS_MOST_PARTS)
            count = BOUNDS_MOST_PARTS;
        for (uint32_t f = 0; f < t->fluent_count; f++) {
            uint32_t subgame = t->subgame_of[f];
            parts_of[f] = subgame == MULTITREE_EVERYWHERE ? ~UINT64_C(0) : 0;
            if (subgame >= first && subgame < first + count)
                parts_of[f] = UINT64_C(1) << (subgame - first);
        }
        t->bounds[g] = bounds_create(t->game, parts_of, count);
    }
    free(parts_of);
}

/* Joins the marked subgames with the first of them; with none but one, the fluents that no tree
 * looks at are what made the difference, and from now on all do. */
static void join_subgames(MultiTree *t, const bool *joined) {
    uint32_t *number = memory_alloc((t->subgame_count + 1) * sizeof *number);
    uint32_t old = t->subgame_count, count = 0, target = NONE, members = 0;
    for (uint32_t k = 0; k < old; k++)
        members += joined[k];
    for (uint32_t k = 0; k < old; k++) {
        if (joined[k] && target != NONE) {
            number[k] = target;
            continue;
        }
        number[k] = count++;
        if (joined[k])
            target = number[k];
    }
    for (uint32_t f = 0; f < t->fluent_count; f++) {
        if (t->subgame_of[f] < old)
            t->subgame_of[f] = number[t->subgame_of[f]];
        else if (members < 2 && t->subgame_of[f] == MULTITREE_NOWHERE)
            t->subgame_of[f] = MULTITREE_EVERYWHERE;
    }
    free(number);
    multitree_free_parts(t);
    t->subgame_count = count;
    multitree_forget_trees(t);
    multitree_make_parts(t);
    t->counts.illegal_merges++;
}

/* A position with the same node where the move led elsewhere; NONE if it was forgotten. */
static uint32_t find_witness(const MultiTree *t, uint32_t subgame, uint32_t move,
                             const Position *now) {
    const uint64_t *mask = multitree_mask(t, subgame);
    const uint64_t *here = successor_of(t, now, multitree_index_of(now, move));
    for (uint32_t id = 0; id < t->positions.count; id++) {
        const Position *then = &t->positions.items[id];
        if (!then->is_evaluated || then->nodes[subgame] != now->nodes[subgame] ||
            !bitset_get(then->legal, move))
            continue;
        const uint64_t *there = successor_of(t, then, multitree_index_of(then, move));
        for (uint32_t i = 0; i < t->word_count; i++)
            if ((here[i] ^ there[i]) & mask[i])
                return id;
    }
    return NONE;
}

void multitree_resolve(MultiTree *t, uint32_t subgame, uint32_t move, uint32_t position) {
    const Position *now = &t->positions.items[position];
    uint32_t witness = find_witness(t, subgame, move, now);
    bool *joined = memory_zalloc(t->subgame_count + 1);
    for (uint32_t k = 0; k < t->subgame_count; k++)
        joined[k] = k == subgame || witness == NONE ||
                    t->positions.items[witness].nodes[k] != now->nodes[k];
    join_subgames(t, joined);
    free(joined);
}
