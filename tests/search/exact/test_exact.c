/* Tests exact solving: games whose values are known, states compared with an independent plain
 * minimax, small games of every kind, and budgets. */
#include "search/exact/exact.h"

#include "game/play.h"

TestSuite(exact, .timeout = 600);

static const ExactBudget no_limit = {.deadline = {.at = 1e300}};

static ExactResult solved(Game *game, const State *from) {
    ExactResult result;
    exact_solve(game, from, &no_limit, &result);
    cr_assert_eq(result.end, EXACT_SOLVED, "%s", exact_end_text(result.end));
    cr_assert(result.has_values);
    return result;
}

/* Asserts that the line is legal and ends in a terminal state with the values of the result. */
static void assert_line(Game *game, const State *from, const ExactResult *result) {
    GameWork *work = game_work_create(game, REASONER_AUTO);
    State state = {0};
    U32Vector legal = {0};
    if (from)
        state_copy(&state, from);
    else
        game_initial(work, &state);
    for (size_t i = 0; i < result->line.count; i += game->role_count) {
        cr_assert(!game_is_terminal(work, &state));
        for (uint32_t r = 0; r < game->role_count; r++) {
            bool found = false;
            game_legal(work, &state, r, &legal);
            for (size_t j = 0; j < legal.count; j++)
                found |= legal.items[j] == result->line.items[i + r];
            cr_assert(found);
        }
        game_next(work, &state, result->line.items + i, &state);
    }
    cr_expect(game_is_terminal(work, &state));
    for (uint32_t r = 0; r < game->role_count; r++)
        cr_expect_eq(game_goal(work, &state, r), (int)result->values[r]);
    vector_free(&legal);
    state_free(&state);
    game_work_free(work);
}

static void assert_values(const char *name, double first, double second, size_t turns) {
    Game *game = game_named(name, NULL);
    ExactResult result = solved(game, NULL);
    cr_expect_eq(result.values[0], first, "%s: %g", name, result.values[0]);
    if (game->role_count > 1)
        cr_expect_eq(result.values[1], second, "%s: %g", name, result.values[1]);
    if (turns)
        cr_expect_eq(result.line.count / game->role_count, turns, "%s", name);
    assert_line(game, NULL, &result);
    exact_result_free(&result);
    game_free(game);
}

Test(exact, games_of_two) {
    assert_values("tic_tac_toe", 50, 50, 9);
    assert_values("nim", 100, 0, 0);
    assert_values("nim_misere", 100, 0, 0);
    assert_values("chomp", 100, 0, 0);
}

Test(exact, games_of_one_with_a_shortest_line) {
    assert_values("maze", 100, 0, 6);
    assert_values("blocks_world", 100, 0, 3);
    assert_values("buttons_and_lights", 100, 0, 6);
    assert_values("lights_on", 100, 0, 4);
    assert_values("hunter", 87, 0, 14);
    assert_values("queens_guided", 100, 0, 8);
    assert_values("incredible", 100, 0, 0);
}

/* Returns the value of the first role by plain minimax; the roles take turns. */
static int minimax(Game *game, GameWork *work, const State *state) {
    if (game_is_terminal(work, state))
        return game_goal(work, state, 0);
    U32Vector legal[2] = {{0}, {0}};
    State next = {0};
    for (uint32_t r = 0; r < 2; r++)
        game_legal(work, state, r, &legal[r]);
    bool maximises = legal[0].count > 1;
    int best = -1;
    for (size_t i = 0; i < legal[0].count; i++) {
        for (size_t j = 0; j < legal[1].count; j++) {
            uint32_t joint[2] = {legal[0].items[i], legal[1].items[j]};
            game_next(work, state, joint, &next);
            int value = minimax(game, work, &next);
            if (best < 0 || (maximises ? value > best : value < best))
                best = value;
        }
    }
    vector_free(&legal[0]);
    vector_free(&legal[1]);
    state_free(&next);
    return best;
}

static void compare_with_minimax(Game *game, uint32_t turns, int count, uint64_t seed) {
    GameWork *work = game_work_create(game, REASONER_AUTO);
    State state = {0};
    Random random;
    uint32_t steps;
    random_seed(&random, seed);
    for (int i = 0; i < count; i++) {
        game_initial(work, &state);
        game_play_randomly(work, &state, &random, turns, &steps);
        ExactResult result = solved(game, &state);
        cr_expect_eq(result.values[0], minimax(game, work, &state));
        assert_line(game, &state, &result);
        exact_result_free(&result);
    }
    state_free(&state);
    game_work_free(work);
}

