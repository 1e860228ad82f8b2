/* Creates interpreters. Relations are numbered, and what no move can change is evaluated once. The
 * other clauses are planned twice: first with guessed sizes of relations, then with the sizes met
 * in a short random match. If some relations are too large in that match, another interpreter is
 * made that evaluates them only on demand, and the faster one is kept. */
#include "game/interpreter/interpreter.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "game/interpreter/interpreter_demand.h"
#include "game/interpreter/interpreter_internal.h"

/* Ten million facts take some hundred megabytes, a billion visits some ten seconds (untuned). */
const InterpreterLimits interpreter_default_limits = {10 * 1000 * 1000, UINT64_C(1) << 33};

static const struct {
    Keyword keyword;
    uint32_t arity;
} answers[ANSWER_COUNT] = {
    [ANSWER_ROLE] = {KEYWORD_ROLE, 1},   [ANSWER_INIT] = {KEYWORD_INIT, 1},
    [ANSWER_LEGAL] = {KEYWORD_LEGAL, 2}, [ANSWER_TERMINAL] = {KEYWORD_TERMINAL, 0},
    [ANSWER_GOAL] = {KEYWORD_GOAL, 2},   [ANSWER_NEXT] = {KEYWORD_NEXT, 1},
    [ANSWER_SEES] = {KEYWORD_SEES, 2},
};

static uint32_t add_relation(Interpreter *in, uint32_t arity, Dependence depends) {
    InterpretedRelation info = {.arity = arity, .depends = depends};
    info.distinct = memory_alloc((arity + 1) * sizeof *info.distinct);
    tuples_init(&info.content, arity);
    vector_push(&in->relations, info);
    return (uint32_t)in->relations.count - 1;
}

static Dependence dependence_of(const Predicate *predicate) {
    return predicate->depends_on_does   ? DEPENDS_ON_MOVES
           : predicate->depends_on_true ? DEPENDS_ON_STATE
                                        : DEPENDS_ON_NOTHING;
}

static void add_flat(Interpreter *in, Term atom) {
    const Terms *terms = &in->rules->terms;
    Symbol keyword = term_symbol(terms, atom);
    uint32_t arity = term_arity(terms, atom);
    bool is_true = keyword == KEYWORD_TRUE && arity == 1;
    if (!is_true && (keyword != KEYWORD_DOES || arity != 2))
        return;
    Term last = term_argument(terms, atom, arity - 1);
    if (term_is_variable(terms, last)) {
        uint32_t whole = predicates_find(&in->predicates, keyword, arity);
        *(is_true ? &in->whole_true : &in->whole_does) = whole;
        return;
    }
    uint32_t columns = term_arity(terms, last);
    if (tuples_insert(&in->flats, (uint32_t[]){keyword, term_symbol(terms, last), columns}))
        vector_push(&in->flat_relations,
                    add_relation(in, columns + (is_true ? 0 : 1),
                                 is_true ? DEPENDS_ON_STATE : DEPENDS_ON_MOVES));
}

static void number_relations(Interpreter *in) {
    for (size_t i = 0; i < in->predicates.items.count; i++) {
        const Predicate *predicate = &in->predicates.items.items[i];
        add_relation(in, predicate->arity, dependence_of(predicate));
    }
    in->whole_true = in->whole_does = INTERPRETER_RELATION_NONE;
    tuples_init(&in->flats, 3);
    for (size_t i = 0; i < in->rules->literals.count; i++)
        if (in->rules->literals.items[i].kind != LITERAL_DISTINCT)
            add_flat(in, in->rules->literals.items[i].atom);
    for (Answer a = 0; a < ANSWER_COUNT; a++)
        in->answers[a] = predicates_find(&in->predicates, answers[a].keyword, answers[a].arity);
}

static void number_components(Interpreter *in) {
    for (uint32_t c = 0; c < in->predicates.component_count; c++)
        vector_push(&in->components, ((Component){0}));
    for (uint32_t i = 0; i < in->predicates.items.count; i++) {
        const Predicate *predicate = &in->predicates.items.items[i];
        Component *component = &in->components.items[predicate->component];
        component->depends = dependence_of(predicate);
        vector_push(&component->members, i);
    }
}

