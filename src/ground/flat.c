/* Converts clauses to flat clauses, and removes those that no output needs. */
#include "ground/flat.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"

enum { CLAUSES_BETWEEN_LOOKS = 256 }; /* between two looks at the interrupts (untuned) */

static uint64_t hash_relation(Symbol keyword, Symbol name, uint32_t arity, bool is_whole) {
    return hash_finish(hash_mix(hash_mix(hash_mix(is_whole, keyword), name), arity));
}

RelationId flat_find_relation(const FlatProgram *program, Symbol keyword, Symbol name,
                              uint32_t arity, bool is_whole) {
    assert(is_whole == (name == SYMBOL_NONE));
    RelationId id;
    TableProbe p =
        table_probe(&program->relation_table, hash_relation(keyword, name, arity, is_whole));
    while (table_next(&program->relation_table, &p, &id)) {
        const FlatRelation *r = &program->relations.items[id];
        if (r->keyword == keyword && r->name == name && r->arity == arity &&
            r->is_whole == is_whole)
            return id;
    }
    return RELATION_NONE;
}

RelationId flat_relation_for(FlatProgram *program, Symbol keyword, Symbol name, uint32_t arity,
                             bool is_whole) {
    RelationId found = flat_find_relation(program, keyword, name, arity, is_whole);
    if (found != RELATION_NONE)
        return found;
    FlatRelation info = {.keyword = keyword,
                         .name = name,
                         .arity = arity,
                         .is_whole = is_whole,
                         .question = RELATION_NONE};
    info.is_static = keyword == KEYWORD_ROLE || keyword == KEYWORD_INIT ||
                     keyword == KEYWORD_BASE || keyword == KEYWORD_INPUT;
    vector_push(&program->relations, info);
    RelationId id = (RelationId)program->relations.count - 1;
    table_insert(&program->relation_table, hash_relation(keyword, name, arity, is_whole), id);
    return id;
}

RelationId flat_auxiliary(FlatProgram *program, uint32_t arity) {
    FlatRelation info = {
        .keyword = SYMBOL_NONE, .name = SYMBOL_NONE, .arity = arity, .question = RELATION_NONE};
    vector_push(&program->relations, info);
    program->auxiliary_count++;
    return (RelationId)program->relations.count - 1;
}

void flat_add_clause(FlatProgram *program, RelationId head, const Term *columns, uint32_t source) {
    assert(head < program->relations.count);
    ProgramClause clause = {.head = head,
                            .first_column = (uint32_t)program->columns.count,
                            .first_premise = (uint32_t)program->premises.count,
                            .source_clause = source};
    vector_append(&program->columns, columns, program->relations.items[head].arity);
    vector_push(&program->clauses, clause);
}

void flat_add_premise(FlatProgram *program, const Premise *premise) {
    ProgramClause *clause = &vector_last(&program->clauses);
    assert(clause->first_premise + clause->premise_count == program->premises.count);
    vector_push(&program->premises, *premise);
    clause->premise_count++;
}

void flat_columns_variables(const FlatProgram *program, uint32_t first, uint32_t count,
                            U32Vector *variables) {
    for (uint32_t i = 0; i < count; i++)
        term_variables(program->terms, program->columns.items[first + i], variables);
}

void flat_append_key(const Terms *terms, const Term *columns, size_t count, U32Vector *names,
                     U32Vector *key) {
    for (size_t i = 0; i < count; i++) {
        Term term = columns[i];
        if (term_is_ground(terms, term)) {
            vector_push(key, 0);
            vector_push(key, term);
        } else if (term_is_variable(terms, term)) {
            vector_push(key, 1);
            vector_push(key, u32_place(names, term));
        } else {
            vector_push(key, 2);
            vector_push(key, term_symbol(terms, term));
            vector_push(key, term_arity(terms, term));
            flat_append_key(terms, term_arguments(terms, term), term_arity(terms, term), names,
                            key);
        }
    }
}

