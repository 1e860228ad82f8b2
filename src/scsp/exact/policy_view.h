/* A policy with what its numbers mean, for whoever shows it. */
#pragma once

#include "scsp/exact/belief_search.h"
#include "scsp/network/template.h"

typedef struct {
    const Template *template;
    const Scsp *network; /* whose variables the policy names; NULL: the template's actions */
    const Policy *policy;
    char *const *percepts; /* what the branches of draws mean then */
    uint32_t player;
} PolicyView;

/* The turn of a node, from 1; 0 where none is known. */
uint32_t policy_turn(const PolicyView *view, const PolicyNode *node);
/* "bob (choice r v)", "random (roll p)", or what is perceived. */
void policy_write_branch(const PolicyView *view, const PolicyNode *node, const PolicyBranch *branch,
                         Text *out);
/* The probability of a branch of a draw, as a fraction. */
void policy_write_share(const PolicyView *view, const PolicyNode *node, const PolicyBranch *branch,
                        Text *out);
/* What the player gets at a leaf. */
int policy_goal(const PolicyView *view, const PolicyNode *leaf);
/* Bitset of the nodes that the root leads to; the caller frees it. */
uint64_t *policy_reached(const PolicyView *view);
