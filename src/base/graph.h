/* Directed graphs on nodes 0..n-1, given as a list of edges and built once into compressed rows:
 * the form in which components_find takes them and searches walk them. */
#pragma once

#include "base/vector.h"

typedef struct {
    uint32_t from, to;
} Edge;

typedef VECTOR(Edge) Edges;

typedef struct {
    uint32_t node_count;
    uint32_t *starts; /* the edges that leave node i stand at starts[i] .. starts[i + 1] - 1 */
    uint32_t *edges;  /* numbers of edges in the list they were built from */
    uint32_t *targets;
} Graph;

void graph_build(Graph *graph, uint32_t node_count, const Edges *edges);
void graph_free(Graph *graph);
