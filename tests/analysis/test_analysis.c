/* Tests the whole elementary analysis: known facts about the project's games, which must not depend
 * on the names in the rules. */
#include "analysis/analysis.h"

#include "base/bitset.h"
#include "games.h"

static Analysis *analyse(Game *game) {
    AnalysisOptions options = {.seconds = 20, .seed = 1};
    return analysis_run(game, &options);
}

static size_t count_clocks(const Analysis *a, ClockKind kind) {
    size_t count = 0;
    for (size_t i = 0; i < a->clocks->items.count; i++)
        count += a->clocks->items.items[i].kind == kind;
    return count;
}

static size_t count_groups(const Analysis *a, size_t size, Certainty most, Certainty least) {
    size_t count = 0;
    for (size_t i = 0; i < a->mutexes.count; i++) {
        const MutexGroup *g = &a->mutexes.items[i];
        count += (!size || g->fluents.count == size) && g->at_most_one == most &&
                 g->at_least_one == least;
    }
    return count;
}

static size_t count_latches(const uint8_t *latches, uint32_t count, Certainty certainty) {
    size_t found = 0;
    for (uint32_t f = 0; f < count; f++)
        found += latches[f] == certainty;
    return found;
}

static size_t count_noops(const Analysis *a, NoopKind kind) {
    size_t count = 0;
    for (size_t i = 0; i < a->noops.count; i++)
        count += a->noops.items[i].kind == kind && a->noops.items[i].certainty == CERTAINTY_PROVED;
    return count;
}

Test(analysis, tic_tac_toe) {
    Game *game = game_named("tic_tac_toe");
    Analysis *a = analyse(game);
    cr_assert_eq(a->turns.kind, TURNS_ALTERNATING);
    cr_assert_eq(a->turns.certainty, CERTAINTY_PROVED);
    cr_assert_eq(a->turns.controls.count, 2);
    cr_assert_eq(a->turns.impartial, CERTAINTY_NONE);
    cr_assert_eq(count_clocks(a, CLOCK_CONTROL), 1);
    cr_assert_eq(count_clocks(a, CLOCK_STEPPER), 0);
    cr_assert_eq(count_noops(a, NOOP_WAITS), 2);
    cr_assert_eq(count_noops(a, NOOP_IDLES), 0);
    cr_assert_eq(count_groups(a, 3, CERTAINTY_PROVED, CERTAINTY_PROVED), 9);
    cr_assert_eq(count_groups(a, 2, CERTAINTY_PROVED, CERTAINTY_PROVED), 1);
    cr_assert_eq(count_latches(a->latches.once_true, 29, CERTAINTY_PROVED), 18);
    cr_assert_eq(count_latches(a->latches.once_false, 29, CERTAINTY_PROVED), 9);
    cr_assert_eq(a->scores.constant_sum, CERTAINTY_PROVED);
    cr_assert_eq(a->scores.sum, 100);
    cr_assert_eq(a->scores.always_equal, CERTAINTY_NONE);
    analysis_free(a);
    game_free(game);
}

/* The sixteen moves of contemplation have no effect; the counter ends every match. */
Test(analysis, incredible) {
    Game *game = game_named("incredible");
    Analysis *a = analyse(game);
    cr_assert_eq(a->turns.kind, TURNS_SINGLE);
    cr_assert_eq(count_clocks(a, CLOCK_STEPPER), 1);
    cr_assert_eq(a->clocks->certainty, CERTAINTY_PROVED);
    cr_assert_eq(count_noops(a, NOOP_IDLES), 16);
    cr_assert_eq(a->horizon, 19);
    cr_assert_eq(a->horizon_certainty, CERTAINTY_PROVED);
    size_t useless = 0;
    for (uint32_t m = 0; m < samples_move_count(a->samples); m++)
        useless += !bitset_get(a->relevance->moves_needed, m);
    cr_assert_eq(useless, 16);
    analysis_free(a);
    game_free(game);
}

/* Passing is legal at any time, so it is not waiting, but it never has an effect. */
Test(analysis, passing_at_will) {
    Game *game = game_of_text(
        "(role a) (role b) (init (turn a)) (init (left 1)) (init (left 2)) (init (left 3))"
        "(<= (legal ?r pass) (role ?r)) (<= (legal ?r (take ?x)) (true (turn ?r)) (true (left ?x)))"
        "(<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))"
        "(<= (next (left ?x)) (true (left ?x)) (not (taken ?x))) (<= (taken ?x) (does ?r (take "
        "?x)))"
        "(<= some (true (left ?x))) (<= terminal (not some))"
        "(<= (goal ?r 100) (true (turn ?r))) (<= (goal ?r 0) (role ?r) (not (true (turn ?r))))");
    Analysis *a = analyse(game);
    cr_assert_eq(count_noops(a, NOOP_WAITS), 0);
    cr_assert_eq(count_noops(a, NOOP_IDLES), 2);
    analysis_free(a);
    game_free(game);
}

