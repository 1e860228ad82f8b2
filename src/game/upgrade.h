/* A faster reasoner in the middle of a match: the interpreter answers at once while a circuit is
 * built in the background. When that is ready, the player takes the new game and translates its
 * state. */
#pragma once

#include "game/game.h"

/* Example:
 *     Game *game = game_create(rules, &(GameOptions){.interpreter_only = true}, &report);
 *     GameBuild *build = game_build_start(game->rules, NULL);
 *     ... another thread: better = game_build_finish(build);
 */

typedef struct GameBuild GameBuild;

/* Starts to build a second game of the same rules, which both games share. NULL if no thread can be
 * started. The options' `stopped` stops it; game_build_finish is then still to be called. */
GameBuild *game_build_start(Rules *rules, const GameOptions *options);
/* Waits until the game is built and frees the build. NULL if the game has no circuit. */
Game *game_build_finish(GameBuild *build);

/* Translates a state for another game of the same rules; false if that game lacks a fluent of it.
 */
bool state_translate(const GameWork *from, const State *state, GameWork *to, State *translated);
