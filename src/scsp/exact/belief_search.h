/* The best play of a single player who does not see the state. Its decisions come before what is
 * hidden is drawn: an action has to be legal in every state it holds possible, and what it may
 * depend on is what was perceived. A node is what the player knows: the possible states with their
 * weights, whole numbers, so that all values are exact. Equal knowledge, or knowledge that a
 * symmetry maps onto another, is searched once a turn; what cannot be worth enough even to a player
 * who sees everything is not searched (known_states.h). */
#pragma once

#include "game/belief.h"
#include "scsp/exact/known_states.h"
#include "scsp/exact/network_policy.h"

/* Whether the game is one for a belief solver: one player, perhaps with chance, and a circuit. */
bool belief_solver_can(const Game *game, uint32_t player);

/* Solves one belief of a match after the other, and keeps what it has found out. */
typedef struct BeliefSolver BeliefSolver;

/* The group may be NULL; it and the game must outlive the solver. */
BeliefSolver *belief_solver_create(Game *game, uint32_t player, const SymmetryGroup *group);
void belief_solver_free(BeliefSolver *solver);

typedef struct {
    double value;  /* expected goal of the player as part of 100 */
    uint32_t move; /* that is best */
    bool is_exact; /* else some weights were rounded, and the value is nearly that */
} BeliefAnswer;

/* What the belief is worth, to the end of the match. False if that was not found out: the budget is
 * spent, and the next attempt goes on with what is known by then; or the match may go on for ever.
 */
bool belief_solver_solve(BeliefSolver *solver, const Belief *belief, SolvingBudget *budget,
                         BeliefAnswer *answer);
/* What the belief is worth if this move is made in it: answer->move is the move itself. */
bool belief_solver_solve_move(BeliefSolver *solver, const Belief *belief, uint32_t move,
                              SolvingBudget *budget, BeliefAnswer *answer);
/* What belief_solver_solve says, from what is known already. */
bool belief_solver_find(const BeliefSolver *solver, const Belief *belief, BeliefAnswer *answer);
/* Whether some match may go on for ever, so that nothing is solved. */
bool belief_solver_is_endless(const BeliefSolver *solver);
/* Memory of all that it keeps. */
size_t belief_solver_bytes(const BeliefSolver *solver);
/* That were searched. */
uint64_t belief_solver_beliefs(const BeliefSolver *solver);

typedef struct {
    uint32_t player;
    uint32_t turns;
    const SymmetryGroup *group; /* NULL: none */
    bool by_network;            /* turns are solved by constraints instead of the reasoner */
    Deadline deadline;          /* with deadline.at 0: none */
    const bool *stopped;        /* may be set by another thread; NULL if nobody will */
} BeliefSearchOptions;

/* Nodes of its policy: a decision's variable is an action of the template; a draw's is
 * POLICY_PERCEPTS, and the value of a branch is a number in `percepts`, or POLICY_END where the
 * match is over. With symmetries, branches may say what is done in an image of the position. Where
 * nothing can be reached any more, the policy ends. */
#define POLICY_PERCEPTS (UINT32_MAX - 1)
#define POLICY_END UINT32_MAX

typedef struct {
    bool is_solved;  /* false: stopped, or out of time */
    bool is_inexact; /* weights grew too large, and were rounded */
    double value;
    Policy policy;
    VECTOR(char *) percepts; /* what is perceived, as text; owned */
    uint64_t beliefs;        /* that were searched */
} BeliefSearchResult;

/* From the initial state, for so many turns. Free the result in any case. */
void belief_search(const Template *template, const BeliefSearchOptions *options,
                   BeliefSearchResult *result);
void belief_search_free(BeliefSearchResult *result);
