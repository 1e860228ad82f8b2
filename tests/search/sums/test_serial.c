/* Tests two-player games played one after the other: random games against the exact values of the
 * whole game, boards of Tic-Tac-Toe, equal positions, and games that are not serial. */
#include "search/sums/serial.h"

#include <math.h>

#include "../play_search.h"
#include "search/exact/exact.h"
#include "search/sums/residual.h"

TestSuite(series, .timeout = 600);

enum { ENOUGH = 1 << 30 /* bytes */ };
static const SearchBudget no_hurry = {.deadline = {.at = INFINITY}};

typedef struct {
    Game *game;
    GameWork *work;
    State state, next;
    Serial *series;
    SumMoves moves;
    U32Vector legal[2];
} Line;

static Line line_of(Game *game) {
    Line l = {.game = game, .work = game_work_create(game, REASONER_SCALAR)};
    game_initial(l.work, &l.state);
    l.series = serial_create(game, &l.state, ENOUGH, 1, &no_hurry);
    return l;
}

static void line_free(Line *l) {
    serial_free(l->series);
    vector_free(&l->moves);
    vector_free(&l->legal[0]);
    vector_free(&l->legal[1]);
    state_free(&l->state);
    state_free(&l->next);
    game_work_free(l->work);
    game_free(l->game);
}

static bool is_solved(Line *l, uint32_t role) {
    SearchBudget budget = {.deadline = deadline_never()};
    return l->series && serial_moves(l->series, &l->state, role, &budget, &l->moves);
}

/* Returns the goal of the first role. */
static int exact_value(Line *l, const State *state) {
    ExactResult exact;
    ExactBudget budget = {.deadline = deadline_never()};
    exact_solve(l->game, state, &budget, &exact);
    cr_assert_eq(exact.end, EXACT_SOLVED);
    int value = (int)exact.values[0];
    exact_result_free(&exact);
    return value;
}

/* Asserts that, in every position of a random match, every move of both roles has the value of the
 * state it leads to. The only move of a role that waits has the value of the position. */
static uint32_t check_match(Line *l, Random *random) {
    State next = {0};
    uint32_t checked = 0, joint[2];
    game_initial(l->work, &l->state);
    while (!game_is_terminal(l->work, &l->state)) {
        for (uint32_t r = 0; r < 2; r++) {
            game_legal(l->work, &l->state, r, &l->legal[r]);
            joint[r] = l->legal[r].items[random_below(random, l->legal[r].count)];
        }
        for (uint32_t r = 0; r < 2; r++) {
            cr_assert(is_solved(l, r));
            cr_assert_eq(l->moves.count, l->legal[r].count);
            for (size_t i = 0; i < l->moves.count; i++) {
                uint32_t answer[2] = {joint[0], joint[1]};
                answer[r] = l->moves.items[i].move;
                game_next(l->work, &l->state, answer, &next);
                int value = exact_value(l, l->legal[1 - r].count == 1 ? &next : &l->state);
                cr_assert_eq(l->moves.items[i].value, r ? 100 - value : value);
                checked++;
            }
        }
        game_next(l->work, &l->state, joint, &l->state);
    }
    state_free(&next);
    return checked;
}

/* ---- random games ---- */

enum { NODES = 6 };

/* Adds parts in which the player in control goes from node to node, always to a greater one. A part
 * ends if no edge leads on, and the next part begins. Control alternates, or goes to the first
 * player when a part begins. */