/* Marks the components that an answer depends on, itself included. */
static void mark_cone(const Interpreter *in, uint32_t predicate, bool *marks) {
    U32Vector open = {0};
    vector_push(&open, predicate);
    while (open.count > 0) {
        uint32_t c = in->predicates.items.items[vector_pop(&open)].component;
        if (marks[c])
            continue;
        marks[c] = true;
        for (size_t m = 0; m < in->components.items[c].members.count; m++) {
            uint32_t member = in->components.items[c].members.items[m];
            const Predicate *p = &in->predicates.items.items[member];
            for (size_t d = 0; d < p->dependencies.count; d++)
                vector_push(&open, p->dependencies.items[d].target);
        }
    }
    vector_free(&open);
}

static bool has_clauses(const Interpreter *in, uint32_t component) {
    const U32Vector *members = &in->components.items[component].members;
    for (size_t i = 0; i < members->count; i++)
        if (in->predicates.items.items[members->items[i]].clauses.count > 0)
            return true;
    return false;
}

static void find_cones(Interpreter *in) {
    size_t count = in->components.count;
    for (Answer a = 0; a < ANSWER_COUNT; a++) {
        if (in->answers[a] == PREDICATE_NONE)
            continue;
        bool *marks = memory_zalloc(count + 1);
        mark_cone(in, in->answers[a], marks);
        for (uint32_t c = 0; c < count; c++) {
            in->components.items[c].needed |= marks[c];
            if (marks[c] && in->components.items[c].depends != DEPENDS_ON_NOTHING &&
                has_clauses(in, c))
                vector_push(&in->cones[a], c);
        }
        free(marks);
    }
}

/* Rules must not conclude `true` or `does`, which are given by the state and the moves. */
static bool check_heads(const Interpreter *in, Report *report) {
    const Rules *rules = in->rules;
    bool is_good = true;
    for (size_t i = 0; i < rules->clauses.count; i++) {
        const Clause *clause = &rules->clauses.items[i];
        Symbol symbol = term_symbol(&rules->terms, clause->head);
        uint32_t arity = term_arity(&rules->terms, clause->head);
        if ((symbol != KEYWORD_TRUE || arity != 1) && (symbol != KEYWORD_DOES || arity != 2))
            continue;
        report_node(report, SEVERITY_ERROR, "bad-head", rules->syntax, clause->root,
                    "`%s` cannot be concluded", symbols_name(rules->terms.symbols, symbol));
        is_good = false;
    }
    return is_good;
}

static void find_inner_negations(Interpreter *in) {
    for (size_t i = 0; i < in->predicates.items.count; i++) {
        const Predicate *predicate = &in->predicates.items.items[i];
        for (size_t d = 0; d < predicate->dependencies.count; d++) {
            const Dependency *dependency = &predicate->dependencies.items[d];
            uint32_t other = in->predicates.items.items[dependency->target].component;
            if (dependency->negative && other == predicate->component)
                in->components.items[other].has_inner_negation = true;
        }
    }
}

static void measure(InterpretedRelation *info, const TupleSet *relation) {
    info->rows = relation->count;
    for (uint32_t c = 0; c < info->arity; c++)
        info->distinct[c] = tuples_distinct(relation, c, UINT32_MAX);
}

static void guess_sizes(Interpreter *in) {
    for (size_t i = 0; i < in->relations.count; i++) {
        InterpretedRelation *info = &in->relations.items[i];
        bool is_move = info->depends == DEPENDS_ON_MOVES && i >= in->predicates.items.count;
        info->rows = is_move ? 1 : 30;
        for (uint32_t c = 0; c < info->arity; c++)
            info->distinct[c] = is_move ? 1 : 5;
    }
}

/* The original predicate of a rewritten one, whose name is "answer NAME PATTERN". */
static Symbol demand_answer_of(const char *name, const Interpreter *in) {
    const char *start = strchr(name, ' '), *end = strrchr(name, ' ');
    if (strncmp(name, "answer ", 7) != 0 || start == end)
        return SYMBOL_NONE;
    return symbols_find(in->rules->terms.symbols, start + 1, (size_t)(end - start - 1));
}

/* Puts the members of a component on demand. If a member is on demand already, puts its callers on
 * demand. */
