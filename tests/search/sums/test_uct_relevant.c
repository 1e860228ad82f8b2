/* Tests search by relevant subgames: sums of impartial games against exact values, moves that
 * change nothing, and that it is plain UCT in games without subgames. */
#include "../play_search.h"
#include "analysis/facts/relevance.h"
#include "base/bitset.h"
#include "search/exact/exact.h"
#include "search/sums/nimbers.h"
#include "search/sums/uct_relevant.h"
#include "search/uct/uct.h"

TestSuite(uct_relevant, .timeout = 600);

typedef struct {
    Game *game;
    GameWork *work;
    State state;
    Nimbers *nimbers;
} Sum;

static Sum sum_of(Game *game) {
    Sum s = {.game = game, .work = game_work_create(game, REASONER_SCALAR)};
    game_initial(s.work, &s.state);
    s.nimbers = nimbers_create(game, &s.state, deadline_never());
    return s;
}

static void sum_free(Sum *s) {
    nimbers_free(s->nimbers);
    state_free(&s->state);
    game_work_free(s->work);
    game_free(s->game);
}

static double exact_value(Sum *s, const State *state, uint32_t role) {
    ExactResult exact;
    ExactBudget budget = {.deadline = deadline_in(60)};
    exact_solve(s->game, state, &budget, &exact);
    cr_assert_eq(exact.end, EXACT_SOLVED);
    double value = exact.values[role];
    exact_result_free(&exact);
    return value;
}

/* Asserts that, in every position of random matches, a winning move is found if there is one, and
 * that it wins. */
static void check_against_exact(Sum *s, int matches) {
    Random random;
    random_seed(&random, 1);
    U32Vector legal[2] = {{0}, {0}};
    State next = {0};
    for (int match = 0; match < matches; match++) {
        game_initial(s->work, &s->state);
        while (!game_is_terminal(s->work, &s->state)) {
            uint32_t joint[2], move = 0;
            for (uint32_t r = 0; r < 2; r++) {
                game_legal(s->work, &s->state, r, &legal[r]);
                joint[r] = legal[r].items[random_below(&random, legal[r].count)];
            }
            for (uint32_t r = 0; r < 2; r++) {
                bool wins = nimbers_winning_move(s->nimbers, &s->state, r, &move);
                if (legal[r].count > 1)
                    cr_expect_eq(wins, exact_value(s, &s->state, r) == 100);
                if (!wins)
                    continue;
                uint32_t answer[2] = {joint[0], joint[1]};
                answer[r] = move;
                game_next(s->work, &s->state, answer, &next);
                cr_expect_eq(exact_value(s, &next, r), 100);
            }
            game_next(s->work, &s->state, joint, &s->state);
        }
    }
    vector_free(&legal[0]);
    vector_free(&legal[1]);
    state_free(&next);
}

/* Sums of heaps: the winner follows from the nim sum (Sprague and Grundy). */
Test(uct_relevant, nimbers_know_who_wins) {
    for (int misere = 0; misere < 2; misere++) {
        Sum s = sum_of(game_named(misere ? "nim_misere" : "nim", NULL));
        cr_assert_not_null(s.nimbers);
        check_against_exact(&s, 3);
        sum_free(&s);
    }
}

Test(uct_relevant, a_glance_tells_most_games_from_sums) {
    static const struct {
        const char *name;
        bool is_likely;
    } games[] = {{"nim", true}, {"nim_misere", true}, {"connect_four", false}, {"hex", false}};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        Game *game = game_named(games[i].name, NULL);
        GameWork *work = game_work_create(game, REASONER_SCALAR);
        State state = {0};
        game_initial(work, &state);
        cr_expect_eq(nimbers_are_likely(game, &state), games[i].is_likely, "%s", games[i].name);
        state_free(&state);
        game_work_free(work);
        game_free(game);
    }
}

/* On these boards the players have different marks, or the cells are not independent. */
Test(uct_relevant, other_games_are_no_such_sums) {
    static const char *const names[] = {"double_tic_tac_toe_free", "tic_tac_toe_parallel", "chomp",
                                        "tic_tac_toe_serial", "dual_connect_four"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Sum s = sum_of(game_named(names[i], NULL));
        cr_expect_null(s.nimbers, "%s", names[i]);
        sum_free(&s);
    }
}

