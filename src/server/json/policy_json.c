/* A policy is a graph, because branches are shared. Each reached node is written once, parents
 * before children. */
#include "server/json/inside_json.h"

#include "base/bitset.h"
#include "server/json/json.h"

static json_t *branches_json(const PolicyView *v, const PolicyNode *node) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < node->count; i++) {
        const PolicyBranch *branch = &v->policy->branches.items[node->first + i];
        Text what = {0}, share = {0};
        policy_write_branch(v, node, branch, &what);
        if (node->is_chance)
            policy_write_share(v, node, branch, &share);
        array_push(array, object_of("what", take_text_json(&what), "probability",
                                    node->is_chance ? take_text_json(&share) : NULL, "node",
                                    json_integer(branch->node)));
    }
    return array;
}

static json_t *node_json(const PolicyView *v, uint32_t number) {
    const PolicyNode *node = &v->policy->nodes.items[number];
    if (node->variable == POLICY_LEAF)
        return object_of("node", json_integer(number), "kind", text_json("end"), "goal",
                         json_integer(policy_goal(v, node)));
    uint32_t turn = policy_turn(v, node);
    return object_of("node", json_integer(number), "kind",
                     text_json(node->is_chance ? "chance" : "decision"), "turn",
                     turn ? json_integer(turn) : NULL, "branches", branches_json(v, node));
}

json_t *policy_json(const PolicyView *v) {
    if (v->policy->root == POLICY_NONE)
        return json_null();
    uint64_t *reached = policy_reached(v);
    json_t *nodes = json_array();
    for (uint32_t i = v->policy->root + 1; i-- > 0;)
        if (bitset_get(reached, i))
            array_push(nodes, node_json(v, i));
    free(reached);
    return object_of("root", json_integer(v->policy->root), "nodes", nodes);
}
