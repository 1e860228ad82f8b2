/* Branches may be shared, so the forms for programs list each node once. */
#include "cli/show_policy.h"

#include <stdio.h>

#include "base/bitset.h"

static const ScspVariable *variable_of(const PolicyView *v, const PolicyNode *node) {
    const Scsp *n = v->network ? v->network : &v->template->network;
    return &n->variables.items[node->variable];
}

/* "bob (choice r v)", "random (roll p)", or what is perceived. */
static void write_branch(const PolicyView *v, const PolicyNode *node, const PolicyBranch *branch,
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
    game_role_text(v->template->game, x->role, out);
    text_add_char(out, ' ');
    template_write_value(v->template, x, branch->value, out);
}

static uint64_t total_weight(const PolicyView *v, const PolicyNode *node) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < node->count; i++)
        total += v->policy->branches.items[node->first + i].weight;
    return total;
}

static void write_share(const PolicyView *v, const PolicyNode *node, const PolicyBranch *branch,
                        Text *out) {
    rational_write(rational_of(branch->weight, total_weight(v, node)), out);
}

static void write_goals(const PolicyView *v, const PolicyNode *node, Text *out) {
    for (uint32_t r = 0; r < node->count; r++)
        if (r == v->player)
            text_printf(out, "%d", (int)v->policy->amounts.items[node->first + r]);
}

typedef struct {
    const PolicyView *view;
    size_t lines, most;
} Printer;

/* As deep as the match has turns, twice. */
static void print_node(Printer *p, uint32_t number, uint32_t depth) {
    const PolicyNode *node = &p->view->policy->nodes.items[number];
    if (node->variable == POLICY_LEAF)
        return;
    for (uint32_t i = 0; i < node->count; i++) {
        const PolicyBranch *branch = &p->view->policy->branches.items[node->first + i];
        const PolicyNode *child = &p->view->policy->nodes.items[branch->node];
        Text line = {0};
        if (p->lines++ >= p->most)
            return;
        text_add_spaces(&line, 2 + 2 * (size_t)depth);
        if (node->is_chance) {
            write_share(p->view, node, branch, &line);
            text_add_char(&line, ' ');
        }
        write_branch(p->view, node, branch, &line);
        if (child->variable == POLICY_LEAF) {
            text_add(&line, " -> ");
            write_goals(p->view, child, &line);
        }
        puts(text_string(&line));
        vector_free(&line);
        print_node(p, branch->node, node->is_chance || node->count > 1 ? depth + 1 : depth);
    }
}

void print_policy(const PolicyView *v, size_t most_lines) {
    Printer p = {v, 0, most_lines};
    print_node(&p, v->policy->root, 0);
    if (p.lines > most_lines)
        puts("  ... (--verbose shows all)");
}

/* Bitset of the nodes that the root leads to; children stand before their parents. */
static uint64_t *find_reached(const PolicyView *v) {
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

static json_t *json_branches(const PolicyView *v, const PolicyNode *node) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < node->count; i++) {
        const PolicyBranch *branch = &v->policy->branches.items[node->first + i];
        Text what = {0}, share = {0};
        write_branch(v, node, branch, &what);
        write_share(v, node, branch, &share);
        json_t *object = json_object();
        json_object_set_new(object, "what", json_text(text_string(&what)));
        if (node->is_chance)
            json_object_set_new(object, "probability", json_text(text_string(&share)));
        json_object_set_new(object, "node", json_integer(branch->node));
        json_array_append_new(array, object);
        vector_free(&what);
        vector_free(&share);
    }
    return array;
}

static json_t *json_node(const PolicyView *v, uint32_t number) {
    const PolicyNode *node = &v->policy->nodes.items[number];
    json_t *object = json_object();
    json_object_set_new(object, "node", json_integer(number));
    if (node->variable == POLICY_LEAF) {
        json_object_set_new(object, "kind", json_text("end"));
        json_object_set_new(object, "goal",
                            json_integer(v->policy->amounts.items[node->first + v->player]));
        return object;
    }
    json_object_set_new(object, "kind", json_text(node->is_chance ? "chance" : "decision"));
    if (v->network)
        json_object_set_new(object, "turn", json_integer(variable_of(v, node)->level + 1));
    json_object_set_new(object, "branches", json_branches(v, node));
    return object;
}

json_t *json_policy(const PolicyView *v) {
    if (v->policy->root == POLICY_NONE)
        return json_null();
    uint64_t *reached = find_reached(v);
    json_t *nodes = json_array(), *object = json_object();
    for (uint32_t i = v->policy->root + 1; i-- > 0;)
        if (bitset_get(reached, i))
            json_array_append_new(nodes, json_node(v, i));
    json_object_set_new(object, "root", json_integer(v->policy->root));
    json_object_set_new(object, "nodes", nodes);
    free(reached);
    return object;
}

void write_policy_dot(const PolicyView *v, Text *out) {
    uint64_t *reached = find_reached(v);
    text_add(out, "digraph policy {\n  rankdir=LR;\n");
    for (uint32_t i = v->policy->root + 1; i-- > 0;) {
        const PolicyNode *node = &v->policy->nodes.items[i];
        if (!bitset_get(reached, i))
            continue;
        Text label = {0};
        if (node->variable == POLICY_LEAF)
            write_goals(v, node, &label);
        text_printf(out, "  n%u [shape=%s,label=\"%s\"];\n", i,
                    node->variable == POLICY_LEAF ? "plaintext"
                    : node->is_chance             ? "circle"
                                                  : "box",
                    text_string(&label));
        for (uint32_t k = 0; node->variable != POLICY_LEAF && k < node->count; k++) {
            const PolicyBranch *branch = &v->policy->branches.items[node->first + k];
            text_clear(&label);
            if (node->is_chance) {
                write_share(v, node, branch, &label);
                text_add_char(&label, ' ');
            }
            write_branch(v, node, branch, &label);
            text_printf(out, "  n%u -> n%u [label=\"%s\"];\n", i, branch->node,
                        text_string(&label));
        }
        vector_free(&label);
    }
    text_add(out, "}\n");
    free(reached);
}
