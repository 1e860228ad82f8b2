/* All solutions over some variables, by maintaining arc consistency (Sabin and Freuder 1994):
 * branching on `x is v` and `x is not v`, propagation after each, the variable with the fewest
 * values for its failures first (Boussemart and others 2004). */
#pragma once

#include "scsp/exact/solver.h"

/* Called with all the variables fixed; false ends the enumeration. */
typedef bool MacVisit(Solver *solver, void *context);

/* The solver is left as it was. Recurses as deep as there are variables. */
void mac_enumerate(Solver *solver, const uint32_t *variables, uint32_t count, MacVisit *visit,
                   void *context);
