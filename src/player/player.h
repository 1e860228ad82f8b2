/* A player: messages of a manager in, answers out, without a socket in sight. It plays with the
 * interpreter at once and takes the circuit when it is built; it thinks until shortly before the
 * deadline, and on in the opponents' time. Any number of threads may bring messages: those of the
 * match follow each other and interrupt the thinking, all others are answered at once. */
#pragma once

#include "base/log.h"
#include "base/text.h"
#include "search/search.h"

typedef struct {
    const char *strategy; /* name of a search; NULL: auto */
    double margin;        /* seconds left of each clock for the way back; 0: the default of 0.5 */
    bool rests;           /* does not think in the opponents' time */
    /* Start clocks that leave so many seconds are used to learn an evaluation, for `auto` alone;
     * 0: the default of 12; below 0: never. */
    double learns_from;
    double patience; /* seconds past its clocks after which a manager counts as dead; 0: 10 */
    SearchOptions search;
    Log *log; /* NULL: silent */
} PlayerOptions;

typedef struct Player Player;

/* NULL with an error if there is no such strategy. */
Player *player_create(const PlayerOptions *options, Report *report);
void player_free(Player *player);

/* Appends the answer. False if the bytes were no message; then the answer says what is wrong. */
bool player_handle(Player *player, const char *message, size_t length, Text *answer);

/* Makes all thinking end soon, now and later: the program is about to end. */
void player_stop(Player *player);

/* Seconds kept in reserve of a clock: the margin, but no more than half of a short clock and no
 * less than a tenth of a clock under five seconds. */
double player_margin(double margin, double clock);
