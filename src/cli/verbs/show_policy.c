/* Prints policies. Lines repeat branches that are shared. */
#include "cli/verbs/show_policy.h"

#include <stdio.h>

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
