/* A player's start clock is time to learn: while it thinks, a pupil plays the game against itself
 * in a thread of its own, learns to evaluate it, and tries the evaluation in matches. Only one that
 * won is handed over. */
#pragma once

#include "search/search.h"

typedef struct Pupil Pupil;

/* NULL if there is nothing to learn in such a game, or no thread. The game must outlive it. The
 * evaluation is tried against the method as it plays without it. */
Pupil *pupil_start(Game *game, const char *method, const SearchOptions *options, double seconds);
void pupil_free(Pupil *pupil);

bool pupil_is_done(const Pupil *pupil);
/* Makes a search use what a pupil who is done has learnt; false if that does not help. Valid as
 * long as the pupil. */
bool pupil_teaches(const Pupil *pupil, SearchOptions *options);
