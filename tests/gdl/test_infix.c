/* Tests the infix notations: Stanford's without periods, Prolog's with them. */
#include "support.h"

Test(infix, terms_and_facts) {
    assert_tree("role(x)\nrole(o)", "(role x) (role o)");
    assert_tree("role(x). role(o).", "(role x) (role o)");
    assert_tree("p(f(a,b),X).", "(p (f a b) ?x)");
    assert_tree("terminal.", "terminal");
    assert_tree("p(1,02,-3,+4).", "(p 1 02 -3 +4)");
    assert_tree("p().", "(p)");
}

Test(infix, rules_of_stanford) {
    assert_tree("p(X) :- q(X) & ~r(X)", "(<= (p ?x) (q ?x) (not (r ?x)))");
    assert_tree("p(X) :-\n  q(X) &\n  ~r(X)\ns(a)", "(<= (p ?x) (q ?x) (not (r ?x))) (s a)");
    assert_tree("p(a) :- (q | r) & s", "(<= (p a) (or q r) s)");
    assert_tree("p(a) :- q & distinct(X,Y)", "(<= (p a) q (distinct ?x ?y))");
}

Test(infix, rules_of_prolog) {
    assert_tree("p(X) :- q(X), \\+ r(X), not s(X), not(t).",
                "(<= (p ?x) (q ?x) (not (r ?x)) (not (s ?x)) (not t))");
    assert_tree("p(a) :- (q ; r), s.", "(<= (p a) (or q r) s)");
    assert_tree("p(a) :- q ; r, s.", "(<= (p a) (or q (and r s)))");
    assert_tree("p(a) :- q, r ; s.", "(<= (p a) (or (and q r) s))");
    assert_tree("p(a) <= q.", "(<= (p a) q)");
}

Test(infix, comparisons) {
    assert_tree("p(X) :- X \\= Y.", "(<= (p ?x) (distinct ?x ?y))");
    assert_tree("p(X) :- X \\== Y.", "(<= (p ?x) (distinct ?x ?y))");
    assert_tree("p(X) :- X != f(a).", "(<= (p ?x) (distinct ?x (f a)))");
    assert_tree("p(X) :- X = Y.", "(<= (p ?x) (not (distinct ?x ?y)))");
    assert_tree("p(X) :- ~ X == Y.", "(<= (p ?x) (not (not (distinct ?x ?y))))");
}

Test(infix, connectives_nest) {
    assert_tree("p(a) :- ~~q & ~(r | s & ~t)",
                "(<= (p a) (not (not q)) (not (or r (and s (not t)))))");
    assert_tree("p(a) :- ((q))", "(<= (p a) q)");
    assert_tree("p(a) :- (q & r) & s", "(<= (p a) (and q r) s)");
    assert_tree("p(a) :- ((q | r) | s)", "(<= (p a) (or (or q r) s))");
}

Test(infix, truth_is_left_out) {
    assert_tree("p(a) :- true.", "(<= (p a))");
    assert_tree("p(a) :- true & q.", "(<= (p a) q)");
    assert_tree("p(a) :- true(q).", "(<= (p a) (true q))");
}

Test(infix, variables) {
    assert_tree("p(X,Xy,_z,?w).", "(p ?x ?xy ?_z ?w)");
    assert_tree("p(_,_) :- q(_).", "(<= (p ?_#1 ?_#2) (q ?_#3))");
    Rules *rules = rules_of("p(X) :- q(?x).");
    const Clause *clause = &rules->clauses.items[0];
    cr_assert_eq(term_argument(&rules->terms, clause->head, 0),
                 term_argument(&rules->terms, clause_literals(rules, clause)[0].atom, 0));
    rules_free(rules);
}

Test(infix, quoted_names) {
    assert_tree("p('Big',\"two\",'it''s','a\"b').", "(p Big two it's a\"b)");
    assert_tree("'P'('<=') :- 'not'(q).", "(<= (P <=) (not q))");
    cr_assert_str_eq(problem_of("p('a b')."), "bad-name 1:3");
    cr_assert_str_eq(problem_of("p('')."), "bad-name 1:3");
    cr_assert_str_eq(problem_of("p('(')."), "bad-name 1:3");
    cr_assert_str_eq(problem_of("p('?x')."), "bad-name 1:3");
    cr_assert_str_eq(problem_of("p('abc).\nq(x)."), "unclosed-quote 1:3");
}

Test(infix, keywords_as_constants) {
    assert_tree("p(not,true,role) :- q(distinct).", "(<= (p not true role) (q distinct))");
}

Test(infix, comments) {
    assert_tree("% one\np(a). /* two\nthree */ q(b). % four", "(p a) (q b)");
    Syntax *syntax = syntax_of("p(a). /* two\r\n three */ % four\nq.");
    cr_assert_eq(syntax->comments.count, 3);
    cr_assert(!syntax->comments.items[0].own_line && syntax->comments.items[1].own_line);
    cr_assert(!syntax->comments.items[2].own_line);
    syntax_free(syntax);
    cr_assert_str_eq(problem_of("p(a).\n/* never closed"), "unclosed-comment 2:1");
}

Test(infix, blanks_of_all_kinds) {
    assert_tree("\xef\xbb\xbfp(a\xc2\xa0,\tb)\r\nq(c)\rr(d)", "(p a b) (q c) (r d)");
    assert_tree("p(caf\xc3\xa9).", "(p caf\xc3\xa9)");
}

