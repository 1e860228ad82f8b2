/* Equalities are rare in GDL, so there are few bindings and a linear list is fast enough. */
#include "gdl/unify.h"

#include <assert.h>

enum { MAX_WORK = 1 << 14 }; /* terms visited per substitution (untuned) */

static Term value_of(Term variable, const Substitution *s) {
    for (size_t i = 0; i < s->bindings.count; i++)
        if (s->bindings.items[i].variable == variable)
            return s->bindings.items[i].value;
    return TERM_NONE;
}

Term substitute(Terms *terms, Term term, Substitution *s) {
    if (term_is_ground(terms, term) || s->bindings.count == 0 || s->is_too_large)
        return term;
    if (++s->work > MAX_WORK) {
        s->is_too_large = true;
        return term;
    }
    if (term_is_variable(terms, term)) {
        Term value = value_of(term, s);
        return value == TERM_NONE ? term : substitute(terms, value, s);
    }
    uint32_t arity = term_arity(terms, term);
    Term *arguments = memory_alloc(arity * sizeof *arguments);
    for (uint32_t i = 0; i < arity; i++)
        arguments[i] = substitute(terms, term_argument(terms, term, i), s);
    Term result = terms_make(terms, term_symbol(terms, term), arguments, arity);
    free(arguments);
    return result;
}

static bool bind(Terms *terms, Term variable, Term value, Substitution *s) {
    assert(term_is_variable(terms, variable));
    if (s->is_too_large || term_contains(terms, value, variable))
        return false;
    vector_push(&s->bindings, ((Binding){variable, value}));
    return true;
}

bool unify(Terms *terms, Term a, Term b, Substitution *s) {
    a = substitute(terms, a, s);
    b = substitute(terms, b, s);
    if (a == b)
        return true;
    if (term_is_variable(terms, a))
        return bind(terms, a, b, s);
    if (term_is_variable(terms, b))
        return bind(terms, b, a, s);
    if (term_symbol(terms, a) != term_symbol(terms, b) ||
        term_arity(terms, a) != term_arity(terms, b))
        return false;
    for (uint32_t i = 0; i < term_arity(terms, a); i++)
        if (!unify(terms, term_argument(terms, a, i), term_argument(terms, b, i), s))
            return false;
    return true;
}

void substitution_free(Substitution *s) {
    vector_free(&s->bindings);
}

bool terms_may_match(const Terms *terms, Term a, Term b) {
    if (a == b || term_is_variable(terms, a) || term_is_variable(terms, b))
        return true;
    if (term_symbol(terms, a) != term_symbol(terms, b) ||
        term_arity(terms, a) != term_arity(terms, b))
        return false;
    for (uint32_t i = 0; i < term_arity(terms, a); i++)
        if (!terms_may_match(terms, term_argument(terms, a, i), term_argument(terms, b, i)))
            return false;
    return true;
}
