/* A network is cut into pieces: the gates before a loop, the gates of the loop, the update of its
 * variables, and so on. Each piece becomes an inlined function whose body is one block of PTX with
 * inputs and outputs. Values that pass from one piece to another are stored in slots of the array
 * `v`, which the compiler keeps in registers. */
#include "gpu/kernel_source.h"

#include <assert.h>

#include "gpu/schedule.h"

#define NOWHERE UINT32_MAX

typedef struct {
    uint32_t first, end;  /* range of positions in the schedule; empty for an update */
    const LutLoop *loop;  /* the loop that contains the piece, or NULL */
    bool is_update;       /* updates the variables; the last piece of its loop */
    uint32_t loop_update; /* the number of that piece, if there is a loop */
} Piece;

typedef struct {
    uint32_t defined, last; /* pieces that compute the value and use it last; NOWHERE if none */
    uint32_t slot;          /* in `v`, if it crosses; else NOWHERE */
    bool crosses;           /* another piece uses it, or it must exist before a loop starts */
} Value;

typedef struct {
    Text *out;
    const LutNetwork *network;
    const char *name; /* name of the function without the phase */
    uint32_t phase, kept;
    GpuSchedule schedule;
    VECTOR(Piece) pieces;
    Value *values;
    uint32_t *first_output, *more_outputs; /* lists of the outputs that are a value: the first by
                                              value, the next by output, NOWHERE at the end */
    size_t next_draw;                      /* position in schedule.draws */
    uint32_t slots;                        /* length of `v` */
    uint32_t *loaded;                      /* by value: 1 + the last piece that loaded it, or 0 */
    U32Vector loads;                       /* current piece: values that come from outside */
    Text body, stores; /* current piece: its gates, and the destinations of its outputs */
    uint32_t operands; /* current piece: operands so far, the dice first, then outputs */
} Writer;

static void add_gates(Writer *w, uint32_t first, uint32_t end, const LutLoop *loop) {
    if (first < end)
        vector_push(&w->pieces, ((Piece){.first = first, .end = end, .loop = loop}));
}

static void cut_into_pieces(Writer *w) {
    const LutNetwork *n = w->network;
    uint32_t at = 0;
    for (size_t i = 0; i < n->loops.count; i++) {
        const LutLoop *loop = &n->loops.items[i];
        add_gates(w, at, loop->first, NULL);
        size_t before = w->pieces.count;
        add_gates(w, loop->first, loop->end, loop);
        vector_push(&w->pieces, ((Piece){loop->end, loop->end, loop, true, 0}));
        for (size_t p = before; p < w->pieces.count; p++)
            w->pieces.items[p].loop_update = (uint32_t)w->pieces.count - 1;
        at = loop->end;
    }
    add_gates(w, at, (uint32_t)n->luts.count, NULL);
}

static bool is_fluent(const Writer *w, uint32_t value) {
    return value >= 1 && value <= w->kept;
}

/* A value from before a loop that the loop reads must survive until the end of the loop. */
static void use(Writer *w, uint32_t value, uint32_t piece) {
    if (value == 0 || is_fluent(w, value))
        return;
    Value *v = &w->values[value];
    assert(v->defined <= piece);
    uint32_t last = piece;
    if (piece < w->pieces.count && w->pieces.items[piece].loop) {
        uint32_t update = w->pieces.items[piece].loop_update;
        const Piece *definition = &w->pieces.items[v->defined];
        if (v->crosses || definition->loop != w->pieces.items[piece].loop)
            last = update;
    }
    v->crosses |= v->defined != piece;
    if (last > v->last)
        v->last = last;
}

static void define(Writer *w, uint32_t value, uint32_t piece, bool crosses) {
    w->values[value] = (Value){piece, piece, NOWHERE, crosses};
}

static bool piece_begins_loop(const Writer *w, uint32_t piece) {
    const LutLoop *loop = w->pieces.items[piece].loop;
    return loop && (piece == 0 || w->pieces.items[piece - 1].loop != loop);
}

static bool is_drawn_at(const Writer *w, size_t draw, uint32_t place) {
    return draw < w->schedule.draws.count && w->schedule.draws.items[draw].position == place;
}

