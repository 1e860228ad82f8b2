/* List scheduling: among the gates that are ready, those with the longest remaining path come
 * first. The slot that became free last is reused first, so that a few slots have most of the
 * values. Spilling the other slots then costs little. */
#include "gpu/program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/graph.h"
#include "gpu/schedule.h"

enum {
    SLOT_BITS = 14,      /* bits of a slot number in a packed gate, if nothing is spilled */
    WIDE_SLOT_BITS = 24, /* bits of a slot number in a packed gate of a spilled program */
    ROW = GPU_UNITS * sizeof(uint32_t), /* bytes of the lanes of one value */
    ROWS_BEHIND = 3 + 10 * GPU_UNITS, /* rows of a block after its slots: lanes that begin and end,
                                        arena, progress; the counters of goals follow */
    IDENTITY = 0xf0                   /* table of a gate that returns operand a */
};
#define NEVER UINT32_MAX

typedef struct {
    GpuProgram *program;
    const LutNetwork *network;
    uint32_t kept, threads, values;
    uint32_t rounds;    /* number so far */
    uint32_t *round_of; /* by value: the round that computes it; 0 for inputs */
    uint32_t *last;   /* by value: the last round that reads it; NEVER if it must stay to the end */
    uint32_t *slot;   /* by value */
    uint32_t *height; /* by gate: the longest path to the end of its region (in or between loops) */
    uint32_t *missing;   /* by gate: operands in its region that are not computed yet */
    U32Vector *by_round; /* gates of each round; rounds count from 1 */
    U32Vector heap, free_slots;
    Graph readers; /* by gate of the current region, from 0: those that read it */
} Scheduler;

static void operands_of(const Lut *lut, uint32_t operands[3]) {
    operands[0] = lut->a;
    operands[1] = lut->b;
    operands[2] = lut->c;
}

/* ---- a heap of gates, the greatest height first ---- */

static bool is_before(const Scheduler *s, uint32_t a, uint32_t b) {
    return s->height[a] != s->height[b] ? s->height[a] > s->height[b] : a < b;
}

static void heap_push(Scheduler *s, uint32_t gate) {
    vector_push(&s->heap, gate);
    uint32_t *items = s->heap.items;
    for (size_t i = s->heap.count - 1; i && is_before(s, items[i], items[(i - 1) / 2]);
         i = (i - 1) / 2) {
        uint32_t swap = items[i];
        items[i] = items[(i - 1) / 2];
        items[(i - 1) / 2] = swap;
    }
}

static uint32_t heap_pop(Scheduler *s) {
    uint32_t *items = s->heap.items, top = items[0];
    size_t count = --s->heap.count;
    items[0] = items[count];
    for (size_t i = 0;;) {
        size_t best = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < count; child++)
            if (is_before(s, items[child], items[best]))
                best = child;
        if (best == i)
            return top;
        uint32_t swap = items[i];
        items[i] = items[best];
        items[best] = swap;
        i = best;
    }
}

/* ---- rounds ---- */

/* Makes a graph of the gates of a region: edges lead to the gates of the region that read them. */
static void find_readers(Scheduler *s, uint32_t first, uint32_t end) {
    uint32_t base = lut_value(s->network, first), operands[3];
    Edges edges = {0};
    for (uint32_t g = first; g < end; g++) {
        operands_of(&s->network->luts.items[g], operands);
        for (int i = 0; i < 3; i++) {
            if (operands[i] < base)
                continue;
            vector_push(&edges, ((Edge){operands[i] - base, g - first}));
            s->missing[g]++;
        }
    }
    graph_build(&s->readers, end - first, &edges);
    vector_free(&edges);
}

static void measure_heights(Scheduler *s, uint32_t first, uint32_t end) {
    uint32_t base = lut_value(s->network, first), operands[3];
    for (uint32_t g = end; g-- > first;) {
        operands_of(&s->network->luts.items[g], operands);
        for (int i = 0; i < 3; i++)
            if (operands[i] >= base && s->height[operands[i] - base + first] <= s->height[g])
                s->height[operands[i] - base + first] = s->height[g] + 1;
    }
}

static U32Vector *new_round(Scheduler *s) {
    s->rounds++;
    s->by_round = memory_realloc(s->by_round, (s->rounds + 1) * sizeof *s->by_round);
    s->by_round[s->rounds] = (U32Vector){0};
    return &s->by_round[s->rounds];
}

