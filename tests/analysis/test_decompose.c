/* Decomposition: the games of games/ and the small ones of the specification's worked examples. */
#include "analysis/decompose.h"

#include "analysis/worked_examples.h"
#include "game/play.h"

TestSuite(decompose, .timeout = 100);

static Decomposition *decomposed(Game *game, uint64_t seed) {
    Decomposition *d = decompose(game, &(DecomposeOptions){.seed = seed});
    cr_assert_not_null(d);
    cr_expect(d->confidence > 0 && d->confidence <= 1);
    return d;
}

/* ---- worked examples ---- */

Test(decompose, lamps) {
    Game *game = game_of_text(lamps, NULL);
    GameWork *work = game_work(game, REASONER_SCALAR);
    Decomposition *d = decomposed(game, 0);
    expect_counts("lamps", d, "4 1 0 0");
    cr_expect_eq(d->actions.count, 4);
    const Subgame *stop = &d->subgames.items[subgame_with(work, d, "(lit stop)")];
    cr_expect(stop->is_terminal && !stop->is_scoring && stop->is_useful);
    cr_expect(d->subgames.items[subgame_with(work, d, "(lit left)")].is_scoring);
    cr_expect(!d->subgames.items[subgame_with(work, d, "(lit decoy)")].is_useful);
    cr_expect_eq(d->subgoals.count, 2);
    for (size_t i = 0; i < d->subgoals.count; i++)
        cr_expect(!d->subgoals.items[i].is_victory && d->subgoals.items[i].value);
    decomposition_free(d);
    game_work_free(work);
    game_free(game);
}

Test(decompose, dials_turned_together) {
    Game *game = game_of_text(dials, NULL);
    GameWork *work = game_work(game, REASONER_SCALAR);
    Decomposition *d = decomposed(game, 0);
    expect_counts("dials", d, "2 0 1 0");
    cr_expect_neq(subgame_with(work, d, "(da 1)"), subgame_with(work, d, "(db 1)"));
    cr_expect(d->subgames.items[0].is_synchronous);
    uint32_t kk = game_find_move(work, 0, "kk", 2);
    for (size_t i = 0; i < d->actions.count; i++)
        for (size_t k = 0; k < d->actions.items[i].moves.count; k++)
            cr_expect_neq(d->actions.items[i].moves.items[k], kk, "kk does nothing");
    decomposition_free(d);
    game_work_free(work);
    game_free(game);
}

Test(decompose, dials_in_series) {
    Game *game = game_of_text(serial_dials, NULL);
    GameWork *work = game_work(game, REASONER_SCALAR);
    Decomposition *d = decomposed(game, 0);
    expect_counts("serial dials", d, "2 0 1 0");
    uint32_t a = subgame_with(work, d, "(da 1)"), c = subgame_with(work, d, "(dc 1)");
    cr_expect_eq(subgame_with(work, d, "(db 1)"), a);
    cr_expect_neq(a, c);
    cr_expect_eq(d->subgames.items[a].order, 1);
    cr_expect_eq(d->subgames.items[c].order, 2);
    decomposition_free(d);
    game_work_free(work);
    game_free(game);
}

/* ---- our games ---- */

Test(decompose, games) {
    static const struct {
        const char *name, *counts;
    } expected[] = {
        {"tic_tac_toe", "1 0 1 1"},
        {"incredible", "2 0 1 0"},
        {"nim", "4 0 1 0"},
        {"lights_out", "1 0 1 0"},
        {"maze", "1 0 1 0"},
        {"chomp", "1 0 1 0"},
        {"connect_four", "1 0 1 1"},
        {"lights_on", "1 0 1 0"},
        {"buttons_and_lights", "1 0 1 0"},
        {"breakthrough", "1 0 1 1"},
        {"eight_puzzle", "1 0 1 0"},
        {"hunter", "1 0 1 0"},
        {"nonogram_g", "14 0 0 0"},
        {"nonogram_chequers", "22 0 0 0"},
        {"nonogram_tetris", "13 0 0 0"},
        {"lights_on_parallel", "4 0 1 0"},
        {"lights_on_simultaneous", "4 0 1 0"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        Game *game = game_named(expected[i].name, NULL);
        Decomposition *d = decomposed(game, 1);
        expect_counts(expected[i].name, d, expected[i].counts);
        decomposition_free(d);
        game_free(game);
    }
}

Test(decompose, the_parts_of_incredible) {
    Game *game = game_named("incredible", NULL);
    GameWork *work = game_work(game, REASONER_SCALAR);
    Decomposition *d = decomposed(game, 0);
    uint32_t maze = subgame_with(work, d, "(robot w)"), blocks = subgame_with(work, d, "(on c a)");
    cr_expect_eq(subgame_with(work, d, "holding"), maze);
    cr_expect_eq(subgame_with(work, d, "(table b)"), blocks);
    cr_expect(d->subgames.items[maze].is_terminal && d->subgames.items[maze].is_scoring);
    cr_expect(!d->subgames.items[blocks].is_terminal && d->subgames.items[blocks].is_scoring);
    const Subgame *step = &d->subgames.items[subgame_with(work, d, "(step 3)")];
    cr_expect(step->is_stepper && step->is_terminal && !step->has_actions);
    decomposition_free(d);
    game_work_free(work);
    game_free(game);
}

/* ---- manners ---- */

static uint64_t partition_of(Game *game, uint64_t seed) {
    Decomposition *d = decomposed(game, seed);
    uint64_t hash = hash_bytes(d->subgame_of, game->circuit->fluent_count * sizeof *d->subgame_of);
    decomposition_free(d);
    return hash;
}

Test(decompose, seeds_agree) {
    static const char *const names[] = {"tic_tac_toe", "incredible", "nim", "lights_out", "hunter"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Game *game = game_named(names[i], NULL);
        uint64_t first = partition_of(game, 1);
        for (uint64_t seed = 1; seed < 5; seed++)
            cr_expect_eq(partition_of(game, seed), first, "%s, seed %lu", names[i],
                         (unsigned long)seed);
        game_free(game);
    }
}

Test(decompose, little_evidence_is_no_accident) {
    Game *game = game_named("incredible", NULL);
    DecomposeOptions one = {.playouts = 1}, late = {.deadline = deadline_in(1e-9)};
    Decomposition *few = decompose(game, &one), *none = decompose(game, &late);
    cr_expect(few->is_imperfect && few->confidence < 0.9);
    cr_expect(none->is_imperfect && none->confidence < 0.7);
    decomposition_free(few);
    decomposition_free(none);
    game_free(game);
}

Test(decompose, begins_at_a_later_state) {
    Game *game = game_named("nim", NULL);
    GameWork *work = game_work(game, REASONER_SCALAR);
    State state = {0};
    static const char *const fluents[] = {"(heap a 0)", "(heap b 3)", "(heap c 0)", "(heap d 2)",
                                          "(control first)"};
    for (size_t i = 0; i < sizeof fluents / sizeof *fluents; i++)
        state_set(&state, game_find_fluent(work, fluents[i], strlen(fluents[i])));
    Decomposition *d = decompose(game, &(DecomposeOptions){.start = &state});
    expect_counts("nim, two heaps left", d, "2 0 1 0");
    cr_expect_eq(subgame_with(work, d, "(heap a 0)"), SUBGAME_NONE);
    decomposition_free(d);
    state_free(&state);
    game_work_free(work);
    game_free(game);
}

Test(decompose, needs_a_circuit) {
    Game *game = game_named("maze", &(GameOptions){.interpreter_only = true});
    cr_expect_null(decompose(game, &(DecomposeOptions){0}));
    game_free(game);
}
