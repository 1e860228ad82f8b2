/* The driver of grounding. Static relations are evaluated first, component by component, each to
 * its fixpoint. Then one fixpoint covers everything that can change: it emits an instance of a
 * clause for each match of its premises, and semi-naive rounds find each match exactly once. If a
 * relation gets too many instances, its clauses are rewritten and grounding starts again. */
#include "ground/ground.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"
#include "base/graph.h"
#include "base/interrupt.h"
#include "gdl/write.h"
#include "ground/demand.h"
#include "ground/join.h"
#include "ground/unique.h"

enum {
    DEFAULT_PATIENCE = 1000000,    /* instances of a relation before it is rewritten (untuned) */
    STEPS_BETWEEN_CHECKS = 1 << 13 /* instances between two checks of the budget (untuned) */
};

typedef struct {
    Grounding *g;
    const GroundBudget *budget;
    Report *report;
    GroundRelations mentions; /* by RelationId: atoms that have only occurred negated so far */
    bool dynamic_phase;
    bool out_of_budget;
    double started;
    uint64_t steps;
    U32Vector columns;
    U32Vector instances; /* by relation: instances of the clauses that conclude it */
    bool exploded;       /* a relation that was not rewritten yet has more instances than
                            `rewrite_threshold` */
    uint32_t rewrite_threshold;
    size_t bytes_elsewhere; /* memory of an earlier result that is kept */
    RelationId overasked;   /* relation with far more questions than answers, or RELATION_NONE */
} Grounder;

static void sync_relations(Grounder *d) {
    const FlatProgram *program = d->g->program;
    GroundRelations *tables[] = {&d->g->relations, &d->mentions};
    for (size_t t = 0; t < 2; t++)
        while (tables[t]->count < program->relations.count)
            relations_add(tables[t], program->relations.items[tables[t]->count].arity);
    while (d->instances.count < program->relations.count)
        vector_push(&d->instances, 0);
}

static size_t bytes_held(const Grounder *d) {
    const Terms *terms = d->g->program->terms;
    size_t bytes = d->bytes_elsewhere + d->g->rules.capacity * sizeof(GroundRule) +
                   d->g->literals.capacity * sizeof(uint32_t) +
                   terms->cells.capacity * sizeof(TermCell) +
                   terms->arguments.capacity * sizeof(Term);
    for (size_t i = 0; i < d->g->relations.count; i++)
        bytes += relation_bytes(d->g->relations.items[i]) + relation_bytes(d->mentions.items[i]);
    return bytes;
}

static bool check_budget(void *context) {
    Grounder *d = context;
    const GroundBudget *b = d->budget;
    bool late = (b->seconds > 0 && clock_thread_cpu_seconds() - d->started > b->seconds) ||
                work_must_end(b->until, NULL);
    bool stopped = work_must_end(deadline_never(), b->stopped);
    bool large = b->bytes > 0 && bytes_held(d) > b->bytes;
    if (!d->out_of_budget && (late || stopped || large)) {
        report_error(d->report, "budget", "grounding stopped: %s",
                     large || interrupt_lacks_memory() ? "out of memory"
                     : stopped                         ? "cancelled"
                                                       : "out of time");
        d->out_of_budget = true;
    }
    return !d->out_of_budget;
}

static bool within_budget(Grounder *d) {
    if (d->out_of_budget)
        return false;
    return ++d->steps % STEPS_BETWEEN_CHECKS != 0 || check_budget(d);
}

static Atom new_atom(Grounder *d, RelationId relation, uint32_t tuple) {
    assert(relation < d->g->relations.count);
    vector_push(&d->g->atom_relations, relation);
    vector_push(&d->g->atom_tuples, tuple);
    return (Atom)d->g->atom_relations.count - 1;
}

/* The atom of a tuple that is not derived yet, and perhaps never will be. */
static Atom mention(Grounder *d, RelationId relation, const Term *tuple) {
    GroundRelation *derived = d->g->relations.items[relation];
    uint32_t found = relation_find(derived, tuple);
    if (found != TUPLE_NONE)
        return derived->atoms.items[found];
    GroundRelation *mentions = d->mentions.items[relation];
    found = relation_find(mentions, tuple);
    if (found != TUPLE_NONE)
        return mentions->atoms.items[found];
    Atom atom = new_atom(d, relation, TUPLE_NONE);
    relation_add(mentions, tuple, atom);
    return atom;
}

