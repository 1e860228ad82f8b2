/* Finds the best policy of a network by expectimax over its variables, with propagation after each
 * value and alpha-beta windows through draws (Star1, Ballard 1983). A draw that no constraint
 * depends on any more is skipped. */
#pragma once

#include "base/clock.h"
#include "scsp/exact/network_policy.h"
#include "scsp/exact/solver.h"

/* For whom the roles decide: each for itself (max^n, without windows), all others against the
 * player (paranoid), or all for the player (cooperative). Simultaneous choices have a value only
 * under the cooperative rule. */
typedef enum { RULE_MAXN, RULE_PARANOID, RULE_COOPERATIVE } DecisionRule;

typedef struct {
    DecisionRule rule;
    uint32_t player;   /* the player whose value is computed */
    bool window_given; /* alpha and beta are given; otherwise the window is unbounded */
    double alpha, beta;
    bool is_unwindowed; /* search every branch; for tests */
    /* Search each combination of fluents once per turn. The network must repeat one turn, so that
     * the value of a turn depends on the fluents alone. */
    bool caches;
    Deadline deadline;   /* {0} for no deadline */
    const bool *stopped; /* flag that another thread sets to stop the search; may be NULL */
} ExpectimaxOptions;

typedef enum {
    EXPECTIMAX_SOLVED,
    EXPECTIMAX_INFEASIBLE, /* no policy satisfies the constraints on all branches */
    /* Several roles choose at once, which this decision rule cannot value. */
    EXPECTIMAX_SIMULTANEOUS,
    EXPECTIMAX_STOPPED /* stopped by the flag or the deadline */
} ExpectimaxEnd;

typedef struct {
    ExpectimaxEnd end;
    double value;   /* value for the player; only a bound if it is outside the window */
    Policy policy;  /* free it in any case */
    uint64_t nodes; /* number of values that were tried */
} ExpectimaxResult;

void expectimax_solve(const Scsp *network, const ExpectimaxOptions *options,
                      ExpectimaxResult *result);
