/* Evaluates gates one by one, in the order of the kernels. In thread.cu each unit has its own
 * random numbers and draws them in the order of the schedule. In block.cu the threads of a block
 * draw the random bits of all units before each turn. */
#include "gpu/reference.h"

#include <string.h>

#include "gpu/playouts.h"
#include "gpu/program.h"
#include "gpu/schedule.h"
#include "gpu/unit.cuh"

typedef struct {
    uint32_t alive, left;           /* as Progress in unit.cuh */
    uint32_t turns[GPU_UNIT_LANES]; /* by lane: turns of its match so far */
    uint32_t *state;                /* by kept fluent: its lanes */
    uint32_t *random;               /* by input of the step network: its lanes */
    uint32_t *counters;             /* gpu_counters of them */
} Unit;

typedef struct {
    const TurnNetworks *turn;
    const GpuReference *how;
    Unit *units;
    uint32_t unit_count;
    Dice *dice; /* one per unit (thread.cu) or one per thread of the block (block.cu) */
    uint32_t *values, *outputs, *goals;
} Machine;

static uint32_t gate(const Lut *lut, const uint32_t *v) {
    uint32_t a = v[lut->a], b = v[lut->b], c = v[lut->c], result = 0;
    for (unsigned row = 0; row < 8; row++)
        if (lut->table >> row & 1)
            result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
    return result;
}

static void run_gates(const LutNetwork *n, uint32_t *v, uint32_t first, uint32_t end) {
    for (uint32_t g = first; g < end; g++)
        v[lut_value(n, g)] = gate(&n->luts.items[g], v);
}

static bool update_variables(const LutLoop *loop, uint32_t *v) {
    uint32_t grown = 0;
    for (size_t i = 0; i < loop->variables.count; i++) {
        uint32_t update = v[loop->updates.items[i]];
        grown |= update & ~v[loop->variables.items[i]];
        v[loop->variables.items[i]] |= update;
    }
    return grown != 0;
}

static void run_network(Machine *m, const LutNetwork *n, const Unit *unit, uint32_t *outputs) {
    uint32_t at = 0, kept = (uint32_t)m->turn->kept.count, *v = m->values;
    memset(v, 0, (n->input_count + 1) * sizeof *v);
    memcpy(v + 1, unit->state, kept * sizeof *v);
    for (uint32_t i = kept + 1; i + gpu_loop_variables(n) <= n->input_count; i++)
        v[i] = unit->random[i];
    for (size_t i = 0; i < n->loops.count; i++) {
        const LutLoop *loop = &n->loops.items[i];
        run_gates(n, v, at, loop->first);
        do
            run_gates(n, v, loop->first, loop->end);
        while (update_variables(loop, v));
        at = loop->end;
    }
    run_gates(n, v, at, (uint32_t)n->luts.count);
    for (size_t i = 0; i < n->outputs.count; i++)
        outputs[i] = v[n->outputs.items[i]];
}

static void draw(Machine *m, const LutNetwork *step) {
    uint32_t kept = (uint32_t)m->turn->kept.count;
    if (m->how->threads) {
        U32Vector randoms = {0};
        gpu_program_randoms(step, kept, &randoms);
        for (size_t i = 0; i < randoms.count * m->unit_count; i++)
            m->units[i % m->unit_count].random[randoms.items[i / m->unit_count]] =
                roll(&m->dice[i % m->how->threads]);
        vector_free(&randoms);
        return;
    }
    GpuSchedule schedule = gpu_schedule(step, kept);
    for (uint32_t u = 0; u < m->unit_count; u++)
        for (size_t i = 0; i < schedule.draws.count; i++)
            m->units[u].random[schedule.draws.items[i].value] = roll(&m->dice[u]);
    gpu_schedule_free(&schedule);
}

static void begin_matches(const Machine *m, Unit *unit) {
    uint32_t fresh = ~unit->alive;
    while (COUNT(fresh) > unit->left)
        fresh &= fresh - 1;
    unit->left -= COUNT(fresh);
    unit->alive |= fresh;
    for (uint32_t lane = 0; lane < GPU_UNIT_LANES; lane++)
        if (fresh >> lane & 1)
            unit->turns[lane] = 0;
    for (size_t i = 0; i < m->turn->kept.count; i++)
        unit->state[i] = (unit->state[i] & ~fresh) |
                         (m->turn->circuit->initial[m->turn->kept.items[i]] ? fresh : 0);
}

