/* Planning is greedy: the next premise is the one with the fewest expected matches, given the
 * variables bound so far. Tests (distinct, and negations of static relations) run as soon as their
 * variables are bound. Negations of relations that can change are left to the visitor. */
#include "ground/join.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void compile_pattern(const Terms *terms, JoinClause *clause, U32Vector *variables,
                            uint32_t at, Term term) {
    Pattern pattern = {PATTERN_TERM, term, 0, 0};
    if (term_is_variable(terms, term)) {
        pattern.kind = PATTERN_SLOT;
        pattern.value = u32_place(variables, term);
    } else if (!term_is_ground(terms, term)) {
        uint32_t arity = term_arity(terms, term);
        pattern.kind = PATTERN_COMPOUND;
        pattern.value = term_symbol(terms, term);
        pattern.arity = arity;
        pattern.children = (uint32_t)clause->patterns.count;
        (void)vector_extend(&clause->patterns, arity);
        for (uint32_t i = 0; i < arity; i++)
            compile_pattern(terms, clause, variables, pattern.children + i,
                            term_argument(terms, term, i));
    }
    clause->patterns.items[at] = pattern;
}

static uint32_t compile_columns(const FlatProgram *program, JoinClause *clause,
                                U32Vector *variables, uint32_t first_column, uint32_t count) {
    uint32_t first = (uint32_t)clause->patterns.count;
    (void)vector_extend(&clause->patterns, count);
    for (uint32_t i = 0; i < count; i++)
        compile_pattern(program->terms, clause, variables, first + i,
                        program->columns.items[first_column + i]);
    return first;
}

JoinClause join_compile(const FlatProgram *program, const ProgramClause *source,
                        const bool *grows) {
    JoinClause clause = {.head = source->head};
    U32Vector variables = {0};
    vector_reserve(&clause.patterns, 8); /* the array must not be NULL, even without columns */
    clause.head_patterns = compile_columns(program, &clause, &variables, source->first_column,
                                           program->relations.items[source->head].arity);
    for (uint32_t i = 0; i < source->premise_count; i++) {
        const Premise *premise = clause_premise(program, source, i);
        JoinPremise compiled = {
            .kind = premise->kind, .relation = premise->relation, .arity = premise->column_count};
        if (premise->kind != LITERAL_DISTINCT) {
            compiled.is_dynamic = !program->relations.items[premise->relation].is_static;
            compiled.is_delta = premise->kind == LITERAL_POSITIVE && grows[premise->relation];
        }
        compiled.first_pattern = compile_columns(program, &clause, &variables,
                                                 premise->first_column, premise->column_count);
        vector_push(&clause.premises, compiled);
    }
    clause.slot_count = (uint32_t)variables.count;
    vector_free(&variables);
    return clause;
}

void join_clause_free(JoinClause *clause) {
    vectors_free(&clause->patterns, &clause->premises);
}

Term join_instantiate(const JoinClause *clause, const Pattern *pattern, Terms *terms,
                      const Term *slots, bool create) {
    if (pattern->kind == PATTERN_TERM)
        return pattern->value;
    if (pattern->kind == PATTERN_SLOT)
        return slots[pattern->value];
    Term arguments[RELATION_MAX_COLUMNS];
    assert(pattern->arity <= RELATION_MAX_COLUMNS);
    for (uint32_t i = 0; i < pattern->arity; i++) {
        const Pattern *child = &clause->patterns.items[pattern->children + i];
        arguments[i] = join_instantiate(clause, child, terms, slots, create);
        if (arguments[i] == TERM_NONE)
            return TERM_NONE;
    }
    if (!create)
        return terms_find(terms, pattern->value, arguments, pattern->arity);
    return terms_make(terms, pattern->value, arguments, pattern->arity);
}

typedef enum { STEP_MATCH, STEP_DISTINCT, STEP_ABSENT } StepKind;

typedef struct {
    StepKind kind;
    uint32_t premise;
    uint64_t bound_mask;
    uint32_t index;        /* index on the bound columns; unused if no or all columns are bound */
    uint32_t first, limit; /* range of tuples to visit: first <= tuple < limit */
    uint32_t unbinds, unbind_count; /* range of Plan.slots_bound: slots that this step binds */
} Step;

