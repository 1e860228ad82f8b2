/* The causal graph of the statistical method (stats_causes.c), and the sets of literals that may be
 * the door to the rest of a series (stats_doors.c). */
#pragma once

#include "analysis/decompose/by_statistics/stats_internal.h"
#include "base/graph.h"

typedef struct {
    Stats *s;
    const Circuit *c;
    uint32_t literals; /* number of literals, the first vertices */
    uint32_t vertices; /* literals, then moves */
    Edges edges;
    Graph out, in;        /* the edges, and the reversed edges */
    Graph effects;        /* from moves to their effects */
    uint32_t *part;       /* by vertex: its strongly connected component */
    uint32_t parts;       /* number of components */
    size_t words;         /* of a bitset of components */
    uint64_t *reach;      /* by component: bitset of those behind it; itself if it is on a cycle */
    bool *leads_to_moves; /* by component */
    bool *is_hinge;       /* by literal: something brings it about, and moves lie behind it */
    VECTOR(Crossing) candidates;
    Table known; /* of candidates, by their literals */
    Arena arena; /* owns the arrays */
} Causes;

/* Makes the graph, its closure and the hinges. False, with nothing but the graph, if there are too
 * many components. To be closed in any case. */
bool causes_open(Causes *k, Stats *stats);
void causes_close(Causes *k);
/* True if a path leads from one vertex to the other. */
bool causes_reach(const Causes *k, uint32_t from, uint32_t to);
/* The literals in one conjunction with the move in the rules for the effect, ended by UINT32_MAX.
 */
const uint32_t *causes_beside(const Causes *k, uint32_t move, Effect effect);

/* Fills in the candidates for doors. */
void causes_list_doors(Causes *k, Deadline deadline);
