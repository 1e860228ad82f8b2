/* Tests search over several trees for several roles: the data that trees share, that all moves are
 * legal in every kind of game, and that the play is strong enough. */
#include "../play_search.h"
#include "search/multitree/multitree.h"

TestSuite(multitree, .timeout = 600);

static const MultiTreePosition *root_of(MultiTree *t) {
    uint32_t id = multitree_position(t, &t->root);
    return &t->positions.items[id];
}

/* Returns the number of slots of a role in a node. */
static uint32_t slots_of(const MultiTree *t, uint32_t node, uint32_t role) {
    uint32_t slots = 0;
    for (uint32_t id = t->nodes.items[node].first_slot; id != MULTITREE_NONE;
         id = t->slots.items[id].next)
        slots += t->slots.items[id].role == role;
    return slots;
}

/* Each move is on one of two boards. In the tree of one board, all moves on the other are one slot,
 * so the 18 moves of the first player are ten slots in each tree. */
Test(multitree, moves_elsewhere_are_one) {
    SearchTable table = table_create(game_named("double_tic_tac_toe_free", NULL), "multitree", 0,
                                     (SearchOptions){0});
    think(&table, 200);
    MultiTree *t = (MultiTree *)table.search;
    cr_assert_eq(t->parts.count, 2);
    const MultiTreePosition *root = root_of(t);
    cr_assert_eq(root->first[1] - root->first[0], 18);
    for (uint32_t k = 0; k < 2; k++)
        cr_expect_eq(slots_of(t, root->nodes[k], 0), 10);
    table_release(&table);
}

/* Both roles choose at once: x marks board 1 and o board 2, and each tree has one slot for the
 * moves of the role that is on the other board. */
Test(multitree, moves_elsewhere_are_one_at_the_same_time) {
    SearchTable table =
        table_create(game_named("double_tic_tac_toe", NULL), "multitree", 0, (SearchOptions){0});
    think(&table, 200);
    MultiTree *t = (MultiTree *)table.search;
    cr_assert_eq(t->parts.count, 2);
    const MultiTreePosition *root = root_of(t);
    cr_assert_eq(root->mover, MULTITREE_NONE);
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t x = slots_of(t, root->nodes[k], 0), o = slots_of(t, root->nodes[k], 1);
        cr_expect_eq(x + o, 10, "tree %u: %u and %u", k, x, o);
        cr_expect(x == 1 || o == 1);
    }
    table_release(&table);
}

/* The node of an untouched board depends on the role to move. */
Test(multitree, the_turn_is_part_of_a_node) {
    SearchTable table = table_create(game_named("double_tic_tac_toe_free", NULL), "multitree", 0,
                                     (SearchOptions){0});
    think(&table, 300);
    MultiTree *t = (MultiTree *)table.search;
    const MultiTreePosition *root = root_of(t);
    uint32_t after = root->after[0], others = 0;
    for (uint32_t n = 0; n < t->nodes.count; n++)
        for (uint32_t k = 0; k < 2; k++) { /* a key is a part and the roles that choose */
            const uint32_t *key = key_table_key(&t->node_keys, n);
            const uint32_t *own = key_table_key(&t->node_keys, root->nodes[k]);
            others += key[0] == own[0] && key[1] != root->choosers;
        }
    cr_expect_geq(others, 1);
    cr_expect_neq(after, MULTITREE_NONE);
    table_release(&table);
}

/* The first player leaves the second a choice between equal goals, so the value of that move is not
 * proven. Goals are not constant-sum, so a winning move of one player does not give the value of
 * the other. */
Test(multitree, what_is_all_the_same_to_others_is_not_certain) {
    Game *game = game_of_text(
        "(role a) (role b) (init start)"
        "(<= (legal a (give ?x)) (true start) (way ?x)) (<= (legal a wait) (not (true start)))"
        "(<= (legal b wait) (true start)) (<= (legal b (take ?x)) (true given) (way ?x))"
        "(way left) (way right)"
        "(<= (next given) (does a (give left))) (<= (next (taken left)) (does a (give right)))"
        "(<= (next (taken ?x)) (does b (take ?x))) (<= (next late) (does b (take ?x)))"
        "(<= (legal b wait) (true (taken ?x))) (<= terminal (true (taken ?x)))"
        "(goal b 100) (<= (goal a 100) (true late) (true (taken left)))"
        "(<= (goal a 50) (not (true late))) (<= (goal a 0) (true late) (true (taken right)))",
        NULL);
    SearchTable table = table_create(game, "multitree", 0, (SearchOptions){0});
    think(&table, 200);
    cr_assert_eq(table.result.moves.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const SearchMove *move = &table.result.moves.items[i];
        bool is_left = move->move == game_find_move(table.work, 0, "(give left)", 11);
        cr_expect_eq(move->is_proven, !is_left);
    }
    table_release(&table);
}

