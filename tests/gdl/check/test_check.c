/* Tests the checker on small files. For every code there is one file that gets it and one that
 * nearly does, in tests/check as CODE.bad.EXT and CODE.good.EXT. Important messages and positions
 * are tested as well. */
#include "gdl/check/check.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "gdl/check/codes.h"
#include "gdl/check/suggest.h"

static const char game[] = "(role white)\n"
                           "(init (step 0))\n"
                           "(succ 0 1)\n"
                           "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))\n"
                           "(legal white go)\n"
                           "(<= (goal white 100) (true (step 1)))\n"
                           "(<= terminal (true (step 1)))\n";
enum { GAME_LINES = 7 };

static void check_rules(Rules *rules, Report *report) {
    if (rules)
        rules_check(rules, report);
    rules_free(rules);
}

static Report check_file(const char *path) {
    Report report = {0};
    check_rules(rules_read(path, &report), &report);
    return report;
}

static Report check_text(const char *text) {
    Report report = {0};
    check_rules(rules_read_text("test", text, strlen(text), &report), &report);
    return report;
}

/* Checks the game above with further rules, which start on line 8. */
static Report check_with(const char *more) {
    char text[4000];
    snprintf(text, sizeof text, "%s%s", game, more);
    return check_text(text);
}

static const Diagnostic *find(const Report *report, const char *code) {
    for (size_t i = 0; i < report->items.count; i++)
        if (strcmp(report->items.items[i].code, code) == 0)
            return &report->items.items[i];
    return NULL;
}

static size_t count(const Report *report, const char *code) {
    size_t found = 0;
    for (size_t i = 0; i < report->items.count; i++)
        found += strcmp(report->items.items[i].code, code) == 0;
    return found;
}

typedef struct {
    const char *code;
    uint32_t line, column; /* line within the added rules */
    const char *message;   /* a part of the message */
    const char *hint;      /* a part of the hint, or NULL if none is expected */
} Expected;

static void expect(const char *more, Expected expected) {
    Report report = check_with(more);
    const Diagnostic *d = find(&report, expected.code);
    cr_assert_not_null(d, "%s was not reported for\n%s", expected.code, more);
    cr_expect_eq(d->line, expected.line + GAME_LINES, "%s: line %u", expected.code, d->line);
    cr_expect_eq(d->column, expected.column, "%s: column %u", expected.code, d->column);
    cr_expect_not_null(strstr(d->message, expected.message), "%s: %s", expected.code, d->message);
    if (!expected.hint)
        cr_expect_null(d->hint, "%s: %s", expected.code, d->hint);
    else
        cr_expect(d->hint && strstr(d->hint, expected.hint), "%s: %s", expected.code,
                  d->hint ? d->hint : "no hint");
    report_free(&report);
}

static void refuse(const char *more, const char *code) {
    Report report = check_with(more);
    cr_expect_null(find(&report, code), "%s was reported for\n%s", code, more);
    report_free(&report);
}

static const CodeInfo *code_find(const char *name) {
    for (DiagnosticCode c = 0; c < CODE_COUNT; c++)
        if (strcmp(code_info(c)->name, name) == 0)
            return code_info(c);
    return NULL;
}

/* Returns 'b' or 'g' and the code of a file of tests/check; 0 for other files. */
static char take_apart(const char *name, char code[64]) {
    const char *dot = strchr(name, '.');
    if (!dot || dot - name >= 64)
        return 0;
    memcpy(code, name, (size_t)(dot - name));
    code[dot - name] = '\0';
    return strncmp(dot, ".bad.", 5) == 0 ? 'b' : strncmp(dot, ".good.", 6) == 0 ? 'g' : 0;
}

static void check_example(const char *path, char kind, const CodeInfo *info) {
    Report report = check_file(path);
    const Diagnostic *d = find(&report, info->name);
    if (kind == 'g') {
        cr_expect_null(d, "%s reports %s", path, info->name);
        cr_expect(!report_failed(&report), "%s has errors", path);
    } else {
        cr_assert_not_null(d, "%s does not report %s", path, info->name);
        cr_expect_eq(d->severity, info->severity, "%s", path);
        cr_expect_eq(report.counts[SEVERITY_ERROR] > 0, info->severity == SEVERITY_ERROR, "%s",
                     path);
    }
    report_free(&report);
}

