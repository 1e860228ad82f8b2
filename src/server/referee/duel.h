/* Two searches against each other with the same CPU time per move, within one process and thread,
 * as studies and bench/duel.c play them. The first side plays one seat, which changes from match to
 * match; the second side plays the others. CPU time is not affected by other programs. */
#pragma once

#include "server/referee/contestant.h"

typedef struct {
    Game *game;
    const Contestant *sides[2]; /* searches */
    double seconds;             /* per move; a side with its own number of playouts may use less */
    double start_seconds;       /* before the first move, as a start clock */
    bool by_the_clock;          /* wall-clock seconds, for searches with several threads */
    const bool *stopped;        /* another thread or a signal sets it to stop; NULL: nobody */
} DuelSetup;

/* Results by side, not by role. */
typedef struct {
    double goals[2];                /* 0 to 100; the mean over the roles of the second side */
    uint64_t playouts[2], moves[2]; /* only moves with a choice count */
} DuelOutcome;

/* True if there are at least two players and no hidden information. */
bool duel_suits(const Game *game);
/* Plays the match of that number, which determines the seeds. In match 0 the first side is the
 * first player, in match 1 the second, and so on. False if it was stopped, or with the reason in
 * the report. */
bool duel_play(const DuelSetup *setup, uint64_t match, DuelOutcome *outcome, Report *report);
