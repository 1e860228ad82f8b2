/* Tests where and how a search uses evaluations, with artificial ones. */
#include <math.h>
#include <stdatomic.h>

#include "../play_search.h"
#include "search/uct/uct.h"

TestSuite(evaluation, .timeout = 600);

/* There are two paths of ten steps, on which lamps are pressed; only the end shows which path is
 * better. */
static const char paths_text[] =
    "(role you) (init (step 0)) (init fork)\n"
    "(next_step 0 1) (next_step 1 2) (next_step 2 3) (next_step 3 4) (next_step 4 5)\n"
    "(next_step 5 6) (next_step 6 7) (next_step 7 8) (next_step 8 9) (next_step 9 10)\n"
    "(lamp 1) (lamp 2) (lamp 3) (lamp 4) (lamp 5) (lamp 6) (lamp 7) (lamp 8) (lamp 9)\n"
    "(<= (legal you left) (true fork)) (<= (legal you right) (true fork))\n"
    "(<= (legal you (press ?l)) (lamp ?l) (not (true fork)))\n"
    "(<= (next (on left)) (does you left)) (<= (next (on right)) (does you right))\n"
    "(<= (next (on ?p)) (true (on ?p)))\n"
    "(<= (next (lit ?l)) (does you (press ?l)) (not (true (lit ?l))))\n"
    "(<= (next (lit ?l)) (true (lit ?l)) (not (does you (press ?l))))\n"
    "(<= (next (step ?m)) (true (step ?n)) (next_step ?n ?m))\n"
    "(<= terminal (true (step 10)))\n"
    "(<= (goal you 70) (true (on left)) (true (lit 1)))\n"
    "(<= (goal you 60) (true (on left)) (not (true (lit 1))))\n"
    "(<= (goal you 40) (true (on right)) (true (lit 2)) (true (lit 3)))\n"
    "(<= (goal you 30) (true (on right)) (not (true (lit 2))))\n"
    "(<= (goal you 30) (true (on right)) (true (lit 2)) (not (true (lit 3))))\n"
    "(<= (goal you 100) (true fork)) (<= (goal you 0) (true fork) (true (lit 4)))\n";

typedef struct {
    uint32_t left, right, step[11]; /* fluents */
    double left_goal, right_goal;
    double left_prior, right_prior;
    atomic_uint evaluated, foreseen, opened, closed;
    atomic_uint wrong_step; /* states that were cut off at the wrong step */
    uint32_t turns;         /* turns from the root to the cut */
    uint32_t preferred;     /* of two moves, the one that advice prefers */
} Fake;

static bool holds(const State *state, uint32_t fluent) {
    return fluent / 64 < state->word_count && state->words[fluent / 64] >> (fluent % 64) & 1;
}

static void evaluate(void *own, const State *const *states, size_t count, double *goals) {
    Fake *fake = own;
    fake->evaluated += (unsigned)count;
    for (size_t i = 0; i < count; i++) {
        bool left = holds(states[i], fake->left), right = holds(states[i], fake->right);
        goals[i] = left ? fake->left_goal : right ? fake->right_goal : 50;
        unsigned steps = 0;
        for (uint32_t s = 0; s <= 10; s++)
            steps += holds(states[i], fake->step[s]);
        fake->wrong_step +=
            steps != 1 || (fake->turns && !holds(states[i], fake->step[fake->turns]));
    }
}

static bool evaluate_moves(void *own, const State *state, uint32_t role, const U32Vector *moves,
                           double *goals) {
    Fake *fake = own;
    cr_assert_eq(role, 0);
    fake->foreseen++;
    if (!holds(state, fake->step[0]))
        return false;
    cr_assert_eq(moves->count, 2);
    goals[0] = fake->left_prior;
    goals[1] = fake->right_prior;
    return true;
}

static uint32_t fluent(GameWork *work, const char *text) {
    uint32_t found = game_find_fluent(work, text, strlen(text));
    cr_assert_neq(found, MOVE_NONE, "%s", text);
    return found;
}

static Fake fake_for(Game *game) {
    GameWork *work = game_work_create(game, REASONER_AUTO);
    Fake fake = {.left = fluent(work, "(on left)"), .right = fluent(work, "(on right)")};
    for (int s = 0; s <= 10; s++) {
        char text[16];
        snprintf(text, sizeof text, "(step %d)", s);
        fake.step[s] = fluent(work, text);
    }
    game_work_free(work);
    return fake;
}

static double value_of_move(const SearchTable *t, const char *name, uint64_t *visits) {
    for (size_t i = 0; i < t->result.moves.count; i++) {
        Text text = {0};
        game_move_text(t->work, 0, t->result.moves.items[i].move, &text);
        bool found = strcmp(text.items, name) == 0;
        vector_free(&text);
        if (found) {
            *visits = t->result.moves.items[i].visits;
            return t->result.moves.items[i].value;
        }
    }
    cr_assert_fail("no move %s", name);
    return 0;
}

