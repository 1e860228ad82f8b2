/* Compiles a clause into a plan. The order of premises is greedy: the one with the fewest expected
 * rows comes first, and tests run as soon as their variables are bound. Bodies of games are small
 * and regular enough for that. Every variable and constant has a register. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "game/interpreter/interpreter_internal.h"

typedef struct {
    LiteralKind kind;
    uint32_t node;
    uint32_t relation;
    U32Vector columns; /* terms of the rules; the two sides of a distinct */
    bool is_placed;
} Premise;

typedef struct {
    Interpreter *interpreter;
    Program *program;
    const Terms *terms;
    U32Vector variables;   /* terms */
    U32Vector binders;     /* by variable: the step of the plan that binds it, or none */
    VECTOR(bool) positive; /* by variable: true if a positive premise contains it */
    uint32_t first_register;
    VECTOR(Premise) premises;
    uint32_t head; /* relation */
    U32Vector head_columns;
    U32Vector head_operands; /* registers, once head_is_built */
    bool head_is_built;
    uint32_t first_step, first_use;
    uint32_t last_generator;
} Planner;

void program_free(Program *program) {
    vectors_free(&program->steps, &program->operands, &program->actions, &program->patterns,
                 &program->uses, &program->plans, &program->registers);
    table_free(&program->constants);
    *program = (Program){0};
}

uint32_t flat_relation(const Interpreter *interpreter, Keyword keyword, Symbol symbol,
                       uint32_t arity) {
    uint32_t flat = tuples_find(&interpreter->flats, (uint32_t[]){keyword, symbol, arity});
    return flat == TUPLE_NONE ? INTERPRETER_RELATION_NONE : interpreter->flat_relations.items[flat];
}

uint32_t atom_relation(const Interpreter *interpreter, Term atom, U32Vector *columns) {
    const Terms *terms = &interpreter->rules->terms;
    Symbol symbol = term_symbol(terms, atom);
    uint32_t arity = term_arity(terms, atom);
    bool flat = (symbol == KEYWORD_TRUE && arity == 1) || (symbol == KEYWORD_DOES && arity == 2);
    Term last = arity > 0 ? term_argument(terms, atom, arity - 1) : TERM_NONE;
    flat = flat && !term_is_variable(terms, last);
    for (uint32_t i = 0; i < arity - (flat ? 1 : 0); i++)
        vector_push(columns, term_argument(terms, atom, i));
    if (!flat)
        return predicates_find(&interpreter->predicates, symbol, arity);
    for (uint32_t i = 0; i < term_arity(terms, last); i++)
        vector_push(columns, term_argument(terms, last, i));
    return flat_relation(interpreter, symbol, term_symbol(terms, last), term_arity(terms, last));
}

Value value_of_term(Interpreter *interpreter, const Terms *terms, Term term) {
    uint32_t arity = term_arity(terms, term);
    Value *arguments = memory_alloc((arity + 1) * sizeof *arguments);
    for (uint32_t i = 0; i < arity; i++)
        arguments[i] = value_of_term(interpreter, terms, term_argument(terms, term, i));
    Value value =
        term_store_make(&interpreter->store, NULL, term_symbol(terms, term), arguments, arity);
    free(arguments);
    return value;
}

static uint32_t variable_index(const Planner *p, Term variable) {
    uint32_t index = u32_index_of(&p->variables, variable);
    assert(index != UINT32_MAX);
    return index;
}

static uint32_t new_register(Planner *p, Value value) {
    vector_push(&p->program->registers, value);
    return (uint32_t)p->program->registers.count - 1;
}

static uint32_t constant_register(Planner *p, Term term) {
    Value value = value_of_term(p->interpreter, p->terms, term);
    uint64_t hash = hash_finish(hash_mix(0, value));
    uint32_t found;
    TableProbe probe = table_probe(&p->program->constants, hash);
    while (table_next(&p->program->constants, &probe, &found))
        if (p->program->registers.items[found] == value)
            return found;
    uint32_t fresh = new_register(p, value);
    table_insert(&p->program->constants, hash, fresh);
    return fresh;
}

static uint32_t step_here(const Planner *p) {
    return (uint32_t)p->program->steps.count - p->first_step;
}

/* True if every variable of the term is bound. With `or_local`, variables that occur in no positive
 * premise count as bound. */
static bool is_bound_or(const Planner *p, Term term, bool or_local) {
    if (term_is_ground(p->terms, term))
        return true;
    if (term_is_variable(p->terms, term)) {
        uint32_t variable = variable_index(p, term);
        return p->binders.items[variable] != STEP_NONE ||
               (or_local && !p->positive.items[variable]);
    }
    for (uint32_t i = 0; i < term_arity(p->terms, term); i++)
        if (!is_bound_or(p, term_argument(p->terms, term, i), or_local))
            return false;
    return true;
}