RelationId flat_flatten(FlatProgram *program, Symbol keyword, Term role, Term term,
                        U32Vector *columns) {
    assert(term != TERM_NONE);
    const Terms *terms = program->terms;
    vector_clear(columns);
    vector_reserve(columns, 1); /* the array must not be NULL, even without columns */
    if (role != TERM_NONE)
        vector_push(columns, role);
    if (term_is_variable(terms, term)) {
        vector_push(columns, term);
        return flat_relation_for(program, keyword, SYMBOL_NONE, (uint32_t)columns->count, true);
    }
    for (uint32_t i = 0; i < term_arity(terms, term); i++)
        vector_push(columns, term_argument(terms, term, i));
    return flat_relation_for(program, keyword, term_symbol(terms, term), (uint32_t)columns->count,
                             false);
}

static bool holds_fluent(Symbol keyword) {
    return keyword == KEYWORD_TRUE || keyword == KEYWORD_NEXT || keyword == KEYWORD_INIT;
}

static bool holds_move(Symbol keyword) {
    return keyword == KEYWORD_DOES || keyword == KEYWORD_LEGAL;
}

static RelationId flatten_atom(FlatProgram *program, Term atom, U32Vector *columns) {
    const Terms *terms = program->terms;
    Symbol symbol = term_symbol(terms, atom);
    uint32_t arity = term_arity(terms, atom);
    if (holds_fluent(symbol) && arity == 1)
        return flat_flatten(program, symbol, TERM_NONE, term_argument(terms, atom, 0), columns);
    if (holds_move(symbol) && arity == 2)
        return flat_flatten(program, symbol, term_argument(terms, atom, 0),
                            term_argument(terms, atom, 1), columns);
    vector_clear(columns);
    vector_reserve(columns, 1);
    for (uint32_t i = 0; i < arity; i++)
        vector_push(columns, term_argument(terms, atom, i));
    Symbol keyword = is_keyword_relation(symbol) ? symbol : SYMBOL_NONE;
    return flat_relation_for(program, keyword, symbol, arity, false);
}

typedef struct {
    FlatProgram *program;
    U32Vector columns;
    U32Vector bound; /* variables of the positive premises of the current clause */
    U32Vector variables;
} Preparation;

static void add_flat_premise(Preparation *p, LiteralKind kind, RelationId relation) {
    Premise premise = {kind, relation, (uint32_t)p->program->columns.count,
                       (uint32_t)p->columns.count};
    vector_append(&p->program->columns, p->columns.items, p->columns.count);
    flat_add_premise(p->program, &premise);
}

/* Makes the bound variables of the atom the columns. True if these are all its variables. */
static bool select_bound(Preparation *p, Term atom) {
    vector_clear(&p->variables);
    vector_clear(&p->columns);
    vector_reserve(&p->columns, 1); /* the array must not be NULL, even without columns */
    term_variables(p->program->terms, atom, &p->variables);
    for (size_t v = 0; v < p->variables.count; v++)
        if (u32_contains(&p->bound, p->variables.items[v]))
            vector_push(&p->columns, p->variables.items[v]);
    return p->columns.count == p->variables.count;
}

/* `not q(X, _)` becomes `not aux(X)` with aux(X) <= q(X, _). The auxiliary clause is made before
 * the premise, because the premises of a clause are contiguous. Writes the auxiliary relation of
 * each literal, or RELATION_NONE. */
static void project_open_negations(Preparation *p, const Clause *clause, uint32_t source,
                                   RelationId *auxiliaries) {
    FlatProgram *program = p->program;
    const Literal *literals = clause_literals(program->rules, clause);
    for (uint32_t i = 0; i < clause->literal_count; i++) {
        auxiliaries[i] = RELATION_NONE;
        if (literals[i].kind != LITERAL_NEGATIVE || select_bound(p, literals[i].atom))
            continue;
        auxiliaries[i] = flat_auxiliary(program, (uint32_t)p->columns.count);
        flat_add_clause(program, auxiliaries[i], p->columns.items, source);
        RelationId relation = flatten_atom(program, literals[i].atom, &p->columns);
        add_flat_premise(p, LITERAL_POSITIVE, relation);
    }
}