Test(exact, agrees_with_minimax) {
    Game *game = game_named("tic_tac_toe", NULL);
    compare_with_minimax(game, 2, 30, 1);
    compare_with_minimax(game, 4, 100, 2);
    game_free(game);
    game = game_named("chomp", NULL);
    compare_with_minimax(game, 4, 20, 3);
    game_free(game);
    game = game_named("connect_four", NULL);
    compare_with_minimax(game, 36, 30, 4);
    game_free(game);
}

Test(exact, works_through_the_interpreter) {
    Game *game = game_named("tic_tac_toe", &(GameOptions){.interpreter_only = true});
    compare_with_minimax(game, 5, 10, 5);
    game_free(game);
    game = game_named("maze", &(GameOptions){.interpreter_only = true});
    ExactResult result = solved(game, NULL);
    cr_expect_eq(result.values[0], 100);
    cr_expect_eq(result.line.count, 6);
    exact_result_free(&result);
    game_free(game);
}

/* Makes Nim with three heaps, described independently of games/. */
static Game *nim(int a, int b, int c, bool is_misere) {
    static const char text[] =
        "(role p) (role q) (init (turn p)) (init (heap x %d)) (init (heap y %d)) (init (heap z %d))"
        "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (other p q) (other q p)"
        "(<= (less ?i ?j) (succ ?i ?j)) (<= (less ?i ?k) (succ ?i ?j) (less ?j ?k))"
        "(<= (legal ?r (leave ?h ?i)) (true (turn ?r)) (true (heap ?h ?j)) (less ?i ?j))"
        "(<= (legal ?r wait) (true (turn ?o)) (other ?o ?r))"
        "(<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o))"
        "(<= (touched ?h) (does ?r (leave ?h ?i)))"
        "(<= (next (heap ?h ?i)) (does ?r (leave ?h ?i)))"
        "(<= (next (heap ?h ?i)) (true (heap ?h ?i)) (not (touched ?h)))"
        "(<= some (true (heap ?h ?i)) (distinct ?i 0)) (<= terminal (not some))"
        "(<= (goal ?r 100) (true (turn %s)) (other ?r ?o))"
        "(<= (goal ?r 0) (true (turn %s)) (other ?r ?o))";
    Text rules = {0};
    text_printf(&rules, text, a, b, c, is_misere ? "?r" : "?o", is_misere ? "?o" : "?r");
    Game *game = game_of_text(rules.items, NULL);
    vector_free(&rules);
    return game;
}

/* Misere play differs only if no heap has more than one match. */
static bool first_wins(int a, int b, int c, bool is_misere) {
    bool is_tiny = a <= 1 && b <= 1 && c <= 1;
    return ((a ^ b ^ c) != 0) != (is_misere && is_tiny);
}

static void assert_nim(int a, int b, int c, bool is_misere) {
    Game *game = nim(a, b, c, is_misere);
    ExactResult result = solved(game, NULL);
    int first = first_wins(a, b, c, is_misere) ? 100 : 0;
    cr_expect_eq(result.values[0], first, "%d %d %d", a, b, c);
    cr_expect_eq(result.values[1], 100 - first, "%d %d %d", a, b, c);
    assert_line(game, NULL, &result);
    exact_result_free(&result);
    game_free(game);
}

Test(exact, nim_by_its_sum) {
    for (int a = 0; a <= 4; a++)
        for (int b = a; b <= 4; b++)
            for (int c = b; c <= 4; c++) {
                assert_nim(a, b, c, false);
                assert_nim(a, b, c, true);
            }
}

/* ---- sliding tiles, without a step counter: the graph has cycles ---- */

enum { CELLS = 6 };

