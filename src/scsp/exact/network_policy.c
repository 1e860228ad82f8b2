/* Builds policies node by node and evaluates them in one pass with exact fractions. */
#include "scsp/exact/network_policy.h"

#include <assert.h>

void policy_free(Policy *p) {
    vectors_free(&p->nodes, &p->branches, &p->amounts);
}

static uint32_t add_node(Policy *p, PolicyNode node) {
    vector_push(&p->nodes, node);
    return (uint32_t)p->nodes.count - 1;
}

uint32_t policy_add_leaf(Policy *p, const int32_t *amounts) {
    PolicyNode node = {POLICY_LEAF, false, (uint32_t)p->amounts.count, p->player_count};
    vector_append(&p->amounts, amounts, p->player_count);
    return add_node(p, node);
}

uint32_t policy_add_decision(Policy *p, uint32_t variable, uint32_t value, uint32_t child) {
    assert(child < p->nodes.count);
    PolicyNode node = {variable, false, (uint32_t)p->branches.count, 1};
    vector_push(&p->branches, ((PolicyBranch){1, value, child}));
    return add_node(p, node);
}

uint32_t policy_add_chance(Policy *p, uint32_t variable, const PolicyBranch *branches,
                           uint32_t count) {
    PolicyNode node = {variable, true, (uint32_t)p->branches.count, count};
    vector_append(&p->branches, branches, count);
    return add_node(p, node);
}

uint64_t policy_weight(const Policy *p, const PolicyNode *node) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < node->count; i++)
        total += p->branches.items[node->first + i].weight;
    return total;
}

static Rational mean_of(const Policy *p, const PolicyNode *node, const Rational *values) {
    Rational mean = {0, 1};
    uint64_t total = policy_weight(p, node);
    for (uint32_t i = 0; i < node->count; i++) {
        const PolicyBranch *branch = &p->branches.items[node->first + i];
        Rational share = rational_of(branch->weight, total);
        mean = rational_add(mean, rational_multiply(share, values[branch->node]));
    }
    return mean;
}

Rational policy_value(const Policy *p, uint32_t player) {
    assert(p->root != POLICY_NONE && player < p->player_count);
    Rational *values = memory_alloc((p->root + 1) * sizeof *values);
    for (uint32_t i = 0; i <= p->root; i++) {
        const PolicyNode *node = &p->nodes.items[i];
        if (node->variable == POLICY_LEAF)
            values[i] = rational_of((uint64_t)p->amounts.items[node->first + player], p->unit);
        else
            values[i] = mean_of(p, node, values);
    }
    Rational value = values[p->root];
    free(values);
    return value;
}
