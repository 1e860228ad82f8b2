/* The clauses of a cone are added when a literal of its top is first needed. */
#include "circuit/clauses.h"

#include <assert.h>

void clauses_init(Clauses *c, const Aig *aig, int (*must_stop)(void *context), void *context) {
    *c = (Clauses){.aig = aig, .solver = ccadical_init()};
    ccadical_set_option(c->solver, "quiet", 1);
    ccadical_set_terminate(c->solver, context, must_stop);
}

void clauses_free(Clauses *c) {
    ccadical_release(c->solver);
    vectors_free(&c->variables, &c->loop_updates, &c->stack);
}

int clauses_fresh_literal(Clauses *c) {
    return (int)++c->variable_count;
}

void clauses_add(Clauses *c, const int *literals, size_t count) {
    for (size_t i = 0; i < count; i++)
        ccadical_add(c->solver, literals[i]);
    ccadical_add(c->solver, 0);
}

void clauses_assume(Clauses *c, int literal) {
    assert(literal != 0);
    ccadical_assume(c->solver, literal);
}

SatAnswer clauses_solve(Clauses *c, uint32_t conflicts) {
    if (conflicts)
        ccadical_limit(c->solver, "conflicts", (int)conflicts);
    return (SatAnswer)ccadical_solve(c->solver);
}

static int literal_of(const Clauses *c, Signal s) {
    int variable = (int)c->variables.items[signal_node(s)];
    assert(variable);
    return signal_is_complemented(s) ? -variable : variable;
}

bool clauses_is_true(const Clauses *c, Signal s) {
    assert(signal_node(s) < c->variables.count && c->variables.items[signal_node(s)]);
    int variable = (int)c->variables.items[signal_node(s)];
    return (ccadical_val(c->solver, variable) > 0) != signal_is_complemented(s);
}

static void add_equal(Clauses *c, int a, int b) {
    clauses_add(c, (int[]){-a, b}, 2);
    clauses_add(c, (int[]){a, -b}, 2);
}

static void add_gate(Clauses *c, int gate, int a, int b) {
    clauses_add(c, (int[]){-gate, a}, 2);
    clauses_add(c, (int[]){-gate, b}, 2);
    clauses_add(c, (int[]){gate, -a, -b}, 3);
}

static void note_growth(Clauses *c) {
    while (c->variables.count < c->aig->nodes.count) {
        vector_push(&c->variables, 0);
        vector_push(&c->loop_updates, SIGNAL_NONE);
    }
    for (; c->loops_noted < c->aig->loops.count; c->loops_noted++) {
        const AigLoop *loop = &c->aig->loops.items[c->loops_noted];
        for (size_t v = 0; v < loop->variables.count; v++)
            c->loop_updates.items[loop->variables.items[v]] = loop->updates.items[v];
    }
}

/* Gives variables to all nodes that the signal depends on and that have none. Lists these nodes. */
static void number_cone(Clauses *c, Signal signal, U32Vector *fresh) {
    vector_clear(&c->stack);
    vector_push(&c->stack, signal_node(signal));
    while (c->stack.count) {
        uint32_t node = vector_pop(&c->stack);
        if (c->variables.items[node])
            continue;
        c->variables.items[node] = ++c->variable_count;
        vector_push(fresh, node);
        Signal update = c->loop_updates.items[node];
        if (update != SIGNAL_NONE)
            vector_push(&c->stack, signal_node(update));
        if (aig_is_and(c->aig, node)) {
            vector_push(&c->stack, signal_node(c->aig->nodes.items[node].a));
            vector_push(&c->stack, signal_node(c->aig->nodes.items[node].b));
        }
    }
}

int clauses_literal(Clauses *c, Signal signal) {
    assert(signal_node(signal) < c->aig->nodes.count);
    U32Vector fresh = {0};
    note_growth(c);
    number_cone(c, signal, &fresh);
    for (size_t i = 0; i < fresh.count; i++) {
        uint32_t node = fresh.items[i];
        int literal = (int)c->variables.items[node];
        const AigNode *n = &c->aig->nodes.items[node];
        Signal update = c->loop_updates.items[node];
        if (node == 0)
            clauses_add(c, (int[]){-literal}, 1);
        else if (update != SIGNAL_NONE)
            add_equal(c, literal, literal_of(c, update));
        else if (aig_is_and(c->aig, node))
            add_gate(c, literal, literal_of(c, n->a), literal_of(c, n->b));
    }
    vector_free(&fresh);
    return literal_of(c, signal);
}