static void demand_members(const Interpreter *in, const Rules *original, uint32_t component,
                           Demands *demands) {
    assert(component < in->components.count);
    const U32Vector *members = &in->components.items[component].members;
    for (size_t i = 0; i < members->count; i++) {
        const Predicate *predicate = &in->predicates.items.items[members->items[i]];
        if (predicate->symbol < original->terms.symbols->names.count) {
            demands_add(demands, predicate->symbol, predicate->arity);
            continue;
        }
        const char *name = symbols_name(in->rules->terms.symbols, predicate->symbol);
        Symbol symbol = demand_answer_of(name, in);
        if (symbol != SYMBOL_NONE)
            demands_add_callers(demands, original, symbol, predicate->arity);
    }
}

static bool evaluate_static_component(Interpreter *in, uint32_t number, Report *report) {
    Component *component = &in->components.items[number];
    Program program = {0};
    bool is_good = plan_component(in, &program, number, report);
    if (is_good) {
        InterpreterWork *work = work_create(in, &program, true);
        evaluate_component(work, number);
        if (work->failed) {
            uint32_t first = component->members.items[0];
            const Predicate *predicate = &in->predicates.items.items[first];
            report_node(report, SEVERITY_ERROR, "too-large", in->rules->syntax,
                        predicate->first_node, "this relation has too many rows, or no end");
            is_good = false;
        }
        interpreter_work_free(work);
    }
    for (size_t m = 0; m < component->members.count; m++) {
        InterpretedRelation *info = &in->relations.items[component->members.items[m]];
        measure(info, &info->content);
    }
    program_free(&program);
    return is_good;
}

static bool evaluate_static_part(Interpreter *in, const Rules *original, Demands *demands,
                                 Report *report) {
    for (uint32_t c = 0; c < in->components.count; c++) {
        const Component *component = &in->components.items[c];
        if (!component->needed || component->depends != DEPENDS_ON_NOTHING)
            continue;
        if (!evaluate_static_component(in, c, report)) {
            size_t before = demands->count;
            demand_members(in, original, c, demands);
            for (size_t i = before; i < demands->count; i++) { /* and the callers of the new ones */
                demands->items[i].wants_all = true;
                demands_add_callers(demands, original, demands->items[i].symbol,
                                    demands->items[i].arity);
            }
            return false;
        }
    }
    return true;
}

/* Makes the indexes of static relations now, because threads share these relations. */
static void settle_static_indexes(Interpreter *in, Program *program) {
    for (size_t p = 0; p < program->plans.count; p++) {
        Plan *plan = &program->plans.items[p];
        IndexUse *uses = program->uses.items + plan->first_use;
        uint32_t kept = 0;
        for (uint32_t i = 0; i < plan->use_count; i++) {
            InterpretedRelation *info = &in->relations.items[uses[i].relation];
            if (info->depends == DEPENDS_ON_NOTHING)
                tuples_update_index(&info->content, uses[i].index);
            else
                uses[kept++] = uses[i];
        }
        plan->use_count = kept;
    }
}

static bool plan_dynamic_part(Interpreter *in, Report *report) {
    bool is_good = true;
    for (size_t i = 0; i < in->relations.count; i++) {
        InterpretedRelation *info = &in->relations.items[i];
        if (info->depends == DEPENDS_ON_NOTHING)
            continue;
        tuples_free(&info->content);
        tuples_init(&info->content, info->arity);
    }
    for (uint32_t c = 0; c < in->components.count; c++) {
        const Component *component = &in->components.items[c];
        if (component->needed && component->depends != DEPENDS_ON_NOTHING)
            is_good &= plan_component(in, &in->program, c, report);
    }
    settle_static_indexes(in, &in->program);
    return is_good;
}

static void measure_work(Interpreter *in, InterpreterWork *work) {
    for (size_t i = 0; i < in->relations.count; i++) {
        InterpretedRelation *info = &in->relations.items[i];
        const TupleSet *relation = work->relations[i];
        if (info->depends != DEPENDS_ON_NOTHING && relation->count >= info->rows)
            measure(info, relation);
    }
}

/* Joint moves, and rows visited, of the sample match (untuned). */
enum { SAMPLE_STEPS = 20, SAMPLE_VISITS = 500 * 1000 };

typedef struct {
    InterpreterWork *work;
    NumberSet state, moves;
    uint32_t *choice;
    uint64_t visits;
    bool is_over;
} Sample;

/* Adds up the cost of the last question; true if it was answered within the limits. */
static bool was_answered(Sample *s) {
    s->visits += s->work->visits;
    s->is_over |= s->work->failed || s->visits > SAMPLE_VISITS;
    return !s->work->failed;
}