static SearchResult searched(Game *game, const char *method, uint64_t playouts) {
    Report report = {0};
    GameWork *work = game_work_create(game, REASONER_AUTO);
    State state = {0};
    SearchResult result = {0};
    Search *search = strategy_create_named(method, game, 0, &(SearchOptions){.seed = 4}, &report);
    cr_assert_not_null(search);
    game_initial(work, &state);
    search_set_state(search, &state);
    search_run(search, &(SearchBudget){.deadline = deadline_never(), .playouts = playouts});
    search_result(search, &result);
    search_free(search);
    state_free(&state);
    game_work_free(work);
    report_free(&report);
    return result;
}

static void expect_same(const SearchResult *a, const SearchResult *b) {
    cr_assert_eq(a->moves.count, b->moves.count);
    cr_expect_eq(a->best, b->best);
    for (size_t i = 0; i < a->moves.count; i++) {
        cr_expect_eq(a->moves.items[i].visits, b->moves.items[i].visits);
        cr_expect_eq(a->moves.items[i].value, b->moves.items[i].value);
    }
}

Test(uct_relevant, is_plain_uct_without_parts) {
    Game *game = game_named("connect_four", NULL);
    SearchResult plain = searched(game, "uct", 5000), parts = searched(game, "parts", 5000);
    expect_same(&plain, &parts);
    search_result_free(&plain);
    search_result_free(&parts);
    game_free(game);
}

Test(uct_relevant, one_seed_one_result) {
    Game *game = game_named("multiple_tic_tac_toe", NULL);
    SearchResult once = searched(game, "parts", 5000), again = searched(game, "parts", 5000);
    expect_same(&once, &again);
    search_result_free(&once);
    search_result_free(&again);
    game_free(game);
}

/* Only one of nine boards matters: of the 72 moves on the others, one is searched. */
Test(uct_relevant, idle_moves_wait) {
    Game *game = game_named("multiple_tic_tac_toe", NULL);
    SearchResult result = searched(game, "parts", 20000);
    size_t visited = 0;
    for (size_t i = 0; i < result.moves.count; i++)
        visited += result.moves.items[i].visits > 0;
    cr_expect_eq(result.moves.count, 81);
    cr_expect_eq(visited, 10);
    search_result_free(&result);
    game_free(game);
}

/* Each player has its own graph: the moves of the other count as one. */
Test(uct_relevant, others_who_play_alone_are_left_out) {
    Game *game = game_named("dual_hamilton", NULL);
    uint64_t fluents[8] = {0}, moves[8] = {0};
    const Circuit *c = game->circuit;
    cr_assert(c->fluent_count <= 512 && c->move_count <= 512);
    relevance_for_role(c, 0, fluents, moves);
    for (uint32_t m = 0; m < c->move_count; m++)
        if (m >= c->first_move[1])
            cr_expect(!bitset_get(moves, m));
    SearchResult plain = searched(game, "uct", 20000), parts = searched(game, "parts", 20000);
    cr_expect_gt(parts.depth, plain.depth);
    search_result_free(&plain);
    search_result_free(&parts);
    game_free(game);
}

Test(uct_relevant, computes_a_sum_of_heaps) {
    Game *game = game_named("nim", NULL);
    SearchResult result = searched(game, "parts", 64);
    cr_expect_eq(result.moves.items[0].value, 100);
    cr_expect_eq(result.moves.items[0].move, result.best);
    search_result_free(&result);
    game_free(game);
}

/* The value of a node was looked up in a series, which was given up later. When the node becomes
 * the root, its moves are searched. */
