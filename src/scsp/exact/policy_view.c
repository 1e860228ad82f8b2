/* Shows policies to people. Branches may be shared, so nodes are listed by reachability. */
#include "scsp/exact/policy_view.h"

#include "base/bitset.h"

static const ScspVariable *variable_of(const PolicyView *v, const PolicyNode *node) {
    const Scsp *n = v->network ? v->network : &v->template->network;
    return &n->variables.items[node->variable];
}

uint32_t policy_turn(const PolicyView *v, const PolicyNode *node) {
    return v->network && node->variable != POLICY_LEAF ? variable_of(v, node)->turn + 1 : 0;
}

void policy_write_branch(const PolicyView *v, const PolicyNode *node, const PolicyBranch *branch,
                         Text *out) {
    if (node->variable == POLICY_PERCEPTS) {
        if (branch->value == POLICY_END)
            text_add(out, "the end");
        else
            text_printf(out, "sees %s",
                        *v->percepts[branch->value] ? v->percepts[branch->value] : "nothing");
        return;
    }
    const ScspVariable *x = variable_of(v, node);
    text_add(out, v->template->game->roles[x->role]);
    text_add_char(out, ' ');
    template_write_value(v->template, x, branch->value, out);
}

void policy_write_share(const PolicyView *v, const PolicyNode *node, const PolicyBranch *branch,
                        Text *out) {
    rational_write(rational_of(branch->weight, policy_weight(v->policy, node)), out);
}

int policy_goal(const PolicyView *v, const PolicyNode *leaf) {
    return v->policy->amounts.items[leaf->first + v->player];
}

/* One pass suffices, because children have lower numbers than their parents. */
uint64_t *policy_reached(const PolicyView *v) {
    uint64_t *reached = memory_zalloc((bitset_words(v->policy->root + 1) + 1) * sizeof *reached);
    bitset_set(reached, v->policy->root);
    for (uint32_t i = v->policy->root + 1; i-- > 0;) {
        const PolicyNode *node = &v->policy->nodes.items[i];
        if (node->variable == POLICY_LEAF || !bitset_get(reached, i))
            continue;
        for (uint32_t k = 0; k < node->count; k++)
            bitset_set(reached, v->policy->branches.items[node->first + k].node);
    }
    return reached;
}

void policy_write_dot(const PolicyView *v, Text *out) {
    uint64_t *reached = policy_reached(v);
    text_add(out, "digraph policy {\n  rankdir=LR;\n");
    for (uint32_t i = v->policy->root + 1; i-- > 0;) {
        const PolicyNode *node = &v->policy->nodes.items[i];
        if (!bitset_get(reached, i))
            continue;
        Text label = {0};
        if (node->variable == POLICY_LEAF)
            text_printf(&label, "%d", policy_goal(v, node));
        text_printf(out, "  n%u [shape=%s,label=\"%s\"];\n", i,
                    node->variable == POLICY_LEAF ? "plaintext"
                    : node->is_chance             ? "circle"
                                                  : "box",
                    text_string(&label));
        for (uint32_t k = 0; node->variable != POLICY_LEAF && k < node->count; k++) {
            const PolicyBranch *branch = &v->policy->branches.items[node->first + k];
            text_clear(&label);
            if (node->is_chance) {
                policy_write_share(v, node, branch, &label);
                text_add_char(&label, ' ');
            }
            policy_write_branch(v, node, branch, &label);
            text_printf(out, "  n%u -> n%u [label=\"%s\"];\n", i, branch->node,
                        text_string(&label));
        }
        vector_free(&label);
    }
    text_add(out, "}\n");
    free(reached);
}