static Game *sliding(const char *tiles) {
    Text rules = {0};
    text_add(&rules, "(role r) (beside 1 2) (beside 2 3) (beside 4 5) (beside 5 6) (beside 1 4)"
                     "(beside 2 5) (beside 3 6) (<= (near ?a ?b) (beside ?a ?b))"
                     "(<= (near ?a ?b) (beside ?b ?a)) (home 1 a) (home 2 b) (home 3 c) (home 4 d)"
                     "(home 5 e) (home 6 o)"
                     "(<= (legal r (slide ?c)) (true (cell ?b o)) (near ?b ?c))"
                     "(<= (next (cell ?c o)) (does r (slide ?c)))"
                     "(<= (next (cell ?b ?t)) (does r (slide ?c)) (true (cell ?c ?t))"
                     " (true (cell ?b o)))"
                     "(<= (next (cell ?b ?t)) (true (cell ?b ?t)) (distinct ?t o)"
                     " (not (does r (slide ?b))))"
                     "(<= away (true (cell ?b ?t)) (not (home ?b ?t))) (<= terminal (not away))"
                     "(<= (goal r 100) (not away)) (<= (goal r 0) away)");
    for (int i = 0; i < CELLS; i++)
        text_printf(&rules, "(init (cell %d %c))", i + 1, tiles[i]);
    Game *game = game_of_text(rules.items, NULL);
    vector_free(&rules);
    return game;
}

/* True if some sequence of `moves` moves solves the tiles, by trying all of them. */
static bool slides_home(char *tiles, int blank, int from, int moves) {
    static const int near[CELLS][3] = {{1, 3, -1}, {0, 2, 4}, {1, 5, -1},
                                       {0, 4, -1}, {1, 3, 5}, {2, 4, -1}};
    if (memcmp(tiles, "abcdeo", CELLS) == 0)
        return true;
    for (int i = 0; moves && i < 3 && near[blank][i] >= 0; i++) {
        int to = near[blank][i];
        if (to == from)
            continue;
        tiles[blank] = tiles[to];
        tiles[to] = 'o';
        bool found = slides_home(tiles, to, blank, moves - 1);
        tiles[to] = tiles[blank];
        tiles[blank] = 'o';
        if (found)
            return true;
    }
    return false;
}

Test(exact, sliding_tiles_in_the_fewest_moves) {
    static const char *const starts[] = {"abcdoe", "abcode", "aobdce", "boacde", "eboadc",
                                         "dacboe", "ocbdea", "edcbao", "cbaedo"};
    int solvable = 0;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        char tiles[CELLS + 1];
        strcpy(tiles, starts[i]);
        int fewest = 0;
        while (fewest <= 21 && !slides_home(tiles, (int)(strchr(tiles, 'o') - tiles), -1, fewest))
            fewest++;
        Game *game = sliding(starts[i]);
        ExactResult result;
        exact_solve(game, NULL, &no_limit, &result);
        if (fewest <= 21) {
            solvable++;
            cr_expect_eq(result.end, EXACT_SOLVED);
            cr_expect_eq(result.values[0], 100);
            cr_expect_eq(result.line.count, (size_t)fewest, "%s", starts[i]);
            assert_line(game, NULL, &result);
        } else { /* no match from its 360 states ends */
            cr_expect_eq(result.end, EXACT_ENDLESS);
            cr_expect_eq(result.states, 360);
        }
        exact_result_free(&result);
        game_free(game);
    }
    cr_expect_geq(solvable, 4);
}

/* ---- other kinds of games ---- */

static void assert_end(const char *text, ExactEnd end) {
    Game *game = game_of_text(text, NULL);
    ExactResult result;
    exact_solve(game, NULL, &no_limit, &result);
    cr_expect_eq(result.end, end, "%s", exact_end_text(result.end));
    exact_result_free(&result);
    game_free(game);
}

/* A role that takes gets more than the other, but less than if both wait to the end. */
#define CENTIPEDE                                                                                  \
    "(role p) (role q) (init (at 0 p)) (then 0 p 1 q) (then 1 q 2 p) (then 2 p 3 q)"               \
    "(<= (legal ?r take) (true (at ?n ?r))) (<= (legal ?r pass) (true (at ?n ?r)))"                \
    "(<= (legal p idle) (true (at ?n q))) (<= (legal q idle) (true (at ?n p)))"                    \
    "(<= (legal p idle) (true (end ?n))) (<= (legal q idle) (true (end ?n)))"                      \
    "(<= (next (at ?m ?o)) (true (at ?n ?r)) (does ?r pass) (then ?n ?r ?m ?o))"                   \
    "(<= (next (end ?n)) (true (at ?n ?r)) (does ?r take))"                                        \
    "(<= (next (end 4)) (true (at 3 q)) (does q pass))"                                            \
    "(pay 0 10 5) (pay 1 4 20) (pay 2 40 10) (pay 3 8 80) (pay 4 70 70)"                           \
    "(<= terminal (true (end ?n))) (<= (goal p ?v) (true (end ?n)) (pay ?n ?v ?w))"                \
    "(<= (goal q ?w) (true (end ?n)) (pay ?n ?v ?w))"

