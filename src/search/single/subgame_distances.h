/* The subgames of a game of one role, each explored by itself: the states its fluents can be in,
 * and how far each of them is from the best ones. What is best is what the goals say when the rest
 * of the state is unknown (Guenther's local concepts, read off the circuit in three values): a
 * state of a subgame that secures the greatest goal alone, or else those that leave the most
 * possible.
 *
 * Every state of a subgame stands in a state of the whole game that was really reached, so that
 * moves are those of the rules; a wrong decomposition makes distances wrong, and nothing else.
 *
 *     SubgameDistances *games = distances_create(&ahead, &parts, 1 << 28);
 *     distances_start(games, words);
 *     while (distances_explore(games, 64)) ...
 *     distances_aim(games);
 *     ... distances_distance(games, words) ... */
#pragma once

#include "search/multitree/multitree.h"
#include "search/single/lookahead.h"

typedef struct SubgameDistances SubgameDistances;

enum { DISTANCE_NEVER = UINT32_MAX };

/* The look-ahead is shared and must outlive it; the parts are copied. */
SubgameDistances *distances_create(LookAhead *ahead, const MultiTreeParts *parts,
                                   size_t byte_limit);
void distances_free(SubgameDistances *games);

/* Forgets everything and starts over from this state. */
void distances_start(SubgameDistances *games, const uint64_t *words);
/* Looks at up to so many more states; false when there is none left, or no memory. */
bool distances_explore(SubgameDistances *games, uint32_t count);
/* Some subgame was seen to secure the greatest goal, or each of them to leave it possible. */
bool distances_see_the_goal(const SubgameDistances *games);
/* Finds the best states of each subgame that are known, and the distances to them. It may
 * be done again when more was explored. */
void distances_aim(SubgameDistances *games);
/* Moves until all subgames are in their best states, if each needed moves of its own;
 * DISTANCE_NEVER if one of them cannot get there. */
uint32_t distances_distance(SubgameDistances *games, const uint64_t *words);
/* States of all subgames together. */
uint64_t distances_count(const SubgameDistances *games);
