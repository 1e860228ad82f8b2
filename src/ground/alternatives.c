/* Merges alternatives. `(or p q)` in a body was multiplied out when the rules were read: h <= p, r
 * and h <= q, r. If h and r have very many instances, that doubles their number. Here clauses that
 * differ in only one positive premise become one clause again: aux <= p; aux <= q; h <= aux, r. */
#include <assert.h>

#include "ground/flat.h"

/* A clause seen from one of its premises: the rest of it, whatever its variables are called, and
 * the variables that the premise shares with it. Alternatives have equal views. */
typedef struct {
    uint32_t clause, premise; /* number of the premise counts within the clause */
    U32Vector key;
    U32Vector shared; /* variables of the premise that the rest has too, by first appearance */
} View;

typedef struct {
    FlatProgram *program;
    VECTOR(View) views;
    Table table;      /* views by key */
    uint32_t *merged; /* by clause: the view whose premise an auxiliary relation replaces */
    RelationId *replacements;
    U32Vector names; /* scratch: variables of a view in order of appearance */
} Merger;

static void add_columns_to_key(Merger *m, View *view, uint32_t first, uint32_t count) {
    flat_append_key(m->program->terms, m->program->columns.items + first, count, &m->names,
                    &view->key);
}

static void find_shared_variables(Merger *m, View *view, const Premise *premise) {
    U32Vector own = {0};
    flat_columns_variables(m->program, premise->first_column, premise->column_count, &own);
    vector_push(&view->key, UINT32_MAX);
    for (uint32_t n = 0; n < m->names.count; n++)
        for (size_t v = 0; v < own.count; v++)
            if (own.items[v] == m->names.items[n]) {
                vector_push(&view->key, n);
                vector_push(&view->shared, own.items[v]);
            }
    vector_free(&own);
}

static void add_view(Merger *m, uint32_t index, uint32_t without) {
    const FlatProgram *program = m->program;
    const ProgramClause *clause = &program->clauses.items[index];
    View view = {.clause = index, .premise = without};
    vector_clear(&m->names);
    vector_push(&view.key, clause->head);
    add_columns_to_key(m, &view, clause->first_column,
                       program->relations.items[clause->head].arity);
    for (uint32_t i = 0; i < clause->premise_count; i++) {
        const Premise *premise = clause_premise(program, clause, i);
        if (i == without)
            continue;
        vector_push(&view.key, premise->kind);
        vector_push(&view.key, premise->relation);
        add_columns_to_key(m, &view, premise->first_column, premise->column_count);
    }
    find_shared_variables(m, &view, clause_premise(program, clause, without));
    uint64_t hash = hash_bytes(view.key.items, view.key.count * sizeof *view.key.items);
    vector_push(&m->views, view);
    table_insert(&m->table, hash, (uint32_t)m->views.count - 1);
}

/* Lists the views equal to this one whose clauses are not merged yet. */
static void find_alternatives(const Merger *m, const View *view, U32Vector *found) {
    vector_clear(found);
    uint64_t hash = hash_bytes(view->key.items, view->key.count * sizeof *view->key.items);
    uint32_t id;
    for (TableProbe p = table_probe(&m->table, hash); table_next(&m->table, &p, &id);) {
        const View *other = &m->views.items[id];
        bool is_listed = false;
        for (size_t i = 0; i < found->count; i++)
            is_listed |= m->views.items[found->items[i]].clause == other->clause;
        if (!is_listed && m->merged[other->clause] == UINT32_MAX &&
            u32_equal(&other->key, &view->key))
            vector_push(found, id);
    }
}

static void merge(Merger *m, const U32Vector *alternatives) {
    assert(alternatives->count > 1);
    FlatProgram *program = m->program;
    uint32_t arity = (uint32_t)m->views.items[alternatives->items[0]].shared.count;
    RelationId auxiliary = flat_auxiliary(program, arity);
    for (size_t i = 0; i < alternatives->count; i++) {
        View *view = &m->views.items[alternatives->items[i]];
        const ProgramClause clause = program->clauses.items[view->clause];
        vector_reserve(&view->shared, 1); /* the array must not be NULL, even without columns */
        flat_add_clause(program, auxiliary, view->shared.items, clause.source_clause);
        Premise premise = program->premises.items[clause.first_premise + view->premise];
        flat_add_premise(program, &premise);
        m->merged[view->clause] = alternatives->items[i];
        m->replacements[view->clause] = i == 0 ? auxiliary : RELATION_NONE;
    }
}

/* Writes the first clause of a group with the auxiliary premise and drops the others. */
static void rewrite_merged_clauses(Merger *m, size_t clauses) {
    FlatProgram *program = m->program;
    size_t kept = 0;
    for (uint32_t c = 0; c < program->clauses.count; c++) {
        ProgramClause clause = program->clauses.items[c];
        bool is_merged = c < clauses && m->merged[c] != UINT32_MAX;
        if (is_merged && m->replacements[c] == RELATION_NONE)
            continue;
        program->clauses.items[kept++] = clause;
        if (!is_merged)
            continue;
        const View *view = &m->views.items[m->merged[c]];
        Premise *premise = &program->premises.items[clause.first_premise + view->premise];
        premise->relation = m->replacements[c];
        premise->first_column = (uint32_t)program->columns.count;
        premise->column_count = (uint32_t)view->shared.count;
        vector_append(&program->columns, view->shared.items, view->shared.count);
    }
    program->clauses.count = kept;
}

static void add_views(Merger *m) {
    const FlatProgram *program = m->program;
    for (uint32_t c = 0; c < program->clauses.count; c++) {
        const ProgramClause *clause = &program->clauses.items[c];
        bool is_chosen = program->relations.items[clause->head].is_chosen;
        for (uint32_t i = 0; i < clause->premise_count && is_chosen; i++) {
            const Premise *premise = clause_premise(program, clause, i);
            if (premise->kind == LITERAL_POSITIVE && clause->premise_count > 1 &&
                !program->relations.items[premise->relation].must_be_asked)
                add_view(m, c, i);
        }
    }
}

void flat_merge_alternatives(FlatProgram *program) {
    size_t clauses = program->clauses.count;
    Merger m = {.program = program};
    m.merged = u32_none(clauses);
    m.replacements = memory_alloc(clauses * sizeof *m.replacements);
    add_views(&m);
    U32Vector alternatives = {0};
    for (size_t v = 0; v < m.views.count; v++) {
        if (m.merged[m.views.items[v].clause] != UINT32_MAX)
            continue;
        find_alternatives(&m, &m.views.items[v], &alternatives);
        if (alternatives.count > 1)
            merge(&m, &alternatives);
    }
    rewrite_merged_clauses(&m, clauses);
    for (size_t v = 0; v < m.views.count; v++)
        vectors_free(&m.views.items[v].key, &m.views.items[v].shared);
    vectors_free(&alternatives, &m.views, &m.names);
    table_free(&m.table);
    memory_free(m.merged, m.replacements);
    flat_mark_static(program);
}
