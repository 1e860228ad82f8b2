/* Learning in a player's start clock. While the player thinks, a pupil plays the game against
 * itself in a thread of its own, learns an evaluation and tries it in matches against the same
 * search without it. Only an evaluation that wins is used. */
#pragma once

#include "base/monitor.h"
#include "search/search.h"

typedef struct Pupil Pupil;

/* Starts to learn for `seconds` seconds. NULL if such a game cannot be learnt or no thread can be
 * started. The game and the monitor, on which the end is announced, must outlive the pupil. */
Pupil *pupil_start(Game *game, const char *method, const SearchOptions *options, double seconds,
                   Monitor *monitor);
void pupil_free(Pupil *pupil);

bool pupil_is_done(const Pupil *pupil);
/* Sets the options to use the evaluation of a pupil that is done; false if it does not help. The
 * text says why. The options are valid as long as the pupil. */
bool pupil_teaches(const Pupil *pupil, SearchOptions *options, Text *text);
