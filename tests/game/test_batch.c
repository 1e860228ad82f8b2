/* Tests playouts from many states at once: each start gets its own result, in every phase. */
#include "game/batch.h"

#include <math.h>

#include "base/bitset.h"
#include "play.h"

TestSuite(batch, .timeout = 600);

typedef struct {
    PlayoutStart *starts;
    PlayoutResult *results;
    int *goals;
} Plan;

static Plan plan_create(size_t count, uint32_t roles) {
    Plan plan = {memory_zalloc(count * sizeof *plan.starts),
                 memory_zalloc(count * sizeof *plan.results),
                 memory_zalloc(count * roles * sizeof *plan.goals)};
    for (size_t i = 0; i < count; i++)
        plan.results[i].goals = plan.goals + i * roles;
    return plan;
}

static void plan_free(Plan *plan) {
    free(plan->starts);
    free(plan->results);
    free(plan->goals);
}

static double share_of_wins(const Plan *plan, size_t count, uint32_t role) {
    size_t wins = 0;
    for (size_t i = 0; i < count; i++)
        wins += plan->results[i].goals[role] == 100;
    return (double)wins / (double)count;
}

Test(batch, results_follow_the_known_distribution) {
    enum { COUNT = 100000 };
    Game *game = game_named("tic_tac_toe", NULL);
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    Batch *batch = batch_create(game, 7);
    State state = {0};
    Plan plan = plan_create(COUNT, 2);
    game_initial(work, &state);
    for (size_t i = 0; i < COUNT; i++)
        plan.starts[i].state = &state;
    batch_play(batch, plan.starts, COUNT, 0, plan.results);
    double length = 0;
    for (size_t i = 0; i < COUNT; i++) {
        length += plan.results[i].length;
        cr_assert_eq(plan.results[i].end, MATCH_TERMINAL);
        cr_assert_eq(plan.results[i].goals[0] + plan.results[i].goals[1], 100);
    }
    cr_expect_lt(fabs(share_of_wins(&plan, COUNT, 0) - 737.0 / 1260), 0.007);
    cr_expect_lt(fabs(length / COUNT - 3203.0 / 420), 0.02);
    plan_free(&plan);
    state_free(&state);
    batch_free(batch);
    game_work_free(work);
    game_free(game);
}

/* After x has taken the centre it is o's turn: 512 lanes of one phase are mixed with 512 of the
 * other. */
Test(batch, first_moves_and_phases_may_be_mixed) {
    enum { COUNT = 40000 };
    Game *game = game_named("tic_tac_toe", NULL);
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    Batch *batch = batch_create(game, 8);
    State first = {0}, second = {0};
    Plan plan = plan_create(COUNT, 2);
    uint32_t joint[2] = {game_find_move(work, 0, "(mark 2 2)", 10),
                         game_find_move(work, 1, "noop", 4)};
    game_initial(work, &first);
    game_next(work, &first, joint, &second);
    for (size_t i = 0; i < COUNT; i++)
        plan.starts[i] = i % 2 ? (PlayoutStart){&second, NULL} : (PlayoutStart){&first, joint};
    batch_play(batch, plan.starts, COUNT, 0, plan.results);
    double wins[2] = {0}, lengths[2] = {0};
    for (size_t i = 0; i < COUNT; i++) {
        wins[i % 2] += plan.results[i].goals[0] == 100;
        lengths[i % 2] += plan.results[i].length;
    }
    cr_expect_lt(fabs(wins[0] - wins[1]) / (COUNT / 2.0), 0.025);
    cr_expect_lt(fabs(lengths[0] - lengths[1] - COUNT / 2.0) / (COUNT / 2.0), 0.05);
    plan_free(&plan);
    state_free(&first);
    state_free(&second);
    batch_free(batch);
    game_work_free(work);
    game_free(game);
}

Test(batch, terminal_starts_and_step_limits) {
    Game *game = game_of_text(
        "(role r) (init (on)) (<= (next (on)) (true (on)) (does r wait)) (legal r wait)"
        "(legal r stop) (<= terminal (not (true (on)))) (<= (goal r 100) (not (true (on))))"
        "(<= (goal r 0) (true (on)))",
        NULL);
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    Batch *batch = batch_create(game, 9);
    State on = {0}, off = {0};
    uint32_t stop = game_find_move(work, 0, "stop", 4), wait = game_find_move(work, 0, "wait", 4);
    Plan plan = plan_create(3, 1);
    game_initial(work, &on);
    game_next(work, &on, &stop, &off);
    plan.starts[0] = (PlayoutStart){&off, NULL};
    plan.starts[1] = (PlayoutStart){&on, &stop};
    plan.starts[2] = (PlayoutStart){&on, &wait};
    batch_play(batch, plan.starts, 3, 0, plan.results);
    cr_expect_eq(plan.results[0].length, 0);
    cr_expect_eq(plan.results[1].length, 1);
    cr_expect_geq(plan.results[2].length, 2);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(plan.results[i].goals[0], 100);
    plan_free(&plan);
    state_free(&on);
    state_free(&off);
    batch_free(batch);
    game_work_free(work);
    game_free(game);
}

