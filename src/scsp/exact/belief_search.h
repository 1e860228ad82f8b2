/* Solves games of a single player with hidden information. A node is a belief: the possible states
 * with integer weights, so that all values are exact. An action has to be legal in all states of
 * the belief, and decisions depend on percepts alone. Equal beliefs, and beliefs that a symmetry
 * maps onto each other, are searched once per number of turns left. A belief is pruned if even a
 * player with full information could not gain enough (known_states.h). */
#pragma once

#include "game/belief.h"
#include "scsp/exact/known_states.h"
#include "scsp/exact/network_policy.h"
#include "scsp/network/template.h"

/* True if the game has a circuit and every other role is chance. */
bool belief_solver_can(const Game *game, uint32_t player);

/* Solves the beliefs of a match one after the other and keeps all results. */
typedef struct BeliefSolver BeliefSolver;

/* `group` may be NULL. The group and the game must outlive the solver. */
BeliefSolver *belief_solver_create(Game *game, uint32_t player, const SymmetryGroup *group);
void belief_solver_free(BeliefSolver *solver);

typedef struct {
    double value;  /* expected goal of the player divided by 100, 0 to 1 */
    uint32_t move; /* a best move */
    bool is_exact; /* false if weights were rounded, so that the value is approximate */
} BeliefAnswer;

/* Solves the belief to the end of the match, for a given first move or, with MOVE_NONE, for the
 * best one. Returns false if the match may never end or the budget is spent; in the latter case the
 * next attempt continues with the results so far. */
bool belief_solver_solve(BeliefSolver *solver, const Belief *belief, uint32_t move,
                         SolvingBudget *budget, BeliefAnswer *answer);
/* Looks up the answer of belief_solver_solve, without searching. */
bool belief_solver_find(const BeliefSolver *solver, const Belief *belief, BeliefAnswer *answer);
/* True if some match may never end, so that nothing can be solved. */
bool belief_solver_is_endless(const BeliefSolver *solver);
/* Returns the move of the role that an element of the group maps to this move of the image. */
uint32_t symmetry_real_move(const Game *game, const SymmetryGroup *group, size_t element,
                            uint32_t role, uint32_t move);
/* Returns the memory of all results in bytes. */
size_t belief_solver_bytes(const BeliefSolver *solver);

typedef struct {
    uint32_t player;
    uint32_t turns;
    const SymmetryGroup *group; /* symmetries; NULL for none */
    Deadline deadline;          /* {0} for no deadline */
    const bool *stopped;        /* flag that another thread sets to stop the search; may be NULL */
} BeliefSearchOptions;

/* The policy of a belief search. The variable of a decision is an action of the template. The
 * variable of a draw is POLICY_PERCEPTS. The value of its branch is an index of `percepts`, or
 * POLICY_END at the end of the match. With symmetries a branch may lead to an image of the belief.
 * The policy ends where no goal can be reached any more. */
#define POLICY_PERCEPTS (UINT32_MAX - 1)
#define POLICY_END UINT32_MAX

typedef struct {
    bool is_solved;  /* false if the search was stopped or ran out of time */
    bool is_inexact; /* weights became too large and were rounded */
    double value;
    Policy policy;
    VECTOR(char *) percepts; /* sets of percepts as text; owned */
    uint64_t beliefs;        /* number of searched beliefs */
} BeliefSearchResult;

/* Searches the given number of turns from the initial state. Free the result in any case. */
void belief_search(const Template *template, const BeliefSearchOptions *options,
                   BeliefSearchResult *result);
void belief_search_free(BeliefSearchResult *result);
