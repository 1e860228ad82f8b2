/* Directed graphs on nodes 0..n-1. A list of edges is converted once into compressed rows, the form
 * that components_find and searches use. */
#pragma once

#include "base/vector.h"

typedef struct {
    uint32_t from, to;
} Edge;

typedef VECTOR(Edge) Edges;

typedef struct {
    uint32_t node_count;
    uint32_t *starts; /* edges of node i: edges[starts[i]] ... edges[starts[i + 1] - 1] */
    uint32_t *edges;  /* indices into the list of edges that the graph was built from */
    uint32_t *targets;
} Graph;

void graph_build(Graph *graph, uint32_t node_count, const Edges *edges);
void graph_free(Graph *graph);
/* Writes the strongly connected component of each node and returns their number (components.h). */
uint32_t graph_components(uint32_t node_count, const Edges *edges, uint32_t *component);
