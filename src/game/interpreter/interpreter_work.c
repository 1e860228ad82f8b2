/* Answers questions about a state. A component of the rules is evaluated when a question first
 * needs it. The result stays valid until the state changes, or the moves if it depends on them. */
#include <assert.h>
#include <string.h>

#include "game/goal.h"
#include "game/interpreter/interpreter_internal.h"

InterpreterWork *work_create(Interpreter *in, const Program *program, bool is_static) {
    assert(in && program);
    InterpreterWork *work = memory_zalloc(sizeof *work);
    size_t relations = in->relations.count;
    uint32_t widest = program->widest;
    work->interpreter = in;
    work->program = program;
    work->limits = in->limits;
    work->own = memory_zalloc((relations + 1) * sizeof *work->own);
    work->relations = memory_alloc((relations + 1) * sizeof *work->relations);
    for (size_t i = 0; i < relations; i++) {
        InterpretedRelation *info = &in->relations.items[i];
        work->relations[i] = &info->content;
        if (is_static || info->depends == DEPENDS_ON_NOTHING)
            continue;
        work->relations[i] = &work->own[i];
        tuples_init(&work->own[i], info->arity);
        for (size_t k = 1; k < info->content.indexes.count; k++) {
            const Columns *columns = &info->content.indexes.items[k].columns;
            tuples_index(&work->own[i], columns->items, (uint32_t)columns->count);
        }
        if (info->arity > widest)
            widest = info->arity;
    }
    size_t registers = program->registers.count * sizeof *work->registers;
    work->registers = memory_alloc(registers + 1);
    if (registers > 0)
        memcpy(work->registers, program->registers.items, registers);
    work->cursors = memory_zalloc((program->longest + 1) * sizeof *work->cursors);
    work->ends = memory_zalloc((program->longest + 1) * sizeof *work->ends);
    work->row = memory_alloc((widest + 1) * sizeof *work->row);
    work->evaluated = memory_zalloc((in->components.count + 1) * sizeof *work->evaluated);
    return work;
}

InterpreterWork *interpreter_work(Interpreter *in) {
    return work_create(in, &in->program, false);
}

void interpreter_work_free(InterpreterWork *work) {
    if (!work)
        return;
    for (size_t i = 0; i < work->interpreter->relations.count; i++)
        if (work->relations[i] == &work->own[i])
            tuples_free(&work->own[i]);
    table_free(&work->mirror);
    vectors_free(&work->state, &work->moves, &work->flat_of_fluent, &work->flat_of_move);
    memory_free(work->own, work->relations, work->registers, work->cursors, work->ends, work->row,
                work->evaluated, work);
}

void interpreter_set_limits(InterpreterWork *work, InterpreterLimits limits) {
    work->limits = limits;
}

bool interpreter_failed(const InterpreterWork *work) {
    return work->failed;
}

/* Replaces the list; false if it had these items already. */
static bool replace(U32Vector *list, const uint32_t *items, size_t count) {
    if (list->count == count &&
        (count == 0 || memcmp(list->items, items, count * sizeof *items) == 0))
        return false;
    vector_clear(list);
    vector_append(list, items, count);
    return true;
}

static void append_row(TupleSet *relation, const Value *role, const Value *values, uint32_t count) {
    Value *row = tuples_append(relation);
    if (role)
        *row++ = *role;
    if (count > 0)
        memcpy(row, values, count * sizeof *row);
}

/* The flat relation of a fluent or a move by its number, looked up once. */
static uint32_t flat_of_number(InterpreterWork *work, bool is_state, uint32_t number,
                               const GroundTerm *term) {
    U32Vector *known = is_state ? &work->flat_of_fluent : &work->flat_of_move;
    while (known->count <= number)
        vector_push(known, FLAT_UNKNOWN);
    if (known->items[number] == FLAT_UNKNOWN)
        known->items[number] = flat_relation(
            work->interpreter, is_state ? KEYWORD_TRUE : KEYWORD_DOES, term->symbol, term->arity);
    return known->items[number];
}

/* Adds a fluent, or the move of a role, to the relations that premises ask. */
static void load_fact(InterpreterWork *work, uint32_t number, uint32_t whole, const Value *role) {
    const Interpreter *in = work->interpreter;
    Value value = term_store_numbered(&in->store, role ? NUMBER_MOVE : NUMBER_FLUENT, number);
    const GroundTerm *term = term_store_get(&in->store, value);
    uint32_t relation = flat_of_number(work, !role, number, term);
    if (relation != INTERPRETER_RELATION_NONE)
        append_row(work->relations[relation], role, term->arguments, term->arity);
    if (whole != INTERPRETER_RELATION_NONE)
        append_row(work->relations[whole], role, &value, 1);
}