/* All kinds of playouts: in batches, one by one, and in several threads. */
static const SearchOptions ways[] = {{.batch = 0},
                                     {.batch = 1, .leaf_playouts = 1},
                                     {.threads = 2, .parallel = PARALLEL_LEAF},
                                     {.threads = 2, .parallel = PARALLEL_TREE},
                                     {.threads = 2, .parallel = PARALLEL_ROOT}};
enum { WAYS = sizeof ways / sizeof *ways };

Test(evaluation, leaves_are_judged_without_play_outs) {
    for (size_t way = 0; way < WAYS; way++) {
        Game *game = game_of_text(paths_text, NULL);
        Fake fake = fake_for(game);
        fake.left_goal = 20;
        fake.right_goal = 80;
        SearchEvaluation evaluation = {.context = &fake, .evaluate = evaluate};
        SearchOptions options = ways[way];
        uint64_t visits;
        options.evaluation = &evaluation;
        SearchTable t = table_create(game, "uct", 0, options);
        search_set_state(t.search, &t.state);
        think(&t, way == 1 ? 60 : 2048);
        cr_assert_gt(fake.evaluated, 0);
        cr_assert_eq(fake.wrong_step, 0);
        cr_assert_gt(value_of_move(&t, "right", &visits), 60);
        assert_best(&t, "right");
        table_release(&t);
    }
}

/* In batches of leaves, playouts are cut off at different steps, so only whole states are checked;
 * the root alone is checked for the step. */
Test(evaluation, play_outs_are_cut_off_and_judged) {
    for (size_t way = 0; way < WAYS; way++)
        for (uint32_t turns = 1; turns < 12; turns += 3) {
            Game *game = game_of_text(paths_text, NULL);
            Fake fake = fake_for(game);
            fake.left_goal = 0;
            fake.right_goal = 100;
            SearchEvaluation evaluation = {
                .context = &fake, .evaluate = evaluate, .playout_turns = turns};
            SearchOptions options = ways[way];
            options.evaluation = &evaluation;
            SearchTable t = table_create(game, "uct", 0, options);
            search_set_state(t.search, &t.state);
            fake.turns = turns < 10 ? turns : 0;
            think(&t, 1);
            cr_assert_eq(fake.wrong_step, 0);
            cr_assert_eq(fake.evaluated > 0, turns < 10);
            fake.turns = 0;
            think(&t, way == 1 ? 100 : 4096);
            cr_assert_eq(fake.wrong_step, 0);
            if (turns < 3)
                assert_best(&t, "right");
            table_release(&t);
        }
}

/* By the rules left is worth 60 to 70 and right 30 to 40; the evaluation says the opposite. */
Test(evaluation, judgements_of_leaves_are_mixed_with_play_outs) {
    for (size_t way = 0; way < WAYS; way++)
        for (int share = 0; share <= 100; share += 50) {
            Game *game = game_of_text(paths_text, NULL);
            Fake fake = fake_for(game);
            fake.left_goal = 0;
            fake.right_goal = 100;
            SearchEvaluation evaluation = {.context = &fake,
                                           .evaluate = evaluate,
                                           .playout_turns = 100,
                                           .leaf_share = share / 100.0};
            SearchOptions options = ways[way];
            uint64_t visits;
            options.evaluation = &evaluation;
            SearchTable t = table_create(game, "uct", 0, options);
            search_set_state(t.search, &t.state);
            think(&t, way == 1 ? 40 : 1024);
            cr_assert_eq(fake.wrong_step, 0);
            cr_assert_eq(fake.evaluated > 0, share > 0);
            double left = value_of_move(&t, "left", &visits);
            double least = (60 - 2) * (100 - share) / 100.0;
            double most = (70 + 2) * (100 - share) / 100.0;
            cr_assert(left >= least && left <= most, "way %zu, share %d: %g", way, share, left);
            table_release(&t);
        }
}

static uint64_t left_visits(Fake *fake, double prior_visits, double bias, uint64_t playouts) {
    SearchEvaluation evaluation = {.context = fake,
                                   .evaluate_moves = evaluate_moves,
                                   .prior_visits = prior_visits,
                                   .bias = bias};
    Game *game = game_of_text(paths_text, NULL);
    Fake numbers = fake_for(game);
    memcpy(fake->step, numbers.step, sizeof fake->step);
    SearchTable t = table_create(
        game, "uct", 0, (SearchOptions){.batch = 1, .leaf_playouts = 1, .evaluation = &evaluation});
    uint64_t visits;
    search_set_state(t.search, &t.state);
    think(&t, playouts);
    value_of_move(&t, "left", &visits);
    table_release(&t);
    return visits;
}

