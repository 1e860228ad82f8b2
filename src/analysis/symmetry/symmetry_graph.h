/* The coloured graph whose automorphisms are the symmetries of a game. Edges lead from a fluent to
 * its next value, from a move to its role and its legality, and from a rule to its conclusion and
 * its premises. Negated premises have a vertex of their own. */
#pragma once

#include "analysis/symmetry/canonical_rules.h"
#include "base/graph.h"

#define VERTEX_NONE UINT32_MAX

typedef struct SymmetryGraph {
    U32Vector colours; /* by vertex */
    Edges edges;       /* undirected edges, each once */
    uint32_t *fluents; /* by fluent: its vertex; VERTEX_NONE for constants */
    uint32_t *moves;   /* by move: its vertex; VERTEX_NONE if it is never legal */
    uint32_t *roles;
} SymmetryGraph;

/* `random` is the role of chance; role_count if there is none. */
SymmetryGraph *symmetry_graph_create(const CanonicalRules *rules, const Ternary *constants,
                                     uint32_t random, bool swap_roles);
/* Adds a vertex without edges and returns its number. */
uint32_t symmetry_graph_add_vertex(SymmetryGraph *graph, uint32_t colour);
void symmetry_graph_add_edge(SymmetryGraph *graph, uint32_t from, uint32_t to);
void symmetry_graph_free(SymmetryGraph *graph);
