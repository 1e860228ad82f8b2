/* Register allocation over straight-line code is nearly exact: the value whose next use is farthest
 * away leaves first (Belady 1966). Values come from the inputs, the outputs already written, or
 * the scratch; a value that is also an output needs no other home in memory. Around loops all
 * registers are stored, so that every iteration starts from memory alone. */
#include "circuit/compile.h"

#include <assert.h>
#include <string.h>

#include "base/cpu.h"
#include "base/vector.h"
#include "circuit/order.h"

#if defined(__x86_64__) && defined(__linux__)

#include <sys/mman.h>

enum {
    REGISTERS = 31, /* the 32nd tells whether a loop's variables still grow */
    GROWTH_REGISTER = 31,
    NEAR = 16, /* gates: a value from memory that is used again so soon gets a register (guess) */
    NOWHERE = -1
};
#define NEVER UINT32_MAX

typedef enum { BASE_OUTPUTS = 6, BASE_INPUTS = 7, BASE_SCRATCH = 2 } Base; /* rsi, rdi, rdx */

typedef struct {
    int8_t reg;     /* NOWHERE if not in a register */
    bool in_memory; /* its home holds it */
    bool has_home;
    uint8_t base;
    uint32_t offset;   /* in values */
    uint32_t next_use; /* index into uses, of this value's list */
    uint32_t loop_end; /* must stay in memory until this position */
    uint32_t output;   /* first output it is, or NEVER */
} Value;

typedef struct {
    const LutNetwork *network;
    unsigned value_bytes; /* 64 or 16 */
    VECTOR(uint8_t) code;
    Value *values;
    uint32_t *order;          /* gates in order of evaluation */
    uint32_t *first_use;      /* per value: its uses are uses[first_use[v]] ... */
    uint32_t *uses;           /* positions in the order */
    uint32_t *more_outputs;   /* per output: the next one with the same value, or NEVER */
    uint32_t held[REGISTERS]; /* value in each register, NEVER if free */
    U32Vector free_slots;
    uint32_t slot_count;
    uint32_t position;
    uint32_t *update_of; /* per value: loop variable it updates, or NEVER */
} Compiler;

static void byte(Compiler *c, unsigned b) {
    vector_push(&c->code, (uint8_t)b);
}

static void word32(Compiler *c, uint32_t w) {
    for (int i = 0; i < 4; i++)
        byte(c, w >> (8 * i) & 255);
}

/* EVEX prefix, 512 or 128 bits wide, 66 prefix, W1. `map` is 1 for 0F, 2 for 0F38, 3 for 0F3A. */
static void evex(Compiler *c, unsigned map, unsigned reg, unsigned vvvv, unsigned rm_high) {
    byte(c, 0x62);
    byte(c, (reg & 8 ? 0 : 0x80) | (rm_high & 2 ? 0 : 0x40) | (rm_high & 1 ? 0 : 0x20) |
                (reg & 16 ? 0 : 0x10) | map);
    byte(c, 0x80 | ((~vvvv & 15) << 3) | 4 | 1);
    byte(c, (c->value_bytes == 64 ? 0x40 : 0) | (vvvv & 16 ? 0 : 8));
}

static void modrm_memory(Compiler *c, unsigned reg, unsigned base, uint32_t offset) {
    if (offset < 128) { /* the displacement counts whole vectors when it fits a byte */
        byte(c, 0x40 | (reg & 7) << 3 | base);
        byte(c, offset);
    } else {
        byte(c, 0x80 | (reg & 7) << 3 | base);
        word32(c, offset * c->value_bytes);
    }
}

static void emit_load(Compiler *c, unsigned reg, unsigned base, uint32_t offset) {
    evex(c, 1, reg, 0, 0);
    byte(c, 0x6f);
    modrm_memory(c, reg, base, offset);
}

static void emit_store(Compiler *c, unsigned reg, unsigned base, uint32_t offset) {
    evex(c, 1, reg, 0, 0);
    byte(c, 0x7f);
    modrm_memory(c, reg, base, offset);
}

static void emit_move(Compiler *c, unsigned to, unsigned from) {
    evex(c, 1, to, 0, from >> 3);
    byte(c, 0x6f);
    byte(c, 0xc0 | (to & 7) << 3 | (from & 7));
}

static void emit_ternary(Compiler *c, unsigned a, unsigned b, unsigned third, uint8_t table) {
    evex(c, 3, a, b, third >> 3);
    byte(c, 0x25);
    byte(c, 0xc0 | (a & 7) << 3 | (third & 7));
    byte(c, table);
}

