/* Tests symmetries of games with known groups, orbits of states, and changes to the rules that must
 * not matter. */
#include "analysis/symmetry/symmetry.h"

#include "../games.h"
#include "../symmetric_parts.h"
#include "base/random.h"

static Symmetries *find(Game *game, bool swap_roles) {
    SymmetryOptions options = {.seconds = 20, .swap_roles = swap_roles, .seed = 1};
    Symmetries *s = symmetry_find(game, &options);
    cr_assert_not_null(s);
    cr_assert(s->is_complete);
    cr_assert_eq(s->refuted, 0);
    return s;
}

static void assert_order(Game *game, bool swap_roles, const char *order) {
    Symmetries *s = find(game, swap_roles);
    cr_expect_str_eq(s->order, order);
    symmetry_free(s);
}

Test(symmetry, known_groups) {
    static const struct {
        const char *name, *fixed, *swapping;
    } known[] = {
        {"tic_tac_toe", "8", "16"},
        {"connect_four", "2", "4"},
        {"breakthrough", "2", "4"},
        {"lights_out", "8", "8"},
        {"incredible", "20922789888000", "20922789888000"},
        {"nim", "1", "2"},
        {"queens_unguided", "8", "8"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        Game *game = game_named(known[i].name);
        assert_order(game, false, known[i].fixed);
        assert_order(game, true, known[i].swapping);
        game_free(game);
    }
}

/* Uses the fixtures of the constraint networks: guessing a die, and a quarter of Tictactoe. */
Test(symmetry, chance_and_percepts) {
    Game *game = game_of_text(
        "(role player) (role random) (face 1) (face 2) (face 3) (face 4) (face 5) (face 6)"
        "(init (phase roll)) (<= (legal random (roll ?d)) (face ?d))"
        "(<= (legal player noop) (true (phase roll)))"
        "(<= (legal player (guess ?d)) (true (phase guess)) (face ?d))"
        "(<= (next (die ?d)) (true (phase roll)) (does random (roll ?d)))"
        "(<= (next (die ?d)) (true (die ?d)))"
        "(<= (next (phase guess)) (true (phase roll)))"
        "(<= (next (phase done)) (true (phase guess)))"
        "(<= (next (guessed ?d)) (does player (guess ?d)))"
        "(<= (sees player (die ?d)) (true (phase guess)) (true (die ?d)))"
        "(<= terminal (true (phase done))) (<= hit (true (guessed ?d)) (true (die ?d)))"
        "(<= (goal player 100) hit) (<= (goal player 0) (not hit)) (goal random 0)");
    assert_order(game, false, "720");
    game_free(game);
    game = game_of_text(
        "(role oplayer) (role random) (index 1) (index 2) (mark x) (mark o)"
        "(init (cell 1 1 x)) (init (cell 1 2 b)) (init (cell 2 1 b)) (init (cell 2 2 b))"
        "(init (control oplayer)) (sign oplayer o) (sign random x)"
        "(other oplayer random) (other random oplayer)"
        "(<= (legal ?p (mark ?i ?j)) (true (control ?p)) (true (cell ?i ?j b)))"
        "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))"
        "(<= (next (cell ?i ?j ?s)) (does ?p (mark ?i ?j)) (sign ?p ?s))"
        "(<= (next (cell ?i ?j ?s)) (true (cell ?i ?j ?s)) (not (touched ?i ?j)))"
        "(<= (touched ?i ?j) (does ?p (mark ?i ?j)))"
        "(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))"
        "(<= (line ?s) (mark ?s) (index ?i) (true (cell ?i 1 ?s)) (true (cell ?i 2 ?s)))"
        "(<= (line ?s) (mark ?s) (index ?j) (true (cell 1 ?j ?s)) (true (cell 2 ?j ?s)))"
        "(<= open (true (cell ?i ?j b))) (<= terminal (line ?s)) (<= terminal (not open))"
        "(<= (goal oplayer 100) (line o)) (<= (goal oplayer 0) (line x))"
        "(<= (goal oplayer 50) (not (line x)) (not (line o))) (goal random 0)");
    /* Grounding leaves out atoms that are never true. With one corner taken from the start, only
     * the transposition is left of the eight symmetries of an empty board. */
    assert_order(game, false, "2");
    game_free(game);
}

/* Permutations of auxiliary atoms alone do not count as symmetries. */
Test(symmetry, helpers_do_not_count) {
    Game *game = game_of_text(
        "(role a) (init p) (legal a go) (legal a stay) (edge 1 2) (edge 2 1) (edge 3 4) (edge 4 3)"
        "(<= (reach ?x) (edge ?x ?y) (reach ?y) (true p)) (<= (reach ?x) (source ?x) (does a go))"
        "(source 1) (source 3) (<= (next q) (reach 2) (reach 4)) (<= (next p) (true p))"
        "(<= terminal (true q)) (goal a 0)");
    assert_order(game, false, "1");
    game_free(game);
}

/* All reachable states, each once. */
typedef VECTOR(State) States;

static void add_state(States *states, Table *known, const State *state) {
    uint64_t hash = hash_finish(state_hash(state));
    uint32_t id;
    for (TableProbe p = table_probe(known, hash); table_next(known, &p, &id);)
        if (state_equal(&states->items[id], state))
            return;
    State copy = {0};
    state_copy(&copy, state);
    table_insert(known, hash, (uint32_t)states->count);
    vector_push(states, copy);
}

static void numbered_states_free(States *states, Table *known) {
    for (size_t i = 0; i < states->count; i++)
        state_free(&states->items[i]);
    vector_free(states);
    table_free(known);
}

static void add_successors(GameWork *work, States *states, Table *known, size_t index) {
    U32Vector x = {0}, o = {0};
    State next = {0};
    if (!game_is_terminal(work, &states->items[index])) {
        game_legal(work, &states->items[index], 0, &x);
        game_legal(work, &states->items[index], 1, &o);
        for (size_t i = 0; i < x.count; i++)
            for (size_t j = 0; j < o.count; j++) {
                uint32_t moves[] = {x.items[i], o.items[j]};
                game_next(work, &states->items[index], moves, &next);
                add_state(states, known, &next);
            }
    }
    vector_free(&x);
    vector_free(&o);
    state_free(&next);
}

Test(symmetry, classes_of_tic_tac_toe) {
    Game *game = game_named("tic_tac_toe");
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Symmetries *s = find(game, false);
    SymmetryGroup *group = symmetry_elements(s, 100);
    cr_assert_not_null(group);
    cr_assert_eq(group->items.count, 8);
    cr_assert_null(symmetry_elements(s, 7));
    States states = {0}, classes = {0};
    Table known = {0}, known_classes = {0};
    State state = {0};
    game_initial(work, &state);
    add_state(&states, &known, &state);
    for (size_t i = 0; i < states.count; i++) {
        add_successors(work, &states, &known, i);
        symmetry_canonical(group, &states.items[i], &state);
        add_state(&classes, &known_classes, &state);
    }
    cr_assert_eq(states.count, 5478);
    cr_assert_eq(classes.count, 765);
    numbered_states_free(&states, &known);
    numbered_states_free(&classes, &known_classes);
    state_free(&state);
    symmetry_group_free(group);
    symmetry_free(s);
    game_work_free(work);
    game_free(game);
}

/* Neither names, nor the order of rules, nor superfluous rules hide a symmetry. */
Test(symmetry, noise_does_not_matter) {
    Rules *rules = rules_named("tic_tac_toe");
    char *text = disguised(rules, 11);
    Game *game = game_of_text(text);
    assert_order(game, false, "8");
    assert_order(game, true, "16");
    game_free(game);
    free(text);
    Text noisy = {0};
    Source *source = rules->syntax->source;
    text_add_bytes(&noisy, source->text, source->length);
    text_add(&noisy, "(<= (next (cell 1 1 x)) (does x (mark 1 1)) (true (cell 2 2 o)))"
                     "(<= tautology tautology) (<= terminal tautology)"
                     "(<= (legal x (mark 1 1)) (legal x (mark 1 1)) (true (control x)))");
    game = game_of_text(noisy.items);
    assert_order(game, false, "8");
    game_free(game);
    vector_free(&noisy);
    rules_free(rules);
}

/* Two boards of the same game, or two that differ only in their goals. */
#define LAMPS(goal)                                                                                \
    "(role a) (lamp 1) (lamp 2) (lamp 3) (lamp 4) (init (off 1)) (init (off 2)) (init (off 3))"    \
    "(init (off 4)) (<= (legal a (press ?l)) (lamp ?l)) (<= (next (on ?l)) (does a (press ?l)))"   \
    "(<= (next (on ?l)) (true (on ?l))) (<= (next (off ?l)) (true (off ?l))"                       \
    "(not (does a (press ?l)))) (<= terminal (true (on 1)) (true (on 2)) (true (on 3)))" goal

Test(symmetry, parts) {
    Game *game = game_of_text(LAMPS("(<= (goal a 100) (true (on 3)) (true (on 4)))"
                                    "(<= (goal a 0) (not (true (on 3))))"));
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Symmetries *s = find(game, false);
    uint32_t part_of[8], class_of[4];
    Text name = {0};
    for (uint32_t l = 1; l <= 4; l++) {
        text_clear(&name);
        text_printf(&name, "(on %u)", l);
        part_of[fluent_of(work, name.items)] = l - 1;
        text_clear(&name);
        text_printf(&name, "(off %u)", l);
        part_of[fluent_of(work, name.items)] = l - 1;
    }
    symmetry_of_parts(s, part_of, 4, class_of);
    cr_assert_eq(class_of[0], 0);
    cr_assert_eq(class_of[1], 0, "lamps 1 and 2 are alike");
    cr_assert_eq(class_of[2], 2);
    cr_assert_eq(class_of[3], 3);
    cr_assert_str_eq(s->order, "2");
    vector_free(&name);
    symmetry_free(s);
    game_work_free(work);
    game_free(game);
}

Test(symmetry, interpreted_games_have_none) {
    Game *game = game_of_rules(rules_named("tic_tac_toe"), true);
    SymmetryOptions options = {0};
    cr_assert_null(symmetry_find(game, &options));
    game_free(game);
}
