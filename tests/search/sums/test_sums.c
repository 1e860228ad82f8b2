/* Tests sums of two-player games: random sums against the exact values of the whole game, boards of
 * Tic-Tac-Toe, and games that are not sums. */
#include "../play_search.h"
#include "base/bitset.h"
#include "search/exact/exact.h"
#include "search/sums/sums_internal.h"
#include "search/sums/uct_relevant.h"

TestSuite(sums, .timeout = 600);

enum { ENOUGH = 1 << 30 /* bytes */ };

typedef struct {
    Game *game;
    GameWork *work;
    State state;
    Sums *sums;
    SumMoves moves;
    U32Vector legal[2];
} Sum;

static Sum sum_of(Game *game) {
    Sum s = {.game = game, .work = game_work_create(game, REASONER_SCALAR)};
    game_initial(s.work, &s.state);
    s.sums = sums_create(game, &s.state, ENOUGH, &(SearchBudget){.deadline = deadline_never()});
    return s;
}

static void sum_free(Sum *s) {
    sums_free(s->sums);
    vector_free(&s->moves);
    vector_free(&s->legal[0]);
    vector_free(&s->legal[1]);
    state_free(&s->state);
    game_work_free(s->work);
    game_free(s->game);
}

static bool is_solved(Sum *s, uint32_t role) {
    SearchBudget budget = {.deadline = deadline_never()};
    return s->sums && sums_moves(s->sums, &s->state, role, &budget, &s->moves);
}

/* Returns the goal of the first role; 0 if all its goals are 0. */
static int exact_value(Sum *s, const State *state) {
    ExactResult exact;
    ExactBudget budget = {.deadline = deadline_never()};
    exact_solve(s->game, state, &budget, &exact);
    cr_assert_eq(exact.end, EXACT_SOLVED);
    int value = (int)exact.values[0];
    exact_result_free(&exact);
    return value;
}

static void draw_moves(Sum *s, Random *random, uint32_t *joint) {
    for (uint32_t r = 0; r < 2; r++) {
        game_legal(s->work, &s->state, r, &s->legal[r]);
        joint[r] = s->legal[r].items[random_below(random, s->legal[r].count)];
    }
}

/* Asserts that, in every position of a random match, every move has the value of the state it leads
 * to. */
static uint32_t check_match(Sum *s, Random *random) {
    State next = {0};
    uint32_t checked = 0, joint[2];
    game_initial(s->work, &s->state);
    while (!game_is_terminal(s->work, &s->state)) {
        draw_moves(s, random, joint);
        uint32_t mover = s->legal[1].count > 1;
        cr_assert(is_solved(s, mover));
        cr_assert_eq(s->moves.count, s->legal[mover].count);
        for (size_t i = 0; i < s->moves.count && s->legal[1 - mover].count == 1; i++) {
            uint32_t answer[2] = {joint[0], joint[1]};
            answer[mover] = s->moves.items[i].move;
            game_next(s->work, &s->state, answer, &next);
            int value = exact_value(s, &next);
            cr_assert_eq(s->moves.items[i].value, mover ? 100 - value : value);
            checked++;
        }
        game_next(s->work, &s->state, joint, &s->state);
    }
    state_free(&next);
    return checked;
}

/* ---- random games ---- */

enum { NODES = 5 };

/* Adds parts in which each player has its own edges from node to node, always to a greater one. */
static void add_ways(Text *text, Random *random, int parts) {
    text_add(text, "(role l) (role r) (other l r) (other r l)");
    for (int k = 0; k < parts; k++) {
        text_printf(text, "(part %d) (init (at %d 0))", k, k);
        for (int role = 0; role < 2; role++)
            for (int i = 0; i < NODES; i++)
                for (int j = i + 1; j < NODES; j++)
                    if (random_below(random, 100) < 45)
                        text_printf(text, "(way %d %c %d %d)", k, role ? 'r' : 'l', i, j);
    }
    text_add(text, "(<= (next (at ?k ?j)) (does ?p (go ?k ?i ?j)))"
                   "(<= (next (at ?k ?i)) (true (at ?k ?i)) (not (moved ?k)))"
                   "(<= (moved ?k) (does ?p (go ?k ?i ?j)))"
                   "(<= (can ?k ?p) (true (at ?k ?i)) (way ?k ?p ?i ?j))"
                   "(<= (can ?p) (can ?k ?p))");
}

