/* Splits bodies along their variables. A clause over X, Y, Z whose premises share only Y has X*Y*Z
 * instances; eliminating an existential variable into an auxiliary clause leaves X*Y + Y*Z.
 * Variables are eliminated one by one, the one with the fewest neighbours first (min-degree
 * heuristic of tree decompositions), as long as the auxiliary clause is narrower. Static premises
 * over the same variables are copied as guards, so that auxiliary relations stay small. */
#include <assert.h>
#include <string.h>

#include "ground/flat.h"

/* Splitting harder also eliminates if the auxiliary clause leaves variables unbound, as `not
 * p(X,Y)` leaves X. The auxiliary relation is then evaluated on demand (demand.c). */

typedef struct {
    LiteralKind kind;
    RelationId relation;
    U32Vector columns;
    U32Vector variables;
    U32Vector needs; /* variables that other premises must bind first, if it must be asked */
    bool is_static;
} Part;

typedef struct {
    RelationId head;
    U32Vector columns; /* columns of the head */
    U32Vector head_variables;
    U32Vector given; /* variables bound by questions about the head */
    uint32_t source;
    VECTOR(Part) parts;
} Body;

typedef struct {
    RelationId relation;
    U32Vector key; /* canonical form of its clause */
} SharedAuxiliary;

typedef struct {
    FlatProgram *old, *program; /* premises are read from the old one, clauses go to the new one */
    Table shared_table;
    VECTOR(SharedAuxiliary) shared;
    bool harder;
} Splitter;

static void unite(U32Vector *a, const U32Vector *b) {
    for (size_t i = 0; i < b->count; i++)
        u32_place(a, b->items[i]);
}

static void part_find_variables(const Terms *terms, Part *part) {
    for (size_t i = 0; i < part->columns.count; i++)
        term_variables(terms, part->columns.items[i], &part->variables);
}

static Part part_copy(const Part *part) {
    Part copy = {.kind = part->kind, .relation = part->relation, .is_static = part->is_static};
    vector_append(&copy.needs, part->needs.items, part->needs.count);
    vector_append(&copy.columns, part->columns.items, part->columns.count);
    vector_append(&copy.variables, part->variables.items, part->variables.count);
    return copy;
}

static void part_free(Part *part) {
    vectors_free(&part->columns, &part->variables, &part->needs);
}

static void body_free(Body *body) {
    for (size_t i = 0; i < body->parts.count; i++)
        part_free(&body->parts.items[i]);
    vectors_free(&body->parts, &body->columns, &body->head_variables, &body->given);
}

static Body body_of_clause(const Splitter *s, const ProgramClause *clause) {
    Body body = {.head = clause->head, .source = clause->source_clause};
    const FlatProgram *program = s->old;
    const FlatRelation *relations = s->program->relations.items; /* the new ones: they may grow */
    uint32_t arity = relations[clause->head].arity;
    vector_append(&body.columns, program->columns.items + clause->first_column, arity);
    for (uint32_t i = 0; i < arity; i++)
        term_variables(program->terms, body.columns.items[i], &body.head_variables);
    columns_variables(program->terms, body.columns.items, relations[clause->head].must_be_asked,
                      &body.given);
    for (uint32_t i = 0; i < clause->premise_count; i++) {
        const Premise *premise = clause_premise(program, clause, i);
        Part part = {.kind = premise->kind, .relation = premise->relation};
        part.is_static =
            premise->kind == LITERAL_DISTINCT || relations[premise->relation].is_static;
        vector_append(&part.columns, premise_columns(program, premise), premise->column_count);
        part_find_variables(program->terms, &part);
        if (premise->kind == LITERAL_POSITIVE)
            columns_variables(program->terms, part.columns.items,
                              relations[premise->relation].must_be_asked, &part.needs);
        vector_push(&body.parts, part);
    }
    return body;
}

static void emit(Splitter *s, const Body *body) {
    flat_add_clause(s->program, body->head, body->columns.items, body->source);
    for (size_t i = 0; i < body->parts.count; i++) {
        const Part *part = &body->parts.items[i];
        Premise premise = {part->kind, part->relation, (uint32_t)s->program->columns.count,
                           (uint32_t)part->columns.count};
        vector_append(&s->program->columns, part->columns.items, part->columns.count);
        flat_add_premise(s->program, &premise);
    }
}

