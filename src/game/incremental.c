/* A loop is evaluated as a whole if anything in it waits: its variables are set to false and grow
 * to the least fixpoint, and only values that differ from before are passed on. */
#include "game/incremental.h"

#include <assert.h>
#include <string.h>

static void collect_outputs(Incremental *inc, U32Vector *signals) {
    const Circuit *c = inc->circuit;
    for (uint32_t f = 0; f < c->fluent_count; f++)
        vector_push(signals, c->next[f]);
    for (uint32_t m = 0; m < c->move_count; m++)
        vector_push(signals, c->legal[m]);
    vector_push(signals, c->terminal);
}

/* The position of an output in the packed output words. */
static uint32_t output_bit(const Incremental *inc, uint32_t output) {
    uint32_t fluents = inc->circuit->fluent_count;
    return output < fluents ? output : inc->state_words * 64 + (output - fluents);
}

static void index_readers(Incremental *inc) {
    const LutNetwork *n = inc->network;
    uint32_t values = 1 + n->input_count + (uint32_t)n->luts.count;
    inc->first_reader = memory_zalloc((values + 2) * sizeof *inc->first_reader);
    for (unsigned pass = 0; pass < 2; pass++) {
        for (uint32_t g = 0; g < n->luts.count; g++) {
            const Lut *l = &n->luts.items[g];
            const uint32_t operands[3] = {l->a, l->b, l->c};
            for (int i = 0; i < 3; i++) {
                bool repeated =
                    (i > 0 && operands[i] == operands[0]) || (i > 1 && operands[i] == operands[1]);
                if (repeated)
                    continue;
                if (pass == 0)
                    inc->first_reader[operands[i] + 2]++;
                else
                    inc->readers[inc->first_reader[operands[i] + 1]++] = g;
            }
        }
        if (pass == 0) {
            for (uint32_t v = 0; v < values; v++)
                inc->first_reader[v + 2] += inc->first_reader[v + 1];
            inc->readers = memory_alloc((inc->first_reader[values + 1] + 1) * sizeof *inc->readers);
        }
    }
}

static void index_outputs(Incremental *inc) {
    const LutNetwork *n = inc->network;
    uint32_t values = 1 + n->input_count + (uint32_t)n->luts.count;
    inc->first_output = memory_zalloc((values + 2) * sizeof *inc->first_output);
    inc->outputs = memory_alloc((n->outputs.count + 1) * sizeof *inc->outputs);
    for (size_t o = 0; o < n->outputs.count; o++)
        inc->first_output[n->outputs.items[o] + 2]++;
    for (uint32_t v = 0; v < values; v++)
        inc->first_output[v + 2] += inc->first_output[v + 1];
    for (uint32_t o = 0; o < n->outputs.count; o++)
        inc->outputs[inc->first_output[n->outputs.items[o] + 1]++] = output_bit(inc, o);
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
    inc->loop_of_gate = memory_alloc((n->luts.count + 1) * sizeof *inc->loop_of_gate);
    memset(inc->loop_of_gate, 0xff, n->luts.count * sizeof *inc->loop_of_gate);
    for (uint32_t i = 0; i < n->loops.count; i++)
        for (uint32_t g = n->loops.items[i].first; g < n->loops.items[i].end; g++)
            inc->loop_of_gate[g] = i;
}

Incremental *incremental_create(const Circuit *circuit) {
    assert(circuit);
    Incremental *inc = memory_zalloc(sizeof *inc);
    inc->circuit = circuit;
    inc->state_words = (circuit->fluent_count + 63) / 64;
    inc->legal_words = (circuit->move_count + 1 + 63) / 64;
    U32Vector outputs = {0}, inputs = {0};
    collect_outputs(inc, &outputs);
    for (uint32_t f = 0; f < circuit->fluent_count; f++)
        vector_push(&inputs, signal_node(circuit->fluents[f]));
    for (uint32_t m = 0; m < circuit->move_count; m++)
        vector_push(&inputs, signal_node(circuit->moves[m]));
    inc->network =
        lut_map(&circuit->aig, inputs.items, inputs.count, outputs.items, outputs.count, GATES_THREE);
    vector_free(&outputs);
    vector_free(&inputs);
    index_readers(inc);
    index_outputs(inc);
    index_loops(inc);
    inc->initial_values = memory_zalloc(1 + inc->network->input_count + inc->network->luts.count);
    evaluate_all(inc->network, inc->initial_values);
    return inc;
}

void incremental_free(Incremental *inc) {
    if (!inc)
        return;
    lut_free(inc->network);
    free(inc->first_reader);
    free(inc->readers);
    free(inc->first_output);
    free(inc->outputs);
    free(inc->loop_of_gate);
    free(inc->initial_values);
    free(inc);
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
    work->moves = memory_alloc((inc->circuit->role_count + 1) * sizeof *work->moves);
    memset(work->moves, 0xff, inc->circuit->role_count * sizeof *work->moves);
    for (uint32_t o = 0; o < n->outputs.count; o++)
        if (work->values[n->outputs.items[o]]) {
            uint32_t bit = output_bit(inc, o);
            work->outputs[bit / 64] |= 1ull << (bit % 64);
        }
    return work;
}

void incremental_work_free(IncrementalWork *work) {
    if (!work)
        return;
    free(work->values);
    free(work->waiting);
    free(work->waiting_top);
    free(work->outputs);
    free(work->state);
    free(work->moves);
    free(work);
}

/* The value has flipped: its outputs flip, its readers wait. */
static inline void pass_on(IncrementalWork *work, uint32_t value) {
    const Incremental *inc = work->incremental;
    for (uint32_t i = inc->first_reader[value]; i < inc->first_reader[value + 1]; i++) {
        uint32_t gate = inc->readers[i];
        work->waiting[gate / 64] |= 1ull << (gate % 64);
        work->waiting_top[gate / 4096] |= 1ull << (gate / 64 % 64);
    }
    for (uint32_t i = inc->first_output[value]; i < inc->first_output[value + 1]; i++)
        work->outputs[inc->outputs[i] / 64] ^= 1ull << (inc->outputs[i] % 64);
}

static void flip_input(IncrementalWork *work, uint32_t input) {
    work->values[1 + input] ^= 1;
    pass_on(work, 1 + input);
}

static void clear_waiting_loop(IncrementalWork *work, const LutLoop *loop) {
    for (uint32_t g = loop->first; g < loop->end; g++)
        work->waiting[g / 64] &= ~(1ull << (g % 64));
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
    clear_waiting_loop(work, loop);
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
    uint32_t bit = work->incremental->circuit->move_count;
    return incremental_legal(work)[bit / 64] >> (bit % 64) & 1;
}
