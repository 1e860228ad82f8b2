/* Tests successors abreast: each answer is that of the scalar reasoner, in games with phases,
 * percepts, chance and several roles, for every kernel, and one after the other as well. */
#include "game/successors.h"

#include "play.h"

TestSuite(successors, .timeout = 600);

enum { MOST_ROLES = 8 };

typedef struct {
    State state;
    uint32_t joint[MOST_ROLES];
    bool has_joint;
} Asked;

typedef VECTOR(Asked) AskedList;

static void asked_free(AskedList *asked) {
    for (size_t i = 0; i < asked->count; i++)
        state_free(&asked->items[i].state);
    vector_free(asked);
}

static void ask(Successors *s, AskedList *asked, const State *state, const uint32_t *joint) {
    Asked *a = vector_extend(asked, 1);
    *a = (Asked){.has_joint = joint};
    state_copy(&a->state, state);
    for (uint32_t r = 0; joint && r < MOST_ROLES; r++)
        a->joint[r] = joint[r];
    cr_assert_eq(successors_add(s, joint), asked->count - 1);
}

/* Asks about the states of random matches: some themselves, some with one move or several. */
static void ask_along_matches(Game *game, GameWork *work, Successors *s, uint64_t seed,
                              uint32_t count, AskedList *asked) {
    State state = {0};
    uint32_t joint[MOST_ROLES] = {0};
    Random random;
    random_seed(&random, seed);
    game_initial(work, &state);
    while (asked->count < count) {
        bool goes_on =
            !game_is_terminal(work, &state) && random_moves(game, work, &state, &random, joint);
        successors_from(s, &state);
        if (!goes_on || random_below(&random, 3) == 0)
            ask(s, asked, &state, NULL);
        for (uint64_t i = random_below(&random, 4); goes_on && i > 0; i--) {
            random_moves(game, work, &state, &random, joint);
            ask(s, asked, &state, joint);
        }
        if (goes_on)
            game_next(work, &state, joint, &state);
        else
            game_initial(work, &state);
    }
    state_free(&state);
}

static void check_answer(const Game *game, GameWork *work, const Successors *s, uint32_t i,
                         const Asked *a, SuccessorsWanted wanted) {
    State expected = {0}, state = successors_state(s, i);
    U32Vector legal = {0};
    state_copy(&expected, &a->state);
    if (a->has_joint)
        game_next(work, &a->state, a->joint, &expected);
    cr_assert(state_equal(&expected, &state), "question %u", i);
    if (wanted != SUCCESSORS_STATES)
        cr_assert_eq(successors_is_terminal(s, i), game_is_terminal(work, &expected));
    for (uint32_t r = 0; wanted != SUCCESSORS_STATES && r < game->role_count; r++) {
        if (successors_is_terminal(s, i)) {
            if (wanted & SUCCESSORS_GOALS & ~SUCCESSORS_ENDS)
                cr_assert_eq(successors_goal(s, i, r), game_goal(work, &expected, r));
        } else if (wanted & SUCCESSORS_LEGAL & ~SUCCESSORS_ENDS) {
            uint32_t count;
            const uint32_t *moves = successors_legal(s, i, r, &count);
            game_legal(work, &expected, r, &legal);
            cr_assert_eq(count, legal.count, "question %u", i);
            cr_assert(count == 0 || !memcmp(moves, legal.items, count * sizeof *moves));
        }
    }
    vector_free(&legal);
    state_free(&expected);
}

static void check(const char *name, const GameOptions *options, Reasoner reasoner,
                  SuccessorsWanted wanted) {
    static const uint32_t counts[] = {1, 3, 127, 128, 129, 700};
    Game *game = game_named(name, options);
    Successors *s = successors_create(game, reasoner);
    GameWork *work =
        game_work_create(game, reasoner == REASONER_INTERPRETER ? reasoner : REASONER_AUTO);
    cr_assert_leq(game->role_count, MOST_ROLES);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        AskedList asked = {0};
        successors_clear(s);
        ask_along_matches(game, work, s, c, counts[c], &asked);
        successors_evaluate(s, wanted);
        cr_assert_eq(successors_count(s), asked.count);
        for (uint32_t i = 0; i < asked.count; i++)
            check_answer(game, work, s, i, &asked.items[i], wanted);
        asked_free(&asked);
    }
    game_work_free(work);
    successors_free(s);
    game_free(game);
}

