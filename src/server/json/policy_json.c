/* A policy is a graph, because branches are shared. Each reached node is written once, parents
 * before children. */
#include "server/json/inside_json.h"

#include "base/bitset.h"
#include "server/json/json.h"

static json_t *json_branches(const PolicyView *v, const PolicyNode *node) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < node->count; i++) {
        const PolicyBranch *branch = &v->policy->branches.items[node->first + i];
        Text what = {0}, share = {0};
        policy_write_branch(v, node, branch, &what);
        if (node->is_chance)
            policy_write_share(v, node, branch, &share);
        json_push(array, json_of("what", json_take(&what), "probability",
                                 node->is_chance ? json_take(&share) : NULL, "node",
                                 json_integer(branch->node)));
    }
    return array;
}

static json_t *json_node(const PolicyView *v, uint32_t number) {
    const PolicyNode *node = &v->policy->nodes.items[number];
    if (node->variable == POLICY_LEAF)
        return json_of("node", json_integer(number), "kind", json_text("end"), "goal",
                       json_integer(policy_goal(v, node)));
    uint32_t turn = policy_turn(v, node);
    return json_of("node", json_integer(number), "kind",
                   json_text(node->is_chance ? "chance" : "decision"), "turn",
                   turn ? json_integer(turn) : NULL, "branches", json_branches(v, node));
}

json_t *json_policy(const PolicyView *v) {
    if (v->policy->root == POLICY_NONE)
        return json_null();
    uint64_t *reached = policy_reached(v);
    json_t *nodes = json_array();
    for (uint32_t i = v->policy->root + 1; i-- > 0;)
        if (bitset_get(reached, i))
            json_push(nodes, json_node(v, i));
    free(reached);
    return json_of("root", json_integer(v->policy->root), "nodes", nodes);
}
