/* Enumerates all solutions over some variables by maintaining arc consistency (MAC, Sabin and
 * Freuder 1994): branches on `x is v` and `x is not v` with propagation after each. The next
 * variable is the one with the least ratio of domain size to number of failures (dom/wdeg,
 * Boussemart and others 2004). */
#pragma once

#include "scsp/exact/solver.h"

/* Callback for every solution, with all the variables fixed. If it returns false, the enumeration
 * ends. */
typedef bool MacVisit(Solver *solver, void *context);

/* Leaves the solver as it was. Recurses as deep as there are variables. */
void mac_enumerate(Solver *solver, const uint32_t *variables, uint32_t count, MacVisit *visit,
                   void *context);
