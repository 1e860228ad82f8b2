/* Terms, hash-consed: equal terms are the same number. A constant is a term without arguments, a
 * variable a constant whose name starts with `?`; an atom (predicate with arguments) is a term as
 * well. `(p)` and `p` are one term. */
#pragma once

#include <assert.h>
#include <stdbool.h>

#include "base/symbols.h"
#include "gdl/syntax.h"

typedef uint32_t Term;
#define TERM_NONE UINT32_MAX

typedef struct {
    Symbol symbol;
    uint32_t first_argument; /* into Terms.arguments */
    uint32_t arity : 30;
    uint32_t is_variable : 1;
    uint32_t is_ground : 1;
    uint32_t written; /* bytes of its text, at most TERM_MAX_WRITTEN + 1 */
    uint32_t depth;   /* 0 for a constant */
} TermCell;

/* Bounds of terms that rules derive: bytes of the text, and nesting. A term that shares its parts
 * is small in memory though its text may double every turn. */
enum { TERM_MAX_WRITTEN = 1 << 16, TERM_MAX_DEPTH = 1000 };

typedef struct {
    Symbols *symbols; /* not owned */
    VECTOR(TermCell) cells;
    U32Vector arguments;
    Table table;
} Terms;

Term terms_make(Terms *terms, Symbol symbol, const Term *arguments, uint32_t arity);
/* The term if it exists, else TERM_NONE. */
Term terms_find(const Terms *terms, Symbol symbol, const Term *arguments, uint32_t arity);
/* The term that a subtree of the syntax denotes. TERM_NONE for a list that is no term: an empty
 * one, or one headed by a list or a variable. */
Term terms_from_node(Terms *terms, const Syntax *syntax, uint32_t node);
/* Copies all terms, under the same numbers, into an empty set. */
void terms_copy(Terms *to, const Terms *from);
void terms_free(Terms *terms);

static inline Term terms_constant(Terms *terms, Symbol symbol) {
    return terms_make(terms, symbol, NULL, 0);
}

static inline Symbol term_symbol(const Terms *terms, Term term) {
    assert(term < terms->cells.count);
    return terms->cells.items[term].symbol;
}

static inline uint32_t term_arity(const Terms *terms, Term term) {
    assert(term < terms->cells.count);
    return terms->cells.items[term].arity;
}

/* Valid until the next terms_make. */
static inline const Term *term_arguments(const Terms *terms, Term term) {
    return terms->arguments.items + terms->cells.items[term].first_argument;
}

static inline Term term_argument(const Terms *terms, Term term, uint32_t index) {
    assert(index < term_arity(terms, term));
    return terms->arguments.items[terms->cells.items[term].first_argument + index];
}

/* True if it is beyond the bounds, so that nobody can write it. Only rules that derive terms
 * without end make such terms. */
static inline bool term_is_oversized(const Terms *terms, Term term) {
    const TermCell *cell = &terms->cells.items[term];
    return cell->arity > 0 && (cell->written > TERM_MAX_WRITTEN || cell->depth > TERM_MAX_DEPTH);
}

static inline bool term_is_variable(const Terms *terms, Term term) {
    return terms->cells.items[term].is_variable;
}

static inline bool term_is_ground(const Terms *terms, Term term) {
    return terms->cells.items[term].is_ground;
}

/* A set of columns (arguments of an atom) as bits; column 64 and later ones are in no set. Magic
 * sets call the set of bound columns an adornment (Beeri and Ramakrishnan 1991). */
typedef uint64_t ColumnSet;

static inline bool column_in(ColumnSet set, uint32_t column) {
    return column < 64 && (set >> column & 1);
}

/* True if the variable occurs in the term. */
bool term_contains(const Terms *terms, Term term, Term variable);
/* Appends the distinct variables of the term to the list, in order of first occurrence. */
void term_variables(const Terms *terms, Term term, U32Vector *variables);
/* Appends the distinct variables of the columns in a set. */
void columns_variables(const Terms *terms, const Term *columns, ColumnSet set,
                       U32Vector *variables);
/* True if all variables of the term are in the list. */
bool term_is_bound(const Terms *terms, Term term, const U32Vector *bound);
/* The columns whose variables are all in the list. */
ColumnSet columns_bound(const Terms *terms, const Term *columns, uint32_t count,
                        const U32Vector *bound);
/* Appends the columns of a set, in order. */
void columns_select(const Term *columns, ColumnSet set, U32Vector *selected);
