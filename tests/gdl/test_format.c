/* Tests the layout by examples, and two promises on every description in the tree: formatting twice
 * is the same as formatting once, and the expressions stay the same. */
#include "gdl/write.h"

#include "support.h"

static char *formatted(const Syntax *syntax, Notation notation) {
    Text out = {0};
    rules_format(&out, syntax, notation);
    text_add(&out, "");
    return out.items;
}

static void assert_format(const char *text, const char *expected) {
    Syntax *syntax = syntax_of(text);
    char *once = formatted(syntax, syntax->notation);
    cr_assert_str_eq(once, expected, "formatted as\n%s\nnot as\n%s", once, expected);
    Syntax *again = syntax_of(*once ? once : " ");
    char *twice = formatted(again, again->notation);
    cr_assert_str_eq(twice, once, "formatted again as\n%s\nnot as\n%s", twice, once);
    cr_assert(same_trees(syntax, again));
    syntax_free(syntax);
    syntax_free(again);
    free(once);
    free(twice);
}

Test(format, facts_stay_on_their_lines) {
    assert_format("(role x)\n(role o)", "(role x)\n(role o)\n");
    assert_format("(role x)   ( role\to )(p)", "(role x) (role o) (p)\n");
    assert_format("(cell 1\n  2 b)", "(cell 1 2 b)\n");
    assert_format("", "");
    assert_format("terminal", "terminal\n");
}

Test(format, facts_that_do_not_fit_go_to_the_next_line) {
    assert_format("(p aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa) "
                  "(q bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb) (r c)",
                  "(p aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)\n"
                  "(q bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb) (r c)\n");
}

Test(format, one_blank_line_at_most) {
    assert_format("\n\n(p)\n\n\n\n(q)\n(r)\n\n", "(p)\n\n(q)\n(r)\n");
    assert_format("(p)\r\n\r\n(q)\r\n(r)", "(p)\n\n(q)\n(r)\n");
    assert_format("(p)\r\r(q)\r(r)", "(p)\n\n(q)\n(r)\n");
    assert_format("(p\n)\n(q)", "(p)\n(q)\n");
    assert_format("(p\n\n)\n(q)", "(p)\n(q)\n");
}

Test(format, rules_have_a_premise_a_line) {
    assert_format("(<= (p ?x) (q ?x) (r ?x))", "(<= (p ?x)\n    (q ?x)\n    (r ?x))\n");
    assert_format("(<= (p ?x)\n(q ?x))", "(<= (p ?x)\n    (q ?x))\n");
    assert_format("(<= (p ?x) (q ?x))", "(<= (p ?x) (q ?x))\n");
    assert_format("(<= (p ?x) (q ?x)) (r)", "(<= (p ?x) (q ?x))\n(r)\n");
    assert_format("(<= p)", "(<= p)\n");
    assert_format("(<= (p ?xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx) (q ?xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx))",
                  "(<= (p ?xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx)\n"
                  "    (q ?xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx))\n");
}

Test(format, spelling_is_kept) {
    assert_format("(ROLE X) (Role x) (<= (P ?X ?Y) (Q ?x ?y))",
                  "(ROLE X) (Role x)\n(<= (P ?X ?Y) (Q ?x ?y))\n");
}

Test(format, long_connectives_are_broken) {
    assert_format(
        "(<= p (or (q aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa) (q bbbbbbbbbbbbbbbbbbbbbbbbbb)"
        " (and (q cccccccccccccccccccccccccccccccccccccc) (not d))))",
        "(<= p\n"
        "    (or (q aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)\n"
        "        (q bbbbbbbbbbbbbbbbbbbbbbbbbb)\n"
        "        (and (q cccccccccccccccccccccccccccccccccccccc) (not d))))\n");
    assert_format("(<= p (not (or (q aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)"
                  " (q bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb))) q)",
                  "(<= p\n"
                  "    (not (or (q aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)\n"
                  "             (q bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb)))\n"
                  "    q)\n");
}

Test(format, comments_at_top_level) {
    assert_format(";a\n\n;b\n(p) ; c  \n; d\n(q)\n;e", ";a\n\n;b\n(p) ; c\n; d\n(q)\n;e\n");
    assert_format("  ; a\n  (p)", "; a\n(p)\n");
    assert_format("; only", "; only\n");
    assert_format("(p) (q) ; both\n(r)", "(p) (q) ; both\n(r)\n");
}

