/* What a list of games shows of each besides its board: sizes, how long random matches are, and
 * whether it is made of several games. Takes some seconds at most. */
#ifndef MARELLE_SERVER_SURVEY_H
#define MARELLE_SERVER_SURVEY_H

#include <jansson.h>

#include "game/game.h"

/* Ends early, with less in it, once *stopped is set. */
json_t *survey_game(Game *game, const bool *stopped);

#endif
