/* All moves of a position are made in one pass over the circuit, a lane for each, and a second pass
 * judges what they lead to. The rows that come out of the first are the rows that go into the
 * second. */
#include <assert.h>
#include <string.h>

#include "search/multitree_internal.h"

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
    t->positions.count = 0;
    table_clear(&t->position_table);
    arena_free(&t->position_arena);
    t->position_arena = (Arena){0};
}

void multitree_put_words(MultiTree *t, State *state, const uint64_t *words) {
    assert(state->word_count == t->word_count);
    memcpy(state->words, words, t->word_count * sizeof *words);
}

/* The position in all lanes, move `first + i` in lane i. */
static void put_moves_into_lanes(MultiTree *t, const Position *position, uint32_t first,
                                 uint32_t count) {
    Lanes *fluents = lanes_fluent_rows(t->lanes), *moves = lanes_move_rows(t->lanes);
    for (uint32_t f = 0; f < t->fluent_count; f++)
        fluents[f] = (Lanes){0} - (uint64_t)bitset_get(position->words, f);
    memset(moves, 0, t->game->circuit->move_count * sizeof *moves);
    for (uint32_t i = 0; i < count; i++)
        bitset_set((uint64_t *)&moves[position->moves[first + i]], i);
}

/* Bit r of column c becomes bit c of row r. */
static void transpose(uint64_t block[64]) {
    uint64_t mask = 0xffffffff;
    for (uint32_t width = 32; width; width /= 2, mask ^= mask << width)
        for (uint32_t i = 0; i < 64; i = (i + width + 1) & ~width) {
            uint64_t swapped = (block[i] >> width ^ block[i + width]) & mask;
            block[i] ^= swapped << width;
            block[i + width] ^= swapped;
        }
}

/* The states of the lanes, from rows to words. */
static void take_states(const MultiTree *t, const Lanes *rows, uint32_t count, uint64_t *words) {
    uint64_t block[64];
    for (uint32_t group = 0; group * 64 < count; group++)
        for (uint32_t w = 0; w < t->word_count; w++) {
            for (uint32_t f = 0; f < 64; f++)
                block[f] = w * 64 + f < t->fluent_count ? rows[w * 64 + f][group] : 0;
            transpose(block);
            for (uint32_t i = group * 64; i < count && i < group * 64 + 64; i++)
                words[(size_t)i * t->word_count + w] = block[i % 64];
        }
}

static void try_moves(MultiTree *t, Position *position, uint32_t first, uint32_t count) {
    put_moves_into_lanes(t, position, first, count);
    lanes_evaluate_next(t->lanes);
    const Lanes *next = lanes_next_rows(t->lanes);
    take_states(t, next, count, position->successors + (size_t)first * t->word_count);
    memcpy(lanes_fluent_rows(t->lanes), next, t->fluent_count * sizeof *next);
    lanes_evaluate_answers(t->lanes);
    for (uint32_t i = 0; i < count; i++) {
        bool ends = lanes_is_terminal(t->lanes, i);
        bitset_assign(position->open, position->moves[first + i], !ends);
        position->goals[first + i] = ends ? lanes_goal(t->lanes, i, 0) : GOAL_NONE;
    }
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
            bitset_clear(position->open, move);
            continue;
        }
        bitset_set(position->legal, move);
        if (!bitset_get(position->open, move) && position->goals[kept] == t->greatest_goal)
            position->winning = kept;
        kept++;
    }
    position->move_count = kept;
}

void multitree_look_ahead(MultiTree *t, uint32_t id) {
    Position *position = &t->positions.items[id];
    multitree_put_words(t, &t->state, position->words);
    game_legal(t->work, &t->state, 0, &t->legal);
    uint32_t count = position->move_count = (uint32_t)t->legal.count;
    Arena *arena = &t->position_arena;
    position->moves = arena_alloc(arena, count * sizeof *position->moves);
    position->legal = arena_alloc(arena, 2 * t->set_words * sizeof *position->legal);
    position->open = position->legal + t->set_words;
    position->successors =
        arena_alloc(arena, (size_t)count * t->word_count * sizeof *position->successors);
    position->goals = arena_alloc(arena, count * sizeof *position->goals);
    position->positions = arena_alloc(arena, count * sizeof *position->positions);
    position->nodes = arena_alloc(arena, t->subgame_count * sizeof *position->nodes);
    memset(position->legal, 0, 2 * t->set_words * sizeof *position->legal);
    if (count)
        memcpy(position->moves, t->legal.items, count * sizeof *position->moves);
    memset(position->positions, 0xff, count * sizeof *position->positions);
    for (uint32_t first = 0; first < count; first += LANES)
        try_moves(t, position, first, count - first < LANES ? count - first : LANES);
    merge_equal_moves(t, position);
    position->is_evaluated = true;
    t->counts.positions++;
}