static void add_premise(Preparation *p, const Literal *literal, RelationId auxiliary) {
    FlatProgram *program = p->program;
    if (auxiliary != RELATION_NONE) {
        select_bound(p, literal->atom);
        add_flat_premise(p, LITERAL_NEGATIVE, auxiliary);
    } else if (literal->kind == LITERAL_DISTINCT) {
        vector_clear(&p->columns);
        vector_push(&p->columns, term_argument(program->terms, literal->atom, 0));
        vector_push(&p->columns, term_argument(program->terms, literal->atom, 1));
        add_flat_premise(p, LITERAL_DISTINCT, RELATION_NONE);
    } else {
        RelationId relation = flatten_atom(program, literal->atom, &p->columns);
        add_flat_premise(p, literal->kind, relation);
    }
}

static bool is_safe(const Preparation *p, const Clause *clause) {
    const Terms *terms = p->program->terms;
    bool safe = term_is_bound(terms, clause->head, &p->bound);
    for (uint32_t i = 0; i < clause->literal_count && safe; i++) {
        const Literal *literal = &clause_literals(p->program->rules, clause)[i];
        safe = literal->kind != LITERAL_DISTINCT || term_is_bound(terms, literal->atom, &p->bound);
    }
    return safe;
}

static void add_role_premise(Preparation *p, Term role) {
    vector_clear(&p->columns);
    vector_push(&p->columns, role);
    RelationId roles = flat_relation_for(p->program, KEYWORD_ROLE, KEYWORD_ROLE, 1, false);
    add_flat_premise(p, LITERAL_POSITIVE, roles);
}

static void prepare_clause(Preparation *p, uint32_t index) {
    assert(index < p->program->rules->clauses.count);
    FlatProgram *program = p->program;
    const Clause *clause = &program->rules->clauses.items[index];
    vector_clear(&p->bound);
    clause_bound_variables(program->rules, clause, &p->bound);
    Term role = clause_open_role(program->rules, clause);
    if (role != TERM_NONE)
        vector_push(&p->bound, role);
    RelationId *auxiliaries = memory_alloc((clause->literal_count + 1) * sizeof *auxiliaries);
    project_open_negations(p, clause, index, auxiliaries);
    RelationId head = flatten_atom(program, clause->head, &p->columns);
    flat_add_clause(program, head, p->columns.items, index);
    for (uint32_t i = 0; i < clause->literal_count; i++)
        add_premise(p, &clause_literals(program->rules, clause)[i], auxiliaries[i]);
    if (role != TERM_NONE)
        add_role_premise(p, role);
    vector_last(&program->clauses).is_unsafe = !is_safe(p, clause);
    free(auxiliaries);
}

static bool all_safe(const FlatProgram *program, Report *report) {
    for (size_t c = 0; c < program->clauses.count; c++)
        if (program->clauses.items[c].is_unsafe) {
            uint32_t source = program->clauses.items[c].source_clause;
            report_node(report, SEVERITY_ERROR, "unsafe-variable", program->rules->syntax,
                        program->rules->clauses.items[source].root,
                        "a variable of this rule occurs in no positive premise");
            return false;
        }
    return true;
}

void flat_close(const FlatProgram *program, bool *set, bool to_premises) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t c = 0; c < program->clauses.count; c++) {
            const ProgramClause *clause = &program->clauses.items[c];
            for (uint32_t i = 0; i < clause->premise_count; i++) {
                RelationId premise = clause_premise(program, clause, i)->relation;
                if (premise == RELATION_NONE)
                    continue;
                RelationId from = to_premises ? clause->head : premise;
                RelationId to = to_premises ? premise : clause->head;
                changed |= set[from] && !set[to];
                set[to] |= set[from];
            }
        }
    }
}