static void all_variables(const Body *body, U32Vector *variables) {
    unite(variables, &body->head_variables);
    for (size_t i = 0; i < body->parts.count; i++)
        unite(variables, &body->parts.items[i].variables);
}

/* The premises that move into the auxiliary clause of one variable, and their variables. */
typedef struct {
    U32Vector moved;     /* indexes of parts */
    U32Vector guards;    /* indexes of parts that are copied as guards */
    U32Vector variables; /* variables of the moved parts */
    U32Vector unbound;   /* those of them that the auxiliary clause does not bind */
} Elimination;

static void elimination_free(Elimination *e) {
    vectors_free(&e->moved, &e->guards, &e->variables, &e->unbound);
}

static bool is_bound(const Body *body, const Elimination *e, Term variable) {
    for (size_t i = 0; i < e->moved.count; i++) {
        const Part *part = &body->parts.items[e->moved.items[i]];
        if (part->kind == LITERAL_POSITIVE && u32_contains(&part->variables, variable) &&
            !u32_contains(&part->needs, variable))
            return true;
    }
    for (size_t i = 0; i < e->guards.count; i++)
        if (u32_contains(&body->parts.items[e->guards.items[i]].variables, variable))
            return true;
    return false;
}

/* Copies a premise that binds the variable into the auxiliary clause, if there is one that fits. */
static bool bind_by_guard(const Body *body, Elimination *e, Term variable) {
    for (size_t i = 0; i < body->parts.count; i++) {
        const Part *part = &body->parts.items[i];
        if (part->kind == LITERAL_POSITIVE && part->needs.count == 0 &&
            u32_contains(&part->variables, variable) &&
            u32_is_subset(&part->variables, &e->variables)) {
            vector_push(&e->guards, (uint32_t)i);
            return true;
        }
    }
    return false;
}

/* True if the listed premises can be ordered so that the variables each one needs are bound before
 * it. Starts from the variables in `bound` and adds those that the premises bind. */
static bool can_be_ordered(const Body *body, const U32Vector *parts, U32Vector *bound) {
    U32Vector late = {0};
    for (size_t i = 0; i < parts->count; i++) {
        const Part *part = &body->parts.items[parts->items[i]];
        if (part->needs.count)
            vector_push(&late, parts->items[i]);
        else if (part->kind == LITERAL_POSITIVE)
            unite(bound, &part->variables);
    }
    for (size_t i = 0; i < late.count;) {
        const Part *part = &body->parts.items[late.items[i]];
        if (u32_is_subset(&part->needs, bound)) {
            unite(bound, &part->variables);
            late.items[i] = vector_pop(&late);
            i = 0;
        } else {
            i++;
        }
    }
    bool possible = late.count == 0;
    vector_free(&late);
    return possible;
}

/* True if the questions can be ordered, both inside the auxiliary clause and in the clause that
 * reads it. Other premises that must be asked do not bind variables for the new one. */
static bool can_be_asked(const Body *body, const Elimination *e) {
    U32Vector bound = {0}, stay = {0};
    unite(&bound, &e->unbound);
    bool possible = can_be_ordered(body, &e->moved, &bound);
    vector_clear(&bound);
    unite(&bound, &body->given);
    for (size_t i = 0; i < body->parts.count; i++) {
        const Part *part = &body->parts.items[i];
        if (u32_contains(&e->moved, (uint32_t)i))
            continue;
        if (part->needs.count)
            vector_push(&stay, (uint32_t)i);
        else if (part->kind == LITERAL_POSITIVE)
            unite(&bound, &part->variables);
    }
    possible = possible && u32_is_subset(&e->unbound, &bound);
    unite(&bound, &e->variables);
    possible = possible && can_be_ordered(body, &stay, &bound);
    vectors_free(&bound, &stay);
    return possible;
}

static bool all_static(const Body *body, const U32Vector *parts) {
    for (size_t i = 0; i < parts->count; i++)
        if (!body->parts.items[parts->items[i]].is_static)
            return false;
    return true;
}

