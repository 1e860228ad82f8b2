/* A network is cut at its loops into regions. In a region, the round of a gate is one more than the
 * last round of its operands in that region. A row is used again after the last round that reads
 * its value, so that few rows are busy at a time and stay in the caches. */
#include "gpu/environment_program.h"

#include <assert.h>

enum { COEFFICIENT_SHIFT = 24 /* rows are smaller than 2^24 */ };

#define NEVER UINT32_MAX

typedef struct {
    EnvironmentProgram *program;
    const LutNetwork *network;
    EnvironmentRows rows;
    uint32_t inputs;
    uint32_t *round_of; /* by value that is no input: the round that computes it */
    uint32_t *last;     /* by value: the last round that reads it; NEVER if it must stay */
    uint32_t *row;      /* by value */
    uint32_t next_row;
    U32Vector unused;
} Builder;

/* The values that a gate reads. */
static void operands_of(const Lut *lut, uint32_t operands[3]) {
    operands[0] = lut->a;
    operands[1] = lut->b;
    operands[2] = lut->c;
}

/* ---- rounds ---- */

/* Gives the gates of a region their rounds, from `round` on. Returns the first round after them. */
static uint32_t find_rounds(const Builder *b, uint32_t first, uint32_t end, uint32_t round) {
    uint32_t after = round, base = lut_value(b->network, first), operands[3];
    for (uint32_t g = first; g < end; g++) {
        uint32_t *own = &b->round_of[lut_value(b->network, g)];
        operands_of(&b->network->luts.items[g], operands);
        *own = round;
        for (int i = 0; i < 3; i++)
            if (operands[i] >= base && b->round_of[operands[i]] >= *own)
                *own = b->round_of[operands[i]] + 1;
        after = *own >= after ? *own + 1 : after;
    }
    return after;
}

/* Values from outside a loop, its variables and their updates are read until its last round. */
static void note_uses(const Builder *b, uint32_t first, uint32_t end, const LutLoop *loop,
                      uint32_t last_round) {
    uint32_t base = lut_value(b->network, first), operands[3];
    for (uint32_t g = first; g < end; g++) {
        operands_of(&b->network->luts.items[g], operands);
        for (int i = 0; i < 3; i++) {
            uint32_t *last = &b->last[operands[i]];
            uint32_t round =
                loop && operands[i] < base ? last_round : b->round_of[lut_value(b->network, g)];
            *last = *last < round ? round : *last;
        }
    }
    for (size_t i = 0; loop && i < loop->updates.count; i++) {
        b->last[loop->updates.items[i]] = NEVER;
        b->last[loop->variables.items[i]] = NEVER;
    }
}

static void add_segment(const Builder *b, uint32_t first, uint32_t end, const LutLoop *loop,
                        uint32_t *round) {
    uint32_t after = find_rounds(b, first, end, *round);
    note_uses(b, first, end, loop, after - 1);
    vector_push(
        &b->program->segments,
        ((EnvironmentSegment){.first_round = *round, .end_round = after, .is_loop = loop != NULL}));
    *round = after;
}

/* ---- rows ---- */

static uint32_t take_row(Builder *b) {
    return b->unused.count ? vector_pop(&b->unused) : b->next_row++;
}

static EnvironmentGate make_gate(const Builder *b, uint32_t gate) {
    const Lut *lut = &b->network->luts.items[gate];
    uint32_t result = b->row[lut_value(b->network, gate)];
    assert(result < 1u << COEFFICIENT_SHIFT);
    return (EnvironmentGate){b->row[lut->a], b->row[lut->b], b->row[lut->c],
                             result | (uint32_t)lut_polynomial(lut->table) << COEFFICIENT_SHIFT};
}

/* Constants, inputs and variables of loops have rows from the beginning. */
static void place_inputs(Builder *b) {
    b->row[0] = b->rows.zero;
    for (uint32_t v = 1; v <= b->network->input_count; v++)
        b->row[v] = v <= b->inputs ? b->rows.inputs + v - 1 : take_row(b);
}

