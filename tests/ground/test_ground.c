/* Tests the grounding of whole descriptions: static atoms are decided, the others are
 * over-approximated, and exhausted budgets end it cleanly. */
#include "ground_support.h"

#define FRAME "(role a) (init (f 1)) "

Test(ground, static_negation_is_decided) {
    Grounded d = ground(FRAME "(n 1) (n 2) (n 3) (bad 2) (<= (good ?x) (n ?x) (not (bad ?x)))"
                              "(<= (legal a (m ?x)) (good ?x)) (<= terminal (not (good 2)))");
    cr_assert_not_null(find_move(d.g, "(m 1)"));
    cr_assert_null(find_move(d.g, "(m 2)"));
    cr_assert_not_null(find_move(d.g, "(m 3)"));
    for (size_t i = 0; i < d.g->rules.count; i++) /* no rule has a premise left */
        cr_assert_eq(d.g->rules.items[i].literal_count, 0);
    cr_assert_neq(d.g->terminal, ATOM_NONE);
    grounded_free(&d);
}

/* There are six pairs, whatever the order of the clauses and of their premises. */
Test(ground, recursion_in_any_order) {
    static const char *const clauses[] = {"(<= (less ?x ?y) (succ ?x ?y))",
                                          "(<= (less ?x ?z) (succ ?x ?y) (less ?y ?z))",
                                          "(<= (less ?x ?z) (less ?y ?z) (succ ?x ?y))",
                                          "(<= (less ?x ?z) (less ?x ?y) (less ?y ?z))"};
    static const int orders[][2] = {{0, 1}, {1, 0}, {0, 2}, {2, 0}, {0, 3}, {3, 0}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        Text game = {0};
        text_printf(&game,
                    "%s (<= (legal a (m ?x ?y)) (less ?x ?y)) %s %s (succ 3 4) (succ 1 2)"
                    "(succ 2 3)",
                    FRAME, clauses[orders[i][0]], clauses[orders[i][1]]);
        Grounded d = ground(game.items);
        cr_assert_eq(d.g->moves.count, 6);
        cr_assert_not_null(find_move(d.g, "(m 1 4)"));
        cr_assert_null(find_move(d.g, "(m 2 2)"));
        grounded_free(&d);
        vector_free(&game);
    }
}

Test(ground, what_may_change_is_over_approximated) {
    Grounded d = ground("(role a) (init (f 1)) (init gone) (succ 1 2) (succ 2 3) (succ 3 1)"
                        "(legal a go) (<= (legal a (stop ?x)) (true (f ?x)) (not (true (f 1))))"
                        "(<= (next (f ?y)) (does a go) (true (f ?x)) (succ ?x ?y))"
                        "(<= (next unreachable) (true (f 9)))"
                        "(<= (goal a 50) (true (f 2)) (not (true (f 9))))");
    cr_assert_eq(d.g->fluents.count, 4);
    cr_assert(find_fluent(d.g, "(f 1)")->initial && !find_fluent(d.g, "(f 3)")->initial);
    cr_assert_null(find_fluent(d.g, "unreachable"));
    cr_assert_eq(find_fluent(d.g, "gone")->next, ATOM_NONE);
    cr_assert_not_null(
        find_move(d.g, "(stop 1)")); /* this move is never legal, but grounding does not see that */
    cr_assert_eq(d.g->terminal, ATOM_NONE);
    cr_assert_eq(d.g->goals.count, 1);
    grounded_free(&d);
}

Test(ground, whole_relations) {
    Grounded d = ground("(role a) (init (f 1)) (init (g 2 3)) (init z) (inert (f 1)) (inert z)"
                        "(<= (legal a (drop ?f)) (true ?f)) (legal a noop)"
                        "(<= (next ?f) (true ?f) (not (does a (drop ?f))))"
                        "(<= (next (did ?m)) (does a ?m) (distinct ?m noop) (not (true (did ?m)))"
                        "     (small ?m)) (small (drop z))"
                        "(<= terminal (true ?f) (not (inert ?f)))"
                        "(<= (goal a 1) (not (true ?any)))");
    cr_assert_not_null(find_move(d.g, "(drop (g 2 3))"));
    cr_assert_not_null(find_move(d.g, "(drop (did (drop z)))"));
    cr_assert_eq(d.g->fluents.count, 4);
    cr_assert_neq(find_fluent(d.g, "(g 2 3)")->next, ATOM_NONE);
    cr_assert_eq(d.g->goals.count, 1);
    grounded_free(&d);
}

Test(ground, nested_functions) {
    Grounded d =
        ground("(role a) (init (at (point 1 (pair 2 3)))) (legal a m)"
               "(<= (next (at (point ?x (pair ?z ?y)))) (true (at (point ?x (pair ?y ?z)))))"
               "(<= terminal (true (at (point ?x (pair ?y ?x)))))"
               "(<= (goal a 5) (true (at ?p)) (distinct ?p (point 1 (pair 2 3))))");
    cr_assert_eq(d.g->fluents.count, 2);
    cr_assert_not_null(find_fluent(d.g, "(at (point 1 (pair 3 2)))"));
    cr_assert_eq(d.g->terminal, ATOM_NONE);
    cr_assert_eq(d.g->goals.count, 1);
    grounded_free(&d);
}

Test(ground, variables_only_under_a_negation) {
    Grounded d = ground("(role a) (init (p 1 2)) (init (p 2 2)) (n 1) (n 2) (n 3) (legal a noop)"
                        "(<= (legal a (free ?x)) (n ?x) (not (true (p ?x ?y))))"
                        "(<= (legal a (last ?x)) (n ?x) (not (n2 ?x ?y))) (n2 1 2) (n2 2 3)"
                        "(<= (next (p ?x 1)) (does a (free ?x)))");
    cr_assert_not_null(find_move(d.g, "(free 3)"));
    cr_assert_not_null(find_move(d.g, "(last 3)"));
    cr_assert_null(find_move(d.g, "(last 1)"));
    grounded_free(&d);
}

