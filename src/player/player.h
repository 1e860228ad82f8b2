/* A player of the general game playing protocol, without a socket: it takes a message of a manager
 * and returns an answer. It plays with the interpreter at once and changes to the circuit when that
 * is built. It searches until shortly before each deadline, and continues in the opponents' time.
 * Any number of threads may bring messages: those of the match are handled one after the other and
 * interrupt the search; all others are answered at once. */
#pragma once

#include "base/log.h"
#include "base/text.h"
#include "search/search.h"

typedef struct {
    const char *strategy;        /* name of a search; NULL: auto */
    double margin;               /* seconds of each clock left over, at most half of it; 0: 0.2 */
    bool searches_own_turn_only; /* true if it does not search in the opponents' time */
    /* Fewest seconds of the start clock, once the circuit is built, in which strategy `auto` learns
     * an evaluation; 0: 4; below 0: it never learns. */
    double min_learning_clock;
    double patience; /* seconds of silence past the clocks until a match is given up; 0: 3 */
    SearchOptions search;
    KernelKind kernel; /* how networks of the circuit are evaluated */
    Log *log;          /* NULL: silent */
} PlayerOptions;

typedef struct Player Player;

/* Returns NULL with an error if there is no such strategy. */
Player *player_create(const PlayerOptions *options, Report *report);
void player_free(Player *player);

/* Handles one message and appends the answer. False if the bytes are no message; the answer then
 * says why. `delay`: seconds that the message and its answer lose on their way. */
bool player_handle(Player *player, const char *message, size_t length, double delay, Text *answer);

/* Makes all searches end soon, now and later, because the program is about to end. */
void player_stop(Player *player);
