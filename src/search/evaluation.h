/* The questions that a search of the UCT family can ask an evaluation, for instance a learnt model:
 * how good states are, so that playouts can be cut off and evaluated, and how good moves are before
 * they are tried. Goals are those of the rules, usually 0..100. */
#pragma once

#include "game/game.h"

/* A question about a state that is not terminal, with its legal moves, and room for the answer. */
typedef struct {
    const State *state;
    const uint32_t *moves;      /* legal moves, role after role */
    const uint32_t *first_move; /* by role: index of its first move; then the number of all moves */
    double *goals;              /* to be filled in: by role, the expected goal */
    float *shares; /* to be filled in: by move, its preference, 0..1; the sum is 1 for each role */
} Advice;

typedef struct SearchEvaluation {
    void *context; /* shared by all threads */
    /* Memory of one thread, handed to the functions below in place of the context. Both NULL if the
     * context can be used by several threads at once. */
    void *(*open)(void *context, Game *game);
    void (*close)(void *own);

    /* Gives the expected goals in states that are not terminal: goals[i * role_count + role]. NULL:
     * playouts go on to the end. Cut-off states lack fluents that nothing needs. */
    void (*evaluate)(void *own, const State *const *states, size_t count, double *goals);
    /* Turns before a playout is evaluated; 0: leaves are evaluated at once. */
    uint32_t playout_turns;
    /* With playouts: weight of the evaluation of the leaf itself against them, 0..1. */
    double leaf_share;

    /* Gives the expected goal after each of the role's legal moves. False if nothing is known. May
     * be NULL. Called while the tree is locked. */
    bool (*evaluate_moves)(void *own, const State *state, uint32_t role, const U32Vector *moves,
                           double *goals);
    /* The foreseen goal counts as the mean of so many visits (virtual visits, Gelly and Silver
     * 2007), and as a value 0..1 adds bias * value / (visits + 1) to the bound (progressive bias,
     * Chaslot et al. 2008). */
    double prior_visits, bias;

    /* Evaluates leaves and gives the preferences of their moves in one call. If it is not NULL, UCT
     * makes no playouts, uses nothing above, and chooses by PUCT (Rosin 2011, Silver et al.
     * 2017). */
    void (*advise)(void *own, const Advice *asked, size_t count);
} SearchEvaluation;
