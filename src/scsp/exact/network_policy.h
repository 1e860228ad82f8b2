/* A policy is a tree, or a graph with shared branches, whose levels follow the order of the
 * variables. A decision has one child; a draw has one child per value. Children are added before
 * their parents, so that one pass over the nodes evaluates the policy exactly. */
#pragma once

#include "scsp/network/constraint_network.h"
#include "scsp/network/rational.h"

#define POLICY_LEAF UINT32_MAX
#define POLICY_NONE UINT32_MAX

typedef struct {
    uint64_t weight; /* probability as a share of the sum of the weights of all branches */
    uint32_t value, node;
} PolicyBranch;

typedef struct {
    uint32_t variable; /* variable that is decided or drawn; POLICY_LEAF for a leaf */
    bool is_chance;
    uint32_t first, count; /* range of its branches; at a leaf the range of the amounts by player */
} PolicyNode;

typedef struct {
    VECTOR(PolicyNode) nodes;
    VECTOR(PolicyBranch) branches;
    VECTOR(int32_t) amounts;
    uint32_t root; /* POLICY_NONE if there is no policy */
    uint32_t player_count, unit;
} Policy;

void policy_free(Policy *policy);
uint32_t policy_add_leaf(Policy *policy, const int32_t *amounts);
uint32_t policy_add_decision(Policy *policy, uint32_t variable, uint32_t value, uint32_t child);
/* Adds a draw and copies its branches. Returns its node. */
uint32_t policy_add_chance(Policy *policy, uint32_t variable, const PolicyBranch *branches,
                           uint32_t count);

/* Returns the sum of the weights of a node's branches. */
uint64_t policy_weight(const Policy *policy, const PolicyNode *node);
/* Returns the expected value of the player. */
Rational policy_value(const Policy *policy, uint32_t player);
