/* Tests the bounds of goals over the states of single parts. */
#include "mtmcts_support.h"

static bool holds(Fixture *f, const State *state, const char *fluent) {
    uint32_t id = game_find_fluent(f->work, fluent, strlen(fluent));
    cr_assert_lt(id, f->game->circuit->fluent_count, "%s", fluent);
    return bitset_get(state->words, id);
}

/* Goals reached in a state of incredible. */
typedef struct {
    bool gold, bdf, cae;
} Built;

static Built built_in(Fixture *f, const State *state) {
    return (Built){.gold = holds(f, state, "(gold w)"),
                   .bdf = holds(f, state, "(on b d)") && holds(f, state, "(on d f)"),
                   .cae = holds(f, state, "(on c a)") && holds(f, state, "(on a e)")};
}

/* Asserts the bounds of the maze and of the blocks: 45 points for the gold, 25 and 30 for the
 * towers. */
static void check_table(Fixture *f, MtmctsTrees *trees, const State *state) {
    uint32_t maze = f->subgame_of[game_find_fluent(f->work, "(gold w)", 8)];
    uint32_t blocks = f->subgame_of[game_find_fluent(f->work, "(on b d)", 8)];
    cr_assert(f->parts.count == 2 && maze + blocks == 1);
    Built built = built_in(f, state);
    int least, greatest, towers = built.bdf * 25 + built.cae * 30;
    bounds_evaluate(trees->parts.bounds[0], state);
    bounds_goal(trees->parts.bounds[0], maze, 0, &least, &greatest);
    cr_assert(least == (built.gold ? 45 : 0) && greatest == (built.gold ? 100 : 55));
    bounds_goal(trees->parts.bounds[0], blocks, 0, &least, &greatest);
    cr_assert(least == towers && greatest == towers + 45);
}

/* Tests the bounds at the ends of random matches and in all eight combinations of goals. */
Test(mtmcts_bounds, bounds_are_those_of_incredible) {
    static const char *const fluents[][2] = {
        {"(gold w)", "(gold w)"}, {"(on b d)", "(on d f)"}, {"(on c a)", "(on a e)"}};
    Fixture f = {0};
    open_file(&f, "incredible");
    deal_out(&f, RIGHT);
    MtmctsTrees *trees = trees_of(&f, 0);
    Random random;
    State state = {0};
    uint32_t seen[8] = {0}, turns;
    random_seed(&random, 0);
    for (int match = 0; match < 10000; match++) {
        game_initial(f.work, &state);
        game_play_randomly(f.work, &state, &random, 0, &turns);
        check_table(&f, trees, &state);
        Built built = built_in(&f, &state);
        seen[built.gold + 2 * built.bdf + 4 * built.cae]++;
    }
    cr_expect(seen[1] > 0 && seen[2] + seen[4] > 0, "%u %u %u", seen[1], seen[2], seen[4]);
    for (uint32_t which = 0; which < 8; which++) {
        game_initial(f.work, &state);
        memset(state.words, 0, state.word_count * sizeof *state.words);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 2 && which >> i & 1; k++)
                state_set(&state, game_find_fluent(f.work, fluents[i][k], 8));
        state_set(&state, game_find_fluent(f.work, "(step 20)", 9));
        cr_assert(game_is_terminal(f.work, &state));
        check_table(&f, trees, &state);
    }
    state_free(&state);
    mtmcts_trees_free(trees);
    fixture_free(&f);
}

/* Asserts that the score lies between the bounds of every part, whatever the parts are. */
static void check_bounds(Fixture *f, int matches) {
    MtmctsTrees *trees = trees_of(f, 0);
    Random random;
    State state = {0};
    random_seed(&random, 0);
    for (int match = 0; match < matches; match++) {
        uint32_t turns;
        int least, greatest;
        game_initial(f->work, &state);
        if (game_play_randomly(f->work, &state, &random, 1000, &turns) != MATCH_TERMINAL)
            continue;
        int score = game_goal(f->work, &state, 0);
        for (uint32_t k = 0; k < trees->parts.count; k++) {
            if (k % BOUNDS_MAX_PARTS == 0)
                bounds_evaluate(trees->parts.bounds[k / BOUNDS_MAX_PARTS], &state);
            bounds_goal(trees->parts.bounds[k / BOUNDS_MAX_PARTS], k % BOUNDS_MAX_PARTS, 0, &least,
                        &greatest);
            cr_assert(least <= score && score <= greatest, "%d, not %d to %d", score, least,
                      greatest);
        }
    }
    state_free(&state);
    mtmcts_trees_free(trees);
}

/* Bounds of partial states hold at the ends of random matches, for right and for wrong
 * decompositions. */
Test(mtmcts_bounds, bounds_hold_in_all_games) {
    for (size_t i = 0; solitaires[i]; i++)
        for (int way = 0; way < WAYS; way++) {
            Fixture f = {0};
            open_file(&f, solitaires[i]);
            cr_assert(game_has_circuit(f.game) && f.game->role_count == 1, "%s", solitaires[i]);
            deal_out(&f, way);
            check_bounds(&f, 100);
            fixture_free(&f);
        }
}