Test(format, comments_in_rules) {
    assert_format("(<= p ; head\n ; first\n q ; a\n r) ; end",
                  "(<= p ; head\n    ; first\n    q ; a\n    r) ; end\n");
    assert_format("(<= p q ; last\n)", "(<= p q) ; last\n");
    assert_format("(<= p q ; last\n r ; more\n)", "(<= p\n    q ; last\n    r) ; more\n");
    assert_format("(<= p\n    q\n    ; inside\n    )", "(<= p\n    q\n    ; inside\n    )\n");
    assert_format("(<= p q ; x\n ; y\n ) ; z", "(<= p\n    q ; x\n    ; y\n    ) ; z\n");
    assert_format("(<= ; before\n p q)", "; before\n(<= p\n    q)\n");
}

Test(format, comments_in_terms_come_before_them) {
    assert_format("(p a ; one\n b)", "; one\n(p a b)\n");
    assert_format("(z)\n\n(p a ; one\n b)", "(z)\n\n; one\n(p a b)\n");
    assert_format("(<= p (q a ; one\n b) r)", "(<= p\n    ; one\n    (q a b)\n    r)\n");
    assert_format("(p a ; end\n)", "(p a) ; end\n");
    assert_format("( ; start\n p a)", "; start\n(p a)\n");
}

Test(format, comments_in_connectives_stay_with_their_operands) {
    assert_format("(<= p (or a ; one\n b ; two\n))", "(<= p\n    (or a ; one\n        b)) ; two\n");
    assert_format("(<= p (or a b ; two\n))", "(<= p (or a b)) ; two\n");
    assert_format("(<= p (or a b ; x\n ; y\n) c)",
                  "(<= p\n    (or a\n        b ; x\n        ; y\n        )\n    c)\n");
    assert_format("(<= p (or ; x\n a b) c)", "(<= p\n    ; x\n    (or a b)\n    c)\n");
    assert_format("(<= p (or d (or a b\n) ; c\n))", "(<= p (or d (or a b))) ; c\n");
    assert_format("(<= p (or (or a ; x\n b) c))",
                  "(<= p\n    (or (or a ; x\n            b)\n        c))\n");
}

Test(format, infix) {
    assert_format("p(X):-q(X),\\+r(X).", "p(X) :-\n    q(X) &\n    ~r(X)\n");
    assert_format("p(X) :- q(X)", "p(X) :- q(X)\n");
    assert_format("p :- (a | b) & X != y & ~(c & d)",
                  "p :-\n    (a | b) &\n    distinct(X,y) &\n    ~(c & d)\n");
    assert_format("role(x). role(o).", "role(x)\nrole(o)\n");
    assert_format("p :- true.", "p :- true\n");
    assert_format("p(_,_) :- q(_)", "p(_,_) :- q(_)\n");
    assert_format("p('It',\"a'b\",'x''y\"z') :- q(-5)", "p('It',\"a'b\",'x''y\"z') :- q(-5)\n");
    assert_format("p(?x,?1) :- 'not'() & not(q) & f(not)",
                  "p(X,?1) :-\n    not() &\n    ~q &\n    f(not)\n");
    assert_format("or(a,b)\nnot(p)\np :- or(a) & and(b,c)",
                  "or(a,b)\nnot(p)\np :-\n    or(a) &\n    (b & c)\n");
}

Test(format, infix_comments) {
    assert_format("/* Title\n   and more */ p. % end\n% next\nq.",
                  "% Title\n% and more\np % end\n% next\nq\n");
    assert_format("/*\n * Title\n */\np", "% * Title\np\n");
    assert_format("p :- a /* x */ /* y */ & b", "p :-\n    a & % x\n    % y\n    b\n");
    assert_format("p(a /* x\r y */, b) :- c", "% x\n% y\np(a,b) :-\n    c\n");
    assert_format("p :- (a | % x\n b)", "p :-\n    (a | % x\n     b)\n");
}

static void assert_translation(const char *kif, const char *infix) {
    Syntax *syntax = syntax_of(kif);
    char *text = formatted(syntax, NOTATION_INFIX);
    cr_assert_str_eq(text, infix, "translated to\n%s\nnot to\n%s", text, infix);
    Syntax *read = syntax_of(text);
    cr_assert_eq(read->notation, NOTATION_INFIX);
    char *back = formatted(read, NOTATION_KIF);
    char *same = formatted(syntax, NOTATION_KIF);
    cr_assert_str_eq(back, same);
    free(text), free(back), free(same);
    syntax_free(syntax);
    syntax_free(read);
}

