/* Disjunctive normal forms of ground rules, for decomposition by analysis of the rules. A clause is
 * a conjunction of literals over fluents, auxiliary predicates and *sets of moves*: that the move
 * done by a role is among these. One clause then says what would take one for each move, or one for
 * each pair of moves when two roles act at once, and the forms stay small.
 *
 * What is developed: everything that depends on moves. What stays a literal: fluents, and auxiliary
 * predicates, which are atoms that fluents alone decide and that two rules or more ask for
 * (NF_SHORT). With NF_LONG those are developed as well, unless they recurse or would grow past the
 * budget. */
#pragma once

#include "base/clock.h"
#include "ground/ground.h"

typedef enum { NF_SHORT, NF_LONG } NormalFormKind;

/* An atom (fluent or auxiliary predicate) or the number of a set of moves, with a sign. The
 * negation of a set means that the role does some other move. */
typedef uint32_t NfLiteral;

static inline bool nf_is_moves(NfLiteral literal) {
    return literal & 1;
}
static inline bool nf_is_negated(NfLiteral literal) {
    return literal >> 1 & 1;
}
/* Of an atom or of a set of moves. */
static inline uint32_t nf_subject(NfLiteral literal) {
    return literal >> 2;
}

typedef struct {
    uint32_t role;
    uint32_t count;  /* of moves in it */
    uint64_t *moves; /* a bit for each move of the role, counted from its first */
} MoveSet;

typedef struct {
    uint32_t count;
    NfLiteral *literals; /* ascending, at most one set of moves for each role and sign */
} NfClause;

typedef struct {
    uint32_t count;
    NfClause *clauses;
} NfFormula; /* no clause: never; one empty clause: always */

typedef struct NormalForms NormalForms;

NormalForms *normal_forms_create(const Grounding *grounding, NormalFormKind kind,
                                 const Deadline *deadline);
void normal_forms_free(NormalForms *nf);

/* The form of an atom, developed at least one level; NULL when time or clauses ran out. It lives as
 * long as the forms. ATOM_NONE is never true. */
const NfFormula *normal_form_of(NormalForms *nf, Atom atom);

const MoveSet *normal_forms_moves(const NormalForms *nf, uint32_t set);
/* The first move of a role among all moves of the grounding, and their number. */
uint32_t normal_forms_first_move(const NormalForms *nf, uint32_t role);
uint32_t normal_forms_move_count(const NormalForms *nf, uint32_t role);

/* The fluent whose `true` this atom is; UINT32_MAX for any other. */
uint32_t normal_forms_fluent(const NormalForms *nf, Atom atom);

typedef struct {
    U32Vector fluents, moves;
} NfCone;
/* One byte for each atom: whether this one depends on it, itself included. The caller frees it. */
uint8_t *normal_forms_atoms_below(const NormalForms *nf, Atom atom);
/* The fluents and moves that the atom depends on. */
const NfCone *normal_forms_cone(NormalForms *nf, Atom atom);
