/* What a list of games shows of each besides its board: sizes, how long random matches are, and
 * whether it is made of several games. Takes some seconds at most. */
#pragma once

#include <jansson.h>

#include "game/game.h"

/* Ends early, with less in it, once *stopped is set. */
/* A position from the middle of a random match, as facts. */
void survey_position(Game *game, Text *state);
json_t *survey_game(Game *game, const bool *stopped);
