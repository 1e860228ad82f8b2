/* Components are numbered in order of evaluation, so the longest chain is found in one pass. */
#include "gdl/info.h"

#include <assert.h>

static void count_expressions(Info *info, const Syntax *syntax) {
    for (size_t i = 0; i < syntax->roots.count; i++) {
        uint32_t root = syntax->roots.items[i];
        bool is_rule = list_head(syntax, root) == KEYWORD_IMPLIES;
        info->rules += is_rule;
        info->facts += !is_rule;
        uint32_t depth = node_depth(syntax, root);
        if (depth > info->deepest_nesting)
            info->deepest_nesting = depth;
    }
}

static void measure_recursion(Info *info) {
    const Predicates *predicates = &info->predicates;
    uint32_t *chains = memory_zalloc(predicates->component_count * sizeof *chains);
    uint32_t *members = memory_zalloc(predicates->component_count * sizeof *members);
    uint32_t *order = predicates_in_order(predicates);
    for (size_t i = 0; i < predicates->items.count; i++) {
        const Predicate *p = &predicates->items.items[order[i]];
        bool is_recursive = predicate_is_recursive(predicates, order[i]);
        info->recursive_predicates += is_recursive;
        uint32_t size = members[p->component] += is_recursive;
        if (size > info->largest_recursive_component)
            info->largest_recursive_component = size;
        uint32_t chain = chains[p->component] ? chains[p->component] : 1;
        for (size_t d = 0; d < p->dependencies.count; d++) {
            uint32_t target = p->dependencies.items[d].target;
            uint32_t component = predicates->items.items[target].component;
            if (component != p->component && chains[component] + 1 > chain)
                chain = chains[component] + 1;
        }
        chains[p->component] = chain;
        if (chain > info->longest_chain)
            info->longest_chain = chain;
    }
    memory_free(order, members, chains);
}

void info_collect(Info *info, const Rules *rules) {
    assert(info && rules && rules->syntax);
    *info = (Info){0};
    const Source *source = rules->syntax->source;
    info->bytes = source->length;
    info->lines =
        source->length ? source_place(rules->syntax->source, (uint32_t)source->length).line : 0;
    if (source->length &&
        (source->text[source->length - 1] == '\n' || source->text[source->length - 1] == '\r'))
        info->lines--;
    count_expressions(info, rules->syntax);
    info->clauses = rules->clauses.count;
    predicates_collect(&info->predicates, rules);
    measure_recursion(info);
}

void info_free(Info *info) {
    predicates_free(&info->predicates);
    *info = (Info){0};
}