/* Plays one random joint move; false at the end of the match or if a limit is exceeded. */
static bool sample_move(Sample *s, Random *random) {
    const Interpreter *in = s->work->interpreter;
    if (interpreter_is_terminal(s->work, &s->state) || !was_answered(s))
        return false;
    for (uint32_t r = 0; r < in->roles.count; r++) {
        interpreter_legal(s->work, &s->state, r, &s->moves);
        if (!was_answered(s) || s->moves.count == 0)
            return false;
        s->choice[r] = s->moves.items[random_below(random, s->moves.count)];
    }
    interpreter_next(s->work, &s->state, s->choice, &s->moves);
    if (!was_answered(s))
        return false;
    NumberSet swap = s->state;
    s->state = s->moves;
    s->moves = swap;
    return !s->is_over;
}

/* Plays a few random moves, keeps the largest sizes that relations had, and the cost of a move. */
static void sample_sizes(Interpreter *in) {
    Sample s = {.work = interpreter_work(in)};
    interpreter_set_limits(s.work, (InterpreterLimits){SAMPLE_VISITS, SAMPLE_VISITS});
    for (size_t i = 0; i < in->relations.count; i++)
        if (in->relations.items[i].depends != DEPENDS_ON_NOTHING)
            in->relations.items[i].rows = 0;
    s.choice = memory_alloc((in->roles.count + 1) * sizeof *s.choice);
    Random random;
    random_seed(&random, 1);
    interpreter_initial(s.work, &s.state);
    uint32_t steps = 0;
    while (steps < SAMPLE_STEPS && was_answered(&s) && sample_move(&s, &random)) {
        measure_work(in, s.work);
        steps++;
    }
    for (uint32_t r = 0; r < in->roles.count && !s.is_over; r++) {
        interpreter_goal(s.work, &s.state, r);
        was_answered(&s);
    }
    measure_work(in, s.work);
    for (size_t c = 0; c < in->components.count; c++)
        in->components.items[c].was_sampled = s.work->evaluated[c] > 0;
    in->cost = steps == 0 && s.is_over ? INFINITY : (double)s.visits / (steps + 1);
    vectors_free(&s.state, &s.moves);
    free(s.choice);
    interpreter_work_free(s.work);
}

static void find_roles(Interpreter *in) {
    for (size_t i = 0; i < in->rules->roles.count; i++)
        vector_push(&in->roles, value_of_term(in, &in->rules->terms, in->rules->roles.items[i]));
    if (in->answers[ANSWER_ROLE] == PREDICATE_NONE)
        return;
    const TupleSet *relation = &in->relations.items[in->answers[ANSWER_ROLE]].content;
    for (uint32_t row = 0; row < relation->count; row++)
        u32_place(&in->roles, *tuples_row(relation, row));
}

/* A joint move with fewer visits is cheap enough; a relation with fewer rows is harmless (untuned).
 */
enum { CHEAP_VISITS = 2000, LARGE_ROWS = 256 };

/* Puts the relations that were large in the sample match on demand. If that match exceeded its
 * limit, `broadly` adds those that it did not reach. */
static void demand_large_relations(const Interpreter *in, const Rules *original, bool broadly,
                                   Demands *demands) {
    if (in->cost < CHEAP_VISITS)
        return;
    for (uint32_t c = 0; c < in->components.count; c++) {
        const Component *component = &in->components.items[c];
        bool is_large = broadly && isinf(in->cost) && !component->was_sampled;
        for (size_t m = 0; m < component->members.count; m++)
            is_large |= in->relations.items[component->members.items[m]].rows >= LARGE_ROWS;
        if (component->needed && component->depends != DEPENDS_ON_NOTHING && is_large)
            demand_members(in, original, c, demands);
    }
}

/* Takes over the rewritten rules, if there are any. Adds to `demands` what turns out to be too
 * large. */
static Interpreter *create(const Rules *rules, Rules *rewritten, InterpreterLimits static_limits,
                           Demands *demands, Report *report) {
    Interpreter *in = memory_zalloc(sizeof *in);
    in->rules = rewritten ? rewritten : rules;
    in->rewritten = rewritten;
    term_store_start(&in->store, in->rules->terms.symbols);
    predicates_collect(&in->predicates, in->rules);
    number_relations(in);
    number_components(in);
    find_inner_negations(in);
    find_cones(in);
    guess_sizes(in);
    in->limits = static_limits;
    bool is_good = check_heads(in, report) && evaluate_static_part(in, rules, demands, report);
    in->limits = interpreter_default_limits;
    if (is_good) {
        find_roles(in);
        is_good = plan_dynamic_part(in, report);
    }
    if (is_good) {
        sample_sizes(in);
        program_free(&in->program);
        is_good = plan_dynamic_part(in, report);
        assert(is_good);
        return in;
    }
    interpreter_free(in);
    return NULL;
}