/* Variables of a loop, and random bits that it reads first, exist before its first piece. */
static void define_values(Writer *w) {
    const LutNetwork *n = w->network;
    size_t draw = 0;
    for (uint32_t p = 0; p < w->pieces.count; p++) {
        const Piece *piece = &w->pieces.items[p];
        bool begins_loop = piece_begins_loop(w, p);
        for (size_t i = 0; begins_loop && i < piece->loop->variables.count; i++) {
            define(w, piece->loop->variables.items[i], p, true);
            w->values[piece->loop->variables.items[i]].last = piece->loop_update;
        }
        for (; begins_loop && is_drawn_at(w, draw, piece->loop->first); draw++)
            define(w, w->schedule.draws.items[draw].value, p, true);
        for (uint32_t at = piece->first; at < piece->end; at++) {
            for (; is_drawn_at(w, draw, at); draw++)
                define(w, w->schedule.draws.items[draw].value, p, false);
            define(w, lut_value(n, w->schedule.order[at]), p, false);
        }
    }
    for (; draw < w->schedule.draws.count; draw++)
        define(w, w->schedule.draws.items[draw].value, (uint32_t)w->pieces.count, false);
}

static void use_values(Writer *w) {
    const LutNetwork *n = w->network;
    for (uint32_t p = 0; p < w->pieces.count; p++) {
        const Piece *piece = &w->pieces.items[p];
        for (uint32_t at = piece->first; at < piece->end; at++) {
            const Lut *lut = &n->luts.items[w->schedule.order[at]];
            use(w, lut->a, p);
            use(w, lut->b, p);
            use(w, lut->c, p);
        }
        for (size_t i = 0; piece->is_update && i < piece->loop->updates.count; i++)
            use(w, piece->loop->updates.items[i], p);
    }
    for (size_t i = 0; i < n->outputs.count; i++)
        if (n->outputs.items[i] <= n->input_count)
            use(w, n->outputs.items[i], (uint32_t)w->pieces.count);
}

/* A slot is reused after the last piece that uses its value. */
static void give_slots(Writer *w) {
    uint32_t values = 1 + w->network->input_count + (uint32_t)w->network->luts.count;
    uint32_t pieces = (uint32_t)w->pieces.count + 1;
    U32Vector *by_piece = memory_zalloc(2 * (size_t)pieces * sizeof *by_piece);
    U32Vector *leaving = by_piece + pieces, unused = {0};
    for (uint32_t v = 1; v < values; v++)
        if (w->values[v].crosses) {
            vector_push(&by_piece[w->values[v].defined], v);
            vector_push(&leaving[w->values[v].last], v);
        }
    for (uint32_t p = 0; p < pieces; p++) {
        for (size_t i = 0; p && i < leaving[p - 1].count; i++)
            vector_push(&unused, w->values[leaving[p - 1].items[i]].slot);
        for (size_t i = 0; i < by_piece[p].count; i++)
            w->values[by_piece[p].items[i]].slot = unused.count ? vector_pop(&unused) : w->slots++;
    }
    for (uint32_t p = 0; p < 2 * pieces; p++)
        vector_free(&by_piece[p]);
    free(by_piece);
    vector_free(&unused);
}

static void link_outputs(Writer *w) {
    const LutNetwork *n = w->network;
    size_t values = 1 + n->input_count + n->luts.count;
    w->first_output = memory_alloc(values * sizeof *w->first_output);
    w->more_outputs = memory_alloc((n->outputs.count + 1) * sizeof *w->more_outputs);
    for (size_t v = 0; v < values; v++)
        w->first_output[v] = NOWHERE;
    for (size_t i = n->outputs.count; i-- > 0;) {
        w->more_outputs[i] = w->first_output[n->outputs.items[i]];
        w->first_output[n->outputs.items[i]] = (uint32_t)i;
    }
}

/* The C expression of a value outside of PTX blocks. */
static void write_place(const Writer *w, uint32_t value, Text *out) {
    if (value == 0)
        text_add(out, "0u");
    else if (is_fluent(w, value))
        text_printf(out, "S(%u)", value - 1);
    else if (w->values[value].crosses)
        text_printf(out, "v[%u]", w->values[value].slot);
    else
        text_printf(out, "t%u", value);
}

/* An operand of a gate: a register computed in this piece, or one loaded at its start. */
static void write_operand(Writer *w, uint32_t value, uint32_t piece) {
    if (value == 0) {
        text_add(&w->body, "zero");
        return;
    }
    bool is_variable = value > w->network->input_count - gpu_loop_variables(w->network) &&
                       value <= w->network->input_count;
    bool is_own = !is_fluent(w, value) && !is_variable && w->values[value].defined == piece &&
                  (value > w->network->input_count || !w->pieces.items[piece].loop);
    if (!is_own && w->loaded[value] != piece + 1) {
        w->loaded[value] = piece + 1;
        vector_push(&w->loads, value);
    }
    text_printf(&w->body, is_own ? "t%u" : "x%u", value);
}

/* Writes the C expression of a place for values that cross pieces, or of an output. */
static void write_target(Text *out, bool crosses, uint32_t index) {
    text_printf(out, crosses ? "v[%u]" : "N(%u)", index);
}