static void add_parts(Text *text, Random *random, int parts) {
    text_add(text, "(role l) (role r) (other l r) (other r l) (init (control l))");
    for (int k = 0; k < parts; k++) {
        text_printf(text, "(part %d) (init (at %d 0))", k, k);
        for (int i = 0; i < NODES; i++)
            for (int j = i + 1; j < NODES; j++)
                if ((i == 0 && j < 3) || random_below(random, 100) < 40)
                    text_printf(text, "(way %d %d %d)", k, i, j);
    }
    text_add(text, "(<= (goes_on ?k) (true (at ?k ?i)) (way ?k ?i ?j))");
    for (int k = 0; k < parts; k++) {
        text_printf(text, "(<= (active %d) (goes_on %d)", k, k);
        for (int before = 0; before < k; before++)
            text_printf(text, " (not (goes_on %d))", before);
        text_add(text, ")");
    }
    text_add(text, "(<= (legal ?p (go ?k ?i ?j)) (true (control ?p)) (active ?k) (true (at ?k ?i))"
                   "(way ?k ?i ?j))"
                   "(<= (legal ?p wait) (true (control ?q)) (other ?p ?q))"
                   "(<= (next (at ?k ?j)) (does ?p (go ?k ?i ?j)))"
                   "(<= (next (at ?k ?i)) (true (at ?k ?i)) (not (moved ?k)))"
                   "(<= (moved ?k) (does ?p (go ?k ?i ?j)))"
                   "(<= (next (control ?p)) (true (control ?q)) (other ?p ?q))"
                   "(<= more (active ?k)) (<= terminal (not more))");
}

/* Adds goals that are a sum over the final nodes, or any function of them. */
static void add_goals(Text *text, Random *random, bool is_any) {
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < NODES; j++)
            text_printf(text, "(worth %d %d %d)", i, j,
                        is_any ? (int)(25 * random_below(random, 5))
                               : 50 * (i % 2) + 50 * (j % 3 == 1));
    for (int v = 0; v <= 100; v += 25)
        text_printf(text, "(rest %d %d)", v, 100 - v);
    text_add(text, "(<= (end ?v) (true (at 0 ?i)) (true (at 1 ?j)) (worth ?i ?j ?v))"
                   "(<= (goal l ?v) (end ?v)) (<= (goal r ?w) (end ?v) (rest ?v ?w))");
}

Test(series, random_games) {
    uint32_t checked = 0, series = 0;
    Random random;
    random_seed(&random, 11);
    for (int g = 0; g < 30; g++) {
        Text text = {0};
        add_parts(&text, &random, 2 + g % 2);
        add_goals(&text, &random, g % 4 != 3);
        Line l = line_of(game_of_text(text_string(&text), NULL));
        series += l.series != NULL;
        for (int match = 0; match < 3 && l.series; match++)
            checked += check_match(&l, &random);
        line_free(&l);
        vector_free(&text);
    }
    cr_expect_gt(series, 20);
    cr_expect_gt(checked, 300);
}

/* Far less memory than for all positions of the game: the second board is solved once per result of
 * the first. */
Test(series, boards_of_tic_tac_toe) {
    Line l = line_of(game_named("tic_tac_toe_serial", NULL));
    cr_assert(is_solved(&l, 0));
    cr_expect_eq(l.moves.count, 9);
    for (size_t i = 0; i < l.moves.count; i++)
        cr_expect_eq(l.moves.items[i].value, 50);
    cr_expect_lt(serial_bytes(l.series), 12 << 20);
    line_free(&l);
}

/* Goals of states after the first stage are requested, computed with the next question, and
 * exact. */
Test(series, goals_after_the_first_stage) {
    Random random;
    uint32_t checked = 0;
    random_seed(&random, 3);
    Line l = line_of(game_named("tic_tac_toe_serial", NULL));
    uint32_t mark = game_find_move(l.work, 0, "(mark 2 1 1)", strlen("(mark 2 1 1)"));
    cr_expect(serial_is_later(l.series, 0, mark));
    mark = game_find_move(l.work, 0, "(mark 1 1 1)", strlen("(mark 1 1 1)"));
    cr_expect_not(serial_is_later(l.series, 0, mark));
    for (int match = 0; match < 6; match++) {
        SearchBudget budget = {.deadline = deadline_never(), .playouts = 40};
        uint32_t steps, mover;
        int goals[2];
        game_initial(l.work, &l.state);
        do {
            game_play_randomly(l.work, &l.state, &random, 1, &steps);
            for (uint32_t r = 0; r < 2; r++)
                game_legal(l.work, &l.state, r, &l.legal[r]);
            mover = l.legal[1].count > 1;
        } while (!serial_is_later(l.series, mover, l.legal[mover].items[0]));
        serial_goals(l.series, &l.state, goals);
        game_initial(l.work, &l.next);
        serial_moves(l.series, &l.next, 0, &budget, &l.moves);
        if (!serial_goals(l.series, &l.state, goals))
            continue;
        cr_expect_eq(goals[0], exact_value(&l, &l.state));
        cr_expect_eq(goals[0] + goals[1], 100);
        checked++;
    }
    cr_expect_gt(checked, 0);
    line_free(&l);
}

