/* Most general unifiers. A substitution is a list of bindings, applied until nothing changes. */
#pragma once

#include "gdl/terms.h"

typedef struct {
    Term variable, value;
} Binding;

/* Terms share their parts, so a few bindings can spell a term of exponential size: the work is
 * counted, and past a limit the substitution is `too_large` and means nothing any more. */
typedef struct {
    VECTOR(Binding) bindings;
    uint32_t work;
    bool too_large;
} Substitution;

/* Extends the substitution so that both terms become equal; false if that is impossible. */
bool unify(Terms *terms, Term a, Term b, Substitution *s);
Term substitute(Terms *terms, Term term, Substitution *s);
void substitution_free(Substitution *s);

/* False only if no values of the variables make both terms the same. A quick test: variables of the
 * two are taken as different, and repeated ones are not compared. */
bool terms_may_match(const Terms *terms, Term a, Term b);