typedef struct {
    const JoinClause *clause;
    JoinData *data;
    JoinVisitor visit;
    void *context;
    VECTOR(Step) steps;
    U32Vector slots_bound;
    Term *slots;
    uint32_t *tuples;
    uint32_t tried; /* tuples visited since may_go_on was last called */
} Plan;

static bool pattern_is_bound(const JoinClause *clause, const Pattern *pattern, const bool *bound) {
    if (pattern->kind == PATTERN_TERM)
        return true;
    if (pattern->kind == PATTERN_SLOT)
        return bound[pattern->value];
    for (uint32_t i = 0; i < pattern->arity; i++)
        if (!pattern_is_bound(clause, &clause->patterns.items[pattern->children + i], bound))
            return false;
    return true;
}

static uint64_t bound_columns(const JoinClause *clause, const JoinPremise *premise,
                              const bool *bound) {
    uint64_t mask = 0;
    for (uint32_t i = 0; i < premise->arity; i++)
        if (pattern_is_bound(clause, &clause->patterns.items[premise->first_pattern + i], bound))
            mask |= 1ull << i;
    return mask;
}

static void bind_pattern(Plan *plan, const Pattern *pattern, bool *bound) {
    if (pattern->kind == PATTERN_SLOT && !bound[pattern->value]) {
        bound[pattern->value] = true;
        vector_push(&plan->slots_bound, pattern->value);
    } else if (pattern->kind == PATTERN_COMPOUND) {
        for (uint32_t i = 0; i < pattern->arity; i++)
            bind_pattern(plan, &plan->clause->patterns.items[pattern->children + i], bound);
    }
}

static void bind_premise(Plan *plan, const JoinPremise *premise, bool *bound, Step *step) {
    step->unbinds = (uint32_t)plan->slots_bound.count;
    for (uint32_t i = 0; i < premise->arity; i++)
        bind_pattern(plan, &plan->clause->patterns.items[premise->first_pattern + i], bound);
    step->unbind_count = (uint32_t)plan->slots_bound.count - step->unbinds;
}

static double expected_matches(const Plan *plan, const JoinPremise *premise, const bool *bound) {
    GroundRelation *relation = plan->data->relations->items[premise->relation];
    uint64_t mask = bound_columns(plan->clause, premise, bound);
    if (mask == (premise->arity < 64 ? (1ull << premise->arity) - 1 : UINT64_MAX))
        return 0.5;
    double expected = relation->tuples.count;
    for (uint64_t m = mask; m; m &= m - 1)
        expected /= relation_distinct(relation, (uint32_t)__builtin_ctzll(m));
    /* A relation without bound columns multiplies the matches, so it is put off. */
    return mask ? expected : expected * 1000;
}

static void add_tests_that_became_ready(Plan *plan, bool *bound, bool *used) {
    const JoinClause *clause = plan->clause;
    for (uint32_t i = 0; i < clause->premises.count; i++) {
        const JoinPremise *premise = &clause->premises.items[i];
        bool is_test = premise->kind == LITERAL_DISTINCT ||
                       (premise->kind == LITERAL_NEGATIVE && !premise->is_dynamic);
        uint64_t all = premise->arity < 64 ? (1ull << premise->arity) - 1 : UINT64_MAX;
        if (!is_test || used[i] || bound_columns(clause, premise, bound) != all)
            continue;
        used[i] = true;
        StepKind kind = premise->kind == LITERAL_DISTINCT ? STEP_DISTINCT : STEP_ABSENT;
        vector_push(&plan->steps, ((Step){.kind = kind, .premise = i}));
    }
}

/* The index on the columns of a mask, brought up to date. */
static uint32_t index_on(TupleSet *tuples, uint64_t mask) {
    assert(mask && tuples->arity <= RELATION_MAX_COLUMNS);
    uint16_t columns[RELATION_MAX_COLUMNS];
    uint32_t count = 0;
    for (uint64_t m = mask; m; m &= m - 1)
        columns[count++] = (uint16_t)__builtin_ctzll(m);
    uint32_t index = tuples_index(tuples, columns, count);
    tuples_update_index(tuples, index);
    return index;
}

