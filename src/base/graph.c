/* A graph is built in two passes over the edges: the first counts the edges of each node, the
 * second fills the rows. */
#include "base/graph.h"

#include <assert.h>

#include "base/components.h"

void graph_build(Graph *graph, uint32_t node_count, const Edges *edges) {
    graph->node_count = node_count;
    graph->starts = memory_zalloc(((size_t)node_count + 2) * sizeof(uint32_t));
    graph->edges = memory_alloc((edges->count + 1) * sizeof(uint32_t));
    graph->targets = memory_alloc((edges->count + 1) * sizeof(uint32_t));
    uint32_t *next = graph->starts + 1; /* becomes the row ends while the rows are filled */
    for (size_t i = 0; i < edges->count; i++) {
        assert(edges->items[i].from < node_count);
        next[edges->items[i].from + 1]++;
    }
    for (uint32_t n = 0; n < node_count; n++)
        next[n + 1] += next[n];
    for (uint32_t i = 0; i < edges->count; i++) {
        uint32_t slot = next[edges->items[i].from]++;
        graph->edges[slot] = i;
        graph->targets[slot] = edges->items[i].to;
    }
}

void graph_free(Graph *graph) {
    memory_free(graph->starts, graph->edges, graph->targets);
    *graph = (Graph){0};
}

uint32_t graph_components(uint32_t node_count, const Edges *edges, uint32_t *component) {
    Graph graph;
    graph_build(&graph, node_count, edges);
    uint32_t count = components_find(node_count, graph.starts, graph.targets, component);
    graph_free(&graph);
    return count;
}