/* States that were requested and then forgotten are not computed with the next question. */
Test(series, forgets_what_was_asked_for) {
    Random random;
    uint32_t known[2] = {0};
    random_seed(&random, 3);
    for (int i = 0; i < 8; i++) {
        Line l = line_of(game_named("tic_tac_toe_serial", NULL));
        SearchBudget budget = {.deadline = deadline_never(), .playouts = 1};
        uint32_t steps;
        int goals[2];
        /* This state is on the second board. */
        game_play_randomly(l.work, &l.state, &random, 14, &steps);
        cr_assert(!serial_goals(l.series, &l.state, goals));
        if (i % 2)
            serial_forget_wanted(l.series);
        game_initial(l.work, &l.next);
        serial_moves(l.series, &l.next, 0, &budget, &l.moves);
        known[i % 2] += serial_goals(l.series, &l.state, goals);
        line_free(&l);
    }
    cr_expect_gt(known[0], 0);
    cr_expect_eq(known[1], 0);
}

/* ---- residual games ---- */

static uint32_t number_after(Residuals *residuals, SearchTable *t, const char *const *moves,
                             size_t count) {
    game_initial(t->work, &t->state);
    make_moves(t, moves, count);
    return residual_number(residuals, &t->state);
}

/* After a board is won, the residual game is the other board, however it was won; after a loss the
 * residual game differs. */
Test(series, what_is_left) {
    static const char *const rows[] = {"(mark 1 1 1)", "noop", "noop", "(mark 1 2 1)",
                                       "(mark 1 1 2)", "noop", "noop", "(mark 1 2 2)",
                                       "(mark 1 1 3)", "noop"};
    static const char *const columns[] = {"(mark 1 1 1)", "noop", "noop", "(mark 1 3 3)",
                                          "(mark 1 2 1)", "noop", "noop", "(mark 1 1 3)",
                                          "(mark 1 3 1)", "noop"};
    static const char *const lost[] = {"(mark 1 1 1)", "noop", "noop", "(mark 1 2 1)",
                                       "(mark 1 1 2)", "noop", "noop", "(mark 1 2 2)",
                                       "(mark 1 3 1)", "noop", "noop", "(mark 1 2 3)"};
    SearchTable t =
        table_create(game_named("tic_tac_toe_serial", NULL), "legal", 0, (SearchOptions){0});
    Residuals *residuals = residual_create(t.game);
    uint32_t by_row = number_after(residuals, &t, rows, sizeof rows / sizeof *rows);
    uint32_t by_column = number_after(residuals, &t, columns, sizeof columns / sizeof *columns);
    uint32_t otherwise = number_after(residuals, &t, lost, sizeof lost / sizeof *lost);
    uint32_t early = number_after(residuals, &t, rows, 4);
    cr_expect_eq(by_row, by_column);
    cr_expect_neq(by_row, otherwise);
    cr_expect_neq(by_row, early);
    cr_expect_eq(residual_count(residuals), 3);
    residual_free(residuals);
    table_release(&t);
}

typedef struct {
    U32Vector legal[2];
    int value;
    bool is_terminal;
} Seen;

