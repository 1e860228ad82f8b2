/* Tests the orders of symmetry groups, and classes of states under them. */
#include "scsp/network/template_symmetry.h"

#include "../fixtures.h"
#include "scsp/exact/micro_graph.h"

/* `marked` is a state whose facts get their own colours; NULL for none. */
static void assert_order(Game *game, const char *const *marked, const char *expected) {
    Template *t = template_of(game);
    uint16_t *values = memory_zalloc((t->groups.count + 1) * sizeof *values);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    State state = {0};
    for (size_t i = 0; marked && marked[i]; i++)
        state_set(&state, game_find_fluent(work, marked[i], strlen(marked[i])));
    if (marked)
        template_read_state(t, &state, values);
    for (RowChoice rows = ROWS_FEWER; rows <= ROWS_FORBIDDEN; rows++) {
        TemplateSymmetryOptions options = {
            .seconds = 5, .rows = rows, .state = marked ? values : NULL};
        Symmetries *s = template_symmetries(t, &options);
        cr_assert_not_null(s);
        cr_assert_not_null(s->order);
        cr_assert_str_eq(s->order, expected, "%s, not %s", s->order, expected);
        symmetry_free(s);
    }
    state_free(&state);
    game_work_free(work);
    free(values);
    template_free(t);
    game_free(game);
}

/* The orders do not depend on whether tables list allowed or forbidden rows. */
Test(template_symmetry, orders_of_known_groups) {
    static const char *const taken[] = {"(cell 1 1 x)", "(cell 1 2 b)",      "(cell 2 1 b)",
                                        "(cell 2 2 b)", "(control oplayer)", NULL};
    assert_order(game_of_text(EMPTY_SQUARE), NULL, "8");
    assert_order(game_of_text(EMPTY_SQUARE), taken, "2");
    assert_order(game_of_text(SQUARE_TIC_TAC_TOE), NULL, "2");
    assert_order(game_named("tic_tac_toe"), NULL, "8");
    assert_order(game_named("orchard_light"), NULL, "4");
    assert_order(game_named("guess_dice"), NULL, "720");
    assert_order(game_named("connect_four"), NULL, "2");
}

/* Extends the board from 7 by 6 to 20 by 20. */
static Game *connect_four_20x20(void) {
    Text path = {0}, text = {0};
    Report report = {0};
    text_add(&path, MARELLE_TESTS "/../games/connect_four.kif");
    Source *source = source_read(text_string(&path), &report);
    cr_assert_not_null(source);
    text_add(&text, source->text);
    for (int i = 8; i <= 20; i++)
        text_printf(&text, "(column %d) (succ %d %d)\n", i, i - 1, i);
    for (int i = 7; i <= 20; i++)
        text_printf(&text, "(row %d)\n", i);
    Game *game = game_of_text(text_string(&text));
    source_free(source);
    report_free(&report);
    vector_free(&path);
    vector_free(&text);
    return game;
}

/* A board with 400 squares has no symmetry but the mirror, and that is found quickly. */
Test(template_symmetry, order_of_a_large_board) {
    Game *game = connect_four_20x20();
    Template *t = template_of(game);
    cr_assert_eq(t->fluent_count, 2 * 20 * 20 + 2);
    double started = clock_thread_cpu_seconds();
    Symmetries *s = template_symmetries(t, &(TemplateSymmetryOptions){.seconds = 5});
    double taken = clock_thread_cpu_seconds() - started;
    cr_assert_not_null(s);
    cr_assert_str_eq(s->order, "2");
    cr_log_info("%u vertices, %zu edges, %.3f s", s->vertices, s->edges, taken);
    symmetry_free(s);
    template_free(t);
    game_free(game);
}

/* Counts the classes of reachable states. */
static size_t count_classes(const char *name, size_t *states) {
    Game *game = game_named(name);
    Template *t = template_of(game);
    Symmetries *s = template_symmetries(t, &(TemplateSymmetryOptions){.seconds = 5});
    SymmetryGroup *group = symmetry_elements(s, 100);
    MicroGraph *all = micro_graph_create(t, NULL, 100000, (Deadline){0}, NULL);
    MicroGraph *classes = micro_graph_create(t, group, 100000, (Deadline){0}, NULL);
    cr_assert(all->is_complete && classes->is_complete);
    size_t count = classes->states.count;
    *states = all->states.count;
    micro_graph_free(all);
    micro_graph_free(classes);
    symmetry_group_free(group);
    symmetry_free(s);
    template_free(t);
    game_free(game);
    return count;
}