static bool has_role_column(Symbol keyword) {
    return keyword == KEYWORD_DOES || keyword == KEYWORD_LEGAL;
}

static Atom derive(Grounder *d, RelationId relation, const Term *tuple);

/* A tuple of a whole relation, `next(F)`, belongs to the flat relation of the term's functor. */
static Atom derive_whole(Grounder *d, RelationId relation, const Term *tuple) {
    assert(d->g->program->relations.items[relation].is_whole);
    FlatProgram *program = d->g->program;
    Symbol keyword = program->relations.items[relation].keyword;
    bool has_role = has_role_column(keyword);
    U32Vector columns = {0};
    RelationId flat =
        flat_flatten(program, keyword, has_role ? tuple[0] : TERM_NONE, tuple[has_role], &columns);
    sync_relations(d);
    Atom atom = columns.count <= RELATION_MAX_COLUMNS ? derive(d, flat, columns.items) : ATOM_NONE;
    vector_free(&columns);
    return atom;
}

static Term whole_term(Grounder *d, RelationId relation, const Term *tuple) {
    const FlatRelation *info = &d->g->program->relations.items[relation];
    bool has_role = has_role_column(info->keyword);
    return terms_make(d->g->program->terms, info->name, tuple + has_role, info->arity - has_role);
}

static void add_to_whole_view(Grounder *d, RelationId relation, const Term *tuple, Atom atom) {
    const FlatRelation *info = &d->g->program->relations.items[relation];
    bool has_role = has_role_column(info->keyword);
    RelationId whole =
        flat_find_relation(d->g->program, info->keyword, SYMBOL_NONE, 1 + has_role, true);
    if (whole == RELATION_NONE)
        return;
    Term view[2] = {tuple[0], TERM_NONE};
    view[has_role] = whole_term(d, relation, tuple);
    if (relation_find(d->g->relations.items[whole], view) == TUPLE_NONE)
        relation_add(d->g->relations.items[whole], view, atom);
}

/* A fluent that can be true next can be true now; a move that can be legal can be made. */
static void derive_consequence(Grounder *d, RelationId relation, const Term *tuple) {
    const FlatRelation info = d->g->program->relations.items[relation];
    Symbol keyword = info.keyword == KEYWORD_LEGAL ? KEYWORD_DOES : KEYWORD_TRUE;
    bool has_consequence = info.keyword == KEYWORD_NEXT || info.keyword == KEYWORD_INIT ||
                           info.keyword == KEYWORD_LEGAL;
    if (!has_consequence ||
        (info.keyword == KEYWORD_LEGAL && !u32_contains(&d->g->roles, tuple[0])))
        return;
    RelationId target = flat_relation_for(d->g->program, keyword, info.name, info.arity, false);
    sync_relations(d);
    derive(d, target, tuple);
}

/* Rules that wrap a term in itself derive terms without end: there is no finite circuit. */
static void refuse_oversized(Grounder *d, const Term *tuple, uint32_t arity) {
    for (uint32_t i = 0; i < arity && !d->out_of_budget; i++)
        if (term_is_oversized(d->g->program->terms, tuple[i])) {
            report_error(d->report, "budget", "grounding stopped: terms grow without end");
            d->out_of_budget = true;
        }
}

static Atom derive(Grounder *d, RelationId relation, const Term *tuple) {
    assert(relation < d->g->relations.count);
    if (d->g->program->relations.items[relation].is_whole)
        return derive_whole(d, relation, tuple);
    GroundRelation *r = d->g->relations.items[relation];
    uint32_t found = relation_find(r, tuple);
    if (found != TUPLE_NONE)
        return r->atoms.items[found];
    refuse_oversized(d, tuple, r->tuples.arity);
    GroundRelation *mentions = d->mentions.items[relation];
    uint32_t mentioned = relation_find(mentions, tuple);
    bool is_static = d->g->program->relations.items[relation].is_static;
    Atom atom = ATOM_NONE;
    if (mentioned != TUPLE_NONE) {
        atom = mentions->atoms.items[mentioned];
        d->g->atom_tuples.items[atom] = r->tuples.count;
    } else if (!is_static) {
        atom = new_atom(d, relation, r->tuples.count);
    }
    Term copy[RELATION_MAX_COLUMNS];
    memcpy(copy, tuple, r->tuples.arity * sizeof *copy);
    relation_add(r, copy, atom);
    add_to_whole_view(d, relation, copy, atom);
    derive_consequence(d, relation, copy);
    return atom;
}