static void add_match(Plan *plan, uint32_t index, uint32_t delta, bool *bound, bool *used) {
    assert(!used[index] && plan->clause->premises.items[index].kind == LITERAL_POSITIVE);
    const JoinPremise *premise = &plan->clause->premises.items[index];
    GroundRelation *relation = plan->data->relations->items[premise->relation];
    Step step = {.kind = STEP_MATCH, .premise = index};
    step.bound_mask = bound_columns(plan->clause, premise, bound);
    step.limit = relation->tuples.count;
    if (premise->is_delta && delta != JOIN_NO_DELTA) {
        step.first = index == delta ? relation->old_end : 0;
        step.limit = index < delta ? relation->old_end : relation->delta_end;
    }
    uint64_t all = premise->arity < 64 ? (1ull << premise->arity) - 1 : UINT64_MAX;
    if (step.bound_mask && step.bound_mask != all)
        step.index = index_on(&relation->tuples, step.bound_mask);
    bind_premise(plan, premise, bound, &step);
    used[index] = true;
    vector_push(&plan->steps, step);
}

static void make_plan(Plan *plan, uint32_t delta) {
    const JoinClause *clause = plan->clause;
    bool *bound = memory_zalloc(clause->slot_count + 1);
    bool *used = memory_zalloc(clause->premises.count + 1);
    add_tests_that_became_ready(plan, bound, used);
    if (delta != JOIN_NO_DELTA) {
        add_match(plan, delta, delta, bound, used);
        add_tests_that_became_ready(plan, bound, used);
    }
    for (;;) {
        uint32_t best = UINT32_MAX;
        double best_matches = INFINITY;
        for (uint32_t i = 0; i < clause->premises.count; i++) {
            if (used[i] || clause->premises.items[i].kind != LITERAL_POSITIVE)
                continue;
            double matches = expected_matches(plan, &clause->premises.items[i], bound);
            if (matches < best_matches) {
                best = i;
                best_matches = matches;
            }
        }
        if (best == UINT32_MAX)
            break;
        add_match(plan, best, delta, bound, used);
        add_tests_that_became_ready(plan, bound, used);
    }
    memory_free(bound, used);
}

/* Matches a ground term against a pattern, binding free slots. */
static bool match(const Plan *plan, const Pattern *pattern, Term term) {
    if (pattern->kind == PATTERN_TERM)
        return pattern->value == term;
    if (pattern->kind == PATTERN_SLOT) {
        Term *slot = &plan->slots[pattern->value];
        if (*slot == TERM_NONE)
            *slot = term;
        return *slot == term;
    }
    const Terms *terms = plan->data->terms;
    if (term_symbol(terms, term) != pattern->value || term_arity(terms, term) != pattern->arity)
        return false;
    for (uint32_t i = 0; i < pattern->arity; i++)
        if (!match(plan, &plan->clause->patterns.items[pattern->children + i],
                   term_argument(terms, term, i)))
            return false;
    return true;
}

static bool run_steps(Plan *plan, size_t at);

static bool may_go_on(Plan *plan) {
    enum { TRIES_BETWEEN_QUESTIONS = 1 << 15 }; /* tuples (untuned) */
    if (++plan->tried < TRIES_BETWEEN_QUESTIONS)
        return true;
    plan->tried = 0;
    return !plan->data->may_go_on || plan->data->may_go_on(plan->context);
}

static bool match_tuple(Plan *plan, size_t at, uint32_t tuple) {
    if (!may_go_on(plan))
        return false;
    const Step *step = &plan->steps.items[at];
    const JoinPremise *premise = &plan->clause->premises.items[step->premise];
    const GroundRelation *relation = plan->data->relations->items[premise->relation];
    const Term *terms = relation_tuple(relation, tuple);
    const Pattern *patterns = &plan->clause->patterns.items[premise->first_pattern];
    bool matches = true;
    for (uint32_t i = 0; i < premise->arity && matches; i++)
        if (!(step->bound_mask >> i & 1))
            matches = match(plan, &patterns[i], terms[i]);
    plan->tuples[step->premise] = tuple;
    bool go_on = !matches || run_steps(plan, at + 1);
    step = &plan->steps.items[at];
    for (uint32_t i = 0; i < step->unbind_count; i++)
        plan->slots[plan->slots_bound.items[step->unbinds + i]] = TERM_NONE;
    return go_on;
}

