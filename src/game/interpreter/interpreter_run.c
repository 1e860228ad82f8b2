/* Runs plans: nested loops with an explicit stack of row cursors, one for each step. A step either
 * succeeds, and the next one is tried, or the run goes back to the loop that can change something.
 * Recursive components are evaluated semi-naively: each round starts from the rows that the round
 * before added. */
#include <assert.h>

#include "base/clock.h"
#include "game/interpreter/interpreter_internal.h"

/* True if the columns agree with the registers; binds the free registers. */
static bool match(InterpreterWork *work, const Value *columns, const ColumnAction *actions,
                  uint32_t count) {
    Value *registers = work->registers;
    for (const ColumnAction *action = actions; action < actions + count; action++) {
        Value value = columns[action->column];
        if (action->kind == ACTION_BIND) {
            registers[action->target] = value;
        } else if (action->kind == ACTION_CHECK) {
            if (registers[action->target] != value)
                return false;
        } else {
            const TermPattern *pattern = &work->program->patterns.items[action->target];
            const GroundTerm *term = term_store_get(&work->interpreter->store, value);
            if (term->symbol != pattern->symbol || term->arity != pattern->arity ||
                !match(work, term->arguments, work->program->actions.items + pattern->first_action,
                       pattern->action_count))
                return false;
        }
    }
    return true;
}

static bool has_key(const Value *row, const TupleIndex *index, const uint32_t *key,
                    const Value *registers) {
    for (size_t i = 0; i < index->columns.count; i++)
        if (row[index->columns.items[i]] != registers[key[i]])
            return false;
    return true;
}

/* Follows a chain of an index from the entry `at` to the next row that has the key and matches.
 * Entries are row numbers + 1. */
static uint32_t find_in_chain(InterpreterWork *work, const Step *step, uint32_t at) {
    const TupleSet *relation = work->relations[step->relation];
    const TupleIndex *index = &relation->indexes.items[step->index];
    const uint32_t *key = work->program->operands.items + step->first_operand;
    const ColumnAction *actions = work->program->actions.items + step->first_action;
    for (; at > 0; at = index->older[at - 1]) {
        work->visits++;
        const Value *row = tuples_row(relation, at - 1);
        if (has_key(row, index, key, work->registers) &&
            match(work, row, actions, step->action_count))
            return at;
    }
    return 0;
}

static uint32_t chain_start(const InterpreterWork *work, const Step *step) {
    const TupleSet *relation = work->relations[step->relation];
    const TupleIndex *index = &relation->indexes.items[step->index];
    if (relation->count == 0 || !index->buckets)
        return 0;
    const uint32_t *key = work->program->operands.items + step->first_operand;
    uint64_t hash = 0;
    for (uint32_t i = 0; i < step->operand_count; i++)
        hash = tuples_hash(hash, work->registers[key[i]]);
    return index->buckets[hash & index->bucket_mask];
}

/* The next matching row of a scan from row `from` on, or `end`. */
static uint32_t find_in_range(InterpreterWork *work, const Step *step, uint32_t from,
                              uint32_t end) {
    const TupleSet *relation = work->relations[step->relation];
    const ColumnAction *actions = work->program->actions.items + step->first_action;
    for (; from < end; from++) {
        work->visits++;
        if (match(work, tuples_row(relation, from), actions, step->action_count))
            return from;
    }
    return end;
}

static bool row_exists(InterpreterWork *work, const Step *step) {
    const TupleSet *relation = work->relations[step->relation];
    if (relation->arity == 0)
        return relation->count > 0;
    if (step->operand_count > 0)
        return find_in_chain(work, step, chain_start(work, step)) > 0;
    return find_in_range(work, step, 0, relation->count) < relation->count;
}

static const Value *gather(InterpreterWork *work, const Step *step) {
    const uint32_t *operands = work->program->operands.items + step->first_operand;
    for (uint32_t i = 0; i < step->operand_count; i++)
        work->row[i] = work->registers[operands[i]];
    return work->row;
}

static void build(InterpreterWork *work, const Step *step) {
    const Value *arguments = gather(work, step);
    Value value = term_store_make(&work->interpreter->store, &work->mirror, step->symbol, arguments,
                                  step->operand_count);
    if (value == VALUE_NONE)
        work->failed = true;
    else
        work->registers[step->target] = value;
}

static void emit(InterpreterWork *work, const Step *step) {
    work->visits++;
    if (tuples_insert(work->relations[step->relation], gather(work, step)) &&
        ++work->facts > work->limits.facts)
        work->failed = true;
}

static bool test(InterpreterWork *work, const Step *step) {
    const uint32_t *operands = work->program->operands.items + step->first_operand;
    switch (step->kind) {
    case STEP_TEST:
        return row_exists(work, step);
    case STEP_ABSENT:
        return !row_exists(work, step);
    case STEP_DISTINCT:
        return work->registers[operands[0]] != work->registers[operands[1]];
    case STEP_KNOWN:
        return tuples_find(work->relations[step->relation], gather(work, step)) == TUPLE_NONE;
    case STEP_BUILD:
        build(work, step);
        return true;
    default:
        emit(work, step);
        return false;
    }
}

