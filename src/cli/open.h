/* Games ready to be played and matches with a progress line, for the verbs that play. */
#pragma once

#include "cli/options.h"
#include "game/game.h"
#include "game/matches.h"

/* What --reasoner takes, for the tables of options. */
#define REASONER_CHOICES "auto|interpreter|scalar|incremental|sliced"

/* The game behind a GAME argument; `options` may be NULL. NULL after telling standard error why,
 * with the exit status in *status. An interrupt ends the building of the circuit. */
Game *open_game(const char *argument, const GameOptions *options, int *status);

/* The reasoner of a --reasoner option (NULL: auto) when the game can answer through it. False with
 * the exit status after telling why not. */
bool choose_reasoner(const Game *game, const char *name, Reasoner *reasoner, int *status);

/* Plays the matches with a progress line of that label (NULL for none), until an interrupt; with
 * the other processes of the cluster. */
void play_matches(const Command *command, MatchPlan *plan, const char *label, Matches *matches);
