/* Strongly connected components of a directed graph, in order of evaluation: an edge leads to the
 * same or to a smaller component. */
#pragma once

#include <stdint.h>

/* The edges of node i are targets[first[i]] ... targets[first[i + 1] - 1]. Writes the component of
 * each node and returns their number. */
uint32_t components_find(uint32_t nodes, const uint32_t *first, const uint32_t *targets,
                         uint32_t *component);
