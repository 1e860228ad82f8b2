/* One pass over the clauses collects the predicates; the rest are algorithms on the dependency
 * graph. */
#include "gdl/predicates.h"

#include <assert.h>

#include "base/components.h"

uint32_t predicates_find(const Predicates *predicates, Symbol symbol, uint32_t arity) {
    return tuples_find(&predicates->keys, (uint32_t[]){symbol, arity});
}

uint32_t predicate_of_atom(const Predicates *predicates, const Terms *terms, Term atom) {
    return predicates_find(predicates, term_symbol(terms, atom), term_arity(terms, atom));
}

static uint32_t find_or_add(Predicates *predicates, const Terms *terms, Term atom, uint32_t node) {
    Symbol symbol = term_symbol(terms, atom);
    uint32_t arity = term_arity(terms, atom);
    if (tuples_insert(&predicates->keys, (uint32_t[]){symbol, arity}))
        vector_push(&predicates->items,
                    ((Predicate){.symbol = symbol, .arity = arity, .first_node = node}));
    return predicates_find(predicates, symbol, arity);
}

static void collect_clause(Predicates *predicates, const Rules *rules, uint32_t index) {
    const Clause *clause = &rules->clauses.items[index];
    uint32_t head = find_or_add(predicates, &rules->terms, clause->head, clause->root);
    vector_push(&predicates->items.items[head].clauses, index);
    for (uint32_t i = 0; i < clause->literal_count; i++) {
        const Literal *literal = &clause_literals(rules, clause)[i];
        if (literal->kind == LITERAL_DISTINCT)
            continue;
        uint32_t target = find_or_add(predicates, &rules->terms, literal->atom, literal->node);
        predicates->items.items[target].uses++;
        vector_push(&predicates->items.items[head].dependencies,
                    ((Dependency){target, index, i, literal->kind == LITERAL_NEGATIVE}));
    }
}

static void find_components(Predicates *predicates) {
    size_t count = predicates->items.count;
    U32Vector first = {0}, targets = {0};
    for (size_t i = 0; i < count; i++) {
        const Predicate *p = &predicates->items.items[i];
        vector_push(&first, (uint32_t)targets.count);
        for (size_t d = 0; d < p->dependencies.count; d++)
            vector_push(&targets, p->dependencies.items[d].target);
    }
    vector_push(&first, (uint32_t)targets.count);
    uint32_t *component = memory_alloc(count * sizeof *component);
    predicates->component_count =
        components_find((uint32_t)count, first.items, targets.items, component);
    for (size_t i = 0; i < count; i++)
        predicates->items.items[i].component = component[i];
    free(component);
    vectors_free(&first, &targets);
}

/* The members of a component depend on each other, so they share the result. Components are visited
 * in order of evaluation. */
static void find_what_moves_can_change(Predicates *predicates) {
    typedef struct {
        bool on_true, on_does;
    } Answer;
    size_t count = predicates->items.count;
    Answer *answers = memory_zalloc(predicates->component_count * sizeof *answers);
    uint32_t *order = predicates_in_order(predicates);
    for (size_t i = 0; i < count; i++) {
        const Predicate *p = &predicates->items.items[order[i]];
        Answer *answer = &answers[p->component];
        answer->on_true |= p->symbol == KEYWORD_TRUE && p->arity == 1;
        answer->on_does |= p->symbol == KEYWORD_DOES && p->arity == 2;
        for (size_t d = 0; d < p->dependencies.count; d++) {
            uint32_t target = p->dependencies.items[d].target;
            const Answer *other = &answers[predicates->items.items[target].component];
            answer->on_true |= other->on_true;
            answer->on_does |= other->on_does;
        }
    }
    for (size_t i = 0; i < count; i++) {
        Predicate *p = &predicates->items.items[i];
        p->depends_on_true = answers[p->component].on_true;
        p->depends_on_does = answers[p->component].on_does;
    }
    memory_free(answers, order);
}

uint32_t *predicates_in_order(const Predicates *predicates) {
    size_t count = predicates->items.count;
    uint32_t *order = memory_alloc(count * sizeof *order);
    uint32_t *starts = memory_zalloc((predicates->component_count + 1) * sizeof *starts);
    for (size_t i = 0; i < count; i++)
        starts[predicates->items.items[i].component + 1]++;
    for (uint32_t c = 0; c < predicates->component_count; c++)
        starts[c + 1] += starts[c];
    for (uint32_t i = 0; i < count; i++)
        order[starts[predicates->items.items[i].component]++] = i;
    free(starts);
    return order;
}

void predicates_collect(Predicates *predicates, const Rules *rules) {
    tuples_init(&predicates->keys, 2);
    for (uint32_t i = 0; i < rules->clauses.count; i++)
        collect_clause(predicates, rules, i);
    find_components(predicates);
    find_what_moves_can_change(predicates);
}

bool predicate_is_recursive(const Predicates *predicates, uint32_t predicate) {
    assert(predicate < predicates->items.count);
    const Predicate *p = &predicates->items.items[predicate];
    for (size_t i = 0; i < p->dependencies.count; i++)
        if (predicates->items.items[p->dependencies.items[i].target].component == p->component)
            return true;
    return false;
}

void predicates_free(Predicates *predicates) {
    for (size_t i = 0; i < predicates->items.count; i++)
        vectors_free(&predicates->items.items[i].clauses, &predicates->items.items[i].dependencies);
    vector_free(&predicates->items);
    tuples_free(&predicates->keys);
    *predicates = (Predicates){0};
}
