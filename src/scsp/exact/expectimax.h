/* The best policy of a network, variable by variable, with propagation after each value and a
 * window (Ballard 1983, Star1): what is known to be reachable elsewhere, and what would be enough,
 * become bounds for every branch of a draw. A draw that nothing depends on any more is left out.
 *
 * Who decides (DecisionRule): everybody for one player, everybody else against it, or each for
 * itself; the last has no windows. Roles that choose at the same time have no value in this sense,
 * but for the first rule.
 *
 * Where a network repeats one turn, the value of a turn depends on the fluents alone; with `caches`
 * every combination of them is searched once a turn. */
#pragma once

#include "base/clock.h"
#include "scsp/exact/network_policy.h"
#include "scsp/exact/solver.h"

typedef enum { RULE_MAXN, RULE_PARANOID, RULE_COOPERATIVE } DecisionRule;

typedef struct {
    DecisionRule rule;
    uint32_t player; /* whose value is searched for */
    bool has_window; /* else all values */
    double alpha, beta;
    bool has_no_windows; /* looks at every branch */
    bool caches;
    Deadline deadline;   /* with deadline.at 0: none */
    const bool *stopped; /* may be set by another thread; NULL if nobody will */
} ExpectimaxOptions;

typedef enum {
    EXPECTIMAX_SOLVED,
    EXPECTIMAX_INFEASIBLE,   /* no policy satisfies the constraints on all branches */
    EXPECTIMAX_SIMULTANEOUS, /* several roles choose at once */
    EXPECTIMAX_STOPPED       /* or out of time */
} ExpectimaxEnd;

typedef struct {
    ExpectimaxEnd end;
    double value;   /* of the player; a bound where it is outside of the window */
    Policy policy;  /* free it in any case */
    uint64_t nodes; /* values that were tried */
} ExpectimaxResult;

void expectimax_solve(const Scsp *network, const ExpectimaxOptions *options,
                      ExpectimaxResult *result);
