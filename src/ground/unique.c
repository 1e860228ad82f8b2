/* Only clauses in plain form are rewritten: the columns of both premises are variables or ground
 * terms, and the heads of the substituted clauses have different variables as columns. */
#include "ground/unique.h"

#include <assert.h>

#include "ground/demand.h"
#include "ground/exclusive.h"

typedef struct {
    RelationId relation;
    uint64_t keys;
    bool is_unique;
} Finding;

/* A relation s made before, and its key: the columns of both premises with variables numbered. */
typedef struct {
    RelationId relation;
    U32Vector key;
} Made;

typedef struct {
    FlatProgram *program;
    Exclusion *exclusion;
    VECTOR(Finding) findings;
    VECTOR(Made) made;
    uint32_t changed;
} Rewriting;

/* True if every column is a variable or ground; with `distinct`, if all are different variables. */
static bool is_plain(const FlatProgram *program, uint32_t first, uint32_t count, bool distinct) {
    const Term *columns = program->columns.items + first;
    for (uint32_t i = 0; i < count; i++) {
        bool is_variable = term_is_variable(program->terms, columns[i]);
        if (!is_variable && (distinct || !term_is_ground(program->terms, columns[i])))
            return false;
        for (uint32_t k = 0; k < i && distinct; k++)
            if (columns[k] == columns[i])
                return false;
    }
    return true;
}

static bool is_unique(Rewriting *w, RelationId relation, uint64_t keys) {
    assert(relation < w->program->relations.count);
    for (size_t i = 0; i < w->findings.count; i++)
        if (w->findings.items[i].relation == relation && w->findings.items[i].keys == keys)
            return w->findings.items[i].is_unique;
    Finding finding = {relation, keys, exclusion_is_unique(w->exclusion, relation, keys)};
    vector_push(&w->findings, finding);
    return finding.is_unique;
}

/* True if a premise over the relation can be replaced by the bodies of its clauses. */
static bool can_be_unfolded(const FlatProgram *program, RelationId relation) {
    enum { MAX_CLAUSES = 16 }; /* most clauses of the relation (untuned) */
    uint32_t clauses = 0;
    for (size_t c = 0; c < program->clauses.count; c++) {
        const ProgramClause *clause = &program->clauses.items[c];
        if (clause->head != relation)
            continue;
        if (++clauses > MAX_CLAUSES || !is_plain(program, clause->first_column,
                                                 program->relations.items[relation].arity, true))
            return false;
        for (uint32_t i = 0; i < clause->premise_count; i++)
            if (clause_premise(program, clause, i)->relation == relation)
                return false;
    }
    return clauses > 0 && program->relations.items[relation].must_be_asked == 0;
}

typedef struct {
    U32Vector from, to;
} Renaming;

static Term rename_term(Terms *terms, const Renaming *renaming, Term term) {
    if (term_is_ground(terms, term))
        return term;
    uint32_t place = u32_index_of(&renaming->from, term);
    if (place != UINT32_MAX)
        return renaming->to.items[place];
    U32Vector arguments = {0};
    for (uint32_t i = 0; i < term_arity(terms, term); i++)
        vector_push(&arguments, rename_term(terms, renaming, term_argument(terms, term, i)));
    Term renamed =
        terms_make(terms, term_symbol(terms, term), arguments.items, (uint32_t)arguments.count);
    vector_free(&arguments);
    return renamed;
}

/* Maps the variables of a clause: those of its head to the columns of the premise it replaces, the
 * others to variables that occur in neither. False if there are no such variables left. */
