/* Tests hash-consed terms and unification. */
#include "gdl/unify.h"
#include "support.h"

static Term term_of(Terms *terms, Syntax *syntax, size_t root) {
    return terms_from_node(terms, syntax, syntax->roots.items[root]);
}

Test(terms, equal_terms_are_one) {
    Syntax *syntax = syntax_of("(f a (g ?x)) (F A (G ?X)) (f a (g ?y)) (p) p (f a)");
    Terms terms = {.symbols = &syntax->symbols};
    cr_assert_eq(term_of(&terms, syntax, 0), term_of(&terms, syntax, 1));
    cr_assert_neq(term_of(&terms, syntax, 0), term_of(&terms, syntax, 2));
    cr_assert_eq(term_of(&terms, syntax, 3), term_of(&terms, syntax, 4));
    cr_assert_neq(term_of(&terms, syntax, 0), term_of(&terms, syntax, 5));
    terms_free(&terms);
    syntax_free(syntax);
}

Test(terms, parts) {
    Syntax *syntax = syntax_of("(f a (g ?x ?y) ?x)");
    Terms terms = {.symbols = &syntax->symbols};
    Term f = term_of(&terms, syntax, 0), g = term_argument(&terms, f, 1);
    Term x = term_argument(&terms, f, 2), a = term_argument(&terms, f, 0);
    cr_assert_eq(term_arity(&terms, f), 3);
    cr_assert_eq(term_arity(&terms, a), 0);
    cr_assert_eq(term_argument(&terms, g, 0), x);
    cr_assert(term_is_variable(&terms, x) && !term_is_ground(&terms, f));
    cr_assert(term_is_ground(&terms, a) && !term_is_variable(&terms, a));
    cr_assert(term_contains(&terms, f, x) && !term_contains(&terms, a, x));
    U32Vector variables = {0};
    term_variables(&terms, f, &variables);
    cr_assert_eq(variables.count, 2);
    cr_assert_eq(variables.items[0], x);
    vector_free(&variables);
    terms_free(&terms);
    syntax_free(syntax);
}

Test(terms, what_is_no_term) {
    Syntax *syntax = syntax_of("() (f ()) ((f) a) (?x a) (f (?x a))");
    Terms terms = {.symbols = &syntax->symbols};
    for (size_t i = 0; i < syntax->roots.count; i++)
        cr_assert_eq(term_of(&terms, syntax, i), TERM_NONE, "%zu", i);
    terms_free(&terms);
    syntax_free(syntax);
}

Test(terms, many_arguments) {
    Text text = {0};
    text_add(&text, "(f");
    for (int i = 0; i < 100000; i++)
        text_printf(&text, " a%d", i);
    text_add(&text, ")");
    Syntax *syntax = syntax_of(text.items);
    Terms terms = {.symbols = &syntax->symbols};
    Term f = term_of(&terms, syntax, 0);
    cr_assert_eq(term_arity(&terms, f), 100000);
    cr_assert_eq(term_of(&terms, syntax, 0), f);
    terms_free(&terms);
    syntax_free(syntax);
    vector_free(&text);
}

/* Asserts the unifier of two terms, applied to the first, or "none". */
static void assert_unified(const char *pair, const char *expected) {
    Syntax *syntax = syntax_of(pair);
    Terms terms = {.symbols = &syntax->symbols};
    Term a = term_of(&terms, syntax, 0), b = term_of(&terms, syntax, 1);
    Substitution bindings = {0};
    Text text = {0};
    if (unify(&terms, a, b, &bindings)) {
        cr_assert_eq(substitute(&terms, a, &bindings), substitute(&terms, b, &bindings), "%s",
                     pair);
        write_term(&text, &terms, substitute(&terms, a, &bindings), NOTATION_KIF);
    } else {
        text_add(&text, "none");
    }
    cr_assert_str_eq(text.items, expected, "%s: %s", pair, text.items);
    vector_free(&text);
    substitution_free(&bindings);
    terms_free(&terms);
    syntax_free(syntax);
}

Test(unify, most_general) {
    assert_unified("(f ?x b) (f a ?y)", "(f a b)");
    assert_unified("(f ?x ?x) (f ?y a)", "(f a a)");
    assert_unified("(f ?x (g ?x)) (f ?y ?z)", "(f ?y (g ?y))");
    assert_unified("(f ?x) (f ?x)", "(f ?x)");
    assert_unified("a A", "a");
}

Test(unify, no_way) {
    assert_unified("a b", "none");
    assert_unified("(f a) (g a)", "none");
    assert_unified("(f a) (f a b)", "none");
    assert_unified("(f ?x ?x) (f a b)", "none");
    assert_unified("(f ?x) (f (g ?x))", "none");
    assert_unified("(f ?x ?y) (f (g ?y) (g ?x))", "none");
}

/* A term that shares its parts is small, though its text doubles with every level. */
Test(terms, text_that_nobody_can_write_is_known_before_it_is_written) {
    Syntax *syntax = syntax_of("a (f b c)");
    Terms terms = {.symbols = &syntax->symbols};
    Term term = term_of(&terms, syntax, 0);
    Symbol f = term_symbol(&terms, term_of(&terms, syntax, 1));
    int levels = 0;
    for (; !term_is_oversized(&terms, term); levels++)
        term = terms_make(&terms, f, (Term[]){term, term}, 2);
    cr_assert(levels > 10 && levels < 20, "%d levels", levels);
    Term deep = term_of(&terms, syntax, 0);
    for (levels = 0; !term_is_oversized(&terms, deep); levels++)
        deep = terms_make(&terms, f, &deep, 1);
    cr_assert_eq(levels, TERM_MAX_DEPTH + 1);
    terms_free(&terms);
    syntax_free(syntax);
}
