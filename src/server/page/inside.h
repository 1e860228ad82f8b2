/* Looks inside a game, for the page: `marelle look` runs one. Each is one kind of analysis with a
 * budget of a few seconds, and gives a JSON object. A look that is impossible gives the reason
 * under the key `missing`. One that a budget cut short has `final` false: a second look may find
 * more. */
#pragma once

#include <jansson.h>

#include "analysis/board/board.h"
#include "game/game.h"

typedef json_t *InsideView(Game *game);

/* The names of all looks, separated by |, as the table of options wants them. */
#define INSIDE_LOOKS "analysis|circuit|decomposition|network|opening|policy|survey|symmetry"

/* How the page builds games, in every process alike. */
extern const GameOptions inside_build;

/* Returns a look by name; NULL if there is no such look. */
InsideView *inside_find_view(const char *name);

/* The looks with files of their own: what can be learnt about the game (inside_network.c), its best
 * policy (inside_policy.c), how it begins (inside_opening.c), random matches (inside_survey.c). */
InsideView inside_network, inside_policy, inside_opening, inside_survey;

/* The board as the page draws it. */
Board *inside_board(Game *game);
/* A state, as facts, on the board; null if it cannot be drawn. */
json_t *inside_view_json(const Board *board, const char *state);

/* The answer of an impossible look. */
json_t *inside_missing(const char *why);
/* The answer of a look that needs a circuit, for a game without one. */
json_t *inside_no_circuit(const Game *game);