Test(check, finds_what_each_bad_example_shows_and_nothing_in_the_good_ones) {
    DIR *folder = opendir(MARELLE_TESTS "/check");
    cr_assert_not_null(folder);
    bool seen[CODE_COUNT][2] = {{false}};
    for (struct dirent *entry; (entry = readdir(folder));) {
        char code[64], path[1000];
        char kind = take_apart(entry->d_name, code);
        if (!kind)
            continue;
        const CodeInfo *info = code_find(code);
        cr_assert_not_null(info, "%s is no code", code);
        seen[info - code_info(0)][kind == 'g'] = true;
        snprintf(path, sizeof path, "%s/check/%s", MARELLE_TESTS, entry->d_name);
        check_example(path, kind, info);
    }
    closedir(folder);
    for (DiagnosticCode c = 0; c < CODE_COUNT; c++) {
        bool is_played = c >= CODE_NO_LEGAL_MOVE; /* tests/cli/simulate.test tests these codes */
        bool needs_no_file = c == CODE_UNREADABLE || c == CODE_TOO_LARGE || c == CODE_NOT_TEXT ||
                             c == CODE_CUT_SHORT || is_played;
        cr_expect(needs_no_file || (seen[c][0] && seen[c][1]), "%s lacks an example",
                  code_info(c)->name);
    }
}

Test(check, tells_files_that_cannot_be_read) {
    Report report = check_file("/nowhere/at all");
    cr_expect_not_null(find(&report, "unreadable"));
    report_free(&report);
    report = check_file("/");
    cr_expect_not_null(find(&report, "unreadable"));
    cr_expect_not_null(strstr(report.items.items[0].message, "is a directory"));
    report_free(&report);
    cr_expect_null(source_from_text("large", "", (size_t)SOURCE_MAX_SIZE + 1, &report));
    cr_expect_not_null(find(&report, "too-large"));
    report_free(&report);
    report = check_file("/dev/zero");
    cr_expect_not_null(find(&report, "not-text"));
    report_free(&report);
}

Test(check, accepts_the_game_all_other_tests_start_from) {
    Report report = check_text(game);
    cr_expect_eq(report.items.count, 0);
    report_free(&report);
}

/* Each restriction of GDL is enforced, and the message names the clause. */
Test(check, rejects_each_breach_of_the_definition) {
    expect("(<= (legal white (jump ?far)) (succ 0 1))",
           (Expected){"unsafe-variable", 1, 24, "`?far` occurs in the conclusion", NULL});
    expect("(<= (legal white stop)\n    (not (true (step ?x))))",
           (Expected){"unsafe-negation", 2, 22, "`?x` occurs in a negated premise",
                      "\"for no `?x` at all\""});
    expect("(<= (legal white stop) (succ 0 ?x) (distinct ?x ?y))",
           (Expected){"unsafe-variable", 1, 49, "`?y` occurs in `distinct`", NULL});
    expect("(<= p (not q))\n(<= q p)\n(<= (legal white stop) p)",
           (Expected){"unstratified", 1, 12, "p -> not q (line 8) -> p (line 9)", "cannot follow"});
    expect("(number 0)\n(<= (number (s ?n)) (number ?n))\n(<= (legal white ?n) (number ?n))",
           (Expected){"unbounded-recursion", 2, 29, "only from the recursive premise `number`",
                      "bind `?n`"});
    expect("(<= (h ?x) (does ?x go))\n(<= (legal white stop) (h white))",
           (Expected){"forbidden-dependency", 2, 25, "legal -> h (line 9) -> does (line 8)",
                      "next state"});
    expect("(<= (h ?x) (does ?x go))\n(<= (goal white 0) (h white))",
           (Expected){"forbidden-dependency", 2, 21, "`goal` must not depend on `does`",
                      "next state"});
    expect("(<= (h ?x) (does ?x go))\n(<= terminal (not (h white)))",
           (Expected){"forbidden-dependency", 2, 20, "`terminal` must not depend on `does`",
                      "next state"});
    expect("(<= (init (step ?x)) (true (step ?x)))",
           (Expected){"forbidden-dependency", 1, 23, "init -> true (line 8)", "before the game"});
    expect("(<= (true (step 1)) (succ 0 1))",
           (Expected){"keyword-head", 1, 6, "`true` cannot be concluded", "`init`"});
    expect("(does white go)",
           (Expected){"keyword-head", 1, 2, "`does` cannot be concluded", "`legal`"});
    expect("(<= (legal white stop) (succ 0))",
           (Expected){"arity-mismatch", 1, 25, "`succ` has 1 argument here, but 2 at line 3",
                      "never holds"});
    expect("(<= (legal white) (succ 0 1))",
           (Expected){"keyword-arity", 1, 6, "a role and a move, but here it has 1", NULL});
}