/* Writes the values of the bound columns. False if one of them is a term that does not exist. */
static bool make_key(const Plan *plan, const JoinPremise *premise, uint64_t mask, Term *key) {
    for (uint64_t m = mask; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(m);
        key[i] = join_instantiate(plan->clause,
                                  &plan->clause->patterns.items[premise->first_pattern + i],
                                  plan->data->terms, plan->slots, false);
        if (key[i] == TERM_NONE)
            return false;
    }
    return true;
}

static bool run_match(Plan *plan, size_t at) {
    Step step = plan->steps.items[at];
    const JoinPremise *premise = &plan->clause->premises.items[step.premise];
    uint64_t all = premise->arity < 64 ? (1ull << premise->arity) - 1 : UINT64_MAX;
    if (step.bound_mask == 0 && premise->arity > 0) {
        for (uint32_t tuple = step.first; tuple < step.limit; tuple++)
            if (!match_tuple(plan, at, tuple))
                return false;
        return true;
    }
    Term key[RELATION_MAX_COLUMNS];
    if (!make_key(plan, premise, step.bound_mask, key))
        return true;
    GroundRelation *relation = plan->data->relations->items[premise->relation];
    if (step.bound_mask == all) {
        uint32_t tuple = relation_find(relation, key);
        bool counts = tuple != TUPLE_NONE && tuple >= step.first && tuple < step.limit;
        return !counts || match_tuple(plan, at, tuple);
    }
    const TupleSet *tuples = &relation->tuples;
    uint32_t next =
        tuples_next_match(tuples, step.index, key, tuples_chain(tuples, step.index, key));
    while (next > step.first) {
        uint32_t tuple = next - 1;
        if (tuple < step.limit && !match_tuple(plan, at, tuple))
            return false;
        next = tuples_next_match(tuples, step.index, key, tuples_older(tuples, step.index, tuple));
    }
    return true;
}

static bool test_holds(const Plan *plan, const Step *step) {
    const JoinPremise *premise = &plan->clause->premises.items[step->premise];
    Term key[RELATION_MAX_COLUMNS];
    if (step->kind == STEP_DISTINCT) {
        const Pattern *sides = &plan->clause->patterns.items[premise->first_pattern];
        for (int i = 0; i < 2; i++)
            key[i] =
                join_instantiate(plan->clause, &sides[i], plan->data->terms, plan->slots, true);
        return key[0] != key[1];
    }
    uint64_t all = premise->arity < 64 ? (1ull << premise->arity) - 1 : UINT64_MAX;
    if (!make_key(plan, premise, all, key))
        return true;
    return relation_find(plan->data->relations->items[premise->relation], key) == TUPLE_NONE;
}

static bool run_steps(Plan *plan, size_t at) {
    while (at < plan->steps.count && plan->steps.items[at].kind != STEP_MATCH) {
        if (!test_holds(plan, &plan->steps.items[at]))
            return true;
        at++;
    }
    if (at < plan->steps.count)
        return run_match(plan, at);
    JoinMatch m = {plan->slots, plan->tuples};
    return plan->visit(plan->context, plan->clause, &m);
}

bool join_run(const JoinClause *clause, uint32_t delta, JoinData *data, JoinVisitor visit,
              void *context) {
    assert(delta == JOIN_NO_DELTA || delta < clause->premises.count);
    Plan plan = {.clause = clause, .data = data, .visit = visit, .context = context};
    make_plan(&plan, delta);
    plan.slots = memory_alloc((clause->slot_count + 1) * sizeof *plan.slots);
    plan.tuples = memory_alloc((clause->premises.count + 1) * sizeof *plan.tuples);
    for (uint32_t i = 0; i < clause->slot_count; i++)
        plan.slots[i] = TERM_NONE;
    bool completed = run_steps(&plan, 0);
    memory_free(plan.slots, plan.tuples);
    vectors_free(&plan.steps, &plan.slots_bound);
    return completed;
}
