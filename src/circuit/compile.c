/* Register allocation for straight-line code: the value whose next use is farthest away is evicted
 * first (Belady 1966). Values come from the inputs, from outputs already written, or from scratch
 * memory; a value that is an output is stored only there. Around loops all registers are spilled,
 * so that every iteration starts from memory alone. The same holds for blocks: where a value has
 * several pieces, the code is cut into blocks, and each runs for all pieces in turn. So large code
 * is fetched once for all of them, and their parts of a cache line are used together. */
#include "circuit/compile.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/vector.h"
#include "circuit/order.h"

/* Targets that are not ternary compute each gate by the operation that suits its function and its
 * operands as they are stored, and its result is stored complemented if that is what the operation
 * gives. Only outputs and loop variables must be stored uncomplemented. */

enum {
    MAX_REGISTERS = 32,
    NEAR = 16, /* gates; a value in memory that is used again within so many gates is loaded into a
                  register (untuned) */
    BLOCK_BYTES = 1024, /* code of a block; docs/results/speed.md */
    NOWHERE = -1
};
#define NEVER UINT32_MAX

typedef struct {
    int8_t reg;     /* its register; NOWHERE if none */
    bool in_memory; /* its place in memory has the value */
    bool has_home;
    bool is_complemented; /* stored complemented, in registers and in memory */
    uint8_t base;
    uint32_t offset;   /* offset of its place in memory, in values */
    uint32_t next_use; /* index into `uses` */
    uint32_t loop_end; /* it must stay in memory until this position */
    uint32_t output;   /* the first output that is this value, or NEVER */
} Value;

/* The distinct operands of a gate, and its table over them (the first operand is the highest
 * bit). */
typedef struct {
    uint32_t operands[3];
    size_t count;
    uint8_t table;
} Distinct;

/* How a target that is not ternary computes a gate with several distinct operands. */
typedef struct {
    uint8_t op;       /* a GateOp */
    uint8_t order[3]; /* operand i of the operation is operand order[i] of the gate */
    bool is_found;
    bool is_complemented; /* the operation gives the complement */
    bool is_negated;      /* the result is negated afterwards */
} Operation;

typedef struct {
    const LutNetwork *network;
    const Target *target;
    MachineCode code;
    unsigned value_bytes; /* size of a value, all pieces */
    size_t max_bytes;     /* bytes of code; the generator stops soon after it has written more */
    size_t block;         /* position of the code of the present block */
    Value *values;
    Operation *operations;        /* by gate, on targets that are not ternary */
    uint32_t *order;              /* gates in order of evaluation */
    uint32_t *first_use;          /* by value: its uses are uses[first_use[v]] ... */
    uint32_t *uses;               /* positions in the order */
    uint32_t *more_outputs;       /* by output: the next one with the same value, or NEVER */
    uint32_t held[MAX_REGISTERS]; /* by register: the value in it; NEVER if it is free */
    U32Vector free_slots;
    uint32_t slot_count;
    uint32_t position;
    uint32_t *update_of; /* by value: the loop variable that it updates, or NEVER */
} Compiler;

static MemoryOperand place_of(const Compiler *c, const Value *v) {
    return (MemoryOperand){(Base)v->base, v->offset * c->value_bytes};
}

static MemoryOperand output_place(const Compiler *c, uint32_t output) {
    return (MemoryOperand){BASE_OUTPUTS, output * c->value_bytes};
}

static uint32_t next_use(const Compiler *c, uint32_t value) {
    uint32_t at = c->values[value].next_use;
    return at < c->first_use[value + 1] ? c->uses[at] : NEVER;
}

/* True if nothing reads the value after the current gate, also not in the next iteration of a
 * loop. */
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

static void release_register(Compiler *c, uint32_t value) {
    Value *v = &c->values[value];
    if (v->reg != NOWHERE)
        c->held[v->reg] = NEVER;
    v->reg = NOWHERE;
}

static void spill(Compiler *c, unsigned reg) {
    uint32_t value = c->held[reg];
    Value *v = &c->values[value];
    bool is_needed = next_use(c, value) != NEVER || v->loop_end > c->position;
    if (!v->in_memory && is_needed) {
        give_home(c, value);
        c->target->store(&c->code, reg, place_of(c, v));
        v->in_memory = true;
    }
    release_register(c, value);
}