static void instantiate(Grounder *d, const JoinClause *clause, uint32_t first, uint32_t arity,
                        const Term *slots, Term *tuple) {
    for (uint32_t i = 0; i < arity; i++)
        tuple[i] = join_instantiate(clause, &clause->patterns.items[first + i],
                                    d->g->program->terms, slots, true);
}

/* The atom of a negated premise; for a whole relation that of the flat one. */
static Atom mention_premise(Grounder *d, RelationId relation, const Term *tuple) {
    const FlatRelation *info = &d->g->program->relations.items[relation];
    if (!info->is_whole)
        return mention(d, relation, tuple);
    bool has_role = has_role_column(info->keyword);
    RelationId flat = flat_flatten(d->g->program, info->keyword, has_role ? tuple[0] : TERM_NONE,
                                   tuple[has_role], &d->columns);
    sync_relations(d);
    return mention(d, flat, d->columns.items);
}

static bool count_instance(Grounder *d, RelationId relation) {
    uint32_t count = ++d->instances.items[relation];
    if (count <= d->rewrite_threshold)
        return true;
    const FlatRelation *info = &d->g->program->relations.items[relation];
    if (info->is_question) {
        bool asks_little = d->g->program->relations.items[info->question].asks_little;
        if (!asks_little && count / 4 > d->instances.items[info->question])
            d->overasked = info->question;
        d->exploded = d->overasked != RELATION_NONE;
    } else {
        d->exploded = !info->was_rewritten;
    }
    return !d->exploded;
}

/* A ground rule with the literal `not p(X)` asks the question p(X). */
static void ask(Grounder *d, RelationId relation, const Term *tuple) {
    const FlatRelation *info = &d->g->program->relations.items[relation];
    if (info->question == RELATION_NONE)
        return;
    Term asked[RELATION_MAX_COLUMNS];
    uint32_t count = 0;
    for (uint64_t m = info->asked_columns; m; m &= m - 1)
        asked[count++] = tuple[__builtin_ctzll(m)];
    derive(d, info->question, asked);
}

static bool visit_instance(void *context, const JoinClause *clause, const JoinMatch *match) {
    Grounder *d = context;
    if (!within_budget(d) || !count_instance(d, clause->head))
        return false;
    Term tuple[RELATION_MAX_COLUMNS];
    uint32_t arity = d->g->program->relations.items[clause->head].arity;
    instantiate(d, clause, clause->head_patterns, arity, match->slots, tuple);
    if (!d->dynamic_phase) {
        derive(d, clause->head, tuple);
        return true;
    }
    Atom head = derive(d, clause->head, tuple);
    if (head == ATOM_NONE)
        return true;
    GroundRule rule = {head, (uint32_t)d->g->literals.count, 0};
    for (uint32_t i = 0; i < clause->premises.count; i++) {
        const JoinPremise *premise = &clause->premises.items[i];
        if (!premise->is_dynamic)
            continue;
        Atom atom;
        if (premise->kind == LITERAL_POSITIVE) {
            atom = d->g->relations.items[premise->relation]->atoms.items[match->tuples[i]];
        } else {
            instantiate(d, clause, premise->first_pattern, premise->arity, match->slots, tuple);
            atom = mention_premise(d, premise->relation, tuple);
            ask(d, premise->relation, tuple);
        }
        vector_push(&d->g->literals, ground_literal(atom, premise->kind == LITERAL_NEGATIVE));
    }
    rule.literal_count = (uint32_t)d->g->literals.count - rule.first_literal;
    vector_push(&d->g->rules, rule);
    return true;
}

static bool run_clause(Grounder *d, const JoinClause *clause, uint32_t delta) {
    sync_relations(d);
    JoinData data = {d->g->program->terms, &d->g->relations, check_budget};
    return join_run(clause, delta, &data, visit_instance, d);
}

static void start_round(Grounder *d) {
    for (size_t i = 0; i < d->g->relations.count; i++) {
        GroundRelation *r = d->g->relations.items[i];
        r->old_end = r->delta_end;
        r->delta_end = r->tuples.count;
    }
}

static bool has_delta_premise(const JoinClause *clause) {
    for (size_t i = 0; i < clause->premises.count; i++)
        if (clause->premises.items[i].is_delta)
            return true;
    return false;
}

