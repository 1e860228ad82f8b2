/* Tests beliefs: the true state is never excluded, probabilities are right, and a sample of states
 * agrees with the exact belief. */
#include "game/belief.h"

#include <math.h>

#include "play.h"

TestSuite(belief, .timeout = 600);

/* Both players place a stone on one of nine fields at the same time. They see only their own
 * stones, and after the second turn whether both chose the same field: a random guess rarely
 * explains such percepts. */
static const char *const stones =
    "(role a) (role b) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)"
    "(field 1) (field 2) (field 3) (field 4) (field 5) (field 6) (field 7) (field 8) (field 9)"
    "(<= (legal ?r (put ?f)) (role ?r) (field ?f))"
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
    "(<= (next (stone ?r ?f)) (does ?r (put ?f)))"
    "(<= (next (stone ?r ?f)) (true (stone ?r ?f)))"
    "(<= (clash ?f) (true (stone a ?f)) (true (stone b ?f)))"
    "(<= (sees ?r (own ?f)) (does ?r (put ?f)))"
    "(<= (sees ?r (clash ?f)) (role ?r) (true (step 3)) (clash ?f))"
    "(<= terminal (true (step 4)))"
    "(goal a 50) (goal b 50)";

typedef struct {
    Game *game;
    GameWork *work;
    State state;
    Random random;
} Watched;

static Watched open_table(Game *game, uint64_t seed) {
    Watched t = {.game = game, .work = game_work_create(game, REASONER_AUTO)};
    random_seed(&t.random, seed);
    game_initial(t.work, &t.state);
    return t;
}

static void close_table(Watched *t) {
    state_free(&t->state);
    game_work_free(t->work);
}

static const BeliefState *find_state(const BeliefFilter *f, const State *state) {
    for (size_t i = 0; i < f->belief.states.count; i++)
        if (state_equal(&f->belief.states.items[i].state, state))
            return &f->belief.states.items[i];
    return NULL;
}

static double sum_of_weights(const BeliefFilter *f) {
    double sum = 0;
    for (size_t i = 0; i < f->belief.states.count; i++)
        sum += f->belief.states.items[i].weight;
    return sum;
}

/* Plays a random turn and tells each filter the percepts of its role. */
static void play_turn(Watched *t, BeliefFilter **filters, size_t count) {
    uint32_t joint[8];
    Text move = {0}, seen = {0};
    State before = {0};
    cr_assert(random_moves(t->game, t->work, &t->state, &t->random, joint));
    state_copy(&before, &t->state);
    game_next(t->work, &before, joint, &t->state);
    for (size_t i = 0; i < count; i++) {
        text_clear(&move);
        text_clear(&seen);
        game_move_text(t->work, filters[i]->role, joint[filters[i]->role], &move);
        game_sees(t->work, &before, joint, filters[i]->role, &seen);
        belief_observe(filters[i], text_string(&move), text_string(&seen),
                       !game_is_terminal(t->work, &t->state), NULL, deadline_never());
    }
    state_free(&before);
    vector_free(&move);
    vector_free(&seen);
}

static void assert_true_state_is_possible(Game *game, uint64_t seed) {
    Watched t = open_table(game, seed);
    BeliefFilter *filters[8];
    for (uint32_t r = 0; r < game->role_count; r++)
        filters[r] = belief_create(game, r, NULL, seed);
    while (!game_is_terminal(t.work, &t.state)) {
        play_turn(&t, filters, game->role_count);
        for (uint32_t r = 0; r < game->role_count; r++) {
            cr_assert_eq(filters[r]->belief.kind, BELIEF_EXACT);
            cr_assert_not_null(find_state(filters[r], &t.state));
            cr_assert_float_eq(sum_of_weights(filters[r]), 1, 1e-9);
        }
    }
    for (uint32_t r = 0; r < game->role_count; r++)
        belief_free(filters[r]);
    close_table(&t);
}

Test(belief, an_exact_filter_never_excludes_the_truth) {
    static const char *const names[] = {"monty_hall", "guess_dice", "kuhn_poker", NULL};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (int interpreted = 0; interpreted < 2; interpreted++) {
            GameOptions options = {.interpreter_only = interpreted};
            Game *game = names[n] ? game_named(names[n], &options) : game_of_text(stones, &options);
            for (uint64_t seed = 0; seed < 10; seed++)
                assert_true_state_is_possible(game, seed);
            game_free(game);
        }
}

static double weight_of_fluent(const BeliefFilter *f, const char *fluent) {
    uint32_t number = game_find_fluent(f->work, fluent, strlen(fluent));
    double sum = 0;
    for (size_t i = 0; i < f->belief.states.count; i++) {
        const State *s = &f->belief.states.items[i].state;
        if (number / 64 < s->word_count && s->words[number / 64] >> (number % 64) & 1)
            sum += f->belief.states.items[i].weight;
    }
    return sum;
}