/* Adds goals that are an arbitrary function of the nodes of the parts. */
static void add_any_goals(Text *text, Random *random, int parts) {
    int ends = parts == 2 ? NODES * NODES : NODES * NODES * NODES;
    for (int e = 0; e < ends; e++)
        text_printf(text, "(worth %d %d %d %d)", e % NODES, e / NODES % NODES, e / (NODES * NODES),
                    (int)(25 * random_below(random, 5)));
    for (int v = 0; v <= 100; v += 25)
        text_printf(text, "(rest %d %d)", v, 100 - v);
    text_add(text, parts == 2 ? "(<= (end ?v) (true (at 0 ?i)) (true (at 1 ?j)) (worth ?i ?j 0 ?v))"
                              : "(<= (end ?v) (true (at 0 ?i)) (true (at 1 ?j)) (true (at 2 ?k))"
                                "(worth ?i ?j ?k ?v))");
    text_add(text, "(<= (goal l ?v) (end ?v)) (<= (goal r ?w) (end ?v) (rest ?v ?w))");
}

/* The player to move moves in one part. A player without a move loses or waits, and two nodes
 * together may end the match early. */
static Game *random_sum(Random *random, int parts, bool waits, bool dies) {
    Text text = {0};
    add_ways(&text, random, parts);
    add_any_goals(&text, random, parts);
    text_add(&text, "(init (control l)) (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))"
                    "(<= (legal ?p (go ?k ?i ?j)) (true (control ?p)) (true (at ?k ?i))"
                    "(way ?k ?p ?i ?j)) (<= (legal ?p noop) (true (control ?q)) (other ?p ?q))");
    text_add(&text, waits ? "(<= (legal ?p wait) (true (control ?p)) (not (can ?p)))"
                            "(<= terminal (not (can l)) (not (can r)))"
                          : "(<= terminal (true (control ?p)) (not (can ?p)))");
    if (dies)
        text_add(&text, "(<= terminal (true (at 0 2)) (true (at 1 3)))");
    Game *game = game_of_text(text_string(&text), NULL);
    vector_free(&text);
    return game;
}

Test(sums, random_games_in_turn) {
    Random random;
    uint32_t checked = 0;
    random_seed(&random, 1);
    for (int i = 0; i < 48; i++) {
        Sum s = sum_of(random_sum(&random, 2 + i % 2, i / 2 % 2, i / 4 % 2));
        if (s.sums) { /* otherwise no player can move in some part */
            cr_assert(is_solved(&s, 0) || !sums_may_answer(s.sums));
            cr_expect(!s.sums->is_in_step);
            checked += check_match(&s, &random) + check_match(&s, &random);
        }
        sum_free(&s);
    }
    cr_expect_gt(checked, 300);
}

/* Both players move at every turn, each in one of two parts, and then swap parts. */
static Game *random_steps(Random *random, bool is_additive) {
    Text text = {0};
    add_ways(&text, random, 2);
    text_add(&text,
             "(init (control 0 l)) (init (control 1 r))"
             "(<= (next (control ?k ?q)) (true (control ?k ?p)) (other ?p ?q))"
             "(<= (legal ?p (go ?k ?i ?j)) (true (control ?k ?p)) (true (at ?k ?i)) (way ?k ?p ?i "
             "?j)) (<= (legal ?p wait) (true (control ?k ?p)) (not (can ?k ?p)))"
             "(<= terminal (not (can l)) (not (can r)))");
    if (is_additive) {
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < NODES; i++)
                text_printf(&text, "(brings %d %d %d)", k, i, (int)(10 * random_below(random, 6)));
        for (int a = 0; a <= 50; a += 10)
            for (int b = 0; b <= 50; b += 10)
                text_printf(&text, "(sum %d %d %d %d)", a, b, a + b, 100 - a - b);
        text_add(&text, "(<= (end ?v ?w) (true (at 0 ?i)) (brings 0 ?i ?a) (true (at 1 ?j))"
                        "(brings 1 ?j ?b) (sum ?a ?b ?v ?w))"
                        "(<= (goal l ?v) (end ?v ?w)) (<= (goal r ?w) (end ?v ?w))");
    } else {
        add_any_goals(&text, random, 2);
    }
    Game *game = game_of_text(text_string(&text), NULL);
    vector_free(&text);
    return game;
}

/* Computes the value that the first role can guarantee, and the one that the second can hold it
 * to. */