static void schedule_region(Scheduler *s, uint32_t first, uint32_t end) {
    const LutNetwork *n = s->network;
    find_readers(s, first, end);
    measure_heights(s, first, end);
    for (uint32_t g = first; g < end; g++)
        if (!s->missing[g])
            heap_push(s, g);
    while (s->heap.count) {
        U32Vector *round = new_round(s);
        while (s->heap.count && round->count < s->threads)
            vector_push(round, heap_pop(s));
        for (size_t i = 0; i < round->count; i++) {
            uint32_t g = round->items[i];
            s->round_of[lut_value(n, g)] = s->rounds;
            for (uint32_t r = s->readers.starts[g - first]; r < s->readers.starts[g - first + 1];
                 r++)
                if (--s->missing[first + s->readers.targets[r]] == 0)
                    heap_push(s, first + s->readers.targets[r]);
        }
    }
    graph_free(&s->readers);
}

static void add_segment(Scheduler *s, uint32_t first_round, const LutLoop *loop) {
    GpuProgram *program = s->program;
    GpuSegment segment = {.first_round = first_round, .rounds = s->rounds - first_round};
    if (loop) {
        segment.is_loop = 1;
        segment.first_pair = (uint32_t)program->lists.count;
        segment.pairs = (uint32_t)loop->variables.count;
        for (uint32_t i = 0; i < segment.pairs; i++) { /* value numbers, replaced by slots later */
            vector_push(&program->lists, loop->variables.items[i]);
            vector_push(&program->lists, loop->updates.items[i]);
        }
    }
    if (segment.rounds || loop)
        vector_push(&program->segments, segment);
}

/* Until the gates are written, rounds are counted from 1 within the network. */
static void schedule_all(Scheduler *s) {
    const LutNetwork *n = s->network;
    uint32_t at = 0;
    for (size_t i = 0; i < n->loops.count; i++) {
        const LutLoop *loop = &n->loops.items[i];
        uint32_t before = s->rounds;
        schedule_region(s, at, loop->first);
        add_segment(s, before, NULL);
        before = s->rounds;
        schedule_region(s, loop->first, loop->end);
        add_segment(s, before, loop);
        at = loop->end;
    }
    uint32_t before = s->rounds;
    schedule_region(s, at, (uint32_t)n->luts.count);
    add_segment(s, before, NULL);
}

/* ---- slots ---- */

static void read_until(Scheduler *s, uint32_t value, uint32_t round) {
    if (s->last[value] < round)
        s->last[value] = round;
}

/* Earlier values that a loop reads must stay until its end, as must its variables and updates. */
static void find_last_uses(Scheduler *s, size_t first_segment) {
    const LutNetwork *n = s->network;
    const GpuProgram *program = s->program;
    uint32_t operands[3];
    for (size_t k = first_segment; k < program->segments.count; k++) {
        const GpuSegment *segment = &program->segments.items[k];
        uint32_t first = segment->first_round + 1, end = segment->first_round + segment->rounds;
        for (uint32_t r = first; r <= end; r++)
            for (size_t i = 0; i < s->by_round[r].count; i++) {
                operands_of(&n->luts.items[s->by_round[r].items[i]], operands);
                for (int o = 0; o < 3; o++)
                    read_until(s, operands[o],
                               segment->is_loop && s->round_of[operands[o]] < first ? end : r);
            }
        for (uint32_t i = 0; i < 2 * segment->pairs; i++)
            read_until(s, program->lists.items[segment->first_pair + i], end ? end : 1);
    }
    for (size_t i = 0; i < n->outputs.count; i++)
        s->last[n->outputs.items[i]] = NEVER;
}

static uint32_t take_slot(Scheduler *s) {
    return s->free_slots.count ? vector_pop(&s->free_slots) : s->program->slots++;
}