/* "One status per cell" is inductive only with "one blank", and the reverse: both are found. */
Test(analysis, eight_puzzle_needs_two_families) {
    Game *game = game_named("eight_puzzle");
    Analysis *a = analyse(game);
    cr_assert_eq(count_groups(a, 9, CERTAINTY_PROVED, CERTAINTY_PROVED), 18);
    cr_assert_eq(count_groups(a, 61, CERTAINTY_PROVED, CERTAINTY_PROVED), 1);
    analysis_free(a);
    game_free(game);
}

Test(analysis, impartial_games) {
    static const char *const impartial[] = {"nim", "nim_misere", "chomp"};
    static const char *const partial[] = {"tic_tac_toe", "connect_four", "breakthrough"};
    for (size_t i = 0; i < 3; i++) {
        Game *a = game_named(impartial[i]), *b = game_named(partial[i]);
        AnalysisOptions options = {.without_proofs = true};
        Analysis *x = analysis_run(a, &options), *y = analysis_run(b, &options);
        cr_assert_eq(x->turns.impartial, CERTAINTY_OBSERVED, "%s", impartial[i]);
        cr_assert_eq(y->turns.impartial, CERTAINTY_NONE, "%s", partial[i]);
        analysis_free(x);
        analysis_free(y);
        game_free(a);
        game_free(b);
    }
}

/* Writes everything that must not change with names: counts by kind and certainty. */
static void summarise(const Analysis *a, Text *out) {
    size_t sizes[200] = {0};
    for (size_t i = 0; i < a->clocks->items.count; i++) {
        const Clock *c = &a->clocks->items.items[i];
        sizes[c->fluents.count % 64 + 64 * (size_t)c->kind]++;
    }
    text_add(out, "clocks");
    for (size_t i = 0; i < 192; i++)
        if (sizes[i])
            text_printf(out, " %zu*%zu", sizes[i], i);
    text_printf(out, "; turns %d %d controls %zu impartial %d", (int)a->turns.kind,
                (int)a->turns.certainty, a->turns.controls.count, (int)a->turns.impartial);
    text_printf(out, "; waits %zu idles %zu", count_noops(a, NOOP_WAITS),
                count_noops(a, NOOP_IDLES));
    text_printf(out, "; exactly one %zu", count_groups(a, 0, CERTAINTY_PROVED, CERTAINTY_PROVED));
    text_printf(out, "; scores %d %d; horizon %u", (int)a->scores.constant_sum,
                (int)a->scores.always_equal,
                a->horizon_certainty == CERTAINTY_PROVED ? a->horizon : 0);
    uint32_t fluents = a->samples->fluent_count;
    text_printf(out, "; once true %zu false %zu",
                count_latches(a->latches.once_true, fluents, CERTAINTY_PROVED),
                count_latches(a->latches.once_false, fluents, CERTAINTY_PROVED));
    text_printf(out, "; needed %zu %zu", bitset_count(a->relevance->needed, a->fluent_words),
                bitset_count(a->relevance->needed_for_result, a->fluent_words));
}

Test(analysis, names_do_not_matter) {
    static const char *const names[] = {"tic_tac_toe",  "nim",       "chomp",
                                        "eight_puzzle", "lights_on", "connect_four",
                                        "blocks_world", "maze",      "buttons_and_lights"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Rules *rules = rules_named(names[i]);
        char *text = disguised(rules, 7 + i);
        Game *plain = game_of_rules(rules, false), *other = game_of_text(text);
        Analysis *a = analyse(plain), *b = analyse(other);
        Text x = {0}, y = {0};
        summarise(a, &x);
        summarise(b, &y);
        cr_expect_str_eq(x.items, y.items, "%s:\n%s\n%s", names[i], x.items, y.items);
        vector_free(&x);
        vector_free(&y);
        analysis_free(a);
        analysis_free(b);
        game_free(plain);
        game_free(other);
        free(text);
    }
}

/* Without a circuit the observations are the same, and nothing is proved. */
Test(analysis, interpreted_games) {
    Game *game = game_of_rules(rules_named("tic_tac_toe"), true);
    Analysis *a = analyse(game);
    cr_assert_eq(a->turns.kind, TURNS_ALTERNATING);
    cr_assert_eq(a->turns.certainty, CERTAINTY_OBSERVED);
    cr_assert_eq(a->turns.controls.count, 2);
    cr_assert_eq(count_clocks(a, CLOCK_CONTROL), 1);
    cr_assert_eq(count_groups(a, 3, CERTAINTY_OBSERVED, CERTAINTY_OBSERVED), 9);
    cr_assert_eq(a->noops.count, 2);
    cr_assert_eq(a->scores.constant_sum, CERTAINTY_OBSERVED);
    cr_assert_null(a->relevance);
    analysis_free(a);
    game_free(game);
}

/* With hardly any time the analysis still has a result. */
Test(analysis, hardly_any_time) {
    Game *game = game_named("reversi");
    AnalysisOptions options = {.seconds = 0.01, .matches = 1};
    Analysis *a = analysis_run(game, &options);
    cr_assert_geq(a->samples->items.count, 1);
    cr_assert_leq(a->cpu_seconds, 5);
    analysis_free(a);
    game_free(game);
}