static void write_store(Writer *w, bool crosses, uint32_t index, uint32_t value) {
    text_printf(&w->body, "    STORE(%u, ", w->operands++);
    write_target(&w->body, crosses, index);
    text_printf(&w->body, ", t%u)\n", value);
    text_add(&w->stores, "    OUT(");
    write_target(&w->stores, crosses, index);
    text_add(&w->stores, ")\n");
}

static void write_draws(Writer *w, uint32_t place) {
    for (; is_drawn_at(w, w->next_draw, place); w->next_draw++) {
        uint32_t value = w->schedule.draws.items[w->next_draw].value;
        text_printf(&w->body, "    ROLL(t%u)\n", value);
        if (w->values[value].crosses)
            write_store(w, true, w->values[value].slot, value);
    }
}

static void write_gate(Writer *w, uint32_t gate, uint32_t piece) {
    const Lut *lut = &w->network->luts.items[gate];
    uint32_t value = lut_value(w->network, gate);
    text_printf(&w->body, "    GATE(t%u, %u, ", value, lut->table);
    write_operand(w, lut->a, piece);
    text_add(&w->body, ", ");
    write_operand(w, lut->b, piece);
    text_add(&w->body, ", ");
    write_operand(w, lut->c, piece);
    text_add(&w->body, ")\n");
    if (w->values[value].crosses)
        write_store(w, true, w->values[value].slot, value);
    for (uint32_t o = w->first_output[value]; o != NOWHERE; o = w->more_outputs[o])
        write_store(w, false, o, value);
}

/* All inputs are loaded first, because outputs may be put into the registers of inputs. */
static void write_code(Writer *w) {
    text_add(w->out, "    CODE_BEGIN\n");
    for (uint32_t i = 0; i < w->loads.count; i++) {
        text_printf(w->out, "    LOAD(x%u, %u, ", w->loads.items[i], w->operands + 1 + i);
        write_place(w, w->loads.items[i], w->out);
        text_add(w->out, ")\n");
    }
    text_add(w->out, text_string(&w->body));
    text_add(w->out, "    CODE_OUTPUTS\n");
    text_add(w->out, text_string(&w->stores));
    text_add(w->out, "    CODE_INPUTS\n");
    for (uint32_t i = 0; i < w->loads.count; i++) {
        text_add(w->out, "    IN(");
        write_place(w, w->loads.items[i], w->out);
        text_add(w->out, ")\n");
    }
    text_add(w->out, "    CODE_END\n");
}

static void write_update(Writer *w, uint32_t number) {
    const LutLoop *loop = w->pieces.items[number].loop;
    text_add(w->out, "    word grown = 0;\n");
    for (size_t i = 0; i < loop->variables.count; i++) {
        uint32_t slot = w->values[loop->variables.items[i]].slot;
        text_add(w->out, "    grown |= ");
        write_place(w, loop->updates.items[i], w->out);
        text_printf(w->out, " & ~v[%u];\n    v[%u] |= ", slot, slot);
        write_place(w, loop->updates.items[i], w->out);
        text_add(w->out, ";\n");
    }
    text_add(w->out, "    return grown;\n");
}

static const char parameters[] = "(const word *RESTRICT s, word *RESTRICT n, word *RESTRICT v, "
                                 "Dice *RESTRICT dice)";

static void write_piece(Writer *w, uint32_t number) {
    const Piece *piece = &w->pieces.items[number];
    text_printf(w->out, "DEVICE %s %s%u_%u%s {\n", piece->is_update ? "word" : "void", w->name,
                w->phase, number, parameters);
    text_add(w->out, "    (void)s, (void)n, (void)v, (void)dice;\n");
    enum { DICE_OPERANDS = 4 };
    text_clear(&w->body);
    text_clear(&w->stores);
    vector_clear(&w->loads);
    w->operands = DICE_OPERANDS;
    for (uint32_t at = piece->first; at < piece->end; at++) {
        write_draws(w, at);
        write_gate(w, w->schedule.order[at], number);
    }
    if (piece->is_update)
        write_update(w, number);
    else
        write_code(w);
    text_add(w->out, "}\n");
}

/* Random bits that a loop reads first are drawn by the caller, before the first iteration. */
static void write_pieces(Writer *w) {
    for (uint32_t p = 0; p < w->pieces.count; p++) {
        if (piece_begins_loop(w, p))
            while (is_drawn_at(w, w->next_draw, w->pieces.items[p].loop->first))
                w->next_draw++;
        write_piece(w, p);
    }
}

static void write_loop_entry(const Writer *w, const LutLoop *loop, size_t *draw) {
    for (size_t i = 0; i < loop->variables.count; i++)
        text_printf(w->out, "    v[%u] = 0;\n", w->values[loop->variables.items[i]].slot);
    while (*draw < w->schedule.draws.count && w->schedule.draws.items[*draw].position < loop->first)
        ++*draw;
    for (; is_drawn_at(w, *draw, loop->first); ++*draw)
        text_printf(w->out, "    v[%u] = roll(dice);\n",
                    w->values[w->schedule.draws.items[*draw].value].slot);
    text_add(w->out, "    do {\n");
}

