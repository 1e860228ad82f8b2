/* Samples: random matches recorded state by state, for games with and without a circuit. All
 * observations rest on them. The samples of a match follow each other, so that a sample with
 * `has_next` and the sample after it are a transition. */
#pragma once

#include <assert.h>

#include "analysis/certainty.h"
#include "game/game.h"

typedef struct {
    State state;
    uint32_t time;        /* turns of the match before this state */
    bool is_terminal;     /* no legal moves are recorded for terminal states */
    bool has_next;        /* the next sample is the state after the moves made here */
    uint32_t first_legal; /* index in Samples.legal of the moves of role 0; others follow */
} Sample;

typedef struct {
    Game *game;     /* not owned */
    GameWork *work; /* owned; for queries to the game beyond the recorded ones */
    uint32_t role_count, fluent_count;
    uint32_t *first_move; /* by role: its first move; one more for the end */
    VECTOR(Sample) items;
    U32Vector legal;    /* moves, numbered within their role */
    U32Vector choices;  /* by sample and role: number of its legal moves */
    U32Vector moves;    /* by sample and role: the move made; MOVE_NONE if has_next is false */
    VECTOR(int) goals;  /* by sample and role: the goal value in terminal states, else GOAL_NONE */
    uint32_t matches;   /* matches begun */
    uint32_t ended;     /* matches that reached a terminal state */
    uint32_t longest;   /* turns of the longest match that ended */
    uint64_t *columns;  /* by fluent: bitset of the samples in which it is true */
    size_t column_size; /* 64-bit words per column */
} Samples;

typedef struct {
    uint64_t matches; /* upper bound on matches; 0 stands for the default */
    uint64_t seed;
    uint32_t turns; /* turns after which a match is cut off; 0 stands for the default */
    CpuBudget budget;
} SampleOptions;

/* Plays matches and records their states. The result has at least the initial state. */
Samples *samples_take(Game *game, const SampleOptions *options);
void samples_free(Samples *samples);

static inline const uint64_t *samples_column(const Samples *samples, uint32_t fluent) {
    assert(fluent < samples->fluent_count);
    return samples->columns + fluent * samples->column_size;
}

static inline uint32_t samples_choices(const Samples *samples, size_t sample, uint32_t role) {
    assert(sample < samples->items.count && role < samples->role_count);
    return samples->choices.items[sample * samples->role_count + role];
}

/* Returns the number of roles that have a choice. Writes the last of them, or UINT32_MAX. */
static inline uint32_t samples_choosers(const Samples *samples, size_t sample, uint32_t *last) {
    uint32_t choosers = 0;
    *last = UINT32_MAX;
    for (uint32_t r = 0; r < samples->role_count; r++)
        if (samples_choices(samples, sample, r) > 1) {
            *last = r;
            choosers++;
        }
    return choosers;
}

/* Returns the number of a move among the moves of all roles, as in the circuit if there is one. */
static inline uint32_t samples_move_index(const Samples *samples, uint32_t role, uint32_t move) {
    assert(role < samples->role_count);
    return samples->first_move[role] + move;
}

static inline uint32_t samples_move_count(const Samples *samples) {
    return samples->first_move[samples->role_count];
}

/* Returns the legal moves of a role; samples_choices gives their number. */
const uint32_t *samples_legal(const Samples *samples, size_t sample, uint32_t role);

static inline bool samples_holds(const Samples *samples, size_t sample, uint32_t fluent) {
    return state_holds(&samples->items.items[sample].state, fluent);
}
