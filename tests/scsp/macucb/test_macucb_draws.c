/* Tests MAC-UCB in games with turns too large to be enumerated: results that depend on a sample are
 * never proven. */
#include "scsp/macucb/macucb.h"

#include "../../search/play_search.h"

static void add_numbers(Text *text, const char *relation, int count) {
    for (int i = 0; i < count; i++)
        text_printf(text, "(%s %d) ", relation, i);
}

/* Makes a game in which a number is drawn. All moves except the safe one lose if it is one of the
 * first `losing` numbers. */
static Game *dice_game(int tries, int numbers, int losing) {
    Text text = {0};
    text_add(&text, "(role p) (role random) (init start)");
    add_numbers(&text, "try", tries);
    add_numbers(&text, "num", numbers);
    add_numbers(&text, "losing", losing);
    text_add(&text, "(<= (legal random (pick ?n)) (num ?n) (true start))"
                    "(<= (legal random noop) (not (true start)))"
                    "(<= (legal p (do ?a)) (try ?a) (true start)) (<= (legal p safe) (true start))"
                    "(<= (legal p noop) (not (true start)))"
                    "(<= (next (lost ?a)) (does random (pick ?n)) (losing ?n) (does p (do ?a)))"
                    "(<= (next careful) (does p safe))"
                    "(<= lost (true (lost ?a)))"
                    "(<= terminal (not (true start)))"
                    "(<= (goal p 98) (true careful)) (<= (goal p 0) lost)"
                    "(<= (goal p 100) (not lost) (not (true careful)))"
                    "(<= (goal random 0) (role random))");
    Game *game = game_of_text(text_string(&text), NULL);
    vector_free(&text);
    return game;
}

/* Makes a game in which a hidden number is drawn and p guesses it while random passes. If the
 * number is greater than `passing`, random cannot pass. */
static Game *guessing_game(int numbers, int guesses, int passing) {
    Text text = {0};
    text_add(&text, "(role p) (role random) (init (step 0))");
    add_numbers(&text, "num", numbers);
    add_numbers(&text, "guess", guesses);
    add_numbers(&text, "passing", passing);
    text_add(&text, "(passing none)"
                    "(<= (legal random (pick ?n)) (num ?n) (true (step 0)))"
                    "(<= (legal random pass) (true (step 1)) (true (val ?n)) (passing ?n))"
                    "(<= (legal p noop) (true (step 0)))"
                    "(<= (legal p (try ?a)) (guess ?a) (true (step 1)))"
                    "(<= (next (val ?n)) (does random (pick ?n)))"
                    "(<= (next (val ?n)) (true (val ?n)))"
                    "(<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1)))"
                    "(<= (next (chose ?a)) (does p (try ?a)))"
                    "(<= (sees p ok) (true (step 7)))"
                    "(<= terminal (true (step 2)))"
                    "(<= hit (true (val ?n)) (true (chose ?n)))"
                    "(<= (goal p 100) hit) (<= (goal p 0) (not hit))"
                    "(<= (goal random 0) (role random))");
    Game *game = game_of_text(text_string(&text), NULL);
    vector_free(&text);
    return game;
}

static SearchTable search_start(Game *game, uint64_t playouts) {
    SearchTable t = table_create(
        game, "mac-ucb", 0,
        (SearchOptions){.seed = 1, .own = &(MacUcbOptions){.never_solves_match = true}});
    search_set_state(t.search, &t.state);
    think(&t, playouts);
    return t;
}

/* Asserts that all moves of the result are proven, or none of them. */
static void assert_proven(const SearchTable *t, bool is_proven) {
    const MacUcb *m = (const MacUcb *)t->search;
    cr_assert_gt(t->result.moves.count, 0);
    for (size_t i = 0; i < t->result.moves.count; i++)
        cr_assert_eq(t->result.moves.items[i].is_proven, is_proven, "move %zu", i);
    if (is_proven || !m->root_is_drawn)
        cr_assert_eq(m->nodes.items[m->root].is_exact, is_proven);
}

Test(macucb_draws, proves_what_is_made_whole) {
    SearchTable t = search_start(dice_game(200, 100, 3), 1000);
    assert_proven(&t, true);
    assert_best(&t, "safe");
    cr_assert_float_eq(t.result.moves.items[0].value, 98, 1e-9);
    cr_assert_float_eq(t.result.moves.items[1].value, 97, 1e-9);
    table_release(&t);
}