void flat_mark_static(FlatProgram *program) {
    size_t count = program->relations.count;
    bool *changes = memory_alloc(count);
    for (size_t i = 0; i < count; i++) {
        const FlatRelation *r = &program->relations.items[i];
        changes[i] = r->is_on_demand || (r->keyword >= KEYWORD_TRUE && r->keyword <= KEYWORD_SEES);
    }
    flat_close(program, changes, false);
    for (size_t i = 0; i < count; i++)
        program->relations.items[i].is_static = !changes[i];
    free(changes);
}

static bool is_output(Symbol keyword) {
    return keyword == KEYWORD_NEXT || keyword == KEYWORD_LEGAL || keyword == KEYWORD_GOAL ||
           keyword == KEYWORD_TERMINAL || keyword == KEYWORD_SEES || keyword == KEYWORD_INIT ||
           keyword == KEYWORD_ROLE;
}

/* Removes the clauses of relations that no output needs. A whole relation needs all relations of
 * its keyword. */
static void drop_needless_clauses(FlatProgram *program) {
    size_t count = program->relations.count, kept = 0;
    const FlatRelation *relations = program->relations.items;
    bool *needed = memory_zalloc(count + 1);
    for (size_t i = 0; i < count; i++)
        needed[i] = is_output(relations[i].keyword);
    for (bool changed = true; changed;) {
        changed = false;
        flat_close(program, needed, true);
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < count && needed[i] && relations[i].is_whole; k++) {
                changed |= relations[k].keyword == relations[i].keyword && !needed[k];
                needed[k] |= relations[k].keyword == relations[i].keyword;
            }
    }
    for (size_t c = 0; c < program->clauses.count; c++)
        if (needed[program->clauses.items[c].head])
            program->clauses.items[kept++] = program->clauses.items[c];
    program->clauses.count = kept;
    free(needed);
}

static Terms *copy_terms(const Terms *terms) {
    Terms *copy = memory_zalloc(sizeof *copy);
    terms_copy(copy, terms);
    return copy;
}

FlatProgram *flat_create(const Rules *rules, bool split, Report *report) {
    FlatProgram *program = memory_zalloc(sizeof *program);
    program->rules = rules;
    program->terms = copy_terms(&rules->terms);
    Preparation p = {.program = program};
    bool is_cut_short = false;
    for (uint32_t i = 0; i < rules->clauses.count && !is_cut_short; i++) {
        prepare_clause(&p, i);
        is_cut_short = i % CLAUSES_BETWEEN_LOOKS == 0 && work_must_end((Deadline){0}, NULL);
    }
    vectors_free(&p.columns, &p.bound, &p.variables);
    drop_needless_clauses(program);
    if (is_cut_short)
        report_error(report, "budget", "grounding stopped: cut short");
    if (is_cut_short || !all_safe(program, report)) {
        flat_free(program);
        return NULL;
    }
    flat_mark_static(program);
    if (split) {
        flat_split(program);
        drop_needless_clauses(program);
        flat_mark_static(program);
    }
    return program;
}

FlatProgram *flat_copy(const FlatProgram *program) {
    FlatProgram *copy = memory_zalloc(sizeof *copy);
    copy->rules = program->rules;
    copy->terms = copy_terms(program->terms);
    copy->auxiliary_count = program->auxiliary_count;
    for (RelationId i = 0; i < program->relations.count; i++) {
        FlatRelation info = program->relations.items[i];
        vector_push(&copy->relations, info);
        bool is_auxiliary = info.name == SYMBOL_NONE && !info.is_whole;
        if (!is_auxiliary)
            table_insert(&copy->relation_table,
                         hash_relation(info.keyword, info.name, info.arity, info.is_whole), i);
    }
    vector_append(&copy->clauses, program->clauses.items, program->clauses.count);
    vector_append(&copy->premises, program->premises.items, program->premises.count);
    vector_append(&copy->columns, program->columns.items, program->columns.count);
    return copy;
}

void flat_free(FlatProgram *program) {
    if (!program)
        return;
    terms_free(program->terms);
    vectors_free(&program->relations, &program->clauses, &program->premises, &program->columns);
    table_free(&program->relation_table);
    memory_free(program->terms, program);
}