Test(uct_relevant, a_root_that_was_looked_up_is_searched) {
    SearchTable t = table_create(game_named("tic_tac_toe", NULL), "parts", 0, (SearchOptions){0});
    U32Vector legal[2] = {{0}, {0}};
    search_set_state(t.search, &t.state);
    think(&t, 2000);
    for (uint32_t r = 0; r < 2; r++)
        game_legal(t.work, &t.state, r, &legal[r]);
    uint32_t joint[2] = {t.result.best, legal[1].items[0]};
    game_next(t.work, &t.state, joint, &t.state);
    TreeNode *node = tree_find(&((Uct *)t.search)->tree, &t.state);
    cr_assert(node && node->arms && node->mover == 1 && !node->is_proven);
    node->is_proven = true;
    node->values[0] = node->values[1] = 0.5;
    search_advance(t.search, joint, &t.state);
    think(&t, 2000);
    cr_expect_gt(t.result.playouts, 0);
    cr_expect(!t.result.is_decided || t.result.moves.items[0].is_proven);
    vector_free(&legal[0]);
    vector_free(&legal[1]);
    table_release(&t);
}

/* Makes a game of two boards that one move separates for good, too large to be solved with one
 * playout. */
static Game *boards_to_be_cut(void) {
    enum { CELLS = 10 };
    Text text = {0};
    text_add(&text, "(role l) (role r) (other l r) (other r l) (init (control l)) (init joined)"
                    "(board 1) (board 2) (goal l 50) (goal r 50)"
                    "(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))"
                    "(<= (legal ?p noop) (true (control ?q)) (other ?p ?q))"
                    "(<= (legal ?p cut) (true (control ?p)) (true joined))"
                    "(<= (legal ?p (put ?b ?i)) (true (control ?p)) (not (true joined)) (board ?b)"
                    "(cell ?i) (not (true (on ?b ?i))))"
                    "(<= is_cut (does ?p cut)) (<= (next joined) (true joined) (not is_cut))"
                    "(<= (next (on ?b ?i)) (does ?p (put ?b ?i)))"
                    "(<= (next (on ?b ?i)) (true (on ?b ?i)))"
                    "(<= more (board ?b) (cell ?i) (not (true (on ?b ?i))))"
                    "(<= terminal (not more))");
    for (int i = 0; i < CELLS; i++)
        text_printf(&text, "(cell %d)", i);
    Game *game = game_of_text(text_string(&text), NULL);
    vector_free(&text);
    return game;
}

/* When sums are given up for another analysis, which finds none, the tree gets their memory. */
Test(uct_relevant, the_tree_gets_the_memory_of_sums_back) {
    static const bool yes = true;
    static const char *const cut[] = {"cut", "noop"}, *const put[] = {"noop", "(put 1 3)"};
    SearchTable t =
        table_create(boards_to_be_cut(), "parts", 0,
                     (SearchOptions){.own = &(UctRelevantOptions){.looks_again = true}});
    const Tree *tree = &((const Uct *)t.search)->tree;
    size_t room = tree->max_bytes;
    search_set_state(t.search, &t.state);
    think(&t, 1);
    cr_expect_eq(tree->max_bytes, room);
    make_moves(&t, cut, 2);
    search_advance(t.search, (uint32_t[]){0, 0}, &t.state);
    think(&t, 1);
    cr_expect_lt(tree->max_bytes, room);
    make_moves(&t, put, 2);
    search_advance(t.search, (uint32_t[]){0, 0}, &t.state);
    search_run(t.search,
               &(SearchBudget){.deadline = deadline_never(), .playouts = 1, .stopped = &yes});
    cr_expect_eq(tree->max_bytes, room);
    table_release(&t);
}

/* The options last when the search is given the state of another match. */
Test(uct_relevant, looks_again_in_the_next_match) {
    static const char *const cut[] = {"cut", "noop"};
    SearchTable t =
        table_create(boards_to_be_cut(), "parts", 0,
                     (SearchOptions){.own = &(UctRelevantOptions){.looks_again = true}});
    State start = {0};
    state_copy(&start, &t.state);
    make_moves(&t, cut, 2);
    search_set_state(t.search, &t.state);
    think(&t, 1);
    search_set_state(t.search, &start);
    think(&t, 1);
    cr_expect(!uct_relevant_solves_exactly(t.search));
    search_advance(t.search, (uint32_t[]){0, 0}, &t.state);
    think(&t, 1);
    cr_expect(uct_relevant_solves_exactly(t.search));
    state_free(&start);
    table_release(&t);
}