/* Inputs have slots from the start. A slot is reused after the last round that uses its value. */
static void give_slots(Scheduler *s) {
    const LutNetwork *n = s->network;
    U32Vector *leaving = memory_zalloc((s->rounds + 2) * sizeof *leaving);
    for (uint32_t v = 1 + s->kept; v < s->values; v++) {
        if (v <= n->input_count) {
            if (!s->last[v])
                continue;
            s->slot[v] = take_slot(s);
        }
        if (s->last[v] != NEVER) {
            uint32_t end = s->last[v] > s->round_of[v] ? s->last[v] : s->round_of[v];
            vector_push(&leaving[end], v);
        }
    }
    for (uint32_t r = 1; r <= s->rounds; r++) {
        for (size_t i = 0; i < leaving[r - 1].count; i++)
            vector_push(&s->free_slots, s->slot[leaving[r - 1].items[i]]);
        for (size_t i = 0; i < s->by_round[r].count; i++)
            s->slot[lut_value(n, s->by_round[r].items[i])] = take_slot(s);
    }
    for (uint32_t r = 0; r <= s->rounds + 1; r++)
        vector_free(&leaving[r]);
    free(leaving);
}

/* ---- gates ---- */

static GpuGate make_gate(const Scheduler *s, const Lut *lut, uint32_t value) {
    return (GpuGate){.operands = {s->slot[lut->a], s->slot[lut->b], s->slot[lut->c]},
                     .result = s->slot[value],
                     .coefficients = lut_polynomial(lut->table)};
}

/* Threads without a gate in a round compute slot 0 (false) from slot 0. */
static void write_rounds(Scheduler *s, size_t first_segment) {
    GpuProgram *program = s->program;
    uint32_t base = (uint32_t)(program->gates.count / s->threads);
    for (uint32_t r = 1; r <= s->rounds; r++) {
        GpuGate *gates = vector_extend(&program->gates, s->threads);
        memset(gates, 0, s->threads * sizeof *gates);
        for (size_t i = 0; i < s->by_round[r].count; i++) {
            uint32_t g = s->by_round[r].items[i];
            assert(i < s->threads);
            gates[i] = make_gate(s, &s->network->luts.items[g], lut_value(s->network, g));
        }
    }
    for (size_t k = first_segment; k < program->segments.count; k++) {
        GpuSegment *segment = &program->segments.items[k];
        segment->first_round += base;
        for (uint32_t i = 0; i < 2 * segment->pairs; i++) {
            uint32_t *item = &program->lists.items[segment->first_pair + i];
            *item = s->slot[*item];
        }
    }
}

void gpu_program_randoms(const LutNetwork *network, uint32_t kept, U32Vector *values) {
    GpuSchedule schedule = gpu_schedule(network, kept);
    uint8_t *used = memory_zalloc(network->input_count + 1);
    for (size_t i = 0; i < schedule.draws.count; i++)
        used[schedule.draws.items[i].value] = 1;
    for (uint32_t v = 1 + kept; v <= network->input_count; v++)
        if (used[v])
            vector_push(values, v);
    free(used);
    gpu_schedule_free(&schedule);
}

/* ---- networks ---- */

/* An output that is an input would be overwritten while other gates still read it, so it gets a
 * gate that copies it. A fluent that keeps its value needs none. */
static LutNetwork *network_with_gates_for_outputs(const LutNetwork *from, uint32_t kept) {
    LutNetwork *n = memory_zalloc(sizeof *n);
    n->input_count = from->input_count;
    vector_append(&n->luts, from->luts.items, from->luts.count);
    for (size_t i = 0; i < from->loops.count; i++) {
        const LutLoop *loop = &from->loops.items[i];
        vector_push(&n->loops, ((LutLoop){.first = loop->first, .end = loop->end}));
        u32_append(&vector_last(&n->loops).variables, &loop->variables);
        u32_append(&vector_last(&n->loops).updates, &loop->updates);
    }
    for (uint32_t i = 0; i < from->outputs.count; i++) {
        uint32_t value = from->outputs.items[i];
        if (value && value <= n->input_count && !(i < kept && value == 1 + i)) {
            vector_push(&n->luts, ((Lut){value, value, value, IDENTITY}));
            value = lut_value(n, n->luts.count - 1);
        }
        vector_push(&n->outputs, value);
    }
    return n;
}

/* Lists the slots that may be reused: all but those of fluents and the reserved ones. */
static void find_free_slots(Scheduler *s, const uint8_t *reserved) {
    for (uint32_t slot = s->program->slots; slot-- > 1 + s->kept;)
        if (!reserved || !reserved[slot])
            vector_push(&s->free_slots, slot);
}

