/* Plans the clauses of a component. GDL demands that no predicate depends on its own negation, yet
 * many published games say that a role gets 0 unless it gets 100. Such a component is divided into
 * layers of clauses: a clause depends on the clauses whose conclusions match its premises, and only
 * a negation on a cycle of clauses is an error. */
#include <assert.h>

#include "game/interpreter/interpreter_internal.h"
#include "gdl/unify.h"

/* Clauses of a component with inner negation. The closure of their dependencies takes cubic
 * time. */
enum { MAX_CLAUSES_WITH_NEGATION = 1000 }; /* (untuned) */

typedef struct {
    Interpreter *interpreter;
    Program *program;
    uint32_t component;
    U32Vector clauses; /* all clauses of the component */
    bool *reaches;     /* true at [a, b] if clause a depends on clause b, directly or not; only with
                          inner negation */
    U32Vector reach;   /* by clause: the number of clauses it depends on */
    Report *report;
} Layering;

static const Clause *clause_at(const Layering *l, size_t index) {
    return &l->interpreter->rules->clauses.items[l->clauses.items[index]];
}

static bool concludes(const Layering *l, size_t index, const Literal *literal) {
    return literal->kind != LITERAL_DISTINCT &&
           terms_may_match(&l->interpreter->rules->terms, clause_at(l, index)->head, literal->atom);
}

static bool is_same_layer(const Layering *l, size_t a, size_t b) {
    size_t count = l->clauses.count;
    return a == b || (l->reaches[a * count + b] && l->reaches[b * count + a]);
}

static void find_reachable_clauses(Layering *l) {
    size_t count = l->clauses.count;
    l->reaches = memory_zalloc(count * count);
    for (size_t a = 0; a < count; a++) {
        const Clause *clause = clause_at(l, a);
        for (uint32_t k = 0; k < clause->literal_count; k++)
            for (size_t b = 0; b < count; b++)
                l->reaches[a * count + b] |=
                    concludes(l, b, &clause_literals(l->interpreter->rules, clause)[k]);
    }
    for (size_t via = 0; via < count; via++)
        for (size_t a = 0; a < count; a++)
            if (l->reaches[a * count + via])
                for (size_t b = 0; b < count; b++)
                    l->reaches[a * count + b] |= l->reaches[via * count + b];
    for (size_t a = 0; a < count; a++) {
        uint32_t reach = 0;
        for (size_t b = 0; b < count; b++)
            reach += l->reaches[a * count + b];
        vector_push(&l->reach, reach);
    }
}

/* True if clauses of the same layer conclude the literal. */
static bool is_recursive(const Layering *l, size_t index, const Literal *literal) {
    const Interpreter *in = l->interpreter;
    if (literal->kind == LITERAL_DISTINCT)
        return false;
    if (!l->reaches) {
        uint32_t target = predicate_of_atom(&in->predicates, &in->rules->terms, literal->atom);
        return in->predicates.items.items[target].component == l->component;
    }
    for (size_t b = 0; b < l->clauses.count; b++) {
        bool depends_on_itself = l->reaches[index * l->clauses.count + index];
        if ((b != index || depends_on_itself) && is_same_layer(l, index, b) &&
            concludes(l, b, literal))
            return true;
    }
    return false;
}

static bool plan_one(Layering *l, size_t index, bool recursive) {
    const Rules *rules = l->interpreter->rules;
    const Clause *clause = clause_at(l, index);
    uint32_t number = l->clauses.items[index];
    bool is_good = true, uses_layer = false;
    for (uint32_t k = 0; k < clause->literal_count; k++) {
        const Literal *literal = &clause_literals(rules, clause)[k];
        if (!is_recursive(l, index, literal))
            continue;
        uses_layer = true;
        if (!recursive)
            continue;
        if (literal->kind == LITERAL_POSITIVE) {
            is_good &= plan_clause(l->interpreter, l->program, number, k, l->report);
        } else {
            report_node(l->report, SEVERITY_ERROR, "unstratified", rules->syntax, literal->node,
                        "this negation is part of a recursion");
            is_good = false;
        }
    }
    if (!recursive && !uses_layer)
        is_good = plan_clause(l->interpreter, l->program, number, LITERAL_NONE, l->report);
    return is_good;
}

/* Plans the layer of a clause, or the whole component if there is only one. */
static bool plan_layer(Layering *l, size_t first, bool *is_done) {
    Layer layer = {0};
    bool is_good = true;
    for (int recursive = 0; recursive < 2; recursive++) {
        *(recursive ? &layer.first_recursive : &layer.first_plan) =
            (uint32_t)l->program->plans.count;
        for (size_t i = 0; i < l->clauses.count; i++)
            if (!l->reaches || is_same_layer(l, first, i)) {
                is_good &= plan_one(l, i, recursive);
                is_done[i] = true;
            }
    }
    layer.plan_count = layer.first_recursive - layer.first_plan;
    layer.recursive_count = (uint32_t)l->program->plans.count - layer.first_recursive;
    vector_push(&l->interpreter->components.items[l->component].layers, layer);
    return is_good;
}

bool plan_component(Interpreter *in, Program *program, uint32_t number, Report *report) {
    assert(number < in->components.count);
    vector_reserve(&program->operands, 1); /* plans point into these: never NULL */
    vector_reserve(&program->actions, 1);
    vector_reserve(&program->uses, 1);
    Component *component = &in->components.items[number];
    Layering l = {.interpreter = in, .program = program, .component = number, .report = report};
    for (size_t m = 0; m < component->members.count; m++) {
        const U32Vector *clauses = &in->predicates.items.items[component->members.items[m]].clauses;
        vector_append(&l.clauses, clauses->items, clauses->count);
    }
    bool is_good = true;
    if (component->has_inner_negation && l.clauses.count > MAX_CLAUSES_WITH_NEGATION) {
        report_error(report, "unstratified",
                     "more than %d rules depend on one another with negations among them",
                     MAX_CLAUSES_WITH_NEGATION);
        is_good = false;
    } else if (component->has_inner_negation) {
        find_reachable_clauses(&l);
    }
    bool *is_done = memory_zalloc(l.clauses.count + 1);
    vector_clear(&component->layers);
    while (is_good) {
        size_t next = SIZE_MAX; /* the clause with the fewest dependencies comes first */
        for (size_t i = 0; i < l.clauses.count; i++)
            if (!is_done[i] &&
                (next == SIZE_MAX || (l.reaches && l.reach.items[i] < l.reach.items[next])))
                next = i;
        if (next == SIZE_MAX)
            break;
        is_good &= plan_layer(&l, next, is_done);
    }
    memory_free(is_done, l.reaches);
    vectors_free(&l.clauses, &l.reach);
    return is_good;
}
