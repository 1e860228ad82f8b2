/* The causal graph of the statistical method (stats_causes.c), and the sets of literals that may be
 * the crossing point to the rest of a series (stats_crossing_candidates.c). */
#pragma once

#include "analysis/decompose/by_statistics/stats_internal.h"
#include "base/graph.h"

typedef struct {
    StatsMethod *s;
    const Circuit *c;
    uint32_t literals; /* number of literals, which are the first vertices */
    uint32_t vertices; /* number of vertices: literals, then moves */
    Edges edges;
    Graph out, in;        /* successors and predecessors of each vertex */
    Graph effects;        /* maps moves to their effects */
    uint32_t *part;       /* by vertex: its strongly connected component */
    uint32_t parts;       /* number of components */
    size_t words;         /* 64-bit words per bitset of components */
    uint64_t *reach;      /* by component: bitset of the components that it leads to */
    bool *leads_to_moves; /* by component: some move can be reached from it */
    bool *is_hinge;       /* by literal: something causes it, and moves can be reached from it */
    VECTOR(Crossing) candidates;
    Table known; /* maps the literals of a candidate to its index */
    Arena arena; /* owns the arrays */
} Causes;

/* Builds the graph, its closure and the hinges. Returns false, with the graph only, if there are
 * too many components. Call causes_close in either case. */
bool causes_open(Causes *k, StatsMethod *stats);
void causes_close(Causes *k);
/* True if a path leads from one vertex to the other. */
bool causes_reach(const Causes *k, uint32_t from, uint32_t to);
/* Returns the literals beside the move in the rules for the effect, ended by UINT32_MAX. */
const uint32_t *causes_beside(const Causes *k, uint32_t move, Effect effect);

/* Lists the candidates for crossing points. */
void causes_list_candidates(Causes *k, Deadline deadline);
