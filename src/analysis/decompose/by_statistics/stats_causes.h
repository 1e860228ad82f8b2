/* Cause and effect in a game as the statistical method sees it (stats_causes.c), and which sets of
 * literals may be the door to the rest of a series (stats_doors.c). */
#pragma once

#include "analysis/decompose/by_statistics/stats_internal.h"
#include "base/graph.h"

typedef struct {
    Stats *s;
    const Circuit *c;
    uint32_t literals, vertices; /* moves come after the literals */
    Edges edges;
    Graph out, in;
    Graph effects; /* from moves to what they bring about */
    uint32_t *part;
    uint32_t parts;
    size_t words;
    uint64_t *reach;      /* by part: the parts behind it; itself if it is on a cycle */
    bool *leads_to_moves; /* by part */
    bool *is_hinge;       /* by literal */
    VECTOR(Crossing) candidates;
    Table known; /* candidates */
} Causes;

/* The graph, what lies behind what, and the hinges. False, and no more than arcs, if the graph has
 * too many parts to say; to be closed in any case. */
bool causes_open(Causes *k, Stats *stats);
void causes_close(Causes *k);
/* Whether the one vertex leads to the other. */
bool causes_reach(const Causes *k, uint32_t from, uint32_t to);
/* The literals beside a move in the rules for what it brings about, ended by UINT32_MAX. */
const uint32_t *causes_beside(const Causes *k, uint32_t move, Effect effect);

/* Fills in the candidates. */
void causes_list_doors(Causes *k, Deadline deadline);
