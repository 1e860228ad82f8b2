/* A policy is a graph, because branches are shared. Each reached node is written once, parents
 * before children. */
#include "server/json/policy_json.h"

#include "base/bitset.h"
#include "server/json/json.h"

static json_t *json_branches(const PolicyView *v, const PolicyNode *node) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < node->count; i++) {
        const PolicyBranch *branch = &v->policy->branches.items[node->first + i];
        Text what = {0}, share = {0};
        policy_write_branch(v, node, branch, &what);
        policy_write_share(v, node, branch, &share);
        json_t *object = json_of("what", json_text(text_string(&what)));
        if (node->is_chance)
            json_object_set_new(object, "probability", json_text(text_string(&share)));
        json_object_set_new(object, "node", json_integer(branch->node));
        json_push(array, object);
        vector_free(&what);
        vector_free(&share);
    }
    return array;
}

static json_t *json_node(const PolicyView *v, uint32_t number) {
    const PolicyNode *node = &v->policy->nodes.items[number];
    json_t *object = json_of("node", json_integer(number));
    if (node->variable == POLICY_LEAF) {
        json_add(object, "kind", json_text("end"), "goal", json_integer(policy_goal(v, node)));
        return object;
    }
    json_object_set_new(object, "kind", json_text(node->is_chance ? "chance" : "decision"));
    if (policy_turn(v, node))
        json_object_set_new(object, "turn", json_integer(policy_turn(v, node)));
    json_object_set_new(object, "branches", json_branches(v, node));
    return object;
}

json_t *json_policy(const PolicyView *v) {
    if (v->policy->root == POLICY_NONE)
        return json_null();
    uint64_t *reached = policy_reached(v);
    json_t *nodes = json_array(), *object = json_object();
    for (uint32_t i = v->policy->root + 1; i-- > 0;)
        if (bitset_get(reached, i))
            json_push(nodes, json_node(v, i));
    json_add(object, "root", json_integer(v->policy->root), "nodes", nodes);
    free(reached);
    return object;
}