Test(infix, errors_are_found_where_they_are) {
    cr_assert_str_eq(problem_of("p(a) :- q(.\nr(b)."), "syntax 1:11");
    cr_assert_str_eq(problem_of("p(a,).\nr(b)."), "syntax 1:5");
    cr_assert_str_eq(problem_of("p(a) :- .\nr(b)."), "syntax 1:9");
    cr_assert_str_eq(problem_of("p(a) :- (q | r.\n"), "syntax 1:15");
    cr_assert_str_eq(problem_of("p(a) q(b) :-"), "syntax 1:13");
    cr_assert_str_eq(problem_of("p(a) :- q & # & r"), "syntax 1:13");
}

/* Fuzzing found this: nodes that did not exist were wrapped. */
Test(infix, nothing_to_wrap) {
    cr_assert_str_eq(problem_of("p(a) :- (= b)."), "syntax 1:10");
    cr_assert_str_eq(problem_of("p(a) :- .b(c), != d"), "syntax 1:9");
    cr_assert_str_eq(problem_of("p(a) :- (true) & (true)."), "syntax 1:10");
    cr_assert_str_eq(problem_of("p(a) :- true | q."), "syntax 1:14");
    cr_assert_str_eq(problem_of("p(a) :- q | true."), "syntax 1:13");
}

Test(infix, reading_goes_on_after_an_error) {
    Report report = {0};
    const char *text = "p(a,).\nq(b).\nr(c,.\ns(d) :- ) .\nt(e).\n";
    Syntax *syntax = read_syntax(text, strlen(text), &report);
    cr_assert_eq(report.counts[SEVERITY_ERROR], 3);
    cr_assert_eq(report.items.items[1].line, 3);
    cr_assert_eq(report.items.items[2].line, 4);
    char *tree = tree_text(syntax);
    cr_assert_str_eq(tree, "(q b) (t e)");
    free(tree);
    syntax_free(syntax);
    report_free(&report);
}

Test(infix, without_periods_reading_goes_on_at_the_next_line) {
    Report report = {0};
    const char *text = "p(a) :- q &\nr(b,\ns(c)\nt(d)\n";
    Syntax *syntax = read_syntax(text, strlen(text), &report);
    cr_assert(report_failed(&report));
    cr_assert_geq(syntax->roots.count, 1);
    syntax_free(syntax);
    report_free(&report);
}

Test(infix, notation_is_recognised) {
    const struct {
        const char *text;
        Notation notation;
    } cases[] = {
        {"", NOTATION_KIF},
        {"(role x)", NOTATION_KIF},
        {"; c\n(role x)", NOTATION_KIF},
        {"% c\n(role x)", NOTATION_KIF},
        {"terminal\n(role x)", NOTATION_KIF},
        {"terminal", NOTATION_KIF},
        {"role(x)", NOTATION_INFIX},
        {"% c\nrole(x)", NOTATION_INFIX},
        {"/* c */ role(x)", NOTATION_INFIX},
        {"% c\nterminal", NOTATION_INFIX},
        {"terminal\nrole(x)", NOTATION_INFIX},
        {"terminal.", NOTATION_INFIX},
        {"terminal :- p", NOTATION_INFIX},
        {"'ROLE'(x)", NOTATION_INFIX},
        {"\xef\xbb\xbfrole(x)", NOTATION_INFIX},
        {"% only", NOTATION_INFIX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Report report = {0};
        Syntax *syntax = read_syntax(cases[i].text, strlen(cases[i].text), &report);
        cr_assert_eq(syntax->notation, cases[i].notation, "`%s`", cases[i].text);
        syntax_free(syntax);
        report_free(&report);
    }
}

static Text nested(const char *open, const char *middle, const char *close, size_t depth) {
    Text text = {0};
    text_add(&text, "p(a) :- ");
    for (size_t i = 0; i < depth; i++)
        text_add(&text, open);
    text_add(&text, middle);
    for (size_t i = 0; i < depth; i++)
        text_add(&text, close);
    return text;
}

static const char *nested_problem(const char *open, const char *close, size_t depth) {
    Text text = nested(open, "q", close, depth);
    Report report = {0};
    Syntax *syntax = read_syntax(text.items, text.count, &report);
    const char *problem = first_problem(&report);
    syntax_free(syntax);
    report_free(&report);
    vector_free(&text);
    return problem;
}

Test(infix, depth_has_limits) {
    cr_assert_str_eq(nested_problem("(", ")", 900), "");
    cr_assert_str_eq(nested_problem("(", ")", 1000000), "too-deep 1:1010");
    cr_assert_str_eq(nested_problem("f(", ")", 999999), "");
    cr_assert_str_eq(nested_problem("f(", ")", 1000002), "too-deep 1:2000010");
    cr_assert_str_eq(nested_problem("~", "", 1000000), "");
}

Test(infix, long_clauses_are_read_in_linear_time) {
    Text text = nested("q & ", "q", "", 300000);
    Report report = {0};
    Syntax *syntax = read_syntax(text.items, text.count, &report);
    cr_assert(!report_failed(&report));
    cr_assert_eq(syntax->nodes.count, 300001 + 5);
    syntax_free(syntax);
    vector_free(&text);
    text = nested("q | ", "q", "", 300000);
    syntax = read_syntax(text.items, text.count, &report);
    cr_assert(!report_failed(&report));
    syntax_free(syntax);
    vector_free(&text);
    text = nested("q = ", "q", " & q", 0);
    for (int i = 0; i < 100000; i++)
        text_add(&text, " & X = Y");
    syntax = read_syntax(text.items, text.count, &report);
    cr_assert(!report_failed(&report));
    syntax_free(syntax);
    vector_free(&text);
    report_free(&report);
}