/* Starts of different phases share lanes; each has its own number of turns. */
Test(batch, step_limits_count_from_the_phase_of_the_start) {
    enum { COUNT = 600, LIMIT = 3 };
    Game *game = game_named("connect_four", NULL);
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    Batch *batch = batch_create(game, 10);
    State starts[2] = {0}, *lasts = memory_zalloc(COUNT * sizeof *lasts);
    uint32_t joint[2];
    U32Vector legal = {0};
    Plan plan = plan_create(COUNT, 2);
    game_initial(work, &starts[0]);
    for (uint32_t r = 0; r < 2; r++) {
        game_legal(work, &starts[0], r, &legal);
        joint[r] = legal.items[0];
    }
    game_next(work, &starts[0], joint, &starts[1]);
    for (size_t i = 0; i < COUNT; i++) {
        plan.starts[i].state = &starts[i % 2];
        plan.results[i].last = &lasts[i];
    }
    batch_play(batch, plan.starts, COUNT, LIMIT, plan.results);
    for (size_t i = 0; i < COUNT; i++) {
        cr_assert_eq(plan.results[i].end, MATCH_TOO_LONG);
        cr_assert_eq(plan.results[i].length, LIMIT);
        game_legal(work, &lasts[i], (i + LIMIT) % 2, &legal);
        cr_assert_gt(legal.count, 1, "after an odd number of turns the other role moves");
        state_free(&lasts[i]);
    }
    plan_free(&plan);
    states_free(&starts[0], &starts[1]);
    vector_free(&legal);
    batch_free(batch);
    game_work_free(work);
    game_free(game);
    free(lasts);
}

static bool is_met(const State *state, const State *known, const State *met) {
    for (uint32_t w = 0; w < state->word_count; w++) {
        uint64_t told = w < known->word_count ? known->words[w] : 0;
        if ((state->words[w] & told) != (w < met->word_count ? met->words[w] : 0))
            return false;
    }
    return true;
}

/* True if legal moves of the roles, one or two, lead from the state to the one that was met, as far
 * as its known fluents show. Moves `state` there. */
static bool follow(GameWork *work, uint32_t roles, State *state, const PlayoutTrail *trail,
                   size_t turn) {
    U32Vector legal[2] = {{0}};
    State next = {0};
    bool found = false;
    for (uint32_t r = 0; r < roles; r++)
        game_legal(work, state, r, &legal[r]);
    for (size_t i = 0; i < legal[0].count && !found; i++)
        for (size_t j = 0; j < (roles > 1 ? legal[1].count : 1) && !found; j++) {
            uint32_t joint[2] = {legal[0].items[i], roles > 1 ? legal[1].items[j] : 0};
            game_next(work, state, joint, &next);
            found = is_met(&next, &trail->known, &trail->states.items[turn]);
        }
    if (found)
        state_copy(state, &next);
    vector_free(&legal[0]);
    vector_free(&legal[1]);
    state_free(&next);
    return found;
}

/* Asserts that the trail of playout i obeys the rules and ends as its result says. */
static void check_trail(GameWork *work, uint32_t roles, const PlayoutStart *start,
                        const PlayoutResult *result, const PlayoutTrail *trail) {
    State state = {0};
    state_copy(&state, start->state);
    if (start->moves)
        game_next(work, start->state, start->moves, &state);
    cr_assert_eq(trail->states.count + (start->moves != NULL), result->length + 1);
    cr_assert(is_met(&state, &trail->known, &trail->states.items[0]));
    for (size_t t = 1; t < trail->states.count; t++) {
        cr_assert(!game_is_terminal(work, &state));
        cr_assert(follow(work, roles, &state, trail, t));
    }
    cr_assert_eq(game_is_terminal(work, &state), result->end == MATCH_TERMINAL);
    for (uint32_t r = 0; r < roles && result->end == MATCH_TERMINAL; r++)
        cr_assert_eq(game_goal(work, &state, r), result->goals[r]);
    state_free(&state);
}

/* Retraces games of one phase and of two, from starts with first moves, without them, and in the
 * other phase; after the last batch and after earlier ones, to the end or to a limit. Retracing
 * does not change later playouts. */