static bool plan_elimination(const Splitter *s, const Body *body, Term variable, Elimination *e) {
    for (size_t i = 0; i < body->parts.count; i++)
        if (u32_contains(&body->parts.items[i].variables, variable)) {
            vector_push(&e->moved, (uint32_t)i);
            unite(&e->variables, &body->parts.items[i].variables);
        }
    for (size_t i = 0; i < body->parts.count; i++) {
        const Part *part = &body->parts.items[i];
        if (part->is_static && part->kind == LITERAL_POSITIVE && part->variables.count > 0 &&
            !u32_contains(&part->variables, variable) &&
            u32_is_subset(&part->variables, &e->variables))
            vector_push(&e->guards, (uint32_t)i);
    }
    for (size_t v = 0; v < e->variables.count; v++) {
        Term other = e->variables.items[v];
        if (is_bound(body, e, other) || bind_by_guard(body, e, other))
            continue;
        if (!s->harder || other == variable || all_static(body, &e->moved))
            return false;
        vector_push(&e->unbound, other);
    }
    return !s->harder || can_be_asked(body, e);
}

/* Numbers variables in order of appearance: clauses that differ only in names are equal. */
static void canonical_key(const Terms *terms, const Body *body, U32Vector *key) {
    U32Vector names = {0};
    for (size_t i = 0; i < body->parts.count; i++) {
        const Part *part = &body->parts.items[i];
        vector_push(key, part->kind);
        vector_push(key, part->relation);
        flat_append_key(terms, part->columns.items, part->columns.count, &names, key);
    }
    for (size_t i = 0; i < body->columns.count; i++)
        if (u32_contains(&names, body->columns.items[i]))
            vector_push(key, u32_index_of(&names, body->columns.items[i]));
    vector_free(&names);
}

static RelationId find_shared(Splitter *s, const U32Vector *key, uint64_t hash) {
    uint32_t id;
    for (TableProbe p = table_probe(&s->shared_table, hash);
         table_next(&s->shared_table, &p, &id);) {
        if (u32_equal(&s->shared.items[id].key, key))
            return s->shared.items[id].relation;
    }
    return RELATION_NONE;
}

static void split_body(Splitter *s, Body *body);

/* Finds or makes the auxiliary relation for a body with head columns. Takes the body over. */
static RelationId auxiliary_for(Splitter *s, Body *body, uint64_t must_be_asked) {
    assert(body->parts.count > 0);
    U32Vector key = {0};
    canonical_key(s->program->terms, body, &key);
    uint64_t hash = hash_bytes(key.items, key.count * sizeof *key.items);
    RelationId relation = find_shared(s, &key, hash);
    if (relation != RELATION_NONE) {
        vector_free(&key);
        body_free(body);
        return relation;
    }
    relation = flat_auxiliary(s->program, (uint32_t)body->columns.count);
    vector_push(&s->shared, ((SharedAuxiliary){relation, key}));
    table_insert(&s->shared_table, hash, (uint32_t)s->shared.count - 1);
    s->program->relations.items[relation].must_be_asked = must_be_asked;
    s->program->relations.items[relation].is_on_demand = must_be_asked != 0;
    body->head = relation;
    split_body(s, body);
    body_free(body);
    return relation;
}

static void variables_elsewhere(const Body *body, const Elimination *e, U32Vector *variables) {
    unite(variables, &body->head_variables);
    for (size_t i = 0; i < body->parts.count; i++)
        if (!u32_contains(&e->moved, (uint32_t)i))
            unite(variables, &body->parts.items[i].variables);
}