Test(check, tells_harmless_breaches_from_harmful_ones) {
    expect("(<= (goal white 0) (not (goal white 100)))",
           (Expected){"loose-negation", 1, 26, "goal -> not goal (line 8)", "GDL forbids"});
    refuse("(<= (goal white 0) (not (goal white 100)))", "unstratified");
    expect("(<= (goal white ?x) (succ ?x 0) (not (goal white ?x)))",
           (Expected){"unstratified", 1, 39, "goal -> not goal (line 8)", "cannot follow"});
    const char *closure = "(<= (less ?x ?y) (succ ?x ?y))\n"
                          "(<= (less ?x ?z) (less ?x ?y) (less ?y ?z))\n"
                          "(<= (legal white stop) (less 0 1))";
    refuse(closure, "unbounded-recursion");
    expect(closure, (Expected){"loose-recursion", 2, 27, "`?y` comes only from", NULL});
}

Test(check, sees_growth_through_another_clause) {
    const char *spiral = "(a 0)\n(<= (b ?x (s ?x)) (a ?x))\n(<= (a ?y) (b ?x ?y))\n"
                         "(<= (legal white ?x) (a ?x))";
    Report report = check_with(spiral);
    cr_expect_not_null(find(&report, "unbounded-recursion"));
    report_free(&report);
    expect("(<= (next (was ?f)) (true ?f))",
           (Expected){"growing-fluent", 1, 12, "`(was ?f)` may wrap a `?f`", "bounds them"});
    refuse("(<= (next (was ?x)) (true (step ?x)))", "growing-fluent");
}

Test(check, suggests_what_was_meant) {
    expect("(<= (legal white stop) (suck 0 1))",
           (Expected){"undefined-predicate", 1, 25, "no rule or fact concludes `suck`",
                      "did you mean `succ`?"});
    expect("(<= (legal white stop) (ture (step 1)))",
           (Expected){"undefined-predicate", 1, 25, "`ture`", "did you mean `true`?"});
    expect("(<= (legal white stop) (step 1))",
           (Expected){"undefined-predicate", 1, 25, "`step`", "did you mean `(true (step ...))`?"});
    expect("(<= (legal white stop) (true (setp 1)))",
           (Expected){"unknown-fluent", 1, 31, "fluent `setp` with 1 argument",
                      "did you mean `step`?"});
    expect("(<= (legal white stop) (true (succ 0 1)))",
           (Expected){"unknown-fluent", 1, 31, "`succ`", "is a relation"});
    expect("(<= (legal white stop) (true (step 1 2)))",
           (Expected){"unknown-fluent", 1, 31, "`step` with 2 arguments", "1 argument at line 2"});
    expect("(legal whit stop)",
           (Expected){"unknown-role", 1, 8, "`whit` is not a role", "did you mean `white`?"});
    expect("(<= terminall (true (step 0)))",
           (Expected){"unused-predicate", 1, 5, "`terminall`", "did you mean `terminal`?"});
    expect("(<= (legal white stop) (true step 1))",
           (Expected){"keyword-arity", 1, 25, "`true` takes one argument", "around `(step 1)`"});
    expect("(<= (legal ?player stop) (true (step 1)))",
           (Expected){"unsafe-variable", 1, 12, "`?player`", "add `(role ?player)`"});
    expect("(<= (legal white (to ?target)) (succ 0 ?traget))",
           (Expected){"unsafe-variable", 1, 22, "`?target`", "did you mean `?traget`?"});
    expect("(<= (legal white (to ?target)) (succ 0 ?target) (true (step target)))",
           (Expected){"probable-typo", 1, 61, "constant `target` occurs only here",
                      "did you mean `?target`?"});
}

Test(check, does_not_take_families_of_variables_for_slips) {
    refuse("(<= (legal white (to ?row1)) (succ ?row1 ?row2))", "probable-typo");
    refuse("(<= (legal white (to ?xpos)) (succ ?xpos ?ypos))", "probable-typo");
    refuse("(<= (legal white (to ?row)) (succ ?row ?rows))", "probable-typo");
}

Test(check, speaks_once_however_often_or_is_multiplied_out) {
    Report report = check_with("(<= (legal white (to ?x))\n"
                               "    (or (succ 0 1) (succ 1 0))\n"
                               "    (or (succ 0 1) (nothing 1 0)))");
    cr_expect_eq(count(&report, "unsafe-variable"), 1);
    cr_expect_eq(count(&report, "undefined-predicate"), 1);
    report_free(&report);
    refuse("(<= (legal white stop) (or (succ 0 1) (succ 0 0))\n"
           "    (or (not (succ 0 1)) (succ 0 1)))",
           "contradiction");
    expect("(<= (legal white (to ?x)) (or (succ 0 ?x) (succ 0 1)))",
           (Expected){"unsafe-variable", 1, 22, "in one alternative of this rule", NULL});
}