Test(batch, playouts_are_retraced) {
    enum { COUNT = 1100 };
    static const struct {
        const char *name;
        uint32_t limit;
    } cases[] = {{"incredible", 0},  {"queens_unguided", 0}, {"eight_puzzle", 7},
                 {"tic_tac_toe", 0}, {"connect_four", 9},    {"dual_hamilton", 0}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        Game *game = game_named(cases[n].name, NULL);
        uint32_t roles = game->role_count, joint[2] = {0};
        GameWork *work = game_work_create(game, REASONER_SCALAR);
        Batch *batch = batch_create(game, n), *other = batch_create(game, n);
        Plan plan = plan_create(COUNT, roles), same = plan_create(COUNT, roles);
        State first = {0}, second = {0};
        U32Vector legal = {0};
        PlayoutTrail trail = {0};
        game_initial(work, &first);
        for (uint32_t r = 0; r < roles; r++) {
            game_legal(work, &first, r, &legal);
            joint[r] = legal.items[legal.count / 2];
        }
        game_next(work, &first, joint, &second);
        for (size_t i = 0; i < COUNT; i++)
            same.starts[i] = plan.starts[i] =
                (PlayoutStart){i % 3 ? &first : &second, i % 3 == 1 ? joint : NULL};
        for (size_t round = 0; round < 2; round++) {
            batch_play(batch, plan.starts, COUNT, cases[n].limit, plan.results);
            batch_play(other, same.starts, COUNT, cases[n].limit, same.results);
            for (size_t i = round; i < COUNT; i += 20) {
                batch_retrace(batch, plan.starts, COUNT, cases[n].limit, plan.results, i, &trail);
                check_trail(work, roles, &plan.starts[i], &plan.results[i], &trail);
            }
            for (size_t i = 0; i < COUNT; i++) {
                cr_assert_eq(plan.results[i].goals[0], same.results[i].goals[0]);
                cr_assert_eq(plan.results[i].length, same.results[i].length);
            }
        }
        batch_trail_free(&trail);
        vector_free(&legal);
        state_free(&first);
        state_free(&second);
        plan_free(&plan);
        plan_free(&same);
        batch_free(batch);
        batch_free(other);
        game_work_free(work);
        game_free(game);
    }
}

/* True if the mover has a move that ends the match with goal 100 for it. */
static bool can_win_at_once(Game *game, GameWork *work, const State *state, uint32_t *mover) {
    U32Vector legal[2] = {{0}};
    State next = {0};
    uint32_t joint[2];
    bool found = false;
    for (uint32_t r = 0; r < game->role_count; r++)
        game_legal(work, state, r, &legal[r]);
    *mover = legal[1].count > legal[0].count;
    for (size_t i = 0; i < legal[*mover].count && !found; i++) {
        joint[!*mover] = legal[!*mover].items[0];
        joint[*mover] = legal[*mover].items[i];
        game_next(work, state, joint, &next);
        found = game_is_terminal(work, &next) && game_goal(work, &next, *mover) == 100;
    }
    vector_free(&legal[0]);
    vector_free(&legal[1]);
    state_free(&next);
    return found;
}

/* Decisive playouts take a move that wins at once and change nothing else: every state of random
 * matches is compared with all its successors. */
Test(batch, decisive_playouts_win_where_they_can) {
    enum { COUNT = 64, MATCHES = 30 };
    const char *names[] = {"tic_tac_toe", "connect_four", "breakthrough"};
    for (size_t g = 0; g < sizeof names / sizeof *names; g++) {
        Game *game = game_named(names[g], NULL);
        GameWork *work = game_work_create(game, REASONER_SCALAR);
        Batch *batch = batch_create_on(game, game_decisive_networks(game), 3);
        Plan plan = plan_create(COUNT, 2);
        State state = {0};
        Random random;
        uint32_t turns, mover, wins = 0;
        random_seed(&random, g);
        for (int match = 0; match < MATCHES; match++) {
            game_initial(work, &state);
            for (; !game_is_terminal(work, &state);
                 game_play_randomly(work, &state, &random, 1, &turns)) {
                bool is_winning = can_win_at_once(game, work, &state, &mover);
                wins += is_winning;
                for (size_t i = 0; i < COUNT; i++)
                    plan.starts[i].state = &state;
                batch_play(batch, plan.starts, COUNT, 0, plan.results);
                for (size_t i = 0; i < COUNT; i++) {
                    const PlayoutResult *result = &plan.results[i];
                    cr_assert_eq(result->length == 1 && result->goals[mover] == 100, is_winning);
                }
            }
        }
        cr_expect_gt(wins, 10);
        plan_free(&plan);
        state_free(&state);
        batch_free(batch);
        game_work_free(work);
        game_free(game);
    }
}

/* In tic-tac-toe nobody makes a move twice, and the other's noop is no choice. */
Test(batch, the_moves_of_every_playout_are_told) {
    enum { COUNT = 700 };
    Game *game = game_named("tic_tac_toe", NULL);
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    Batch *batch = batch_create_on(game, game_shown_turn(game), 3);
    size_t words = bitset_words(game->circuit->move_count);
    uint64_t *moves = memory_zalloc(COUNT * words * sizeof *moves);
    State state = {0};
    Plan plan = plan_create(COUNT, 2);
    game_initial(work, &state);
    for (size_t i = 0; i < COUNT; i++) {
        plan.starts[i].state = &state;
        plan.results[i].moves = moves + i * words;
    }
    for (int again = 0; again < 2; again++) {
        batch_play(batch, plan.starts, COUNT, 0, plan.results);
        for (size_t i = 0; i < COUNT; i++)
            cr_assert_eq(bitset_count(plan.results[i].moves, words), plan.results[i].length);
    }
    free(moves);
    plan_free(&plan);
    state_free(&state);
    batch_free(batch);
    game_work_free(work);
    game_free(game);
}
