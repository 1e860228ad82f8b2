/* What somebody who knows more than random play, a learnt evaluation for instance, may tell a
 * search of the UCT family: how good states are, so that playouts can be cut off and judged, and
 * how good moves are before they are tried. Goals are those of the rules, 0..100 as a rule. */
#pragma once

#include "game/game.h"

/* A state that is no end, with what is legal there; and what is thought of it. */
typedef struct {
    const State *state;
    const uint32_t *moves;      /* legal ones, role after role */
    const uint32_t *first_move; /* by role, where its moves begin; and the end of all */
    double *goals;              /* to be filled in: the goals to expect, one a role */
    float *shares; /* likewise: how far each move is to be preferred, 1 in sum for each role */
} Advice;

typedef struct SearchEvaluation {
    void *context; /* shared by all threads */
    /* Memory of one thread, handed to the functions below in place of the context. Both NULL if the
     * context can be used by several threads at once. */
    void *(*open)(void *context, Game *game);
    void (*close)(void *own);

    /* The goals to expect in states that are no ends: goals[i * role_count + role]. NULL: playouts
     * go on to the end. States of cut-off playouts lack fluents that nothing depends on. */
    void (*judge)(void *own, const State *const *states, size_t count, double *goals);
    uint32_t playout_turns; /* before a playout is judged; 0: leaves are judged as they are */
    /* Where there are playouts: what the judgement of the leaf itself counts beside them, 0..1. */
    double leaf_share;

    /* The goal to expect after each of the role's legal moves; false if nothing is known. May be
     * NULL. Called while the tree is locked. */
    bool (*foresee)(void *own, const State *state, uint32_t role, const U32Vector *moves,
                    double *goals);
    /* The foreseen goal counts as the mean of so many visits (virtual visits, Gelly and Silver
     * 2007), and as a value 0..1 adds bias * value / (visits + 1) to the bound (progressive bias,
     * Chaslot et al. 2008). */
    double prior_visits, bias;

    /* Judges leaves and says in the same breath which moves are to be tried there. Where it is not
     * NULL, uct asks for nothing else, plays nothing out and chooses moves by their shares (PUCT,
     * Rosin 2011, in the form of Silver et al. 2017). */
    void (*advise)(void *own, const Advice *asked, size_t count);
} SearchEvaluation;
