/* Tests lowering, which makes clauses from expressions. */
#include "clause_text.h"
#include "support.h"

/* Lowers the text and compares its clauses, written as KIF and separated by " / ". */
static void assert_clauses(const char *text, const char *expected) {
    Rules *rules = rules_of(text);
    Text written = {0};
    for (size_t i = 0; i < rules->clauses.count; i++) {
        text_add(&written, i ? " / " : "");
        write_clause(&written, rules, &rules->clauses.items[i], NOTATION_KIF);
    }
    cr_assert_str_eq(text_string(&written), expected, "`%s` became `%s`", text,
                     text_string(&written));
    vector_free(&written);
    rules_free(rules);
}

Test(rules, plain) {
    assert_clauses("", "");
    assert_clauses("(role x) (p)", "(role x) / p");
    assert_clauses("(<= (p ?x) (q ?x) (not (r ?x)) (distinct ?x a))",
                   "(<= (p ?x) (q ?x) (not (r ?x)) (distinct ?x a))");
    assert_clauses("(<= p)", "p");
    assert_clauses("(<= terminal (open)) (<= (terminal) open)",
                   "(<= terminal open) / (<= terminal open)");
}

Test(rules, or_becomes_clauses) {
    assert_clauses("(<= p (or a b))", "(<= p a) / (<= p b)");
    assert_clauses("(<= p a (or b c) d)", "(<= p a b d) / (<= p a c d)");
    assert_clauses("(<= p (or a b) (or c d))", "(<= p a c) / (<= p a d) / (<= p b c) / (<= p b d)");
    assert_clauses("(<= p (or a (and b (or c d))))", "(<= p a) / (<= p b c) / (<= p b d)");
    assert_clauses("(<= p (or a))", "(<= p a)");
    assert_clauses("(<= p (and a b))", "(<= p a b)");
}

Test(rules, negation_is_pushed_inwards) {
    assert_clauses("(<= p (not (not a)))", "(<= p a)");
    assert_clauses("(<= p (not (or a b)))", "(<= p (not a) (not b))");
    assert_clauses("(<= p (not (and a b)))", "(<= p (not a)) / (<= p (not b))");
    assert_clauses("(<= p (not (or a (not b))))", "(<= p (not a) b)");
}

Test(rules, not_distinct_is_solved) {
    assert_clauses("(<= (p ?x ?y) (q ?x ?y) (not (distinct ?x ?y)))", "(<= (p ?y ?y) (q ?y ?y))");
    assert_clauses("(<= (p ?x) (q ?x) (not (distinct ?x a)))", "(<= (p a) (q a))");
    assert_clauses("(<= (p ?x) (q ?x) (not (distinct a b)))", "");
    assert_clauses("(<= (p ?x) (q ?x) (not (distinct ?x (f ?x))))", "");
    assert_clauses("(<= (p ?x) (not (or (distinct ?x a) (not (q ?x)))))", "(<= (p a) (q a))");
}

Test(rules, keywords_as_constants) {
    assert_clauses("(p not or) (<= (p true) (q does distinct))",
                   "(p not or) / (<= (p true) (q does distinct))");
}

Test(rules, roles_and_version) {
    Rules *rules = rules_of("(role x) (role o) (role X)");
    cr_assert_eq(rules->roles.count, 2);
    cr_assert(!rules_use_gdl2(rules));
    rules_free(rules);
    rules = rules_of("(role x) (role random)");
    cr_assert(rules->has_random && rules_use_gdl2(rules));
    rules_free(rules);
    rules = rules_of("(role x) (<= (sees x ?m) (does x ?m))");
    cr_assert(rules->has_sees && !rules->has_random && rules_use_gdl2(rules));
    rules_free(rules);
}

Test(rules, literals_remember_where_they_stand) {
    Rules *rules = rules_of("(<= (p ?x)\n (or (q ?x)\n (not (r ?x))))");
    cr_assert_eq(rules->clauses.count, 2);
    uint32_t node = clause_literals(rules, &rules->clauses.items[1])[0].node;
    SourcePlace place =
        source_place(rules->syntax->source, rules->syntax->nodes.items[node].offset);
    cr_assert_eq(place.line, 3);
    rules_free(rules);
}

Test(rules, what_is_no_rule) {
    cr_assert_str_eq(problem_of("(<=)"), "bad-rule 1:1");
    cr_assert_str_eq(problem_of("(<= (or a b) c)"), "bad-head 1:5");
    cr_assert_str_eq(problem_of("(<= ?x c)"), "bad-atom 1:5");
    cr_assert_str_eq(problem_of("(<= p ?x)"), "bad-atom 1:7");
    cr_assert_str_eq(problem_of("(or a b)"), "bad-head 1:1");
    cr_assert_str_eq(problem_of("()"), "empty-list 1:1");
    cr_assert_str_eq(problem_of("(p ())"), "empty-list 1:4");
    cr_assert_str_eq(problem_of("(<= p\n  ((q) a))"), "bad-term 2:4");
    cr_assert_str_eq(problem_of("(<= p (?q a))"), "bad-term 1:8");
    cr_assert_str_eq(problem_of("(<= p (distinct a))"), "keyword-arity 1:7");
    cr_assert_str_eq(problem_of("(<= p (not a b))"), "keyword-arity 1:7");
    cr_assert_str_eq(problem_of("(<= p (or))"), "bad-premise 1:7");
    cr_assert_str_eq(problem_of("#| comment |#\n(role x)"), "stray-atom 1:1");
}

Test(rules, products_have_a_limit) {
    Text text = {0};
    text_add(&text, "(<= p");
    for (int i = 0; i < 20; i++)
        text_printf(&text, " (or a%d b%d)", i, i);
    text_add(&text, ")");
    cr_assert_str_eq(problem_of(text.items), "too-many-alternatives 1:1");
    vector_free(&text);
}

Test(rules, depth_has_a_limit) {
    for (int depth = RULES_MAX_DEPTH - 2; depth <= RULES_MAX_DEPTH; depth += 2) {
        Text text = {0};
        text_add(&text, "(<= p ");
        for (int i = 0; i < depth; i++)
            text_add(&text, "(not ");
        text_add(&text, "q");
        for (int i = 0; i <= depth; i++)
            text_add(&text, ")");
        cr_assert_str_eq(problem_of(text.items), depth < RULES_MAX_DEPTH ? "" : "too-deep 1:1");
        vector_free(&text);
    }
}