static void bound_value(Sum *s, const State *state, int *sure, int *most) {
    U32Vector legal[2] = {{0}, {0}};
    State next = {0};
    if (game_is_terminal(s->work, state)) {
        *sure = *most = game_goal(s->work, state, 0);
        return;
    }
    for (uint32_t r = 0; r < 2; r++)
        game_legal(s->work, state, r, &legal[r]);
    int *answers = memory_alloc((legal[0].count * legal[1].count + 1) * 2 * sizeof *answers);
    for (size_t i = 0; i < legal[0].count; i++)
        for (size_t j = 0; j < legal[1].count; j++) {
            int *at = answers + 2 * (i * legal[1].count + j);
            game_next(s->work, state, (uint32_t[]){legal[0].items[i], legal[1].items[j]}, &next);
            bound_value(s, &next, at, at + 1);
        }
    *sure = -1;
    *most = 101;
    for (size_t i = 0; i < legal[0].count; i++) {
        int worst = 101;
        for (size_t j = 0; j < legal[1].count; j++)
            worst = answers[2 * (i * legal[1].count + j)] < worst
                        ? answers[2 * (i * legal[1].count + j)]
                        : worst;
        *sure = worst > *sure ? worst : *sure;
    }
    for (size_t j = 0; j < legal[1].count; j++) {
        int best = -1;
        for (size_t i = 0; i < legal[0].count; i++)
            best = answers[2 * (i * legal[1].count + j) + 1] > best
                       ? answers[2 * (i * legal[1].count + j) + 1]
                       : best;
        *most = best < *most ? best : *most;
    }
    free(answers);
    vector_free(&legal[0]);
    vector_free(&legal[1]);
    state_free(&next);
}

/* Asserts that the best move of a role has the value that it can guarantee in the whole game. */
static void check_steps(Sum *s) {
    int sure, most;
    bound_value(s, &s->state, &sure, &most);
    cr_assert_eq(sure, most);
    for (uint32_t r = 0; r < 2; r++) {
        int best = -1;
        cr_assert(is_solved(s, r));
        for (size_t i = 0; i < s->moves.count; i++)
            best = s->moves.items[i].value > best ? s->moves.items[i].value : best;
        cr_expect_eq(best, r ? 100 - sure : sure);
    }
}

Test(sums, random_games_in_step) {
    Random random;
    uint32_t joint[2], solved = 0;
    random_seed(&random, 2);
    for (int i = 0; i < 40; i++) {
        Sum s = sum_of(random_steps(&random, true));
        if (is_solved(&s, 0)) {
            solved += s.sums->is_in_step;
            for (; !game_is_terminal(s.work, &s.state);
                 game_next(s.work, &s.state, joint, &s.state)) {
                check_steps(&s);
                draw_moves(&s, &random, joint);
            }
        }
        sum_free(&s);
    }
    cr_expect_gt(solved, 15);
}

/* If the goals are not a sum, the best move in one part depends on the other, and there is no
 * answer. */
Test(sums, goals_that_are_no_sum_in_step) {
    Random random;
    uint32_t refused = 0;
    random_seed(&random, 3);
    for (int i = 0; i < 40; i++) {
        Sum s = sum_of(random_steps(&random, false));
        if (is_solved(&s, 0))
            check_steps(&s); /* some parts have only one possible end */
        else
            refused++;
        sum_free(&s);
    }
    cr_expect_gt(refused, 5);
}

/* ---- boards ---- */

/* Some of the 18 cells are marked at random first, so that the whole game can be solved. */
Test(sums, boards_with_a_free_choice) {
    Sum s = sum_of(game_named("double_tic_tac_toe_free", NULL));
    Random random;
    random_seed(&random, 4);
    cr_assert(is_solved(&s, 0));
    cr_expect_eq(s.moves.count, 18);
    for (size_t i = 0; i < s.moves.count; i++)
        cr_expect_eq(s.moves.items[i].value, 50); /* no first move loses */
    cr_expect_eq(s.sums->parts.count, 2);
    cr_expect_lt(s.sums->classes.count * 20, s.sums->locals.count);
    for (int match = 0; match < 3; match++) {
        uint32_t joint[2];
        game_initial(s.work, &s.state);
        for (int turn = 0; !game_is_terminal(s.work, &s.state); turn++) {
            draw_moves(&s, &random, joint);
            uint32_t mover = s.legal[1].count > 1;
            if (turn >= 9) {
                int best = -1, value = exact_value(&s, &s.state);
                cr_assert(is_solved(&s, mover));
                for (size_t i = 0; i < s.moves.count; i++)
                    best = s.moves.items[i].value > best ? s.moves.items[i].value : best;
                cr_expect_eq(best, mover ? 100 - value : value);
            }
            game_next(s.work, &s.state, joint, &s.state);
        }
    }
    sum_free(&s);
}