static bool run_with_each_delta(Grounder *d, const JoinClause *clause, bool *useful) {
    for (uint32_t i = 0; i < clause->premises.count; i++) {
        const JoinPremise *premise = &clause->premises.items[i];
        if (!premise->is_delta)
            continue;
        const GroundRelation *r = d->g->relations.items[premise->relation];
        if (r->old_end == r->delta_end)
            continue;
        *useful = true;
        if (!run_clause(d, clause, i))
            return false;
    }
    return true;
}

/* Evaluates clauses to their common fixpoint; false if the budget ran out. */
static bool run_to_fixpoint(Grounder *d, const JoinClause *clauses, size_t count) {
    for (size_t i = 0; i < d->g->relations.count; i++)
        d->g->relations.items[i]->old_end = d->g->relations.items[i]->delta_end = 0;
    for (size_t c = 0; c < count; c++)
        if (!has_delta_premise(&clauses[c]) && !run_clause(d, &clauses[c], JOIN_NO_DELTA))
            return false;
    for (bool useful = true; useful;) {
        useful = false;
        start_round(d);
        for (size_t c = 0; c < count; c++)
            if (!run_with_each_delta(d, &clauses[c], &useful))
                return false;
    }
    return true;
}

/* Compiles and runs the clauses of one component, or of everything that can change. */
static bool run_clauses(Grounder *d, const U32Vector *clauses, const bool *grows) {
    VECTOR(JoinClause) compiled = {0};
    for (size_t i = 0; i < clauses->count; i++) {
        const ProgramClause *clause = &d->g->program->clauses.items[clauses->items[i]];
        vector_push(&compiled, join_compile(d->g->program, clause, grows));
    }
    bool completed = run_to_fixpoint(d, compiled.items, compiled.count);
    for (size_t i = 0; i < compiled.count; i++)
        join_clause_free(&compiled.items[i]);
    vector_free(&compiled);
    return completed;
}

static uint32_t *static_components(const FlatProgram *program, uint32_t *count) {
    uint32_t relations = (uint32_t)program->relations.count;
    Edges edges = {0};
    for (size_t c = 0; c < program->clauses.count; c++) {
        const ProgramClause *clause = &program->clauses.items[c];
        for (uint32_t i = 0; i < clause->premise_count; i++) {
            Edge edge = {clause->head, clause_premise(program, clause, i)->relation};
            if (edge.to != RELATION_NONE) /* `distinct` depends on nothing */
                vector_push(&edges, edge);
        }
    }
    uint32_t *component = memory_alloc(relations * sizeof *component);
    *count = graph_components(relations, &edges, component);
    vector_free(&edges);
    return component;
}

static bool evaluate_static_part(Grounder *d) {
    FlatProgram *program = d->g->program;
    size_t relations = program->relations.count;
    uint32_t count;
    uint32_t *component = static_components(program, &count);
    U32Vector *members = memory_zalloc((count + 1) * sizeof *members);
    for (uint32_t c = 0; c < program->clauses.count; c++) {
        RelationId head = program->clauses.items[c].head;
        if (program->relations.items[head].is_static && !program->relations.items[head].is_question)
            vector_push(&members[component[head]], c);
    }
    bool *grows = memory_alloc(relations + 1);
    bool completed = true;
    for (uint32_t k = 0; k < count; k++) {
        if (completed && members[k].count) {
            for (size_t i = 0; i < relations; i++)
                grows[i] = component[i] == k;
            completed = run_clauses(d, &members[k], grows);
        }
        vector_free(&members[k]);
    }
    memory_free(members, grows, component);
    return completed;
}

static bool ground_dynamic_part(Grounder *d) {
    FlatProgram *program = d->g->program;
    d->dynamic_phase = true;
    sync_relations(d);
    size_t relations = program->relations.count;
    bool *grows = memory_alloc(relations + 1);
    for (size_t i = 0; i < relations; i++)
        grows[i] =
            !program->relations.items[i].is_static || program->relations.items[i].is_question;
    U32Vector clauses = {0};
    for (uint32_t c = 0; c < program->clauses.count; c++)
        if (grows[program->clauses.items[c].head])
            vector_push(&clauses, c);
    bool completed = run_clauses(d, &clauses, grows);
    vector_free(&clauses);
    free(grows);
    return completed;
}