static BeliefFilter *candidate_before_the_choice(Game *game, const BeliefOptions *options,
                                                 uint64_t seed) {
    BeliefFilter *f = belief_create(game, 0, options, seed);
    belief_observe(f, "(pick 1)", "", true, NULL, deadline_never());
    belief_observe(f, "noop", "(opened 2)", true, NULL, deadline_never());
    return f;
}

Test(belief, the_other_door_is_twice_as_likely) {
    Game *game = game_named("monty_hall", NULL);
    BeliefFilter *f = candidate_before_the_choice(game, NULL, 1);
    cr_assert_eq(f->belief.kind, BELIEF_EXACT);
    cr_assert_eq(f->belief.states.count, 2);
    cr_assert_float_eq(weight_of_fluent(f, "(prize 1)"), 1 / 3.0, 1e-9);
    cr_assert_float_eq(weight_of_fluent(f, "(prize 3)"), 2 / 3.0, 1e-9);
    U32Vector legal = {0};
    belief_legal(&f->belief, f->work, 0, &legal);
    cr_assert_eq(legal.count, 2);
    vector_free(&legal);
    belief_free(f);
    game_free(game);
}

Test(belief, states_are_drawn_by_their_weights) {
    Game *game = game_named("monty_hall", NULL);
    BeliefFilter *f = candidate_before_the_choice(game, NULL, 1);
    int drawn[2] = {0};
    for (int i = 0; i < 30000; i++)
        drawn[belief_draw(&f->belief, &f->random)]++;
    for (int i = 0; i < 2; i++)
        cr_expect_float_eq(drawn[i] / 30000.0, f->belief.states.items[i].weight, 0.02);
    belief_free(f);
    game_free(game);
}

/* If too few states or successors are allowed, the belief is a sample whose frequencies approach
 * the probabilities. */
Test(belief, a_sample_converges_to_the_exact_weights) {
    Game *game = game_named("monty_hall", NULL);
    static const BeliefOptions choices[] = {{1, 20000, 0}, {0, 20000, 1}};
    for (size_t i = 0; i < 2; i++) {
        BeliefFilter *f = candidate_before_the_choice(game, &choices[i], 1);
        cr_assert_eq(f->belief.kind, BELIEF_SAMPLED);
        cr_assert_float_eq(sum_of_weights(f), 1, 1e-9);
        cr_assert_float_eq(weight_of_fluent(f, "(prize 3)"), 2 / 3.0, 0.02);
        cr_assert_float_eq(weight_of_fluent(f, "(prize 2)"), 0, 1e-9);
        belief_free(f);
    }
    game_free(game);
}

/* Returns the largest difference between two beliefs in the probabilities of the other player's
 * stones. */
static double difference(const BeliefFilter *a, const BeliefFilter *b) {
    double most = 0;
    for (char field = '1'; field <= '9'; field++) {
        char fluent[] = "(stone b 0)";
        fluent[9] = field;
        double d = fabs(weight_of_fluent(a, fluent) - weight_of_fluent(b, fluent));
        most = d > most ? d : most;
    }
    return most;
}

Test(belief, samples_follow_a_whole_match) {
    Game *game = game_of_text(stones, NULL);
    for (uint64_t seed = 0; seed < 5; seed++) {
        Watched t = open_table(game, seed);
        BeliefOptions options = {1, 5000, 1};
        BeliefFilter *filters[] = {belief_create(game, 0, NULL, seed),
                                   belief_create(game, 0, &options, seed)};
        while (!game_is_terminal(t.work, &t.state)) {
            play_turn(&t, filters, 2);
            cr_assert_eq(filters[1]->belief.kind, BELIEF_SAMPLED);
            cr_assert_lt(difference(filters[0], filters[1]), 0.06);
        }
        belief_free(filters[0]);
        belief_free(filters[1]);
        close_table(&t);
    }
    game_free(game);
}

/* Three particles cannot foresee which of nine fields will clash. The match is replayed from the
 * start, and the new particles explain all percepts. */
