/* Look-up of nodes and transitions. A node is found by the state of its part and its depth. A node
 * of a later passage is found through the node of the first passage. A transition is found by a
 * walk over the few transitions of its node. */
#include <assert.h>
#include <string.h>

#include "search/multitree/mtmcts_internal.h"

bool mtmcts_trees_is_part(const MtmctsTrees *t, uint32_t node, const uint64_t *words) {
    const PartNode *n = &t->nodes.items[node];
    return bitset_agree(words, n->words, part_mask(&t->parts, n->part), t->word_count);
}

static uint32_t add_node(MtmctsTrees *t, uint32_t subgame, uint32_t row, const uint64_t *words) {
    uint32_t id = (uint32_t)t->nodes.count;
    vector_push(&t->nodes, ((PartNode){.part = subgame,
                                       .row = row,
                                       .first_transition = TREES_NONE,
                                       .base = id,
                                       .next_row = TREES_NONE,
                                       .words = words}));
    memset(vector_extend(&t->node_sets, t->set_words), 0, t->set_words * sizeof(uint64_t));
    if (t->options.keys == KEYS_DEPTH)
        memset(vector_extend(&t->mark_sets, t->set_words), 0, t->set_words * sizeof(uint64_t));
    return id;
}

uint32_t mtmcts_trees_node(MtmctsTrees *t, uint32_t subgame, uint32_t depth,
                           const uint64_t *words) {
    assert(subgame < t->parts.count);
    uint32_t row = t->options.keys == KEYS_DEPTH ? depth : 0;
    State state = {(uint64_t *)words, t->word_count};
    uint32_t part = key_table_part(&t->part_keys, (uint64_t)subgame << 32 | row, &state,
                                   part_mask(&t->parts, subgame), t->word_count);
    if (part == t->part_nodes.count) {
        uint32_t made = add_node(t, subgame, row, key_table_key(&t->part_keys, part));
        vector_push(&t->part_nodes, made);
    }
    return t->part_nodes.items[part];
}

uint32_t mtmcts_trees_passage(MtmctsTrees *t, uint32_t base, bool is_return) {
    assert(base < t->nodes.count && t->nodes.items[base].base == base);
    PartNode *first = &t->nodes.items[base];
    bool was_here = first->descent == t->descent;
    first->passages = was_here ? first->passages + is_return : 0;
    first->descent = t->descent;
    uint32_t id = base;
    for (uint32_t row = 1, last = first->passages; row <= last; row++) {
        uint32_t next = t->nodes.items[id].next_row;
        if (next == TREES_NONE) {
            next = add_node(t, t->nodes.items[base].part, row, t->nodes.items[base].words);
            t->nodes.items[next].base = base;
            t->nodes.items[id].next_row = next;
        }
        id = next;
    }
    return id;
}

uint32_t mtmcts_trees_transition(const MtmctsTrees *t, uint32_t node, uint32_t move) {
    assert(bitset_get(tested_moves(t, node), move));
    uint32_t id = t->nodes.items[node].first_transition;
    while (!bitset_get(transition_moves(t, id), move))
        id = t->transitions.items[id].next;
    return id;
}

bool mtmcts_trees_label(MtmctsTrees *t, uint32_t node, uint32_t move, uint32_t child) {
    assert(t->options.keys != KEYS_DEPTH ||
           t->nodes.items[child].row == t->nodes.items[node].row + 1);
    assert(!bitset_get(tested_moves(t, node), move));
    uint32_t id = t->nodes.items[node].first_transition;
    while (id != TREES_NONE && t->transitions.items[id].child != child)
        id = t->transitions.items[id].next;
    bool is_new = id == TREES_NONE;
    if (is_new) {
        id = (uint32_t)t->transitions.count;
        uint32_t next = t->nodes.items[node].first_transition;
        vector_push(&t->transitions, ((Transition){.child = child, .next = next}));
        memset(vector_extend(&t->transition_sets, t->set_words), 0,
               t->set_words * sizeof(uint64_t));
        t->nodes.items[node].first_transition = id;
    }
    bitset_set(transition_moves(t, id), move);
    bitset_set(tested_moves(t, node), move);
    return is_new;
}

void mtmcts_trees_forget_trees(MtmctsTrees *t) {
    mtmcts_trees_forget_positions(t);
    vectors_free(&t->nodes, &t->node_sets, &t->mark_sets, &t->transitions, &t->transition_sets,
                 &t->part_nodes);
    key_table_clear(&t->part_keys);
    t->has_no_untried = false;
}

void mtmcts_trees_forget_marks(MtmctsTrees *t) {
    if (t->mark_sets.count)
        memset(t->mark_sets.items, 0, t->mark_sets.count * sizeof(uint64_t));
}

/* ---- decompositions that turn out wrong ---- */

/* A move from a node of a tree must always lead to the same node. If it leads to two, the subgame
 * depends on something outside it, and subgames are joined. */

bool mtmcts_trees_has_parts(const MtmctsTrees *t, const GameParts *parts) {
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
static void look_everywhere(MtmctsTrees *t) {
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
static void join_subgames(MtmctsTrees *t, const bool *joined) {
    uint32_t old = t->parts.count, count = 0, target = TREES_NONE, members = 0;
    part_masks_drop_bounds(&t->parts);
    for (uint32_t k = 0; k < old; k++) {
        members += joined[k];
        if (joined[k] && target != TREES_NONE) {
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
    mtmcts_trees_forget_trees(t);
    part_masks_make_bounds(&t->parts, t->game);
    t->counts.illegal_merges++;
}

/* Finds a position with the same node where the move leads elsewhere; TREES_NONE if it was
 * discarded. */
static uint32_t find_witness(const MtmctsTrees *t, uint32_t subgame, uint32_t move,
                             const TreesPosition *now) {
    const uint64_t *mask = part_mask(&t->parts, subgame);
    const uint64_t *here = successor_of(t, now, mtmcts_trees_index_of(now, move));
    for (uint32_t id = 0; id < t->positions.count; id++) {
        const TreesPosition *then = &t->positions.items[id];
        if (!then->is_evaluated || then->nodes[subgame] == TREES_NONE ||
            !is_same_base(t, then->nodes[subgame], now->nodes[subgame]) ||
            !bitset_get(then->legal, move))
            continue;
        const uint64_t *there = successor_of(t, then, mtmcts_trees_index_of(then, move));
        if (!bitset_agree(here, there, mask, t->word_count))
            return id;
    }
    return TREES_NONE;
}

void mtmcts_trees_resolve(MtmctsTrees *t, uint32_t subgame, uint32_t move, uint32_t position) {
    const TreesPosition *now = &t->positions.items[position];
    uint32_t witness = find_witness(t, subgame, move, now);
    bool *joined = memory_zalloc(t->parts.count + 1);
    for (uint32_t k = 0; k < t->parts.count; k++)
        joined[k] = k == subgame || witness == TREES_NONE ||
                    t->positions.items[witness].nodes[k] == TREES_NONE ||
                    !is_same_base(t, t->positions.items[witness].nodes[k], now->nodes[k]);
    join_subgames(t, joined);
    free(joined);
}
