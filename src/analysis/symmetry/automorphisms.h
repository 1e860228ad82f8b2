/* Automorphisms of coloured graphs, through nauty and within a budget of CPU time. nauty keeps its
 * workspace by thread, so several threads may search at once; its flag to give up is one for the
 * whole program, so we leave its search from a hook instead. */
#pragma once

#include "analysis/certainty.h"
#include "base/graph.h"

typedef struct {
    VECTOR(uint32_t *) generators; /* images by vertex; owned */
    U32Vector indices;             /* their product is the order of the group; if complete */
    bool is_complete;              /* false: the budget was spent; the generators are valid */
} Automorphisms;

/* `colours` has one number a vertex; edges are undirected, each given once or twice. */
void automorphisms_find(Automorphisms *found, const U32Vector *colours, const Edges *edges,
                        CpuBudget budget);
void automorphisms_free(Automorphisms *found);
