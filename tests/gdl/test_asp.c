/* Tests answer set programs: the spelling of names, and the answers of gringo and clingo for the
 * games. */
#include "gdl/asp.h"

#include <unistd.h>

#include "support.h"

/* Compares the translation after its header. */
static void assert_asp(const char *text, const char *expected) {
    Rules *rules = rules_of(text);
    Text out = {0};
    rules_write_asp(&out, rules);
    const char *body = strstr(out.items, "legal(R,M), reach = 1.\n\n");
    body = strstr(body, "\n\n") + 2;
    cr_assert_str_eq(body, expected, "%s became\n%s", text, body);
    vector_free(&out);
    rules_free(rules);
}

Test(asp, clauses) {
    assert_asp("(role x) (<= terminal (not (open a)))", "role(x).\nterminal :- not open(a).\n");
    assert_asp("(<= (p ?x) (q ?x ?y) (distinct ?x (f ?y)))",
               "p(V_x) :- q(V_x,V_y), V_x != f(V_y).\n");
    assert_asp("(<= p (or a b))", "p :- a.\np :- b.\n");
}

Test(asp, names) {
    assert_asp("(Cell Red ?New)", "cell(red,V_new).\n");
    assert_asp("(p 0 17 007 -5 1234567890 1st)", "p(0,17,x_007,x__2d5,x_1234567890,x_1st).\n");
    assert_asp("(p a-b a_2db x_y aux_1 not _z)", "p(x_a_2db,a_2db,x_x_y,x_aux_1,x_not,x__z).\n");
    assert_asp("(p (1 2) 3)", "p(x_1(2),3).\n");
    assert_asp("(p ?x-y ?x_2dy ?)", "p(V_x_2dy,V_x_5f2dy,V_).\n");
    assert_asp("1", "x_1.\n");
}

Test(asp, plans_know_the_time) {
    Rules *rules = rules_of("(role r) (init p) (size 3) (<= (next p) (does r m) (not q))"
                            "(<= q (true p) (not (true (at ?x)))) (legal r m) (<= s (size ?n))");
    Text out = {0};
    rules_write_plan(&out, rules);
    const char *body = strstr(out.items, "#show does/3.\n\n") + strlen("#show does/3.\n\n");
    cr_assert_str_eq(body, "role(r).\ninit(p).\nsize(3).\n"
                           "next(p,T) :- does(r,m,T), not q(T), aux_time(T).\n"
                           "q(T) :- true(p,T), not aux_1(T), aux_time(T).\n"
                           "aux_1(T) :- true(at(V_x),T).\n"
                           "legal(r,m,T) :- aux_time(T).\ns :- size(V_n).\n");
    vector_free(&out);
    rules_free(rules);
}

Test(asp, variables_only_in_negations) {
    assert_asp("(<= (p ?x) (q ?x) (not (r ?x ?y)))",
               "p(V_x) :- q(V_x), not aux_1(V_x).\naux_1(V_x) :- r(V_x,V_y).\n");
    assert_asp("(<= p (not (r ?x)) (not (s ?y)))",
               "p :- not aux_1, not aux_2.\naux_1 :- r(V_x).\naux_2 :- s(V_y).\n");
}

static bool has_program(const char *name) {
    Text command = {0};
    text_printf(&command, "command -v %s >/dev/null 2>&1", name);
    bool found = system(command.items) == 0;
    vector_free(&command);
    return found;
}

/* Runs the shell command. In it, $ASP names a file with the answer set program of the rules. */
static int run_on(const Rules *rules, const char *command, Text *output) {
    char path[] = "/tmp/marelle-test-XXXXXX";
    int file = mkstemp(path);
    Text out = {0};
    rules_write_asp(&out, rules);
    cr_assert_eq(write(file, out.items, out.count), (ssize_t)out.count);
    close(file);
    setenv("ASP", path, 1);
    FILE *pipe = popen(command, "r");
    for (int c; (c = fgetc(pipe)) != EOF;)
        text_add_char(output, (char)c);
    int status = pclose(pipe);
    unlink(path);
    vector_free(&out);
    return status;
}

static void ground(const char *path) {
    Report report = {0};
    Rules *rules = rules_read(path, &report);
    if (rules) {
        Text output = {0};
        int status = run_on(rules, "timeout 60 gringo --text $ASP 2>&1 >/dev/null", &output);
        cr_assert(status == 0 || WEXITSTATUS(status) == 124, "%s: %s", path, text_string(&output));
        vector_free(&output);
    }
    rules_free(rules);
    report_free(&report);
}

Test(asp, gringo_grounds_our_games, .timeout = 600) {
    if (!has_program("gringo"))
        cr_skip_test("no gringo");
    visit_games(ground);
}

static void ground_sample(const char *path) {
    const char *sound[] = {"/base/ticTacToe_v0.kif", "/base/connectFour_v0.kif",
                           "/base/maze_v0.kif",      "/base/blocker_v0.kif",
                           "/base/buttons_v0.kif",   "/dresden/eightpuzzle_v0.kif",
                           "/gdl2/montyhall"};
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++)
        if (strstr(path, sound[i]))
            ground(path);
}

Test(asp, gringo_grounds_games_of_the_corpus, .timeout = 600) {
    if (!has_program("gringo"))
        cr_skip_test("no gringo");
    visit_corpus(ground_sample);
}

static const char first_state[] =
    "echo 'true(F) :- init(F). #show legal/2.' | clingo -c reach=0 $ASP - 2>/dev/null"
    " | grep '^legal' | tr ' ' '\\n' | sort | tr '\\n' ' '";

Test(asp, clingo_finds_the_first_moves_of_tic_tac_toe) {
    if (!has_program("clingo"))
        cr_skip_test("no clingo");
    Report report = {0};
    Rules *rules = rules_read(MARELLE_TESTS "/../games/tic_tac_toe.kif", &report);
    Text output = {0};
    run_on(rules, first_state, &output);
    cr_assert_str_eq(text_string(&output),
                     "legal(o,noop) legal(x,mark(1,1)) legal(x,mark(1,2)) legal(x,mark(1,3)) "
                     "legal(x,mark(2,1)) legal(x,mark(2,2)) legal(x,mark(2,3)) legal(x,mark(3,1)) "
                     "legal(x,mark(3,2)) legal(x,mark(3,3)) ");
    vector_free(&output);
    rules_free(rules);
}

/* gringo finds the published numbers of reachable moves and fluents. */
Test(asp, gringo_counts_the_fluents_and_moves_of_tic_tac_toe) {
    if (!has_program("gringo"))
        cr_skip_test("no gringo");
    Report report = {0};
    Rules *rules = rules_read(MARELLE_TESTS "/../games/tic_tac_toe.kif", &report);
    Text output = {0};
    run_on(rules, "gringo --text $ASP | grep -o '^{true([^:]*)}' | sort -u | wc -l", &output);
    cr_assert_str_eq(text_string(&output), "29\n");
    text_clear(&output);
    run_on(rules, "gringo --text $ASP | grep -o '^{does([^:]*)}' | sort -u | wc -l", &output);
    cr_assert_str_eq(text_string(&output), "20\n");
    vector_free(&output);
    rules_free(rules);
}