static void give_up_late_matches(Unit *unit, uint32_t step_limit) {
    uint32_t late = 0;
    for (uint32_t lane = 0; lane < GPU_UNIT_LANES; lane++)
        if (step_limit && unit->turns[lane]++ == step_limit)
            late |= UINT32_C(1) << lane;
    late &= unit->alive;
    unit->counters[GPU_TOO_LONG] += COUNT(late);
    unit->alive &= ~late;
}

static void play_turn(Machine *m, Unit *unit, uint32_t phase) {
    const Circuit *c = m->turn->circuit;
    size_t kept = m->turn->kept.count;
    run_network(m, kernel_network(m->turn->by_phase[phase].step), unit, m->outputs);
    uint32_t ended = m->outputs[kept] & unit->alive, stuck = 0;
    if (ended)
        run_network(m, kernel_network(m->turn->by_phase[phase].goals), unit, m->goals);
    for (size_t i = 0; ended && i < c->goals.count; i++)
        unit->counters[GPU_FIRST_GOAL + i] += COUNT(m->goals[i] & ended);
    unit->counters[GPU_PLAYOUTS] += COUNT(ended);
    unit->alive &= ~ended;
    give_up_late_matches(unit, m->how->step_limit);
    for (uint32_t r = 0; r < c->role_count; r++)
        stuck |= m->outputs[kept + 1 + r] & unit->alive;
    unit->counters[GPU_STUCK] += COUNT(stuck);
    unit->alive &= ~stuck;
    unit->counters[GPU_TURNS] += COUNT(unit->alive);
    memcpy(unit->state, m->outputs, kept * sizeof *unit->state);
}

static bool is_under_way(const Machine *m) {
    for (uint32_t u = 0; u < m->unit_count; u++)
        if (m->units[u].alive || m->units[u].left)
            return true;
    return false;
}

static void play_units(Machine *m) {
    for (bool first = true; is_under_way(m); first = false) {
        for (uint32_t u = 0; u < m->unit_count && (first || m->how->is_refilled); u++)
            begin_matches(m, &m->units[u]);
        for (uint32_t u = 0; u < m->unit_count && !m->how->is_refilled; u++)
            m->units[u].left = 0;
        for (uint32_t p = 0; p < m->turn->phases.count; p++) {
            draw(m, kernel_network(m->turn->by_phase[p].step));
            for (uint32_t u = 0; u < m->unit_count; u++)
                play_turn(m, &m->units[u], p);
        }
    }
}

static size_t most_values(const TurnNetworks *turn) {
    size_t most = 0;
    for (uint32_t p = 0; p < turn->phases.count; p++) {
        const LutNetwork *both[2] = {kernel_network(turn->by_phase[p].step),
                                     kernel_network(turn->by_phase[p].goals)};
        for (int i = 0; i < 2; i++)
            if (both[i]->input_count + both[i]->luts.count > most)
                most = both[i]->input_count + both[i]->luts.count;
    }
    return most + 1;
}

void gpu_reference_play(const TurnNetworks *turn, const GpuReference *reference,
                        uint32_t *counters) {
    size_t values = most_values(turn), stride = gpu_counters(turn);
    uint32_t dice = reference->threads ? reference->threads : reference->unit_count;
    uint32_t first = reference->threads ? reference->first_unit / GPU_UNITS * reference->threads
                                        : reference->first_unit;
    Machine m = {.turn = turn,
                 .how = reference,
                 .unit_count = reference->unit_count,
                 .units = memory_zalloc((reference->unit_count + 1) * sizeof *m.units),
                 .dice = memory_alloc((dice + 1) * sizeof *m.dice),
                 .values = memory_zalloc(values * sizeof *m.values),
                 .outputs = memory_zalloc((turn->max_outputs + 1) * sizeof *m.outputs),
                 .goals = memory_zalloc((turn->max_outputs + 1) * sizeof *m.goals)};
    memset(counters, 0, reference->unit_count * stride * sizeof *counters);
    for (uint32_t i = 0; i < dice; i++)
        m.dice[i] = dice_of_thread(reference->seed, first + i);
    for (uint32_t u = 0; u < reference->unit_count; u++)
        m.units[u] = (Unit){.left = reference->each,
                            .state = memory_zalloc((turn->kept.count + 1) * sizeof(uint32_t)),
                            .random = memory_zalloc(values * sizeof(uint32_t)),
                            .counters = counters + u * stride};
    play_units(&m);
    for (uint32_t u = 0; u < reference->unit_count; u++)
        memory_free(m.units[u].state, m.units[u].random);
    memory_free(m.units, m.dice, m.values, m.outputs, m.goals);
}