static void collect_roles(Grounder *d) {
    RelationId roles = flat_relation_for(d->g->program, KEYWORD_ROLE, KEYWORD_ROLE, 1, false);
    sync_relations(d);
    const GroundRelation *r = d->g->relations.items[roles];
    for (uint32_t i = 0; i < r->tuples.count; i++)
        vector_push(&d->g->roles, relation_tuple(r, i)[0]);
}

/* The atom of the same tuple under another keyword; ATOM_NONE if it was never derived. */
static Atom sibling_atom(const Grounder *d, RelationId relation, Symbol keyword,
                         const Term *tuple) {
    const FlatRelation *info = &d->g->program->relations.items[relation];
    RelationId other = flat_find_relation(d->g->program, keyword, info->name, info->arity, false);
    if (other == RELATION_NONE)
        return ATOM_NONE;
    const GroundRelation *r = d->g->relations.items[other];
    uint32_t found = relation_find(r, tuple);
    return found == TUPLE_NONE ? ATOM_NONE : r->atoms.items[found];
}

static bool holds_initially(const Grounder *d, RelationId relation, const Term *tuple) {
    const FlatRelation *info = &d->g->program->relations.items[relation];
    RelationId init =
        flat_find_relation(d->g->program, KEYWORD_INIT, info->name, info->arity, false);
    return init != RELATION_NONE && relation_find(d->g->relations.items[init], tuple) != TUPLE_NONE;
}

static void collect_fluents(Grounder *d, RelationId relation) {
    const GroundRelation *r = d->g->relations.items[relation];
    for (uint32_t i = 0; i < r->tuples.count; i++) {
        const Term *tuple = relation_tuple(r, i);
        Fluent fluent = {whole_term(d, relation, tuple), r->atoms.items[i],
                         sibling_atom(d, relation, KEYWORD_NEXT, tuple),
                         holds_initially(d, relation, tuple)};
        vector_push(&d->g->fluents, fluent);
    }
}

static void collect_moves(Grounder *d, RelationId relation, uint32_t role) {
    assert(role < d->g->roles.count);
    const GroundRelation *r = d->g->relations.items[relation];
    for (uint32_t i = 0; i < r->tuples.count; i++) {
        const Term *tuple = relation_tuple(r, i);
        if (tuple[0] != d->g->roles.items[role])
            continue;
        Move move = {role, whole_term(d, relation, tuple),
                     sibling_atom(d, relation, KEYWORD_LEGAL, tuple), r->atoms.items[i]};
        vector_push(&d->g->moves, move);
    }
}

static void collect_role_outputs(Grounder *d, RelationId relation) {
    const GroundRelation *r = d->g->relations.items[relation];
    Symbol keyword = d->g->program->relations.items[relation].keyword;
    for (uint32_t i = 0; i < r->tuples.count; i++) {
        const Term *tuple = relation_tuple(r, i);
        RoleOutput output = {u32_index_of(&d->g->roles, tuple[0]), tuple[1], r->atoms.items[i]};
        if (output.role == UINT32_MAX)
            continue;
        vector_push(keyword == KEYWORD_GOAL ? &d->g->goals : &d->g->percepts, output);
    }
}

static void collect_outputs(Grounder *d) {
    const FlatProgram *program = d->g->program;
    d->g->terminal = ATOM_NONE;
    for (uint32_t role = 0; role < d->g->roles.count; role++)
        for (RelationId i = 0; i < d->g->relations.count; i++)
            if (program->relations.items[i].keyword == KEYWORD_DOES &&
                !program->relations.items[i].is_whole)
                collect_moves(d, i, role);
    for (RelationId i = 0; i < d->g->relations.count; i++) {
        const FlatRelation *info = &program->relations.items[i];
        const GroundRelation *r = d->g->relations.items[i];
        if (info->keyword == KEYWORD_TRUE && !info->is_whole)
            collect_fluents(d, i);
        else if (info->keyword == KEYWORD_TERMINAL && info->arity == 0 && r->tuples.count)
            d->g->terminal = r->atoms.items[0];
        else if ((info->keyword == KEYWORD_GOAL || info->keyword == KEYWORD_SEES) &&
                 info->arity == 2)
            collect_role_outputs(d, i);
    }
}

static bool relations_are_narrow(const FlatProgram *program, Report *report) {
    for (size_t i = 0; i < program->relations.count; i++)
        if (program->relations.items[i].arity > RELATION_MAX_COLUMNS) {
            report_error(report, "budget", "a relation has more than %d arguments",
                         RELATION_MAX_COLUMNS);
            return false;
        }
    return true;
}