static void scheduler_free(Scheduler *s) {
    for (uint32_t r = 1; r <= s->rounds; r++)
        vector_free(&s->by_round[r]);
    memory_free(s->by_round, s->round_of, s->last, s->slot, s->height, s->missing);
    vectors_free(&s->heap, &s->free_slots);
}

/* Appends a network. Returns the slots of its outputs, which stay, and of its random bits. */
static void add_network(GpuProgram *program, const LutNetwork *network, uint32_t kept,
                        const uint8_t *reserved, U32Vector *outputs, U32Vector *randoms) {
    size_t gates = network->luts.count + 1, first_segment = program->segments.count;
    size_t values = gates + network->input_count;
    Scheduler s = {.program = program,
                   .network = network,
                   .kept = kept,
                   .threads = program->threads,
                   .values = (uint32_t)values,
                   .round_of = memory_zalloc(values * sizeof *s.round_of),
                   .last = memory_zalloc(values * sizeof *s.last),
                   .slot = memory_zalloc(values * sizeof *s.slot),
                   .height = memory_zalloc(gates * sizeof *s.height),
                   .missing = memory_zalloc(gates * sizeof *s.missing)};
    for (uint32_t i = 0; i < kept; i++)
        s.slot[1 + i] = 1 + i;
    schedule_all(&s);
    find_last_uses(&s, first_segment);
    find_free_slots(&s, reserved);
    give_slots(&s);
    write_rounds(&s, first_segment);
    for (size_t i = 0; i < network->outputs.count; i++)
        vector_push(outputs, s.slot[network->outputs.items[i]]);
    gpu_program_randoms(network, kept, randoms);
    for (size_t i = 0; i < randoms->count; i++)
        randoms->items[i] = s.slot[randoms->items[i]];
    scheduler_free(&s);
}

static uint32_t add_list(GpuProgram *program, const U32Vector *list) {
    u32_append(&program->lists, list);
    return (uint32_t)(program->lists.count - list->count);
}

static void add_phase(GpuProgram *program, const TurnPhase *phase, uint32_t kept) {
    U32Vector outputs = {0}, goals = {0}, randoms = {0}, none = {0};
    GpuPhase result = {.step_first = (uint32_t)program->segments.count};
    size_t rounds = program->gates.count / program->threads;
    LutNetwork *step = network_with_gates_for_outputs(kernel_network(phase->step), kept);
    add_network(program, step, kept, NULL, &outputs, &randoms);
    program->rounds += (uint32_t)(program->gates.count / program->threads - rounds);
    result.step_end = result.goals_first = (uint32_t)program->segments.count;
    uint8_t *reserved = memory_zalloc(program->slots);
    for (size_t i = 0; i < outputs.count; i++)
        reserved[outputs.items[i]] = 1;
    add_network(program, kernel_network(phase->goals), kept, reserved, &goals, &none);
    result.goals_end = (uint32_t)program->segments.count;
    result.outputs = add_list(program, &outputs);
    result.goals = add_list(program, &goals);
    result.randoms_first = add_list(program, &randoms);
    result.randoms = (uint32_t)randoms.count;
    vector_push(&program->phases, result);
    free(reserved);
    lut_free(step);
    vectors_free(&outputs, &goals, &randoms, &none);
}

/* Schedules all networks of a game, with as many slots as needed and none of them spilled. */
static GpuProgram *schedule_turn(const TurnNetworks *turn, uint32_t threads) {
    GpuProgram *program = memory_zalloc(sizeof *program);
    uint32_t kept = (uint32_t)turn->kept.count;
    program->threads = threads;
    program->slots = 1 + kept;
    for (uint32_t p = 0; p < turn->phases.count; p++)
        add_phase(program, &turn->by_phase[p], kept);
    for (size_t i = 0; i < kept; i++)
        vector_push(&program->initial,
                    turn->circuit->initial[turn->kept.items[i]] ? UINT32_MAX : 0);
    program->fluents = (uint32_t)program->lists.count;
    for (uint32_t i = 0; i < kept; i++)
        vector_push(&program->lists, 1 + i);
    /* An empty round at the end, because threads prefetch the next gate. */
    memset(vector_extend(&program->gates, threads), 0, threads * sizeof *program->gates.items);
    program->shared = program->slots;
    return program;
}

