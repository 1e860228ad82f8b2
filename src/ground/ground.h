/* Grounding: from rules with variables to rules over atoms. What no move can change is evaluated
 * once; the rest is over-approximated: a fluent is possible if it holds initially or some possible
 * `next` instance concludes it, a move if some possible `legal` instance does, and negations of
 * what can change are satisfiable. Time and memory are bounded, and running out is normal. */
#pragma once

#include "base/clock.h"
#include "base/text.h"
#include "ground/flat.h"
#include "ground/relation.h"

typedef uint32_t Atom; /* number of a ground atom that can change */
#define ATOM_NONE UINT32_MAX

/* A literal of a ground rule: the atom, shifted, with the sign in the lowest bit. */
typedef uint32_t GroundLiteral;
static inline GroundLiteral ground_literal(Atom atom, bool negated) {
    assert(atom <= UINT32_MAX >> 1);
    return atom << 1 | negated;
}

typedef struct {
    Atom head;
    uint32_t first_literal, literal_count; /* into Grounding.literals */
} GroundRule;

typedef struct {
    Term term;
    Atom current; /* its `true` atom */
    Atom next;    /* ATOM_NONE if it is never true after a move */
    bool initial;
} Fluent;

typedef struct {
    uint32_t role;
    Term term;
    Atom legal, does;
} Move;

typedef struct {
    uint32_t role;
    Term term; /* the value of a goal, or the percept */
    Atom atom;
} RoleOutput;

typedef VECTOR(RoleOutput) RoleOutputs;

typedef struct {
    FlatProgram *program;              /* owned */
    GroundRelations relations;         /* by RelationId; owned */
    VECTOR(RelationId) atom_relations; /* by Atom */
    U32Vector atom_tuples;             /* by Atom; TUPLE_NONE: mentioned, never derived */
    VECTOR(GroundRule) rules;
    U32Vector literals;
    U32Vector roles; /* terms, in order of declaration */
    VECTOR(Fluent) fluents;
    VECTOR(Move) moves; /* in the order of roles */
    RoleOutputs goals, percepts;
    Atom terminal; /* ATOM_NONE if no state is terminal */
    double cpu_seconds;
    size_t bytes;
} Grounding;

typedef struct {
    double seconds;             /* CPU time; 0 means no limit */
    Deadline until;             /* by the wall clock; 0 in `at` means none */
    size_t bytes;               /* 0 means no limit */
    const bool *stopped;        /* another thread sets it to stop the grounding; may be NULL */
    uint32_t rewrite_threshold; /* instances of one relation before its clauses are rewritten; 0:
                                   default */
} GroundBudget;

/* A budget of bytes that ends with the deadline. */
GroundBudget ground_budget_until(Deadline deadline, size_t bytes);

/* NULL with the error code "budget" in the report when the budget is spent, or with others when
 * the rules cannot be evaluated. The rules must outlive the result. */
Grounding *ground_rules(const Rules *rules, const GroundBudget *budget, Report *report);
void grounding_free(Grounding *grounding);

/* The terms of the result. */
static inline Terms *grounding_terms(const Grounding *grounding) {
    return grounding->program->terms;
}

/* Frees what only building the circuit needs: rules, literals, relations and texts of atoms. */
void grounding_forget_rules(Grounding *grounding);
/* The ground term that an expression of another text denotes; TERM_NONE if it does not exist. */
Term grounding_find_term(const Grounding *grounding, const Syntax *syntax, uint32_t node);

/* Lists the rules by the atom they conclude: those of atom a are order[starts[a]] ...
 * order[starts[a + 1] - 1]. The caller frees both. */
void grounding_sort_rules(const Grounding *grounding, uint32_t **starts, uint32_t **order);

/* The text of an atom, for exports and messages. */
void ground_write_atom(const Grounding *grounding, Atom atom, Text *out);