/* One attempt at grounding; takes the program over. Returns NULL without an error in the report if
 * a relation exploded; `instances` then has the numbers so far. */
static Grounding *attempt(Grounder *d, FlatProgram *program) {
    Grounding *g = memory_zalloc(sizeof *g);
    g->program = program;
    d->g = g;
    d->exploded = d->dynamic_phase = false;
    d->overasked = RELATION_NONE;
    vector_clear(&d->instances);
    sync_relations(d);
    bool ok = relations_are_narrow(program, d->report) && evaluate_static_part(d);
    if (ok) {
        collect_roles(d);
        ok = ground_dynamic_part(d);
    }
    if (ok)
        collect_outputs(d);
    g->cpu_seconds = clock_thread_cpu_seconds() - d->started;
    g->bytes = bytes_held(d);
    relations_free(&d->mentions);
    if (ok)
        return g;
    grounding_free(g);
    return NULL;
}

static void rewrite_chosen(FlatProgram *program) {
    flat_merge_alternatives(program);
    flat_split_harder(program);
    for (RelationId i = 0; i < program->relations.count; i++)
        if (program->relations.items[i].is_chosen)
            demand_mark(program, i);
}

/* Rewrites the clauses of all relations that have a large share in the explosion. */
static void rewrite_exploded(Grounder *d, FlatProgram *program) {
    if (d->overasked != RELATION_NONE) {
        program->relations.items[d->overasked].asks_little = true;
        return;
    }
    for (RelationId i = 0; i < program->relations.count; i++) {
        FlatRelation *info = &program->relations.items[i];
        uint32_t many = info->is_static ? d->rewrite_threshold : d->rewrite_threshold / 2;
        info->is_chosen = d->instances.items[i] > many && !info->was_rewritten;
        info->was_rewritten |= info->is_chosen;
    }
    rewrite_chosen(program);
}

/* Copies what was learnt about relations to the program as it was before rewriting. */
static void copy_findings(const FlatProgram *from, FlatProgram *to) {
    assert(to->relations.count <= from->relations.count);
    for (RelationId i = 0; i < to->relations.count; i++) {
        const FlatRelation *finding = &from->relations.items[i];
        FlatRelation *info = &to->relations.items[i];
        info->was_rewritten = finding->was_rewritten;
        info->is_on_demand = finding->is_on_demand;
        info->asks_little = finding->asks_little;
    }
}

static Grounding *attempt_until_it_fits(Grounder *d, FlatProgram *program) {
    Grounding *g = attempt(d, demand_apply(program));
    while (!g && d->exploded) {
        rewrite_exploded(d, program);
        g = attempt(d, demand_apply(program));
    }
    return g;
}

/* If the first result proves enough, grounds the original program again with fewer negations. Keeps
 * the first result if the second is not smaller, or does not fit into the rest of the budget. */
static Grounding *simplify_negations(Grounder *d, FlatProgram *original, Grounding *g) {
    if (!unique_rewrite(original, g))
        return g;
    for (RelationId i = 0; i < original->relations.count; i++)
        original->relations.items[i].is_chosen |= original->relations.items[i].was_rewritten;
    rewrite_chosen(original);
    Report quiet = {0}, *report = d->report;
    d->report = &quiet;
    d->bytes_elsewhere = g->bytes;
    Grounding *other = attempt_until_it_fits(d, original);
    d->report = report;
    report_free(&quiet);
    bool is_better = other && other->rules.count < g->rules.count;
    grounding_free(is_better ? g : other);
    return is_better ? other : g;
}

static Grounding *ground_rewritten(Grounder *d, FlatProgram *program) {
    FlatProgram *original = flat_copy(program);
    rewrite_exploded(d, program);
    Grounding *g = attempt_until_it_fits(d, program);
    if (g) {
        copy_findings(program, original);
        g = simplify_negations(d, original, g);
    }
    flat_free(original);
    return g;
}

GroundBudget ground_budget_until(Deadline deadline, size_t bytes) {
    return (GroundBudget){.until = deadline, .bytes = bytes};
}

