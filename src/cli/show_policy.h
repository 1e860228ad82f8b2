/* A policy as indented lines, as JSON and as a graph for graphviz. */
#ifndef MARELLE_CLI_SHOW_POLICY_H
#define MARELLE_CLI_SHOW_POLICY_H

#include "cli/output.h"
#include "scsp/belief_search.h"
#include "scsp/expectimax.h"

typedef struct {
    const Template *template;
    const Scsp *network; /* whose variables the policy names; NULL: the template's actions */
    const Policy *policy;
    char *const *percepts; /* what the branches of draws mean then */
    uint32_t player;
} PolicyView;

/* At most that many lines. */
void print_policy(const PolicyView *view, size_t most_lines);
/* An object with the number of the root, and nodes that name their children by number. */
json_t *json_policy(const PolicyView *view);
void write_policy_dot(const PolicyView *view, Text *out);

#endif