static bool rename_apart(const FlatProgram *program, const ProgramClause *clause,
                         const Term *arguments, const U32Vector *taken, Renaming *renaming) {
    uint32_t arity = program->relations.items[clause->head].arity;
    for (uint32_t i = 0; i < arity; i++) {
        vector_push(&renaming->from, program->columns.items[clause->first_column + i]);
        vector_push(&renaming->to, arguments[i]);
    }
    U32Vector own = {0};
    for (uint32_t i = 0; i < clause->premise_count; i++) {
        const Premise *premise = clause_premise(program, clause, i);
        flat_columns_variables(program, premise->first_column, premise->column_count, &own);
    }
    Term next = 0;
    bool found = true;
    for (size_t v = 0; v < own.count && found; v++) {
        if (u32_contains(&renaming->from, own.items[v]))
            continue;
        while (next < program->terms->cells.count &&
               (!term_is_variable(program->terms, next) || u32_contains(taken, next) ||
                u32_contains(&renaming->to, next)))
            next++;
        found = next < program->terms->cells.count;
        vector_push(&renaming->from, own.items[v]);
        vector_push(&renaming->to, next);
    }
    vector_free(&own);
    return found;
}

static void add_renamed_premise(FlatProgram *program, Premise premise, const Renaming *renaming) {
    uint32_t first = (uint32_t)program->columns.count;
    for (uint32_t i = 0; i < premise.column_count; i++) {
        Term column = program->columns.items[premise.first_column + i];
        if (renaming)
            column = rename_term(program->terms, renaming, column);
        vector_push(&program->columns, column);
    }
    premise.first_column = first;
    flat_add_premise(program, &premise);
}

/* Defines s(...) <= q(...), p(...), with the clauses of p unfolded. False if variables run out. */
static bool define(Rewriting *w, RelationId s, const U32Vector *columns, Premise q, Premise p,
                   uint32_t source) {
    FlatProgram *program = w->program;
    U32Vector taken = {0}, arguments = {0};
    flat_columns_variables(program, q.first_column, q.column_count, &taken);
    flat_columns_variables(program, p.first_column, p.column_count, &taken);
    vector_append(&arguments, premise_columns(program, &p), p.column_count);
    size_t clauses = program->clauses.count;
    bool possible = true;
    for (size_t c = 0; c < clauses && possible; c++) {
        const ProgramClause clause = program->clauses.items[c];
        if (clause.head != p.relation)
            continue;
        Renaming renaming = {0};
        possible = rename_apart(program, &clause, arguments.items, &taken, &renaming);
        if (possible) {
            flat_add_clause(program, s, columns->items, source);
            add_renamed_premise(program, q, NULL);
            for (uint32_t i = 0; i < clause.premise_count; i++)
                add_renamed_premise(program, program->premises.items[clause.first_premise + i],
                                    &renaming);
        }
        vectors_free(&renaming.from, &renaming.to);
    }
    if (!possible)
        program->clauses.count = clauses;
    vectors_free(&taken, &arguments);
    return possible;
}

static void make_key(const FlatProgram *program, const Premise *q, const Premise *p,
                     U32Vector *key) {
    U32Vector names = {0};
    const Premise *premises[] = {q, p};
    for (size_t i = 0; i < 2; i++) {
        vector_push(key, premises[i]->relation);
        flat_append_key(program->terms, premise_columns(program, premises[i]),
                        premises[i]->column_count, &names, key);
    }
    vector_free(&names);
}

/* The relation s for two premises; RELATION_NONE if it cannot be defined. */
static RelationId relation_for(Rewriting *w, const Premise *q, const Premise *p,
                               const U32Vector *columns, uint32_t source) {
    U32Vector key = {0};
    make_key(w->program, q, p, &key);
    for (size_t i = 0; i < w->made.count; i++) {
        if (u32_equal(&w->made.items[i].key, &key)) {
            vector_free(&key);
            return w->made.items[i].relation;
        }
    }
    RelationId s = flat_auxiliary(w->program, (uint32_t)columns->count);
    if (!define(w, s, columns, *q, *p, source)) {
        vector_free(&key);
        return RELATION_NONE;
    }
    FlatRelation *info = &w->program->relations.items[s];
    info->is_chosen = info->was_rewritten = true;
    vector_push(&w->made, ((Made){s, key}));
    return s;
}

