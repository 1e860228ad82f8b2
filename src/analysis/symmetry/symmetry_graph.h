/* The coloured graph whose automorphisms are the symmetries of a game. A fluent is tied to its next
 * value, a move to its role and its legality; rules are joined to what they conclude and to their
 * premises, negated ones through a vertex of their own. */
#pragma once

#include "analysis/symmetry/canonical_rules.h"
#include "base/graph.h"

#define VERTEX_NONE UINT32_MAX

typedef struct SymmetryGraph {
    U32Vector colours; /* by vertex */
    Edges edges;       /* each once */
    uint32_t *fluents; /* by fluent: its vertex, VERTEX_NONE for constants */
    uint32_t *moves;   /* by move: VERTEX_NONE if it is never legal */
    uint32_t *roles;
} SymmetryGraph;

/* `random` marks the role that is chance by its number, UINT32_MAX if there is none. */
SymmetryGraph *symmetry_graph_create(const CanonicalRules *normal, const Ternary *constants,
                                     uint32_t random, bool swap_roles);
/* The vertex, which has no edges yet. */
uint32_t symmetry_graph_add_vertex(SymmetryGraph *graph, uint32_t colour);
void symmetry_graph_add_edge(SymmetryGraph *graph, uint32_t from, uint32_t to);
void symmetry_graph_free(SymmetryGraph *graph);
