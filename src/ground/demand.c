/* Each relation has one adornment: the columns that all its uses can bind. More may be asked than a
 * single use needs, but every instance of a clause is still found exactly once. What a use binds
 * depends on the adornment of its own clause, so adornments are a greatest fixpoint. */
#include "ground/demand.h"

#include <assert.h>
#include <string.h>

typedef struct {
    const FlatProgram *old;
    FlatProgram *program;
    ColumnSet *asked; /* by RelationId of the old program: columns that all uses bind */
    /* The current clause: */
    U32Vector order;        /* premises on demand, in the order in which they are asked */
    U32Vector bound;        /* variables bound so far */
    U32Vector bound_counts; /* per entry of `order`: how many of the bound variables it may use */
    uint32_t given;         /* bound variables that come from the question about the clause */
} Demand;

/* The first items of a list; shares its memory. */
static U32Vector first_of(const U32Vector *list, size_t count) {
    assert(count <= list->count);
    return (U32Vector){.items = list->items, .count = count};
}

static bool can_be_asked(const FlatRelation *info) {
    return info->keyword == SYMBOL_NONE && !info->is_whole && info->arity > 0 && info->arity <= 64;
}

/* Marks the relations that only relations on demand use. */
static void mark_private_relations(FlatProgram *program, const bool *fixed) {
    size_t count = program->relations.count;
    bool *used_freely = memory_alloc(count + 1);
    for (bool changed = true; changed;) {
        changed = false;
        memset(used_freely, 0, count + 1);
        for (size_t c = 0; c < program->clauses.count; c++) {
            const ProgramClause *clause = &program->clauses.items[c];
            bool is_asked = program->relations.items[clause->head].is_on_demand;
            for (uint32_t i = 0; i < clause->premise_count && !is_asked; i++) {
                RelationId premise = clause_premise(program, clause, i)->relation;
                if (premise != RELATION_NONE)
                    used_freely[premise] = true;
            }
        }
        for (size_t i = 0; i < count; i++) {
            FlatRelation *info = &program->relations.items[i];
            if (used_freely[i] || fixed[i] || info->is_static || info->is_on_demand ||
                !can_be_asked(info))
                continue;
            info->is_on_demand = info->asks_little = changed = true;
        }
    }
    free(used_freely);
}

void demand_mark(FlatProgram *program, RelationId relation) {
    assert(relation < program->relations.count);
    size_t count = program->relations.count;
    bool *fixed = memory_zalloc(count + 1), *marked = memory_zalloc(count + 1);
    for (size_t i = 0; i < count; i++) {
        Symbol keyword = program->relations.items[i].keyword;
        fixed[i] = keyword == KEYWORD_INIT || keyword == KEYWORD_ROLE || keyword == KEYWORD_BASE ||
                   keyword == KEYWORD_INPUT;
    }
    flat_close(program, fixed, true);
    marked[relation] = true;
    flat_close(program, marked, false);
    for (size_t i = 0; i < count; i++) {
        FlatRelation *info = &program->relations.items[i];
        info->is_on_demand |= marked[i] && !fixed[i] && can_be_asked(info);
    }
    mark_private_relations(program, fixed);
    memory_free(fixed, marked);
}

static bool is_on_demand(const Demand *d, RelationId relation) {
    return relation != RELATION_NONE && d->asked[relation] != 0;
}

static void premise_variables(const Demand *d, const Premise *premise, U32Vector *variables) {
    flat_columns_variables(d->old, premise->first_column, premise->column_count, variables);
}

/* The columns of a premise that the first `count` bound variables bind. */
static ColumnSet bound_columns(const Demand *d, const Premise *premise, size_t count) {
    U32Vector bound = first_of(&d->bound, count);
    return columns_bound(d->old->terms, premise_columns(d->old, premise), premise->column_count,
                         &bound);
}

/* Among the premises on demand that can be asked now, the one with the fewest free columns. */
static uint32_t next_to_ask(const Demand *d, const ProgramClause *clause) {
    uint32_t best = UINT32_MAX;
    int fewest = 65;
    for (uint32_t i = 0; i < clause->premise_count; i++) {
        const Premise *premise = clause_premise(d->old, clause, i);
        if (premise->kind != LITERAL_POSITIVE || !is_on_demand(d, premise->relation) ||
            u32_contains(&d->order, i))
            continue;
        uint64_t mask = bound_columns(d, premise, d->bound.count);
        uint64_t needed = d->old->relations.items[premise->relation].must_be_asked;
        int unbound = (int)premise->column_count - __builtin_popcountll(mask);
        if ((needed & ~mask) == 0 && unbound < fewest) {
            best = i;
            fewest = unbound;
        }
    }
    return best;
}