static void emit_ternary_memory(Compiler *c, unsigned a, unsigned b, unsigned base, uint32_t offset,
                                uint8_t table) {
    evex(c, 3, a, b, 0);
    byte(c, 0x25);
    modrm_memory(c, a, base, offset);
    byte(c, table);
}

static void emit_zero(Compiler *c, unsigned reg) {
    emit_ternary(c, reg, reg, reg, 0x00);
}

static uint32_t next_use(const Compiler *c, uint32_t value) {
    uint32_t at = c->values[value].next_use;
    return at < c->first_use[value + 1] ? c->uses[at] : NEVER;
}

/* True if nothing reads the value after the present gate, not even the next iteration of a loop. */
static bool is_dead(const Compiler *c, uint32_t value) {
    return next_use(c, value) == NEVER && c->values[value].loop_end <= c->position;
}

static void give_home(Compiler *c, uint32_t value) {
    Value *v = &c->values[value];
    if (v->has_home)
        return;
    v->has_home = true;
    v->base = BASE_SCRATCH;
    v->offset = c->free_slots.count ? vector_pop(&c->free_slots) : c->slot_count++;
}

static void drop_home(Compiler *c, uint32_t value) {
    Value *v = &c->values[value];
    bool is_gate = value > c->network->input_count;
    if (is_gate && v->has_home && v->base == BASE_SCRATCH) {
        vector_push(&c->free_slots, v->offset);
        v->has_home = v->in_memory = false;
    }
}

static void put_away(Compiler *c, unsigned reg) {
    assert(reg < REGISTERS && c->held[reg] != NEVER);
    uint32_t value = c->held[reg];
    Value *v = &c->values[value];
    bool needed = next_use(c, value) != NEVER || v->loop_end > c->position;
    if (!v->in_memory && needed) {
        give_home(c, value);
        emit_store(c, reg, v->base, v->offset);
        v->in_memory = true;
    }
    v->reg = NOWHERE;
    c->held[reg] = NEVER;
}

static unsigned take_register(Compiler *c, const uint32_t *locked, size_t locked_count) {
    unsigned best = REGISTERS;
    uint32_t farthest = 0;
    for (unsigned r = 0; r < REGISTERS; r++) {
        if (c->held[r] == NEVER)
            return r;
        bool is_locked = false;
        for (size_t i = 0; i < locked_count; i++)
            is_locked |= c->held[r] == locked[i];
        if (is_locked)
            continue;
        uint32_t use = next_use(c, c->held[r]);
        /* Among equals prefer one that needs no store. */
        uint64_t score = 2ull * use + c->values[c->held[r]].in_memory;
        if (best == REGISTERS || score > 2ull * farthest + c->values[c->held[best]].in_memory) {
            best = r;
            farthest = use;
        }
    }
    assert(best < REGISTERS);
    put_away(c, best);
    return best;
}

static void hold(Compiler *c, unsigned reg, uint32_t value) {
    assert(reg < REGISTERS && c->held[reg] == NEVER);
    c->held[reg] = value;
    c->values[value].reg = (int8_t)reg;
}

static void load_value(Compiler *c, uint32_t value, const uint32_t *locked, size_t locked_count) {
    assert(c->values[value].in_memory);
    unsigned reg = take_register(c, locked, locked_count);
    emit_load(c, reg, c->values[value].base, c->values[value].offset);
    hold(c, reg, value);
}

static void put_all_away(Compiler *c) {
    for (unsigned r = 0; r < REGISTERS; r++)
        if (c->held[r] != NEVER)
            put_away(c, r);
}

/* The distinct operands of a gate, and its table over them (first operand = highest bit). */
typedef struct {
    uint32_t operands[3];
    size_t count;
    uint8_t table;
} Distinct;

static Distinct distinct_operands(const Lut *lut) {
    Distinct d = {{0}, 0, 0};
    const uint32_t given[3] = {lut->a, lut->b, lut->c};
    uint8_t place[3];
    for (size_t i = 0; i < 3; i++) {
        uint8_t j = 0;
        while (j < d.count && d.operands[j] != given[i])
            j++;
        if (j == d.count)
            d.operands[d.count++] = given[i];
        place[i] = j;
    }
    d.table = lut_permuted_table(lut->table, place, 3);
    return d;
}

