/* How much a statement about a game is worth, and how long finding out may take. Proofs come from
 * the circuit and hold in every reachable state; observations come from random matches and hold
 * in those. */
#pragma once

#include "base/clock.h"

typedef enum {
    CERTAINTY_NONE,     /* not so, or nothing is known */
    CERTAINTY_OBSERVED, /* never violated in the sampled matches */
    CERTAINTY_PROVED
} Certainty;

const char *certainty_name(Certainty certainty);

/* Processor time of the calling thread, after which a technique gives up with what it has. */
typedef struct {
    double until; /* in clock_thread_cpu_seconds */
} CpuBudget;

static inline CpuBudget cpu_budget_in(double seconds) {
    return (CpuBudget){clock_thread_cpu_seconds() + seconds};
}

static inline bool cpu_budget_spent(CpuBudget budget) {
    return clock_thread_cpu_seconds() >= budget.until;
}

/* This share of what is left. */
static inline CpuBudget cpu_budget_share(CpuBudget budget, double share) {
    double now = clock_thread_cpu_seconds();
    return (CpuBudget){now + (budget.until > now ? (budget.until - now) * share : 0)};
}
