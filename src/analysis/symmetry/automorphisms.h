/* Automorphisms of coloured graphs, by nauty (McKay and Piperno 2014) within a budget of CPU time.
 * nauty keeps its workspace per thread, so that several threads may search at once. Its flag to
 * stop is global, so that the search is left by a jump from a hook instead. */
#pragma once

#include "analysis/certainty.h"
#include "base/graph.h"

typedef struct {
    VECTOR(uint32_t *) generators; /* each has the images by vertex; owned */
    U32Vector indices;             /* if complete, their product is the order of the group */
    bool is_complete;              /* false if the budget was spent; the generators are valid */
} Automorphisms;

/* `colours` has the colour of each vertex. Edges are undirected, each given once or twice. */
void automorphisms_find(Automorphisms *found, const U32Vector *colours, const Edges *edges,
                        CpuBudget budget);
void automorphisms_free(Automorphisms *found);