/* Replaces the state, or the moves (one per role), unless they are the same as before. */
static void load(InterpreterWork *work, bool is_state, const uint32_t *numbers, size_t count) {
    const Interpreter *in = work->interpreter;
    Keyword keyword = is_state ? KEYWORD_TRUE : KEYWORD_DOES;
    uint32_t whole = is_state ? in->whole_true : in->whole_does;
    bool *is_known = is_state ? &work->state_known : &work->moves_known;
    if (!replace(is_state ? &work->state : &work->moves, numbers, count) && *is_known)
        return;
    *is_known = true;
    work->moves_epoch = ++work->epoch;
    if (is_state)
        work->state_epoch = work->epoch;
    for (uint32_t i = 0; i < in->flats.count; i++)
        if (*tuples_row(&in->flats, i) == (uint32_t)keyword)
            tuples_clear(work->relations[in->flat_relations.items[i]]);
    if (whole != INTERPRETER_RELATION_NONE)
        tuples_clear(work->relations[whole]);
    for (size_t i = 0; i < count; i++)
        load_fact(work, numbers[i], whole, is_state ? NULL : &in->roles.items[i]);
}

static bool depends_on_moves(const Interpreter *in, Answer answer) {
    uint32_t relation = in->answers[answer];
    return relation != INTERPRETER_RELATION_NONE &&
           in->relations.items[relation].depends == DEPENDS_ON_MOVES;
}

/* Evaluates the components that the answer needs. Returns its relation, or NULL if no rule
 * concludes it. */
static const TupleSet *ask(InterpreterWork *work, Answer answer, const NumberSet *state,
                           const uint32_t *moves) {
    const Interpreter *in = work->interpreter;
    work->failed = false;
    work->facts = work->visits = work->next_look = 0;
    if (in->answers[answer] == INTERPRETER_RELATION_NONE)
        return NULL;
    load(work, true, state ? state->items : NULL, state ? state->count : 0);
    if (moves)
        load(work, false, moves, in->roles.count);
    else if (depends_on_moves(in, answer))
        load(work, false, NULL, 0);
    const U32Vector *cone = &in->cones[answer];
    for (size_t i = 0; i < cone->count && !work->failed; i++) {
        uint32_t c = cone->items[i];
        bool on_moves = in->components.items[c].depends == DEPENDS_ON_MOVES;
        if (work->evaluated[c] == (on_moves ? work->moves_epoch : work->state_epoch))
            continue;
        evaluate_component(work, c);
        work->evaluated[c] = on_moves ? work->moves_epoch : work->state_epoch;
    }
    if (work->failed)
        work->state_known = work->moves_known = false;
    return work->relations[in->answers[answer]];
}

/* Collects the last column of the rows whose first column is the role (NULL: of all rows) as
 * numbers. */
static void collect(InterpreterWork *work, const TupleSet *relation, const Value *role,
                    NumberKind kind, NumberSet *out) {
    vector_clear(out);
    for (uint32_t row = 0; relation && row < relation->count; row++) {
        const Value *values = tuples_row(relation, row);
        if (role && values[0] != *role)
            continue;
        Value value = values[relation->arity - 1];
        vector_push(out, term_store_number(&work->interpreter->store, kind, value));
    }
    u32_sort(out->items, out->count);
}

void interpreter_initial(InterpreterWork *work, NumberSet *state) {
    const TupleSet *init = ask(work, ANSWER_INIT, NULL, NULL);
    collect(work, init, NULL, NUMBER_FLUENT, state);
}

bool interpreter_is_terminal(InterpreterWork *work, const NumberSet *state) {
    assert(state);
    const TupleSet *terminal = ask(work, ANSWER_TERMINAL, state, NULL);
    return terminal && terminal->count > 0;
}

void interpreter_legal(InterpreterWork *work, const NumberSet *state, uint32_t role,
                       NumberSet *moves) {
    assert(role < work->interpreter->roles.count);
    const TupleSet *legal = ask(work, ANSWER_LEGAL, state, NULL);
    collect(work, legal, &work->interpreter->roles.items[role], NUMBER_MOVE, moves);
}

void interpreter_next(InterpreterWork *work, const NumberSet *state, const uint32_t *moves_by_role,
                      NumberSet *next) {
    assert(state && moves_by_role);
    const TupleSet *relation = ask(work, ANSWER_NEXT, state, moves_by_role);
    collect(work, relation, NULL, NUMBER_FLUENT, next);
}

void interpreter_sees(InterpreterWork *work, const NumberSet *state, const uint32_t *moves_by_role,
                      uint32_t role, NumberSet *percepts) {
    assert(role < work->interpreter->roles.count);
    const TupleSet *sees = ask(work, ANSWER_SEES, state, moves_by_role);
    collect(work, sees, &work->interpreter->roles.items[role], NUMBER_PERCEPT, percepts);
}

int interpreter_goal(InterpreterWork *work, const NumberSet *state, uint32_t role) {
    const Interpreter *in = work->interpreter;
    assert(role < in->roles.count);
    const TupleSet *relation = ask(work, ANSWER_GOAL, state, NULL);
    int goal = GOAL_NONE;
    for (uint32_t row = 0; relation && row < relation->count; row++) {
        const Value *values = tuples_row(relation, row);
        const GroundTerm *term = term_store_get(&in->store, values[1]);
        if (values[0] == in->roles.items[role] && term->arity == 0)
            goal = goal_join_value(
                goal, goal_of_name(symbols_name(in->rules->terms.symbols, term->symbol)));
    }
    return goal;
}
