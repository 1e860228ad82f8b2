/* Tests keys without step counters: there are fewer positions, and no proof is used at a time where
 * it does not hold. */
#include "../play_search.h"
#include "base/bitset.h"
#include "search/uct/uct.h"

TestSuite(clock, .timeout = 600);

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* The edges are p -> q, q -> p and q -> goal. The goal is worth 100 at step 4, 30 at step 2, else
 * 0. */
static const char detour_text[] =
    "(role you) (init (at p)) (init (step 0))\n"
    "(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)\n"
    "(<= (legal you (go q)) (true (at p))) (<= (legal you (go p)) (true (at q)))\n"
    "(<= (legal you (go goal)) (true (at q)))\n"
    "(<= (next (at ?x)) (does you (go ?x)))\n"
    "(<= (next (step ?m)) (true (step ?n)) (after ?n ?m))\n"
    "(<= terminal (true (at goal))) (<= terminal (true (step 6)))\n"
    "(<= (goal you 100) (true (at goal)) (true (step 4)))\n"
    "(<= (goal you 30) (true (at goal)) (true (step 2)))\n"
    "(<= (goal you 0) (not (true (at goal))))\n"
    "(<= (goal you 0) (true (at goal)) (true (step 6)))\n";

/* A walk round a ring of eight fields, in either direction or standing still, for ten turns. The
 * last field decides, and whether field 4 was visited at an odd time. */
static const char ring_text[] =
    "(role you) (init (at 0)) (init (step 0)) (init even)\n"
    "(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7)\n"
    "(after 7 8) (after 8 9) (after 9 10)\n"
    "(round 0 1) (round 1 2) (round 2 3) (round 3 4) (round 4 5) (round 5 6) (round 6 7)\n"
    "(round 7 0)\n"
    "(legal you left) (legal you right) (legal you stay)\n"
    "(<= (next (at ?y)) (does you right) (true (at ?x)) (round ?x ?y))\n"
    "(<= (next (at ?y)) (does you left) (true (at ?x)) (round ?y ?x))\n"
    "(<= (next (at ?x)) (does you stay) (true (at ?x)))\n"
    "(<= (next (step ?m)) (true (step ?n)) (after ?n ?m))\n"
    "(<= (next even) (not (true even)))\n"
    "(<= terminal (true (step 10))) (<= terminal (true (at 4)) (not (true even)))\n"
    "(<= (goal you 90) (true (at 4)) (true (step 7)))\n"
    "(<= (goal you 60) (true (at 4)) (true (step 5)))\n"
    "(<= (goal you 50) (true (at 4)) (true (step 9)))\n"
    "(<= (goal you 100) (true (at 6)) (true (step 3)))\n"
    "(<= (goal you 20) (true (at ?x)) (distinct ?x 4) (true (step 10)))\n"
    "(<= (goal you 10) (true (at 4)) (true (step 10)))\n";

/* Ignores all fluents whose texts begin with one of `starts`. */
static void ignore(Game *game, const char *const *starts, size_t count, uint64_t *set) {
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Text text = {0};
    for (uint32_t f = 0; f < game->circuit->fluent_count; f++) {
        text_clear(&text);
        game_fluent_text(work, f, &text);
        for (size_t i = 0; i < count; i++)
            if (strncmp(text.items, starts[i], strlen(starts[i])) == 0)
                bitset_set(set, f);
    }
    vector_free(&text);
    game_work_free(work);
}

static SearchTable table_without(Game *game, const char *const *starts, size_t count,
                                 SearchOptions options) {
    uint64_t set[8] = {0};
    ignore(game, starts, count, set);
    options.ignored = set;
    options.ignored_words = 8;
    SearchTable t = table_create(game, "uct", 0, options);
    search_set_state(t.search, &t.state);
    return t;
}

static const char *const steps[] = {"(step"};
static const char *const steps_and_parity[] = {"(step", "even"};
static const char *const everything[] = {"("};

static size_t ignored_count(const SearchTable *t) {
    const UctClock *clock = &((const Uct *)t->search)->clock;
    return clock->is_used ? bitset_count(clock->ignored, clock->words) : 0;
}

