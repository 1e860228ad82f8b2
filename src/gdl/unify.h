/* Most general unifiers. A substitution is a list of bindings, which are applied until nothing
 * changes. */
#pragma once

#include "gdl/terms.h"

typedef struct {
    Term variable, value;
} Binding;

/* Terms share subterms, so a few bindings can describe a term of exponential size. The work is
 * counted; beyond a limit the substitution is `is_too_large` and no longer valid. */
typedef struct {
    VECTOR(Binding) bindings;
    uint32_t work;
    bool is_too_large;
} Substitution;

/* Extends the substitution so that both terms become equal; false if that is impossible. */
bool unify(Terms *terms, Term a, Term b, Substitution *s);
Term substitute(Terms *terms, Term term, Substitution *s);
void substitution_free(Substitution *s);

/* False only if no values of the variables make the terms equal. A quick test: the variables of the
 * two terms are taken as different, and repeated ones are not compared. */
bool terms_may_match(const Terms *terms, Term a, Term b);
