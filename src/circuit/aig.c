/* Makes conjunctions: one-level and two-level simplification (Brummayer and Biere 2006), then the
 * hash table. */
#include "circuit/aig.h"

#include <assert.h>

void aig_init(Aig *aig) {
    *aig = (Aig){0};
    AigNode constant = {SIGNAL_NONE, SIGNAL_NONE};
    vector_push(&aig->nodes, constant);
}

void aig_free(Aig *aig) {
    for (size_t i = 0; i < aig->loops.count; i++)
        vectors_free(&aig->loops.items[i].variables, &aig->loops.items[i].updates);
    vectors_free(&aig->loops, &aig->nodes);
    table_free(&aig->table);
}

Signal aig_input(Aig *aig) {
    AigNode input = {SIGNAL_NONE, SIGNAL_NONE};
    vector_push(&aig->nodes, input);
    return (Signal)(aig->nodes.count - 1) << 1;
}

/* The value of a & b if b is a conjunction that contains a; SIGNAL_NONE if nothing is known. */
static Signal absorb(const Aig *aig, Signal a, Signal b) {
    const AigNode *n = &aig->nodes.items[signal_node(b)];
    if (n->a == SIGNAL_NONE)
        return SIGNAL_NONE;
    if (!signal_is_complemented(b)) {
        if (n->a == a || n->b == a)
            return b;
        if (n->a == signal_not(a) || n->b == signal_not(a))
            return SIGNAL_FALSE;
    } else if (n->a == signal_not(a) || n->b == signal_not(a)) {
        return a;
    }
    return SIGNAL_NONE;
}

/* a & !(a & c) is a & !c: the new right operand, or SIGNAL_NONE. */
static Signal substitute(const Aig *aig, Signal a, Signal b) {
    const AigNode *n = &aig->nodes.items[signal_node(b)];
    if (n->a == SIGNAL_NONE || !signal_is_complemented(b))
        return SIGNAL_NONE;
    if (n->a == a)
        return signal_not(n->b);
    if (n->b == a)
        return signal_not(n->a);
    return SIGNAL_NONE;
}

/* True for two conjunctions with contradicting operands. */
static bool contradict(const Aig *aig, Signal a, Signal b) {
    if (signal_is_complemented(a) || signal_is_complemented(b))
        return false;
    const AigNode *m = &aig->nodes.items[signal_node(a)];
    const AigNode *n = &aig->nodes.items[signal_node(b)];
    if (m->a == SIGNAL_NONE || n->a == SIGNAL_NONE)
        return false;
    return m->a == signal_not(n->a) || m->a == signal_not(n->b) || m->b == signal_not(n->a) ||
           m->b == signal_not(n->b);
}

static uint64_t hash_and(Signal a, Signal b) {
    return hash_finish(hash_mix(a, b));
}

Signal aig_and(Aig *aig, Signal a, Signal b) {
    assert(signal_node(a) < aig->nodes.count && signal_node(b) < aig->nodes.count);
    if (a > b) {
        Signal t = a;
        a = b;
        b = t;
    }
    if (a == SIGNAL_FALSE || a == signal_not(b))
        return SIGNAL_FALSE;
    if (a == SIGNAL_TRUE || a == b)
        return b;
    Signal known = absorb(aig, a, b);
    if (known == SIGNAL_NONE)
        known = absorb(aig, b, a);
    if (known != SIGNAL_NONE)
        return known;
    Signal smaller = substitute(aig, a, b);
    if (smaller != SIGNAL_NONE)
        return aig_and(aig, a, smaller);
    smaller = substitute(aig, b, a);
    if (smaller != SIGNAL_NONE)
        return aig_and(aig, b, smaller);
    if (contradict(aig, a, b))
        return SIGNAL_FALSE;
    uint64_t hash = hash_and(a, b);
    uint32_t id;
    for (TableProbe p = table_probe(&aig->table, hash); table_next(&aig->table, &p, &id);)
        if (aig->nodes.items[id].a == a && aig->nodes.items[id].b == b)
            return id << 1;
    id = (uint32_t)aig->nodes.count;
    AigNode node = {a, b};
    vector_push(&aig->nodes, node);
    table_insert(&aig->table, hash, id);
    aig->and_count++;
    return id << 1;
}

Signal aig_xor(Aig *aig, Signal a, Signal b) {
    Signal only_a = aig_and(aig, a, signal_not(b));
    Signal only_b = aig_and(aig, signal_not(a), b);
    return aig_or(aig, only_a, only_b);
}

/* The signals are sorted first, so that equal sets give equal trees and similar sets share
 * subtrees. */
Signal aig_and_many(Aig *aig, Signal *signals, size_t count) {
    assert(signals || count == 0);
    if (count == 0)
        return SIGNAL_TRUE;
    u32_sort(signals, count);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (signals[i] == SIGNAL_FALSE || (kept && signals[kept - 1] == signal_not(signals[i])))
            return SIGNAL_FALSE;
        if (signals[i] != SIGNAL_TRUE && (kept == 0 || signals[kept - 1] != signals[i]))
            signals[kept++] = signals[i];
    }
    if (kept == 0)
        return SIGNAL_TRUE;
    while (kept > 1) {
        size_t half = 0;
        for (size_t i = 0; i + 1 < kept; i += 2)
            signals[half++] = aig_and(aig, signals[i], signals[i + 1]);
        if (kept & 1)
            signals[half++] = signals[kept - 1];
        kept = half;
    }
    return signals[0];
}