/* A win in one move is made and proven. */
Test(multitree, wins_at_once) {
    static const char *const moves[] = {"(mark 1 1)", "noop", "noop", "(mark 2 2)",
                                        "(mark 1 2)", "noop", "noop", "(mark 3 3)"};
    SearchTable table =
        table_create(game_named("tic_tac_toe", NULL), "multitree", 0, (SearchOptions){0});
    make_moves(&table, moves, sizeof moves / sizeof *moves);
    search_set_state(table.search, &table.state);
    think(&table, 50);
    assert_best(&table, "(mark 1 3)");
    cr_expect(table.result.moves.items[0].is_proven);
    table_release(&table);
}

/* The rest of the match is proven: a player that answers a corner with an edge is lost. */
Test(multitree, proves_what_is_decided) {
    static const char *const moves[] = {"(mark 1 1)", "noop", "noop", "(mark 1 2)",
                                        "(mark 2 1)", "noop", "noop", "(mark 3 1)"};
    SearchTable table =
        table_create(game_named("tic_tac_toe", NULL), "multitree", 0, (SearchOptions){0});
    make_moves(&table, moves, sizeof moves / sizeof *moves);
    search_set_state(table.search, &table.state);
    think(&table, 100000);
    assert_best(&table, "(mark 2 2)"); /* makes two threats */
    cr_expect(table.result.moves.items[0].is_proven);
    cr_expect_float_eq(table.result.moves.items[0].value, 100, 1e-9);
    cr_expect_lt(table.result.playouts, 100000);
    table_release(&table);
}

/* With simultaneous moves each role has a mixture and does not know the moves of the others. */
Test(multitree, moves_at_the_same_time) {
    SearchTable table =
        table_create(game_named("rock_paper_scissors", NULL), "multitree", 1, (SearchOptions){0});
    think(&table, 3000);
    cr_assert_eq(table.result.moves.count, 3);
    for (size_t i = 0; i < 3; i++)
        cr_expect_gt(table.result.moves.items[i].visits, 600);
    table_release(&table);
}

/* Matches are played to the end, also with chance, one player or many subgames; one seed gives one
 * result. */
Test(multitree, plays_by_the_rules) {
    static const char *const names[] = {"double_tic_tac_toe", "tic_tac_toe_serial", "nim",
                                        "dual_hamilton",      "cant_stop",          "incredible"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint64_t seen[2];
        for (int again = 0; again < 2; again++) {
            SearchTable t = table_create(game_named(names[i], NULL), "multitree", 0,
                                         (SearchOptions){.seed = 3});
            Random random;
            U32Vector legal = {0};
            State next = {0};
            random_seed(&random, 9);
            search_set_state(t.search, &t.state);
            seen[again] = 0;
            for (int turn = 0; turn < 12 && !game_is_terminal(t.work, &t.state); turn++) {
                uint32_t joint[8];
                think(&t, 60);
                for (uint32_t r = 0; r < t.game->role_count; r++) {
                    game_legal(t.work, &t.state, r, &legal);
                    joint[r] = legal.items[random_below(&random, legal.count)];
                    bool is_legal = false;
                    for (size_t m = 0; r == 0 && m < legal.count; m++)
                        is_legal |= legal.items[m] == t.result.best;
                    cr_assert(r != 0 || is_legal, "%s", names[i]);
                }
                joint[0] = t.result.best;
                seen[again] = seen[again] * 31 + joint[0] + t.result.nodes;
                game_next(t.work, &t.state, joint, &next);
                state_copy(&t.state, &next);
                search_advance(t.search, joint, &t.state);
            }
            vector_free(&legal);
            state_free(&next);
            table_release(&t);
        }
        cr_expect_eq(seen[0], seen[1], "%s", names[i]);
    }
}

/* When memory runs out, the search starts over and still answers. */
Test(multitree, stays_within_its_memory) {
    SearchTable table = table_create(game_named("double_tic_tac_toe", NULL), "multitree", 0,
                                     (SearchOptions){.node_bytes = 1 << 20});
    think(&table, 3000);
    cr_expect_lt(multitree_bytes((MultiTree *)table.search), 2 << 20);
    cr_expect_neq(table.result.best, MOVE_NONE);
    table_release(&table);
}