/* Writes the function that calls the pieces and copies the outputs that no gate computes. */
static void write_caller(Writer *w) {
    const LutNetwork *n = w->network;
    size_t draw = 0;
    text_printf(w->out, "DEVICE void %s%u%s {\n", w->name, w->phase, parameters);
    text_add(w->out, "    (void)s, (void)n, (void)v, (void)dice;\n");
    for (uint32_t p = 0; p < w->pieces.count; p++) {
        const Piece *piece = &w->pieces.items[p];
        if (piece_begins_loop(w, p))
            write_loop_entry(w, piece->loop, &draw);
        if (piece->is_update)
            text_printf(w->out, "    } while (ANY(%s%u_%u(s, n, v, dice)));\n", w->name, w->phase,
                        p);
        else
            text_printf(w->out, "    %s%u_%u(s, n, v, dice);\n", w->name, w->phase, p);
    }
    for (; w->next_draw < w->schedule.draws.count; w->next_draw++)
        text_printf(w->out, "    const word t%u = roll(dice);\n",
                    w->schedule.draws.items[w->next_draw].value);
    for (size_t i = 0; i < n->outputs.count; i++)
        if (n->outputs.items[i] <= n->input_count) {
            text_printf(w->out, "    N(%zu) = ", i);
            write_place(w, n->outputs.items[i], w->out);
            text_add(w->out, ";\n");
        }
    text_add(w->out, "}\n");
}

uint32_t gpu_source_write_network(const LutNetwork *network, const char *name, uint32_t phase,
                                  uint32_t kept, Text *out) {
    size_t values = 1 + network->input_count + network->luts.count;
    Writer w = {.out = out,
                .network = network,
                .name = name,
                .phase = phase,
                .kept = kept,
                .schedule = gpu_schedule(network, kept),
                .values = memory_zalloc(values * sizeof *w.values),
                .loaded = memory_zalloc(values * sizeof *w.loaded)};
    cut_into_pieces(&w);
    define_values(&w);
    use_values(&w);
    give_slots(&w);
    link_outputs(&w);
    write_pieces(&w);
    write_caller(&w);
    gpu_schedule_free(&w.schedule);
    vector_free(&w.pieces);
    memory_free(w.values, w.loaded);
    vectors_free(&w.loads, &w.body, &w.stores);
    memory_free(w.first_output, w.more_outputs);
    return w.slots;
}

static void write_begin(const TurnNetworks *turn, Text *out) {
    text_add(out, "DEVICE void begin(word *s, word fresh) {\n    (void)s, (void)fresh;\n");
    for (size_t i = 0; i < turn->kept.count; i++)
        text_printf(out,
                    turn->circuit->initial[turn->kept.items[i]] ? "    s[%zu] |= fresh;\n"
                                                                : "    s[%zu] &= ~fresh;\n",
                    i);
    text_add(out, "}\n");
}

size_t gpu_source_gates(const TurnNetworks *turn, size_t *largest) {
    size_t gates = 0;
    *largest = 0;
    for (uint32_t p = 0; p < turn->phases.count; p++) {
        const Kernel *both[2] = {turn->by_phase[p].step, turn->by_phase[p].goals};
        for (int i = 0; i < 2; i++) {
            size_t count = kernel_network(both[i])->luts.count;
            gates += count;
            *largest = count > *largest ? count : *largest;
        }
    }
    return gates;
}

void gpu_source_write(const TurnNetworks *turn, Text *out) {
    uint32_t kept = (uint32_t)turn->kept.count, slots = 0;
    text_printf(out, "#define BLOCK %d\n#define KEPT %u\n#define ROLES %u\n#define GOALS %zu\n",
                GPU_BLOCK, kept, turn->circuit->role_count, turn->circuit->goals.count);
    write_begin(turn, out);
    for (uint32_t p = 0; p < turn->phases.count; p++) {
        const TurnPhase *phase = &turn->by_phase[p];
        uint32_t most = gpu_source_write_network(kernel_network(phase->step), "step", p, kept, out);
        slots = most > slots ? most : slots;
        most = gpu_source_write_network(kernel_network(phase->goals), "goals", p, kept, out);
        slots = most > slots ? most : slots;
    }
    text_printf(out, "#define SLOTS %u\n#define EACH_PHASE(DO)", slots);
    for (uint32_t p = 0; p < turn->phases.count; p++)
        text_printf(out, " DO(%u)", p);
    text_add(out, "\n");
}
