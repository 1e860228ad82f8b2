/* Collects data sets from matches: random matches, or self-play of UCT with a few random moves.
 * Each match has its own random numbers, so that a set does not depend on the number of threads. */
#pragma once

#include "base/clock.h"
#include "base/pool.h"
#include "game/game.h"
#include "learn/data/dataset.h"
#include "search/search.h"

/* How matches are played. COLLECT_GUIDED: a short search chooses the moves and playouts estimate
 * the values, which gives states of good play with little noise. In games with hidden information
 * all roles move at random. */
typedef enum { COLLECT_RANDOM, COLLECT_UCT, COLLECT_GUIDED } CollectSource;
typedef enum { COLLECT_ENDS, COLLECT_BEFORE_ENDS, COLLECT_ALL } CollectStates;

typedef struct {
    CollectSource source;
    CollectStates states;
    uint64_t matches;    /* matches to play, at most; 0: as many as time allows */
    size_t rows;         /* no match starts once the set has this number of rows; 0: no limit */
    Deadline deadline;   /* no match starts after it; {0}: none */
    const bool *stopped; /* set by another thread to end; NULL: nobody does */
    uint64_t seed;
    uint32_t playouts;   /* per search (0: 1024), or per value of a state (0: 256) */
    uint32_t per_match;  /* states kept per match, besides those that UCT has valued; 0: 12 */
    bool merges;         /* equal states are merged at once: `rows` counts different ones */
    double share_random; /* share of random moves in matches of UCT; 0: 0.1 */
    /* Weight of the estimated value against the final score, 0..1; below 0: 1. Below 1, positions
     * that were searched but not played are left out. */
    double value_share;
    const SearchOptions *search; /* of the searches that play; NULL: defaults. The seed is set. */
} CollectOptions;

/* NULL if no match reached its end. */
DataSet *collect(Game *game, const CollectOptions *options, Pool *pool);

/* Collecting block by block, so that several processes can share the blocks. */
enum { COLLECT_BLOCK = 8 /* matches */ };
typedef struct Collector Collector;
/* NULL if the game has too many roles. Game, options and pool must outlive it. */
Collector *collector_create(Game *game, const CollectOptions *options, Pool *pool);
void collector_free(Collector *collector);
/* True if the limits of the options allow another block after `rows` rows. */
bool collector_goes_on(const Collector *collector, uint64_t block, size_t rows);
/* Plays a block and adds its rows, with fluents as facts; returns the finished matches. */
size_t collector_play(Collector *collector, uint64_t block, DataSet *set);
/* Names the facts, once the set has all its rows. */
void collector_name_facts(const Collector *collector, DataSet *set);
