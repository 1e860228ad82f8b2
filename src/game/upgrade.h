/* A game that gets better while it is played: the interpreter answers at once, and a circuit is
 * built in the background. When it is ready, the player takes it and carries its state over.
 *
 *     Game *game = game_create(rules, &(GameOptions){.interpreter_only = true}, &report);
 *     GameBuild *build = build_start(game->rules, NULL);
 *     ... another thread: better = build_take(build);
 */
#pragma once

#include "game/game.h"

typedef struct GameBuild GameBuild;

/* Starts building a game of its own from the text of the rules, which need not outlive the call.
 * NULL if no thread can be had. The options' `cancelled` stops it as build_cancel does. */
GameBuild *build_start(const Rules *rules, const GameOptions *options);
/* Waits for the end and frees the build. The game, or NULL if it has no circuit. */
Game *build_take(GameBuild *build);
/* Stops it soon, waits and frees everything. */
void build_cancel(GameBuild *build);

/* The same state for another game with the same rules; false if that game cannot express it. */
bool state_translate(const GameWork *from, const State *state, GameWork *to, State *translated);
