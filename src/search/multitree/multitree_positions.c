/* Positions are looked at closely once: moves, successors, ends. Moves with the same successor
 * count as one. */
#include <string.h>

#include "search/multitree/multitree_internal.h"

static uint64_t hash_position(const MultiTree *t, uint32_t depth, const uint64_t *words) {
    uint64_t hash = hash_mix(0, depth);
    for (uint32_t i = 0; i < t->word_count; i++)
        hash = hash_mix(hash, words[i]);
    return hash_finish(hash);
}

uint32_t multitree_position(MultiTree *t, uint32_t depth, const uint64_t *words) {
    uint64_t hash = hash_position(t, depth, words);
    size_t bytes = t->word_count * sizeof *words;
    uint32_t id;
    for (TableProbe p = table_probe(&t->position_table, hash);
         table_next(&t->position_table, &p, &id);)
        if (t->positions.items[id].depth == depth &&
            memcmp(t->positions.items[id].words, words, bytes) == 0)
            return id;
    id = (uint32_t)t->positions.count;
    uint64_t *own = arena_alloc(&t->position_arena, bytes);
    memcpy(own, words, bytes);
    vector_push(&t->positions, ((Position){.depth = depth, .words = own, .winning = NONE}));
    table_insert(&t->position_table, hash, id);
    return id;
}

uint32_t multitree_position_after(MultiTree *t, uint32_t id, uint32_t index) {
    const Position *position = &t->positions.items[id];
    uint32_t *after = &position->positions[index];
    if (*after == NONE)
        *after = multitree_position(t, position->depth + 1, successor_of(t, position, index));
    return *after;
}

uint32_t multitree_index_of(const Position *position, uint32_t move) {
    uint32_t word = move / 64;
    uint64_t below = position->legal[word] & ((UINT64_C(1) << (move % 64)) - 1);
    return (uint32_t)(bitset_count(position->legal, word) + (size_t)__builtin_popcountll(below));
}

void multitree_forget_positions(MultiTree *t) {
    vector_free(&t->positions);
    table_clear(&t->position_table);
    arena_free(&t->position_arena);
}

/* Enters a successor into the slots; false if an equal one is there. */
static bool is_first_successor(MultiTree *t, const Position *position, uint32_t index) {
    const uint64_t *words = successor_of(t, position, index);
    size_t mask = t->successor_slots.count - 1, slot = hash_position(t, 0, words) & mask;
    uint32_t *slots = t->successor_slots.items;
    for (; slots[slot] != NONE; slot = (slot + 1) & mask)
        if (memcmp(successor_of(t, position, slots[slot]), words, t->word_count * sizeof *words) ==
            0)
            return false;
    slots[slot] = index;
    return true;
}

static void empty_slots(MultiTree *t, uint32_t successors) {
    size_t slots = 16;
    while (slots < 2 * (size_t)successors)
        slots *= 2;
    t->successor_slots.count = 0;
    memset(vector_extend(&t->successor_slots, slots), 0xff, slots * sizeof(uint32_t));
}

/* Of moves with the same successor the first stands for all. */
static void merge_equal_moves(MultiTree *t, Position *position) {
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

void multitree_look_ahead(MultiTree *t, uint32_t id) {
    Position *position = &t->positions.items[id];
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
    position->nodes = arena_alloc(arena, t->subgame_count * sizeof *position->nodes);
    memset(position->legal, 0, 3 * t->set_words * sizeof *position->legal);
    if (count)
        memcpy(position->moves, t->legal.items, count * sizeof *position->moves);
    memset(position->positions, 0xff, count * sizeof *position->positions);
    memset(position->nodes, 0xff, t->subgame_count * sizeof *position->nodes);
    lookahead_try(&t->ahead, position->words, position->moves, count, position->successors, t->ends,
                  position->goals);
    for (uint32_t i = 0; i < count; i++)
        bitset_assign(position->ends, position->moves[i], t->ends[i]);
    merge_equal_moves(t, position);
    position->is_evaluated = true;
    t->counts.positions++;
}
