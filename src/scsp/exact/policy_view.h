/* A policy together with the meaning of its numbers, for showing it to people. */
#pragma once

#include "scsp/exact/belief_search.h"
#include "scsp/network/template.h"

typedef struct {
    const Template *template;
    const Scsp *network; /* network of the policy's variables; NULL for that of the template */
    const Policy *policy;
    char *const *percepts; /* by index of a branch of POLICY_PERCEPTS: its percepts as text */
    uint32_t player;
} PolicyView;

/* Returns the turn of a node, from 1 on; 0 if it is unknown. */
uint32_t policy_turn(const PolicyView *view, const PolicyNode *node);
/* Writes "bob (choice r v)", "random (roll p)" or the percepts. */
void policy_write_branch(const PolicyView *view, const PolicyNode *node, const PolicyBranch *branch,
                         Text *out);
/* Writes the probability of a branch of a draw as a fraction. */
void policy_write_share(const PolicyView *view, const PolicyNode *node, const PolicyBranch *branch,
                        Text *out);
/* Returns the goal of the player at a leaf. */
int policy_goal(const PolicyView *view, const PolicyNode *leaf);
/* Appends the policy in the language of graphviz, each node once. */
void policy_write_dot(const PolicyView *view, Text *out);
/* Returns a bitset of the nodes reachable from the root. The caller frees it. */
uint64_t *policy_reached(const PolicyView *view);