Test(format, translation) {
    assert_translation("; A game\n(role x)\n\n(<= (p ?x)\n    (q ?x) ; eol\n    (not (r ?x)))\n",
                       "% A game\nrole(x)\n\np(X) :-\n    q(X) & % eol\n    ~r(X)\n");
    assert_translation("(<= (p ?x1)\n    (or a (and (q b) c))\n    (distinct ?x1 +))\n",
                       "p(X1) :-\n    (a | (q(b) & c)) &\n    distinct(X1,'+')\n");
}

Test(format, capitals_become_small_rather_than_quoted) {
    Syntax *syntax = syntax_of("(ROLE Xplayer) (P A+ aB)");
    char *text = formatted(syntax, NOTATION_INFIX);
    cr_assert_str_eq(text, "role(xplayer)\np('A+',aB)\n");
    free(text);
    syntax_free(syntax);
}

Test(format, odd_variables_stay_apart) {
    Syntax *syntax = syntax_of("(p ?x-y ?x_2dy ? ?_ ?1 ?v1 ?+)");
    char *text = formatted(syntax, NOTATION_INFIX);
    cr_assert_str_eq(text, "p(X_2dy,X_5f2dy,_3f,_5f,_31,V1,_2b)\n");
    free(text);
    syntax_free(syntax);
}

Test(format, depth_costs_no_stack) {
    enum { DEPTH = 1000000 };
    Text text = {0};
    text_add(&text, "(<= p ");
    for (int i = 0; i < DEPTH; i++)
        text_add(&text, "(not ");
    text_add(&text, "q");
    for (int i = 0; i <= DEPTH; i++)
        text_add_char(&text, ')');
    Report report = {0};
    Syntax *syntax = read_syntax(text.items, text.count, &report);
    cr_assert(!report_failed(&report));
    char *kif = formatted(syntax, NOTATION_KIF), *infix = formatted(syntax, NOTATION_INFIX);
    cr_assert_eq(strlen(kif), strlen("(<= p\n    q)\n") + 6 * (size_t)DEPTH);
    cr_assert_eq(strlen(infix), strlen("p :-\n    q\n") + DEPTH);
    free(kif), free(infix);
    syntax_free(syntax);
    report_free(&report);
    vector_free(&text);
}

static void check_file(const char *path) {
    Report report = {0}, again_report = {0};
    Source *source = source_read(path, &report);
    cr_assert_not_null(source);
    Syntax *syntax = syntax_read(source, &report);
    if (!report_failed(&report)) {
        char *once = formatted(syntax, syntax->notation);
        Syntax *again = read_syntax(once, strlen(once), &again_report);
        cr_assert(!report_failed(&again_report), "%s: formatted text has errors: %s", path,
                  report_failed(&again_report) ? again_report.items.items[0].message : "");
        cr_assert(again->notation == syntax->notation && same_trees(syntax, again),
                  "%s: other expressions", path);
        char *twice = formatted(again, again->notation);
        cr_assert_str_eq(twice, once, "%s: not stable", path);
        free(once), free(twice);
        syntax_free(again);
    }
    syntax_free(syntax);
    report_free(&report);
    report_free(&again_report);
}

/* Asserts that translation from KIF to infix and back gives the same clauses, for texts that can be
 * lowered. */
static void check_round_trip(const char *path) {
    Report report = {0};
    Rules *rules = rules_read(path, &report);
    if (rules) {
        char *infix = formatted(rules->syntax, NOTATION_INFIX);
        Rules *there = rules_of(infix);
        char *kif = formatted(there->syntax, NOTATION_KIF);
        Rules *back = rules_of(kif);
        cr_assert_eq(back->clauses.count, rules->clauses.count, "%s", path);
        cr_assert_eq(back->literals.count, rules->literals.count, "%s", path);
        cr_assert_eq(back->roles.count, rules->roles.count, "%s", path);
        char *again = formatted(back->syntax, NOTATION_KIF);
        cr_assert_str_eq(again, kif, "%s", path);
        free(infix), free(kif), free(again);
        rules_free(there);
        rules_free(back);
    }
    rules_free(rules);
    report_free(&report);
}

Test(format, our_games_keep_both_promises) {
    visit_games(check_file);
    visit_games(check_round_trip);
}

Test(format, the_corpus_keeps_both_promises) {
    visit_corpus(check_file);
}

Test(format, the_corpus_survives_translation) {
    visit_corpus(check_round_trip);
}