Test(evaluation, priors_guide_the_first_visits_and_fade) {
    Fake for_left = {.left_prior = 100, .right_prior = 0};
    Fake for_right = {.left_prior = 0, .right_prior = 100};
    cr_assert_gt(left_visits(&for_left, 50, 0, 40), 30);
    cr_assert_lt(left_visits(&for_right, 50, 0, 40), 10);
    cr_assert_gt(left_visits(&for_left, 0, 20, 40), 30);
    cr_assert_lt(left_visits(&for_right, 0, 20, 40), 10);
    /* By the rules left is better: priors do not outweigh that in the long run, before it is
     * proven. */
    Fake mildly = {.left_prior = 45, .right_prior = 70};
    cr_assert_gt(left_visits(&mildly, 20, 0, 1000), 500);
    cr_assert_gt(left_visits(&mildly, 0, 20, 1000), 500);
    cr_assert_gt(for_left.foreseen, 0);
}

Test(evaluation, the_promising_move_is_tried_first) {
    Fake for_left = {.left_prior = 60, .right_prior = 40};
    Fake for_right = {.left_prior = 40, .right_prior = 60};
    cr_assert_eq(left_visits(&for_left, 0, 0, 2), 1);
    cr_assert_eq(left_visits(&for_right, 0, 0, 2), 0);
}

static void *open_own(void *context, Game *game) {
    Fake *fake = context;
    cr_assert_not_null(game);
    fake->opened++;
    return fake;
}

static void close_own(void *own) {
    Fake *fake = own;
    fake->closed++;
}

Test(evaluation, every_thread_has_its_own_memory) {
    for (size_t way = 0; way < WAYS; way++) {
        Game *game = game_of_text(paths_text, NULL);
        Fake fake = fake_for(game);
        SearchEvaluation evaluation = {
            .context = &fake, .open = open_own, .close = close_own, .evaluate = evaluate};
        SearchOptions options = ways[way];
        options.evaluation = &evaluation;
        SearchTable t = table_create(game, "uct", 0, options);
        search_set_state(t.search, &t.state);
        think(&t, 512);
        cr_assert_eq(fake.opened, options.threads ? options.threads : 1);
        table_release(&t);
        cr_assert_eq(fake.closed, fake.opened);
    }
}

/* A tree without room for its leaves does not evaluate terminal states. */
Test(evaluation, a_small_tree_knows_ends) {
    Game *game = game_of_text(paths_text, NULL);
    Fake fake = fake_for(game);
    SearchEvaluation evaluation = {.context = &fake, .evaluate = evaluate};
    SearchTable t =
        table_create(game, "uct", 0, (SearchOptions){.node_bytes = 1, .evaluation = &evaluation});
    search_set_state(t.search, &t.state);
    think(&t, 2000);
    cr_assert_eq(t.result.playouts, 2000);
    cr_assert_eq(fake.wrong_step, 0);
    table_release(&t);
}

/* ---- advice ---- */

/* Gives left and right equal values, and `right` a far greater prior. */
static void advise(void *own, const Advice *asked, size_t count) {
    Fake *fake = own;
    for (size_t i = 0; i < count; i++) {
        uint32_t moves = asked[i].first_move[1];
        bool left = holds(asked[i].state, fake->left), right = holds(asked[i].state, fake->right);
        cr_assert_eq(asked[i].first_move[0], 0);
        asked[i].goals[0] = left ? fake->left_goal : right ? fake->right_goal : 50;
        for (uint32_t m = 0; m < moves; m++)
            asked[i].shares[m] = moves == 2 ? m == fake->preferred ? 0.9F : 0.1F : 1 / (float)moves;
        fake->evaluated++;
    }
}

static uint32_t number_of_move(Game *game, const char *name) {
    GameWork *work = game_work_create(game, REASONER_AUTO);
    U32Vector legal = {0};
    State state = {0};
    uint32_t move = game_find_move(work, 0, name, strlen(name)), place = 0;
    game_initial(work, &state);
    game_legal(work, &state, 0, &legal);
    while (legal.items[place] != move)
        place++;
    state_free(&state);
    vector_free(&legal);
    game_work_free(work);
    return place;
}

Test(evaluation, visits_follow_shares_where_values_are_equal) {
    for (size_t way = 0; way < WAYS; way++) {
        Game *game = game_of_text(paths_text, NULL);
        Fake fake = fake_for(game);
        fake.left_goal = fake.right_goal = 50;
        fake.preferred = number_of_move(game, "right");
        SearchEvaluation evaluation = {.context = &fake, .advise = advise};
        SearchOptions options = ways[way];
        uint64_t left, right;
        options.evaluation = &evaluation;
        options.leaf_playouts = 1;
        options.batch = options.batch ? options.batch : 4;
        SearchTable t = table_create(game, "uct", 0, options);
        search_set_state(t.search, &t.state);
        think(&t, 200);
        cr_assert_gt(fake.evaluated, 0);
        value_of_move(&t, "left", &left);
        value_of_move(&t, "right", &right);
        cr_assert_gt(right, left + left / 2, "way %zu: %lu and %lu", way, (unsigned long)right,
                     (unsigned long)left);
        table_release(&t);
    }
}