/* True if the question follows from the question about its clause alone. */
static bool passes_on(const Demand *d, const Premise *premise) {
    const FlatRelation *info = &d->old->relations.items[premise->relation];
    return info->asks_little && (info->must_be_asked & ~bound_columns(d, premise, d->given)) == 0;
}

/* Orders the questions of a clause. Premises that are not on demand come first: they must be
 * matched in any case, and every variable they bind restricts the questions further. */
static void order_questions(Demand *d, const ProgramClause *clause) {
    vector_clear(&d->bound);
    vector_clear(&d->order);
    vector_clear(&d->bound_counts);
    if (is_on_demand(d, clause->head))
        columns_variables(d->old->terms, d->old->columns.items + clause->first_column,
                          d->asked[clause->head], &d->bound);
    d->given = (uint32_t)d->bound.count;
    for (uint32_t i = 0; i < clause->premise_count; i++) {
        const Premise *premise = clause_premise(d->old, clause, i);
        if (premise->kind == LITERAL_POSITIVE && !is_on_demand(d, premise->relation))
            premise_variables(d, premise, &d->bound);
    }
    for (uint32_t next; (next = next_to_ask(d, clause)) != UINT32_MAX;) {
        const Premise *premise = clause_premise(d->old, clause, next);
        vector_push(&d->order, next);
        vector_push(&d->bound_counts, passes_on(d, premise) ? d->given : (uint32_t)d->bound.count);
        premise_variables(d, premise, &d->bound);
    }
}

static void find_asked_columns(Demand *d) {
    const FlatProgram *old = d->old;
    for (RelationId i = 0; i < old->relations.count; i++) {
        const FlatRelation *info = &old->relations.items[i];
        uint64_t all = info->arity < 64 ? (1ull << info->arity) - 1 : UINT64_MAX;
        d->asked[i] = info->is_on_demand ? all : 0;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t c = 0; c < old->clauses.count; c++) {
            const ProgramClause *clause = &old->clauses.items[c];
            order_questions(d, clause);
            for (size_t k = 0; k < d->order.count; k++) {
                const Premise *premise = clause_premise(old, clause, d->order.items[k]);
                uint64_t mask = bound_columns(d, premise, d->bound_counts.items[k]);
                changed |= (d->asked[premise->relation] & ~mask) != 0;
                d->asked[premise->relation] &= mask;
            }
        }
    }
}

static void make_questions(Demand *d) {
    for (RelationId i = 0; i < d->old->relations.count; i++) {
        FlatRelation *info = &d->program->relations.items[i];
        assert((info->must_be_asked & ~d->asked[i]) == 0);
        info->is_on_demand = d->asked[i] != 0;
    }
    flat_mark_static(d->program);
    for (RelationId i = 0; i < d->old->relations.count; i++) {
        if (!d->asked[i])
            continue;
        RelationId question =
            flat_auxiliary(d->program, (uint32_t)__builtin_popcountll(d->asked[i]));
        FlatRelation *info = &d->program->relations.items[i];
        info->question = question;
        info->asked_columns = d->asked[i];
        d->program->relations.items[question].is_question = true;
        d->program->relations.items[question].is_static = true;
        d->program->relations.items[question].question = i;
    }
}

static uint32_t add_asked_columns(Demand *d, RelationId relation, const Term *columns) {
    uint32_t first = (uint32_t)d->program->columns.count;
    columns_select(columns, d->asked[relation], &d->program->columns);
    return first;
}

static void add_guard(Demand *d, RelationId relation, const Term *columns) {
    assert(is_on_demand(d, relation));
    const FlatRelation *info = &d->program->relations.items[relation];
    Premise guard = {LITERAL_POSITIVE, info->question, add_asked_columns(d, relation, columns),
                     (uint32_t)__builtin_popcountll(info->asked_columns)};
    flat_add_premise(d->program, &guard);
}

static bool meets(const Demand *d, const Premise *premise, const U32Vector *variables) {
    U32Vector own = {0};
    premise_variables(d, premise, &own);
    bool found = false;
    for (size_t i = 0; i < own.count && !found; i++)
        found = u32_contains(variables, own.items[i]);
    vector_free(&own);
    return found;
}

/* True if question k may be derived from the premise: it is positive and is not asked later. */
static bool comes_before(const Demand *d, const ProgramClause *clause, uint32_t index, size_t k) {
    const Premise *premise = clause_premise(d->old, clause, index);
    U32Vector before = first_of(&d->order, k);
    return premise->kind == LITERAL_POSITIVE &&
           (!is_on_demand(d, premise->relation) || u32_contains(&before, index));
}

