/* Tests the table of predicates, their dependencies and the order of evaluation. */
#include "gdl/predicates.h"
#include "support.h"

static Rules *rules;
static Predicates predicates;

static void collect(const char *text) {
    rules = rules_of(text);
    predicates = (Predicates){0};
    predicates_collect(&predicates, rules);
}

static void let_go(void) {
    predicates_free(&predicates);
    rules_free(rules);
}

static uint32_t find(const char *name, uint32_t arity) {
    Symbol symbol = symbols_find(&rules->syntax->symbols, name, strlen(name));
    return predicates_find(&predicates, symbol, arity);
}

static const Predicate *get(const char *name, uint32_t arity) {
    uint32_t id = find(name, arity);
    cr_assert_neq(id, PREDICATE_NONE, "%s/%u", name, arity);
    return &predicates.items.items[id];
}

Test(predicates, name_and_arity) {
    collect("(p a) (p a b) (<= (q ?x) (p ?x) (not (p ?x a)) (distinct ?x a))");
    cr_assert_eq(predicates.items.count, 3);
    cr_assert_eq(get("p", 1)->clauses.count, 1);
    cr_assert_eq(get("q", 1)->dependencies.count, 2);
    cr_assert(!get("q", 1)->dependencies.items[0].negative);
    cr_assert(get("q", 1)->dependencies.items[1].negative);
    cr_assert_eq(get("p", 2)->uses, 1);
    cr_assert_eq(find("p", 3), PREDICATE_NONE);
    cr_assert_eq(find("distinct", 2), PREDICATE_NONE);
    let_go();
}

Test(predicates, components_come_in_order_of_evaluation) {
    collect("(<= a b) (<= b c) (<= c b) (<= c d) d (<= e e)");
    cr_assert_eq(get("b", 0)->component, get("c", 0)->component);
    cr_assert_lt(get("d", 0)->component, get("c", 0)->component);
    cr_assert_lt(get("c", 0)->component, get("a", 0)->component);
    cr_assert_eq(predicates.component_count, 4);
    cr_assert(predicate_is_recursive(&predicates, find("b", 0)));
    cr_assert(predicate_is_recursive(&predicates, find("e", 0)));
    cr_assert(!predicate_is_recursive(&predicates, find("a", 0)));
    uint32_t *order = predicates_in_order(&predicates);
    for (size_t i = 1; i < predicates.items.count; i++)
        cr_assert_leq(predicates.items.items[order[i - 1]].component,
                      predicates.items.items[order[i]].component);
    free(order);
    let_go();
}

Test(predicates, what_moves_can_change) {
    collect("(s a) (<= (t ?x) (s ?x)) (<= (u ?x) (true ?x)) (<= (v ?x) (u ?x) (does r ?x))"
            "(<= (w ?x) (not (v ?x)) (s ?x)) (<= (x1 ?x) (x2 ?x)) (<= (x2 ?x) (x1 ?x) (u ?x))");
    cr_assert(!get("t", 1)->depends_on_true && !get("t", 1)->depends_on_does);
    cr_assert(get("u", 1)->depends_on_true && !get("u", 1)->depends_on_does);
    cr_assert(get("v", 1)->depends_on_true && get("v", 1)->depends_on_does);
    cr_assert(get("w", 1)->depends_on_does);
    cr_assert(get("x1", 1)->depends_on_true && get("x2", 1)->depends_on_true);
    let_go();
}

/* A chain of a hundred thousand predicates must not overflow the C stack. */
Test(predicates, long_chains) {
    Text text = {0};
    for (int i = 0; i < 100000; i++)
        text_printf(&text, "(<= p%d p%d)", i, i + 1);
    collect(text.items);
    cr_assert_eq(predicates.component_count, 100001);
    let_go();
    vector_free(&text);
}