Test(ground, moves_of_a_role_stand_together) {
    Grounded d = ground("(role b) (role a) (init f) (<= (legal ?r m) (role ?r)) (legal a n)"
                        "(legal b k) (legal stranger m)");
    cr_assert_eq(d.g->roles.count, 2);
    cr_assert_eq(d.g->moves.count, 4);
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(d.g->moves.items[i].role, i / 2);
    grounded_free(&d);
}

Test(ground, unsafe_rules_are_errors) {
    GroundBudget budget = {0};
    cr_assert_str_eq(ground_problem(FRAME "(<= (legal a (m ?x)) (true (f 1)))", &budget),
                     "unsafe-variable");
    cr_assert_str_eq(ground_problem(FRAME "(<= terminal (true (f 1)) (distinct ?x 2))", &budget),
                     "unsafe-variable");
    /* Relations that no output needs cause no error. */
    cr_assert_str_eq(ground_problem(FRAME "(legal a m) (<= (unused ?x) (true (f 1)))", &budget),
                     "");
}

static char *large_game(const char *body) {
    Text game = {0};
    text_printf(&game, "(role a) (init f) %s", body);
    for (int i = 0; i < 60; i++)
        text_printf(&game, "(n %d)", i);
    return game.items;
}

Test(ground, budgets, .timeout = 600) {
    const bool cancelled = true;
    const GroundBudget time = {.seconds = 0.0001}, memory = {.seconds = 30, .bytes = 1000},
                       stopped = {.stopped = &cancelled};
    char *game = large_game("(<= (legal a (m ?a ?b ?c ?d)) (n ?a) (n ?b) (n ?c) (n ?d))");
    cr_assert_str_eq(ground_problem(game, &time), "budget");
    cr_assert_str_eq(ground_problem(game, &memory), "budget");
    cr_assert_str_eq(ground_problem(game, &stopped), "budget");
    free(game);
}

/* Terms that grow for ever exhaust the budget, in static relations and in others. */
Test(ground, endless_growth, .timeout = 600) {
    const GroundBudget budget = {.seconds = 0.3, .bytes = 50000000};
    cr_assert_str_eq(
        ground_problem(FRAME "(legal a m) (<= (next (f (s ?x))) (true (f ?x)))", &budget),
        "budget");
    cr_assert_str_eq(
        ground_problem(FRAME "(n 0) (<= (n (s ?x)) (n ?x)) (<= (legal a (m ?x)) (n ?x))", &budget),
        "budget");
}

/* Joins that find no match for a long time are stopped as well. */
Test(ground, fruitless_joins, .timeout = 600) {
    const GroundBudget budget = {.seconds = 0.3};
    const bool cancelled = true;
    const GroundBudget stopped = {.stopped = &cancelled};
    char *game = large_game("(<= (p ?a ?b ?c ?d ?e) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) "
                            "(distinct (g ?a ?b ?c ?d ?e) (g ?a ?b ?c ?d ?e)))"
                            "(<= (legal a m) (p ?a ?b ?c ?d ?e))");
    cr_assert_str_eq(ground_problem(game, &budget), "budget");
    cr_assert_str_eq(ground_problem(game, &stopped), "budget");
    free(game);
}

Test(ground, too_many_columns) {
    Text game = {0};
    GroundBudget budget = {0};
    text_add(&game, "(role a) (legal a m) (init (f");
    for (int i = 0; i < RELATION_MAX_COLUMNS + 1; i++)
        text_printf(&game, " %d", i);
    text_add(&game, "))");
    cr_assert_str_eq(ground_problem(game.items, &budget), "budget");
    vector_free(&game);
    /* Inside a term, as many arguments are no error. */
    text_add(&game, "(role a) (legal a m) (init (f (g");
    for (int i = 0; i < RELATION_MAX_COLUMNS + 1; i++)
        text_printf(&game, " %d", i);
    text_add(&game, "))) (<= (next (f (h ?x))) (true (f ?x)) (does a n))");
    cr_assert_str_eq(ground_problem(game.items, &budget), "");
    vector_free(&game);
}

Test(ground, atoms_have_texts) {
    Grounded d = ground(FRAME "(legal a (go 1)) (legal a z)"
                              "(<= (next (f 2)) (does a (go 1)) (not (true (f 1))))");
    Text text = {0};
    ground_write_atom(d.g, find_fluent(d.g, "(f 1)")->current, &text);
    text_add(&text, " ");
    ground_write_atom(d.g, find_move(d.g, "(go 1)")->does, &text);
    text_add(&text, " ");
    ground_write_atom(d.g, find_move(d.g, "z")->legal, &text);
    cr_assert_str_eq(text.items, "(true (f 1)) (does a (go 1)) (legal a z)");
    vector_free(&text);
    grounded_free(&d);
}

static void ground_file(const char *path) {
    if (!strstr(path, ".kif"))
        return;
    Report report = {0};
    GroundBudget budget = {.seconds = 60};
    Rules *rules = rules_read(path, &report);
    Grounding *g = ground_rules(rules, &budget, &report);
    cr_assert_not_null(g, "%s: %s", path, first_problem(&report));
    cr_assert(g->fluents.count && g->moves.count && g->goals.count, "%s", path);
    grounding_free(g);
    rules_free(rules);
    report_free(&report);
}

Test(ground, every_game_of_the_project) {
    visit_games(ground_file);
}
