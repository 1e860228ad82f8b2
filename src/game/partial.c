/* The whole circuit is evaluated when the first answer after a change is asked for. */
#include "game/partial.h"

#include <string.h>

#include "base/bitset.h"
#include "game/goal.h"

struct Partial {
    const Game *game;
    Ternary *values; /* by node */
    bool is_evaluated;
};

Partial *partial_create(const Game *game) {
    if (!game_has_circuit(game))
        return NULL;
    Partial *p = memory_zalloc(sizeof *p);
    p->game = game;
    p->values = memory_alloc(game->circuit->aig.nodes.count);
    memset(p->values, TERNARY_UNKNOWN, game->circuit->aig.nodes.count);
    return p;
}

void partial_free(Partial *p) {
    if (!p)
        return;
    free(p->values);
    free(p);
}

static void set_input(Partial *p, Signal input, Ternary value) {
    p->values[signal_node(input)] = value;
    p->is_evaluated = false;
}

void partial_set_fluent(Partial *p, uint32_t fluent, Ternary value) {
    set_input(p, p->game->circuit->fluents[fluent], value);
}

void partial_set_move(Partial *p, uint32_t role, uint32_t move, Ternary value) {
    const Circuit *c = p->game->circuit;
    set_input(p, c->moves[c->first_move[role] + move], value);
}

void partial_set_state(Partial *p, const State *state) {
    for (uint32_t f = 0; f < p->game->circuit->fluent_count; f++) {
        bool holds = f / 64 < state->word_count && bitset_get(state->words, f);
        partial_set_fluent(p, f, holds ? TERNARY_TRUE : TERNARY_FALSE);
    }
}

static Ternary value_of(Partial *p, Signal signal) {
    if (!p->is_evaluated)
        ternary_evaluate(&p->game->circuit->aig, p->values);
    p->is_evaluated = true;
    return ternary_of(p->values, signal);
}

Ternary partial_terminal(Partial *p) {
    return value_of(p, p->game->circuit->terminal);
}

Ternary partial_legal(Partial *p, uint32_t role, uint32_t move) {
    const Circuit *c = p->game->circuit;
    return value_of(p, c->legal[c->first_move[role] + move]);
}

Ternary partial_next(Partial *p, uint32_t fluent) {
    return value_of(p, p->game->circuit->next[fluent]);
}

void partial_goal(Partial *p, uint32_t role, int *least, int *greatest) {
    const Circuit *c = p->game->circuit;
    *least = *greatest = GOAL_NONE;
    for (size_t i = 0; i < c->goals.count; i++) {
        if (c->goals.items[i].role != role ||
            value_of(p, c->goals.items[i].signal) == TERNARY_FALSE)
            continue;
        int value =
            goal_join(GOAL_NONE, grounding_terms(p->game->grounding), c->goals.items[i].term);
        if (value == GOAL_NONE)
            continue;
        if (*least == GOAL_NONE || value < *least)
            *least = value;
        if (value > *greatest)
            *greatest = value;
    }
}