static void apply_elimination(Splitter *s, Body *body, const Elimination *e) {
    assert(e->moved.count > 0 && e->variables.count <= 64);
    U32Vector elsewhere = {0};
    variables_elsewhere(body, e, &elsewhere);
    Body auxiliary = {.source = body->source};
    uint64_t must_be_asked = 0;
    for (size_t i = 0; i < e->variables.count; i++) {
        if (!u32_contains(&elsewhere, e->variables.items[i]))
            continue;
        if (u32_contains(&e->unbound, e->variables.items[i]))
            must_be_asked |= 1ull << auxiliary.columns.count;
        vector_push(&auxiliary.columns, e->variables.items[i]);
    }
    vector_free(&elsewhere);
    vector_append(&auxiliary.given, e->unbound.items, e->unbound.count);
    vector_append(&auxiliary.head_variables, auxiliary.columns.items, auxiliary.columns.count);
    for (size_t i = 0; i < e->moved.count; i++)
        vector_push(&auxiliary.parts, part_copy(&body->parts.items[e->moved.items[i]]));
    for (size_t i = 0; i < e->guards.count; i++)
        vector_push(&auxiliary.parts, part_copy(&body->parts.items[e->guards.items[i]]));
    Part replacement = {.kind = LITERAL_POSITIVE,
                        .is_static = all_static(body, &e->moved) && all_static(body, &e->guards)};
    vector_append(&replacement.columns, auxiliary.columns.items, auxiliary.columns.count);
    vector_append(&replacement.variables, auxiliary.columns.items, auxiliary.columns.count);
    vector_append(&replacement.needs, e->unbound.items, e->unbound.count);
    replacement.relation = auxiliary_for(s, &auxiliary, must_be_asked);
    size_t kept = 0;
    for (size_t i = 0; i < body->parts.count; i++) {
        if (u32_contains(&e->moved, (uint32_t)i))
            part_free(&body->parts.items[i]);
        else
            body->parts.items[kept++] = body->parts.items[i];
    }
    body->parts.count = kept;
    vector_push(&body->parts, replacement);
}

/* Eliminates the existential variable with the fewest neighbours. False if none is useful. */
static bool choose_elimination(const Splitter *s, const Body *body, Elimination *best) {
    U32Vector variables = {0};
    all_variables(body, &variables);
    bool found = false;
    for (size_t v = 0; v < variables.count; v++) {
        Term variable = variables.items[v];
        if (u32_contains(&body->head_variables, variable))
            continue;
        Elimination e = {0};
        bool useful = plan_elimination(s, body, variable, &e) &&
                      e.variables.count < variables.count && e.variables.count <= 64 &&
                      (!found || e.variables.count < best->variables.count);
        if (useful) {
            elimination_free(best);
            *best = e;
            found = true;
        } else {
            elimination_free(&e);
        }
    }
    vector_free(&variables);
    return found;
}

/* Premises that share no variable with the rest of the clause need no special treatment: they
 * become an auxiliary clause when one of their variables is eliminated. */
static void split_body(Splitter *s, Body *body) {
    enum { MAX_BODY_WIDTH = 64 }; /* premises (untuned) */
    if (body->parts.count <= MAX_BODY_WIDTH) {
        Elimination e = {0};
        while (choose_elimination(s, body, &e)) {
            apply_elimination(s, body, &e);
            elimination_free(&e);
            e = (Elimination){0};
        }
        elimination_free(&e);
    }
    emit(s, body);
}

/* Splits all clauses, or those of the chosen relations harder. */
static void split_clauses(FlatProgram *program, bool harder) {
    FlatProgram old = *program;
    memset(&program->clauses, 0, sizeof program->clauses);
    memset(&program->premises, 0, sizeof program->premises);
    memset(&program->columns, 0, sizeof program->columns);
    Splitter s = {.old = &old, .program = program, .harder = harder};
    for (size_t c = 0; c < old.clauses.count; c++) {
        Body body = body_of_clause(&s, &old.clauses.items[c]);
        if (!harder || program->relations.items[body.head].is_chosen)
            split_body(&s, &body);
        else
            emit(&s, &body);
        body_free(&body);
    }
    for (size_t i = 0; i < s.shared.count; i++)
        vector_free(&s.shared.items[i].key);
    vectors_free(&s.shared, &old.clauses, &old.premises, &old.columns);
    table_free(&s.shared_table);
}

void flat_split(FlatProgram *program) {
    split_clauses(program, false);
}

void flat_split_harder(FlatProgram *program) {
    split_clauses(program, true);
    flat_mark_static(program);
}