/* Finds the first or next row of a loop. */
static bool advance(InterpreterWork *work, const Step *step, uint32_t at, bool is_first) {
    if (step->kind == STEP_PROBE) {
        uint32_t found =
            find_in_chain(work, step, is_first ? chain_start(work, step) : work->cursors[at]);
        if (found == 0)
            return false;
        const TupleSet *relation = work->relations[step->relation];
        work->cursors[at] = relation->indexes.items[step->index].older[found - 1];
        return true;
    }
    if (is_first && at > 0) {
        work->cursors[at] = 0;
        work->ends[at] = work->relations[step->relation]->count;
    }
    uint32_t found = find_in_range(work, step, work->cursors[at], work->ends[at]);
    work->cursors[at] = found + 1;
    return found < work->ends[at];
}

/* Questions that take long end with the time. Others are answered even then, since what was found
 * has to be printed. */
static bool must_give_up(InterpreterWork *work) {
    enum { VISITS_BETWEEN_LOOKS = 1 << 20 }; /* some hundredths of a second */
    if (work->visits < work->next_look)
        return false;
    bool is_long = work->next_look >= VISITS_BETWEEN_LOOKS;
    work->next_look = work->visits + VISITS_BETWEEN_LOOKS;
    return is_long && work_must_end((Deadline){0}, NULL);
}

/* Runs a plan; if it starts with a scan, that scan covers the rows from..end. */
static void run_plan(InterpreterWork *work, const Plan *plan, uint32_t from, uint32_t end) {
    const Step *steps = work->program->steps.items + plan->first_step;
    work->cursors[0] = from;
    work->ends[0] = end;
    uint32_t at = 0;
    bool is_first = true;
    while (!work->failed) {
        const Step *step = &steps[at];
        bool is_loop = step->kind <= STEP_PROBE;
        if (is_loop ? advance(work, step, at, is_first) : test(work, step)) {
            at++;
            is_first = true;
            continue;
        }
        at = is_loop && is_first ? step->back_if_empty : step->back;
        is_first = false;
        if (at == STEP_NONE)
            return;
        if (work->visits > work->limits.visits || must_give_up(work))
            work->failed = true;
    }
}

static void bring_indexes_up_to_date(InterpreterWork *work, const Plan *plan) {
    const IndexUse *use = work->program->uses.items + plan->first_use;
    for (uint32_t i = 0; i < plan->use_count; i++)
        tuples_update_index(work->relations[use[i].relation], use[i].index);
}

static void run_on_all_rows(InterpreterWork *work, const Plan *plan) {
    const Step *first = &work->program->steps.items[plan->first_step];
    uint32_t end = first->kind == STEP_SCAN ? work->relations[first->relation]->count : 0;
    bring_indexes_up_to_date(work, plan);
    run_plan(work, plan, 0, end);
}

/* One round: every premise of the component in turn starts from the rows of the round before. */
static void run_round(InterpreterWork *work, const Component *component, const Layer *layer,
                      const uint32_t *starts, const uint32_t *ends) {
    for (uint32_t i = 0; i < layer->recursive_count && !work->failed; i++) {
        const Plan *plan = &work->program->plans.items[layer->first_recursive + i];
        uint32_t member = u32_index_of(&component->members, plan->delta);
        assert(member != UINT32_MAX);
        if (starts[member] == ends[member])
            continue;
        bring_indexes_up_to_date(work, plan);
        run_plan(work, plan, starts[member], ends[member]);
    }
}

static void run_recursion(InterpreterWork *work, const Component *component, const Layer *layer) {
    size_t count = component->members.count;
    uint32_t *starts = memory_zalloc(2 * count * sizeof *starts), *ends = starts + count;
    for (bool is_more = true; is_more && !work->failed;) {
        is_more = false;
        for (size_t i = 0; i < count; i++) {
            ends[i] = work->relations[component->members.items[i]]->count;
            is_more |= ends[i] > starts[i];
        }
        if (is_more)
            run_round(work, component, layer, starts, ends);
        for (size_t i = 0; i < count; i++)
            starts[i] = ends[i];
    }
    free(starts);
}

void evaluate_component(InterpreterWork *work, uint32_t number) {
    assert(number < work->interpreter->components.count);
    const Component *component = &work->interpreter->components.items[number];
    for (size_t i = 0; i < component->members.count; i++)
        tuples_clear(work->relations[component->members.items[i]]);
    for (size_t k = 0; k < component->layers.count; k++) {
        const Layer *layer = &component->layers.items[k];
        for (uint32_t i = 0; i < layer->plan_count && !work->failed; i++)
            run_on_all_rows(work, &work->program->plans.items[layer->first_plan + i]);
        if (layer->recursive_count > 0)
            run_recursion(work, component, layer);
    }
}
