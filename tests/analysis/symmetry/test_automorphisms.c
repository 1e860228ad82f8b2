/* Tests automorphisms of small graphs, and that a search out of budget ends cleanly. */
#include "analysis/symmetry/automorphisms.h"

#include "support.h"

static void add_edge(Edges *edges, uint32_t a, uint32_t b) {
    Edge edge = {a, b};
    vector_push(edges, edge);
}

static uint64_t order_of(const Automorphisms *found) {
    uint64_t order = 1;
    for (size_t i = 0; i < found->indices.count; i++)
        order *= found->indices.items[i];
    return order;
}

static uint64_t order(const U32Vector *colours, const Edges *edges) {
    Automorphisms found;
    automorphisms_find(&found, colours, edges, cpu_budget_in(10));
    cr_assert(found.is_complete);
    uint64_t result = order_of(&found);
    automorphisms_free(&found);
    return result;
}

Test(automorphisms, of_a_ring) {
    U32Vector colours = {0};
    Edges edges = {0};
    cr_assert_eq(order(&colours, &edges), 1);
    for (uint32_t i = 0; i < 7; i++) {
        vector_push(&colours, 5);
        add_edge(&edges, i, (i + 1) % 7);
    }
    cr_assert_eq(order(&colours, &edges), 14);
    add_edge(&edges, 1, 0); /* an edge given twice counts once */
    cr_assert_eq(order(&colours, &edges), 14);
    colours.items[3] = 9;
    cr_assert_eq(order(&colours, &edges), 2);
    vector_free(&colours);
    vector_free(&edges);
}

Test(automorphisms, without_edges_everything_goes) {
    U32Vector colours = {0};
    Edges edges = {0};
    for (uint32_t i = 0; i < 10; i++)
        vector_push(&colours, i < 4);
    cr_assert_eq(order(&colours, &edges), 24 * 720);
    vector_free(&colours);
    vector_free(&edges);
}

/* If time runs out, the generators found so far are still automorphisms. */
Test(automorphisms, giving_up) {
    enum { SIDE = 40 };
    U32Vector colours = {0};
    Edges edges = {0};
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        vector_push(&colours, 0);
        for (uint32_t j = 0; j < SIDE; j++) {
            add_edge(&edges, i, i / SIDE * SIDE + j);
            add_edge(&edges, i, j * SIDE + i % SIDE);
        }
    }
    Automorphisms found;
    automorphisms_find(&found, &colours, &edges, cpu_budget_in(0));
    cr_assert(!found.is_complete);
    for (size_t g = 0; g < found.generators.count; g++)
        for (size_t e = 0; e < edges.count; e++) {
            uint32_t a = found.generators.items[g][edges.items[e].from];
            uint32_t b = found.generators.items[g][edges.items[e].to];
            cr_assert(a / SIDE == b / SIDE || a % SIDE == b % SIDE);
        }
    automorphisms_free(&found);
    vector_free(&colours);
    vector_free(&edges);
}