Test(evaluation, values_overcome_shares) {
    for (size_t way = 0; way < WAYS; way++) {
        Game *game = game_of_text(paths_text, NULL);
        Fake fake = fake_for(game);
        fake.left_goal = 70;
        fake.right_goal = 30;
        fake.preferred = number_of_move(game, "right");
        SearchEvaluation evaluation = {.context = &fake, .advise = advise};
        SearchOptions options = ways[way];
        options.evaluation = &evaluation;
        options.leaf_playouts = 1;
        SearchTable t = table_create(game, "uct", 0, options);
        search_set_state(t.search, &t.state);
        think(&t, 2000);
        assert_best(&t, "left");
        table_release(&t);
    }
}

/* A search whose leaves are handed out and returned step by step, as evaluation of many searches at
 * once does it, equals the plain search. */
Test(evaluation, leaves_are_handed_out_and_taken_back) {
    Game *game = game_of_text(paths_text, NULL);
    Fake fake = fake_for(game);
    fake.left_goal = 60;
    fake.right_goal = 40;
    SearchEvaluation evaluation = {.context = &fake, .advise = advise};
    SearchOptions options = {.batch = 1, .leaf_playouts = 1, .seed = 3, .evaluation = &evaluation};
    SearchTable t = table_create(game, "uct", 0, options);
    search_set_state(t.search, &t.state);
    think(&t, 300);
    uint64_t left, right, left_again, right_again;
    value_of_move(&t, "left", &left);
    value_of_move(&t, "right", &right);
    search_set_state(t.search, &t.state);
    uct_reseed(t.search, 3);
    unsigned asked = fake.evaluated;
    for (UctLeaf *leaf; (leaf = uct_next_leaf(t.search, 300));) {
        Advice advice = uct_ask(leaf, (const Uct *)t.search);
        advise(&fake, &advice, 1);
        uct_return_leaf(t.search, leaf);
    }
    cr_assert_eq(fake.evaluated, 2 * asked);
    search_result(t.search, &t.result);
    value_of_move(&t, "left", &left_again);
    value_of_move(&t, "right", &right_again);
    cr_assert_eq(left, left_again);
    cr_assert_eq(right, right_again);
    cr_assert(uct_root(t.search)->is_advised);
    table_release(&t);
}

/* The second player is indifferent between two ends, the first is not, and no goals add up to 100:
 * the move that leads there cannot be proven. */
Test(evaluation, handed_out_leaves_tell_that_goals_have_no_constant_sum) {
    Game *game = game_of_text("(role a) (role b) (init first)\n"
                              "(<= (legal a left) (true first)) (<= (legal a right) (true first))\n"
                              "(<= (legal b noop) (true first))\n"
                              "(<= (legal a noop) (true second))\n"
                              "(<= (legal b up) (true second)) (<= (legal b down) (true second))\n"
                              "(<= (next second) (does a left)) (<= (next aside) (does a right))\n"
                              "(<= (next above) (does b up)) (<= (next below) (does b down))\n"
                              "(<= terminal (not (true first)) (not (true second)))\n"
                              "(<= (goal a 100) (true above)) (<= (goal a 50) (true below))\n"
                              "(<= (goal b 100) (true above)) (<= (goal b 100) (true below))\n"
                              "(<= (goal a 0) (true aside)) (<= (goal b 0) (true aside))\n",
                              NULL);
    Fake fake = {0};
    SearchEvaluation evaluation = {.context = &fake, .advise = advise};
    SearchOptions options = {.batch = 1, .leaf_playouts = 1, .evaluation = &evaluation};
    SearchTable t = table_create(game, "uct", 0, options);
    search_set_state(t.search, &t.state);
    for (UctLeaf *leaf; (leaf = uct_next_leaf(t.search, 200));) {
        Advice advice = uct_ask(leaf, (const Uct *)t.search);
        advice.goals[0] = advice.goals[1] = 50;
        for (uint32_t m = 0; m < advice.first_move[2]; m++) {
            uint32_t role = m >= advice.first_move[1];
            advice.shares[m] = 1 / (float)(advice.first_move[role + 1] - advice.first_move[role]);
        }
        uct_return_leaf(t.search, leaf);
    }
    cr_assert(!((const Uct *)t.search)->is_zero_sum);
    cr_assert(!uct_root(t.search)->is_proven);
    table_release(&t);
}
