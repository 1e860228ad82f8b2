/* The public handles, shared by the files of the public interface. */
#pragma once

#include "game/game.h"
#include "marelle/marelle.h"

struct MarelleGame {
    Game *game;
    char **role_names;
};

struct MarelleState {
    State state;
};

/* True for the reserved fields of a struct of options that a caller has left alone. */
static inline bool is_zero(const uint64_t reserved[4]) {
    return !(reserved[0] | reserved[1] | reserved[2] | reserved[3]);
}

/* True if the role exists and has a move with this number. */
static inline bool game_is_move(const Game *game, uint32_t role, uint32_t move) {
    if (role >= game->role_count)
        return false;
    if (!game_has_circuit(game))
        return move < interpreter_move_count(game->interpreter);
    return move < game->circuit->first_move[role + 1] - game->circuit->first_move[role];
}
