/* Automorphisms of coloured graphs, by nauty (McKay and Piperno 2014), within a budget of CPU time.
 * nauty keeps its workspace per thread, so that several threads may search at once. Its stop flag
 * is global, so that a search is stopped by a jump from a hook instead. */
#pragma once

#include "analysis/certainty.h"
#include "base/graph.h"

typedef struct {
    VECTOR(uint32_t *) generators; /* each is an array of images, indexed by vertex; owned */
    U32Vector indices; /* if the search is complete, their product is the order of the group */
    bool is_complete;  /* false if the budget ran out; the generators are still valid */
} Automorphisms;

/* Finds automorphisms. Colours are by vertex. Undirected edges are given once or twice. */
void automorphisms_find(Automorphisms *found, const U32Vector *colours, const Edges *edges,
                        CpuBudget budget);
void automorphisms_free(Automorphisms *found);
