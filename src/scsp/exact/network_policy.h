/* Policies as trees that follow the order of the variables: a decision has one child, a draw one
 * for each value. Nodes are added after their children, so that branches can be shared and one pass
 * over the nodes evaluates all of them, exactly. */
#pragma once

#include "scsp/network/constraint_network.h"
#include "scsp/network/rational.h"

#define POLICY_LEAF UINT32_MAX
#define POLICY_NONE UINT32_MAX

typedef struct {
    uint64_t weight; /* probability, as a share of the weights of all branches */
    uint32_t value, node;
} PolicyBranch;

typedef struct {
    uint32_t variable; /* POLICY_LEAF at the end */
    bool is_chance;
    uint32_t first, count; /* branches, or a player's amounts at a leaf */
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
/* The branches have been put together by the caller. */
uint32_t policy_add_chance(Policy *policy, uint32_t variable, const PolicyBranch *branches,
                           uint32_t count);

/* What the player gets from it on average. */
Rational policy_value(const Policy *policy, uint32_t player);
