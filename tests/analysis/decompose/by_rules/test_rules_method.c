/* Tests decomposition by rules on games whose subgames are known. */
#include "analysis/decompose/by_rules/rules_method.h"

#include "support.h"

static Decomposition *decompose_text(Game **game, const char *text) {
    Report report = {0};
    *game = game_create(rules_of(text), NULL, &report);
    cr_assert_not_null(*game);
    report_free(&report);
    Decomposition *d = rules_decompose(*game, DNF_SHORT, deadline_never());
    cr_assert_not_null(d);
    return d;
}

static void expect(const char *text, DecompositionCounts wanted, size_t meta_actions) {
    Game *game;
    Decomposition *d = decompose_text(&game, text);
    DecompositionCounts counts = decomposition_counts(d);
    cr_assert(counts.with_actions == wanted.with_actions &&
                  counts.useless_with_actions == wanted.useless_with_actions &&
                  counts.autonomous == wanted.autonomous &&
                  counts.useless_autonomous == wanted.useless_autonomous,
              "%u %u %u %u", counts.with_actions, counts.useless_with_actions, counts.autonomous,
              counts.useless_autonomous);
    cr_assert_eq(d->actions.count, meta_actions, "%zu meta-actions", d->actions.count);
    decomposition_free(d);
    game_free(game);
}

Test(rules_method, four_lamps) {
    expect("(role p) (lamp stop) (lamp left) (lamp right) (lamp decoy)"
           "(<= (legal p (press ?l)) (lamp ?l) (not (true (lit ?l))))"
           "(<= (next (lit ?l)) (does p (press ?l))) (<= (next (lit ?l)) (true (lit ?l)))"
           "(<= terminal (true (lit stop)))"
           "(<= (goal p 0) (not (true (lit left))) (not (true (lit right))))"
           "(<= (goal p 30) (true (lit left)) (not (true (lit right))))"
           "(<= (goal p 70) (not (true (lit left))) (true (lit right)))"
           "(<= (goal p 100) (true (lit left)) (true (lit right)))",
           (DecompositionCounts){4, 1, 0, 0}, 4);
}

/* Two dials are turned at once by moves that are plain names: four meta-actions of three moves
 * each. */
#define DIALS                                                                                      \
    "(role p) (init (da 0)) (init (db 0)) (init (turn 1)) (legal p uu) (legal p ud) (legal p uk)"  \
    "(legal p du) (legal p dd) (legal p dk) (legal p ku) (legal p kd) (legal p kk)"                \
    "(<= (next (da ?y)) (does p ?m) (first ?m u) (true (da ?x)) (up ?x ?y))"                       \
    "(<= (next (da ?y)) (does p ?m) (first ?m d) (true (da ?x)) (up ?y ?x))"                       \
    "(<= (next (da ?x)) (does p ?m) (first ?m k) (true (da ?x)))"                                  \
    "(<= (next (db ?y)) (does p ?m) (second ?m u) (true (db ?x)) (up ?x ?y))"                      \
    "(<= (next (db ?y)) (does p ?m) (second ?m d) (true (db ?x)) (up ?y ?x))"                      \
    "(<= (next (db ?x)) (does p ?m) (second ?m k) (true (db ?x)))"                                 \
    "(<= (next (turn ?y)) (true (turn ?x)) (succ ?x ?y)) (<= terminal (true (turn 6)))"            \
    "(<= (goal p 100) (true (da 2)) (true (db 3)))"                                                \
    "(<= (goal p 50) (true (da 2)) (not (true (db 3))))"                                           \
    "(<= (goal p 50) (not (true (da 2))) (true (db 3)))"                                           \
    "(<= (goal p 0) (not (true (da 2))) (not (true (db 3))))"                                      \
    "(first uu u) (first ud u) (first uk u) (first du d) (first dd d) (first dk d) (first ku k)"   \
    "(first kd k) (first kk k) (second uu u) (second du u) (second ku u) (second ud d)"            \
    "(second dd d) (second kd d) (second uk k) (second dk k) (second kk k)"                        \
    "(up 0 1) (up 1 2) (up 2 3) (up 3 0) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)"

Test(rules_method, compound_moves) {
    expect(DIALS, (DecompositionCounts){2, 0, 1, 0}, 4);
    Game *game;
    Decomposition *d = decompose_text(&game, DIALS);
    for (size_t i = 0; i < d->actions.count; i++)
        cr_assert_eq(d->actions.items[i].moves.count, 3);
    cr_assert(d->subgames.items[0].is_synchronous && d->subgames.items[1].is_synchronous);
    cr_assert_eq(d->confidence, 1);
    decomposition_free(d);
    game_free(game);
}

/* Two games are played one after the other: the crossing point between them and their order are
 * found. */
