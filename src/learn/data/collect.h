/* Data sets from matches that are played for them: at random, or by UCT against itself with a few
 * random moves. Match m has random numbers of its own, so that a set does not depend on the number
 * of threads. */
#pragma once

#include "base/clock.h"
#include "base/pool.h"
#include "game/game.h"
#include "learn/data/dataset.h"

/* Where something is hidden, everybody moves at random.
 * Guided: a short search moves, and random matches say what states are worth: states as good
 * players meet them, with values that have little noise. */
typedef enum { COLLECT_RANDOM, COLLECT_UCT, COLLECT_GUIDED } CollectSource;
typedef enum { COLLECT_ENDS, COLLECT_BEFORE_ENDS, COLLECT_ALL } CollectStates;

typedef struct {
    CollectSource source;
    CollectStates states;
    uint64_t matches;    /* at most; 0: as many as time allows */
    size_t rows;         /* no match begins once there are so many; 0: no such limit */
    Deadline deadline;   /* no match begins after it; {0}: never */
    const bool *stopped; /* may be set by another thread; NULL if nobody will */
    uint64_t seed;
    uint32_t playouts;   /* of a search for a move, 0: 1024; or for the value of a state, 0: 256 */
    uint32_t per_match;  /* states before the end that are kept, if not by searches; 0: 12 */
    double share_random; /* of moves in matches of UCT; 0: a tenth */
    /* How much what was thought of a state counts beside the final score, 0..1; < 0: all. If it is
     * not all, positions that were thought about but not played have no place in the set. */
    double value_share;
} CollectOptions;

/* NULL if no match could be played to its end. */
DataSet *collect(Game *game, const CollectOptions *options, Pool *pool);

/* The same block by block, for those who share the blocks. */
enum { COLLECT_BLOCK = 8 /* matches */ };
typedef struct Collector Collector;
/* NULL if the game has too many roles. Game, options and pool must outlive it. */
Collector *collector_create(Game *game, const CollectOptions *options, Pool *pool);
void collector_free(Collector *collector);
/* Whether that block is still to be played: by the number of matches, rows so far, time, stops. */
bool collector_goes_on(const Collector *collector, uint64_t block, size_t rows);
/* Plays it and adds its rows; how many matches came to an end. Facts are numbered by the game. */
size_t collector_play(Collector *collector, uint64_t block, DataSet *set);
/* Once a set has all its rows. */
void collector_name_facts(const Collector *collector, DataSet *set);
