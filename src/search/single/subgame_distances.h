/* The subgames of a game of one role, each explored by itself: the states its fluents can be in,
 * and how far each of them is from the best ones. What is best is what the goals say when the rest
 * of the state is unknown (Guenther's local concepts, read off the circuit in three values): a
 * state of a subgame that secures the greatest goal alone, or else those that leave the most
 * possible.
 *
 * Every state of a subgame stands in a state of the whole game that was really reached, so that
 * moves are those of the rules; a wrong decomposition makes distances wrong, and nothing else.
 *
 *     LocalGames *games = localgames_create(&ahead, &parts, 1 << 28);
 *     localgames_start(games, words);
 *     while (localgames_explore(games, 64)) ...
 *     localgames_aim(games);
 *     ... localgames_distance(games, words) ... */
#pragma once

#include "search/multitree/multitree.h"
#include "search/single/lookahead.h"

typedef struct LocalGames LocalGames;

enum { LOCALGAMES_NEVER = UINT32_MAX };

/* The look-ahead is shared and must outlive it; the parts are copied. */
LocalGames *localgames_create(LookAhead *ahead, const MultiTreeParts *parts, size_t byte_limit);
void localgames_free(LocalGames *games);

/* Forgets everything and starts over from this state. */
void localgames_start(LocalGames *games, const uint64_t *words);
/* Looks at up to so many more states; false when there is none left, or no memory. */
bool localgames_explore(LocalGames *games, uint32_t count);
/* Some subgame was seen to secure the greatest goal, or each of them to leave it possible. */
bool localgames_see_the_goal(const LocalGames *games);
/* Finds the best states of each subgame that are known, and the distances to them. It may
 * be done again when more was explored. */
void localgames_aim(LocalGames *games);
/* Moves until all subgames are in their best states, if each needed moves of its own;
 * LOCALGAMES_NEVER if one of them cannot get there. */
uint32_t localgames_distance(const LocalGames *games, const uint64_t *words);
/* States of all subgames together. */
uint64_t localgames_count(const LocalGames *games);