Test(sums, boards_that_move_in_step) {
    Sum s = sum_of(game_named("double_tic_tac_toe", NULL));
    Random random;
    uint32_t joint[2];
    random_seed(&random, 5);
    for (uint32_t r = 0; r < 2; r++) {
        cr_assert(is_solved(&s, r));
        cr_expect_eq(s.moves.count, 9);
        for (size_t i = 0; i < s.moves.count; i++)
            cr_expect_eq(s.moves.items[i].value, 50);
    }
    cr_expect(s.sums->is_in_step);
    for (int turn = 0; !game_is_terminal(s.work, &s.state); turn++) {
        if (turn >= 5)
            check_steps(&s);
        draw_moves(&s, &random, joint);
        game_next(s.work, &s.state, joint, &s.state);
    }
    sum_free(&s);
}

/* Nim heaps are sums as well, whether the last move wins or loses. */
Test(sums, heaps) {
    static const char *const names[] = {"nim", "nim_misere"};
    Random random;
    random_seed(&random, 6);
    for (int i = 0; i < 2; i++) {
        Sum s = sum_of(game_named(names[i], NULL));
        cr_expect_gt(check_match(&s, &random), 0);
        cr_expect_eq(s.sums->parts.count, 4);
        sum_free(&s);
    }
}

/* The search for fixed fluents takes more work than is allowed here. Then no fluent is fixed, and
 * the heaps are still parts. */
Test(sums, large_heaps) {
    enum { HEAPS = 7, MIN_SECONDS = 23 };
    int most = MIN_SECONDS + 2 * (HEAPS - 1);
    Text text = {0};
    text_add(&text, "(role l) (role r) (other l r) (other r l) (init (control l))"
                    "(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))"
                    "(<= (legal ?p (leave ?h ?j)) (true (control ?p)) (true (heap ?h ?i))"
                    "(less ?j ?i)) (<= (legal ?p noop) (true (control ?q)) (other ?p ?q))"
                    "(<= (next (heap ?h ?j)) (does ?p (leave ?h ?j)))"
                    "(<= (next (heap ?h ?i)) (true (heap ?h ?i)) (not (changed ?h)))"
                    "(<= (changed ?h) (does ?p (leave ?h ?j)))"
                    "(<= more (true (heap ?h ?i)) (less 0 ?i)) (<= terminal (not more))"
                    "(<= (goal ?q 100) (true (control ?p)) (other ?p ?q))"
                    "(<= (goal ?p 0) (true (control ?p)))");
    for (int h = 0; h < HEAPS; h++)
        text_printf(&text, "(init (heap %d %d))", h, MIN_SECONDS + 2 * h);
    for (int i = 1; i <= most; i++)
        for (int j = 0; j < i; j++)
            text_printf(&text, "(less %d %d)", j, i);
    Sum s = sum_of(game_of_text(text_string(&text), NULL));
    cr_assert_not_null(s.sums);
    cr_expect_eq(s.sums->parts.count, HEAPS);
    sum_free(&s);
    vector_free(&text);
}

/* In these states a heap has two or three sizes at once, which no match reaches. Nothing is known
 * about them, since each is a new state of a part. An additional size of 0 makes no difference. */
Test(sums, states_that_no_match_leads_to) {
    Sum s = sum_of(game_named("nim", NULL));
    uint32_t fluents = s.game->circuit->fluent_count, refused = 0;
    cr_assert(is_solved(&s, 0));
    uint64_t locals = s.sums->locals.count;
    for (uint32_t f = 0; f < fluents; f++)
        for (uint32_t g = f; g < fluents; g++) {
            game_initial(s.work, &s.state);
            if (bitset_get(s.state.words, f) || bitset_get(s.state.words, g))
                continue;
            bitset_set(s.state.words, f);
            bitset_set(s.state.words, g);
            refused += !is_solved(&s, 0);
        }
    cr_expect_gt(refused, 50);
    cr_expect_gt(s.sums->locals.count, locals);
    cr_expect(sums_may_answer(s.sums));
    sum_free(&s);
}

/* Dominoes fence off areas, so in every state of a match the rest may be a sum. If it is, every
 * move has the value of the whole game. */
Test(sums, a_board_that_falls_apart) {
    SearchBudget budget = {.deadline = deadline_never()};
    Random random;
    uint32_t joint[2], solved = 0, most_parts = 0;
    random_seed(&random, 11);
    for (int match = 0; match < 6; match++) {
        Sum s = sum_of(game_named("domineering", NULL));
        State next = {0};
        cr_expect_null(s.sums);
        while (!game_is_terminal(s.work, &s.state)) {
            draw_moves(&s, &random, joint);
            uint32_t mover = s.legal[1].count > 1;
            sums_free(s.sums);
            s.sums = sums_create(s.game, &s.state, ENOUGH, &budget);
            bool is_sum = is_solved(&s, mover);
            solved += is_sum;
            for (size_t i = 0; i < s.moves.count && is_sum; i++) {
                uint32_t answer[2] = {joint[0], joint[1]};
                answer[mover] = s.moves.items[i].move;
                game_next(s.work, &s.state, answer, &next);
                int value = exact_value(&s, &next);
                cr_assert_eq(s.moves.items[i].value, mover ? 100 - value : value);
            }
            if (is_sum && s.sums->parts.count > most_parts)
                most_parts = s.sums->parts.count;
            game_next(s.work, &s.state, joint, &s.state);
        }
        state_free(&next);
        sum_free(&s);
    }
    cr_expect_gt(solved, 6);
    cr_expect_gt(most_parts, 2);
}