/* States with the same number have the same moves, ends and values, in games of all kinds. */
Test(series, same_numbers_go_on_alike) {
    static const char *const names[] = {"tic_tac_toe", "tic_tac_toe_serial", "nim"};
    Random random;
    uint32_t met_again = 0;
    random_seed(&random, 5);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        Line l = line_of(game_named(names[n], NULL));
        Residuals *residuals = residual_create(l.game);
        VECTOR(Seen) seen = {0};
        for (int match = 0; match < 60; match++) {
            game_initial(l.work, &l.state);
            for (int turn = 0;; turn++) {
                uint32_t number = residual_number(residuals, &l.state), steps;
                /* Only states near the end are solved quickly. */
                bool is_late = strcmp(names[n], "tic_tac_toe_serial") != 0 || turn > 12;
                for (uint32_t r = 0; r < 2; r++)
                    game_legal(l.work, &l.state, r, &l.legal[r]);
                bool is_terminal = game_is_terminal(l.work, &l.state);
                int value = is_late ? exact_value(&l, &l.state) : -1;
                if (number < seen.count) {
                    const Seen *before = &seen.items[number];
                    met_again++;
                    cr_assert_eq(before->is_terminal, is_terminal);
                    cr_assert(!is_late || before->value < 0 || before->value == value);
                    for (uint32_t r = 0; r < 2 && !is_terminal; r++) {
                        cr_assert_eq(before->legal[r].count, l.legal[r].count);
                        for (size_t i = 0; i < l.legal[r].count; i++)
                            cr_assert_eq(before->legal[r].items[i], l.legal[r].items[i]);
                    }
                } else {
                    Seen first = {.value = value, .is_terminal = is_terminal};
                    for (uint32_t r = 0; r < 2; r++)
                        for (size_t i = 0; i < l.legal[r].count; i++)
                            vector_push(&first.legal[r], l.legal[r].items[i]);
                    vector_push(&seen, first);
                }
                if (is_terminal)
                    break;
                game_play_randomly(l.work, &l.state, &random, 1, &steps);
            }
        }
        for (size_t i = 0; i < seen.count; i++) {
            vector_free(&seen.items[i].legal[0]);
            vector_free(&seen.items[i].legal[1]);
        }
        vector_free(&seen);
        residual_free(residuals);
        line_free(&l);
    }
    cr_expect_gt(met_again, 100);
}

/* ---- games without an answer ---- */

Test(series, other_games_are_no_series) {
    static const char *const names[] = {
        "tic_tac_toe",          "connect_four", "nim", "double_tic_tac_toe_free",
        "tic_tac_toe_parallel", "breakthrough"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Line l = line_of(game_named(names[i], NULL));
        cr_expect_null(l.series, "%s", names[i]);
        line_free(&l);
    }
}

/* Two stages have different moves; in the second both roles choose at once, or it need not end. */
#define STAGES                                                                                     \
    "(role l) (role r) (init (stage 1)) (init (chosen none))"                                      \
    "(way a) (way b)"                                                                              \
    "(<= (legal l (first ?w)) (true (stage 1)) (way ?w))"                                          \
    "(<= (legal r wait) (true (stage 1)))"                                                         \
    "(<= (next (stage 2)) (true (stage 1)))"                                                       \
    "(<= (next (chosen ?w)) (does l (first ?w)))"                                                  \
    "(<= (goal l 100) (true (chosen a))) (<= (goal r 0) (true (chosen a)))"                        \
    "(<= (goal l 0) (not (true (chosen a)))) (<= (goal r 100) (not (true (chosen a))))"

Test(series, no_answer_without_a_proof) {
    static const char at_once[] =
        STAGES "(<= (legal ?p (then ?w)) (role ?p) (true (stage 2)) (way ?w))"
               "(<= (next (chosen ?w)) (true (stage 2)) (does l (then ?w)) (does r (then ?w)))"
               "(<= (next (stage 3)) (true (stage 2))) (<= terminal (true (stage 3)))";
    static const char endless[] = STAGES
        "(<= (legal l (then ?w)) (true (stage 2)) (way ?w)) (<= (legal r wait) (true (stage 2)))"
        "(<= (next (stage 2)) (true (stage 2)) (does l (then b)))"
        "(<= (next (chosen ?w)) (true (chosen ?w)) (true (stage 2)))"
        "(<= (next (stage 3)) (true (stage 2)) (does l (then a))) (<= terminal (true (stage 3)))";
    static const char *const texts[] = {at_once, endless};
    for (size_t i = 0; i < 2; i++) {
        Line l = line_of(game_of_text(texts[i], NULL));
        cr_assert_not_null(l.series);
        cr_expect_not(is_solved(&l, 0));
        cr_expect_not(serial_is_open(l.series));
        line_free(&l);
    }
}

