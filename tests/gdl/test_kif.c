/* Tests prefix notation with the variations found in twenty years of files, and with hostile
 * input. */
#include <sys/resource.h>
#include <time.h>

#include "support.h"

/* True if both subtrees are the same expression. */
static bool nodes_equal(const Syntax *syntax, uint32_t a, uint32_t b) {
    assert(a < syntax->nodes.count && b < syntax->nodes.count);
    const Node *nodes = syntax->nodes.items;
    if (nodes[a].size != nodes[b].size)
        return false;
    for (uint32_t i = 0; i < nodes[a].size; i++)
        if (nodes[a + i].symbol != nodes[b + i].symbol || nodes[a + i].size != nodes[b + i].size)
            return false;
    return true;
}

static const char *kif_problem(const char *text, size_t length) {
    Report report = {0};
    Source *source = source_from_text("test", text, length, &report);
    Syntax *syntax = syntax_read_kif(source, false, &report);
    const char *problem = first_problem(&report);
    syntax_free(syntax);
    report_free(&report);
    return problem;
}

Test(kif, lists_and_atoms) {
    assert_tree("", "");
    assert_tree("(p)", "(p)");
    assert_tree("terminal", "terminal");
    assert_tree("(p (f a) ?x)b(c)", "(p (f a) ?x) b (c)");
    assert_tree("((p) ())", "((p) ())");
}

Test(kif, nodes_are_preorder_with_sizes_and_offsets) {
    Syntax *syntax = syntax_of(" (p (f a) ?x)");
    const uint32_t sizes[] = {6, 1, 3, 1, 1, 1}, offsets[] = {1, 2, 4, 5, 7, 10};
    cr_assert_eq(syntax->nodes.count, 6);
    for (size_t i = 0; i < 6; i++) {
        cr_assert_eq(syntax->nodes.items[i].size, sizes[i]);
        cr_assert_eq(syntax->nodes.items[i].offset, offsets[i]);
    }
    cr_assert_eq(node_children(syntax, 0), 3);
    cr_assert_eq(node_depth(syntax, 0), 2);
    cr_assert_eq(node_next(syntax, 2), 5);
    cr_assert(node_is_variable(syntax, 5) && !node_is_variable(syntax, 4));
    syntax_free(syntax);
}

Test(kif, case_does_not_matter_but_is_kept) {
    Syntax *syntax = syntax_of("(Role X) (role x) (ROLE x)");
    cr_assert(nodes_equal(syntax, syntax->roots.items[0], syntax->roots.items[1]));
    cr_assert(nodes_equal(syntax, syntax->roots.items[0], syntax->roots.items[2]));
    cr_assert_eq(node_head(syntax, syntax->roots.items[2]), KEYWORD_ROLE);
    syntax_free(syntax);
    assert_tree("(Role X) (role x)", "(Role X) (role x)");
}

Test(kif, blanks_of_all_kinds) {
    assert_tree("(p\ta\r\nb\rc\fd\ve)", "(p a b c d e)");
    assert_tree("\xef\xbb\xbf(p a)", "(p a)");
    assert_tree("(p\xc2\xa0"
                "a\xc2\xa0\xc2\xa0)",
                "(p a)");
    assert_tree("(p a\xc2\xa0)\xef\xbb\xbf(q)", "(p a) (q)");
}

Test(kif, odd_bytes_in_names) {
    assert_tree("(caf\xc3\xa9 \xff\xfe +-*/ a.b a:b 'x \"y\" |z| % <= #t)",
                "(caf\xc3\xa9 \xff\xfe +-*/ a.b a:b 'x \"y\" |z| % <= #t)");
}

Test(kif, comments_are_kept_aside) {
    Syntax *syntax = syntax_of("; one\n(p ; two (\n a) ; three  \r;;four\n\f ;five");
    cr_assert_eq(syntax->comments.count, 5);
    const bool own[] = {true, false, false, true, true};
    const char *texts[] = {"; one", "; two (", "; three", ";;four", ";five"};
    for (size_t i = 0; i < 5; i++) {
        const Comment *c = &syntax->comments.items[i];
        cr_assert_eq(c->own_line, own[i], "%zu", i);
        cr_assert_eq(c->length, strlen(texts[i]));
        cr_assert_arr_eq(syntax->source->text + c->offset, texts[i], c->length);
    }
    syntax_free(syntax);
}

Test(kif, unclosed_parentheses_are_found_where_they_open) {
    cr_assert_str_eq(problem_of("(role x)\n(role o\n(<= p q)\n"), "unclosed-paren 2:1");
    cr_assert_str_eq(problem_of("(role x)\n(role o\n(init p)\n(init q)"), "unclosed-paren 2:1");
    cr_assert_str_eq(problem_of("(role x)\n  (p (q r)"), "unclosed-paren 2:3");
    cr_assert_str_eq(problem_of("("), "unclosed-paren 1:1");
    cr_assert_str_eq(problem_of("(a\n(<= b c)\n(d\n(<= e f)\n"), "unclosed-paren 1:1");
}