static void play_at_random(Sum *s, Random *random, uint32_t turns, State *state) {
    uint32_t steps;
    do {
        game_initial(s->work, state);
        game_play_randomly(s->work, state, random, turns, &steps);
    } while (game_is_terminal(s->work, state));
}

/* Dominoes that were placed when the sum was made are fixed: other states have no answer, or the
 * right one. */
Test(sums, states_of_other_matches) {
    SearchBudget budget = {.deadline = deadline_never()};
    Random random;
    uint32_t asked = 0, refused = 0;
    State next = {0};
    Sum s = sum_of(game_named("domineering", NULL));
    random_seed(&random, 4);
    for (int i = 0; i < 60; i++) {
        play_at_random(&s, &random, 4, &s.state);
        sums_free(s.sums);
        s.sums = sums_create(s.game, &s.state, ENOUGH, &budget);
        play_at_random(&s, &random, 2, &s.state);
        if (!s.sums)
            continue;
        bool is_known = is_solved(&s, 0);
        game_legal(s.work, &s.state, 1, &s.legal[1]);
        for (size_t m = 0; m < s.moves.count && is_known; m++) {
            uint32_t joint[2] = {s.moves.items[m].move, s.legal[1].items[0]};
            game_next(s.work, &s.state, joint, &next);
            cr_assert_eq(s.moves.items[m].value, exact_value(&s, &next));
        }
        asked++;
        refused += !is_known;
    }
    cr_expect_gt(asked, 10);
    cr_expect_gt(refused, 10);
    state_free(&next);
    sum_free(&s);
}

/* These games have a compound move on two boards, boards one after the other, one board, or too
 * many parts. */
Test(sums, other_games_have_no_answer) {
    static const char *const names[] = {
        "tic_tac_toe_parallel", "tic_tac_toe_serial",   "chomp",
        "connect_four",         "multiple_tic_tac_toe", "dual_hamilton"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Sum s = sum_of(game_named(names[i], NULL));
        cr_expect(!is_solved(&s, 0), "%s", names[i]);
        cr_expect(!s.sums || !sums_may_answer(s.sums), "%s", names[i]);
        sum_free(&s);
    }
}

static const char two_lamps[] =
    "(role l) (role r) (other l r) (other r l) (init (control l)) (lamp 1) (lamp 2)"
    "(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))"
    "(<= (legal ?p (push ?k)) (true (control ?p)) (lamp ?k) (not (true (on ?k))))"
    "(<= (legal ?p noop) (true (control ?q)) (other ?p ?q))"
    "(<= (next (on ?k)) (does ?p (push ?k)))"
    "(<= terminal (true (on 1)) (true (on 2)))";

static bool lamps_are_solved(const char *more, int *value) {
    Text text = {0};
    text_add(&text, two_lamps);
    text_add(&text, more);
    Sum s = sum_of(game_of_text(text_string(&text), NULL));
    bool is_known = is_solved(&s, 0);
    *value = is_known ? s.moves.items[0].value : -1;
    sum_free(&s);
    vector_free(&text);
    return is_known;
}

Test(sums, what_is_asked_of_a_sum) {
    static const char stays[] = "(<= (next (on ?k)) (true (on ?k)))";
    static const char wins[] = "(<= (goal ?p 100) (true (control ?p)))"
                               "(<= (goal ?p 0) (true (control ?q)) (other ?p ?q))";
    char text[500];
    int value;
    snprintf(text, sizeof text, "%s %s", stays, wins);
    cr_expect(lamps_are_solved(text, &value));
    cr_expect_eq(value, 100);
    snprintf(text, sizeof text,
             "%s (<= terminal (true (on 1))) (goal l 100) (<= (goal r 100) (true (on 2)))"
             "(<= (goal r 0) (not (true (on 2))))",
             stays);
    cr_expect(!lamps_are_solved(text, &value), "no constant sum");
    snprintf(text, sizeof text,
             "%s (<= terminal (true (on 1))) (goal l 50) (<= (goal r 50) (true (on 2)))", stays);
    cr_expect(!lamps_are_solved(text, &value), "a goal that may be missing");
    snprintf(text, sizeof text, "%s %s (<= (legal ?p pass) (true (control ?p)))", stays, wins);
    cr_expect(!lamps_are_solved(text, &value), "both may pass for ever");
    cr_expect(!lamps_are_solved(wins, &value), "lamps that go out by themselves");
    snprintf(text, sizeof text, "%s (<= (next (on ?k)) (true (on ?k)) (does ?p (push ?j)))", wins);
    cr_expect(lamps_are_solved(text, &value), "what is moved elsewhere is said in other words");
    cr_expect_eq(value, 100);
}