Grounding *ground_rules(const Rules *rules, const GroundBudget *budget, Report *report) {
    assert(rules && budget && report);
    FlatProgram *program = flat_create(rules, true, report);
    if (!program)
        return NULL;
    Grounder d = {.budget = budget,
                  .report = report,
                  .rewrite_threshold =
                      budget->rewrite_threshold ? budget->rewrite_threshold : DEFAULT_PATIENCE,
                  .started = clock_thread_cpu_seconds()};
    Grounding *g = attempt(&d, flat_copy(program));
    if (!g && d.exploded)
        g = ground_rewritten(&d, program);
    flat_free(program);
    vectors_free(&d.instances, &d.columns);
    return g;
}

void ground_write_atom(const Grounding *g, Atom atom, Text *out) {
    assert(atom < g->atom_relations.count);
    RelationId relation = g->atom_relations.items[atom];
    const FlatRelation *info = &g->program->relations.items[relation];
    const Symbols *symbols = g->program->terms->symbols;
    bool flat = info->keyword == KEYWORD_TRUE || info->keyword == KEYWORD_NEXT ||
                has_role_column(info->keyword);
    if (info->name == SYMBOL_NONE)
        text_printf(out, "(aux%u", relation);
    else if (flat)
        text_printf(out, "(%s", symbols_name(symbols, info->keyword));
    else
        text_printf(out, "(%s", symbols_name(symbols, info->name));
    uint32_t tuple = g->atom_tuples.items[atom];
    const GroundRelation *r = g->relations.items[relation];
    bool has_role = has_role_column(info->keyword);
    for (uint32_t i = 0; i < info->arity && tuple != TUPLE_NONE; i++) {
        if (flat && i == has_role)
            text_printf(out, " (%s", symbols_name(symbols, info->name));
        text_add_char(out, ' ');
        write_term(out, g->program->terms, relation_tuple(r, tuple)[i], NOTATION_KIF);
    }
    if (flat && info->arity == has_role)
        text_printf(out, " %s", symbols_name(symbols, info->name));
    else if (flat)
        text_add_char(out, ')');
    text_add_char(out, ')');
}

void grounding_sort_rules(const Grounding *g, uint32_t **starts, uint32_t **order) {
    size_t atoms = g->atom_relations.count;
    uint32_t *next = memory_zalloc((atoms + 2) * sizeof *next);
    *order = memory_alloc(g->rules.count * sizeof **order);
    for (size_t r = 0; r < g->rules.count; r++)
        next[g->rules.items[r].head + 2]++;
    for (size_t a = 0; a < atoms; a++)
        next[a + 2] += next[a + 1];
    for (uint32_t r = 0; r < g->rules.count; r++)
        (*order)[next[g->rules.items[r].head + 1]++] = r;
    *starts = next;
}

void grounding_forget_rules(Grounding *g) {
    relations_free(&g->relations);
    vectors_free(&g->rules, &g->literals, &g->atom_relations, &g->atom_tuples);
}

/* Symbols of another text must be found by name, so terms_from_node cannot be used. */
static Term find_term(const Grounding *g, const Syntax *syntax, uint32_t node, unsigned depth) {
    Terms *terms = g->program->terms;
    Symbol head = node_head(syntax, node);
    if (head == SYMBOL_NONE || depth > RULES_MAX_DEPTH)
        return TERM_NONE;
    Symbol symbol = symbols_find(terms->symbols, symbols_name(&syntax->symbols, head),
                                 symbols_length(&syntax->symbols, head));
    if (symbol == SYMBOL_NONE)
        return TERM_NONE;
    U32Vector arguments = {0};
    uint32_t end = node_is_list(syntax, node) ? node_end(syntax, node) : node;
    bool found = true;
    for (uint32_t n = node + 2; n < end && found; n = node_next(syntax, n)) {
        Term argument = find_term(g, syntax, n, depth + 1);
        found = argument != TERM_NONE;
        vector_push(&arguments, argument);
    }
    Term term =
        found ? terms_find(terms, symbol, arguments.items, (uint32_t)arguments.count) : TERM_NONE;
    vector_free(&arguments);
    return term;
}

Term grounding_find_term(const Grounding *g, const Syntax *syntax, uint32_t node) {
    assert(node < syntax->nodes.count);
    return find_term(g, syntax, node, 0);
}

void grounding_free(Grounding *g) {
    if (!g)
        return;
    grounding_forget_rules(g);
    flat_free(g->program);
    vectors_free(&g->roles, &g->fluents, &g->moves, &g->goals, &g->percepts);
    free(g);
}