/* Brings operands into registers until at most one is left in memory. */
static void fetch_operands(Compiler *c, const Distinct *d) {
    for (size_t i = 0; i < d->count; i++) {
        uint32_t v = d->operands[i];
        if (c->values[v].reg == NOWHERE && next_use(c, v) <= c->position + NEAR)
            load_value(c, v, d->operands, d->count);
    }
    for (;;) {
        size_t outside = 0, nearest = 0;
        for (size_t i = 0; i < d->count; i++) {
            if (c->values[d->operands[i]].reg != NOWHERE)
                continue;
            if (!outside++ || next_use(c, d->operands[i]) < next_use(c, d->operands[nearest]))
                nearest = i;
        }
        if (outside <= 1)
            return;
        load_value(c, d->operands[nearest], d->operands, d->count);
    }
}

/* Chooses the operand whose register the result takes: one that dies here, else the one still in
 * memory (loaded straight into the result's register), else a copy of any. */
static size_t choose_destroyed(Compiler *c, const Distinct *d, unsigned *reg) {
    for (size_t i = 0; i < d->count; i++) {
        Value *v = &c->values[d->operands[i]];
        if (v->reg != NOWHERE && is_dead(c, d->operands[i])) {
            *reg = (unsigned)v->reg;
            c->held[*reg] = NEVER;
            v->reg = NOWHERE;
            return i;
        }
    }
    for (size_t i = 0; i < d->count; i++) {
        const Value *v = &c->values[d->operands[i]];
        if (v->reg != NOWHERE)
            continue;
        *reg = take_register(c, d->operands, d->count);
        emit_load(c, *reg, v->base, v->offset);
        return i;
    }
    *reg = take_register(c, d->operands, d->count);
    emit_move(c, *reg, (unsigned)c->values[d->operands[0]].reg);
    return 0;
}

static void emit_operation(Compiler *c, const Distinct *d, size_t destroyed, unsigned reg) {
    assert(d->count <= 3 && destroyed < d->count);
    uint8_t place[3] = {0}, next_place = 1;
    unsigned other[2] = {reg, reg};
    const Value *memory = NULL;
    place[destroyed] = 0;
    for (size_t i = 0; i < d->count; i++) {
        if (i == destroyed)
            continue;
        const Value *v = &c->values[d->operands[i]];
        if (v->reg == NOWHERE) {
            memory = v;
            place[i] = 2;
        } else {
            place[i] = next_place;
            other[next_place++ - 1] = (unsigned)v->reg;
        }
    }
    uint8_t table = lut_permuted_table(d->table, place, d->count);
    if (memory)
        emit_ternary_memory(c, reg, other[0], memory->base, memory->offset, table);
    else
        emit_ternary(c, reg, other[0], other[1], table);
}

static void store_outputs(Compiler *c, uint32_t value) {
    Value *v = &c->values[value];
    for (uint32_t o = v->output; o != NEVER; o = c->more_outputs[o])
        emit_store(c, (unsigned)v->reg, BASE_OUTPUTS, o);
    if (v->output != NEVER) {
        v->has_home = v->in_memory = true;
        v->base = BASE_OUTPUTS;
        v->offset = v->output;
    }
}

/* growth |= update & ~variable; variable := update */
static void update_variable(Compiler *c, uint32_t variable, unsigned reg) {
    const Value *v = &c->values[variable];
    emit_ternary_memory(c, GROWTH_REGISTER, reg, v->base, v->offset, 0xf4);
    emit_store(c, reg, v->base, v->offset);
}

static void compile_gate(Compiler *c, uint32_t gate) {
    uint32_t value = lut_value(c->network, gate);
    Distinct d = distinct_operands(&c->network->luts.items[gate]);
    unsigned reg;
    for (size_t i = 0; i < d.count; i++)
        if (d.operands[i])
            c->values[d.operands[i]].next_use++;
    if (d.operands[0] == 0 && d.count == 1) {
        reg = take_register(c, NULL, 0);
        emit_ternary(c, reg, reg, reg, d.table & 1 ? 0xff : 0x00);
    } else {
        fetch_operands(c, &d);
        size_t destroyed = choose_destroyed(c, &d, &reg);
        emit_operation(c, &d, destroyed, reg);
    }
    for (size_t i = 0; i < d.count; i++)
        if (d.operands[i] && is_dead(c, d.operands[i])) {
            Value *v = &c->values[d.operands[i]];
            if (v->reg != NOWHERE)
                c->held[v->reg] = NEVER;
            v->reg = NOWHERE;
            drop_home(c, d.operands[i]);
        }
    hold(c, reg, value);
    store_outputs(c, value);
    for (uint32_t variable = c->update_of[value]; variable != NEVER;
         variable = c->update_of[variable])
        update_variable(c, variable, reg);
    if (is_dead(c, value)) {
        c->held[reg] = NEVER;
        c->values[value].reg = NOWHERE;
    }
}

