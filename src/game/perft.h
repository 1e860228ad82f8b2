/* Counts positions and move sequences, depth by depth: the classical test of a move generator. Each
 * different state of a depth is expanded once and stores the number of sequences that lead to it,
 * so that long games with few positions can be counted far beyond what a tree walk could reach. */
#pragma once

#include "game/game.h"

typedef struct {
    uint64_t positions, terminal_positions; /* different states */
    /* Numbers of sequences of joint moves that lead to these states. */
    uint64_t sequences, terminal_sequences;
    /* States that are not terminal and in which a role has no legal move. */
    uint64_t stuck_positions;
} PerftDepth;

typedef enum {
    PERFT_DONE,
    PERFT_INTERRUPTED,
    PERFT_NO_TIME,
    PERFT_NO_MEMORY,
    PERFT_OVERFLOW
} PerftEnd;

typedef struct {
    Game *game;
    Reasoner reasoner;
    uint32_t depth;
    unsigned threads;    /* 0 counts as 1 */
    double seconds;      /* wall-clock limit; 0: none */
    double cpu_seconds;  /* limit of CPU time of the calling thread; 0: none */
    size_t bytes;        /* memory for the states of two depths */
    const bool *stopped; /* flag that another thread sets to stop; NULL: nobody does */
    const char *label;   /* label of the progress line; NULL: none */
} PerftPlan;

typedef struct {
    VECTOR(PerftDepth) depths; /* completed depths only, from the initial state on */
    PerftEnd end;
} Perft;

/* Stops early if no position is left. */
void perft_count(const PerftPlan *plan, Perft *perft);
