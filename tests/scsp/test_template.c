/* The translation: which variables and constraints games become, and that they say what the
 * reasoner says. */
#include "scsp/template.h"

#include "base/table.h"
#include "fixtures.h"
#include "scsp/micro.h"

Test(template, mutex_groups_become_variables) {
    Game *game = game_named("orchard_light");
    Template *t = template_of(game);
    cr_assert_eq(t->groups.count, 2, "state and control are a variable each");
    for (size_t i = 0; i < 2; i++)
        cr_assert(t->groups.items[i].is_never_none);
    cr_assert_eq(t->network.variables.items[t->actions[0]].size, 5);
    cr_assert_eq(t->network.variables.items[t->actions[1]].size, 4);
    template_free(t);
    game_free(game);
}

typedef struct {
    Template *t;
    GameWork *work;
    Micro *micro;
    MicroResult result;
    U32Vector *legal; /* by role */
    uint16_t *values;
    uint32_t *joint;
    State next, image;
} Comparison;

static void open_comparison(Comparison *c, Game *game) {
    *c = (Comparison){.t = template_of(game), .work = game_work(game, REASONER_AUTO)};
    c->micro = micro_create(c->t);
    c->legal = memory_zalloc(game->role_count * sizeof *c->legal);
    c->values = memory_zalloc((c->t->groups.count + 1) * sizeof *c->values);
    c->joint = memory_zalloc(game->role_count * sizeof *c->joint);
}