/* The time of a match counts as well: a player may wait until the clock ends the match. */
Test(sums, with_a_clock) {
    static const char more[] =
        "(<= (next (on ?k)) (true (on ?k))) (init (step 0)) (after 0 1) (after 1 2) (after 2 3)"
        "(<= (next (step ?t)) (true (step ?s)) (after ?s ?t)) (<= terminal (true (step 3)))"
        "(<= (legal ?p pass) (true (control ?p)))"
        "(<= (goal l 100) (true (on 1)) (not (true (on 2)))) (<= (goal r 0) (true (on 1)) (not "
        "(true "
        "(on 2)))) (<= off (true (on 2))) (<= off (not (true (on 1))))"
        "(<= (goal l 0) off) (<= (goal r 100) off)";
    Text text = {0};
    text_add(&text, two_lamps);
    text_add(&text, more);
    Random random;
    random_seed(&random, 7);
    Sum s = sum_of(game_of_text(text_string(&text), NULL));
    for (int match = 0; match < 4; match++)
        cr_expect_gt(check_match(&s, &random), 0);
    sum_free(&s);
    vector_free(&text);
}

/* ---- budgets ---- */

/* A fluent that a move changes after any number of turns does not belong to the rest. */
Test(sums, long_ways_from_a_move) {
    enum { LENGTH = 400 };
    Text text = {0}, name = {0};
    text_add(&text, two_lamps);
    text_add(&text, "(<= (next (on ?k)) (true (on ?k)))"
                    "(<= (next (h ?i)) (succ ?i ?j) (true (h ?j)))"
                    "(<= terminal (true (h 0))) (goal l 50) (goal r 50)");
    text_printf(&text, "(<= (next (h %d)) (true (on 1)))", LENGTH);
    for (int i = 0; i < LENGTH; i++)
        text_printf(&text, "(succ %d %d)", i, i + 1);
    Sum s = {.game = game_of_text(text_string(&text), NULL)};
    s.work = game_work_create(s.game, REASONER_SCALAR);
    game_initial(s.work, &s.state);
    SumParts parts;
    (void)sumparts_find(s.game, &s.state, &(SearchBudget){.deadline = deadline_never()}, &parts);
    for (uint32_t f = 0; f < s.game->circuit->fluent_count; f++) {
        text_clear(&name);
        game_fluent_text(s.work, f, &name);
        bool is_control = strncmp(text_string(&name), "(control", 8) == 0;
        cr_expect_eq(bitset_get(parts.rest, f), is_control, "%s", text_string(&name));
    }
    sumparts_free(&parts);
    sum_free(&s);
    vector_free(&text);
    vector_free(&name);
}

/* There is no answer if the time is over or the search is stopped, and this refutes nothing. */
Test(sums, no_answer_without_time) {
    static const char *const names[] = {"double_tic_tac_toe_free", "double_tic_tac_toe"};
    static const bool yes = true;
    const SearchBudget spent[] = {{.deadline = deadline_in(0)},
                                  {.deadline = deadline_never(), .stopped = &yes},
                                  {.deadline = deadline_never(), .outer_stopped = &yes}};
    for (int i = 0; i < 2; i++) {
        Sum s = sum_of(game_named(names[i], NULL));
        for (int k = 0; k < 3; k++) {
            cr_expect_null(sums_create(s.game, &s.state, ENOUGH, &spent[k]));
            cr_expect(!sums_moves(s.sums, &s.state, 0, &spent[k], &s.moves));
            cr_expect_eq(s.sums->classes.count, 0);
            cr_expect(sums_may_answer(s.sums));
        }
        cr_expect(is_solved(&s, 0));
        sum_free(&s);
    }
}

