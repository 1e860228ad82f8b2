/* Explores each subgame of a game of one role by itself: the states its fluents can have, and the
 * distance in moves from each of them to the best ones. The best states are found from the goals
 * with the rest of the state unknown (local concepts, Guenther 2007, by three-valued evaluation):
 * the states of a subgame that secure the greatest goal alone, or else those that leave the
 * greatest goal possible. */
#pragma once

#include "search/multitree/mtmcts_trees.h"
#include "search/single/lookahead.h"

/* Every state of a subgame is explored inside a state of the whole game that was really reached, so
 * all moves are legal. A wrong decomposition makes distances wrong, and nothing else.
 *
 *     SubgameDistances *games = distances_create(&ahead, &parts, 1 << 28);
 *     distances_start(games, words);
 *     while (distances_explore(games, 64)) ...
 *     distances_aim(games);
 *     ... distances_distance(games, words) ... */

typedef struct SubgameDistances SubgameDistances;

enum { DISTANCE_NEVER = UINT32_MAX };

/* `ahead` is shared and must outlive the result; the parts are copied. */
SubgameDistances *distances_create(LookAhead *ahead, const GameParts *parts, size_t byte_limit);
void distances_free(SubgameDistances *games);

/* Forgets everything and starts over from this state. */
void distances_start(SubgameDistances *games, const uint64_t *words);
/* Explores up to `count` more states. False when none is left, or the memory is used up. */
bool distances_explore(SubgameDistances *games, uint32_t count);
/* True if a subgame has a state that secures the greatest goal, or all have one that allows it. */
bool distances_has_goal_state(const SubgameDistances *games);
/* Finds the best states known of each subgame and the distances to them. May be called again. */
void distances_aim(SubgameDistances *games);
/* The number of moves until all subgames are in their best states if no move acted in two of them;
 * DISTANCE_NEVER if some subgame cannot get there. */
uint32_t distances_distance(SubgameDistances *games, const uint64_t *words);
/* Number of states explored or to be explored, over all subgames. */
uint64_t distances_count(const SubgameDistances *games);