/* Facts and visits allowed in early attempts (untuned). */
static const InterpreterLimits hasty_limits = {500 * 1000, 4 * 1000 * 1000};
enum { MAX_ATTEMPTS = 8 }; /* to put more predicates on demand (untuned) */

static Interpreter *create_with(const Rules *rules, bool must_rewrite, InterpreterLimits limits,
                                Demands *demands, Report *report) {
    bool rewrites = must_rewrite || demands->count > 0;
    return create(rules, rewrites ? demand_rewrite(rules, demands) : NULL, limits, demands, report);
}

/* Keeps the interpreter whose moves cost less, the second one if that is unknown, and frees the
 * other. */
static Interpreter *cheaper(Interpreter *a, Interpreter *b) {
    bool is_second = b && (!a || b->cost < a->cost || isinf(a->cost));
    interpreter_free(is_second ? a : b);
    return is_second ? b : a;
}

/* Puts more and more relations on demand as long as that makes moves cheaper. */
static Interpreter *improve(const Rules *rules, bool must_rewrite, bool broadly, Demands *demands,
                            Interpreter *best) {
    double last_cost = INFINITY;
    if (best)
        demand_large_relations(best, rules, broadly, demands);
    for (int attempt = 0; attempt < MAX_ATTEMPTS && !work_must_end((Deadline){0}, NULL);
         attempt++) {
        size_t before = demands->count;
        Report ignored = {0};
        Interpreter *in = create_with(rules, must_rewrite, hasty_limits, demands, &ignored);
        report_free(&ignored);
        if (in)
            demand_large_relations(in, rules, broadly, demands);
        double cost = in ? in->cost : INFINITY;
        best = cheaper(best, in);
        if (demands->count == before || cost > last_cost)
            break;
        last_cost = cost;
    }
    return best;
}

Interpreter *interpreter_create(const Rules *rules, Report *report) {
    assert(rules && report);
    Demands unsafe = {0}, narrow = {0}, broad = {0};
    bool must_rewrite = rules_leave_roles_open(rules);
    Report ignored = {0};
    demands_add_unsafe(&unsafe, rules);
    demands_add_unsafe(&narrow, rules);
    Interpreter *in = create_with(rules, must_rewrite, hasty_limits, &narrow, &ignored);
    report_free(&ignored);
    if (!in || in->cost >= CHEAP_VISITS) {
        vector_append(&broad, narrow.items, narrow.count);
        if (in) /* now, because `improve` may free the interpreter */
            demand_large_relations(in, rules, true, &broad);
        in = improve(rules, must_rewrite, false, &narrow, in);
        in = improve(rules, must_rewrite, true, &broad, in);
    }
    if (!in && work_must_end((Deadline){0}, NULL))
        report_error(report, "cut-short", "reading the rules was cut short");
    else if (!in) /* once more with the default limits, to report the errors */
        in = create_with(rules, must_rewrite, interpreter_default_limits, &unsafe, report);
    vectors_free(&unsafe, &narrow, &broad);
    return in;
}

void interpreter_free(Interpreter *in) {
    if (!in)
        return;
    for (size_t i = 0; i < in->relations.count; i++) {
        tuples_free(&in->relations.items[i].content);
        free(in->relations.items[i].distinct);
    }
    for (size_t i = 0; i < in->components.count; i++)
        vectors_free(&in->components.items[i].members, &in->components.items[i].layers);
    for (Answer a = 0; a < ANSWER_COUNT; a++)
        vector_free(&in->cones[a]);
    vectors_free(&in->relations, &in->components, &in->flat_relations, &in->roles);
    tuples_free(&in->flats);
    predicates_free(&in->predicates);
    program_free(&in->program);
    term_store_end(&in->store);
    demand_free(in->rewritten);
    free(in);
}

uint32_t interpreter_role_count(const Interpreter *in) {
    return (uint32_t)in->roles.count;
}