static bool is_bound(const Planner *p, Term term) {
    return is_bound_or(p, term, false);
}

static bool all_bound_or(const Planner *p, const U32Vector *columns, bool or_local) {
    for (size_t i = 0; i < columns->count; i++)
        if (!is_bound_or(p, columns->items[i], or_local))
            return false;
    return true;
}

static bool all_bound(const Planner *p, const U32Vector *columns) {
    return all_bound_or(p, columns, false);
}

/* The latest step that binds a variable of the term; at least `latest`. */
static uint32_t latest_binder(const Planner *p, Term term, uint32_t latest) {
    if (term_is_ground(p->terms, term))
        return latest;
    if (term_is_variable(p->terms, term)) {
        uint32_t binder = p->binders.items[variable_index(p, term)];
        bool is_later = binder != STEP_NONE && (latest == STEP_NONE || binder > latest);
        return is_later ? binder : latest;
    }
    for (uint32_t i = 0; i < term_arity(p->terms, term); i++)
        latest = latest_binder(p, term_argument(p->terms, term, i), latest);
    return latest;
}

static uint32_t latest_binder_of_all(const Planner *p, const U32Vector *columns) {
    uint32_t latest = STEP_NONE;
    for (size_t i = 0; i < columns->count; i++)
        latest = latest_binder(p, columns->items[i], latest);
    return latest;
}

static uint32_t add_operands(Planner *p, const U32Vector *registers) {
    uint32_t first = (uint32_t)p->program->operands.count;
    vector_append(&p->program->operands, registers->items, registers->count);
    if (registers->count > p->program->widest)
        p->program->widest = (uint32_t)registers->count;
    return first;
}

/* A register for the term, whose variables are bound. Adds the steps that build the term. */
static uint32_t operand(Planner *p, Term term) {
    if (term_is_ground(p->terms, term))
        return constant_register(p, term);
    if (term_is_variable(p->terms, term))
        return p->first_register + variable_index(p, term);
    U32Vector arguments = {0};
    for (uint32_t i = 0; i < term_arity(p->terms, term); i++)
        vector_push(&arguments, operand(p, term_argument(p->terms, term, i)));
    Step step = {.kind = STEP_BUILD,
                 .first_operand = add_operands(p, &arguments),
                 .operand_count = (uint32_t)arguments.count,
                 .target = new_register(p, 0),
                 .symbol = term_symbol(p->terms, term),
                 .back = STEP_NONE};
    vector_push(&p->program->steps, step);
    vector_free(&arguments);
    return step.target;
}

static uint32_t add_actions(Planner *p, const ColumnActions *actions) {
    uint32_t first = (uint32_t)p->program->actions.count;
    vector_append(&p->program->actions, actions->items, actions->count);
    return first;
}

static void add_action(Planner *p, ColumnActions *actions, uint32_t column, Term term,
                       uint32_t binder);

static uint32_t add_pattern(Planner *p, Term term, uint32_t binder) {
    ColumnActions inner = {0};
    uint32_t arity = term_arity(p->terms, term);
    for (uint32_t i = 0; i < arity; i++)
        add_action(p, &inner, i, term_argument(p->terms, term, i), binder);
    TermPattern pattern = {term_symbol(p->terms, term), arity, add_actions(p, &inner),
                           (uint32_t)inner.count};
    vector_free(&inner);
    vector_push(&p->program->patterns, pattern);
    return (uint32_t)p->program->patterns.count - 1;
}

/* Compares a column with a known value, or binds its variables in the step `binder`. */
static void add_action(Planner *p, ColumnActions *actions, uint32_t column, Term term,
                       uint32_t binder) {
    ColumnAction action = {.column = (uint16_t)column};
    if (term_is_ground(p->terms, term)) {
        action.kind = ACTION_CHECK;
        action.target = constant_register(p, term);
    } else if (term_is_variable(p->terms, term)) {
        uint32_t variable = variable_index(p, term);
        bool is_known = p->binders.items[variable] != STEP_NONE;
        action.kind = is_known ? ACTION_CHECK : ACTION_BIND;
        action.target = p->first_register + variable;
        if (!is_known)
            p->binders.items[variable] = binder;
    } else {
        action.kind = ACTION_MATCH;
        action.target = add_pattern(p, term, binder);
    }
    vector_push(actions, action);
}

static void note_use(Planner *p, uint32_t relation, uint32_t index) {
    IndexUse use = {relation, index};
    for (size_t i = p->first_use; i < p->program->uses.count; i++)
        if (memcmp(&p->program->uses.items[i], &use, sizeof use) == 0)
            return;
    vector_push(&p->program->uses, use);
}

