/* Look-up of nodes and transitions. A node is found by the state of its part and its depth. A node
 * of a later passage is found through the node of the first passage. A transition is found by a
 * walk over the few transitions of its node. */
#include <assert.h>
#include <string.h>

#include "search/multitree/multitree_internal.h"

bool multitree_is_part(const MultiTree *t, uint32_t node, const uint64_t *words) {
    const PartNode *n = &t->nodes.items[node];
    return bitset_agree(words, n->words, part_mask(&t->parts, n->subgame), t->word_count);
}

static uint32_t add_node(MultiTree *t, uint32_t subgame, uint32_t row, const uint64_t *words) {
    uint32_t id = (uint32_t)t->nodes.count;
    vector_push(&t->nodes, ((PartNode){.subgame = subgame,
                                       .row = row,
                                       .first_transition = NONE,
                                       .base = id,
                                       .next_row = NONE,
                                       .words = words}));
    memset(vector_extend(&t->node_sets, t->set_words), 0, t->set_words * sizeof(uint64_t));
    if (t->options.keys == KEYS_DEPTH)
        memset(vector_extend(&t->mark_sets, t->set_words), 0, t->set_words * sizeof(uint64_t));
    return id;
}

uint32_t multitree_node(MultiTree *t, uint32_t subgame, uint32_t depth, const uint64_t *words) {
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

uint32_t multitree_passage(MultiTree *t, uint32_t base, bool is_return) {
    assert(base < t->nodes.count && t->nodes.items[base].base == base);
    PartNode *first = &t->nodes.items[base];
    bool was_here = first->descent == t->descent;
    first->passages = was_here ? first->passages + is_return : 0;
    first->descent = t->descent;
    uint32_t id = base;
    for (uint32_t row = 1, last = first->passages; row <= last; row++) {
        uint32_t next = t->nodes.items[id].next_row;
        if (next == NONE) {
            next = add_node(t, t->nodes.items[base].subgame, row, t->nodes.items[base].words);
            t->nodes.items[next].base = base;
            t->nodes.items[id].next_row = next;
        }
        id = next;
    }
    return id;
}

uint32_t multitree_transition(const MultiTree *t, uint32_t node, uint32_t move) {
    assert(bitset_get(tested_moves(t, node), move));
    uint32_t id = t->nodes.items[node].first_transition;
    while (!bitset_get(transition_moves(t, id), move))
        id = t->transitions.items[id].next;
    return id;
}

bool multitree_label(MultiTree *t, uint32_t node, uint32_t move, uint32_t child) {
    assert(t->options.keys != KEYS_DEPTH ||
           t->nodes.items[child].row == t->nodes.items[node].row + 1);
    assert(!bitset_get(tested_moves(t, node), move));
    uint32_t id = t->nodes.items[node].first_transition;
    while (id != NONE && t->transitions.items[id].child != child)
        id = t->transitions.items[id].next;
    bool is_new = id == NONE;
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

void multitree_forget_trees(MultiTree *t) {
    multitree_forget_positions(t);
    vectors_free(&t->nodes, &t->node_sets, &t->mark_sets, &t->transitions, &t->transition_sets,
                 &t->part_nodes);
    key_table_clear(&t->part_keys);
    t->knows_all = false;
}

void multitree_forget_marks(MultiTree *t) {
    if (t->mark_sets.count)
        memset(t->mark_sets.items, 0, t->mark_sets.count * sizeof(uint64_t));
}
