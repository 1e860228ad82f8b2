/* Gates become clauses when a claim needs them (Tseitin 1968). One incremental solver serves all
 * claims; what a round asks for is switched on by a literal of its own. */
#include "analysis/prover.h"

#include <assert.h>
#include <ccadical.h>
#include <string.h>

enum { MOST_GATES = 2000000, SATISFIABLE = 10, UNSATISFIABLE = 20 };

struct Prover {
    const Circuit *circuit;
    Aig aig;
    Signal *map; /* from nodes of the circuit */
    CCaDiCaL *solver;
    U32Vector variables; /* by node of the graph; 0 until it has clauses */
    uint32_t variable_count;
    U32Vector loop_updates; /* by node: the update of a loop variable, else SIGNAL_NONE */
    U32Vector stack;        /* scratch */
    Signal lasts, moves;    /* SIGNAL_NONE until built */
    CpuBudget budget;
};

static int must_stop(void *context) {
    const Prover *p = context;
    return cpu_budget_spent(p->budget);
}

static void note_loops(Prover *p, size_t first) {
    while (p->loop_updates.count < p->aig.nodes.count)
        vector_push(&p->loop_updates, SIGNAL_NONE);
    for (size_t l = first; l < p->aig.loops.count; l++) {
        const AigLoop *loop = &p->aig.loops.items[l];
        for (size_t v = 0; v < loop->variables.count; v++)
            p->loop_updates.items[loop->variables.items[v]] = loop->updates.items[v];
    }
}

static void copy_circuit(Prover *p) {
    const Circuit *c = p->circuit;
    uint8_t *marks = memory_alloc(c->aig.nodes.count);
    memset(marks, 1, c->aig.nodes.count);
    p->map = memory_alloc(c->aig.nodes.count * sizeof *p->map);
    memset(p->map, 0xff, c->aig.nodes.count * sizeof *p->map);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        p->map[signal_node(c->fluents[f])] = aig_input(&p->aig);
    for (uint32_t m = 0; m < c->move_count; m++)
        p->map[signal_node(c->moves[m])] = aig_input(&p->aig);
    aig_copy_marked(&p->aig, &c->aig, marks, p->map);
    free(marks);
    note_loops(p, 0);
}

Prover *prover_create(const Circuit *c, CpuBudget budget) {
    if (c->aig.nodes.count > MOST_GATES)
        return NULL;
    Prover *p = memory_zalloc(sizeof *p);
    p->circuit = c;
    p->budget = budget;
    p->lasts = p->moves = SIGNAL_NONE;
    aig_init(&p->aig);
    copy_circuit(p);
    p->solver = ccadical_init();
    ccadical_set_option(p->solver, "quiet", 1);
    ccadical_set_terminate(p->solver, p, must_stop);
    return p;
}

void prover_free(Prover *p) {
    if (!p)
        return;
    ccadical_release(p->solver);
    aig_free(&p->aig);
    vector_free(&p->variables);
    vector_free(&p->loop_updates);
    vector_free(&p->stack);
    free(p->map);
    free(p);
}

void prover_set_budget(Prover *p, CpuBudget budget) {
    p->budget = budget;
}

Signal prover_signal(const Prover *p, Signal signal) {
    return signal_mapped(p->map, signal);
}

/* The signal's cone once more, on top of the next values instead of the present ones. Copied from a
 * snapshot: what is added must not be read while it grows. */
Signal prover_after_moves(Prover *p, Signal signal) {
    const Circuit *c = p->circuit;
    Aig cone;
    aig_init(&cone);
    size_t nodes = p->aig.nodes.count, loops = p->aig.loops.count;
    Signal *map = memory_alloc(nodes * sizeof *map);
    memset(map, 0xff, nodes * sizeof *map);
    uint8_t *marks = memory_zalloc(nodes);
    aig_mark_cone(&p->aig, &signal, 1, marks);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        map[signal_node(p->map[signal_node(c->fluents[f])])] = aig_input(&cone);
    aig_copy_marked(&cone, &p->aig, marks, map);
    Signal copied = signal_mapped(map, signal);
    free(marks);
    free(map);
    map = memory_alloc(cone.nodes.count * sizeof *map);
    memset(map, 0xff, cone.nodes.count * sizeof *map);
    marks = memory_alloc(cone.nodes.count);
    memset(marks, 1, cone.nodes.count);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        map[1 + f] = prover_signal(p, c->next[f]);
    aig_copy_marked(&p->aig, &cone, marks, map);
    Signal result = signal_mapped(map, copied);
    free(marks);
    free(map);
    aig_free(&cone);
    note_loops(p, loops);
    return result;
}

Aig *prover_aig(Prover *p) {
    return &p->aig;
}

void prover_count(Prover *p, const Signal *signals, size_t count, Signal *one, Signal *two) {
    *one = *two = SIGNAL_FALSE;
    if (count == 1)
        *one = signals[0];
    if (count <= 1)
        return;
    Signal left_one, left_two, right_one, right_two;
    prover_count(p, signals, count / 2, &left_one, &left_two);
    prover_count(p, signals + count / 2, count - count / 2, &right_one, &right_two);
    *one = aig_or(&p->aig, left_one, right_one);
    *two = aig_or(&p->aig, aig_or(&p->aig, left_two, right_two),
                  aig_and(&p->aig, left_one, right_one));
}

static void add_clause(Prover *p, const int *literals, size_t count) {
    for (size_t i = 0; i < count; i++)
        ccadical_add(p->solver, literals[i]);
    ccadical_add(p->solver, 0);
}

static int literal_of(const Prover *p, Signal s) {
    int variable = (int)p->variables.items[signal_node(s)];
    assert(variable);
    return signal_is_complemented(s) ? -variable : variable;
}