/* Tictactoe has 5,478 states and 765 up to symmetry: 86 % are saved. */
Test(template_symmetry, classes_of_states) {
    size_t states;
    cr_assert_eq(count_classes("tic_tac_toe", &states), 765);
    cr_assert_eq(states, 5478);
    cr_assert_eq(count_classes("orchard_light", &states), 16);
    cr_assert_eq(states, 25);
}

/* In the light orchard with two red and one green fruit left, only the two equal choices may be
 * swapped. */
Test(template_symmetry, of_a_state_of_the_orchard) {
    Game *game = game_named("orchard_light");
    Template *t = template_of(game);
    MicroGraph *all = micro_graph_create(t, NULL, 100, (Deadline){0}, NULL);
    size_t with_two = 0, with_four = 0;
    for (size_t i = 0; i < all->states.count; i++) {
        TemplateSymmetryOptions options = {.seconds = 5, .state = all->values.items + 2 * i};
        Symmetries *s = template_symmetries(t, &options);
        with_two += strcmp(s->order, "2") == 0;
        with_four += strcmp(s->order, "4") == 0;
        symmetry_free(s);
    }
    cr_assert_eq(with_two + with_four, 25);
    cr_assert_eq(with_four, 2 * 16 - 25, "as many as classes of one state");
    micro_graph_free(all);
    template_free(t);
    game_free(game);
}

/* States of one class have the same value under every kind of play. */
Test(template_symmetry, classes_have_one_value) {
    static const char *const names[] = {"tic_tac_toe", "orchard_light"};
    static const PlayRule rules[] = {PLAY_UNIFORM, PLAY_AGAINST};
    for (size_t n = 0; n < 4; n++) {
        Game *game = game_named(names[n / 2]);
        Template *t = template_of(game);
        Symmetries *s = template_symmetries(t, &(TemplateSymmetryOptions){.seconds = 5});
        SymmetryGroup *group = symmetry_elements(s, 100);
        MicroGraph *g = micro_graph_create(t, NULL, 100000, (Deadline){0}, NULL);
        double *values = micro_graph_values(g, 0, rules[n % 2]);
        uint16_t *image = memory_zalloc((t->groups.count + 1) * sizeof *image);
        State state = {0}, canonical = {0};
        for (uint32_t i = 0; i < g->states.count; i++) {
            template_write_state(t, g->values.items + i * t->groups.count, &state);
            symmetry_canonical(group, &state, &canonical);
            template_read_state(t, &canonical, image);
            uint32_t other = micro_graph_find(g, image);
            if (other != SCSP_NONE)
                cr_assert_float_eq(values[i], values[other], 1e-9);
        }
        state_free(&state);
        state_free(&canonical);
        free(image);
        free(values);
        micro_graph_free(g);
        symmetry_group_free(group);
        symmetry_free(s);
        template_free(t);
        game_free(game);
    }
}

/* Asserts that the budget is exceeded by at most a tenth of a second, and that the symmetries found
 * are valid. */
static void assert_budget_is_kept(const char *name, RowChoice rows) {
    Game *game = game_named(name);
    Template *t = template_of(game);
    for (double seconds = 0.01; seconds < 0.5; seconds *= 4) {
        double started = clock_thread_cpu_seconds();
        Symmetries *s =
            template_symmetries(t, &(TemplateSymmetryOptions){.seconds = seconds, .rows = rows});
        double taken = clock_thread_cpu_seconds() - started;
        cr_assert_lt(taken, seconds + 0.1, "%s: %.3f of %.3f s", name, taken, seconds);
        symmetry_free(s);
    }
    template_free(t);
    game_free(game);
}

Test(template_symmetry, keeps_its_budget) {
    assert_budget_is_kept("checkers", ROWS_FEWER);
}

/* The graph has a vertex for each of two million rows that the tables of a turn do not have. */
Test(template_symmetry, keeps_its_budget_with_huge_graphs) {
    assert_budget_is_kept("war", ROWS_FORBIDDEN);
}