Test(exact, two_roles_without_a_constant_sum) {
    Game *game = game_of_text(CENTIPEDE, NULL);
    ExactResult result = solved(game, NULL);
    cr_expect_str_eq(result.method, "backward induction");
    cr_expect_eq(result.values[0], 10);
    cr_expect_eq(result.values[1], 5);
    cr_expect_eq(result.line.count, 2);
    assert_line(game, NULL, &result);
    exact_result_free(&result);
    game_free(game);
}

/* Each of three roles in turn says left or right; the table gives the goals. */
Test(exact, three_roles) {
    Game *game = game_of_text(
        "(role a) (role b) (role c) (init (turn a)) (after a b) (after b c) (after c nobody)"
        "(<= (legal ?r l) (true (turn ?r))) (<= (legal ?r r) (true (turn ?r)))"
        "(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))"
        "(<= (next (turn ?s)) (true (turn ?r)) (after ?r ?s))"
        "(<= (next (said ?r ?x)) (does ?r ?x) (distinct ?x wait))"
        "(<= (next (said ?r ?x)) (true (said ?r ?x))) (<= terminal (true (turn nobody)))"
        "(<= (goal ?r ?v) (true (said a ?x)) (true (said b ?y)) (true (said c ?z))"
        " (pay ?x ?y ?z ?r ?v))"
        "(pay l l l a 90) (pay l l l b 10) (pay l l l c 10)"
        "(pay l l r a 30) (pay l l r b 60) (pay l l r c 20)"
        "(pay l r l a 20) (pay l r l b 70) (pay l r l c 80)"
        "(pay l r r a 99) (pay l r r b 99) (pay l r r c 0)"
        "(pay r l l a 25) (pay r l l b 5) (pay r l l c 30)"
        "(pay r l r a 80) (pay r l r b 90) (pay r l r c 29)"
        "(pay r r l a 0) (pay r r l b 0) (pay r r l c 1)"
        "(pay r r r a 40) (pay r r r b 6) (pay r r r c 50)",
        NULL);
    ExactResult result = solved(game, NULL);
    /* c prefers r (20) after ll, l (80) after lr, l (30) after rl and r (50) after rr; b prefers r
     * after l (70) and r after r (6 > 5). */
    cr_expect_eq(result.values[0], 40);
    cr_expect_eq(result.values[1], 6);
    cr_expect_eq(result.values[2], 50);
    assert_line(game, NULL, &result);
    exact_result_free(&result);
    game_free(game);
}

/* The player throws once for 0, 50 or 100, or takes a sure 40; chance is the first or the second
 * role. */
static void assert_dice(const char *roles, uint32_t player) {
    Text rules = {0};
    text_add(&rules, roles);
    text_add(&rules, "(init start) (face 0) (face 50) (face 100)"
                     "(<= (legal p throw) (true start)) (<= (legal p stay) (true start))"
                     "(<= (legal p stay) (true (got ?v)))"
                     "(<= (legal random (show ?v)) (true start) (face ?v))"
                     "(<= (legal random nothing) (true (got ?v)))"
                     "(<= (next (got ?v)) (does p throw) (does random (show ?v)))"
                     "(<= (next (got 40)) (does p stay)) (<= terminal (true (got ?v)))"
                     "(<= (goal p ?v) (true (got ?v))) (<= (goal p 0) (true start))"
                     "(goal random 0)");
    Game *game = game_of_text(rules.items, NULL);
    ExactResult result = solved(game, NULL);
    cr_expect_float_eq(result.values[player], 50, 1e-9, "%g", result.values[player]);
    cr_expect_eq(result.line.count, 2);
    exact_result_free(&result);
    game_free(game);
    vector_free(&rules);
}

Test(exact, chance) {
    assert_dice("(role p) (role random)", 0);
    assert_dice("(role random) (role p)", 1);
}