static void add_equal(Prover *p, int a, int b) {
    add_clause(p, (int[]){-a, b}, 2);
    add_clause(p, (int[]){a, -b}, 2);
}

static void add_gate(Prover *p, int gate, int a, int b) {
    add_clause(p, (int[]){-gate, a}, 2);
    add_clause(p, (int[]){-gate, b}, 2);
    add_clause(p, (int[]){gate, -a, -b}, 3);
}

static Signal loop_update(const Prover *p, uint32_t node) {
    return node < p->loop_updates.count ? p->loop_updates.items[node] : SIGNAL_NONE;
}

/* Gives variables to all nodes that the signal depends on, then clauses to the new ones. */
static int encode(Prover *p, Signal signal) {
    while (p->variables.count < p->aig.nodes.count)
        vector_push(&p->variables, 0);
    U32Vector fresh = {0};
    vector_clear(&p->stack);
    vector_push(&p->stack, signal_node(signal));
    while (p->stack.count) {
        uint32_t node = vector_pop(&p->stack);
        if (p->variables.items[node])
            continue;
        p->variables.items[node] = ++p->variable_count;
        vector_push(&fresh, node);
        Signal update = loop_update(p, node);
        if (update != SIGNAL_NONE)
            vector_push(&p->stack, signal_node(update));
        if (aig_is_and(&p->aig, node)) {
            vector_push(&p->stack, signal_node(p->aig.nodes.items[node].a));
            vector_push(&p->stack, signal_node(p->aig.nodes.items[node].b));
        }
    }
    for (size_t i = 0; i < fresh.count; i++) {
        uint32_t node = fresh.items[i];
        int literal = (int)p->variables.items[node];
        const AigNode *n = &p->aig.nodes.items[node];
        Signal update = loop_update(p, node);
        if (node == 0)
            add_clause(p, (int[]){-literal}, 1);
        else if (update != SIGNAL_NONE)
            add_equal(p, literal, literal_of(p, update));
        else if (aig_is_and(&p->aig, node))
            add_gate(p, literal, literal_of(p, n->a), literal_of(p, n->b));
    }
    vector_free(&fresh);
    return literal_of(p, signal);
}

static Signal state_lasts(Prover *p) {
    if (p->lasts == SIGNAL_NONE)
        p->lasts = signal_not(prover_signal(p, p->circuit->terminal));
    return p->lasts;
}

/* Every role does exactly one of its moves, and a legal one. */
static Signal roles_move(Prover *p) {
    if (p->moves != SIGNAL_NONE)
        return p->moves;
    const Circuit *c = p->circuit;
    U32Vector parts = {0}, moves = {0};
    vector_push(&parts, state_lasts(p));
    for (uint32_t r = 0; r < c->role_count; r++) {
        vector_clear(&moves);
        for (uint32_t m = c->first_move[r]; m < c->first_move[r + 1]; m++) {
            Signal does = prover_signal(p, c->moves[m]);
            Signal legal = prover_signal(p, c->legal[m]);
            vector_push(&moves, does);
            vector_push(&parts, signal_not(aig_and(&p->aig, does, signal_not(legal))));
        }
        Signal one, two;
        prover_count(p, moves.items, moves.count, &one, &two);
        vector_push(&parts, one);
        vector_push(&parts, signal_not(two));
    }
    p->moves = aig_and_many(&p->aig, parts.items, parts.count);
    vector_free(&parts);
    vector_free(&moves);
    return p->moves;
}

void prover_add_fact(Prover *p, Signal fact) {
    add_clause(p, (int[]){encode(p, fact)}, 1);
}

/* One question: can any of the claims that still stand be violated? */
static int search_violation(Prover *p, const Claim *claims, size_t count, Signal context) {
    int round = (int)++p->variable_count;
    for (size_t i = 0; i < count; i++)
        if (claims[i].holds) {
            encode(p, claims[i].violated);
            encode(p, claims[i].assumed);
        }
    ccadical_add(p->solver, -round);
    for (size_t i = 0; i < count; i++)
        if (claims[i].holds)
            ccadical_add(p->solver, literal_of(p, claims[i].violated));
    ccadical_add(p->solver, 0);
    ccadical_assume(p->solver, round);
    ccadical_assume(p->solver, encode(p, context));
    for (size_t i = 0; i < count; i++)
        if (claims[i].holds && claims[i].assumed != SIGNAL_TRUE)
            ccadical_assume(p->solver, literal_of(p, claims[i].assumed));
    return ccadical_solve(p->solver);
}

/* In the counterexample just found. */
static bool is_true(const Prover *p, Signal s) {
    int variable = (int)p->variables.items[signal_node(s)];
    return (ccadical_val(p->solver, variable) > 0) != signal_is_complemented(s);
}

static size_t drop_violated(Prover *p, Claim *claims, size_t count) {
    size_t dropped = 0;
    for (size_t i = 0; i < count; i++)
        if (claims[i].holds && is_true(p, claims[i].violated)) {
            claims[i].holds = false;
            dropped++;
        }
    return dropped;
}

bool prover_keep_what_holds(Prover *p, Claim *claims, size_t count, ProverContext context) {
    Signal assumed = context == PROVER_MOVES ? roles_move(p) : state_lasts(p);
    for (;;) {
        int answer = cpu_budget_spent(p->budget) ? 0 : search_violation(p, claims, count, assumed);
        if (answer == UNSATISFIABLE)
            return true;
        if (answer == SATISFIABLE && drop_violated(p, claims, count))
            continue;
        for (size_t i = 0; i < count; i++)
            claims[i].holds = false;
        return false;
    }
}