static unsigned take_register(Compiler *c, const uint32_t *locked, size_t locked_count) {
    unsigned best = c->target->registers;
    uint64_t best_score = 0;
    for (unsigned r = 0; r < c->target->registers; r++) {
        if (c->held[r] == NEVER)
            return r;
        bool is_locked = false;
        for (size_t i = 0; i < locked_count; i++)
            is_locked |= c->held[r] == locked[i];
        if (is_locked)
            continue;
        /* Among equals, prefers a value that need not be stored. */
        uint64_t score = 2ull * next_use(c, c->held[r]) + c->values[c->held[r]].in_memory;
        if (best == c->target->registers || score > best_score) {
            best = r;
            best_score = score;
        }
    }
    assert(best < c->target->registers);
    spill(c, best);
    return best;
}

static void hold(Compiler *c, unsigned reg, uint32_t value) {
    c->held[reg] = value;
    c->values[value].reg = (int8_t)reg;
}

static void load_value(Compiler *c, uint32_t value, const uint32_t *locked, size_t locked_count) {
    unsigned reg = take_register(c, locked, locked_count);
    c->target->load(&c->code, reg, place_of(c, &c->values[value]));
    hold(c, reg, value);
}

static void spill_all(Compiler *c) {
    for (unsigned r = 0; r < c->target->registers; r++)
        if (c->held[r] != NEVER)
            spill(c, r);
}

/* ---- gates ---- */

static bool depends_on(const Distinct *d, size_t operand) {
    unsigned shift = 4u >> operand;
    static const uint8_t without[3] = {0x0f, 0x33, 0x55}; /* rows in which the operand is false */
    return ((d->table >> shift ^ d->table) & without[operand]) != 0;
}

/* Removes operands that the function does not depend on; a constant keeps operand 0. */
static Distinct drop_idle_operands(const Distinct *d) {
    Distinct kept = {{0}, 0, 0};
    uint8_t place[3] = {0};
    for (size_t i = 0; i < d->count; i++)
        if (depends_on(d, i)) {
            place[i] = (uint8_t)kept.count;
            kept.operands[kept.count++] = d->operands[i];
        }
    kept.table = lut_permuted_table(d->table, place, d->count);
    kept.count += kept.count == 0;
    return kept;
}

static Distinct distinct_operands(const Lut *lut) {
    Distinct d = {{0}, 0, 0};
    const uint32_t given[3] = {lut->a, lut->b, lut->c};
    uint8_t place[3];
    for (size_t i = 0; i < 3; i++) {
        size_t j = 0;
        while (j < d.count && d.operands[j] != given[i])
            j++;
        if (j == d.count)
            d.operands[d.count++] = given[i];
        place[i] = (uint8_t)j;
    }
    d.table = lut_permuted_table(lut->table, place, 3);
    return drop_idle_operands(&d);
}

