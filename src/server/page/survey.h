/* Data about a game for the list of games: sizes, length and goals of random matches, number of
 * subgames. A survey takes a few seconds at most. */
#pragma once

#include <jansson.h>

#include "game/game.h"

/* The data as a JSON object. Ends early, with fewer keys, once *stopped is set. */
json_t *survey_game(Game *game, const bool *stopped);
/* Writes a position from the middle of a random match, as facts. */
void survey_position(Game *game, Text *state);
