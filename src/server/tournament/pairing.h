/* Decides who meets whom. The next matches depend only on the definition and on the matches played
 * so far, so that an interrupted tournament continues as if it had not been interrupted. */
#pragma once

#include "server/store/store.h"
#include "server/tournament/definition.h"

/* Players who meet form an encounter: two players, or all of them in games with one seat or a seat
 * for everybody. An encounter plays a number of matches, called boards, in each game, and the
 * players change seats from board to board. Empty seats are filled by random players that do not
 * count. In a game for one player, each plays alone and the goals are compared. */

/* Adds the jobs of the next round when all others are played. False if the tournament is over. */
bool pairing_next(const Definition *definition, Jobs *jobs);

/* The number of matches of the whole tournament, without replays of drawn encounters. */
uint64_t pairing_total(const Definition *definition);

/* Computes the points of each player. Swiss: encounters won, where a bye counts 1 and a draw 0.5.
 * Knock-out: rounds survived. Other formats: 0. */
void pairing_points(const Definition *definition, const Jobs *jobs, double *points);
