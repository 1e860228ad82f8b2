/* Compares the network of a turn with the reasoner: the same states are terminal, with the same
 * goals; the joint actions are the same, each with the same moves of chance, and these lead to the
 * same states and percepts. */
#ifndef MARELLE_TESTS_SCSP_COMPARE_H
#define MARELLE_TESTS_SCSP_COMPARE_H

#include <string.h>

#include "analysis/certainty.h"
#include "scsp/exact/micro.h"

typedef struct {
    const Template *t;
    GameWork *work;
    Micro *micro;
    MicroResult result;
    U32Vector *legal; /* by role */
    uint16_t *values;
    uint32_t *joint;
    State next, image;
    uint64_t states, outcomes; /* numbers of comparisons */
} Comparison;

static void comparison_open(Comparison *c, const Template *t) {
    *c = (Comparison){.t = t, .work = game_work_create(t->game, REASONER_AUTO)};
    c->micro = micro_create(c->t);
    c->legal = memory_zalloc(t->role_count * sizeof *c->legal);
    c->values = memory_zalloc((c->t->groups.count + 1) * sizeof *c->values);
    c->joint = memory_zalloc(t->role_count * sizeof *c->joint);
}

static void comparison_close(Comparison *c) {
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
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Writes the percepts of an outcome as game_sees does. */
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

static bool is_legal(const Comparison *c, uint32_t role) {
    for (size_t i = 0; i < c->legal[role].count; i++)
        if (c->legal[role].items[i] == c->joint[role])
            return true;
    return false;
}

static bool has_same_percepts(Comparison *c, const State *state, const MicroOutcome *outcome,
                              uint32_t role) {
    Text expected = {0}, found = {0};
    game_sees(c->work, state, c->joint, role, &expected);
    percepts_text(c, outcome, role, &found);
    bool is_same =
        !c->t->game->rules->has_sees || strcmp(text_string(&expected), text_string(&found)) == 0;
    vector_free(&expected);
    vector_free(&found);
    return is_same;
}

static const char *compare_outcome(Comparison *c, const State *state, const MicroOutcome *outcome) {
    memcpy(c->joint, c->result.actions.items + outcome->action * c->t->role_count,
           c->t->role_count * sizeof *c->joint);
    if (c->t->chance != SCSP_NONE)
        c->joint[c->t->chance] = outcome->chance;
    for (uint32_t r = 0; r < c->t->role_count; r++)
        if (!is_legal(c, r))
            return "a move that is not legal";
    for (uint32_t r = 0; r < c->t->role_count; r++)
        if (!has_same_percepts(c, state, outcome, r))
            return "other percepts";
    game_next(c->work, state, c->joint, &c->next);
    template_write_state(c->t, c->result.nexts.items + outcome->first_next, &c->image);
    c->outcomes++;
    return state_equal(&c->next, &c->image) ? NULL : "another successor";
}

static const char *compare_end(const Comparison *c, const State *state) {
    for (uint32_t r = 0; r < c->t->role_count; r++)
        if (c->result.goals[r] != game_goal(c->work, state, r))
            return "another goal";
    return NULL;
}

/* Returns the first difference between the network and the reasoner in the state, NULL if there is
 * none. No two joint moves of the network are equal, so if there are as many as the reasoner has
 * and all are legal, they are the same. */
static const char *compare_state(Comparison *c, const State *state) {
    c->states++;
    template_read_state(c->t, state, c->values);
    template_write_state(c->t, c->values, &c->image);
    if (!state_equal(state, &c->image))
        return "the state is not one of the network";
    micro_solve(c->micro, c->values, &c->result);
    if (c->result.is_terminal != game_is_terminal(c->work, state))
        return "another end";
    if (c->result.is_terminal)
        return compare_end(c, state);
    uint64_t actions = 1, chances = 1;
    for (uint32_t r = 0; r < c->t->role_count; r++) {
        game_legal(c->work, state, r, &c->legal[r]);
        *(r == c->t->chance ? &chances : &actions) *= c->legal[r].count;
    }
    if (actions * chances == 0)
        return c->result.is_impossible ? NULL : "moves where a role has none";
    if (c->result.is_impossible || c->result.action_count != actions ||
        c->result.outcomes.count != actions * chances)
        return "another number of joint moves";
    const char *difference = NULL;
    for (size_t i = 0; i < c->result.outcomes.count && !difference; i++)
        difference = compare_outcome(c, state, &c->result.outcomes.items[i]);
    return difference;
}

/* Compares in the states of random matches: `matches` of them, or as many as the time allows.
 * Returns the number of matches that reached their end or `steps`. */
static uint64_t compare_in_matches(Comparison *c, uint64_t matches, uint32_t steps, uint64_t seed,
                                   CpuBudget budget, const char **difference) {
    Random random;
    State state = {0}, next = {0};
    uint64_t played = 0;
    random_seed(&random, seed);
    *difference = NULL;
    while (played < matches && !*difference && !cpu_budget_spent(budget)) {
        bool is_over = false;
        game_initial(c->work, &state);
        for (uint32_t step = 0; step < steps && !is_over && !*difference; step++) {
            *difference = compare_state(c, &state);
            is_over = c->result.is_terminal || c->result.is_impossible || cpu_budget_spent(budget);
            for (uint32_t r = 0; r < c->t->role_count && !is_over; r++)
                c->joint[r] = c->legal[r].items[random_below(&random, c->legal[r].count)];
            if (!is_over)
                game_next(c->work, &state, c->joint, &next);
            state_copy(&state, &next);
        }
        played += !cpu_budget_spent(budget) && !*difference;
    }
    state_free(&state);
    state_free(&next);
    return played;
}

#endif
