/* Learning in a player's start clock. While the player thinks, a learner plays the game against
 * itself in a thread of its own, learns an evaluation and tries it in matches against the same
 * search without it. Only an evaluation that wins is used. */
#pragma once

#include "base/monitor.h"
#include "search/search.h"

typedef struct BackgroundLearner BackgroundLearner;

/* Starts to learn for `seconds` seconds with the threads of the options. NULL if such a game cannot
 * be learnt or no thread can be started. The game and the monitor, on which the end is announced,
 * must outlive the learner. */
BackgroundLearner *background_learner_start(Game *game, const char *method,
                                            const SearchOptions *options, double seconds,
                                            Monitor *monitor);
void background_learner_free(BackgroundLearner *learner);

bool background_learner_is_done(const BackgroundLearner *learner);
/* Sets the options to use the evaluation of a learner that is done; false if it does not help. The
 * text says why. The options are valid as long as the learner. */
bool background_learner_apply(const BackgroundLearner *learner, SearchOptions *options, Text *text);