/* Sets the fields of a step that finds rows: key, index, and actions for the other columns. With
 * `scan_all` there is no key. */
static void find_rows(Planner *p, const Premise *premise, bool scan_all, Step *step) {
    assert(premise->relation < p->interpreter->relations.count);
    U32Vector key = {0};
    Columns key_columns = {0};
    ColumnActions actions = {0};
    for (uint32_t c = 0; c < premise->columns.count; c++)
        if (!scan_all && is_bound(p, premise->columns.items[c])) {
            vector_push(&key_columns, (uint16_t)c);
            vector_push(&key, operand(p, premise->columns.items[c]));
        }
    uint32_t here = step_here(p); /* after the steps that build terms of the key */
    for (uint32_t c = 0, k = 0; c < premise->columns.count; c++) {
        if (k < key_columns.count && key_columns.items[k] == c)
            k++;
        else
            add_action(p, &actions, c, premise->columns.items[c], here);
    }
    step->relation = premise->relation;
    step->operand_count = (uint32_t)key.count;
    step->first_operand = add_operands(p, &key);
    step->action_count = (uint32_t)actions.count;
    step->first_action = add_actions(p, &actions);
    bool is_keyed = key.count > 0 || premise->columns.count == 0;
    if (is_keyed) {
        TupleSet *model = &p->interpreter->relations.items[premise->relation].content;
        step->index = tuples_index(model, key_columns.items, (uint32_t)key_columns.count);
        note_use(p, premise->relation, step->index);
    }
    vectors_free(&key, &key_columns, &actions);
}

static void build_head(Planner *p) {
    if (p->head_is_built)
        return;
    for (size_t i = 0; i < p->head_columns.count; i++)
        vector_push(&p->head_operands, operand(p, p->head_columns.items[i]));
    p->head_is_built = true;
}

static void place_head_step(Planner *p, StepKind kind) {
    build_head(p);
    Step step = {.kind = kind,
                 .relation = p->head,
                 .first_operand = add_operands(p, &p->head_operands),
                 .operand_count = (uint32_t)p->head_operands.count,
                 .back = latest_binder_of_all(p, &p->head_columns)};
    vector_push(&p->program->steps, step);
}

static void place_generator(Planner *p, Premise *premise, bool is_delta) {
    if (!p->head_is_built && all_bound(p, &p->head_columns))
        place_head_step(p, STEP_KNOWN);
    uint32_t back_if_empty = latest_binder_of_all(p, &premise->columns);
    Step step = {.back = p->last_generator, .back_if_empty = back_if_empty};
    find_rows(p, premise, is_delta, &step);
    step.kind = step.operand_count > 0 ? STEP_PROBE : STEP_SCAN;
    p->last_generator = step_here(p);
    vector_push(&p->program->steps, step);
}

static void place_test(Planner *p, const Premise *premise) {
    Step step = {.back = latest_binder_of_all(p, &premise->columns)};
    if (premise->kind == LITERAL_DISTINCT) {
        U32Vector sides = {0};
        vector_push(&sides, operand(p, premise->columns.items[0]));
        vector_push(&sides, operand(p, premise->columns.items[1]));
        step.kind = STEP_DISTINCT;
        step.first_operand = add_operands(p, &sides);
        vector_free(&sides);
    } else if (premise->kind == LITERAL_POSITIVE) {
        step.kind = STEP_TEST;
        find_rows(p, premise, false, &step);
    } else {
        U32Vector before = {0};
        vector_append(&before, p->binders.items, p->binders.count);
        step.kind = STEP_ABSENT;
        find_rows(p, premise, false, &step);
        vector_free(&p->binders); /* bindings made inside a negation end with it */
        p->binders = before;
    }
    vector_push(&p->program->steps, step);
}

/* The number of rows a premise is expected to yield; infinite while it cannot be placed. */
static double expected_rows(const Planner *p, const Premise *premise) {
    if (premise->kind == LITERAL_DISTINCT)
        return all_bound(p, &premise->columns) ? 0 : INFINITY;
    const InterpretedRelation *info = &p->interpreter->relations.items[premise->relation];
    if (premise->kind == LITERAL_NEGATIVE)
        return all_bound_or(p, &premise->columns, true) ? 0 : INFINITY;
    if (all_bound(p, &premise->columns))
        return 0;
    double rows = info->rows;
    for (uint32_t c = 0; c < premise->columns.count; c++)
        if (is_bound(p, premise->columns.items[c]) && info->distinct[c] > 1)
            rows /= info->distinct[c];
    return rows < 0.01 ? 0.01 : rows;
}