static void close_comparison(Comparison *c) {
    for (uint32_t r = 0; r < c->t->role_count; r++)
        vector_free(&c->legal[r]);
    free(c->legal);
    free(c->values);
    free(c->joint);
    state_free(&c->next);
    state_free(&c->image);
    micro_result_free(&c->result);
    micro_free(c->micro);
    game_work_free(c->work);
    template_free(c->t);
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The percepts of an outcome, as game_sees writes them. */
static void percepts_text(const Comparison *c, const MicroOutcome *outcome, uint32_t role,
                          Text *out) {
    VECTOR(const char *) seen = {0};
    for (size_t i = 0; i < c->t->percepts.count; i++)
        if (c->t->percepts.items[i].role == role && bitset_get(outcome->percepts, i))
            vector_push(&seen, c->t->percepts.items[i].text);
    vector_sort(&seen, compare_texts);
    for (size_t i = 0; i < seen.count; i++)
        text_printf(out, "%s%s", i ? " " : "", seen.items[i]);
    vector_free(&seen);
}

static void assert_outcome(Comparison *c, const State *state, const MicroOutcome *outcome) {
    memcpy(c->joint, c->result.actions.items + outcome->action * c->t->role_count,
           c->t->role_count * sizeof *c->joint);
    if (c->t->chance != SCSP_NONE)
        c->joint[c->t->chance] = outcome->chance;
    for (uint32_t r = 0; r < c->t->role_count; r++) {
        bool is_legal = false;
        for (size_t i = 0; i < c->legal[r].count; i++)
            is_legal |= c->legal[r].items[i] == c->joint[r];
        cr_assert(is_legal);
        Text expected = {0}, found = {0};
        game_sees(c->work, state, c->joint, r, &expected);
        percepts_text(c, outcome, r, &found);
        if (c->t->game->rules->has_sees)
            cr_assert_str_eq(text_string(&found), text_string(&expected));
        vector_free(&expected);
        vector_free(&found);
    }
    game_next(c->work, state, c->joint, &c->next);
    template_write_state(c->t, c->result.nexts.items + outcome->first_next, &c->image);
    cr_assert(state_equal(&c->next, &c->image));
}

/* Whether the network of the turn and the reasoner agree about the state. */
static void assert_same(Comparison *c, const State *state) {
    template_read_state(c->t, state, c->values);
    template_write_state(c->t, c->values, &c->image);
    cr_assert(state_equal(state, &c->image));
    micro_solve(c->micro, c->values, &c->result);
    cr_assert_eq(c->result.is_terminal, game_is_terminal(c->work, state));
    if (c->result.is_terminal) {
        for (uint32_t r = 0; r < c->t->role_count; r++)
            cr_assert_eq(c->result.goals[r], game_goal(c->work, state, r));
        return;
    }
    uint64_t actions = 1, chances = 1;
    for (uint32_t r = 0; r < c->t->role_count; r++) {
        game_legal(c->work, state, r, &c->legal[r]);
        *(r == c->t->chance ? &chances : &actions) *= c->legal[r].count;
    }
    if (actions * chances == 0) {
        cr_assert(c->result.is_impossible);
        return;
    }
    cr_assert(!c->result.is_impossible);
    cr_assert_eq(c->result.action_count, actions);
    cr_assert_eq(c->result.outcomes.count, actions * chances);
    for (size_t i = 0; i < c->result.outcomes.count; i++)
        assert_outcome(c, state, &c->result.outcomes.items[i]);
}

/* All states that the network reaches, each compared with the reasoner: how many there are. */
static size_t compare_all(Game *game) {
    Comparison c;
    VECTOR(State) states = {0};
    Table table = {0};
    State initial = {0};
    open_comparison(&c, game);
    game_initial(c.work, &initial);
    table_insert(&table, state_hash(&initial), 0);
    vector_push(&states, initial);
    for (size_t i = 0; i < states.count; i++) {
        assert_same(&c, &states.items[i]);
        for (size_t o = 0; o < c.result.outcomes.count; o++) {
            State next = {0};
            template_write_state(c.t, c.result.nexts.items + c.result.outcomes.items[o].first_next,
                                 &next);
            uint64_t hash = state_hash(&next);
            uint32_t id;
            bool is_new = true;
            for (TableProbe p = table_probe(&table, hash); is_new && table_next(&table, &p, &id);)
                is_new = !state_equal(&states.items[id], &next);
            if (is_new) {
                table_insert(&table, hash, (uint32_t)states.count);
                vector_push(&states, next);
            } else {
                state_free(&next);
            }
        }
    }
    size_t count = states.count;
    for (size_t i = 0; i < count; i++)
        state_free(&states.items[i]);
    vector_free(&states);
    table_free(&table);
    close_comparison(&c);
    game_free(game);
    return count;
}

Test(template, has_the_states_of_small_games) {
    cr_assert_eq(compare_all(game_named("orchard_light")), 25);
    cr_assert_eq(compare_all(game_of_text(SQUARE_TIC_TAC_TOE)), 11);
    cr_assert_gt(compare_all(game_named("guess_dice")), 6);
    cr_assert_gt(compare_all(game_named("monty_hall")), 6);
    cr_assert_gt(compare_all(game_named("kuhn_poker")), 6);
}

Test(template, has_the_states_of_tic_tac_toe) {
    cr_assert_eq(compare_all(game_named("tic_tac_toe")), 5478);
}

/* States of random matches, as far as a little time allows. */
static void compare_in_play(const char *name, double seconds) {
    Game *game = game_named(name);
    Comparison c;
    Random random;
    CpuBudget budget = cpu_budget_in(seconds);
    State state = {0}, next = {0};
    random_seed(&random, 7);
    open_comparison(&c, game);
    do {
        game_initial(c.work, &state);
        for (int depth = 0; depth < 200; depth++) {
            assert_same(&c, &state);
            if (c.result.is_terminal || c.result.is_impossible)
                break;
            for (uint32_t r = 0; r < c.t->role_count; r++)
                c.joint[r] = c.legal[r].items[random_below(&random, c.legal[r].count)];
            game_next(c.work, &state, c.joint, &next);
            state_copy(&state, &next);
        }
    } while (!cpu_budget_spent(budget));
    state_free(&state);
    state_free(&next);
    close_comparison(&c);
    game_free(game);
}

Test(template, agrees_with_the_reasoner_in_play) {
    static const char *const names[] = {"asteroids",
                                        "blocks_world",
                                        "breakthrough",
                                        "buttons_and_lights",
                                        "chomp",
                                        "connect_four",
                                        "eight_puzzle",
                                        "futoshiki_4",
                                        "hamilton",
                                        "hex",
                                        "hunter",
                                        "incredible",
                                        "knights_tour",
                                        "lights_out",
                                        "maze",
                                        "nim",
                                        "matching_pennies",
                                        "queens_unguided",
                                        "reversi",
                                        "rock_paper_scissors",
                                        "double_tic_tac_toe",
                                        "sudoku",
                                        "orchard",
                                        "mastermind",
                                        "vacuum_cleaner",
                                        "wumpus"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        compare_in_play(names[i], 0.05);
}