static void compile_range(Compiler *c, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++) {
        c->position = i;
        compile_gate(c, c->order[i]);
    }
}

/* Updates that no gate of the loop computes: their values stand in memory. */
static void update_from_outside(Compiler *c, const LutLoop *loop) {
    uint32_t first = lut_value(c->network, loop->first), end = lut_value(c->network, loop->end);
    for (size_t i = 0; i < loop->updates.count; i++) {
        uint32_t update = loop->updates.items[i];
        if (update >= first && update < end)
            continue;
        if (update == 0)
            continue;
        emit_load(c, 0, c->values[update].base, c->values[update].offset);
        update_variable(c, loop->variables.items[i], 0);
    }
}

static void compile_loop(Compiler *c, const LutLoop *loop) {
    put_all_away(c);
    emit_zero(c, 0);
    for (size_t i = 0; i < loop->variables.count; i++) {
        const Value *v = &c->values[loop->variables.items[i]];
        emit_store(c, 0, v->base, v->offset);
    }
    size_t top = c->code.count;
    emit_zero(c, GROWTH_REGISTER);
    compile_range(c, loop->first, loop->end);
    c->position = loop->end - 1;
    put_all_away(c);
    update_from_outside(c, loop);
    evex(c, 2, 1, GROWTH_REGISTER, GROWTH_REGISTER >> 3); /* vptestmq k1, zmm31, zmm31 */
    byte(c, 0x27);
    byte(c, 0xc0 | 1 << 3 | (GROWTH_REGISTER & 7));
    byte(c, 0xc5), byte(c, 0xf8), byte(c, 0x98), byte(c, 0xc9); /* kortestw k1, k1 */
    byte(c, 0x0f), byte(c, 0x85);                               /* jnz top */
    word32(c, (uint32_t)(top - (c->code.count + 4)));
}

static void find_uses(Compiler *c) {
    const LutNetwork *n = c->network;
    uint32_t values = 1 + n->input_count + (uint32_t)n->luts.count;
    c->first_use = memory_zalloc((values + 2) * sizeof *c->first_use);
    for (unsigned pass = 0; pass < 2; pass++) {
        for (uint32_t p = 0; p < n->luts.count; p++) {
            Distinct d = distinct_operands(&n->luts.items[c->order[p]]);
            for (size_t i = 0; i < d.count; i++) {
                if (pass == 0)
                    c->first_use[d.operands[i] + 2]++;
                else
                    c->uses[c->first_use[d.operands[i] + 1]++] = p;
            }
        }
        if (pass == 0) {
            for (uint32_t v = 0; v < values; v++)
                c->first_use[v + 2] += c->first_use[v + 1];
            c->uses = memory_alloc((c->first_use[values + 1] + 1) * sizeof *c->uses);
        }
    }
}

/* Values that a loop reads from outside, and updates from outside, must survive all its iterations.
 */
static void extend_over_loops(Compiler *c) {
    const LutNetwork *n = c->network;
    for (size_t i = 0; i < n->loops.count; i++) {
        const LutLoop *loop = &n->loops.items[i];
        uint32_t base = lut_value(n, loop->first), limit = lut_value(n, loop->end);
        for (uint32_t p = loop->first; p < loop->end; p++) {
            Distinct d = distinct_operands(&n->luts.items[c->order[p]]);
            for (size_t k = 0; k < d.count; k++)
                if (d.operands[k] < base || d.operands[k] >= limit)
                    c->values[d.operands[k]].loop_end = loop->end;
        }
        for (size_t k = 0; k < loop->updates.count; k++)
            if (loop->updates.items[k] < base || loop->updates.items[k] >= limit)
                c->values[loop->updates.items[k]].loop_end = loop->end;
    }
}

