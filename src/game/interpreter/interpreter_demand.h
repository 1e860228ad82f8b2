/* Rewrites rules so that chosen predicates are evaluated only for the arguments that are asked for
 * (magic sets, Beeri and Ramakrishnan 1991). This helps where the full extent of a predicate is
 * huge, infinite, or undefined because no premise binds its variables. The predicate becomes one
 * predicate per adornment (set of bound arguments) it is called with, guarded by a relation of the
 * calls. */
#pragma once

#include "gdl/rules.h"

/* The grounder does the same for flat relations (ground/demand.h), with one adornment per relation,
 * because every instance of a clause must be found exactly once. */

typedef struct {
    Symbol symbol;
    uint32_t arity;
    bool is_unsafe; /* a variable of some conclusion is bound by no positive premise */
    bool wants_all; /* to be called as late as possible, preferably with all arguments bound */
} DemandedPredicate;

typedef VECTOR(DemandedPredicate) Demands;

/* True if the predicate is new. Keywords and predicates without arguments are never added. */
bool demands_add(Demands *demands, Symbol symbol, uint32_t arity);
/* Adds the predicates whose clauses call the given one. True if some were new. */
bool demands_add_callers(Demands *demands, const Rules *rules, Symbol symbol, uint32_t arity);
/* Adds the predicates with a conclusion that has a variable bound by no positive premise. */
void demands_add_unsafe(Demands *demands, const Rules *rules);
/* True if a conclusion of `legal`, `goal` or `sees` leaves its role open: it then means every role.
 */
bool rules_leave_roles_open(const Rules *rules);

/* A new description with the same symbols and some more. Only the syntax is shared with `rules`. */
Rules *demand_rewrite(const Rules *rules, const Demands *demands);
void demand_free(Rules *rewritten);
