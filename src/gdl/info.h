/* Plain facts about a description, for people and scripts: sizes, predicates, recursion. */
#pragma once

#include "gdl/predicates.h"

typedef struct {
    Predicates predicates;
    size_t rules;   /* expressions with `<=` */
    size_t facts;   /* the others */
    size_t clauses; /* after `or` and `and` were multiplied out */
    size_t lines, bytes;
    uint32_t deepest_nesting;             /* of lists, the outermost counts as one */
    uint32_t longest_chain;               /* of components, each depending on the one before */
    uint32_t recursive_predicates;        /* that depend on themselves */
    uint32_t largest_recursive_component; /* predicates in it; 0 without recursion */
} Info;

void info_collect(Info *info, const Rules *rules);
void info_free(Info *info);

/* True if moves can change the predicate: it is `true` or `does`, or depends on one of them. */
static inline bool predicate_is_dynamic(const Predicate *predicate) {
    return predicate->depends_on_true || predicate->depends_on_does;
}
