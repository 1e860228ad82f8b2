/* Plays whole matches of MAC-UCB in games where the optimal value is known exactly. In the orchard,
 * luck is removed: each decision is charged with its loss against the best one. */
#include <math.h>

#include "../../search/play_search.h"
#include "scsp/exact/micro_graph.h"

TestSuite(macucb_play, .timeout = 600);

/* A match between one player and `random`. */
typedef struct {
    Game *game;
    GameWork *work;
    Random random;
    uint32_t player;
    State state, next;
    uint32_t joint[2];
    U32Vector legal[2];
} LoneTable;

static LoneTable open_table(const char *name, uint64_t seed) {
    LoneTable t = {.game = game_named(name, NULL)};
    t.work = game_work_create(t.game, REASONER_AUTO);
    t.player = game_is_chance(t.game, 0);
    random_seed(&t.random, seed);
    return t;
}

static void close_table(LoneTable *t) {
    state_free(&t->state);
    state_free(&t->next);
    vector_free(&t->legal[0]);
    vector_free(&t->legal[1]);
    game_work_free(t->work);
    game_free(t->game);
}

/* Draws a random move for each role; the player's is replaced later if it has a choice. */
static void draw_moves(LoneTable *t) {
    for (uint32_t r = 0; r < 2; r++) {
        game_legal(t->work, &t->state, r, &t->legal[r]);
        t->joint[r] = t->legal[r].items[random_below(&t->random, t->legal[r].count)];
    }
}

static Search *open_search(const LoneTable *t, const char *method, uint64_t seed) {
    Report report = {0};
    Search *search =
        strategy_create_named(method, t->game, t->player, &(SearchOptions){.seed = seed}, &report);
    cr_assert_not_null(search);
    report_free(&report);
    return search;
}

static uint32_t ask(Search *search, uint64_t playouts) {
    SearchResult result = {0};
    search_run(search, &(SearchBudget){.deadline = deadline_never(), .playouts = playouts});
    search_result(search, &result);
    uint32_t best = result.best;
    search_result_free(&result);
    return best;
}

/* Plays a match in which the player gets only its percepts. True if its goal is 100. */
static bool play_seeing_little(LoneTable *t, Search *search, uint64_t playouts, uint64_t seed) {
    BeliefFilter *filter = belief_create(t->game, t->player, NULL, seed);
    game_initial(t->work, &t->state);
    while (!game_is_terminal(t->work, &t->state)) {
        Text move = {0}, percepts = {0};
        draw_moves(t);
        if (t->legal[t->player].count > 1) {
            search_set_belief(search, &filter->belief);
            t->joint[t->player] = ask(search, playouts);
        }
        game_move_text(t->work, t->player, t->joint[t->player], &move);
        game_sees(t->work, &t->state, t->joint, t->player, &percepts);
        game_next(t->work, &t->state, t->joint, &t->next);
        state_copy(&t->state, &t->next);
        belief_observe(filter, move.items, text_string(&percepts),
                       !game_is_terminal(t->work, &t->state), NULL, deadline_never());
        vector_free(&move);
        vector_free(&percepts);
    }
    belief_free(filter);
    return game_goal(t->work, &t->state, t->player) == 100;
}

/* Asserts that the share of wins lies in Wilson's interval around the optimal value: it is high
 * enough, and not higher than is possible without knowledge of hidden facts. Solutions found in one
 * match are kept for the next, so that little time is needed. */
static void assert_wins(const char *name, const char *method, uint64_t playouts, uint32_t matches,
                        double least, double most) {
    LoneTable t = open_table(name, 11);
    Search *search = open_search(&t, method, 1);
    uint32_t wins = 0;
    for (uint64_t m = 0; m < matches; m++)
        wins += play_seeing_little(&t, search, playouts, m);
    double share = (double)wins / matches;
    cr_assert(share >= least && share <= most, "%s of %s: %.3f", method, name, share);
    search_free(search);
    close_table(&t);
}

Test(macucb_play, guess_dice) {
    assert_wins("guess_dice", "mac-ucb", 500, 4000, 0.155, 0.178);
    assert_wins("guess_dice", "mac-ucb-sym", 500, 4000, 0.155, 0.178);
}

Test(macucb_play, monty_hall) {
    assert_wins("monty_hall", "mac-ucb", 500, 400, 0.620, 0.713);
    assert_wins("monty_hall", "mac-ucb-sym", 500, 400, 0.620, 0.713);
}

Test(macucb_play, mastermind) {
    assert_wins("mastermind", "mac-ucb", 4000, 400, 0.625, 0.718);
    assert_wins("mastermind", "mac-ucb-sym", 4000, 400, 0.625, 0.718);
}

/* Returns the expected share of wins after all decisions in some matches: the value of the initial
 * state minus the losses of the decisions. */
static double expected_wins(const char *method, uint64_t playouts, uint32_t matches) {
    LoneTable t = open_table("orchard", 42);
    Report report = {0};
    Template *template = template_create(t.game, &(TemplateOptions){0}, &report);
    Symmetries *symmetries = symmetry_find(t.game, &(SymmetryOptions){.seconds = 10});
    SymmetryGroup *group = symmetry_elements(symmetries, 24);
    MicroGraph *g = micro_graph_create(template, group, 1000000, (Deadline){0}, NULL);
    double *values = micro_graph_values(g, t.player, PLAY_BEST), lost = 0;
    uint16_t read[64];
    State canonical = {0};
    for (uint32_t m = 0; m < matches; m++) {
        Search *search = open_search(&t, method, m);
        game_initial(t.work, &t.state);
        while (!game_is_terminal(t.work, &t.state)) {
            draw_moves(&t);
            bool decides = t.legal[t.player].count > 1;
            if (decides) {
                search_set_state(search, &t.state);
                t.joint[t.player] = ask(search, playouts);
                symmetry_canonical(group, &t.state, &canonical);
                template_read_state(template, &canonical, read);
                lost += values[micro_graph_find(g, read)];
            }
            game_next(t.work, &t.state, t.joint, &t.next);
            state_copy(&t.state, &t.next);
            symmetry_canonical(group, &t.state, &canonical);
            template_read_state(template, &canonical, read);
            lost -= decides ? values[micro_graph_find(g, read)] : 0;
        }
        search_free(search);
    }
    double expected = values[0] - lost / matches;
    state_free(&canonical);
    free(values);
    micro_graph_free(g);
    symmetry_group_free(group);
    symmetry_free(symmetries);
    template_free(template);
    report_free(&report);
    close_table(&t);
    return expected;
}

/* The optimal value is 0.6840; trees picked at random give 0.6320. */
Test(macucb_play, orchard) {
    double expected = expected_wins("mac-ucb", 5000, 25);
    cr_assert(expected >= 0.664 && expected <= 0.6840476, "%.4f", expected);
}
