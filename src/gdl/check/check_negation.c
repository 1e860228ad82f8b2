/* Stratification: no relation may depend on its own negation. The definition looks only at names.
 * Many published games say `goal 0` if not `goal 100`, which violates the definition but is clear.
 * So cycles are first searched among relations, then among single clauses with their arguments;
 * only a cycle that remains there is an error. */
#include "base/components.h"
#include "base/graph.h"
#include "base/text.h"
#include "gdl/check/check_internal.h"
#include "gdl/unify.h"

/* Steps of a cycle that are printed; premises compared with conclusions (untuned). */
enum { MAX_CYCLE_LENGTH = 12, MAX_COMPARISONS = 2000000 };

typedef struct {
    uint32_t predicate;  /* predecessor on the path */
    uint32_t dependency; /* dependency of the predecessor that leads here */
    bool reached;
} Step;

typedef struct {
    uint32_t from;          /* predicate */
    const Dependency *step; /* negative dependency of `from`, or NULL */
} Negation;

typedef struct {
    Check *check;
    Step *steps;
    U32Vector queue;
    Negation *first; /* by component of predicates: a negation inside it */
    Negation *real; /* by component of predicates: a negation over which a rule depends on itself */
    Edges links;    /* from clauses to the clauses that may derive their premises */
    VECTOR(Negation) negations; /* by link */
    unsigned comparisons; /* comparisons of premises with conclusions that are still allowed */
} Cycles;

static void add_step(Check *check, Text *text, const Dependency *d) {
    const Clause *clause = &check->rules->clauses.items[d->clause];
    uint32_t node = clause_literals(check->rules, clause)[d->literal].node;
    text_printf(text, " -> %s%s (line %u)", d->negative ? "not " : "",
                check_name(check, predicate_at(check, d->target)->symbol), check_line(check, node));
}

/* Breadth-first search from a predicate within its component until `goal` is reached. */
static void find_path(Cycles *c, uint32_t start, uint32_t goal) {
    const Check *check = c->check;
    uint32_t component = predicate_at(check, start)->component;
    vector_clear(&c->queue);
    vector_push(&c->queue, start);
    c->steps[start].reached = true;
    for (size_t head = 0; head < c->queue.count && !c->steps[goal].reached; head++) {
        uint32_t from = c->queue.items[head];
        const Predicate *p = predicate_at(check, from);
        for (uint32_t i = 0; i < p->dependencies.count; i++) {
            uint32_t to = p->dependencies.items[i].target;
            if (c->steps[to].reached || predicate_at(check, to)->component != component)
                continue;
            c->steps[to] = (Step){from, i, true};
            vector_push(&c->queue, to);
        }
    }
}

static void write_path(Cycles *c, Text *text, uint32_t start, uint32_t goal) {
    U32Vector back = {0};
    for (uint32_t p = goal; p != start; p = c->steps[p].predicate)
        vector_push(&back, p);
    size_t written = 0;
    for (size_t i = back.count; i > 0; i--, written++) {
        const Step *step = &c->steps[back.items[i - 1]];
        if (written < MAX_CYCLE_LENGTH)
            add_step(
                c->check, text,
                &predicate_at(c->check, step->predicate)->dependencies.items[step->dependency]);
        else if (written == MAX_CYCLE_LENGTH)
            text_printf(text, " -> ... (%zu more) -> %s", i,
                        check_name(c->check, predicate_at(c->check, goal)->symbol));
    }
    vector_free(&back);
}

static void report_cycle(Cycles *c, uint32_t component) {
    Check *check = c->check;
    const Negation *real = &c->real[component], *first = &c->first[component];
    const Negation *shown = real->step ? real : first;
    const Dependency *d = shown->step;
    const Clause *clause = &check->rules->clauses.items[d->clause];
    uint32_t node = check_name_node(check, clause_literals(check->rules, clause)[d->literal].node);
    const char *name = check_name(check, predicate_at(check, shown->from)->symbol);
    Text text = {0};
    text_add(&text, name);
    add_step(check, &text, d);
    find_path(c, d->target, shown->from);
    write_path(c, &text, d->target, shown->from);
    if (real->step) {
        if (check_say(check, CODE_UNSTRATIFIED, node, "`%s` depends on its own negation: %s", name,
                      text_string(&text)))
            report_hint(check->report, "what holds cannot follow from the same thing not holding");
    } else if (check_say(check, CODE_LOOSE_NEGATION, node,
                         "`%s` depends on its own negation, though with other arguments: %s", name,
                         text_string(&text))) {
        report_hint(check->report, "GDL forbids it and some players reject it; "
                                   "name what both rules share, and use that in both");
    }
    vector_free(&text);
}

static void link_clauses(Cycles *c, uint32_t from, const Dependency *d) {
    const Rules *rules = c->check->rules;
    const Clause *clause = &rules->clauses.items[d->clause];
    Term premise = clause_literals(rules, clause)[d->literal].atom;
    const U32Vector *targets = &predicate_at(c->check, d->target)->clauses;
    for (size_t i = 0; i < targets->count; i++) {
        uint32_t target = targets->items[i];
        if (c->comparisons) {
            c->comparisons--;
            if (!terms_may_match(&rules->terms, premise, rules->clauses.items[target].head))
                continue;
        }
        vector_push(&c->links, ((Edge){d->clause, target}));
        vector_push(&c->negations, ((Negation){from, d->negative ? d : NULL}));
        if (!c->comparisons)
            return; /* without comparisons, one link has the same effect as many */
    }
}

static void visit_inner_steps(Cycles *c, bool only_negative) {
    for (uint32_t i = 0; i < c->check->predicates.items.count; i++) {
        const Predicate *p = predicate_at(c->check, i);
        for (size_t j = 0; j < p->dependencies.count; j++) {
            const Dependency *d = &p->dependencies.items[j];
            if (predicate_at(c->check, d->target)->component != p->component)
                continue;
            if (!only_negative && c->first[p->component].step)
                link_clauses(c, i, d);
            else if (only_negative && d->negative && !c->first[p->component].step)
                c->first[p->component] = (Negation){i, d};
        }
    }
}

/* A negation is harmless if no rule depends on itself over it. */
static void find_real_cycles(Cycles *c) {
    uint32_t clauses = (uint32_t)c->check->rules->clauses.count;
    visit_inner_steps(c, false);
    if (!c->links.count)
        return;
    Graph graph;
    graph_build(&graph, clauses, &c->links);
    uint32_t *component = check_zalloc(c->check, clauses, sizeof *component);
    components_find(clauses, graph.starts, graph.targets, component);
    for (size_t i = 0; i < c->links.count; i++) {
        const Negation *negation = &c->negations.items[i];
        const Edge *link = &c->links.items[i];
        if (!negation->step || component[link->from] != component[link->to])
            continue;
        Negation *real = &c->real[predicate_at(c->check, negation->from)->component];
        if (!real->step)
            *real = *negation;
    }
    graph_free(&graph);
}

void check_stratification(Check *check) {
    size_t count = check->predicates.items.count, components = check->predicates.component_count;
    Cycles c = {.check = check,
                .steps = check_zalloc(check, count, sizeof(Step)),
                .first = check_zalloc(check, components, sizeof(Negation)),
                .real = check_zalloc(check, components, sizeof(Negation)),
                .comparisons = MAX_COMPARISONS};
    visit_inner_steps(&c, true);
    find_real_cycles(&c);
    for (uint32_t i = 0; i < components; i++)
        if (c.first[i].step)
            report_cycle(&c, i);
    vectors_free(&c.queue, &c.links, &c.negations);
}
