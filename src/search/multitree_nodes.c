/* Nodes are found by their part of the state and their depth, transitions through their node, which
 * has few of them. */
#include <assert.h>
#include <string.h>

#include "search/multitree_internal.h"

static uint64_t hash_part(const MultiTree *t, uint32_t subgame, uint32_t depth,
                          const uint64_t *words) {
    const uint64_t *mask = multitree_mask(t, subgame);
    uint64_t hash = hash_mix(subgame, depth);
    for (uint32_t i = 0; i < t->word_count; i++)
        hash = hash_mix(hash, words[i] & mask[i]);
    return hash_finish(hash);
}

bool multitree_is_part(const MultiTree *t, uint32_t node, const uint64_t *words) {
    const PartNode *n = &t->nodes.items[node];
    const uint64_t *mask = multitree_mask(t, n->subgame);
    for (uint32_t i = 0; i < t->word_count; i++)
        if ((words[i] & mask[i]) != n->words[i])
            return false;
    return true;
}

static uint32_t add_node(MultiTree *t, uint32_t subgame, uint32_t depth, const uint64_t *words,
                         uint64_t hash) {
    uint32_t id = (uint32_t)t->nodes.count;
    uint64_t *own = arena_alloc(&t->arena, t->word_count * sizeof *own);
    const uint64_t *mask = multitree_mask(t, subgame);
    for (uint32_t i = 0; i < t->word_count; i++)
        own[i] = words[i] & mask[i];
    vector_push(&t->nodes, ((PartNode){subgame, depth, 0, NONE, own}));
    memset(vector_extend(&t->node_sets, 2 * t->set_words), 0, 2 * t->set_words * sizeof(uint64_t));
    table_insert(&t->node_table, hash, id);
    return id;
}

uint32_t multitree_node(MultiTree *t, uint32_t subgame, uint32_t depth, const uint64_t *words) {
    uint64_t hash = hash_part(t, subgame, depth, words);
    uint32_t id;
    for (TableProbe p = table_probe(&t->node_table, hash); table_next(&t->node_table, &p, &id);) {
        const PartNode *node = &t->nodes.items[id];
        if (node->subgame == subgame && node->depth == depth && multitree_is_part(t, id, words))
            return id;
    }
    return add_node(t, subgame, depth, words, hash);
}

uint32_t multitree_transition(const MultiTree *t, uint32_t node, uint32_t move) {
    assert(bitset_get(tested_moves(t, node), move));
    uint32_t id = t->nodes.items[node].first_transition;
    while (!bitset_get(transition_moves(t, id), move))
        id = t->transitions.items[id].next;
    return id;
}

bool multitree_label(MultiTree *t, uint32_t node, uint32_t move, uint32_t child) {
    assert(t->nodes.items[child].depth == t->nodes.items[node].depth + 1);
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
    t->nodes.count = t->node_sets.count = t->transitions.count = t->transition_sets.count = 0;
    table_clear(&t->node_table);
    arena_free(&t->arena);
    t->arena = (Arena){0};
}

void multitree_forget_marks(MultiTree *t) {
    for (uint32_t node = 0; node < t->nodes.count; node++)
        memset(explored_moves(t, node), 0, t->set_words * sizeof(uint64_t));
}
