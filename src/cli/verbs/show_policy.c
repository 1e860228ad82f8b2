/* Prints policies. Lines repeat branches that are shared; the graph has each node once. */
#include "cli/verbs/show_policy.h"

#include <stdio.h>

#include "base/bitset.h"

typedef struct {
    const PolicyView *view;
    size_t lines, most;
} Printer;

/* The recursion is at most twice as deep as the match has turns. */
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
            policy_write_share(p->view, node, branch, &line);
            text_add_char(&line, ' ');
        }
        policy_write_branch(p->view, node, branch, &line);
        if (child->variable == POLICY_LEAF) {
            text_add(&line, " -> ");
            text_printf(&line, "%d", policy_goal(p->view, child));
        }
        puts(text_string(&line));
        vector_free(&line);
        print_node(p, branch->node, node->is_chance || node->count > 1 ? depth + 1 : depth);
    }
}

void print_policy(const PolicyView *v, size_t max_lines) {
    Printer p = {v, 0, max_lines};
    print_node(&p, v->policy->root, 0);
    if (p.lines > max_lines)
        puts("  ... (--verbose shows all)");
}

void write_policy_dot(const PolicyView *v, Text *out) {
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