Test(exact, what_cannot_be_solved) {
    static const char penny[] =
        "(role a) (role b) (init go) (<= (legal ?r h) (role ?r)) (<= (legal ?r t) (role ?r))"
        "(<= (next same) (does a ?x) (does b ?x)) (<= (next over) (true go))"
        "(<= terminal (true over)) (<= (goal a 100) (true same)) (<= (goal a 0) (not (true same)))"
        "(<= (goal b 0) (true same)) (<= (goal b 100) (not (true same)))";
    Text hidden = {0};
    text_printf(&hidden, "%s (<= (sees a x) (does a h))", penny);
    assert_end(penny, EXACT_SIMULTANEOUS);
    assert_end(hidden.items, EXACT_HIDDEN);
    vector_free(&hidden);
}

/* Two roles go round a ring; `exits` are additional rules. */
static void assert_ring(const char *exits, ExactEnd end, double value) {
    Text rules = {0};
    text_add(&rules, "(role p) (role q) (init (at 0 p)) (step 0 1) (step 1 2) (step 2 0)"
                     "(other p q) (other q p)"
                     "(<= (legal ?r go) (true (at ?n ?r)))"
                     "(<= (legal ?r wait) (role ?r) (not (mine ?r)))"
                     "(<= (mine ?r) (true (at ?n ?r)))"
                     "(<= (next (at ?m ?o)) (true (at ?n ?r)) (does ?r go) (step ?n ?m)"
                     " (other ?r ?o))"
                     "(<= (next (out ?n ?r)) (true (at ?n ?r)) (does ?r leave))"
                     "(<= terminal (true (out ?n ?r)))"
                     "(<= (goal q 100) (true (out ?n p)) (bad ?n)) (<= (goal p 0) (true (out ?n p))"
                     " (bad ?n)) (bad 1) (bad 2)"
                     "(<= (goal p 100) (true (out 0 p))) (<= (goal q 0) (true (out 0 p)))"
                     "(<= (goal p 50) (true (out ?n q))) (<= (goal q 50) (true (out ?n q)))");
    text_add(&rules, exits);
    Game *game = game_of_text(rules.items, NULL);
    ExactResult result;
    exact_solve(game, NULL, &no_limit, &result);
    cr_expect_eq(result.end, end, "%s: %s", exits, exact_end_text(result.end));
    if (end == EXACT_SOLVED)
        cr_expect_eq(result.values[0], value);
    exact_result_free(&result);
    game_free(game);
    vector_free(&rules);
}

Test(exact, matches_without_end) {
    assert_ring("", EXACT_ENDLESS, 0);
    assert_ring("(<= (legal p leave) (true (at 0 p)))", EXACT_SOLVED, 100);
    assert_ring("(<= (legal p leave) (true (at 1 p)))", EXACT_ENDLESS, 0);
    assert_ring("(<= (legal q leave) (true (at ?n q))) (<= (legal p leave) (true (at ?n p)))",
                EXACT_SOLVED, 100);
    assert_end("(role r) (init on) (<= (next on) (true on) (does r stay)) (legal r stay)"
               "(<= terminal (not (true on))) (goal r 0)",
               EXACT_ENDLESS);
}

Test(exact, budgets) {
    Game *game = game_named("breakthrough", NULL);
    ExactResult result;
    double started = clock_cpu_seconds();
    exact_solve(game, NULL, &(ExactBudget){.deadline = deadline_in(0.05)}, &result);
    cr_expect_eq(result.end, EXACT_NO_TIME);
    cr_expect(!result.has_values);
    cr_expect_lt(clock_cpu_seconds() - started, 2);
    exact_result_free(&result);
    exact_solve(game, NULL, &(ExactBudget){.deadline = deadline_never(), .bytes = 1 << 20},
                &result);
    cr_expect_eq(result.end, EXACT_NO_MEMORY);
    exact_result_free(&result);
    exact_solve(game, NULL, &(ExactBudget){.deadline = deadline_never(), .bytes = 1}, &result);
    cr_expect_eq(result.end, EXACT_NO_MEMORY);
    exact_result_free(&result);
    bool stopped = true;
    exact_solve(game, NULL, &(ExactBudget){.deadline = deadline_never(), .stopped = &stopped},
                &result);
    cr_expect_eq(result.end, EXACT_STOPPED);
    exact_result_free(&result);
    game_free(game);
}
