/* The predicates of a description and how they depend on one another. A predicate is a name with
 * an arity. Components are the strongly connected parts of the dependency graph, numbered so that
 * a component depends only on itself and on smaller ones: the order of evaluation. `true` and
 * `does` have no clauses; that `next` determines `true` is not a dependency here. */
#pragma once

#include "base/tuples.h"
#include "gdl/rules.h"

#define PREDICATE_NONE TUPLE_NONE

typedef struct {
    uint32_t target;          /* predicate of the premise */
    uint32_t clause, literal; /* place of the premise; literals count within their clause */
    bool negative;
} Dependency;

typedef struct {
    Symbol symbol;
    uint32_t arity;
    uint32_t component;
    U32Vector clauses;                     /* clauses that conclude it */
    VECTOR(Dependency) dependencies;       /* dependencies of all its clauses */
    uint32_t first_node;                   /* the first mention in the text */
    uint32_t uses;                         /* number of premises with it */
    bool depends_on_true, depends_on_does; /* directly or not */
} Predicate;

typedef struct {
    VECTOR(Predicate) items;
    TupleSet keys; /* by predicate: symbol, arity */
    uint32_t component_count;
} Predicates;

void predicates_collect(Predicates *predicates, const Rules *rules);
void predicates_free(Predicates *predicates);
uint32_t predicates_find(const Predicates *predicates, Symbol symbol, uint32_t arity);
uint32_t predicate_of_atom(const Predicates *predicates, const Terms *terms, Term atom);

/* Lists all predicates, those of smaller components first. The caller frees the array. */
uint32_t *predicates_in_order(const Predicates *predicates);
/* True if the predicate depends on itself. */
bool predicate_is_recursive(const Predicates *predicates, uint32_t predicate);