/* Loads operands into registers until at most one is left in memory, or none if `all`. */
static void fetch_operands(Compiler *c, const Distinct *d, bool all) {
    for (size_t i = 0; i < d->count; i++) {
        uint32_t v = d->operands[i];
        if (c->values[v].reg == NOWHERE && (all || next_use(c, v) <= c->position + NEAR))
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

/* The register of a value that is not used any more; the result may take it. */
static unsigned take_over(Compiler *c, uint32_t value) {
    unsigned reg = (unsigned)c->values[value].reg;
    release_register(c, value);
    return reg;
}

/* ---- ternary targets ---- */

/* Chooses the operand whose register receives the result: one that is not used any more, else the
 * one still in memory (which is loaded into that register), else a copy of any. */
static size_t choose_overwritten(Compiler *c, const Distinct *d, unsigned *reg) {
    for (size_t i = 0; i < d->count; i++)
        if (c->values[d->operands[i]].reg != NOWHERE && is_dead(c, d->operands[i])) {
            *reg = take_over(c, d->operands[i]);
            return i;
        }
    *reg = take_register(c, d->operands, d->count);
    for (size_t i = 0; i < d->count; i++)
        if (c->values[d->operands[i]].reg == NOWHERE) {
            c->target->load(&c->code, *reg, place_of(c, &c->values[d->operands[i]]));
            return i;
        }
    c->target->move(&c->code, *reg, (unsigned)c->values[d->operands[0]].reg);
    return 0;
}

static unsigned compile_ternary(Compiler *c, const Distinct *d) {
    unsigned reg;
    fetch_operands(c, d, false);
    uint8_t place[3] = {0}, next_place = 1;
    size_t overwritten = choose_overwritten(c, d, &reg);
    unsigned other[2] = {reg, reg};
    const Value *memory = NULL;
    assert(d->count <= 3 && overwritten < d->count);
    for (size_t i = 0; i < d->count; i++) {
        if (i == overwritten)
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
        c->target->ternary_memory(&c->code, reg, other[0], place_of(c, memory), table);
    else
        c->target->ternary(&c->code, reg, other[0], other[1], table);
    return reg;
}

/* ---- the other targets ---- */

/* By table of a gate: the operation that gives it, and the one that gives it or its complement. */
typedef struct {
    Operation exact[256], any[256];
} Operations;

static void offer_operation(Operations *all, uint8_t table, const Operation *operation) {
    Operation complemented = *operation;
    complemented.is_complemented = true;
    if (!all->exact[table].is_found)
        all->exact[table] = *operation;
    if (!all->any[table].is_found)
        all->any[table] = *operation;
    if (!all->any[(uint8_t)~table].is_found)
        all->any[(uint8_t)~table] = complemented;
}

/* Offers the operations of the target, those of one instruction first, with operands in every
 * order. */
static void find_operations(const Target *target, Operations *all) {
    static const struct {
        uint8_t operands, table;
    } known[OP_COUNT] = {
        [OP_AND] = {2, 0xc0},     [OP_ANDN] = {2, 0x0c},     [OP_OR] = {2, 0xfc},
        [OP_XOR] = {2, 0x3c},     [OP_ORN] = {2, 0xf3},      [OP_SELECT] = {3, 0xca},
        [OP_XOR3] = {3, 0x96},    [OP_XOR_ANDN] = {3, 0xb4}, [OP_SELECT_NOT] = {3, 0x3a},
        [OP_XOR_AND] = {3, 0x78}, [OP_XOR_OR] = {3, 0x1e},
    };
    static const uint8_t orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                         {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    *all = (Operations){0};
    for (unsigned op = 0; op < OP_COUNT; op++)
        for (unsigned i = 0; target->ops >> op & 1 && i < (known[op].operands == 2 ? 2 : 6); i++) {
            Operation operation = {.op = (uint8_t)op, .is_found = true};
            memcpy(operation.order, orders[i], sizeof operation.order);
            offer_operation(all, lut_permuted_table(known[op].table, orders[i], 3), &operation);
        }
}

/* The table of a gate over its operands as they are stored. */
static uint8_t stored_table(const Compiler *c, const Distinct *d) {
    unsigned flips = 0;
    for (size_t i = 0; i < d->count; i++)
        if (c->values[d->operands[i]].is_complemented)
            flips |= 4u >> i;
    return lut_flipped_table(d->table, flips);
}

static void choose_operation(Compiler *c, uint32_t gate, const Operations *all,
                             bool must_be_plain) {
    Distinct d = distinct_operands(&c->network->luts.items[gate]);
    Operation *chosen = &c->operations[gate];
    if (d.count >= 2) {
        uint8_t table = stored_table(c, &d);
        bool is_exact = must_be_plain && all->exact[table].is_found;
        *chosen = is_exact ? all->exact[table] : all->any[table];
        assert(chosen->is_found);
    } else { /* a copy, or a constant, of which operand 0 is the false one */
        bool is_negation = d.table & 1;
        chosen->is_complemented = is_negation != c->values[d.operands[0]].is_complemented;
    }
    chosen->is_negated = chosen->is_complemented && must_be_plain;
    c->values[lut_value(c->network, gate)].is_complemented =
        chosen->is_complemented && !must_be_plain;
}

/* Finds an operation for each gate, and decides if its result is stored complemented. */
static void choose_operations(Compiler *c) {
    const LutNetwork *n = c->network;
    bool *must_be_plain = memory_zalloc(1 + n->input_count + n->luts.count);
    for (size_t i = 0; i < n->outputs.count; i++)
        must_be_plain[n->outputs.items[i]] = true;
    for (size_t i = 0; i < n->loops.count; i++)
        for (size_t k = 0; k < n->loops.items[i].updates.count; k++)
            must_be_plain[n->loops.items[i].updates.items[k]] = true;
    c->operations = memory_zalloc((n->luts.count + 1) * sizeof *c->operations);
    Operations all;
    find_operations(c->target, &all);
    for (uint32_t g = 0; g < n->luts.count; g++)
        choose_operation(c, g, &all, must_be_plain[lut_value(n, g)]);
    free(must_be_plain);
}

static unsigned compile_copy(Compiler *c, uint32_t operand) {
    const Value *v = &c->values[operand];
    unsigned reg;
    if (v->reg != NOWHERE && is_dead(c, operand))
        return take_over(c, operand);
    reg = take_register(c, &operand, 1);
    if (v->reg != NOWHERE)
        c->target->move(&c->code, reg, (unsigned)v->reg);
    else
        c->target->load(&c->code, reg, place_of(c, v));
    return reg;
}

static bool is_commutative(GateOp op) {
    return op == OP_AND || op == OP_OR || op == OP_XOR;
}

/* On targets that overwrite the first operand, moves it to the register of the result. */
static unsigned prepare_overwriting(Compiler *c, GateOp op, uint32_t *x, uint32_t *y) {
    uint32_t operands[2] = {*x, *y};
    const Value *second = &c->values[*y];
    bool is_second_free = second->reg != NOWHERE && is_dead(c, *y);
    if (is_commutative(op) && is_second_free && !is_dead(c, *x)) {
        *x = operands[1];
        *y = operands[0];
    }
    if (c->values[*x].reg != NOWHERE && is_dead(c, *x))
        return take_over(c, *x);
    unsigned reg = take_register(c, operands, 2);
    if (c->values[*x].reg != NOWHERE)
        c->target->move(&c->code, reg, (unsigned)c->values[*x].reg);
    else
        c->target->load(&c->code, reg, place_of(c, &c->values[*x]));
    return reg;
}

/* A register for the result: that of an operand that is not used any more, else another. */
static unsigned choose_result(Compiler *c, const Distinct *d) {
    for (size_t i = 0; i < d->count; i++)
        if (c->values[d->operands[i]].reg != NOWHERE && is_dead(c, d->operands[i]))
            return (unsigned)c->values[d->operands[i]].reg;
    return take_register(c, d->operands, d->count);
}

static unsigned compile_triple(Compiler *c, const Distinct *d, const Operation *operation) {
    unsigned registers[3];
    fetch_operands(c, d, true);
    for (size_t i = 0; i < 3; i++)
        registers[i] = (unsigned)c->values[d->operands[operation->order[i]]].reg;
    unsigned to = choose_result(c, d);
    c->target->triple(&c->code, (GateOp)operation->op, to, registers);
    return to;
}

static unsigned compile_binary(Compiler *c, const Distinct *d, const Operation *operation) {
    const Target *t = c->target;
    GateOp op = (GateOp)operation->op;
    uint32_t x = d->operands[operation->order[0]], y = d->operands[operation->order[1]];
    fetch_operands(c, d, !t->takes_memory);
    if (is_commutative(op) && c->values[x].reg == NOWHERE) {
        uint32_t swapped = x;
        x = y;
        y = swapped;
    }
    unsigned reg, first = 0;
    if (t->overwrites_operand) {
        reg = first = prepare_overwriting(c, op, &x, &y);
    } else {
        if (c->values[x].reg == NOWHERE)
            load_value(c, x, d->operands, d->count);
        first = (unsigned)c->values[x].reg;
        reg = choose_result(c, d);
    }
    if (c->values[y].reg == NOWHERE)
        t->binary_memory(&c->code, op, reg, first, place_of(c, &c->values[y]));
    else
        t->binary(&c->code, op, reg, first, (unsigned)c->values[y].reg);
    return reg;
}

/* ---- the code of a gate ---- */

static unsigned compile_operation(Compiler *c, uint32_t gate, const Distinct *d) {
    const Target *t = c->target;
    bool is_ternary = t->gates == GATES_THREE;
    if (d->count == 1 && d->operands[0] == 0) { /* a constant */
        unsigned reg = take_register(c, NULL, 0);
        t->zero(&c->code, reg);
        if (is_ternary && d->table & 1)
            t->negate(&c->code, reg);
        return reg;
    }
    if (is_ternary)
        return compile_ternary(c, d);
    switch (d->count) {
    case 1:
        return compile_copy(c, d->operands[0]);
    case 2:
        return compile_binary(c, d, &c->operations[gate]);
    default:
        return compile_triple(c, d, &c->operations[gate]);
    }
}

static void store_outputs(Compiler *c, uint32_t value) {
    Value *v = &c->values[value];
    for (uint32_t o = v->output; o != NEVER; o = c->more_outputs[o])
        c->target->store(&c->code, (unsigned)v->reg, output_place(c, o));
    if (v->output != NEVER) {
        v->has_home = v->in_memory = true;
        v->base = BASE_OUTPUTS;
        v->offset = v->output;
    }
}

/* Adds to the growth register, and sets the variable. */
static void update_variable(Compiler *c, uint32_t variable, unsigned reg) {
    MemoryOperand place = place_of(c, &c->values[variable]);
    c->target->note_growth(&c->code, c->target->growth, reg, place);
    c->target->store(&c->code, reg, place);
}

static void compile_gate(Compiler *c, uint32_t gate) {
    uint32_t value = lut_value(c->network, gate);
    Distinct d = distinct_operands(&c->network->luts.items[gate]);
    for (size_t i = 0; i < d.count; i++)
        if (d.operands[i])
            c->values[d.operands[i]].next_use++;
    unsigned reg = compile_operation(c, gate, &d);
    if (c->operations && c->operations[gate].is_negated)
        c->target->negate(&c->code, reg);
    for (size_t i = 0; i < d.count; i++)
        if (d.operands[i] && is_dead(c, d.operands[i])) {
            release_register(c, d.operands[i]);
            drop_home(c, d.operands[i]);
        }
    hold(c, reg, value);
    store_outputs(c, value);
    for (uint32_t variable = c->update_of[value]; variable != NEVER;
         variable = c->update_of[variable])
        update_variable(c, variable, reg);
    if (is_dead(c, value))
        release_register(c, value);
}

static void compile_range(Compiler *c, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end && c->code.bytes.count <= c->max_bytes; i++) {
        c->position = i;
        compile_gate(c, c->order[i]);
    }
}

/* ---- blocks ---- */

static void end_block(Compiler *c) {
    spill_all(c);
    if (c->value_bytes > c->code.width)
        c->target->repeat_for_pieces(&c->code, c->block, c->value_bytes);
    c->block = c->code.bytes.count;
}

/* Compiles gates outside loops. */
static void compile_in_blocks(Compiler *c, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++) {
        compile_range(c, i, i + 1);
        if (c->value_bytes > c->code.width && c->code.bytes.count - c->block >= BLOCK_BYTES)
            end_block(c);
    }
}

/* ---- loops ---- */

/* Updates that no gate of the loop computes; their values are in memory. */
static void update_from_outside(Compiler *c, const LutLoop *loop) {
    uint32_t first = lut_value(c->network, loop->first), end = lut_value(c->network, loop->end);
    for (size_t i = 0; i < loop->updates.count; i++) {
        uint32_t update = loop->updates.items[i];
        if ((update >= first && update < end) || update == 0)
            continue;
        c->target->load(&c->code, 0, place_of(c, &c->values[update]));
        update_variable(c, loop->variables.items[i], 0);
    }
}

static void compile_loop(Compiler *c, const LutLoop *loop) {
    const Target *t = c->target;
    spill_all(c);
    t->zero(&c->code, 0);
    for (size_t i = 0; i < loop->variables.count; i++)
        t->store(&c->code, 0, place_of(c, &c->values[loop->variables.items[i]]));
    size_t top = c->code.bytes.count;
    t->zero(&c->code, t->growth);
    compile_range(c, loop->first, loop->end);
    c->position = loop->end - 1;
    spill_all(c);
    update_from_outside(c, loop);
    t->jump_if_any(&c->code, t->growth, top);
}

/* ---- preparation ---- */

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

/* Values from outside that a loop reads must survive its iterations, as must updates from
 * outside. */
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

static void find_updates(Compiler *c) {
    const LutNetwork *n = c->network;
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
    find_updates(c);
}

/* Copies outputs that are inputs, loop variables or constants. */
static void copy_plain_outputs(Compiler *c) {
    for (uint32_t v = 0; v <= c->network->input_count; v++) {
        if (c->values[v].output == NEVER)
            continue;
        if (v == 0)
            c->target->zero(&c->code, 0);
        else
            c->target->load(&c->code, 0, place_of(c, &c->values[v]));
        for (uint32_t o = c->values[v].output; o != NEVER; o = c->more_outputs[o])
            c->target->store(&c->code, 0, output_place(c, o));
    }
}

static void compile_everything(Compiler *c) {
    const LutNetwork *n = c->network;
    c->order = order_gates(n);
    find_uses(c);
    place_values(c);
    extend_over_loops(c);
    if (c->target->gates != GATES_THREE)
        choose_operations(c);
    for (unsigned r = 0; r < c->target->registers; r++)
        c->held[r] = NEVER;
    uint32_t at = 0;
    for (size_t i = 0; i < n->loops.count; i++) {
        compile_in_blocks(c, at, n->loops.items[i].first);
        compile_loop(c, &n->loops.items[i]);
        at = n->loops.items[i].end;
    }
    compile_in_blocks(c, at, (uint32_t)n->luts.count);
    copy_plain_outputs(c);
    end_block(c);
    c->target->finish(&c->code);
}

/* Makes the code executable. Memory is never writable and executable at once. */
static bool make_executable(const MachineCode *code, CompiledCode *compiled) {
    size_t count = code->bytes.count, page = (size_t)sysconf(_SC_PAGESIZE);
    size_t bytes = (count + page - 1) / page * page;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    memcpy(memory, code->bytes.items, count);
    if (mprotect(memory, bytes, PROT_READ | PROT_EXEC) != 0) {
        munmap(memory, bytes);
        return false;
    }
    __builtin___clear_cache(memory, (char *)memory + count);
    compiled->memory = memory;
    compiled->mapped_bytes = bytes;
    memcpy(&compiled->run, &memory, sizeof memory);
    return true;
}

bool compile_may_execute(void) {
    MachineCode code = {0};
    CompiledCode compiled = {0};
    code_byte(&code, 0);
    bool may_execute = make_executable(&code, &compiled);
    compiled_free(&compiled);
    vector_free(&code.bytes);
    return may_execute;
}

bool compile_code(const LutNetwork *network, const Target *target, bool narrow, size_t max_bytes,
                  MachineCode *code, CompiledCode *compiled) {
    assert(network && target && code && compiled);
    double started = clock_thread_cpu_seconds();
    Compiler c = {.network = network,
                  .target = target,
                  .value_bytes = narrow ? 16 : 64,
                  .max_bytes = max_bytes,
                  .code.width = narrow ? 16 : target->register_bytes};
    compile_everything(&c);
    *code = c.code;
    compiled->bytes = c.code.bytes.count;
    compiled->instructions = c.code.instructions;
    compiled->scratch_bytes = (size_t)(c.slot_count ? c.slot_count : 1) * c.value_bytes;
    compiled->pieces = c.value_bytes / c.code.width;
    vectors_free(&c.code.ones, &c.free_slots);
    memory_free(c.values, c.operations, c.order, c.first_use, c.uses, c.more_outputs, c.update_of);
    compiled->cpu_seconds = clock_thread_cpu_seconds() - started;
    return c.code.bytes.count <= max_bytes;
}

bool compile_network(const LutNetwork *network, const Target *target, bool narrow, size_t max_bytes,
                     CompiledCode *compiled) {
    MachineCode code = {0};
    bool is_done = target->is_available() &&
                   compile_code(network, target, narrow, max_bytes, &code, compiled) &&
                   make_executable(&code, compiled);
    vector_free(&code.bytes);
    if (!is_done)
        compiled_free(compiled);
    return is_done;
}

void compiled_free(CompiledCode *code) {
    if (code->memory)
        munmap(code->memory, code->mapped_bytes);
    *code = (CompiledCode){0};
}