Test(check, follows_values_through_the_whole_game) {
    expect("(<= (legal white stop) (true (step 9)))",
           (Expected){"unknown-value", 1, 36, "`9` never occurs as argument 1 of `step`",
                      "it can be"});
    refuse("(<= (legal white stop) (true (step 1)))", "unknown-value");
    refuse("(<= (next (step ?x)) (does white (leap ?x)))\n"
           "(<= (legal white (leap 9)) (true (step 9)))",
           "unknown-value");
}

Test(check, reports_causes_not_consequences) {
    Report report = check_with("(<= (a ?x) (a ?x))\n(<= (b ?x) (a ?x))\n(<= (c ?x) (b ?x))\n"
                               "(<= (legal white (to ?x)) (c ?x))");
    cr_expect_eq(count(&report, "never-fires"), 1);
    cr_expect_eq(find(&report, "never-fires")->line, GAME_LINES + 1);
    report_free(&report);
}

Test(check, writes_in_the_notation_of_the_file) {
    Report report = check_text("role(white)\ninit(step(0))\nlegal(white,go(F)) :- true(step(0))\n"
                               "next(step(X)) :- true(step(X))\ngoal(white,100)\n"
                               "terminal :- true(step(0))\n");
    const Diagnostic *d = find(&report, "unsafe-variable");
    cr_assert_not_null(d);
    cr_expect_eq(d->line, 3);
    cr_expect_eq(d->column, 16);
    cr_expect_not_null(strstr(d->message, "`F`"));
    report_free(&report);
}

Test(check, points_at_the_opening_of_an_unclosed_comment) {
    Report report = check_text("role(white)\n\n/* one\n two\n");
    const Diagnostic *d = find(&report, "unclosed-comment");
    cr_assert_not_null(d);
    cr_expect_eq(d->line, 3);
    cr_expect_eq(d->column, 1);
    report_free(&report);
}

Test(check, sorts_by_place) {
    Report report = check_with("(<= (a ?x) (b ?y))\n(legal black go)\n(<= (c ?z) (true (d)))");
    cr_assert_gt(report.items.count, 4);
    for (size_t i = 1; i < report.items.count; i++)
        cr_expect_leq(report.items.items[i - 1].line, report.items.items[i].line);
    report_free(&report);
}

Test(codes, are_named_and_explained_once_each) {
    for (DiagnosticCode a = 0; a < CODE_COUNT; a++) {
        const CodeInfo *info = code_info(a);
        cr_assert(info->name && info->summary && *info->summary, "code %d", a);
        cr_expect_eq(code_find(info->name), info, "%s twice", info->name);
        cr_expect_eq(strspn(info->name, "abcdefghijklmnopqrstuvwxyz-"), strlen(info->name));
    }
    cr_expect_null(code_find("no-such-code"));
}

/* docs/reference/diagnostics.md has one heading `### code (severity)` for each code, in the order
 * of the table, and no others. */
Test(codes, are_documented) {
    FILE *file = fopen(MARELLE_TESTS "/../docs/reference/diagnostics.md", "r");
    cr_assert_not_null(file);
    char line[1000], wanted[200];
    DiagnosticCode next = 0;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "### ", 4) != 0)
            continue;
        cr_assert_lt(next, CODE_COUNT, "documented, but no code: %s", line);
        const CodeInfo *info = code_info(next++);
        snprintf(wanted, sizeof wanted, "### %s (%s)\n", info->name, severity_name(info->severity));
        cr_expect_str_eq(line, wanted);
    }
    fclose(file);
    cr_expect_eq(next, CODE_COUNT);
}

Test(suggest, counts_edits) {
    cr_expect_eq(edit_distance("control", "control", 2), 0);
    cr_expect_eq(edit_distance("contorl", "control", 2), 1);
    cr_expect_eq(edit_distance("cntrol", "control", 2), 1);
    cr_expect_eq(edit_distance("Controls", "control", 2), 1);
    cr_expect_eq(edit_distance("kontrolls", "control", 2), 3);
    cr_expect_eq(edit_distance("", "abc", 1), 2);
    cr_expect_eq(edit_distance("", "abc", 3), 3);
}

Test(suggest, takes_the_nearest) {
    Suggestion suggestion = suggestion_for("contrl");
    suggestion_offer(&suggestion, "central");
    suggestion_offer(&suggestion, "control");
    suggestion_offer(&suggestion, "cell");
    cr_expect_str_eq(suggestion.best, "control");
    suggestion = suggestion_for("xy");
    suggestion_offer(&suggestion, "x");
    cr_expect_null(suggestion.best);
}