static Premise *cheapest_premise(Planner *p) {
    Premise *best = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < p->premises.count; i++) {
        Premise *premise = &p->premises.items[i];
        double rows = premise->is_placed ? INFINITY : expected_rows(p, premise);
        if (rows < least) {
            least = rows;
            best = premise;
        }
    }
    return best;
}

static void place(Planner *p, Premise *premise, bool is_delta) {
    assert(!premise->is_placed);
    premise->is_placed = true;
    if (is_delta || (premise->kind == LITERAL_POSITIVE && !all_bound(p, &premise->columns)))
        place_generator(p, premise, is_delta);
    else
        place_test(p, premise);
}

static void note_variables(Planner *p, const U32Vector *columns, bool positive) {
    for (size_t i = 0; i < columns->count; i++)
        term_variables(p->terms, columns->items[i], &p->variables);
    while (p->positive.count < p->variables.count) {
        vector_push(&p->positive, false);
        vector_push(&p->binders, STEP_NONE);
    }
    U32Vector mine = {0};
    for (size_t i = 0; positive && i < columns->count; i++)
        term_variables(p->terms, columns->items[i], &mine);
    for (size_t i = 0; i < mine.count; i++)
        p->positive.items[variable_index(p, mine.items[i])] = true;
    vector_free(&mine);
}

static bool read_clause(Planner *p, const Clause *clause, Report *report) {
    const Rules *rules = p->interpreter->rules;
    p->head = atom_relation(p->interpreter, clause->head, &p->head_columns);
    assert(p->head < p->interpreter->relations.count);
    note_variables(p, &p->head_columns, false);
    for (uint32_t i = 0; i < clause->literal_count; i++) {
        const Literal *literal = &clause_literals(rules, clause)[i];
        Premise premise = {.kind = literal->kind, .node = literal->node};
        premise.relation = atom_relation(p->interpreter, literal->atom, &premise.columns);
        note_variables(p, &premise.columns, literal->kind == LITERAL_POSITIVE);
        vector_push(&p->premises, premise);
    }
    for (uint32_t i = 0; i < p->variables.count; i++) {
        Term variable = p->variables.items[i];
        const char *name = symbols_name(p->terms->symbols, term_symbol(p->terms, variable));
        if (p->positive.items[i])
            continue;
        if (term_contains(p->terms, clause->head, variable)) {
            report_node(report, SEVERITY_ERROR, "unsafe-variable", rules->syntax, clause->root,
                        "no positive premise binds %s of the conclusion", name);
            return false;
        }
        for (size_t k = 0; k < p->premises.count; k++) {
            const Literal *literal = &clause_literals(rules, clause)[k];
            if (literal->kind == LITERAL_DISTINCT &&
                term_contains(p->terms, literal->atom, variable)) {
                report_node(report, SEVERITY_ERROR, "unsafe-distinct", rules->syntax, literal->node,
                            "no positive premise binds %s of `distinct`", name);
                return false;
            }
        }
    }
    return true;
}

static void place_all(Planner *p, uint32_t delta_literal) {
    if (delta_literal != LITERAL_NONE)
        place(p, &p->premises.items[delta_literal], true);
    for (Premise *premise; (premise = cheapest_premise(p)) != NULL;)
        place(p, premise, false);
    place_head_step(p, STEP_EMIT);
}

bool plan_clause(Interpreter *interpreter, Program *program, uint32_t number,
                 uint32_t delta_literal, Report *report) {
    assert(number < interpreter->rules->clauses.count);
    Planner p = {.interpreter = interpreter,
                 .program = program,
                 .terms = &interpreter->rules->terms,
                 .first_step = (uint32_t)program->steps.count,
                 .first_use = (uint32_t)program->uses.count,
                 .last_generator = STEP_NONE};
    bool is_good = read_clause(&p, &interpreter->rules->clauses.items[number], report);
    if (is_good) {
        p.first_register = (uint32_t)program->registers.count;
        for (size_t i = 0; i < p.variables.count; i++)
            new_register(&p, 0);
        place_all(&p, delta_literal);
        Plan plan = {.first_step = p.first_step,
                     .step_count = step_here(&p),
                     .head = p.head,
                     .delta = delta_literal == LITERAL_NONE
                                  ? INTERPRETER_RELATION_NONE
                                  : p.premises.items[delta_literal].relation,
                     .first_use = p.first_use,
                     .use_count = (uint32_t)program->uses.count - p.first_use};
        vector_push(&program->plans, plan);
        if (plan.step_count > program->longest)
            program->longest = plan.step_count;
    }
    for (size_t i = 0; i < p.premises.count; i++)
        vector_free(&p.premises.items[i].columns);
    vectors_free(&p.premises, &p.variables, &p.binders, &p.positive, &p.head_columns,
                 &p.head_operands);
    return is_good;
}