/* A few playouts are little work; solving continues from there. */
Test(sums, the_work_of_playouts) {
    static const char *const names[] = {"double_tic_tac_toe_free", "double_tic_tac_toe"};
    SearchBudget budget = {.deadline = deadline_never(), .playouts = 40};
    for (int i = 0; i < 2; i++) {
        Sum s = sum_of(game_named(names[i], NULL));
        int runs = 1;
        while (!sums_moves(s.sums, &s.state, 0, &budget, &s.moves) && runs < 40) {
            cr_assert(sums_may_answer(s.sums));
            runs++;
        }
        cr_expect(runs > 3 && runs < 40, "%d", runs);
        for (size_t m = 0; m < s.moves.count; m++)
            cr_expect_eq(s.moves.items[m].value, 50);
        sum_free(&s);
    }
}

/* A sum that does not fit into the memory is given up for good, soon after the memory is full. */
Test(sums, no_answer_without_memory) {
    static const char *const names[] = {"double_tic_tac_toe_free", "double_tic_tac_toe"};
    enum { SLACK = 1 << 20 };
    for (int i = 0; i < 2; i++) {
        Sum s = sum_of(game_named(names[i], NULL));
        cr_assert(is_solved(&s, 0));
        size_t needed = sums_bytes(s.sums);
        for (size_t limit = needed / 8; limit <= needed; limit *= 2) {
            SearchBudget budget = {.deadline = deadline_never()};
            Sums *sums = sums_create(s.game, &s.state, limit, &budget);
            bool is_known = sums_moves(sums, &s.state, 0, &budget, &s.moves);
            cr_expect_eq(is_known, sums_may_answer(sums));
            cr_expect(!is_known || limit >= needed);
            cr_expect_leq(sums_bytes(sums), limit + limit / 2 + SLACK);
            sums_free(sums);
        }
        sum_free(&s);
    }
}

/* Every path through a part is a kind of its own. That there are too many combinations is found
 * while kinds are listed, with little work. */
Test(sums, many_kinds_in_step) {
    enum { BITS = 9 };
    Text text = {0};
    text_add(&text, "(role l) (role r) (other l r) (other r l) (init (control 0 l))"
                    "(init (control 1 r))"
                    "(<= (next (control ?k ?q)) (true (control ?k ?p)) (other ?p ?q))"
                    "(<= (legal ?p (put ?k ?i)) (true (control ?k ?p)) (bit ?i)"
                    "(not (true (on ?k ?i))) (not (full ?k)))"
                    "(<= (legal ?p wait) (true (control ?k ?p)) (full ?k))"
                    "(<= (next (on ?k ?i)) (does ?p (put ?k ?i)))"
                    "(<= (next (on ?k ?i)) (true (on ?k ?i)))"
                    "(<= terminal (full 0) (full 1))"
                    "(<= both (true (on 0 ?i)) (true (on 1 ?i)))"
                    "(<= (goal l 100) both) (<= (goal r 0) both)"
                    "(<= (goal l 0) (not both)) (<= (goal r 100) (not both))");
    for (int i = 0; i < BITS; i++)
        text_printf(&text, "(bit %d)", i);
    for (int k = 0; k < 2; k++) {
        text_printf(&text, "(<= (full %d)", k);
        for (int i = 0; i < BITS; i++)
            text_printf(&text, "(true (on %d %d))", k, i);
        text_add(&text, ")");
    }
    Sum s = sum_of(game_of_text(text_string(&text), NULL));
    cr_assert_not_null(s.sums);
    SearchBudget budget = {.deadline = deadline_never(), .playouts = 100};
    cr_expect(!sums_moves(s.sums, &s.state, 0, &budget, &s.moves));
    cr_expect(s.sums->is_in_step);
    cr_expect_eq(s.sums->classes.count, 2 << BITS);
    cr_expect(!sums_may_answer(s.sums));
    sum_free(&s);
    vector_free(&text);
}

/* ---- in the search ---- */

/* A search that is stopped before it begins solves nothing, and the next run solves everything. */
Test(sums, parts_can_be_stopped) {
    static const bool yes = true;
    SearchTable t =
        table_create(game_named("double_tic_tac_toe", NULL), "parts", 0, (SearchOptions){0});
    SearchBudget stopped = {.deadline = deadline_never(), .playouts = 1000, .stopped = &yes};
    search_set_state(t.search, &t.state);
    for (int i = 0; i < 5; i++) {
        search_run(t.search, &stopped);
        search_result(t.search, &t.result);
        for (size_t m = 0; m < t.result.moves.count; m++)
            cr_expect(!t.result.moves.items[m].is_proven);
    }
    think(&t, 1000);
    cr_expect(t.result.moves.items[0].is_proven);
    table_release(&t);
}

