/* States of the whole game. A position is expanded once, which lists its moves, successors and
 * final states. Moves with the same successor count as one. */
#include <assert.h>
#include <string.h>

#include "search/multitree/mtmcts_internal.h"

uint32_t mtmcts_trees_position(MtmctsTrees *t, uint32_t depth, const uint64_t *words) {
    State state = {(uint64_t *)words, t->word_count};
    uint32_t id = key_table_part(&t->position_keys, depth, &state, NULL, t->word_count);
    if (id == t->positions.count)
        vector_push(&t->positions, ((TreesPosition){.depth = depth,
                                                    .words = key_table_key(&t->position_keys, id),
                                                    .winning = TREES_NONE}));
    return id;
}

uint32_t mtmcts_trees_position_after(MtmctsTrees *t, uint32_t id, uint32_t index) {
    const TreesPosition *position = &t->positions.items[id];
    assert(position->is_evaluated && index < position->move_count);
    uint32_t *after = &position->positions[index];
    if (*after == TREES_NONE)
        *after = mtmcts_trees_position(t, position->depth + 1, successor_of(t, position, index));
    return *after;
}

uint32_t mtmcts_trees_index_of(const TreesPosition *position, uint32_t move) {
    assert(bitset_get(position->legal, move));
    uint32_t word = move / 64;
    uint64_t below = position->legal[word] & ((UINT64_C(1) << (move % 64)) - 1);
    return (uint32_t)(bitset_count(position->legal, word) + (size_t)__builtin_popcountll(below));
}

void mtmcts_trees_forget_positions(MtmctsTrees *t) {
    vector_free(&t->positions);
    key_table_clear(&t->position_keys);
    arena_free(&t->position_arena);
}

/* Enters a successor into the slots of the hash table; false if an equal one is there. */
static bool is_first_successor(MtmctsTrees *t, const TreesPosition *position, uint32_t index) {
    const uint64_t *words = successor_of(t, position, index);
    size_t bytes = t->word_count * sizeof *words, mask = t->successor_slots.count - 1;
    size_t slot = hash_bytes(words, bytes) & mask;
    uint32_t *slots = t->successor_slots.items;
    for (; slots[slot] != TREES_NONE; slot = (slot + 1) & mask)
        if (memcmp(successor_of(t, position, slots[slot]), words, bytes) == 0)
            return false;
    slots[slot] = index;
    return true;
}

static void empty_slots(MtmctsTrees *t, uint32_t successors) {
    size_t slots = 16;
    while (slots < 2 * (size_t)successors)
        slots *= 2;
    t->successor_slots.count = 0;
    memset(vector_extend(&t->successor_slots, slots), 0xff, slots * sizeof(uint32_t));
}

/* Keeps the first of all moves with the same successor. */
static void merge_equal_moves(MtmctsTrees *t, TreesPosition *position) {
    uint32_t kept = 0;
    empty_slots(t, position->move_count);
    for (uint32_t i = 0; i < position->move_count; i++) {
        uint32_t move = position->moves[i];
        position->moves[kept] = move;
        position->goals[kept] = position->goals[i];
        if (kept != i)
            memcpy(position->successors + (size_t)kept * t->word_count,
                   successor_of(t, position, i), t->word_count * sizeof(uint64_t));
        if (!is_first_successor(t, position, kept)) {
            bitset_clear(position->ends, move);
            continue;
        }
        bitset_set(position->legal, move);
        bool ends = bitset_get(position->ends, move);
        bitset_assign(position->open, move, !ends);
        if (ends && position->goals[kept] == t->greatest_goal)
            position->winning = kept;
        kept++;
    }
    position->move_count = kept;
}

void mtmcts_trees_look_ahead(MtmctsTrees *t, uint32_t id) {
    TreesPosition *position = &t->positions.items[id];
    lookahead_legal(&t->ahead, position->words, &t->legal);
    uint32_t count = position->move_count = (uint32_t)t->legal.count;
    Arena *arena = &t->position_arena;
    position->moves = arena_alloc(arena, count * sizeof *position->moves);
    position->legal = arena_alloc(arena, 3 * t->set_words * sizeof *position->legal);
    position->ends = position->legal + t->set_words;
    position->open = position->ends + t->set_words;
    position->successors =
        arena_alloc(arena, (size_t)count * t->word_count * sizeof *position->successors);
    position->goals = arena_alloc(arena, count * sizeof *position->goals);
    position->positions = arena_alloc(arena, count * sizeof *position->positions);
    position->nodes = arena_alloc(arena, t->parts.count * sizeof *position->nodes);
    memset(position->legal, 0, 3 * t->set_words * sizeof *position->legal);
    if (count)
        memcpy(position->moves, t->legal.items, count * sizeof *position->moves);
    memset(position->positions, 0xff, count * sizeof *position->positions);
    memset(position->nodes, 0xff, t->parts.count * sizeof *position->nodes);
    lookahead_try(&t->ahead, position->words, position->moves, count, position->successors, t->ends,
                  position->goals);
    for (uint32_t i = 0; i < count; i++)
        bitset_assign(position->ends, position->moves[i], t->ends[i]);
    merge_equal_moves(t, position);
    position->is_evaluated = true;
    t->counts.positions++;
}