static void place_values(Compiler *c) {
    const LutNetwork *n = c->network;
    uint32_t values = 1 + n->input_count + (uint32_t)n->luts.count, variables = 0;
    c->values = memory_alloc(values * sizeof *c->values);
    c->update_of = memory_alloc(values * sizeof *c->update_of);
    c->more_outputs = memory_alloc((n->outputs.count + 1) * sizeof *c->more_outputs);
    for (uint32_t v = 0; v < values; v++) {
        c->values[v] = (Value){.reg = NOWHERE, .next_use = c->first_use[v], .output = NEVER};
        c->update_of[v] = NEVER;
    }
    for (size_t i = 0; i < n->loops.count; i++)
        variables += (uint32_t)n->loops.items[i].variables.count;
    for (uint32_t v = 1; v <= n->input_count; v++) {
        bool is_variable = v > n->input_count - variables;
        c->values[v].has_home = c->values[v].in_memory = true;
        c->values[v].base = is_variable ? BASE_SCRATCH : BASE_INPUTS;
        c->values[v].offset = is_variable ? c->slot_count++ : v - 1;
    }
    for (size_t i = n->outputs.count; i-- > 0;) {
        Value *v = &c->values[n->outputs.items[i]];
        c->more_outputs[i] = v->output;
        v->output = (uint32_t)i;
    }
    for (size_t i = 0; i < n->loops.count; i++) {
        const LutLoop *loop = &n->loops.items[i];
        uint32_t first = lut_value(n, loop->first), end = lut_value(n, loop->end);
        for (size_t k = 0; k < loop->updates.count; k++) {
            uint32_t update = loop->updates.items[k];
            if (update < first || update >= end)
                continue;
            c->update_of[loop->variables.items[k]] = c->update_of[update];
            c->update_of[update] = loop->variables.items[k];
        }
    }
}

/* Outputs that are inputs, loop variables or constants. */
static void copy_plain_outputs(Compiler *c) {
    for (uint32_t v = 0; v <= c->network->input_count; v++) {
        if (c->values[v].output == NEVER)
            continue;
        if (v == 0)
            emit_zero(c, 0);
        else
            emit_load(c, 0, c->values[v].base, c->values[v].offset);
        for (uint32_t o = c->values[v].output; o != NEVER; o = c->more_outputs[o])
            emit_store(c, 0, BASE_OUTPUTS, o);
    }
}

static bool make_executable(Compiler *c, CompiledCode *code) {
    size_t bytes = (c->code.count + 4095) & ~(size_t)4095;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    memcpy(memory, c->code.items, c->code.count);
    if (mprotect(memory, bytes, PROT_READ | PROT_EXEC) != 0) {
        munmap(memory, bytes);
        return false;
    }
    code->memory = memory;
    code->bytes = c->code.count;
    code->mapped_bytes = bytes;
    code->scratch_values = c->slot_count ? c->slot_count : 1;
    memcpy(&code->run, &memory, sizeof memory);
    return true;
}

bool compile_network(const LutNetwork *network, bool narrow, CompiledCode *code) {
    enum { MOST_GATES = 4000000 }; /* more are interpreted (guess) */
    if (!cpu_has_avx512() || network->luts.count > MOST_GATES)
        return false;
    Compiler c = {.network = network, .value_bytes = narrow ? 16 : 64};
    c.order = order_gates(network);
    find_uses(&c);
    place_values(&c);
    extend_over_loops(&c);
    for (unsigned r = 0; r < REGISTERS; r++)
        c.held[r] = NEVER;
    uint32_t at = 0;
    for (size_t i = 0; i < network->loops.count; i++) {
        compile_range(&c, at, network->loops.items[i].first);
        compile_loop(&c, &network->loops.items[i]);
        at = network->loops.items[i].end;
    }
    compile_range(&c, at, (uint32_t)network->luts.count);
    copy_plain_outputs(&c);
    byte(&c, 0xc5), byte(&c, 0xf8), byte(&c, 0x77); /* vzeroupper */
    byte(&c, 0xc3);                                 /* ret */
    bool ok = make_executable(&c, code);
    vector_free(&c.code);
    vector_free(&c.free_slots);
    free(c.values);
    free(c.order);
    free(c.first_use);
    free(c.uses);
    free(c.more_outputs);
    free(c.update_of);
    return ok;
}

void compiled_free(CompiledCode *code) {
    if (code->memory)
        munmap(code->memory, code->mapped_bytes);
    *code = (CompiledCode){0};
}

#else

bool compile_network(const LutNetwork *network, bool narrow, CompiledCode *code) {
    (void)network;
    (void)narrow;
    (void)code;
    return false;
}

void compiled_free(CompiledCode *code) {
    (void)code;
}

#endif
