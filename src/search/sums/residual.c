/* The settled fluents are a greatest fixed point: starting with all fluents, those that can change
 * while the others are constant are dropped until none can. Moves that cannot become legal while
 * the settled fluents are constant are never made. The residual game is found by a walk from the
 * outputs through all unknown nodes. The walk ends at nodes with a certain value, which form the
 * pattern; from an unknown fluent it goes on with its next value. */
#include "search/sums/residual.h"

#include "circuit/ternary.h"
#include "search/exact/key_table.h"

enum { NO_FLUENT = UINT32_MAX };

struct Residuals {
    const Circuit *c;
    U32Vector outputs;        /* signals of terminal, goals and legality */
    uint32_t *fluent_of_node; /* by node; NO_FLUENT for other nodes */
    Ternary *values;          /* by node */
    bool *is_settled;         /* by fluent */
    uint32_t *stamps,
        stamp;       /* by node: number of the last walk that reached it; the present walk */
    U32Vector stack; /* nodes still to be visited in the present walk */
    U32Vector known; /* where the walk ended, as 2 * node + value */
    U32Vector open;  /* unsettled fluents met on the walk */
    U32Vector key;   /* scratch */
    KeyTable patterns, residuals;
    uint64_t work;
};

Residuals *residual_create(const Game *game) {
    if (!game_has_circuit(game) || game->circuit->aig.loops.count)
        return NULL;
    Residuals *r = memory_zalloc(sizeof *r);
    const Circuit *c = r->c = game->circuit;
    size_t nodes = c->aig.nodes.count;
    r->values = memory_alloc(nodes + 1);
    r->stamps = memory_zalloc((nodes + 1) * sizeof *r->stamps);
    r->is_settled = memory_zalloc((c->fluent_count + 1) * sizeof *r->is_settled);
    r->fluent_of_node = u32_none(nodes);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        if (signal_node(c->fluents[f]))
            r->fluent_of_node[signal_node(c->fluents[f])] = f;
    vector_push(&r->outputs, c->terminal);
    for (size_t i = 0; i < c->goals.count; i++)
        vector_push(&r->outputs, c->goals.items[i].signal);
    for (uint32_t m = 0; m < c->move_count; m++)
        vector_push(&r->outputs, c->legal[m]);
    return r;
}

void residual_free(Residuals *r) {
    if (!r)
        return;
    key_table_free(&r->patterns);
    key_table_free(&r->residuals);
    vectors_free(&r->outputs, &r->stack, &r->known, &r->open, &r->key);
    memory_free(r->fluent_of_node, r->values, r->is_settled, r->stamps, r);
}

/* ---- settled fluents ---- */

static void evaluate(Residuals *r) {
    ternary_evaluate(&r->c->aig, r->values);
    r->work += r->c->aig.nodes.count;
}

/* Evaluates the circuit, with moves that can never become legal set to false. */
static void evaluate_turn(Residuals *r) {
    const Circuit *c = r->c;
    bool is_changed = false;
    for (uint32_t m = 0; m < c->move_count; m++)
        if (signal_node(c->moves[m]))
            r->values[signal_node(c->moves[m])] = TERNARY_UNKNOWN;
    evaluate(r);
    for (uint32_t m = 0; m < c->move_count; m++)
        if (signal_node(c->moves[m]) && ternary_of(r->values, c->legal[m]) == TERNARY_FALSE) {
            r->values[signal_node(c->moves[m])] = TERNARY_FALSE;
            is_changed = true;
        }
    if (is_changed)
        evaluate(r);
}

static void settle(Residuals *r, const State *state) {
    const Circuit *c = r->c;
    for (uint32_t f = 0; f < c->fluent_count; f++) {
        r->is_settled[f] = true;
        if (signal_node(c->fluents[f]))
            r->values[signal_node(c->fluents[f])] =
                state_holds(state, f) ? TERNARY_TRUE : TERNARY_FALSE;
    }
    for (bool changed = true; changed;) {
        changed = false;
        evaluate_turn(r);
        for (uint32_t f = 0; f < c->fluent_count; f++) {
            Ternary now = state_holds(state, f) ? TERNARY_TRUE : TERNARY_FALSE;
            if (!r->is_settled[f] || !signal_node(c->fluents[f]) ||
                ternary_of(r->values, c->next[f]) == now)
                continue;
            r->is_settled[f] = false;
            r->values[signal_node(c->fluents[f])] = TERNARY_UNKNOWN;
            changed = true;
        }
    }
}

/* ---- the residual game ---- */

static void reach(Residuals *r, Signal signal) {
    uint32_t node = signal_node(signal);
    if (r->stamps[node] == r->stamp)
        return;
    r->stamps[node] = r->stamp;
    if (r->values[node] != TERNARY_UNKNOWN)
        vector_push(&r->known, 2 * node + (r->values[node] == TERNARY_TRUE));
    else
        vector_push(&r->stack, node);
}

static void walk(Residuals *r) {
    const Circuit *c = r->c;
    r->stamp++;
    vector_clear(&r->known);
    vector_clear(&r->open);
    for (size_t i = 0; i < r->outputs.count; i++)
        reach(r, r->outputs.items[i]);
    while (r->stack.count) {
        uint32_t node = vector_pop(&r->stack), fluent = r->fluent_of_node[node];
        r->work++;
        if (aig_is_and(&c->aig, node)) {
            reach(r, c->aig.nodes.items[node].a);
            reach(r, c->aig.nodes.items[node].b);
        } else if (fluent != NO_FLUENT) {
            vector_push(&r->open, fluent);
            reach(r, c->next[fluent]);
        }
    }
}

uint32_t residual_number(Residuals *r, const State *state) {
    settle(r, state);
    walk(r);
    vector_clear(&r->key);
    vector_push(&r->key, key_table_list(&r->patterns, r->known.items, r->known.count));
    for (size_t i = 0; i < r->open.count; i++) {
        if (i % 32 == 0)
            vector_push(&r->key, 0);
        vector_last(&r->key) |= (uint32_t)state_holds(state, r->open.items[i]) << (i % 32);
    }
    return key_table_list(&r->residuals, r->key.items, r->key.count);
}

size_t residual_count(const Residuals *r) {
    return r->residuals.keys.count;
}

uint64_t residual_work(const Residuals *r) {
    return r->work;
}

size_t residual_bytes(const Residuals *r) {
    return key_table_bytes(&r->patterns) + key_table_bytes(&r->residuals);
}