/* Solved values are reported, and among equal moves the choice of the tree is made. */
Test(sums, parts_answers_with_them) {
    static const char *const names[] = {"double_tic_tac_toe_free", "double_tic_tac_toe"};
    for (int i = 0; i < 2; i++) {
        SearchTable t = table_create(game_named(names[i], NULL), "parts", 0, (SearchOptions){0});
        search_set_state(t.search, &t.state);
        think(&t, 1000);
        cr_expect_eq(t.result.best, t.result.moves.items[0].move);
        for (size_t m = 0; m < t.result.moves.count; m++) {
            cr_expect(t.result.moves.items[m].is_proven);
            cr_expect_eq(t.result.moves.items[m].value, 50);
        }
        table_release(&t);
    }
}

/* A few playouts prove little; a sum into which the match has decomposed proves more. */
Test(sums, parts_looks_again_during_a_match) {
    uint32_t proven[2] = {0};
    for (uint64_t i = 0; i < 10; i++) {
        SearchTable t =
            table_create(game_named("domineering", NULL), "parts", 0,
                         (SearchOptions){.own = &(UctRelevantOptions){.looks_again = i % 2}});
        Random random;
        U32Vector legal = {0};
        random_seed(&random, i / 2);
        search_set_state(t.search, &t.state);
        for (;;) {
            uint32_t joint[2];
            think(&t, 4);
            proven[i % 2] += t.result.moves.count > 1 && t.result.is_decided;
            for (uint32_t r = 0; r < 2; r++) {
                game_legal(t.work, &t.state, r, &legal);
                joint[r] = legal.items[random_below(&random, legal.count)];
            }
            game_next(t.work, &t.state, joint, &t.state);
            if (game_is_terminal(t.work, &t.state))
                break;
            search_advance(t.search, joint, &t.state);
        }
        vector_free(&legal);
        table_release(&t);
    }
    cr_expect_gt(proven[1], proven[0], "%u, %u", proven[0], proven[1]);
}

/* Returns the value of a move of the role that `parts` plays; the value of the state if the role
 * has to wait. */
static int exact_value_of_move(SearchTable *t, const U32Vector *legal, uint32_t move) {
    Sum s = {.game = t->game, .work = t->work};
    State next = {0};
    uint32_t joint[2] = {move, legal[1].items[0]};
    game_next(t->work, &t->state, joint, &next);
    int value = exact_value(&s, legal[0].count == 1 ? &t->state : &next);
    state_free(&next);
    return value;
}

/* A search that receives a state of another match uses nothing from the first. */
Test(sums, parts_with_the_state_of_another_match) {
    Random random;
    uint32_t proven[2] = {0};
    random_seed(&random, 4);
    for (int i = 0; i < 40; i++) {
        SearchTable t = table_create(
            game_named("domineering", NULL), "parts", 0,
            (SearchOptions){.seed = 1, .own = &(UctRelevantOptions){.looks_again = i % 2}});
        Sum s = {.game = t.game, .work = t.work};
        U32Vector legal[2] = {{0}, {0}};
        for (uint32_t match = 0; match < 2; match++) {
            play_at_random(&s, &random, match ? 2 : 4, &t.state);
            search_set_state(t.search, &t.state);
            think(&t, 300);
            for (uint32_t r = 0; r < 2; r++)
                game_legal(t.work, &t.state, r, &legal[r]);
            for (size_t m = 0; m < t.result.moves.count; m++) {
                const SearchMove *move = &t.result.moves.items[m];
                if (!move->is_proven)
                    continue;
                proven[match]++;
                cr_assert_eq((int)move->value, exact_value_of_move(&t, legal, move->move));
            }
        }
        vector_free(&legal[0]);
        vector_free(&legal[1]);
        table_release(&t);
    }
    cr_expect_gt(proven[0], 20);
}

/* A search with little memory makes no sums; with several trees, one of them solves the sum for
 * all. */
Test(sums, parts_shares_memory_and_work) {
    const SearchOptions little = {.node_bytes = 1 << 20}, other = {.skips_sums = true},
                        several = {.threads = 3, .parallel = PARALLEL_ROOT};
    const SearchOptions options[] = {little, other, several};
    for (int i = 0; i < 3; i++) {
        SearchTable t =
            table_create(game_named("double_tic_tac_toe_free", NULL), "parts", 0, options[i]);
        search_set_state(t.search, &t.state);
        think(&t, 3000);
        cr_expect_eq(t.result.moves.count, 18);
        for (size_t m = 0; m < t.result.moves.count; m++) {
            cr_expect_eq(t.result.moves.items[m].is_proven, i == 2);
            cr_expect(i < 2 || t.result.moves.items[m].value == 50);
        }
        table_release(&t);
    }
}
