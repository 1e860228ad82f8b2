/* A loop is evaluated as a whole if anything in it waits: its variables are set to false and grow
 * to the least fixpoint, and only values that differ from before are passed on. */
#include "game/incremental.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"

/* The position of an output in the packed output words. */
static uint32_t output_bit(const Incremental *inc, uint32_t output) {
    uint32_t fluents = inc->circuit->fluent_count;
    return output < fluents ? output : inc->state_words * 64 + (output - fluents);
}

static void index_values(Incremental *inc) {
    const LutNetwork *n = inc->network;
    uint32_t values = 1 + n->input_count + (uint32_t)n->luts.count;
    Edges readers = {0}, outputs = {0};
    for (uint32_t g = 0; g < n->luts.count; g++) {
        const Lut *l = &n->luts.items[g];
        vector_push(&readers, ((Edge){l->a, g}));
        if (l->b != l->a)
            vector_push(&readers, ((Edge){l->b, g}));
        if (l->c != l->a && l->c != l->b)
            vector_push(&readers, ((Edge){l->c, g}));
    }
    for (uint32_t o = 0; o < n->outputs.count; o++)
        vector_push(&outputs, ((Edge){n->outputs.items[o], output_bit(inc, o)}));
    graph_build(&inc->readers, values, &readers);
    graph_build(&inc->outputs, values, &outputs);
    vectors_free(&readers, &outputs);
}

static inline uint8_t evaluate(const Lut *l, const uint8_t *v) {
    return l->table >> (v[l->a] << 2 | v[l->b] << 1 | v[l->c]) & 1;
}

static void evaluate_loop(const LutNetwork *n, const LutLoop *loop, uint8_t *values) {
    for (size_t i = 0; i < loop->variables.count; i++)
        values[loop->variables.items[i]] = 0;
    for (bool grown = true; grown;) {
        grown = false;
        for (uint32_t g = loop->first; g < loop->end; g++)
            values[lut_value(n, g)] = evaluate(&n->luts.items[g], values);
        for (size_t i = 0; i < loop->variables.count; i++) {
            uint8_t *variable = &values[loop->variables.items[i]];
            uint8_t update = values[loop->updates.items[i]];
            grown |= update && !*variable;
            *variable |= update;
        }
    }
}

static void evaluate_all(const LutNetwork *n, uint8_t *values) {
    uint32_t at = 0;
    for (size_t i = 0; i <= n->loops.count; i++) {
        uint32_t end = i < n->loops.count ? n->loops.items[i].first : (uint32_t)n->luts.count;
        for (; at < end; at++)
            values[lut_value(n, at)] = evaluate(&n->luts.items[at], values);
        if (i < n->loops.count) {
            evaluate_loop(n, &n->loops.items[i], values);
            at = n->loops.items[i].end;
        }
    }
}

static void index_loops(Incremental *inc) {
    const LutNetwork *n = inc->network;
    if (!n->loops.count)
        return;
    inc->loop_of_gate = u32_none(n->luts.count);
    for (uint32_t i = 0; i < n->loops.count; i++)
        for (uint32_t g = n->loops.items[i].first; g < n->loops.items[i].end; g++)
            inc->loop_of_gate[g] = i;
}

Incremental *incremental_create(const Circuit *circuit, const bool *stopped) {
    assert(circuit);
    Incremental *inc = memory_zalloc(sizeof *inc);
    inc->circuit = circuit;
    inc->state_words = (circuit->fluent_count + 63) / 64;
    inc->legal_words = (circuit->move_count + 1 + 63) / 64;
    U32Vector outputs = {0}, inputs = {0};
    circuit_outputs(circuit, &outputs);
    outputs.count = circuit->fluent_count + circuit->move_count + 1; /* no goals and percepts */
    for (uint32_t f = 0; f < circuit->fluent_count; f++)
        vector_push(&inputs, signal_node(circuit->fluents[f]));
    for (uint32_t m = 0; m < circuit->move_count; m++)
        vector_push(&inputs, signal_node(circuit->moves[m]));
    inc->network = lut_map(&circuit->aig, inputs.items, inputs.count, outputs.items, outputs.count,
                           GATES_THREE, stopped);
    vectors_free(&outputs, &inputs);
    index_values(inc);
    index_loops(inc);
    inc->initial_values = memory_zalloc(1 + inc->network->input_count + inc->network->luts.count);
    evaluate_all(inc->network, inc->initial_values);
    return inc;
}

void incremental_free(Incremental *inc) {
    if (!inc)
        return;
    lut_free(inc->network);
    graph_free(&inc->readers);
    graph_free(&inc->outputs);
    memory_free(inc->loop_of_gate, inc->initial_values, inc);
}

