/* Rewriting rules so that chosen predicates are evaluated only for the arguments somebody asks for
 * (magic sets: Beeri and Ramakrishnan 1991). A predicate whose full extent is huge, infinite, or
 * undefined for want of a premise that binds its variables becomes one predicate for each pattern
 * of bound arguments it is called with, guarded by a relation of the calls. */
#pragma once

#include "gdl/rules.h"

typedef struct {
    Symbol symbol;
    uint32_t arity;
    bool is_unsafe; /* some conclusion has a variable that nothing binds */
    bool wants_all; /* be called as late as possible, with all arguments bound at best */
} DemandedPredicate;

typedef VECTOR(DemandedPredicate) Demands;

/* True if it was not there; keywords and predicates without arguments never are. */
bool demands_add(Demands *demands, Symbol symbol, uint32_t arity);
/* Adds the predicates whose clauses call one that is there: it was not enough to demand it alone.
 * True if some were new. */
bool demands_add_callers(Demands *demands, const Rules *rules, Symbol symbol, uint32_t arity);
/* Adds the predicates with a conclusion that has a variable bound by no positive premise. */
void demands_add_unsafe(Demands *demands, const Rules *rules);
/* True if a conclusion of `legal`, `goal` or `sees` leaves its role open: it then means every role.
 */
bool rules_leave_roles_open(const Rules *rules);

/* A description of its own, with the same symbols and some more; only its syntax is shared. */
Rules *demand_rewrite(const Rules *rules, const Demands *demands);
void demand_free(Rules *rewritten);