Test(clock, only_what_moves_by_itself_is_ignored) {
    SearchTable t = table_without(game_of_text(ring_text, NULL), steps, 1, (SearchOptions){0});
    cr_assert_eq(ignored_count(&t), 11);
    table_release(&t);
    t = table_without(game_of_text(ring_text, NULL), steps_and_parity, 2, (SearchOptions){0});
    cr_assert_eq(ignored_count(&t), 12);
    table_release(&t);
    t = table_without(game_named("tic_tac_toe", NULL), everything, 1, (SearchOptions){0});
    cr_assert_eq(ignored_count(&t), 0, "moves depend on whose turn it is");
    table_release(&t);
    Game *game = game_named("tic_tac_toe", &(GameOptions){.interpreter_only = true});
    uint64_t set[8] = {~0ull};
    t = table_create(game, "uct", 0, (SearchOptions){.ignored = set, .ignored_words = 8});
    cr_assert_eq(ignored_count(&t), 0, "nothing is known without a circuit");
    table_release(&t);
}

Test(clock, positions_are_fewer) {
    uint64_t nodes[2];
    for (int ignores = 0; ignores < 2; ignores++) {
        SearchTable t = table_without(game_of_text(ring_text, NULL), steps_and_parity,
                                      ignores ? 2 : 0, (SearchOptions){0});
        think(&t, 20000);
        nodes[ignores] = t.result.nodes;
        table_release(&t);
    }
    cr_assert_gt(nodes[0], 30);
    cr_assert_leq(nodes[1], 8);
}

/* Asserts that proofs agree with a search of whole states. */
static void assert_proofs_hold(const char *text, const SearchOptions *options, uint64_t playouts) {
    SearchTable truth = table_create(game_of_text(text, NULL), "uct", 0, (SearchOptions){0});
    SearchTable t = table_without(game_of_text(text, NULL), steps_and_parity, 2, *options);
    search_set_state(truth.search, &truth.state);
    while (!game_is_terminal(t.work, &t.state)) {
        think(&truth, 200000);
        think(&t, playouts);
        cr_assert_eq(t.result.moves.count, truth.result.moves.count);
        for (size_t i = 0; i < t.result.moves.count; i++)
            for (size_t k = 0; k < t.result.moves.count; k++) {
                const SearchMove *own = &t.result.moves.items[i],
                                 *other = &truth.result.moves.items[k];
                if (own->move == other->move && own->is_proven && other->is_proven)
                    cr_assert_float_eq(own->value, other->value, 1e-4);
            }
        uint32_t joint = truth.result.best;
        game_next(t.work, &t.state, &joint, &t.state);
        search_advance(t.search, &joint, &t.state);
        search_advance(truth.search, &joint, &t.state);
    }
    table_release(&t);
    table_release(&truth);
}

Test(clock, no_proof_is_taken_from_another_time) {
    static const SearchOptions ways[] = {{.seed = 1},
                                         {.seed = 2},
                                         {.batch = 1, .leaf_playouts = 1},
                                         {.batch = 4, .leaf_playouts = 2, .seed = 3},
                                         {.threads = 2, .parallel = PARALLEL_TREE},
                                         {.node_bytes = 3000}};
    static const char *const texts[] = {detour_text, ring_text};
    for (size_t w = 0; w < COUNT(ways); w++)
        for (size_t i = 0; i < COUNT(texts); i++) {
            assert_proofs_hold(texts[i], &ways[w], 200);
            assert_proofs_hold(texts[i], &ways[w], 4000);
        }
}

Test(clock, all_fluents_may_be_given) {
    static const char *const all[] = {""};
    SearchTable t = table_without(game_of_text(ring_text, NULL), all, 1, (SearchOptions){0});
    cr_assert_eq(ignored_count(&t), 12);
    table_release(&t);
}

/* The score of the eight puzzle depends on the number of steps: the counter is in its goals, not in
 * its moves. */
Test(clock, a_puzzle_with_a_step_limit) {
    SearchTable t = table_without(game_named("eight_puzzle", NULL), steps, 1, (SearchOptions){0});
    cr_assert_gt(ignored_count(&t), 50);
    think(&t, 4000);
    cr_assert_eq(t.result.playouts, 4000);
    table_release(&t);
}
