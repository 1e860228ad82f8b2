/* The algorithm of Tarjan (1972), with an explicit stack instead of recursion. */
#include "base/components.h"

#include <assert.h>
#include <stdbool.h>

#include "base/vector.h"

typedef struct {
    uint32_t order, low; /* order 0: not visited yet */
    uint32_t next_edge;
    bool on_stack;
} Visit;

typedef struct {
    const uint32_t *first, *targets;
    uint32_t *component;
    Visit *visits;
    U32Vector path, stack;
    uint32_t order, count;
} Tarjan;

static void enter(Tarjan *t, uint32_t node) {
    t->order++;
    t->visits[node] = (Visit){t->order, t->order, t->first[node], true};
    vector_push(&t->path, node);
    vector_push(&t->stack, node);
}

static void leave(Tarjan *t, uint32_t node) {
    t->path.count--;
    if (t->path.count) {
        Visit *parent = &t->visits[vector_last(&t->path)];
        if (t->visits[node].low < parent->low)
            parent->low = t->visits[node].low;
    }
    if (t->visits[node].low != t->visits[node].order)
        return;
    uint32_t member;
    do {
        member = vector_pop(&t->stack);
        t->visits[member].on_stack = false;
        t->component[member] = t->count;
    } while (member != node);
    t->count++;
}

static void visit_all_from(Tarjan *t, uint32_t root) {
    enter(t, root);
    while (t->path.count) {
        uint32_t node = vector_last(&t->path);
        Visit *visit = &t->visits[node];
        if (visit->next_edge == t->first[node + 1]) {
            leave(t, node);
            continue;
        }
        uint32_t target = t->targets[visit->next_edge++];
        if (!t->visits[target].order)
            enter(t, target);
        else if (t->visits[target].on_stack && t->visits[target].order < visit->low)
            visit->low = t->visits[target].order;
    }
}

uint32_t components_find(uint32_t nodes, const uint32_t *first, const uint32_t *targets,
                         uint32_t *component) {
    assert(nodes == 0 || (first && component));
    Tarjan t = {.first = first,
                .targets = targets,
                .component = component,
                .visits = memory_zalloc(nodes * sizeof(Visit))};
    for (uint32_t i = 0; i < nodes; i++)
        if (!t.visits[i].order)
            visit_all_from(&t, i);
    free(t.visits);
    vectors_free(&t.path, &t.stack);
    return t.count;
}
