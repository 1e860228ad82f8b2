/* A position of a match that the user describes by the joint moves that lead to it: one move for
 * each role, in the order of the roles. `a noop; noop b`, `((a noop) (noop b))` and `a noop noop b`
 * are the same match. */
#ifndef MARELLE_CLI_POSITION_H
#define MARELLE_CLI_POSITION_H

#include "game/game.h"

typedef struct {
    Game *game; /* not owned */
    GameWork *work;
    State state;
    uint32_t *joint; /* moves of the turn under way */
    uint32_t filled; /* roles whose move is known */
    uint32_t turns;  /* made */
} Position;

/* The initial position. */
void position_init(Position *position, Game *game);
void position_free(Position *position);
/* Makes the joint moves of the text. False after telling standard error what is wrong with it. */
bool position_play(Position *position, const char *text);

#endif