Test(series, no_series_without_time) {
    bool stopped = true;
    SearchBudget budget = {.deadline = deadline_never(), .stopped = &stopped};
    Line l = line_of(game_named("tic_tac_toe_serial", NULL));
    cr_assert_not_null(l.series);
    cr_expect_null(serial_create(l.game, &l.state, ENOUGH, 1, &budget));
    line_free(&l);
}

Test(series, no_answer_without_memory) {
    Line l = line_of(game_named("tic_tac_toe_serial", NULL));
    serial_free(l.series);
    l.series = serial_create(l.game, &l.state, 100000, 1, &no_hurry);
    cr_assert_not_null(l.series);
    cr_expect_not(is_solved(&l, 0));
    cr_expect_not(serial_is_open(l.series));
    line_free(&l);
}

/* Solving in small portions gives the same result. */
Test(series, goes_on_where_it_was) {
    Line l = line_of(game_named("tic_tac_toe_serial", NULL));
    SearchBudget budget = {.deadline = deadline_never(), .playouts = 5};
    int questions = 1;
    while (!serial_moves(l.series, &l.state, 0, &budget, &l.moves) && questions < 1000)
        questions++;
    cr_expect_gt(questions, 1);
    cr_expect_lt(questions, 1000);
    cr_expect_eq(l.moves.count, 9);
    line_free(&l);
}

/* `parts` knows the value of every move. */
Test(series, parts_uses_it) {
    SearchTable t = table_create(game_named("tic_tac_toe_serial", NULL), "parts", 0,
                                 (SearchOptions){.seed = 1});
    search_set_state(t.search, &t.state);
    think(&t, 2000);
    cr_expect(t.result.is_decided);
    cr_expect_eq(t.result.moves.count, 9);
    for (size_t i = 0; i < t.result.moves.count; i++) {
        cr_expect(t.result.moves.items[i].is_proven);
        cr_expect_eq(t.result.moves.items[i].value, 50);
    }
    table_release(&t);
}

/* Every value that `parts` proves during a match is exact, and if it has proven the best move, no
 * other is better. */
Test(series, proofs_hold) {
    Random random;
    uint32_t proven = 0;
    random_seed(&random, 9);
    for (int match = 0; match < 2; match++) {
        Line l = line_of(game_named("tic_tac_toe_serial", NULL));
        Report report = {0};
        Search *searches[2];
        SearchResult result = {0};
        for (uint32_t r = 0; r < 2; r++) {
            SearchOptions options = {.seed = (uint64_t)match};
            searches[r] = strategy_create_named("parts", l.game, r, &options, &report);
            search_set_state(searches[r], &l.state);
        }
        for (int turn = 0; !game_is_terminal(l.work, &l.state); turn++) {
            uint32_t joint[2];
            for (uint32_t r = 0; r < 2; r++) {
                game_legal(l.work, &l.state, r, &l.legal[r]);
                joint[r] = l.legal[r].items[random_below(&random, l.legal[r].count)];
            }
            uint32_t mover = l.legal[1].count > 1;
            /* Two playouts are little work, so that solving the series is interrupted. */
            for (int run = 0; run < 10 && l.legal[mover].count > 1; run++)
                search_run(searches[mover],
                           &(SearchBudget){.deadline = deadline_never(), .playouts = 2});
            search_result(searches[mover], &result);
            for (size_t i = 0; i < result.moves.count && turn > 10; i++) {
                uint32_t answer[2] = {joint[0], joint[1]};
                answer[mover] = result.moves.items[i].move;
                game_next(l.work, &l.state, answer, &l.next);
                if (!result.moves.items[i].is_proven)
                    continue;
                int value = exact_value(&l, &l.next);
                cr_assert_eq(result.moves.items[i].value, mover ? 100 - value : value);
                proven++;
            }
            game_next(l.work, &l.state, joint, &l.state);
            for (uint32_t r = 0; r < 2; r++)
                search_advance(searches[r], joint, &l.state);
        }
        search_free(searches[0]);
        search_free(searches[1]);
        search_result_free(&result);
        report_free(&report);
        line_free(&l);
    }
    cr_expect_gt(proven, 5);
}