Test(belief, a_dead_sample_is_revived_from_the_start) {
    Game *game = game_of_text(stones, NULL);
    for (uint64_t seed = 0; seed < 20; seed++) {
        BeliefOptions options = {2, 3, 1};
        BeliefFilter *f = belief_create(game, 0, &options, seed);
        cr_assert_eq(belief_observe(f, "(put 5)", "(own 5)", true, NULL, deadline_never()),
                     BELIEF_SAMPLED);
        belief_observe(f, "(put 6)", "(own 6)", true, NULL, deadline_never());
        BeliefKind kind = belief_observe(f, "(put 7)", "(clash 5) (clash 6) (own 7)", false, NULL,
                                         deadline_never());
        cr_assert_eq(kind, BELIEF_SAMPLED);
        cr_assert_float_eq(weight_of_fluent(f, "(stone b 5)"), 1, 1e-9);
        cr_assert_float_eq(weight_of_fluent(f, "(stone b 6)"), 1, 1e-9);
        belief_free(f);
    }
    game_free(game);
}

/* Chance hides something under one of 25 cups, then throws dice that nobody sees for ten turns. The
 * last percept depends on the first turn alone: going back turn by turn would try all throws of the
 * dice before it. */
static const char *const cups =
    "(role a) (role random) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)"
    "(succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12)"
    "(digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (legal a noop)"
    "(<= (legal random (hide ?x ?y)) (true (step 0)) (digit ?x) (digit ?y))"
    "(<= (legal random (throw ?x ?y)) (not (true (step 0))) (digit ?x) (digit ?y))"
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
    "(<= (next (hidden ?x ?y)) (does random (hide ?x ?y)))"
    "(<= (next (hidden ?x ?y)) (true (hidden ?x ?y)))"
    "(<= (next (dice ?m ?x ?y)) (true (step ?m)) (does random (throw ?x ?y)))"
    "(<= (next (dice ?m ?x ?y)) (true (dice ?m ?x ?y)))"
    "(<= (sees a (hidden ?x ?y)) (true (step 11)) (true (hidden ?x ?y)))"
    "(<= terminal (true (step 12))) (goal a 50) (goal random 0)";

Test(belief, what_happened_long_ago_is_repaired) {
    Game *game = game_of_text(cups, NULL);
    for (uint64_t seed = 0; seed < 3; seed++) {
        BeliefOptions options = {2, 3, 1};
        BeliefFilter *f = belief_create(game, 0, &options, seed);
        for (int turn = 0; turn < 11; turn++)
            belief_observe(f, "noop", "", true, NULL, deadline_never());
        BeliefKind kind = belief_observe(f, "noop", "(hidden 3 4)", false, NULL, deadline_never());
        cr_assert_eq(kind, BELIEF_SAMPLED);
        cr_assert_float_eq(weight_of_fluent(f, "(hidden 3 4)"), 1, 1e-9);
        belief_free(f);
    }
    game_free(game);
}

Test(belief, says_when_nothing_explains_the_percepts) {
    Game *game = game_of_text(stones, NULL);
    for (size_t sampled = 0; sampled < 2; sampled++) {
        BeliefOptions options = {sampled, sampled * 10, sampled};
        BeliefFilter *f = belief_create(game, 0, &options, 1);
        cr_assert_eq(belief_observe(f, "(put 5)", "(own 6)", true, NULL, deadline_never()),
                     BELIEF_LOST);
        cr_assert_eq(f->belief.states.count, 0);
        cr_assert_eq(belief_observe(f, "(put 5)", "(own 5)", true, NULL, deadline_never()),
                     BELIEF_LOST);
        State start = {0};
        game_initial(f->work, &start);
        belief_reveal(f, &start);
        cr_assert_eq(belief_observe(f, "(put 5)", "(own 5)", true, NULL, deadline_never()),
                     sampled ? BELIEF_SAMPLED : BELIEF_EXACT);
        state_free(&start);
        belief_free(f);
    }
    game_free(game);
}

/* One of three moves of chance ends the match. A player that is asked again knows that this move
 * was not made. */
Test(belief, a_match_that_goes_on_is_not_over) {
    Game *game = game_of_text("(role a) (role random) (init (at 0)) (n 1) (n 2) (n 3)"
                              "(<= (legal random (to ?n)) (n ?n)) (legal a wait)"
                              "(<= (next (at ?n)) (does random (to ?n)))"
                              "(<= (sees random (to ?n)) (does random (to ?n)))"
                              "(<= terminal (true (at 3))) (goal a 0) (goal random 0)",
                              NULL);
    for (int goes_on = 0; goes_on < 2; goes_on++) {
        BeliefFilter *f = belief_create(game, 0, NULL, 1);
        belief_observe(f, "wait", "", goes_on, NULL, deadline_never());
        cr_expect_eq(f->belief.states.count, goes_on ? 2 : 3);
        cr_expect_float_eq(weight_of_fluent(f, "(at 1)"), goes_on ? 1 / 2.0 : 1 / 3.0, 1e-9);
        belief_free(f);
    }
    game_free(game);
}