Test(kif, every_unclosed_expression_is_reported) {
    Report report = {0};
    const char *text = "(a 1\n(<= b c)\n(d 1\n(<= e f)\n(g h)\n";
    Syntax *syntax = read_syntax(text, strlen(text), &report);
    cr_assert_eq(report.counts[SEVERITY_ERROR], 2);
    cr_assert_eq(report.items.items[1].line, 3);
    cr_assert_str_eq(report.items.items[0].hint, "the next expression seems to start at line 2");
    char *tree = tree_text(syntax);
    cr_assert_str_eq(tree, "(a 1) (<= b c) (d 1) (<= e f) (g h)");
    free(tree);
    syntax_free(syntax);
    report_free(&report);
}

Test(kif, stray_closing_parentheses) {
    cr_assert_str_eq(problem_of("(p)\n)\n(q)"), "stray-close 2:1");
    cr_assert_str_eq(problem_of(")"), "stray-close 1:1");
    cr_assert_str_eq(problem_of("(p a))"), "stray-close 1:6");
}

Test(kif, bytes_that_do_not_belong) {
    cr_assert_str_eq(kif_problem("(p\0a)", 5), "bad-byte 1:3");
    cr_assert_str_eq(kif_problem("(p\n\x01)", 5), "bad-byte 2:1");
    cr_assert_str_eq(kif_problem("(p\x7f)", 4), "bad-byte 1:3");
    cr_assert_str_eq(kif_problem("(p) ; \0 fine in a comment", 25), "");
}

Test(kif, messages_may_nest_rules) {
    const char *text = "(START m x ((role x) (<= p q)) 10 10)";
    Report report = {0};
    Syntax *syntax =
        syntax_read_kif(source_from_text("test", text, strlen(text), &report), true, &report);
    cr_assert(!report_failed(&report));
    cr_assert_eq(syntax->roots.count, 1);
    syntax_free(syntax);
    cr_assert_str_eq(kif_problem(text, strlen(text)), "unclosed-paren 1:1");
    report_free(&report);
}

static Text repeated(const char *part, size_t times) {
    Text text = {0};
    for (size_t i = 0; i < times; i++)
        text_add(&text, part);
    return text;
}

Test(kif, a_million_deep) {
    enum { DEPTH = 1000000 };
    Text text = repeated("(a ", DEPTH);
    for (int i = 0; i < DEPTH; i++)
        text_add_char(&text, ')');
    Report report = {0};
    Syntax *syntax = read_syntax(text.items, text.count, &report);
    cr_assert(!report_failed(&report));
    cr_assert_eq(node_depth(syntax, 0), DEPTH);
    cr_assert_null(rules_lower(syntax, &report));
    cr_assert_str_eq(first_problem(&report), "too-deep 1:1");
    report_free(&report);
    vector_free(&text);
}

Test(kif, a_symbol_of_a_megabyte) {
    Text text = repeated("abcdefghij", 100000);
    Report report = {0};
    Syntax *syntax =
        syntax_read_kif(source_from_text("t", text.items, text.count, &report), false, &report);
    cr_assert_eq(syntax->nodes.count, 1);
    cr_assert_eq(symbols_length(&syntax->symbols, syntax->nodes.items[0].symbol), 1000000);
    syntax_free(syntax);
    report_free(&report);
    vector_free(&text);
}

static double cpu_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* A parenthesis that is never closed and a line of 100 MB must not cost more than a pass or two. */
Test(kif, a_hundred_megabytes_of_parentheses, .timeout = 600) {
    size_t length = 100000000;
    char *text = memory_alloc(length);
    memset(text, '(', length);
    double start = cpu_seconds();
    cr_assert_str_eq(kif_problem(text, length), "too-deep 1:10000001");
    memset(text, ')', length);
    cr_assert_str_eq(kif_problem(text, length), "stray-close 1:1");
    cr_assert_lt(cpu_seconds() - start, 20);
    free(text);
}

/* Each line looks like the start of the next expression. */
Test(kif, many_unclosed_lines_are_not_quadratic, .timeout = 600) {
    Text text = repeated("(p a\n", 200000);
    Report report = {0};
    double start = cpu_seconds();
    Syntax *syntax = read_syntax(text.items, text.count, &report);
    cr_assert(report_failed(&report));
    cr_assert_lt(cpu_seconds() - start, 10);
    syntax_free(syntax);
    report_free(&report);
    vector_free(&text);
}

static void read_any(const char *path) {
    Report report = {0};
    Rules *rules = rules_read(path, &report);
    cr_assert_eq(rules == NULL, report_failed(&report), "%s", path);
    rules_free(rules);
    report_free(&report);
}

static void read_ours(const char *path) {
    Report report = {0};
    Rules *rules = rules_read(path, &report);
    cr_assert_not_null(rules, "%s: %s", path, first_problem(&report));
    cr_assert_gt(rules->roles.count, 0, "%s", path);
    rules_free(rules);
    report_free(&report);
}

Test(kif, our_games_are_read) {
    visit_games(read_ours);
}

Test(kif, the_corpus_is_read_without_a_crash) {
    visit_corpus(read_any);
}
