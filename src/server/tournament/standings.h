/* The standings of a tournament after the matches played so far.
 *
 * Goals decide. A board is a match or, in games for one player, the matches of all who meet: the
 * player with the highest goal has won, players who share it have drawn, the others have lost. */
#pragma once

#include "server/tournament/pairing.h"
#include "server/tournament/rating.h"

typedef struct {
    uint32_t player;
    uint32_t place; /* from 1; equal players share a place */
    uint32_t matches, wins, draws, losses, errors;
    double score;           /* sum of goals */
    double mean, low, high; /* mean goal (0 to 100) and its 95 % interval by Wilson */
    double points;          /* from pairing_points in Swiss and knock-out, else wins + draws / 2 */
    Rating rating;
} Standing;

/* The result of one player against another, or in one game. */
typedef struct {
    uint32_t matches;
    double score; /* against a player: wins + draws / 2; in a game: sum of goals */
} StandingCell;

typedef struct {
    size_t player_count, game_count;
    Standing *items;       /* best first */
    StandingCell *against; /* by player * player_count + opponent */
    StandingCell *in_game; /* by player * game_count + game */
    uint64_t played, void_matches;
} Standings;

void standings_compute(Standings *standings, const Definition *definition, const Jobs *jobs);
void standings_free(Standings *standings);

/* Computes the 95 % interval of a share of `count` trials (Wilson 1927). Goals between 0 and 100
 * vary less than a coin that shows 0 or 100, so the interval is too wide for them rather than too
 * narrow. */
void wilson_interval(double share, double count, double *low, double *high);
