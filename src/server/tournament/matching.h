/* Maximum matchings in general graphs by augmenting paths (Edmonds 1965). Used to pair the players
 * of a Swiss round. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MATCHING_NONE UINT32_MAX

typedef struct {
    size_t count;
    bool *edges;        /* by a * count + b, symmetric */
    uint32_t *partners; /* by vertex; MATCHING_NONE if unpaired */
    bool *fixed;        /* by vertex: its partner is permanent */
    /* Scratch memory of the search for one augmenting path: */
    uint32_t *parents, *bases, *queue;
    bool *reached, *blossom;
} Matching;

/* Starts with a graph without edges and nothing paired. */
void matching_start(Matching *matching, size_t count);
void matching_free(Matching *matching);
void matching_set_edge(Matching *matching, size_t a, size_t b, bool is_edge);
/* Pairs as many vertices as possible; true if all are paired. */
bool matching_complete(Matching *matching);
/* Makes a and b partners permanently, if all others can still be paired. All vertices must be
 * paired, and neither a nor b fixed before. */
bool matching_fix(Matching *matching, size_t a, size_t b);