void gpu_program_free(GpuProgram *program) {
    if (!program)
        return;
    vectors_free(&program->gates, &program->segments, &program->phases, &program->lists,
                 &program->initial);
    free(program);
}

/* ---- spilling ---- */

typedef struct {
    uint32_t slot;
    uint64_t uses; /* reads and writes by gates, weighted, and entries in lists */
} SlotUse;

static int compare_uses(const void *a, const void *b) {
    const SlotUse *x = a, *y = b;
    if (x->uses != y->uses)
        return x->uses > y->uses ? -1 : 1;
    return x->slot < y->slot ? -1 : x->slot > y->slot;
}

/* Estimates how often the rounds of each segment are run in a turn. */
static void weigh_rounds(const GpuProgram *program, uint32_t *weights) {
    enum { TURNS_OF_LOOP = 8 };
    for (size_t k = 0; k < program->segments.count; k++) {
        const GpuSegment *segment = &program->segments.items[k];
        for (uint32_t r = 0; r < segment->rounds; r++)
            weights[segment->first_round + r] = segment->is_loop ? TURNS_OF_LOOP : 1;
    }
}

/* Lists the slots in descending order of uses, after slot 0, which is always first. */
static SlotUse *rank_slots(const GpuProgram *program) {
    SlotUse *uses = memory_zalloc(program->slots * sizeof *uses);
    size_t rounds = program->gates.count / program->threads;
    uint32_t *weights = memory_zalloc(rounds * sizeof *weights);
    weigh_rounds(program, weights);
    for (uint32_t slot = 0; slot < program->slots; slot++)
        uses[slot].slot = slot;
    for (size_t i = 0; i < program->gates.count; i++) {
        const GpuGate *gate = &program->gates.items[i];
        for (int o = 0; o < 3; o++)
            uses[gate->operands[o]].uses += weights[i / program->threads];
        uses[gate->result].uses += weights[i / program->threads];
    }
    for (size_t i = 0; i < program->lists.count; i++)
        uses[program->lists.items[i]].uses++;
    uses[0].uses = 0; /* slot 0 stays first whatever its uses */
    qsort(uses + 1, program->slots - 1, sizeof *uses, compare_uses);
    free(weights);
    return uses;
}

/* Keeps at most `shared` slots in shared memory. Slots are renumbered by their rank. */
static void spill(GpuProgram *program, uint32_t shared) {
    assert(program->shared == program->slots); /* nothing may be spilled yet */
    if (shared >= program->slots)
        return;
    SlotUse *uses = rank_slots(program);
    uint32_t *rank = memory_alloc(program->slots * sizeof *rank);
    for (uint32_t i = 0; i < program->slots; i++)
        rank[uses[i].slot] = i;
    for (size_t i = 0; i < program->gates.count; i++) {
        GpuGate *gate = &program->gates.items[i];
        for (int o = 0; o < 3; o++)
            gate->operands[o] = rank[gate->operands[o]];
        gate->result = rank[gate->result];
    }
    for (size_t i = 0; i < program->lists.count; i++)
        program->lists.items[i] = rank[program->lists.items[i]];
    program->shared = shared;
    memory_free(uses, rank);
}

/* The number of slots that fit into so many bytes beside the counters of the goals. */
static uint32_t slots_within(size_t bytes, size_t goals) {
    size_t rows = bytes / ROW;
    rows = rows > ROWS_BEHIND + goals ? rows - ROWS_BEHIND - goals : 0;
    return (uint32_t)(rows < 1 << SLOT_BITS ? rows : 1 << SLOT_BITS);
}

/* True if the fields of a gate are wide enough for all slots. */
static bool has_names_for_slots(const GpuProgram *program) {
    return program->slots <= 1u << WIDE_SLOT_BITS;
}

GpuProgram *gpu_program_create(const TurnNetworks *turn, uint32_t threads, size_t block_bytes) {
    assert(threads);
    uint32_t room = slots_within(block_bytes, turn->circuit->goals.count);
    if (!room)
        return NULL;
    GpuProgram *program = schedule_turn(turn, threads);
    if (!has_names_for_slots(program)) {
        gpu_program_free(program);
        return NULL;
    }
    spill(program, room);
    return program;
}

size_t gpu_program_shared_bytes(const GpuProgram *program, size_t goals) {
    return (program->shared + ROWS_BEHIND + goals) * ROW;
}

