/* Compares three-valued evaluation of many cases at once with plain three-valued evaluation, and
 * tests the tracing of influences. */
#include "analysis/facts/influence.h"

#include "base/bitset.h"
#include "circuit/ternary.h"
#include "game/play.h"

TestSuite(influence, .timeout = 600);

static uint32_t fluent_named(GameWork *work, const char *text) {
    uint32_t f = game_find_fluent(work, text, strlen(text));
    cr_assert_neq(f, MOVE_NONE, "%s", text);
    return f;
}

static uint32_t move_named(Game *game, GameWork *work, uint32_t role, const char *text) {
    uint32_t m = game_find_move(work, role, text, strlen(text));
    cr_assert_neq(m, MOVE_NONE, "%s", text);
    return game->circuit->first_move[role] + m;
}

/* Sets random facts in all lanes and compares a few lanes with ternary_evaluate. */
static void compare_outputs(const char *name) {
    Game *game = game_named(name, NULL);
    const Circuit *c = game->circuit;
    Influence *influence = influence_create(c);
    U32Vector outputs = {0};
    circuit_outputs(c, &outputs);
    influence_focus(influence, outputs.items, outputs.count);
    const U32Vector *fluents = influence_fluents(influence);
    Random random;
    random_seed(&random, 3);
    Ternary *given = memory_alloc((size_t)LANES * (c->fluent_count + 1));
    memset(given, TERNARY_UNKNOWN, (size_t)LANES * (c->fluent_count + 1));
    for (uint32_t lane = 0; lane < LANES; lane++)
        for (size_t i = 0; i < fluents->count; i++) {
            uint32_t f = fluents->items[i], draw = (uint32_t)random_below(&random, 4);
            if (draw > 1)
                continue;
            influence_give(influence, lane, signal_node(c->fluents[f]), draw);
            given[lane * c->fluent_count + f] = draw ? TERNARY_TRUE : TERNARY_FALSE;
        }
    influence_evaluate(influence);
    Ternary *values = memory_alloc(c->aig.nodes.count);
    for (uint32_t lane = 0; lane < LANES; lane += 37) {
        memset(values, TERNARY_UNKNOWN, c->aig.nodes.count);
        for (uint32_t f = 0; f < c->fluent_count; f++)
            values[signal_node(c->fluents[f])] = given[lane * c->fluent_count + f];
        ternary_evaluate(&c->aig, values);
        for (size_t o = 0; o < outputs.count; o++) {
            LaneMask yes = influence_may_be(influence, outputs.items[o], true);
            LaneMask no = influence_may_be(influence, outputs.items[o], false);
            Ternary expected = ternary_of(values, outputs.items[o]);
            cr_assert_eq(bitset_get(yes.words, lane), (expected & TERNARY_TRUE) != 0);
            cr_assert_eq(bitset_get(no.words, lane), (expected & TERNARY_FALSE) != 0);
        }
    }
    free(values);
    free(given);
    vector_free(&outputs);
    influence_free(influence);
    game_free(game);
}

/* Influences of 512 cases at once equal those of plain three-valued evaluation. */
Test(influence, agrees_with_plain_three_valued_logic) {
    compare_outputs("tic_tac_toe");
    compare_outputs("connect_four");
    compare_outputs("hex");
}

Test(influence, a_given_move_leaves_its_context) {
    Game *game = game_named("tic_tac_toe", NULL);
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    uint32_t blank = fluent_named(work, "(cell 1 1 blank)");
    Influence *influence = influence_create(game->circuit);
    influence_focus(influence, &game->circuit->next[blank], 1);
    influence_give_move(influence, 0, move_named(game, work, 0, "(mark 1 1)"));
    influence_give_move(influence, 1, move_named(game, work, 0, "(mark 2 2)"));
    influence_evaluate(influence);
    influence_trace(influence);
    LaneMask may = influence_may_be(influence, game->circuit->next[blank], true);
    cr_expect(!bitset_get(may.words, 0), "marked, whatever else");
    cr_expect(bitset_get(may.words, 1));
    LaneMask used = influence_uses(influence, blank);
    cr_expect(!bitset_get(used.words, 0));
    cr_expect(bitset_get(used.words, 1), "it stays blank if it was");
    influence_free(influence);
    game_work_free(work);
    game_free(game);
}

/* Two outputs at once, each in its own lanes, have the same influences as one after the other. */
Test(influence, confined_outputs_do_not_mix) {
    Game *game = game_named("tic_tac_toe", NULL);
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    uint32_t cells[2] = {fluent_named(work, "(cell 1 1 blank)"),
                         fluent_named(work, "(cell 2 2 x)")};
    uint32_t move = move_named(game, work, 0, "(mark 3 3)");
    Signal next[2] = {game->circuit->next[cells[0]], game->circuit->next[cells[1]]};
    Influence *influence = influence_create(game->circuit);
    influence_focus(influence, next, 2);
    for (uint32_t i = 0; i < 2; i++) {
        influence_confine(influence, i, i, 1);
        influence_give_move(influence, i, move);
    }
    influence_evaluate(influence);
    influence_trace(influence);
    for (uint32_t i = 0; i < 2; i++) {
        LaneMask used = influence_uses(influence, cells[i]);
        cr_expect(bitset_get(used.words, i));
        cr_expect(!bitset_get(used.words, 1 - i));
    }
    influence_focus(influence, next, 2); /* both outputs in all lanes */
    influence_evaluate(influence);
    influence_trace(influence);
    LaneMask used = influence_uses(influence, cells[0]);
    cr_expect(bitset_get(used.words, 0) && bitset_get(used.words, 1));
    influence_free(influence);
    game_work_free(work);
    game_free(game);
}

Test(influence, tells_what_stands_beside_a_move_from_alternatives) {
    Game *game = game_of_text("(role r) (init (clock 1)) (init gate) (legal r go) (legal r stay)"
                              "(<= (next done) (does r go) (true (clock 2)))"
                              "(<= (next done) (true gate) (true done))"
                              "(<= (next gate) (true gate) (not (does r go)))"
                              "(<= (next (clock 2)) (true (clock 1)))"
                              "(<= (next (clock 1)) (true (clock 2)))"
                              "(<= terminal (true done)) (goal r 100)",
                              NULL);
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    uint32_t done = fluent_named(work, "done"), clock = fluent_named(work, "(clock 2)");
    Influence *influence = influence_create(game->circuit);
    influence_focus(influence, &game->circuit->next[done], 1);
    influence_give_move(influence, 0, move_named(game, work, 0, "go"));
    influence_evaluate(influence);
    influence_trace(influence);
    LaneMask used = influence_uses(influence, fluent_named(work, "gate"));
    cr_expect(bitset_get(used.words, 0));
    influence_trace_beside(influence, false);
    used = influence_uses(influence, clock);
    cr_expect(bitset_get(used.words, 0));
    used = influence_uses(influence, fluent_named(work, "gate"));
    cr_expect(!bitset_get(used.words, 0));
    influence_free(influence);
    game_work_free(work);
    game_free(game);
}
