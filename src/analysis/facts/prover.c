/* Checks claims with one incremental SAT solver. The clause of each query is switched on by a
 * literal of its own, which is assumed for that query only. */
#include "analysis/facts/prover.h"

#include <assert.h>
#include <string.h>

#include "analysis/circuit_index.h"
#include "circuit/clauses.h"

/* Larger circuits get no prover (untuned). */
enum { MAX_PROVER_GATES = 2000000 };

struct Prover {
    const Circuit *circuit;
    Aig aig;     /* copy of the circuit, to which claims are added */
    Signal *map; /* by node of the circuit: its signal in the copy */
    Clauses clauses;
    Signal moves; /* every role makes one legal move; SIGNAL_NONE until built */
    CpuBudget budget;
};

static int must_stop(void *context) {
    const Prover *p = context;
    return cpu_budget_spent(p->budget);
}

Prover *prover_create(const Circuit *c, CpuBudget budget) {
    assert(c);
    if (c->aig.nodes.count > MAX_PROVER_GATES)
        return NULL;
    Prover *p = memory_zalloc(sizeof *p);
    p->circuit = c;
    p->budget = budget;
    p->moves = SIGNAL_NONE;
    aig_init(&p->aig);
    p->map = circuit_copy(c, NULL, &p->aig);
    clauses_init(&p->clauses, &p->aig, must_stop, p);
    return p;
}

void prover_free(Prover *p) {
    if (!p)
        return;
    clauses_free(&p->clauses);
    aig_free(&p->aig);
    memory_free(p->map, p);
}

void prover_set_budget(Prover *p, CpuBudget budget) {
    if (p)
        p->budget = budget;
}

Signal prover_signal(const Prover *p, Signal signal) {
    assert(signal_node(signal) < p->circuit->aig.nodes.count);
    return signal_mapped(p->map, signal);
}

/* Copies the signal's cone once more, on top of the next values instead of the current ones. The
 * copy goes through a temporary graph, because a graph must not be read while it grows. */
Signal prover_after_moves(Prover *p, Signal signal) {
    assert(signal_node(signal) < p->aig.nodes.count);
    const Circuit *c = p->circuit;
    Aig cone;
    aig_init(&cone);
    size_t nodes = p->aig.nodes.count;
    Signal *map = u32_none(nodes);
    uint8_t *marks = memory_zalloc(nodes);
    aig_mark_cone(&p->aig, &signal, 1, marks);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        map[signal_node(p->map[signal_node(c->fluents[f])])] = aig_input(&cone);
    aig_copy_marked(&cone, &p->aig, marks, map);
    Signal copied = signal_mapped(map, signal);
    memory_free(marks, map);
    map = u32_none(cone.nodes.count);
    marks = memory_alloc(cone.nodes.count);
    memset(marks, 1, cone.nodes.count);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        map[1 + f] = prover_signal(p, c->next[f]);
    aig_copy_marked(&p->aig, &cone, marks, map);
    Signal result = signal_mapped(map, copied);
    memory_free(marks, map);
    aig_free(&cone);
    return result;
}

Aig *prover_aig(Prover *p) {
    return &p->aig;
}

static Signal state_lasts(const Prover *p) {
    return signal_not(prover_signal(p, p->circuit->terminal));
}

/* Returns a signal that is true if the state lasts and every role makes one legal move. */
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
        aig_count(&p->aig, moves.items, moves.count, &one, &two);
        vector_push(&parts, one);
        vector_push(&parts, signal_not(two));
    }
    p->moves = aig_and_many(&p->aig, parts.items, parts.count);
    vectors_free(&parts, &moves);
    return p->moves;
}

void prover_add_fact(Prover *p, Signal fact) {
    assert(signal_node(fact) < p->aig.nodes.count);
    clauses_add(&p->clauses, (int[]){clauses_literal(&p->clauses, fact)}, 1);
}

/* Asks whether any of the claims that still stand can be violated. */
static SatAnswer search_violation(Prover *p, const Claim *claims, size_t count, Signal context) {
    Clauses *c = &p->clauses;
    int round = clauses_fresh_literal(c);
    Literals assumed = {0}, violated = {0};
    vector_push(&violated, -round);
    vector_push(&assumed, round);
    vector_push(&assumed, clauses_literal(c, context));
    for (size_t i = 0; i < count; i++) {
        if (!claims[i].holds)
            continue;
        vector_push(&violated, clauses_literal(c, claims[i].violated));
        if (claims[i].assumed != SIGNAL_TRUE)
            vector_push(&assumed, clauses_literal(c, claims[i].assumed));
    }
    clauses_add(c, violated.items, violated.count);
    for (size_t i = 0; i < assumed.count; i++)
        clauses_assume(c, assumed.items[i]);
    vectors_free(&violated, &assumed);
    return clauses_solve(c, 0);
}

/* Returns the number of claims that the counterexample just found has refuted. */
static size_t drop_violated(Prover *p, Claim *claims, size_t count) {
    size_t dropped = 0;
    for (size_t i = 0; i < count; i++)
        if (claims[i].holds && clauses_is_true(&p->clauses, claims[i].violated)) {
            claims[i].holds = false;
            dropped++;
        }
    return dropped;
}

bool prover_check(Prover *p, Claim *claims, size_t count, ProverContext context) {
    for (size_t i = 0; i < count; i++)
        assert(signal_node(claims[i].violated) < p->aig.nodes.count);
    Signal assumed = context == PROVER_MOVES ? roles_move(p) : state_lasts(p);
    for (;;) {
        SatAnswer answer =
            cpu_budget_spent(p->budget) ? SAT_UNKNOWN : search_violation(p, claims, count, assumed);
        if (answer == SAT_REFUTED)
            return true;
        if (answer == SAT_FOUND && drop_violated(p, claims, count))
            continue;
        for (size_t i = 0; i < count; i++)
            claims[i].holds = false;
        return false;
    }
}
