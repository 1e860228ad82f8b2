/* Rules that can never fire. The set of possible things is the least set closed under the rules, if
 * negations and arguments are ignored. A fluent is possible if `init` or a `next` rule that can
 * fire produces it. Undefined relations are reported by other checks and count as possible here, so
 * each element that remains impossible depends on itself. */
#include <assert.h>

#include "base/graph.h"
#include "gdl/check/check_internal.h"

typedef struct {
    Check *check;
    uint32_t fluent_base, move_base, element_count; /* things are predicates, fluents and moves */
    Graph waiting;                                  /* from things to the clauses that need them */
    uint32_t *missing; /* by clause: number of positive premises not known to be possible */
    bool *possible;    /* by element */
    U32Vector pending; /* possible things that are not yet propagated to their clauses */
} Firing;

#define ELEMENT_NONE UINT32_MAX

/* The fluent or move of an atom; ELEMENT_NONE if it has none, or a variable. */
static uint32_t state_element(const Firing *f, Term atom) {
    const Check *check = f->check;
    const Terms *terms = check->terms;
    int index = check_content_of(check, atom);
    if (index < 0)
        return ELEMENT_NONE;
    Term content = term_argument(terms, atom, (uint32_t)index);
    const Functors *functors = index == 0 ? &check->fluents : &check->moves;
    const Functor *functor =
        functors_find(functors, term_symbol(terms, content), term_arity(terms, content));
    uint32_t base = index == 0 ? f->fluent_base : f->move_base;
    return functor ? base + (uint32_t)(functor - functors->items.items) : ELEMENT_NONE;
}

static uint32_t premise_element(const Firing *f, Term atom) {
    const Check *check = f->check;
    bool of_state =
        check_is_keyword(check, atom, KEYWORD_TRUE) || check_is_keyword(check, atom, KEYWORD_DOES);
    return of_state ? state_element(f, atom)
                    : predicate_of_atom(&check->predicates, check->terms, atom);
}

static void become_possible(Firing *f, uint32_t element) {
    assert(element == ELEMENT_NONE || element < f->element_count);
    if (element == ELEMENT_NONE || f->possible[element])
        return;
    f->possible[element] = true;
    vector_push(&f->pending, element);
}

static void fire(Firing *f, const Clause *clause) {
    const Check *check = f->check;
    become_possible(f, predicate_of_atom(&check->predicates, check->terms, clause->head));
    Symbol head = term_symbol(check->terms, clause->head);
    if (head == KEYWORD_INIT || head == KEYWORD_NEXT || head == KEYWORD_LEGAL)
        become_possible(f, state_element(f, clause->head));
}

static void spread(Firing *f) {
    while (f->pending.count) {
        uint32_t element = vector_pop(&f->pending);
        for (uint32_t e = f->waiting.starts[element]; e < f->waiting.starts[element + 1]; e++) {
            uint32_t clause = f->waiting.targets[e];
            if (--f->missing[clause] == 0)
                fire(f, &f->check->rules->clauses.items[clause]);
        }
    }
}

static void collect_needs(Firing *f) {
    const Rules *rules = f->check->rules;
    Edges edges = {0};
    for (uint32_t i = 0; i < rules->clauses.count; i++) {
        const Clause *clause = &rules->clauses.items[i];
        const Literal *literals = clause_literals(rules, clause);
        for (uint32_t j = 0; j < clause->literal_count; j++) {
            bool positive = literals[j].kind == LITERAL_POSITIVE;
            uint32_t element = positive ? premise_element(f, literals[j].atom) : ELEMENT_NONE;
            if (element == ELEMENT_NONE)
                continue;
            vector_push(&edges, ((Edge){element, i}));
            f->missing[i]++;
        }
    }
    graph_build(&f->waiting, f->element_count, &edges);
    vector_free(&edges);
}

static void assume_unwritten(Firing *f, const Functors *functors, uint32_t base) {
    for (uint32_t i = 0; i < functors->items.count; i++)
        if (functors->any_written || functors->items.items[i].written == SYNTAX_NODE_NONE)
            become_possible(f, base + i);
}

/* Marks as possible what other checks report as never produced, so that its consequences are not
 * reported again. */
static void assume_the_undefined(Firing *f) {
    const Check *check = f->check;
    for (uint32_t i = 0; i < check->predicates.items.count; i++)
        if (!check->predicates.items.items[i].clauses.count)
            become_possible(f, i);
    assume_unwritten(f, &check->fluents, f->fluent_base);
    assume_unwritten(f, &check->moves, f->move_base);
}

static bool blocks_itself(const Firing *f, uint32_t predicate) {
    const Predicates *predicates = &f->check->predicates;
    const Predicate *p = &predicates->items.items[predicate];
    for (size_t i = 0; i < p->dependencies.count; i++) {
        uint32_t target = p->dependencies.items[i].target;
        bool inside = predicates->items.items[target].component == p->component;
        if (inside && !f->possible[target] && !p->dependencies.items[i].negative)
            return true;
    }
    return false;
}

/* Reporting a predicate makes it possible, so that only causes are reported, not consequences. */
static void report_predicates(Firing *f, bool only_cycles) {
    Check *check = f->check;
    uint32_t *order = predicates_in_order(&check->predicates);
    for (size_t i = 0; i < check->predicates.items.count; i++) {
        const Predicate *p = &check->predicates.items.items[order[i]];
        if (f->possible[order[i]] || (only_cycles && !blocks_itself(f, order[i])))
            continue;
        uint32_t root = check->rules->clauses.items[p->clauses.items[0]].root;
        check_say(check, CODE_NEVER_FIRES, check_name_node(check, check_head_node(check, root)),
                  "`%s` can never hold: each of its rules needs what follows from it",
                  check_name(check, p->symbol));
        become_possible(f, order[i]);
        spread(f);
    }
    free(order);
}

static void report_functors(Firing *f, const Functors *functors, uint32_t base, const char *kind,
                            const char *advice) {
    Check *check = f->check;
    for (uint32_t i = 0; i < functors->items.count; i++) {
        const Functor *functor = &functors->items.items[i];
        if (f->possible[base + i])
            continue;
        if (check_say(check, CODE_NEVER_FIRES, check_name_node(check, functor->written),
                      "the %s `%s` can never occur: each rule for it needs it already", kind,
                      check_name(check, functor->symbol)))
            report_hint(check->report, "%s", advice);
        become_possible(f, base + i);
        spread(f);
    }
}

void check_firing(Check *check) {
    uint32_t predicates = (uint32_t)check->predicates.items.count;
    uint32_t fluents = (uint32_t)check->fluents.items.count;
    uint32_t count = predicates + fluents + (uint32_t)check->moves.items.count;
    Firing f = {.check = check,
                .fluent_base = predicates,
                .move_base = predicates + fluents,
                .element_count = count,
                .missing = check_zalloc(check, check->rules->clauses.count, sizeof(uint32_t)),
                .possible = check_zalloc(check, count, sizeof(bool))};
    collect_needs(&f);
    assume_the_undefined(&f);
    for (size_t i = 0; i < check->rules->clauses.count; i++)
        if (!f.missing[i])
            fire(&f, &check->rules->clauses.items[i]);
    spread(&f);
    report_predicates(&f, true);
    report_functors(&f, &check->fluents, f.fluent_base, "fluent",
                    "an `init` fact or a `next` rule without it would make it start");
    report_functors(&f, &check->moves, f.move_base, "move",
                    "a `legal` rule without it would make it start");
    report_predicates(&f, false);
    graph_free(&f.waiting);
    vector_free(&f.pending);
}