/* There are too many successors in all, or too many moves of chance in one state. */
Test(macucb_draws, proves_nothing_by_drawn_moves_of_chance) {
    SearchTable t = search_start(dice_game(400, 100, 50), 20000);
    assert_proven(&t, false);
    assert_best(&t, "safe");
    cr_assert_geq(t.result.playouts, 20000);
    table_release(&t);
    t = search_start(dice_game(1, 1000, 1), 20000);
    assert_proven(&t, false);
    cr_assert_geq(t.result.playouts, 20000);
    table_release(&t);
}

Test(macucb_draws, proves_nothing_by_drawn_worlds) {
    SearchTable t = search_start(guessing_game(60, 120, 60), 5000);
    assert_proven(&t, true);
    cr_assert_float_eq(t.result.moves.items[0].value, 100.0 / 60, 1e-9);
    table_release(&t);
    t = search_start(guessing_game(200, 120, 200),
                     5000); /* moves are drawn when the node is solved */
    assert_proven(&t, false);
    table_release(&t);
    t = search_start(guessing_game(300, 5, 300),
                     5000); /* moves are drawn when the node is created */
    assert_proven(&t, false);
    table_release(&t);
}

/* The move `stay` is worth 45. The move `go` leads to a turn of 70 x 70 joint actions, which is
 * worth 60 to a and 30 to b whatever they do. */
Test(macucb_draws, turns_of_too_many_joint_actions_have_their_mean) {
    Text text = {0};
    text_add(&text, "(role a) (role b) (init start)");
    add_numbers(&text, "num", 70);
    text_add(&text, "(<= (legal a go) (true start)) (<= (legal a stay) (true start))"
                    "(<= (legal b wait) (true start))"
                    "(<= (legal ?r (pick ?n)) (role ?r) (num ?n) (true many))"
                    "(<= (next many) (does a go)) (<= (next out) (does a stay))"
                    "(<= (next done) (true many))"
                    "(<= terminal (true out)) (<= terminal (true done))"
                    "(<= (goal ?r 45) (role ?r) (true out))"
                    "(<= (goal a 60) (true done)) (<= (goal b 30) (true done))"
                    "(<= (goal ?r 0) (role ?r) (true start))"
                    "(<= (goal ?r 100) (role ?r) (true many))");
    SearchTable t = search_start(game_of_text(text_string(&text), NULL), 600);
    MacUcb *m = (MacUcb *)t.search;
    assert_best(&t, "go");
    cr_assert_float_eq(t.result.moves.items[0].value, 60, 1e-9);
    cr_assert_not(t.result.moves.items[0].is_proven);
    uint32_t flat = 0;
    for (uint32_t i = 0; i < m->nodes.count; i++) {
        const MacUcbNode *n = &m->nodes.items[i];
        if (n->status != MAC_FLAT)
            continue;
        flat++;
        cr_assert(n->rewards > MACUCB_MIN_VALUE_PULLS && n->rewards == n->pulls);
        cr_assert_float_eq(macucb_node_values(m, i, MAC_VALUE)[1], 0.3, 1e-9);
    }
    cr_assert_eq(flat, 1);
    vector_free(&text);
    table_release(&t);
}

static SearchTable search_guess(Game *game) {
    SearchTable t = table_create(
        game, "mac-ucb", 0,
        (SearchOptions){.seed = 1, .own = &(MacUcbOptions){.never_solves_match = true}});
    BeliefFilter *filter = belief_create(game, 0, NULL, 1);
    belief_observe(filter, "noop", "", true, NULL, deadline_never());
    search_set_belief(t.search, &filter->belief);
    think(&t, 5000);
    belief_free(filter);
    return t;
}

Test(macucb_draws, proves_nothing_of_a_drawn_root) {
    SearchTable t = search_guess(guessing_game(200, 5, 200));
    assert_proven(&t, true);
    table_release(&t);
    t = search_guess(guessing_game(300, 5, 300));
    cr_assert(((const MacUcb *)t.search)->root_is_drawn);
    assert_proven(&t, false);
    table_release(&t);
}

/* In most worlds, or in all, a role has no legal move. The search continues whichever worlds it
 * examines. The last game has too many actions to be solved. */
Test(macucb_draws, worlds_where_somebody_is_stuck) {
    SearchTable t = search_start(guessing_game(200, 120, 1), 5000);
    assert_proven(&t, false);
    table_release(&t);
    t = search_guess(guessing_game(250, 150, 1));
    assert_proven(&t, false);
    assert_best(&t, "(try 0)");
    table_release(&t);
    t = search_start(guessing_game(20, 5, 0), 5000);
    cr_assert_float_eq(t.result.moves.items[0].value, 0, 1e-9);
    table_release(&t);
    t = search_start(guessing_game(3, 4100, 1), 5000);
    assert_proven(&t, false);
    table_release(&t);
}
