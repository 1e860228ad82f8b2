/* Two searches against each other with the same time a move, within one process and thread: what
 * studies and bench/duel.c play. The first has one seat, which changes from match to match, the
 * second all others. Seconds are those of the processor, so that other programs do not decide who
 * wins. */
#pragma once

#include "server/referee/contestant.h"

typedef struct {
    Game *game;
    const Contestant *sides[2]; /* searches */
    double seconds;             /* a move, less for a side with a number of playouts of its own */
    double start_seconds;       /* before the first move, as a start clock allows */
    bool by_the_clock;          /* seconds of the clock: for searches with several threads */
    const bool *stopped;        /* may be set by another thread or a signal; NULL if nobody will */
} DuelSetup;

/* By side, not by role. */
typedef struct {
    double goals[2];                /* of the second side, the mean of its roles */
    uint64_t playouts[2], moves[2]; /* of moves that were a choice */
} DuelOutcome;

/* Whether there are two players or more, and nothing is hidden from them. */
bool duel_suits(const Game *game);
/* The match of that number, from which seeds come; in match 0 the first side is the first player,
 * in match 1 the second, and so on. Chance plays at random. False with the reason in the report, or
 * when stopped. */
bool duel_play(const DuelSetup *setup, uint64_t match, DuelOutcome *outcome, Report *report);
