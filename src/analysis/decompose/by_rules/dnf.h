/* Disjunctive normal forms (DNF) of ground rules, for the decomposition by rules. A clause is a
 * conjunction of literals over fluents, auxiliary predicates and sets of moves. A set of moves says
 * that the move of a role is one of these. One clause then replaces a clause for each move, or for
 * each pair of moves if two roles act at once, so that the forms stay small. */
#pragma once

#include "base/clock.h"
#include "ground/ground.h"

/* Everything that depends on moves is expanded, and fluents stay literals. With DNF_SHORT auxiliary
 * predicates stay literals too: atoms that depend on fluents only and that at least two rules use.
 * With DNF_LONG they are expanded, unless they recurse or would grow past the budget. */
typedef enum { DNF_SHORT, DNF_LONG } DnfKind;

/* An atom (fluent or auxiliary predicate) or the number of a set of moves, with a sign. A negated
 * set means that the role makes a move outside the set. */
typedef uint32_t DnfLiteral;

static inline bool dnf_is_moves(DnfLiteral literal) {
    return literal & 1;
}
static inline bool dnf_is_negated(DnfLiteral literal) {
    return literal >> 1 & 1;
}
/* The atom, or the number of the set of moves. */
static inline uint32_t dnf_subject(DnfLiteral literal) {
    return literal >> 2;
}

typedef struct {
    uint32_t role;
    uint32_t count;  /* moves in the set */
    uint64_t *moves; /* bitset of moves, numbered within the role */
} MoveSet;

typedef struct {
    uint32_t count;
    DnfLiteral *literals; /* ascending; at most one set of moves per role and sign */
} DnfClause;

typedef struct {
    uint32_t count;
    DnfClause *clauses;
} DnfFormula; /* false without clauses; true with one empty clause */

typedef struct DnfForms DnfForms;

/* The grounding must outlive the result. */
DnfForms *dnf_create(const Grounding *grounding, DnfKind kind, const Deadline *deadline);
void dnf_free(DnfForms *nf);

/* Returns the form of an atom, expanded at least one level; NULL if time ran out or it has too many
 * clauses. It lives as long as `nf`. ATOM_NONE has the form of a false atom. */
const DnfFormula *dnf_of(DnfForms *nf, Atom atom);

const MoveSet *dnf_moves(const DnfForms *nf, uint32_t set);
/* The index of the role's first move among all moves, and the number of its moves. */
uint32_t dnf_first_move(const DnfForms *nf, uint32_t role);
uint32_t dnf_move_count(const DnfForms *nf, uint32_t role);

/* Returns the fluent of the atom; UINT32_MAX if the atom is no fluent. */
uint32_t dnf_fluent(const DnfForms *nf, Atom atom);

typedef struct {
    U32Vector fluents, moves;
} DnfCone;
/* Returns, by atom, 1 if `atom` depends on it or is it. The caller frees the array. */
uint8_t *dnf_atoms_below(const DnfForms *nf, Atom atom);
/* Returns the fluents and moves that the atom depends on. */
const DnfCone *dnf_cone(DnfForms *nf, Atom atom);
