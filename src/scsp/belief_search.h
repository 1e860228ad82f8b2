/* The best policy of a single player who does not see the state. Its decisions come before what is
 * hidden is drawn: an action has to be legal in every state it holds possible, and what it may
 * depend on is what was perceived. A node is what the player knows: the possible states with their
 * weights, whole numbers, so that all values are exact. Equal knowledge, or knowledge that a
 * symmetry maps onto another, is searched once a turn. */
#ifndef MARELLE_SCSP_BELIEF_SEARCH_H
#define MARELLE_SCSP_BELIEF_SEARCH_H

#include "analysis/symmetry.h"
#include "base/clock.h"
#include "scsp/micro.h"
#include "scsp/policy.h"

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
 * match is over. With symmetries, branches may say what is done in an image of the position. */
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

/* Free the result in any case. */
void belief_search(const Template *template, const BeliefSearchOptions *options,
                   BeliefSearchResult *result);
void belief_search_free(BeliefSearchResult *result);

#endif
