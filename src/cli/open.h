/* Opens games and plays matches with a progress line, for the verbs that play. */
#pragma once

#include "base/progress.h"
#include "cli/options.h"
#include "game/game.h"
#include "game/matches.h"

/* The choices of the option --reasoner, for the tables of options. */
#define REASONER_CHOICES "auto|interpreter|scalar|incremental|sliced"

/* Opens the game named by a GAME argument, with the kernel that the command names; `command` and
 * `options` may be NULL. Returns NULL, with the reason on standard error and the exit status in
 * *status, if that fails. An interrupt ends the building of the circuit, and so does half of the
 * command's --time; then the game is interpreted. */
Game *open_game(const Command *command, const char *argument, const GameOptions *options,
                int *status);

/* Ends all jobs of the program in so many seconds. There is some grace, for verbs that keep to
 * their time by themselves and then still have to print what they found. */
void end_command_in(double seconds);

/* Waits for an interrupt while other threads serve strangers. If their jobs ended for want of
 * memory, new ones may begin once it is there again. */
void serve_until_interrupted(void);

/* The exit status after a description could not be read: its author is to blame, unless the reading
 * was cut short. */
int unreadable_status(void);

/* Does what the verb does, with the game or the rules that it is given. Returns the exit status. */
int verb_run(const Verb *verb, const Command *command);

/* Finds the reasoner that a --reasoner option names (NULL: auto). Returns false, with the exit
 * status set and the reason on standard error, if the game cannot be played with it. */
bool choose_reasoner(const Game *game, const char *name, Reasoner *reasoner, int *status);

/* Plays the matches, together with the other processes of the cluster, until they are done or the
 * user interrupts. Shows a progress line with that label; NULL shows none. */
void play_matches(const Command *command, MatchPlan *plan, const char *label,
                  MatchStatistics *matches);
