/* Who meets whom. The next matches are a function of the definition and of the matches played so
 * far, and of nothing else: a tournament that was broken off goes on as if it had not been.
 *
 * Players who meet form an encounter: two of them, in games for more (or fewer) seats perhaps all.
 * An encounter plays a number of matches, boards, in each game, in which the players move on from
 * seat to seat. Seats without a player are taken by random players who do not count. In a game for
 * one, each plays alone and the goals are compared. */
#pragma once

#include "server/page/store.h"
#include "server/tournament/definition.h"

/* When all jobs are played: adds those of the next round. False if the tournament is over. */
bool pairing_next(const Definition *definition, Jobs *jobs);

/* Matches of the whole tournament, replays of drawn encounters not counted. */
uint64_t pairing_total(const Definition *definition);

/* Swiss: encounters won, with byes as won and draws as halves. Knock-out: rounds survived. Else
 * nothing. One number for each player. */
void pairing_points(const Definition *definition, const Jobs *jobs, double *points);
