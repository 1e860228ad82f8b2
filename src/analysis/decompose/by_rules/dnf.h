/* Disjunctive normal forms of ground rules, for decomposition by analysis of the rules. A clause is
 * a conjunction of literals over fluents, auxiliary predicates and *sets of moves*: that the move
 * done by a role is among these. One clause then says what would take one for each move, or one for
 * each pair of moves when two roles act at once, and the forms stay small.
 *
 * What is developed: everything that depends on moves. What stays a literal: fluents, and auxiliary
 * predicates, which are atoms that fluents alone decide and that two rules or more ask for
 * (DNF_SHORT). With DNF_LONG those are developed as well, unless they recurse or would grow past
 * the budget. */
#pragma once

#include "base/clock.h"
#include "ground/ground.h"

typedef enum { DNF_SHORT, DNF_LONG } DnfKind;

/* An atom (fluent or auxiliary predicate) or the number of a set of moves, with a sign. The
 * negation of a set means that the role does some other move. */
typedef uint32_t DnfLiteral;

static inline bool dnf_is_moves(DnfLiteral literal) {
    return literal & 1;
}
static inline bool dnf_is_negated(DnfLiteral literal) {
    return literal >> 1 & 1;
}
/* Of an atom or of a set of moves. */
static inline uint32_t dnf_subject(DnfLiteral literal) {
    return literal >> 2;
}

typedef struct {
    uint32_t role;
    uint32_t count;  /* of moves in it */
    uint64_t *moves; /* a bit for each move of the role, counted from its first */
} MoveSet;

typedef struct {
    uint32_t count;
    DnfLiteral *literals; /* ascending, at most one set of moves for each role and sign */
} DnfClause;

typedef struct {
    uint32_t count;
    DnfClause *clauses;
} DnfFormula; /* no clause: never; one empty clause: always */

typedef struct DnfForms DnfForms;

DnfForms *dnf_create(const Grounding *grounding, DnfKind kind, const Deadline *deadline);
void dnf_free(DnfForms *nf);

/* The form of an atom, developed at least one level; NULL when time or clauses ran out. It lives as
 * long as the forms. ATOM_NONE is never true. */
const DnfFormula *dnf_of(DnfForms *nf, Atom atom);

const MoveSet *dnf_moves(const DnfForms *nf, uint32_t set);
/* The first move of a role among all moves of the grounding, and their number. */
uint32_t dnf_first_move(const DnfForms *nf, uint32_t role);
uint32_t dnf_move_count(const DnfForms *nf, uint32_t role);

/* The fluent whose `true` this atom is; UINT32_MAX for any other. */
uint32_t dnf_fluent(const DnfForms *nf, Atom atom);

typedef struct {
    U32Vector fluents, moves;
} DnfCone;
/* One byte for each atom: whether this one depends on it, itself included. The caller frees it. */
uint8_t *dnf_atoms_below(const DnfForms *nf, Atom atom);
/* The fluents and moves that the atom depends on. */
const DnfCone *dnf_cone(DnfForms *nf, Atom atom);
