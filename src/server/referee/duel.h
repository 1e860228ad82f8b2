/* Two searches against each other with the same CPU time per move, within one process and thread;
 * used by studies and bench/duel.c. The first side plays one seat, which changes from match to
 * match; the second side plays the others. CPU time is not affected by other programs. */
#pragma once

#include "server/referee/contestant.h"

typedef struct {
    Game *game;
    const Contestant *sides[2]; /* must be searches */
    /* Time per move; a side with its own number of playouts may use less. */
    double seconds;
    double start_seconds; /* time before the first move, as a start clock */
    /* True: wall-clock seconds, for searches with several threads; false: CPU seconds. */
    bool counts_wall_clock;
    const bool *stopped; /* set by another thread or a signal to stop; NULL: nobody does */
} DuelSetup;

/* Results by side, not by role. */
typedef struct {
    double goals[2];                /* 0..100; for the second side the mean over its roles */
    uint64_t playouts[2], moves[2]; /* only moves where the side had a choice are counted */
} DuelOutcome;

/* True if there are at least two players and no hidden information. */
bool duel_suits(const Game *game);
/* Plays match number `match`, which determines the seeds. In match 0 the first side is the first
 * player, in match 1 the second, and so on. False if it was stopped, or with the reason in the
 * report. */
bool duel_play(const DuelSetup *setup, uint64_t match, DuelOutcome *outcome, Report *report);