size_t gpu_program_arena_bytes(const GpuProgram *program) {
    return (size_t)(program->slots - program->shared) * ROW;
}

const char *gpu_program_places(const GpuProgram *program) {
    return gpu_program_is_spilled(program) ? "#define SPILLED\n" : "";
}

void gpu_program_pack(const GpuProgram *program, U32Vector *words) {
    for (size_t i = 0; i < program->gates.count; i++) {
        const GpuGate *g = &program->gates.items[i];
        if (gpu_program_is_spilled(program)) {
            for (int o = 0; o < 3; o++)
                vector_push(words, g->operands[o]);
            vector_push(words, g->result | (uint32_t)g->coefficients << WIDE_SLOT_BITS);
            continue;
        }
        uint64_t packed = g->operands[0] | (uint64_t)g->operands[1] << SLOT_BITS |
                          (uint64_t)g->operands[2] << (2 * SLOT_BITS) |
                          (uint64_t)g->result << (3 * SLOT_BITS) |
                          (uint64_t)g->coefficients << (4 * SLOT_BITS);
        vector_push(words, (uint32_t)packed);
        vector_push(words, (uint32_t)(packed >> 32));
    }
}

/* ---- choosing the number of threads ---- */

/* A way to run a program on one multiprocessor. */
typedef struct {
    uint32_t blocks;
    uint32_t shared; /* slots of each block in shared memory */
} Fit;

/* Estimates the speed: turns of a block per clock cycle of one multiprocessor, summed over its
 * blocks. A round takes at least its latency, however few gates it has; with more warps, shared
 * memory is the bottleneck. If values are spilled, their number makes no difference, because nearly
 * every warp waits for one of them. */
static double promise(const GpuProgram *program, const Fit *fit) {
    enum { WARP = 32 };
    /* clock cycles, measured on an H200 */
    const double latency = 380, warp_clocks = 36, spilled_latency = 400, spilled_warp_clocks = 44;
    double warps = (double)fit->blocks * program->threads / WARP;
    double round = fit->shared < program->slots    ? spilled_latency + spilled_warp_clocks * warps
                   : warp_clocks * warps > latency ? warp_clocks * warps
                                                   : latency;
    return (double)fit->blocks / (program->rounds * round + 1);
}

typedef struct {
    size_t goals, shared_bytes, block_bytes;
} Room;

/* With all slots in shared memory, as many blocks run as fit. */
static Fit fit_whole(const GpuProgram *program, const Room *room) {
    enum { MAX_BLOCKS = 32, MAX_THREADS = 2048 };
    size_t blocks =
        room->shared_bytes / (gpu_program_shared_bytes(program, room->goals) + GPU_RESERVED_BYTES);
    if (blocks > MAX_THREADS / program->threads)
        blocks = MAX_THREADS / program->threads;
    blocks = blocks > MAX_BLOCKS ? MAX_BLOCKS : blocks ? blocks : 1;
    return (Fit){(uint32_t)blocks, program->slots};
}

/* Finds the best way to run a program and estimates its speed; 0 if it cannot be run. */
static double find_fit(const GpuProgram *program, const Room *room, Fit *fit) {
    uint32_t most = slots_within(room->block_bytes, room->goals);
    *fit = program->slots <= most ? fit_whole(program, room) : (Fit){1, most};
    return most && has_names_for_slots(program) ? promise(program, fit) : 0;
}

GpuProgram *gpu_program_choose(const TurnNetworks *turn, size_t shared_bytes, size_t block_bytes) {
    enum { MIN_THREADS = 32, MAX_THREADS = 1024 };
    const Room room = {turn->circuit->goals.count, shared_bytes, block_bytes};
    GpuProgram *best = NULL;
    double best_promise = 0;
    uint32_t shared = 0;
    for (uint32_t threads = MIN_THREADS; threads <= MAX_THREADS; threads *= 2) {
        GpuProgram *program = schedule_turn(turn, threads);
        Fit fit;
        double expected = find_fit(program, &room, &fit);
        if (expected > best_promise) {
            gpu_program_free(best);
            best = program;
            best_promise = expected;
            shared = fit.shared;
        } else {
            gpu_program_free(program);
        }
    }
    if (best)
        spill(best, shared);
    return best;
}
