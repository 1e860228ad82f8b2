/* Evaluating relations on demand (the magic sets of deductive databases). A relation whose clauses
 * have far too many instances is restricted to those that some other clause asks for: its clauses
 * get a premise over a *question* relation, and each premise over the relation becomes a clause
 * that derives the question from the premises before it. Questions only bound what is grounded;
 * they never become literals of ground rules. */
#pragma once

#include "ground/flat.h"

/* Marks a relation `is_on_demand`, and with it all that depend on it, since whoever is asked for
 * everything asks for everything, and all that only relations on demand use. Keywords' relations
 * are not marked, nor those that the initial state or the roles depend on. */
void demand_mark(FlatProgram *program, RelationId relation);

/* A copy of the program in which the relations that are marked `is_on_demand` are restricted to
 * what is asked. Marks of relations about which everything is asked are dropped. Questions of
 * negated premises are left to the grounder: it knows them when it writes the ground rule. */
FlatProgram *demand_apply(const FlatProgram *old);