/* Writes the gates, round after round, and gives them rows. */
static void write_rounds(Builder *b, uint32_t first, uint32_t end) {
    U32Vector *by_round = memory_zalloc(2 * (end - first + 1) * sizeof *by_round);
    U32Vector *leaving = by_round + (end - first + 1);
    for (uint32_t g = 0; g < b->network->luts.count; g++) {
        uint32_t value = lut_value(b->network, g), last = b->last[value];
        vector_push(&by_round[b->round_of[value] - first], g);
        if (last != NEVER)
            vector_push(&leaving[(last ? last : b->round_of[value]) - first], value);
    }
    for (uint32_t r = first; r < end; r++) {
        const U32Vector *gates = &by_round[r - first], *gone = &leaving[r - first];
        vector_push(&b->program->rounds, (uint32_t)b->program->gates.count);
        for (size_t i = 0; i < gates->count; i++) {
            b->row[lut_value(b->network, gates->items[i])] = take_row(b);
            vector_push(&b->program->gates, make_gate(b, gates->items[i]));
        }
        for (size_t i = 0; i < gone->count; i++)
            vector_push(&b->unused, b->row[gone->items[i]]);
    }
    for (uint32_t r = 0; r < 2 * (end - first + 1); r++)
        vector_free(&by_round[r]);
    free(by_round);
}

static void write_pairs(const Builder *b, size_t first_segment) {
    const LutLoop *loop = b->network->loops.items;
    for (size_t s = first_segment; s < b->program->segments.count; s++) {
        EnvironmentSegment *segment = &b->program->segments.items[s];
        segment->first_pair = (uint32_t)b->program->lists.count;
        if (!segment->is_loop)
            continue;
        for (size_t i = 0; i < loop->variables.count; i++) {
            vector_push(&b->program->lists, b->row[loop->variables.items[i]]);
            vector_push(&b->program->lists, b->row[loop->updates.items[i]]);
        }
        segment->pairs = (uint32_t)loop->variables.count;
        loop++;
    }
}

/* Defines where the kernel finds the network, and lists the rows of its outputs. */
static void write_place(const Builder *b, size_t first_segment, const char *name, Text *out) {
    const U32Vector *outputs = &b->network->outputs;
    text_printf(out, "#define %s_first %zu\n#define %s_end %zu\n#define %s_outputs %zu\n", name,
                first_segment, name, b->program->segments.count, name, b->program->lists.count);
    text_printf(out, "#define %s_count %zu\n", name, outputs->count);
    for (size_t i = 0; i < outputs->count; i++)
        vector_push(&b->program->lists, b->row[outputs->items[i]]);
}

void environment_program_add(EnvironmentProgram *program, const LutNetwork *network,
                             uint32_t inputs, const EnvironmentRows *rows, const char *name,
                             Text *out) {
    size_t values = 1 + network->input_count + network->luts.count;
    size_t first_segment = program->segments.count;
    uint32_t at = 0, first_round = (uint32_t)program->rounds.count, round = first_round;
    Builder b = {.program = program,
                 .network = network,
                 .rows = *rows,
                 .inputs = inputs,
                 .round_of = memory_zalloc(values * sizeof *b.round_of),
                 .last = memory_zalloc(values * sizeof *b.last),
                 .row = memory_zalloc(values * sizeof *b.row),
                 .next_row = rows->values};
    for (size_t i = 0; i < network->loops.count; i++) {
        const LutLoop *loop = &network->loops.items[i];
        add_segment(&b, at, loop->first, NULL, &round);
        add_segment(&b, loop->first, loop->end, loop, &round);
        at = loop->end;
    }
    add_segment(&b, at, (uint32_t)network->luts.count, NULL, &round);
    for (size_t i = 0; i < network->outputs.count; i++)
        b.last[network->outputs.items[i]] = NEVER;
    place_inputs(&b);
    write_rounds(&b, first_round, round);
    write_pairs(&b, first_segment);
    write_place(&b, first_segment, name, out);
    program->value_rows = b.next_row - rows->values > program->value_rows
                              ? b.next_row - rows->values
                              : program->value_rows;
    memory_free(b.round_of, b.last, b.row);
    vector_free(&b.unused);
}

void environment_program_end(EnvironmentProgram *program) {
    vector_push(&program->rounds, (uint32_t)program->gates.count);
}

void environment_program_free(EnvironmentProgram *program) {
    vectors_free(&program->gates, &program->segments, &program->rounds, &program->lists);
}
