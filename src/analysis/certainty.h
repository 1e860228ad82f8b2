/* Certainty of a statement about a game, and budgets of CPU time for finding it. Proofs come from
 * the circuit and hold in every reachable state, observations in all samples. */
#pragma once

#include <assert.h>

#include "base/clock.h"

typedef enum {
    CERTAINTY_NONE,     /* false, or unknown */
    CERTAINTY_OBSERVED, /* never violated in the sampled matches */
    CERTAINTY_PROVED
} Certainty;

const char *certainty_name(Certainty certainty);

/* A technique that has used up its budget stops and returns what it has. */
typedef struct {
    double until; /* in seconds of clock_thread_cpu_seconds */
} CpuBudget;

static inline CpuBudget cpu_budget_in(double seconds) {
    return (CpuBudget){clock_thread_cpu_seconds() + seconds};
}

static inline bool cpu_budget_spent(CpuBudget budget) {
    return work_must_end((Deadline){0}, NULL) || clock_thread_cpu_seconds() >= budget.until;
}

/* Returns a budget with this share, from 0 to 1, of the time that is left. */
static inline CpuBudget cpu_budget_share(CpuBudget budget, double share) {
    assert(share >= 0 && share <= 1);
    double now = clock_thread_cpu_seconds();
    return (CpuBudget){now + (budget.until > now ? (budget.until - now) * share : 0)};
}
