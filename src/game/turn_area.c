#include "game/turn_area.h"

#include <assert.h>

/* Gates of the goals per kept fluent from which on keeping states is cheaper, and phases for which
 * states are kept at most: each has its own network and its own rows (untuned). */
enum { GATES_PER_ROW = 8, MAX_PHASES = 8 };

static FinalStates final_states_create(const TurnNetworks *turn) {
    FinalStates f = {.rows = turn->kept.count, .phases = turn->phases.count};
    size_t gates = 0;
    assert(f.phases > 0);
    for (uint32_t p = 0; p < f.phases; p++)
        gates += kernel_network(turn->by_phase[p].goals)->luts.count;
    if (f.phases > MAX_PHASES || gates / f.phases < GATES_PER_ROW * f.rows) {
        f.phases = 0;
        return f;
    }
    f.states = lanes_alloc(f.phases * f.rows);
    f.waiting = memory_zalloc(f.phases * sizeof *f.waiting);
    return f;
}

TurnArea turn_area_create(const TurnNetworks *turn) {
    uint32_t rows = turn->max_inputs > turn->max_outputs ? turn->max_inputs : turn->max_outputs;
    return (TurnArea){.turn = turn,
                      .state = lanes_alloc(rows),
                      .other = lanes_alloc(rows),
                      .goals = lanes_alloc(turn->max_outputs),
                      .scratch = lanes_alloc(turn->scratch_lanes),
                      .finals = final_states_create(turn)};
}

void turn_area_free(TurnArea *area) {
    memory_free(area->state, area->other, area->goals, area->scratch, area->finals.states,
                area->finals.waiting);
}
