/* Pairing as many as possible: matchings in any graph, improved path by path (Edmonds 1965). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MATCHING_NONE UINT32_MAX

typedef struct {
    size_t count;
    bool *edges;        /* count * count, symmetric */
    uint32_t *partners; /* MATCHING_NONE if it has none */
    /* Of the search for one path: */
    uint32_t *parents, *bases, *queue;
    bool *reached, *blossom;
} Matching;

/* A graph without edges, nothing paired. */
void matching_start(Matching *matching, size_t count);
void matching_free(Matching *matching);
void matching_set_edge(Matching *matching, size_t a, size_t b, bool is_edge);
/* Pairs as many as can be; true if that is everybody. */
bool matching_complete(Matching *matching);
/* When everybody is paired: makes a and b partners for good if the others can all be paired still.
 * Neither may have been fixed before. */
bool matching_fix(Matching *matching, size_t a, size_t b);