IncrementalWork *incremental_work(const Incremental *inc) {
    assert(inc);
    const LutNetwork *n = inc->network;
    size_t values = 1 + n->input_count + n->luts.count;
    size_t words = n->luts.count / 64 + 1;
    IncrementalWork *work = memory_zalloc(sizeof *work);
    work->incremental = inc;
    work->values = memory_alloc(values);
    memcpy(work->values, inc->initial_values, values);
    work->waiting = memory_zalloc(words * sizeof *work->waiting);
    work->waiting_top = memory_zalloc((words / 64 + 1) * sizeof *work->waiting_top);
    work->outputs = memory_zalloc((inc->state_words + inc->legal_words) * sizeof *work->outputs);
    work->state = memory_zalloc((inc->state_words + 1) * sizeof *work->state);
    work->moves = u32_none(inc->circuit->role_count);
    for (uint32_t o = 0; o < n->outputs.count; o++)
        if (work->values[n->outputs.items[o]])
            bitset_set(work->outputs, output_bit(inc, o));
    return work;
}

void incremental_work_free(IncrementalWork *work) {
    if (!work)
        return;
    memory_free(work->values, work->waiting, work->waiting_top, work->outputs, work->state,
                work->moves, work);
}

/* The value has flipped: its outputs flip, its readers wait. */
static inline void pass_on(IncrementalWork *work, uint32_t value) {
    const Incremental *inc = work->incremental;
    const Graph *readers = &inc->readers, *outputs = &inc->outputs;
    for (uint32_t i = readers->starts[value]; i < readers->starts[value + 1]; i++) {
        uint32_t gate = readers->targets[i];
        bitset_set(work->waiting, gate);
        bitset_set(work->waiting_top, gate / 64);
    }
    for (uint32_t i = outputs->starts[value]; i < outputs->starts[value + 1]; i++)
        work->outputs[outputs->targets[i] / 64] ^= 1ull << (outputs->targets[i] % 64);
}

static void flip_input(IncrementalWork *work, uint32_t input) {
    work->values[1 + input] ^= 1;
    pass_on(work, 1 + input);
}

static void run_loop(IncrementalWork *work, uint32_t index) {
    const LutNetwork *n = work->incremental->network;
    const LutLoop *loop = &n->loops.items[index];
    size_t gates = loop->end - loop->first, variables = loop->variables.count;
    uint8_t *before = memory_alloc(gates + variables + 1);
    memcpy(before, work->values + lut_value(n, loop->first), gates);
    for (size_t i = 0; i < variables; i++)
        before[gates + i] = work->values[loop->variables.items[i]];
    evaluate_loop(n, loop, work->values);
    for (uint32_t g = 0; g < gates; g++)
        if (work->values[lut_value(n, loop->first + g)] != before[g])
            pass_on(work, lut_value(n, loop->first + g));
    for (size_t i = 0; i < variables; i++)
        if (work->values[loop->variables.items[i]] != before[gates + i])
            pass_on(work, loop->variables.items[i]);
    for (uint32_t g = loop->first; g < loop->end; g++)
        bitset_clear(work->waiting, g);
    free(before);
}

static void run_waiting(IncrementalWork *work) {
    const Incremental *inc = work->incremental;
    const LutNetwork *n = inc->network;
    size_t tops = n->luts.count / 4096 + 1;
    for (size_t top = 0; top < tops; top++)
        while (work->waiting_top[top]) {
            unsigned low = (unsigned)__builtin_ctzll(work->waiting_top[top]);
            size_t word = top * 64 + low;
            if (!work->waiting[word]) {
                work->waiting_top[top] &= work->waiting_top[top] - 1;
                continue;
            }
            uint32_t gate = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(work->waiting[word]);
            work->waiting[word] &= work->waiting[word] - 1;
            if (inc->loop_of_gate && inc->loop_of_gate[gate] != UINT32_MAX) {
                run_loop(work, inc->loop_of_gate[gate]);
                continue;
            }
            uint32_t value = lut_value(n, gate);
            uint8_t now = evaluate(&n->luts.items[gate], work->values);
            if (now != work->values[value]) {
                work->values[value] = now;
                pass_on(work, value);
            }
        }
}

void incremental_set_state(IncrementalWork *work, const uint64_t *state) {
    const Incremental *inc = work->incremental;
    bool changed = false;
    for (uint32_t w = 0; w < inc->state_words; w++) {
        uint64_t difference = work->state[w] ^ state[w];
        changed |= difference != 0;
        for (; difference; difference &= difference - 1)
            flip_input(work, w * 64 + (uint32_t)__builtin_ctzll(difference));
        work->state[w] = state[w];
    }
    if (changed)
        run_waiting(work);
}

void incremental_set_moves(IncrementalWork *work, const uint32_t *moves) {
    const Circuit *c = work->incremental->circuit;
    for (uint32_t r = 0; r < c->role_count; r++) {
        assert(moves[r] >= c->first_move[r] && moves[r] < c->first_move[r + 1]);
        if (work->moves[r] == moves[r])
            continue;
        if (work->moves[r] != UINT32_MAX)
            flip_input(work, c->fluent_count + work->moves[r]);
        flip_input(work, c->fluent_count + moves[r]);
        work->moves[r] = moves[r];
    }
    run_waiting(work);
}

bool incremental_is_terminal(const IncrementalWork *work) {
    return bitset_get(incremental_legal(work), work->incremental->circuit->move_count);
}
