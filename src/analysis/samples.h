/* Random matches written down state by state: what everything observed rests on, for games with
 * and without a circuit. Samples of a match follow each other, so that a sample and the next one
 * are a transition. */
#pragma once

#include "analysis/certainty.h"
#include "game/game.h"

typedef struct {
    State state;
    uint32_t time;        /* turns played before it */
    bool is_terminal;     /* then nobody has moves here */
    bool has_next;        /* the next sample is the state after the moves */
    uint32_t first_legal; /* into Samples.legal: legal moves of role 0, then of role 1, ... */
} Sample;

typedef struct {
    Game *game;     /* not owned */
    GameWork *work; /* owned; for more questions and for texts */
    uint32_t role_count, fluent_count;
    uint32_t *first_move; /* by role, and the number of all moves: where its moves are numbered */
    VECTOR(Sample) items;
    U32Vector legal;    /* numbers of moves within their role */
    U32Vector choices;  /* by sample and role: how many of them */
    U32Vector moves;    /* by sample and role: the one made; meaningful with has_next */
    VECTOR(int) goals;  /* by sample and role, at the end of matches; else GOAL_NONE */
    uint32_t matches;   /* begun */
    uint32_t ended;     /* in a terminal state */
    uint32_t longest;   /* turns of the longest match that ended */
    uint64_t *columns;  /* by fluent: one bit a sample */
    size_t column_size; /* words */
} Samples;

typedef struct {
    uint64_t matches; /* at most; 0: the default */
    uint64_t seed;
    CpuBudget budget;
} SampleOptions;

/* At least the initial state is sampled. */
Samples *samples_take(Game *game, const SampleOptions *options);
void samples_free(Samples *samples);

static inline const uint64_t *samples_column(const Samples *samples, uint32_t fluent) {
    return samples->columns + fluent * samples->column_size;
}

static inline uint32_t samples_choices(const Samples *samples, size_t sample, uint32_t role) {
    return samples->choices.items[sample * samples->role_count + role];
}

static inline uint32_t samples_move(const Samples *samples, size_t sample, uint32_t role) {
    return samples->moves.items[sample * samples->role_count + role];
}

/* One numbering for the moves of all roles: that of the circuit, where there is one. */
static inline uint32_t samples_move_index(const Samples *samples, uint32_t role, uint32_t move) {
    return samples->first_move[role] + move;
}

static inline uint32_t samples_move_count(const Samples *samples) {
    return samples->first_move[samples->role_count];
}

/* The legal moves of a role; samples_choices says how many. */
const uint32_t *samples_legal(const Samples *samples, size_t sample, uint32_t role);

static inline bool samples_holds(const Samples *samples, size_t sample, uint32_t fluent) {
    const State *s = &samples->items.items[sample].state;
    return fluent / 64 < s->word_count && s->words[fluent / 64] >> (fluent % 64) & 1;
}