/* Marks the premises from which a question is derived: those before it that are connected with its
 * variables. Others would only multiply the work. */
static void choose_sources(const Demand *d, const ProgramClause *clause, size_t k,
                           U32Vector *variables, bool *chosen) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < clause->premise_count; i++) {
            const Premise *premise = clause_premise(d->old, clause, i);
            if (!chosen[i] && comes_before(d, clause, i, k) && meets(d, premise, variables)) {
                chosen[i] = changed = true;
                premise_variables(d, premise, variables);
            }
        }
    }
    for (uint32_t i = 0; i < clause->premise_count; i++) {
        const Premise *premise = clause_premise(d->old, clause, i);
        bool is_test = premise->kind == LITERAL_DISTINCT ||
                       (premise->kind == LITERAL_NEGATIVE &&
                        d->program->relations.items[premise->relation].is_static);
        const Term *columns = premise_columns(d->old, premise);
        chosen[i] |= is_test;
        for (uint32_t c = 0; c < premise->column_count && is_test; c++)
            chosen[i] &= term_is_bound(d->old->terms, columns[c], variables);
    }
}

/* A clause whose conclusion is among its premises derives nothing. */
static bool is_tautology(const FlatProgram *program, const ProgramClause *clause) {
    uint32_t arity = program->relations.items[clause->head].arity;
    for (uint32_t i = 0; i < clause->premise_count; i++) {
        const Premise *premise = clause_premise(program, clause, i);
        bool same = premise->kind == LITERAL_POSITIVE && premise->relation == clause->head;
        for (uint32_t c = 0; c < arity && same; c++)
            same = program->columns.items[clause->first_column + c] ==
                   program->columns.items[premise->first_column + c];
        if (same)
            return true;
    }
    return false;
}

static void add_question_clause(Demand *d, const ProgramClause *clause, size_t k) {
    assert(k < d->order.count);
    FlatProgram *program = d->program;
    const Premise *asked = clause_premise(d->old, clause, d->order.items[k]);
    ProgramClause question = {
        .head = program->relations.items[asked->relation].question,
        .first_column = add_asked_columns(d, asked->relation, premise_columns(d->old, asked)),
        .first_premise = (uint32_t)program->premises.count,
        .source_clause = clause->source_clause};
    vector_push(&program->clauses, question);
    U32Vector variables = {0};
    columns_variables(d->old->terms, premise_columns(d->old, asked), d->asked[asked->relation],
                      &variables);
    bool *chosen = memory_zalloc(clause->premise_count + 1);
    if (is_on_demand(d, clause->head)) {
        const Term *head = d->old->columns.items + clause->first_column;
        add_guard(d, clause->head, head);
        columns_variables(d->old->terms, head, d->asked[clause->head], &variables);
    }
    if (!passes_on(d, asked))
        choose_sources(d, clause, k, &variables, chosen);
    for (uint32_t i = 0; i < clause->premise_count; i++)
        if (chosen[i])
            flat_add_premise(program, clause_premise(d->old, clause, i));
    free(chosen);
    vector_free(&variables);
    if (is_tautology(program, &vector_last(&program->clauses)))
        program->clauses.count--;
}

/* Premises keep their column numbers: the old columns are a prefix of the new ones. */
static void rewrite_clause(Demand *d, const ProgramClause *clause) {
    order_questions(d, clause);
    for (size_t k = 0; k < d->order.count; k++)
        add_question_clause(d, clause, k);
    ProgramClause copy = *clause;
    copy.first_premise = (uint32_t)d->program->premises.count;
    copy.premise_count = 0;
    vector_push(&d->program->clauses, copy);
    if (is_on_demand(d, clause->head))
        add_guard(d, clause->head, d->old->columns.items + clause->first_column);
    for (uint32_t i = 0; i < clause->premise_count; i++)
        flat_add_premise(d->program, clause_premise(d->old, clause, i));
}

FlatProgram *demand_apply(const FlatProgram *old) {
    Demand d = {.old = old, .program = flat_copy(old)};
    d.asked = memory_zalloc((old->relations.count + 1) * sizeof *d.asked);
    find_asked_columns(&d);
    make_questions(&d);
    vector_clear(&d.program->clauses);
    vector_clear(&d.program->premises);
    for (size_t c = 0; c < old->clauses.count; c++)
        rewrite_clause(&d, &old->clauses.items[c]);
    free(d.asked);
    vectors_free(&d.order, &d.bound, &d.bound_counts);
    return d.program;
}
