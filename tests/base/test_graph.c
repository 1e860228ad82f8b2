/* Tests graphs made from lists of edges. */
#include "base/graph.h"

#include <criterion/criterion.h>

Test(graph, keeps_rows_in_the_order_of_the_edges) {
    Edges edges = {0};
    static const Edge list[] = {{2, 0}, {0, 1}, {2, 1}, {0, 2}, {0, 0}};
    for (size_t i = 0; i < 5; i++)
        vector_push(&edges, list[i]);
    Graph graph;
    graph_build(&graph, 4, &edges);
    static const uint32_t starts[] = {0, 3, 3, 5, 5}, targets[] = {1, 2, 0, 0, 1},
                          numbers[] = {1, 3, 4, 0, 2};
    for (size_t i = 0; i < 5; i++) {
        cr_expect_eq(graph.starts[i], starts[i]);
        cr_expect_eq(graph.targets[i], targets[i]);
        cr_expect_eq(graph.edges[i], numbers[i]);
    }
    graph_free(&graph);
    vector_free(&edges);
}

Test(graph, may_be_empty) {
    Edges edges = {0};
    Graph graph;
    graph_build(&graph, 0, &edges);
    cr_expect_eq(graph.starts[0], 0);
    graph_free(&graph);
}