Test(successors, agree_with_the_scalar_reasoner_for_every_kernel) {
    static const char *const names[] = {"tic_tac_toe", "connect_four", "hex",
                                        "incredible",  "kuhn_poker",   "wumpus"};
    for (int kind = KERNEL_INTERPRETED; kind < KERNEL_KINDS; kind++)
        for (size_t i = 0; kernel_kind_available((KernelKind)kind) && i < 6; i++)
            check(names[i], &(GameOptions){.kernel = (KernelKind)kind}, REASONER_AUTO,
                  SUCCESSORS_GOALS | SUCCESSORS_LEGAL);
}

Test(successors, answer_as_little_as_is_wanted) {
    check("connect_four", NULL, REASONER_AUTO, SUCCESSORS_STATES);
    check("connect_four", NULL, REASONER_AUTO, SUCCESSORS_ENDS);
    check("connect_four", NULL, REASONER_AUTO, SUCCESSORS_GOALS);
    check("connect_four", NULL, REASONER_AUTO, SUCCESSORS_LEGAL);
}

Test(successors, are_made_one_after_the_other_by_other_reasoners) {
    check("connect_four", NULL, REASONER_INCREMENTAL, SUCCESSORS_GOALS | SUCCESSORS_LEGAL);
    check("tic_tac_toe", NULL, REASONER_INTERPRETER, SUCCESSORS_GOALS | SUCCESSORS_LEGAL);
    check("tic_tac_toe", &(GameOptions){.interpreter_only = true}, REASONER_AUTO,
          SUCCESSORS_GOALS | SUCCESSORS_LEGAL);
}

Test(successors, of_a_reasoner_without_its_circuit_are_refused) {
    Game *game = game_named("tic_tac_toe", &(GameOptions){.interpreter_only = true});
    cr_assert_null(successors_create(game, REASONER_SCALAR));
    game_free(game);
}

/* All joint moves are numbered with the last role fastest. */
Test(successors, of_all_joint_moves_are_in_order) {
    static const char rules[] =
        "(role a) (role b) (init (at 0)) (legal a one) (legal a two) (legal b x) (legal b y)"
        "(legal b z) (<= (next (made ?m ?n)) (does a ?m) (does b ?n)) (<= terminal (true (made ?m "
        "?n))) (<= (goal a 100) (true (made two z))) (<= (goal a 0) (true (made one x)))"
        "(goal b 50)";
    Game *game = game_of_text(rules, NULL);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Successors *s = successors_create(game, REASONER_AUTO);
    U32Vector legal[2] = {{0}, {0}};
    State state = {0}, next = {0};
    game_initial(work, &state);
    for (uint32_t r = 0; r < 2; r++)
        game_legal(work, &state, r, &legal[r]);
    successors_clear(s);
    successors_from(s, &state);
    cr_assert_eq(successors_add_all(s, legal), 0);
    cr_assert_eq(successors_count(s), 6);
    successors_evaluate(s, SUCCESSORS_GOALS);
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t joint[] = {legal[0].items[i / 3], legal[1].items[i % 3]};
        State made = successors_state(s, i);
        game_next(work, &state, joint, &next);
        cr_assert(state_equal(&made, &next));
        cr_assert(successors_is_terminal(s, i));
        cr_assert_eq(successors_goal(s, i, 1), 50);
        cr_assert_eq(successors_goal(s, i, 0), game_goal(work, &next, 0));
    }
    vectors_free(&legal[0], &legal[1]);
    states_free(&state, &next);
    successors_free(s);
    game_work_free(work);
    game_free(game);
}
