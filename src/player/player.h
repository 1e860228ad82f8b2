/* A player of the game protocol, without a socket: a message of a manager in, an answer out. It
 * plays with the interpreter at once and changes to the circuit when that is built. It thinks until
 * shortly before each deadline, and goes on in the opponents' time. Any number of threads may bring
 * messages: those of the match are handled one after the other and interrupt the thinking; all
 * others are answered at once. */
#pragma once

#include "base/log.h"
#include "base/text.h"
#include "search/search.h"

typedef struct {
    const char *strategy; /* name of a search; NULL: auto */
    double margin;        /* seconds of each clock kept for the network; 0: the default of 0.5 */
    bool rests;           /* does not think in the opponents' time */
    /* The least seconds of start clock in which strategy `auto` learns an evaluation; 0: the
     * default of 12; below 0: never. */
    double learns_from;
    double patience; /* seconds of silence past the clocks until a match is given up; 0: 10 */
    SearchOptions search;
    Log *log; /* NULL: silent */
} PlayerOptions;

typedef struct Player Player;

/* NULL with an error if there is no such strategy. */
Player *player_create(const PlayerOptions *options, Report *report);
void player_free(Player *player);

/* Handles one message and appends the answer. False if the bytes are no message; the answer then
 * says why. */
bool player_handle(Player *player, const char *message, size_t length, Text *answer);

/* Ends all thinking soon, now and later, because the program is about to end. */
void player_stop(Player *player);

/* The seconds of a clock that are kept in reserve: the margin, but at most half of the clock, and
 * at least a tenth of a clock under five seconds. */
double player_margin(double margin, double clock);