Test(rules_method, series) {
    Game *game;
    Decomposition *d = decompose_text(
        &game,
        "(role p) (init (da 0)) (init (db 0)) (init (dc 0)) (init (turn 1)) (way left) (way right)"
        "(<= door (true (da 2)) (true (db 1)))"
        "(<= (legal p spina) (not door)) (<= (legal p spinb) (not door))"
        "(<= (legal p (spinc ?w)) (way ?w) door)"
        "(<= (next (da ?y)) (does p spina) (true (da ?x)) (up ?x ?y))"
        "(<= (next (da ?x)) (true (da ?x)) (not (does p spina)))"
        "(<= (next (db ?y)) (does p spinb) (true (db ?x)) (up ?x ?y))"
        "(<= (next (db ?x)) (true (db ?x)) (not (does p spinb)))"
        "(<= (next (dc ?y)) (does p (spinc left)) (true (dc ?x)) (up ?x ?y))"
        "(<= (next (dc ?y)) (does p (spinc right)) (true (dc ?x)) (up ?y ?x))"
        "(<= (next (dc ?x)) (true (dc ?x)) (not door))"
        "(<= (next (turn ?y)) (true (turn ?x)) (succ ?x ?y)) (<= terminal (true (turn 5)))"
        "(<= (goal p 100) door (true (dc 1))) (<= (goal p 50) door (not (true (dc 1))))"
        "(<= (goal p 0) (not door)) (up 0 1) (up 1 2) (up 2 0)"
        "(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)");
    DecompositionCounts counts = decomposition_counts(d);
    cr_assert(counts.with_actions == 2 && counts.autonomous == 1, "%u %u", counts.with_actions,
              counts.autonomous);
    cr_assert_eq(d->subgames.items[0].order, 1);
    cr_assert_eq(d->subgames.items[1].order, 2);
    decomposition_free(d);
    game_free(game);
}

static DecompositionCounts counts_of(const char *name, double *confidence) {
    char path[500];
    Report report = {0};
    snprintf(path, sizeof path, "%s/../games/%s.kif", MARELLE_TESTS, name);
    Game *game = game_open(path, NULL, &report);
    cr_assert_not_null(game);
    report_free(&report);
    Decomposition *d = rules_decompose(game, DNF_SHORT, deadline_never());
    cr_assert_not_null(d);
    DecompositionCounts counts = decomposition_counts(d);
    *confidence = d->confidence;
    decomposition_free(d);
    game_free(game);
    return counts;
}

Test(rules_method, games_of_the_house) {
    static const struct {
        const char *name;
        DecompositionCounts counts;
    } known[] = {{"tic_tac_toe", {1, 0, 1, 1}},  {"connect_four", {1, 0, 1, 1}},
                 {"incredible", {2, 0, 1, 0}},   {"nim", {4, 0, 1, 0}},
                 {"eight_puzzle", {1, 0, 1, 0}}, {"maze", {1, 0, 1, 0}}};
    double confidence;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        DecompositionCounts c = counts_of(known[i].name, &confidence);
        const DecompositionCounts *w = &known[i].counts;
        cr_assert(c.with_actions == w->with_actions &&
                      c.useless_with_actions == w->useless_with_actions &&
                      c.autonomous == w->autonomous &&
                      c.useless_autonomous == w->useless_autonomous,
                  "%s: %u %u %u %u", known[i].name, c.with_actions, c.useless_with_actions,
                  c.autonomous, c.useless_autonomous);
        cr_assert_eq(confidence, 1);
    }
}

/* Squares survive a bite by frame axioms: no rule says what a bite removes. */
Test(rules_method, implied_effects_are_not_trusted) {
    Game *game;
    Decomposition *d =
        decompose_text(&game, "(role p) (n 1) (n 2) (n 3) (n 4) (<= (init (sq ?i)) (n ?i))"
                              "(less 1 2) (less 1 3) (less 1 4) (less 2 3) (less 2 4) (less 3 4)"
                              "(<= (legal p (bite ?k)) (true (sq ?k)))"
                              "(<= (next (sq ?i)) (true (sq ?i)) (does p (bite ?k)) (less ?i ?k))"
                              "(<= terminal (not (true (sq 1)))) (<= (goal p 100) (true (sq 1)))"
                              "(<= (goal p 0) (not (true (sq 1))))");
    cr_assert_eq(d->confidence, 0);
    decomposition_free(d);
    game_free(game);
}

/* With a deadline in the past there is no result; with time there is one. */
Test(rules_method, no_time_no_answer) {
    Game *game;
    Decomposition *d = decompose_text(&game, DIALS);
    cr_assert_not_null(d);
    decomposition_free(d);
    cr_assert_null(rules_decompose(game, DNF_SHORT, deadline_in(-1)));
    game_free(game);
}