Signal aig_or_many(Aig *aig, Signal *signals, size_t count) {
    for (size_t i = 0; i < count; i++)
        signals[i] = signal_not(signals[i]);
    return signal_not(aig_and_many(aig, signals, count));
}

void aig_count(Aig *aig, const Signal *signals, size_t count, Signal *one, Signal *two) {
    *one = *two = SIGNAL_FALSE;
    if (count == 1)
        *one = signals[0];
    if (count <= 1)
        return;
    Signal left_one, left_two, right_one, right_two;
    aig_count(aig, signals, count / 2, &left_one, &left_two);
    aig_count(aig, signals + count / 2, count - count / 2, &right_one, &right_two);
    *one = aig_or(aig, left_one, right_one);
    *two = aig_or(aig, aig_or(aig, left_two, right_two), aig_and(aig, left_one, right_one));
}

uint32_t aig_depth(const Aig *aig, const Signal *outputs, size_t count) {
    uint32_t *levels = memory_zalloc(aig->nodes.count * sizeof *levels);
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < aig->nodes.count; i++) {
        const AigNode *n = &aig->nodes.items[i];
        if (n->a == SIGNAL_NONE)
            continue;
        uint32_t a = levels[signal_node(n->a)], b = levels[signal_node(n->b)];
        levels[i] = 1 + (a > b ? a : b);
    }
    for (size_t i = 0; i < count; i++)
        if (levels[signal_node(outputs[i])] > deepest)
            deepest = levels[signal_node(outputs[i])];
    free(levels);
    return deepest;
}

/* By node: the update of a loop variable, SIGNAL_NONE for other nodes. The caller frees the
 * array. */
static Signal *updates_by_node(const Aig *aig) {
    Signal *updates = u32_none(aig->nodes.count);
    for (size_t i = 0; i < aig->loops.count; i++) {
        const AigLoop *loop = &aig->loops.items[i];
        for (size_t v = 0; v < loop->variables.count; v++)
            updates[loop->variables.items[v]] = loop->updates.items[v];
    }
    return updates;
}

static void mark(U32Vector *stack, uint8_t *marks, Signal s) {
    if (!marks[signal_node(s)]) {
        marks[signal_node(s)] = 1;
        vector_push(stack, signal_node(s));
    }
}

void aig_mark_cone(const Aig *aig, const Signal *outputs, size_t count, uint8_t *marks) {
    U32Vector stack = {0};
    Signal *updates = updates_by_node(aig);
    for (size_t i = 0; i < count; i++)
        mark(&stack, marks, outputs[i]);
    while (stack.count) {
        uint32_t node = vector_pop(&stack);
        const AigNode *n = &aig->nodes.items[node];
        if (n->a != SIGNAL_NONE) {
            mark(&stack, marks, n->a);
            mark(&stack, marks, n->b);
        } else if (updates[node] != SIGNAL_NONE) {
            mark(&stack, marks, updates[node]);
        }
    }
    free(updates);
    vector_free(&stack);
}

static void copy_loop(Aig *to, const AigLoop *loop, const uint8_t *marks, Signal *map,
                      uint32_t first_node) {
    AigLoop copy = {.first_node = first_node};
    for (size_t v = 0; v < loop->variables.count; v++) {
        if (!marks[loop->variables.items[v]])
            continue;
        vector_push(&copy.variables, signal_node(map[loop->variables.items[v]]));
        vector_push(&copy.updates, signal_mapped(map, loop->updates.items[v]));
    }
    copy.end_node = (uint32_t)to->nodes.count;
    if (copy.variables.count) {
        vector_push(&to->loops, copy);
    } else {
        vectors_free(&copy.variables, &copy.updates);
    }
}

void aig_copy_marked(Aig *to, const Aig *from, const uint8_t *marks, Signal *map) {
    size_t next_loop = 0;
    uint32_t loop_first = 0;
    map[0] = SIGNAL_FALSE;
    for (uint32_t i = 1; i <= from->nodes.count; i++) {
        const AigLoop *loop = next_loop < from->loops.count ? &from->loops.items[next_loop] : NULL;
        if (loop && i == loop->end_node) {
            copy_loop(to, loop, marks, map, loop_first);
            next_loop++;
            loop = next_loop < from->loops.count ? &from->loops.items[next_loop] : NULL;
        }
        if (i == from->nodes.count)
            break;
        if (loop && i == loop->first_node) {
            loop_first = (uint32_t)to->nodes.count;
            for (size_t v = 0; v < loop->variables.count; v++)
                if (marks[loop->variables.items[v]])
                    map[loop->variables.items[v]] = aig_input(to);
        }
        const AigNode *n = &from->nodes.items[i];
        if (marks[i] && n->a != SIGNAL_NONE)
            map[i] = aig_and(to, signal_mapped(map, n->a), signal_mapped(map, n->b));
    }
}
