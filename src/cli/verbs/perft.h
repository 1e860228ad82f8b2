/* Counting positions and move sequences, depth by depth: the classical test of a move generator.
 * Each different state of a depth is expanded once and carries the number of sequences that lead
 * to it, so long games with few positions are counted far beyond what could be walked. */
#pragma once

#include "game/game.h"

typedef struct {
    uint64_t positions, terminal_positions; /* different states */
    uint64_t sequences, terminal_sequences; /* of joint moves that lead to them */
    uint64_t stuck_positions;               /* not terminal, and a role without a legal move */
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
    unsigned threads;  /* 0 counts as 1 */
    double seconds;    /* 0: no limit */
    size_t bytes;      /* for the states of two depths */
    const char *label; /* of the progress line; NULL for none */
} PerftPlan;

typedef struct {
    VECTOR(PerftDepth) depths; /* complete ones only; from the initial state on */
    PerftEnd end;
} Perft;

/* Stops early where no position is left. */
void perft_count(const PerftPlan *plan, Perft *perft);
