/* Enumerates all solutions over some variables by maintaining arc consistency (MAC, Sabin and
 * Freuder 1994): branches on `x is v` and `x is not v` with propagation after each. The next
 * variable has the least domain size divided by its number of failures (dom/wdeg, Boussemart and
 * others 2004). */
#pragma once

#include "scsp/exact/solver.h"

/* Called with all the variables fixed. Returning false ends the enumeration. */
typedef bool MacVisit(Solver *solver, void *context);

/* The solver is left as it was. Recurses as deep as there are variables. */
void mac_enumerate(Solver *solver, const uint32_t *variables, uint32_t count, MacVisit *visit,
                   void *context);
