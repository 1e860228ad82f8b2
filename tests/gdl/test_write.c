/* Tests the writing of names, terms, clauses and expressions as text. */
#include "clause_text.h"
#include "support.h"

static void assert_symbol(const char *name, const char *infix) {
    Symbols symbols = {0};
    Symbol symbol = symbols_intern(&symbols, name, strlen(name));
    Text text = {0};
    write_symbol(&text, &symbols, symbol, NOTATION_KIF);
    cr_assert_str_eq(text.items, name);
    text_clear(&text);
    write_symbol(&text, &symbols, symbol, NOTATION_INFIX);
    cr_assert_str_eq(text.items, infix, "%s became %s", name, text.items);
    vector_free(&text);
    symbols_free(&symbols);
}

Test(write, symbols) {
    assert_symbol("cell", "cell");
    assert_symbol("1", "1");
    assert_symbol("-5", "-5");
    assert_symbol("Cell", "'Cell'");
    assert_symbol("+", "'+'");
    assert_symbol("it's", "\"it's\"");
    assert_symbol("?x", "X");
    assert_symbol("?new-x", "New_2dx");
    assert_symbol("?_y", "_y");
}

Test(write, terms_and_clauses) {
    Rules *rules = rules_of("(<= (P ?x (f A)) (q ?x) (not r) (distinct ?x b)) (s)");
    Text text = {0};
    write_clause(&text, rules, &rules->clauses.items[0], NOTATION_KIF);
    cr_assert_str_eq(text.items, "(<= (P ?x (f A)) (q ?x) (not r) (distinct ?x b))");
    text_clear(&text);
    write_clause(&text, rules, &rules->clauses.items[0], NOTATION_INFIX);
    cr_assert_str_eq(text.items, "'P'(X,f('A')) :- q(X) & ~r & distinct(X,b)");
    text_clear(&text);
    write_clause(&text, rules, &rules->clauses.items[1], NOTATION_INFIX);
    cr_assert_str_eq(text.items, "s");
    text_clear(&text);
    write_term_lower(&text, &rules->terms, rules->clauses.items[0].head);
    cr_assert_str_eq(text.items, "(p ?x (f a))");
    vector_free(&text);
    rules_free(rules);
}

static void assert_node(const char *kif, Notation notation, const char *expected) {
    Syntax *syntax = syntax_of(kif);
    Text text = {0};
    write_node(&text, syntax, syntax->roots.items[0], notation, WRITE_EXPRESSION);
    cr_assert_str_eq(text.items, expected, "%s became %s", kif, text.items);
    size_t length = strlen(expected);
    for (size_t limit = 1; limit <= length + 1; limit++)
        cr_assert_eq(
            node_written_length(syntax, syntax->roots.items[0], notation, WRITE_EXPRESSION, limit),
            limit < length ? limit : length);
    vector_free(&text);
    syntax_free(syntax);
}

Test(write, expressions) {
    assert_node("( p  (f a)?x )", NOTATION_KIF, "(p (f a) ?x)");
    assert_node("(p () (()))", NOTATION_KIF, "(p () (()))");
    assert_node("(<= (p ?x) (q ?x) (or a (not b)))", NOTATION_INFIX, "p(X) :- q(X) & (a | ~b)");
    assert_node("(<= p)", NOTATION_INFIX, "p :- true");
    assert_node("(<= p (and a b) true not)", NOTATION_INFIX, "p :- (a & b) & true() & 'not'");
    assert_node("(or a b)", NOTATION_INFIX, "or(a,b)");
    assert_node("terminal", NOTATION_INFIX, "terminal");
}
