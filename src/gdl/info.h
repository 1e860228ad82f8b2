/* Statistics of a description: sizes, predicates, recursion. */
#pragma once

#include "gdl/predicates.h"

typedef struct {
    Predicates predicates;
    size_t rules;   /* expressions with `<=` */
    size_t facts;   /* expressions without `<=` */
    size_t clauses; /* number after `or` and `and` are multiplied out */
    size_t lines, bytes;
    uint32_t deepest_nesting;             /* depth of lists; the outermost counts as 1 */
    uint32_t longest_chain;               /* components in the longest chain of dependencies */
    uint32_t recursive_predicates;        /* predicates that depend on themselves */
    uint32_t largest_recursive_component; /* number of its predicates; 0 without recursion */
} Info;

void info_collect(Info *info, const Rules *rules);
void info_free(Info *info);

/* True if moves can change the predicate: it is `true` or `does`, or depends on one of them. */
static inline bool predicate_is_dynamic(const Predicate *predicate) {
    return predicate->depends_on_true || predicate->depends_on_does;
}
