/* Evaluating relations on demand (magic sets, Beeri and Ramakrishnan 1991). A relation whose
 * clauses have far too many instances is restricted to the instances that other clauses ask for.
 * Its clauses get a premise over a *question* relation, and each premise over the relation becomes
 * a clause that derives a question from the premises before it. Questions only restrict what is
 * grounded; they never become literals of ground rules. */
#pragma once

#include "ground/flat.h"

/* The interpreter rewrites clauses with terms (interpreter_demand.h) in the same sense. Which
 * variables and columns are bound is computed for both in gdl/terms.h and gdl/rules.h. */

/* Marks a relation as `is_on_demand`. Relations that depend on it are marked too, because
 * evaluating one of them fully would ask for everything, and so are relations that only marked ones
 * use. Keywords and what `init` or `role` needs are never marked. */
void demand_mark(FlatProgram *program, RelationId relation);

/* Copies the program and restricts the marked relations to what is asked. A relation loses its mark
 * if some clause asks for all of it. Questions about negated premises are left to the grounder,
 * which knows them when it writes the ground rule. */
FlatProgram *demand_apply(const FlatProgram *old);