static double always_the_first(const void *context, uint32_t role, uint64_t knowledge,
                               uint32_t move, size_t legal_count) {
    (void)context;
    (void)role;
    (void)knowledge;
    (void)legal_count;
    return move == 0;
}

Test(belief, a_model_says_what_the_others_do) {
    Game *game = game_of_text(stones, NULL);
    BeliefModel model = {always_the_first, NULL};
    for (size_t sampled = 0; sampled < 2; sampled++) {
        BeliefOptions options = {0, 0, sampled};
        BeliefFilter *f = belief_create(game, 0, &options, 1);
        belief_observe(f, "(put 5)", "(own 5)", true, &model, deadline_never());
        cr_assert_eq(f->belief.states.count, 1);
        belief_free(f);
    }
    game_free(game);
}

/* Two states that a role cannot distinguish have the same number for it; other states have
 * different numbers. */
Test(belief, roles_know_what_they_saw) {
    Game *game = game_named("kuhn_poker", NULL);
    BeliefFilter *f = belief_create(game, 0, NULL, 1);
    belief_observe(f, "noop", "(dealt queen)", true, NULL, deadline_never());
    const BeliefState *s = f->belief.states.items;
    cr_assert_eq(f->belief.states.count, 2);
    cr_assert_eq(s[0].knowledge[0], s[1].knowledge[0]);
    cr_assert_neq(s[0].knowledge[1], s[1].knowledge[1]);
    belief_free(f);
    game_free(game);
}

Test(belief, goes_on_with_a_better_game) {
    Game *slow = game_named("monty_hall", &(GameOptions){.interpreter_only = true});
    Game *fast = game_named("monty_hall", NULL);
    BeliefFilter *f = belief_create(slow, 0, NULL, 1);
    belief_observe(f, "(pick 1)", "", true, NULL, deadline_never());
    cr_assert(belief_translate(f, fast));
    game_free(slow);
    belief_observe(f, "noop", "(opened 2)", true, NULL, deadline_never());
    cr_assert_float_eq(weight_of_fluent(f, "(prize 3)"), 2 / 3.0, 1e-9);
    belief_free(f);
    game_free(fast);
}

Test(belief, moves_that_differ_between_states_are_not_offered) {
    Game *game = game_of_text("(role a) (role random) (init start)"
                              "(<= (legal random (x ?n)) (true start) (n ?n)) (n 1) (n 2)"
                              "(<= (legal random noop) (not (true start)))"
                              "(<= (legal a noop) (true start)) (<= (legal a b) (true (at ?n)))"
                              "(<= (legal a (go ?n)) (true (at ?n)))"
                              "(<= (next (at ?n)) (does random (x ?n)))"
                              "(<= (sees a did) (does a b))"
                              "(<= terminal (not (true start)) (not any))"
                              "(<= any (true (at ?n))) (goal a 0) (goal random 0)",
                              NULL);
    BeliefFilter *f = belief_create(game, 0, NULL, 1);
    U32Vector legal = {0};
    belief_observe(f, "noop", "", true, NULL, deadline_never());
    cr_assert_eq(f->belief.states.count, 2);
    belief_legal(&f->belief, f->work, 0, &legal);
    cr_assert_eq(legal.count, 1);
    cr_assert_eq(legal.items[0], game_find_move(f->work, 0, "b", 1));
    vector_free(&legal);
    belief_free(f);
    game_free(game);
}

/* One state has very many successors, which the interpreter finds one by one. The time runs out in
 * the middle of them. */
Test(belief, keeps_its_deadline_within_a_state) {
    Text text = {0};
    text_add(&text, "(role a) (role random) (init start) (legal a wait)"
                    "(<= (legal random (draw ?x ?y ?z)) (card ?x) (card ?y) (card ?z))"
                    "(<= (next (drawn ?x ?y ?z)) (does random (draw ?x ?y ?z)))"
                    "(<= (sees a (sum ?x)) (does random (draw ?x ?y ?z)))"
                    "(<= terminal (true (drawn 0 0 0))) (goal a 50) (goal random 50)");
    for (int i = 0; i < 30; i++)
        text_printf(&text, "(card %d)", i);
    Game *game = game_of_text(text_string(&text), &(GameOptions){.interpreter_only = true});
    BeliefFilter *filter = belief_create(game, 0, NULL, 1);
    double started = clock_thread_cpu_seconds();
    belief_observe(filter, "wait", "(sum 3)", true, NULL, deadline_in(0.05));
    double spent = clock_thread_cpu_seconds() - started;
    cr_assert_lt(spent, 1, "%g s", spent);
    belief_free(filter);
    game_free(game);
    vector_free(&text);
}