/* Chooses as columns of s all variables that q does not determine. Returns the key columns of q. */
static uint64_t choose_columns(const FlatProgram *program, const ProgramClause *clause,
                               const Premise *q, const Premise *p, U32Vector *columns) {
    U32Vector head = {0}, of_p = {0}, determined = {0};
    uint64_t keys = 0;
    flat_columns_variables(program, clause->first_column,
                           program->relations.items[clause->head].arity, &head);
    flat_columns_variables(program, p->first_column, p->column_count, &of_p);
    for (uint32_t i = 0; i < q->column_count; i++) {
        Term column = premise_columns(program, q)[i];
        if (u32_contains(&of_p, column) && !u32_contains(&head, column))
            vector_push(&determined, column);
        else
            keys |= 1ull << i;
    }
    flat_columns_variables(program, q->first_column, q->column_count, &of_p);
    for (size_t i = 0; i < of_p.count; i++)
        if (!u32_contains(&determined, of_p.items[i]))
            vector_push(columns, of_p.items[i]);
    vectors_free(&head, &of_p, &determined);
    return keys;
}

static bool try_premises(Rewriting *w, uint32_t clause_number, uint32_t negated,
                         uint32_t positive) {
    FlatProgram *program = w->program;
    const ProgramClause clause = program->clauses.items[clause_number];
    const Premise p = program->premises.items[clause.first_premise + negated];
    const Premise q = program->premises.items[clause.first_premise + positive];
    if (q.kind != LITERAL_POSITIVE || q.column_count > 63 || q.relation == p.relation ||
        program->relations.items[q.relation].is_static ||
        program->relations.items[q.relation].is_on_demand ||
        program->relations.items[q.relation].is_whole ||
        !is_plain(program, q.first_column, q.column_count, false) ||
        !is_plain(program, p.first_column, p.column_count, false))
        return false;
    U32Vector columns = {0};
    uint64_t keys = choose_columns(program, &clause, &q, &p, &columns);
    vector_reserve(&columns, 1); /* the array must not be NULL, even without columns */
    RelationId s = RELATION_NONE;
    if (keys != (1ull << q.column_count) - 1 && columns.count > 0 && is_unique(w, q.relation, keys))
        s = relation_for(w, &q, &p, &columns, clause.source_clause);
    if (s != RELATION_NONE) {
        Premise *premise = &program->premises.items[clause.first_premise + negated];
        premise->relation = s;
        premise->first_column = (uint32_t)program->columns.count;
        premise->column_count = (uint32_t)columns.count;
        vector_append(&program->columns, columns.items, columns.count);
        program->relations.items[clause.head].is_chosen = true;
        w->changed++;
    }
    vector_free(&columns);
    return s != RELATION_NONE;
}

uint32_t unique_rewrite(FlatProgram *program, const Grounding *g) {
    Rewriting w = {.program = program};
    for (size_t i = 0; i < program->relations.count; i++)
        program->relations.items[i].is_chosen = false;
    size_t clauses = program->clauses.count;
    for (uint32_t c = 0; c < clauses; c++) {
        const ProgramClause clause = program->clauses.items[c];
        for (uint32_t i = 0; i < clause.premise_count; i++) {
            const Premise *p = &program->premises.items[clause.first_premise + i];
            if (p->kind != LITERAL_NEGATIVE ||
                !program->relations.items[p->relation].is_on_demand ||
                !can_be_unfolded(program, p->relation))
                continue;
            if (!w.exclusion)
                w.exclusion = exclusion_create(g);
            for (uint32_t k = 0; k < clause.premise_count; k++)
                if (try_premises(&w, c, i, k))
                    break;
        }
    }
    for (size_t i = 0; i < w.made.count; i++)
        vector_free(&w.made.items[i].key);
    vectors_free(&w.made, &w.findings);
    exclusion_free(w.exclusion);
    return w.changed;
}
