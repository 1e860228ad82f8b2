/* Shared by the files of the checker. Each file has one theme, and one or more of the functions
 * declared below. check.c calls them: errors first, then warnings, then notes, because a report
 * keeps only the first thousand diagnostics. No check takes quadratic time. */
#pragma once

#include <assert.h>

#include "base/clock.h"
#include "base/tuples.h"
#include "gdl/check/codes.h"
#include "gdl/predicates.h"

#define SYNTAX_NODE_NONE UINT32_MAX

/* A name with an arity that stands for fluents or for moves. */
typedef struct {
    Symbol symbol;
    uint32_t arity;
    /* Node where `init`, `next` or `legal` produces it first, or SYNTAX_NODE_NONE. */
    uint32_t written;
    uint32_t read; /* node where `true` or `does` asks for it first, or SYNTAX_NODE_NONE */
} Functor;

typedef struct {
    VECTOR(Functor) items;
    TupleSet keys;              /* by functor: symbol, arity */
    bool any_written, any_read; /* some rule has a variable there, which stands for all */
} Functors;

typedef struct {
    const Rules *rules;
    const Syntax *syntax;
    const Terms *terms;
    Report *report;
    Predicates predicates;
    Functors fluents, moves;
    Arena scratch;    /* texts of messages, and memory of single checks */
    TupleSet said;    /* code and node of every diagnostic */
    uint32_t *stamps; /* by term, for check_variables */
    uint32_t stamp;
    U32Vector pending;    /* terms still to walk, for check_variables */
    unsigned suggestions; /* suggestions that may still be computed */
} Check;

/* Reports once per code and node. False if it was reported before; if true, a hint may follow. */
bool check_say(Check *check, DiagnosticCode code, uint32_t node, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* False once an interrupt or the end of the time cuts the checks short. */
static inline bool check_goes_on(const Check *check) {
    (void)check;
    return !work_must_end((Deadline){0}, NULL);
}

/* True if further diagnostics are only counted, not shown. */
bool check_is_full(const Check *check);

/* Texts for messages, in the notation of the source; they live as long as the check. */
const char *check_name(Check *check, Symbol symbol);
const char *check_term(Check *check, Term term);
const char *check_node(Check *check, uint32_t node);
/* "no argument", "1 argument", "7 arguments" */
const char *check_arguments(Check *check, uint32_t count);
uint32_t check_line(Check *check, uint32_t node);

static inline const Predicate *predicate_at(const Check *check, uint32_t p) {
    assert(p < check->predicates.items.count);
    return &check->predicates.items.items[p];
}

/* The node of the word that names an expression: the atom itself or the first element of the
 * list. */
uint32_t check_name_node(const Check *check, uint32_t node);
/* The conclusion of a rule, or the fact itself. */
uint32_t check_head_node(const Check *check, uint32_t root);
/* The node of an atom's argument; the atom itself if the text has no such argument there. */
uint32_t check_argument_node(const Check *check, uint32_t atom, uint32_t index);
/* The first node inside that is this symbol; the node itself if there is none. */
uint32_t check_find_symbol(const Check *check, uint32_t node, Symbol symbol);

/* Appends the variables of a term that were not yet appended since check_forget_variables. */
void check_variables(Check *check, Term term, U32Vector *variables);
void check_forget_variables(Check *check);

/* The fluents or moves with this name and arity; NULL if there are none. */
Functor *functors_find(const Functors *functors, Symbol symbol, uint32_t arity);
/* True if the atom is the premise (or conclusion) `keyword` with the arity GDL gives it. */
bool check_is_keyword(const Check *check, Term atom, Keyword keyword);
/* True if a premise depends on the conclusion of the clause. */
bool check_is_recursive(const Check *check, const Clause *clause);
/* Position of the fluent or move among the arguments of a keyword relation; -1 if it has none. */
int check_content_index(Symbol keyword);
/* Returns that position for an atom; -1 also if GDL gives the keyword another arity. */
int check_content_of(const Check *check, Term atom);
/* Cleared memory that is freed with the check. */
void *check_zalloc(Check *check, size_t count, size_t item_bytes);

/* Iterates over the atoms of the text, each once even if `or` was multiplied out:
 *     for (AtomWalk w = {0}; check_next_atom(check, &w);) ... w.atom ... */
typedef struct {
    size_t root_index;
    uint32_t root, atom;
    bool started;
    bool is_head; /* a conclusion or a fact */
} AtomWalk;
bool check_next_atom(const Check *check, AtomWalk *walk);

/* clang-format off */
/* The checks in the order in which they run. */
#define CHECKS(X) \
    /* errors, some with warnings that belong to them */ \
    X(missing_definitions) X(keywords) X(arities) X(safety) X(stratification) X(recursion) \
    X(dependence) X(goals) \
    /* warnings */ \
    X(undefined) X(roles) X(state) X(firing) X(unused) X(values) X(functions) X(bodies) \
    X(duplicates) X(clause_variables) X(spelling) \
    /* notes */ \
    X(versions) X(unused_fluents) X(keyword_premises)
/* clang-format on */

#define CHECK_PROTOTYPE(name) void check_##name(Check *check);
CHECKS(CHECK_PROTOTYPE)
#undef CHECK_PROTOTYPE
