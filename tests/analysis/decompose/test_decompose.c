/* Tests decomposition on the games of games/ and on the small worked examples of the literature. */
#include "analysis/decompose/decompose.h"

#include "analysis/decompose/by_rules/rules_method.h"
#include "analysis/decompose/decompose_internal.h"
#include "analysis/symmetric_parts.h"
#include "analysis/worked_examples.h"
#include "game/play.h"

TestSuite(decompose, .timeout = 600);

static Decomposition *decomposed(Game *game, uint64_t seed) {
    Decomposition *d = decompose(game, &(DecomposeOptions){.seed = seed});
    cr_assert_not_null(d);
    cr_expect(d->confidence > 0 && d->confidence <= 1);
    return d;
}

/* ---- worked examples ---- */

Test(decompose, lamps) {
    Game *game = game_of_text(lamps, NULL);
    GameWork *work = game_work_create(game, REASONER_SCALAR);
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
    GameWork *work = game_work_create(game, REASONER_SCALAR);
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
    GameWork *work = game_work_create(game, REASONER_SCALAR);
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

/* Two of three boxes must be open at once, so no box wins by itself. A box that is opened by a bolt
 * and a key is a subgame; if a single switch opens it, the boxes are places of one board. */
Test(decompose, what_wins_only_together) {
    static const char rest[] =
        "(role p) (box 1) (box 2) (box 3) (init (turn 1))"
        "(<= (next (turned ?x)) (does p (key ?x)) (not (true (turned ?x))))"
        "(<= (next (turned ?x)) (true (turned ?x)) (not (does p (key ?x))))"
        "(<= (next (turn ?y)) (true (turn ?x)) (succ ?x ?y))"
        "(<= won (open 1) (open 2)) (<= won (open 1) (open 3)) (<= won (open 2) (open 3))"
        "(<= terminal (true (turn 9))) (<= (goal p 100) won) (<= (goal p 0) (not won))"
        "(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)";
    static const char *const boxes[] = {
        "(<= (legal p (bolt ?x)) (box ?x)) (<= (legal p (key ?x)) (true (drawn ?x)))"
        "(<= (next (drawn ?x)) (does p (bolt ?x)) (not (true (drawn ?x))))"
        "(<= (next (drawn ?x)) (true (drawn ?x)) (not (does p (bolt ?x))))"
        "(<= (open ?x) (true (drawn ?x)) (true (turned ?x)))",
        "(<= (legal p (key ?x)) (box ?x)) (<= (open ?x) (true (turned ?x)))"};
    static const char *const expected[] = {"3 0 1 0", "1 0 1 0"};
    for (size_t i = 0; i < 2; i++) {
        Text text = {0};
        text_printf(&text, "%s%s", rest, boxes[i]);
        Game *game = game_of_text(text.items, NULL);
        Decomposition *d = decomposed(game, 0);
        expect_counts("boxes", d, expected[i]);
        uint32_t own = 0;
        for (size_t k = 0; k < d->subgoals.count; k++)
            own += !d->subgoals.items[k].is_victory && d->subgoals.items[k].subgame < 3 &&
                   d->subgoals.items[k].fluents.count == 2;
        cr_expect_eq(own, i == 0 ? 3 : 0, "each box has its own sub-goal");
        decomposition_free(d);
        game_free(game);
        vector_free(&text);
    }
}

/* Every bite eats the last square of a row, so biting that square has no effect of its own; fluents
 * that only make this bite legal are no subgame. */
Test(decompose, what_lets_idle_moves_be_legal) {
    Game *game = game_of_text(
        "(role a) (role b) (init (control a)) (init s1) (init s2) (init s3)"
        "(<= (legal ?p (bite 1)) (true (control ?p)) (true s1))"
        "(<= (legal ?p (bite 2)) (true (control ?p)) (true s2))"
        "(<= (legal ?p (bite 3)) (true (control ?p)) (true s3))"
        "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))"
        "(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))"
        "(<= (next s1) (true s1) (does ?p (bite 2))) (<= (next s1) (true s1) (does ?p (bite 3)))"
        "(<= (next s2) (true s2) (does ?p (bite 3)))"
        "(<= (next s3) (true s3) (not (true (control a))) (not (true (control b))))"
        "(<= terminal (not (true s1)))"
        "(<= (goal ?p 100) (true (control ?p)) (not (true s1)))"
        "(<= (goal ?p 0) (role ?p) (not (true (control ?p))))",
        NULL);
    Decomposition *d = decomposed(game, 0);
    expect_counts("row", d, "1 0 1 0");
    decomposition_free(d);
    game_free(game);
}

/* Some squares only save a role from giving up. If a counter ends the match, running out of them
 * loses, so they are useful; if nothing else happens meanwhile, they are not. */
Test(decompose, where_one_waits) {
    static const char board[] =
        "(role p) (square 1) (square 2) (square 3) (square 4) (square 5)"
        "(near 1 2) (near 2 1) (near 2 3) (near 3 2) (near 3 4) (near 4 3) (near 4 5) (near 5 4)"
        "(legal p quit) (<= (legal p (put ?x)) (square ?x) (not (barred ?x)))"
        "(<= (barred ?x) (true (on ?x))) (<= (barred ?x) (near ?x ?y) (true (on ?y)))"
        "(<= (next (on ?x)) (does p (put ?x))) (<= (next (on ?x)) (true (on ?x)))"
        "(<= (next quitted) (does p quit)) (<= (next quitted) (true quitted))"
        "(<= (goal p 0) (true quitted)) (<= (goal p 100) (not (true quitted)))";
    static const char clock[] =
        "(init (step 1)) (<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2)))"
        "(<= (next (step 4)) (true (step 3)))"
        "(<= terminal (true quitted)) (<= terminal (true (step 4)))";
    static const char none[] = "(<= terminal (true quitted))";
    static const struct {
        const char *end, *counts;
    } cases[] = {{clock, "2 0 1 0"}, {none, "2 1 0 0"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Text text = {0};
        text_printf(&text, "%s %s", board, cases[i].end);
        Game *game = game_of_text(text.items, NULL);
        Decomposition *d = decomposed(game, 0);
        expect_counts("where one waits", d, cases[i].counts);
        decomposition_free(d);
        game_free(game);
        vector_free(&text);
    }
}

/* If the other role ends the match meanwhile, a role that must not move there waits elsewhere as
 * long as it has a stone left. */
Test(decompose, where_one_of_two_waits) {
    Game *game = game_of_text(
        "(role a) (role b) (init (stones 2)) (init (left 4)) (pred 4 3) (pred 3 2) (pred 2 1)"
        "(pred 1 0)"
        "(<= (legal a take) (true (stones ?x)) (pred ?x ?y)) (legal a fall)"
        "(legal b rest) (<= (legal b push) (true (left ?x)))"
        "(<= (next (stones ?y)) (true (stones ?x)) (pred ?x ?y) (does a take))"
        "(<= (next (stones ?x)) (true (stones ?x)) (not (does a take)))"
        "(<= (next (left ?y)) (true (left ?x)) (pred ?x ?y) (does b push))"
        "(<= (next (left ?x)) (true (left ?x)) (not (does b push)))"
        "(<= (next fallen) (does a fall)) (<= (next fallen) (true fallen))"
        "(<= terminal (true fallen)) (<= terminal (true (left 0)))"
        "(<= (goal a 0) (true fallen)) (<= (goal a 100) (not (true fallen)))"
        "(<= (goal b 0) (not (true (left 0)))) (<= (goal b 100) (true (left 0)))",
        NULL);
    Decomposition *d = decomposed(game, 0);
    for (size_t i = 0; i < d->subgames.count; i++)
        cr_expect(d->subgames.items[i].is_useful, "subgame %zu", i);
    cr_expect_eq(decomposition_counts(d).with_actions, 3);
    decomposition_free(d);
    game_free(game);
}

/* The goals read two boxes through one gate each, unless a goal is a second gate of a box. */
Test(decompose, a_goal_may_be_a_second_gate) {
    static const char boxes[] =
        "(role p) (box 1) (box 2) (side left) (side right) (init (turn 1))"
        "(<= (legal p (turn ?x ?s)) (box ?x) (side ?s))"
        "(<= (next (off ?x ?s)) (does p (turn ?x ?s))) (<= (next (off ?x ?s)) (true (off ?x ?s)))"
        "(<= (open ?x) (true (off ?x left)) (true (off ?x right))) (<= won (open 1) (open 2))"
        "(<= (next (turn 2)) (true (turn 1))) (<= terminal (true (turn 2))) (<= (goal p 100) won)";
    static const char *const rest[] = {
        "(<= (goal p 0) (not won))",
        "(<= (goal p 20) (not (true (off 1 left)))) (<= (goal p 0) (true (off 1 left)) (not won))",
        "(<= (goal p 20) (not (true (off 1 left))))"}; /* no gate over several parts reads this one
                                                        */
    for (size_t i = 0; i < 3; i++) {
        Text text = {0};
        text_printf(&text, "%s%s", boxes, rest[i]);
        Game *game = game_of_text(text.items, NULL);
        GameWork *work = game_work_create(game, REASONER_SCALAR);
        uint32_t *part_of = memory_alloc((game->circuit->fluent_count + 1) * sizeof *part_of);
        memset(part_of, 0xff, (game->circuit->fluent_count + 1) * sizeof *part_of);
        static const char *const fluents[] = {"(off 1 left)", "(off 1 right)", "(off 2 left)",
                                              "(off 2 right)"};
        for (uint32_t f = 0; f < 4; f++)
            part_of[game_find_fluent(work, fluents[f], strlen(fluents[f]))] = f / 2;
        Influence *influence = influence_create(game->circuit);
        SubGoals found = {0};
        cr_expect_eq(subgoals_find_by_part(game, influence, part_of, 2, &found), i == 0);
        cr_expect_eq(found.count, i == 0 ? 2 : 0);
        subgoals_free(&found);
        influence_free(influence);
        free(part_of);
        game_work_free(work);
        game_free(game);
        vector_free(&text);
    }
}

/* A counter makes the only move with the full score legal, but too late for random play to get
 * there. */
Test(decompose, what_lets_a_move_be_legal_that_was_never_played) {
    Text text = {0};
    text_printf(&text, "%s",
                "(role p) (init (x 0)) (init (clock 0)) (legal p inc) (legal p stay)"
                "(<= (legal p leap) (true (clock 50)))"
                "(<= (next (x ?b)) (does p inc) (true (x ?a)) (step ?a ?b))"
                "(<= (next (x ?a)) (does p stay) (true (x ?a))) (<= (next leaped) (does p leap))"
                "(<= (next (clock ?b)) (true (clock ?a)) (succ ?a ?b))"
                "(<= terminal (true (x 5))) (<= terminal (true leaped))"
                "(<= (goal p 100) (true leaped)) (<= (goal p 50) (true (x 5)))"
                "(<= (goal p 0) (not (true leaped)) (not (true (x 5))))"
                "(step 0 1) (step 1 2) (step 2 3) (step 3 4) (step 4 5)");
    for (int i = 0; i < 60; i++)
        text_printf(&text, "(succ %d %d)", i, i + 1);
    Game *game = game_of_text(text.items, NULL);
    Decomposition *d = decomposed(game, 0);
    cr_expect_eq(d->unplayed.count, 1);
    cr_expect_eq(decomposition_counts(d).with_actions, 1);
    cr_expect_eq(decomposition_counts(d).autonomous, 1);
    decomposition_free(d);
    game_free(game);
    vector_free(&text);
}

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
        {"multiple_tic_tac_toe", "9 8 2 1"},
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
    GameWork *work = game_work_create(game, REASONER_SCALAR);
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

/* ---- the class of a whole game ---- */

Test(decompose, classes) {
    static const struct {
        const char *name;
        Composition composition;
        bool is_compound, is_multiple, has_stepper, is_impartial;
    } expected[] = {
        {"tic_tac_toe", COMPOSITION_SINGLE, false, false, false, false},
        {"chomp", COMPOSITION_SINGLE, false, false, false, true},
        {"hunter", COMPOSITION_SINGLE, false, false, true, false},
        {"incredible", COMPOSITION_ASYNCHRONOUS, false, false, true, false},
        {"nim", COMPOSITION_ASYNCHRONOUS, false, false, false, true},
        {"multiple_hamilton", COMPOSITION_ASYNCHRONOUS, false, true, true, false},
        {"lights_on_simultaneous", COMPOSITION_ASYNCHRONOUS, true, false, true, false},
        {"joint_buttons_and_lights", COMPOSITION_SYNCHRONOUS, true, false, true, false},
        {"tic_tac_toe_parallel", COMPOSITION_SYNCHRONOUS, true, false, false, false},
        {"dual_hamilton", COMPOSITION_SYNCHRONOUS, false, false, true, false},
        {"double_tic_tac_toe", COMPOSITION_SYNCHRONOUS, false, false, false, false},
        {"double_tic_tac_toe_free", COMPOSITION_ASYNCHRONOUS, false, false, false, false},
        {"blocks_world_serial", COMPOSITION_SERIAL, false, false, true, false},
        {"turtle_brain_easy", COMPOSITION_SERIAL, false, false, true, false},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        Game *game = game_named(expected[i].name, NULL);
        Decomposition *d = decomposed(game, 0);
        Composition composition = decomposition_class(d, game, &(DecomposeOptions){0});
        cr_expect_eq(composition, expected[i].composition, "%s: %s", expected[i].name,
                     composition_name(composition));
        cr_expect_eq(d->is_compound, expected[i].is_compound, "%s", expected[i].name);
        cr_expect_eq(d->is_multiple, expected[i].is_multiple, "%s", expected[i].name);
        cr_expect_eq(d->has_stepper, expected[i].has_stepper, "%s", expected[i].name);
        cr_expect_eq(d->is_impartial, expected[i].is_impartial, "%s", expected[i].name);
        decomposition_free(d);
        game_free(game);
    }
}

/* Without any match, the analysis cannot say how subgames take turns. */
Test(decompose, class_by_the_rules) {
    Game *game = game_named("nim", NULL);
    Decomposition *d = rules_decompose(game, DNF_SHORT, deadline_never());
    DecomposeOptions options = {0}, late = {.deadline = deadline_in(-1)};
    cr_expect_eq(decomposition_class(d, game, &options), COMPOSITION_ASYNCHRONOUS);
    cr_expect_eq(decomposition_class(d, game, &late), COMPOSITION_PARALLEL);
    decomposition_free(d);
    game_free(game);
}

/* ---- seeds, evidence and later states ---- */

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

/* Half of the matches go left at some time. No run may take this for a series. */
static const char walk[] =
    "(role walker) (init (at gate))"
    "(way gate left hall) (way gate right goal) (way gate middle yard)"
    "(way hall on well) (way yard on well)"
    "(way well left loft) (way well right cellar) (way loft left street) (way cellar right street)"
    "(<= (legal walker ?w) (true (at ?p)) (way ?p ?w ?q))"
    "(<= (next (at ?q)) (does walker ?w) (true (at ?p)) (way ?p ?w ?q))"
    "(<= terminal (true (at goal))) (<= terminal (true (at street)))"
    "(<= (goal walker 100) (true (at goal))) (<= (goal walker 0) (not (true (at goal))))";

Test(decompose, what_comes_about_in_half_of_the_matches_is_no_stage) {
    Game *game = game_of_text(walk, NULL);
    for (uint64_t seed = 0; seed < 10; seed++) {
        Decomposition *d = decompose(game, &(DecomposeOptions){.seed = seed});
        expect_counts("walk", d, "1 0 0 0");
        decomposition_free(d);
    }
    game_free(game);
}

/* With little evidence the result says so: it is imperfect and has little confidence. */
Test(decompose, little_evidence_is_no_accident) {
    Game *game = game_named("incredible", NULL);
    DecomposeOptions one = {.playouts = 1}, late = {.deadline = deadline_in(1e-9)};
    Decomposition *few = decompose(game, &one), *none = decompose(game, &late);
    cr_expect(few->is_imperfect && few->confidence < 0.9);
    cr_expect(none->is_imperfect && none->confidence == 0);
    expect_counts("nothing seen", none, "1 0 0 0");
    decomposition_free(few);
    decomposition_free(none);
    game_free(game);
}

/* The rest of a match can be decomposed by itself. */
Test(decompose, begins_at_a_later_state) {
    Game *game = game_named("nim", NULL);
    GameWork *work = game_work_create(game, REASONER_SCALAR);
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

static State after_moves(GameWork *work, const char *const *texts, size_t turns) {
    State state = {0}, next = {0};
    game_initial(work, &state);
    for (size_t t = 0; t < turns; t++) {
        uint32_t moves[2];
        for (uint32_t r = 0; r < 2; r++) {
            const char *text = texts[2 * t + r];
            moves[r] = game_find_move(work, r, text, strlen(text));
            cr_assert_neq(moves[r], MOVE_NONE, "%s", text);
        }
        game_next(work, &state, moves, &next);
        State swap = state;
        state = next;
        next = swap;
    }
    state_free(&next);
    return state;
}

/* Two boards are joined by a cell, through which lines of three lead from one to the other. When
 * that cell is taken by one player and its neighbour by the other, the boards are independent. */
Test(decompose, falls_apart_during_play) {
    static const char *const cut[] = {"(mark 2 4)", "noop", "noop", "(mark 2 3)"};
    Game *game = game_named("joined_tic_tac_toe", NULL);
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    for (size_t turns = 0; turns <= 2; turns++) {
        State state = after_moves(work, cut, turns);
        Decomposition *d = decompose(game, &(DecomposeOptions){.start = &state});
        expect_counts("joined boards", d, turns < 2 ? "1 0 1 1" : "2 0 1 1");
        bool apart = subgame_with(work, d, "(cell 3 1 x)") != subgame_with(work, d, "(cell 3 7 x)");
        cr_expect_eq(apart, turns == 2);
        decomposition_free(d);
        state_free(&state);
    }
    game_work_free(work);
    game_free(game);
}

/* Dominoes fence off areas; the player in turn who cannot move in any of them has lost. */
Test(decompose, areas_of_domineering) {
    static const char *const fences[] = {"(place 1 2)", "noop", "noop", "(place 3 1)",
                                         "(place 1 3)", "noop", "noop", "(place 3 3)"};
    static const char *const counts[] = {"1 0 1 0", "1 0 1 0", "2 0 1 0", "2 0 1 0", "3 0 1 0"};
    Game *game = game_named("domineering", NULL);
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    for (size_t turns = 0; turns <= 4; turns++) {
        State state = after_moves(work, fences, turns);
        const DecomposeOptions from_there = {.start = &state};
        Decomposition *d = decompose(game, &from_there);
        expect_counts("areas", d, counts[turns]);
        if (turns == 4) {
            cr_expect_eq(subgame_with(work, d, "(free 1 1)"), subgame_with(work, d, "(free 2 1)"));
            cr_expect_neq(subgame_with(work, d, "(free 1 1)"), subgame_with(work, d, "(free 1 4)"));
            cr_expect_eq(subgame_with(work, d, "(free 4 1)"), subgame_with(work, d, "(free 4 4)"));
            cr_expect_eq(decomposition_class(d, game, &from_there), COMPOSITION_ASYNCHRONOUS);
        }
        decomposition_free(d);
        state_free(&state);
    }
    game_work_free(work);
    game_free(game);
}

/* Subgames are alike if a symmetry exchanges them, but not if a win in one is a loss in the
 * other. */
Test(decompose, subgames_that_are_alike) {
    static const struct {
        const char *name;
        bool alike;
    } games[] = {{"double_tic_tac_toe", true}, {"dual_connect_four", false}};
    for (size_t i = 0; i < 2; i++) {
        Game *game = game_named(games[i].name, NULL);
        Decomposition *d = decomposed(game, 0);
        Symmetries *s = symmetry_find(game, &(SymmetryOptions){.swap_roles = true});
        uint32_t class_of[4];
        cr_assert(d->subgames.count == 4 && s);
        symmetry_of_parts(s, d->subgame_of, 4, class_of);
        cr_expect_eq(class_of[0] == class_of[1], games[i].alike, "%s", games[i].name);
        symmetry_free(s);
        decomposition_free(d);
        game_free(game);
    }
}

/* ---- dependences that comparing moves cannot show ---- */

/* The second role never has more than one legal move; only the rules show that its move matters. */
Test(decompose, moves_without_a_choice) {
    Game *game =
        game_of_text("(role a) (role b) (init (place w)) (init (turn 1)) (legal b go)"
                     "(<= (legal b stay) (true (place y))) (lamp 1) (lamp 2)"
                     "(<= (legal a (press ?l)) (lamp ?l)) (<= (next (lit ?l)) (does a (press ?l)))"
                     "(<= (next (lit ?l)) (true (lit ?l)))"
                     "(<= (next (place ?y)) (does b go) (true (place ?x)) (way ?x ?y))"
                     "(<= (next (place ?x)) (does b stay) (true (place ?x)))"
                     "(<= (next (turn 2)) (true (turn 1))) (<= (next (turn 3)) (true (turn 2)))"
                     "(<= terminal (true (turn 3)))"
                     "(way w x) (way x y) (way y w)"
                     "(<= (goal a 100) (true (lit 1))) (<= (goal a 0) (not (true (lit 1))))"
                     "(<= (goal b 100) (true (place y))) (<= (goal b 0) (not (true (place y))))",
                     NULL);
    Decomposition *d = decomposed(game, 0);
    expect_counts("a role without a choice", d, "3 1 1 0");
    decomposition_free(d);
    game_free(game);
}

/* A counter that moves only record is a subgame of its own; a counter that decides the effects of
 * moves is not. */
Test(decompose, time_stamps_and_switches) {
#define WALK                                                                                       \
    "(role p) (init (at 1)) (init (turn 1)) (legal p go) (legal p stay)"                           \
    "(<= (next (at ?y)) (true (at ?x)) (does p go) (after ?x ?y))"                                 \
    "(<= (next (at ?x)) (true (at ?x)) (does p stay))"                                             \
    "(<= (next (turn ?y)) (true (turn ?x)) (after ?x ?y)) (<= terminal (true (turn 5)))"           \
    "(after 1 2) (after 2 3) (after 3 4) (after 4 5)"
    static const char stamp[] =
        WALK "(<= (next (came ?t)) (does p go) (true (at 2)) (true (turn ?t)))"
             "(<= (next (came ?t)) (true (came ?t)))"
             "(<= (goal p 100) (true (came 3))) (<= (goal p 0) (not (true (came 3))))";
    static const char sluice[] =
        WALK "(<= (next broken) (does p go) (open ?t) (true (turn ?t))) (open 1) (open 3)"
             "(<= (next broken) (true broken))"
             "(<= (goal p 100) (true (at 3)) (not (true broken)))"
             "(<= (goal p 0) (not (true (at 3)))) (<= (goal p 0) (true broken))";
    static const char records[] = /* the record also depends on the time recorded before */
        WALK "(<= (next (seal ?t)) (true (turn ?t))) (<= (next (seal ?t)) (true (seal ?t)))"
             "(<= (next (came ?t)) (does p go) (true (at 2)) (true (turn ?t)) (true (seal ?s)))"
             "(<= (next (came ?t)) (true (came ?t)))"
             "(<= (goal p 100) (true (came 3))) (<= (goal p 0) (not (true (came 3))))";
    const char *const texts[] = {stamp, sluice, records};
    const char *const expected[] = {"1 0 1 0", "1 0 0 0", "1 0 1 0"};
    for (size_t i = 0; i < 3; i++) {
        Game *game = game_of_text(texts[i], NULL);
        Decomposition *d = decomposed(game, 0);
        expect_counts(texts[i], d, expected[i]);
        decomposition_free(d);
        game_free(game);
    }
}

/* ---- time ---- */

/* What is written down at a turn is no move's doing. It belongs to what it says, and the clock, of
 * which it is a record, stays apart but is of use. */
Test(decompose, records_of_the_time) {
    Game *game =
        game_of_text("(role p) (init (turn 1)) (init (hand left)) (legal p swap) (legal p wait)"
                     "(<= (next (hand right)) (does p swap) (true (hand left)))"
                     "(<= (next (hand left)) (does p swap) (true (hand right)))"
                     "(<= (next (hand ?h)) (does p wait) (true (hand ?h)))"
                     "(<= (next (log ?n ?h)) (true (turn ?n)) (true (hand ?h)))"
                     "(<= (next (log ?n ?h)) (true (log ?n ?h)))"
                     "(<= (next (turn ?m)) (true (turn ?n)) (succ ?n ?m))"
                     "(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)"
                     "(<= terminal (true (log 5 ?h)))"
                     "(<= (goal p 100) (true (log 3 right)) (true (log 4 left)))"
                     "(<= (goal p 0) (not (goal p 100)))",
                     NULL);
    Decomposition *d = decomposed(game, 0);
    expect_counts("records", d, "1 0 1 0");
    decomposition_free(d);
    game_free(game);
}

/* However short the time is, the result is sound: without a complete attempt it is one subgame. */
Test(decompose, ends_in_time_with_what_it_has) {
    Game *game = game_named("checkers", NULL);
    for (double seconds = 1e-4; seconds < 0.2; seconds *= 4) {
        Decomposition *d = decompose(game, &(DecomposeOptions){.deadline = deadline_in(seconds)});
        cr_assert(d->subgames.count >= 1 && d->subgames.items[0].has_actions);
        cr_expect(d->is_imperfect);
        cr_expect(d->confidence > 0 || d->subgames.count == 1);
        for (uint32_t f = 0; f < game->circuit->fluent_count; f++)
            cr_expect(d->subgame_of[f] == SUBGAME_NONE || d->subgame_of[f] < d->subgames.count);
        decomposition_free(d);
    }
    game_free(game);
}

/* A second analysis of the same effects examines nothing again and gives the same result. */
Test(decompose, what_was_studied_is_remembered) {
    Game *game = game_named("tic_tac_toe", NULL);
    uint32_t fluents = game->circuit->fluent_count;
    Evidence *evidence = evidence_create(game, 1);
    Observer *observer = observer_create(game, 1);
    evidence_collect(evidence, observer, NULL, 500, 0, deadline_never());
    ActionEffects effects = {0};
    evidence_list_effects(evidence, &effects);
    bool *none = memory_zalloc(fluents + 1);
    Contexts contexts = {0};
    MetaActionStudy study = {.influence = influence_create(game->circuit),
                             .circuit = game->circuit,
                             .ignored = none,
                             .clocks = none,
                             .cyclic = none,
                             .lasting = none,
                             .contexts = &contexts,
                             .deadline = deadline_never()};
    MetaActions first = {0}, second = {0};
    metaactions_find(&study, &effects, &first);
    size_t known = contexts.known.count;
    cr_expect(known > 0);
    study.deadline = deadline_in(-1); /* no time is left to examine more */
    metaactions_find(&study, &effects, &second);
    cr_expect_eq(contexts.known.count, known);
    cr_assert_eq(first.count, second.count);
    for (size_t i = 0; i < first.count; i++)
        cr_expect_eq(first.items[i].contexts.count, second.items[i].contexts.count);
    metaactions_free(&first);
    metaactions_free(&second);
    influence_free(study.influence);
    contexts_free(&contexts);
    free(none);
    vector_free(&effects);
    observer_free(observer);
    evidence_free(evidence);
    game_free(game);
}

Test(decompose, needs_a_circuit) {
    Game *game = game_named("maze", &(GameOptions){.interpreter_only = true});
    cr_expect_null(decompose(game, &(DecomposeOptions){0}));
    game_free(game);
}

/* Each player makes one choice, and the match is over: what excludes what is one game. */
Test(decompose, choices_that_end_the_match_are_one_game) {
    Game *game = game_of_text(
        "(role row) (role column) (option 1) (option 2) (option 3)"
        "(init (pays 1 1 100)) (init (pays 1 2 50)) (init (pays 2 2 60)) (init (pays 3 3 40))"
        "(<= (legal ?p ?o) (role ?p) (option ?o)) (<= (next (did ?p ?o)) (does ?p ?o))"
        "(<= (next (pays ?a ?b ?n)) (true (pays ?a ?b ?n)))"
        "(<= (paid ?n) (true (did row ?a)) (true (did column ?b)) (true (pays ?a ?b ?n)))"
        "(<= some (paid ?n)) (<= (goal ?p ?n) (role ?p) (paid ?n))"
        "(<= (goal ?p 0) (role ?p) (not some)) (<= terminal (true (did ?p ?o)))",
        NULL);
    Decomposition *d = decompose(game, &(DecomposeOptions){0});
    expect_counts("choices", d, "1 0 0 0");
    decomposition_free(d);
    game_free(game);
}
