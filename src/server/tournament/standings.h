/* What the matches of a tournament, played so far, say about its players.
 *
 * Goals decide: on a board (a match, or in games for one the matches of all who met) the player
 * with the highest goal has won, players who share it have drawn, the others have lost. */
#pragma once

#include "server/tournament/pairing.h"
#include "server/tournament/rating.h"

typedef struct {
    uint32_t player;
    uint32_t place; /* from 1; equal ones share it */
    uint32_t matches, wins, draws, losses, errors;
    double score;           /* sum of goals */
    double mean, low, high; /* goal of a match, and Wilson's 95 % interval for it */
    double points;          /* of the format, see pairing_points; else wins and half of draws */
    Rating rating;
} Standing;

/* Of one player against another, or in one game. */
typedef struct {
    uint32_t matches;
    double score; /* wins and half of draws; goals in a game */
} StandingCell;

typedef struct {
    size_t player_count, game_count;
    Standing *items;       /* best first */
    StandingCell *against; /* player * player_count + opponent */
    StandingCell *in_game; /* player * game_count + game */
    uint64_t played, void_matches;
} Standings;

void standings_compute(Standings *standings, const Definition *definition, const Jobs *jobs);
void standings_free(Standings *standings);

/* Wilson's (1927) 95 % interval for a share of `count` trials. Goals between 0 and the best vary
 * less than a coin that is 0 or 100, so that it is rather too wide than too narrow for them. */
void wilson_interval(double share, double count, double *low, double *high);
