/* One move from one node of a tree must lead to one node. If it leads to two, the subgame depends
 * on something outside it: on what differs between the two positions. */
#include <string.h>

#include "search/multitree/multitree_internal.h"

static uint32_t group_count(const MultiTree *t) {
    return (t->subgame_count + BOUNDS_MOST_PARTS - 1) / BOUNDS_MOST_PARTS;
}

void multitree_free_parts(MultiTree *t) {
    for (uint32_t g = 0; t->bounds && g < group_count(t); g++)
        bounds_free(t->bounds[g]);
    free(t->bounds);
    t->bounds = NULL;
}

static void make_bounds(MultiTree *t) {
    t->bounds = memory_zalloc((group_count(t) + 1) * sizeof(GoalBounds *));
    uint64_t *parts_of = memory_alloc((t->fluent_count + 1) * sizeof *parts_of);
    for (uint32_t g = 0; g < group_count(t); g++) {
        uint32_t first = g * BOUNDS_MOST_PARTS;
        uint32_t count = t->subgame_count - first;
        if (count > BOUNDS_MOST_PARTS)
            count = BOUNDS_MOST_PARTS;
        for (uint32_t f = 0; f < t->fluent_count; f++) {
            parts_of[f] = 0;
            for (uint32_t k = 0; k < count; k++)
                parts_of[f] |= (uint64_t)bitset_get(multitree_mask(t, first + k), f) << k;
        }
        t->bounds[g] = bounds_create(t->game, parts_of, count);
    }
    free(parts_of);
}

/* The fluents of the parts as sets, word_count each. */
static uint64_t *masks_of(const MultiTree *t, const MultiTreeParts *parts) {
    size_t words = (size_t)parts->count * t->word_count;
    uint64_t *masks = memory_zalloc((words + 1) * sizeof *masks);
    if (parts->fluents)
        memcpy(masks, parts->fluents, words * sizeof *masks);
    for (uint32_t f = 0; !parts->fluents && f < t->fluent_count; f++)
        for (uint32_t k = 0; k < parts->count; k++)
            if (parts->subgame_of[f] == k || parts->subgame_of[f] == MULTITREE_EVERYWHERE)
                bitset_set(masks + (size_t)k * t->word_count, f);
    return masks;
}

void multitree_take_parts(MultiTree *t, const MultiTreeParts *parts) {
    t->subgame_count = parts->count;
    t->masks = masks_of(t, parts);
    make_bounds(t);
}

bool multitree_has_parts(const MultiTree *t, const MultiTreeParts *parts) {
    uint64_t *masks = masks_of(t, parts);
    uint32_t found = 0; /* parts differ from each other */
    for (uint32_t i = 0; i < parts->count; i++)
        for (uint32_t k = 0; k < t->subgame_count; k++)
            found += memcmp(masks + (size_t)i * t->word_count, multitree_mask(t, k),
                            t->word_count * sizeof *masks) == 0;
    free(masks);
    return found == parts->count && parts->count == t->subgame_count;
}

/* Fluents that no tree looks at are from now on looked at by all. */
static void look_everywhere(MultiTree *t) {
    for (uint32_t w = 0; w < t->word_count; w++) {
        uint64_t seen = 0;
        for (uint32_t k = 0; k < t->subgame_count; k++)
            seen |= multitree_mask(t, k)[w];
        for (uint32_t k = 0; k < t->subgame_count; k++)
            multitree_mask(t, k)[w] |= ~seen;
    }
    for (uint32_t k = 0; k < t->subgame_count; k++)
        if (t->fluent_count % 64) /* nothing past the end */
            multitree_mask(t, k)[t->word_count - 1] &= (UINT64_C(1) << (t->fluent_count % 64)) - 1;
}

/* Joins the marked subgames with the first of them; with none but one, the fluents that no tree
 * looks at are what made the difference. */
static void join_subgames(MultiTree *t, const bool *joined) {
    uint32_t old = t->subgame_count, count = 0, target = NONE, members = 0;
    multitree_free_parts(t);
    for (uint32_t k = 0; k < old; k++) {
        members += joined[k];
        if (joined[k] && target != NONE) {
            bitset_or(multitree_mask(t, target), multitree_mask(t, k), t->word_count);
            continue;
        }
        if (joined[k])
            target = count;
        memmove(multitree_mask(t, count++), multitree_mask(t, k), t->word_count * sizeof *t->masks);
    }
    t->subgame_count = count;
    if (members < 2)
        look_everywhere(t);
    multitree_forget_trees(t);
    make_bounds(t);
    t->counts.illegal_merges++;
}

/* A position with the same node where the move led elsewhere; NONE if it was forgotten. */
static uint32_t find_witness(const MultiTree *t, uint32_t subgame, uint32_t move,
                             const Position *now) {
    const uint64_t *mask = multitree_mask(t, subgame);
    const uint64_t *here = successor_of(t, now, multitree_index_of(now, move));
    for (uint32_t id = 0; id < t->positions.count; id++) {
        const Position *then = &t->positions.items[id];
        if (!then->is_evaluated || then->nodes[subgame] == NONE ||
            !is_same_base(t, then->nodes[subgame], now->nodes[subgame]) ||
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
                    t->positions.items[witness].nodes[k] == NONE ||
                    !is_same_base(t, t->positions.items[witness].nodes[k], now->nodes[k]);
    join_subgames(t, joined);
    free(joined);
}
