/* Gates are ordered by order_gates. A random bit is drawn before the first gate that reads it. */
#include "gpu/schedule.h"

#include <assert.h>

#include "circuit/order.h"

uint32_t gpu_loop_variables(const LutNetwork *network) {
    uint32_t count = 0;
    for (size_t i = 0; i < network->loops.count; i++)
        count += (uint32_t)network->loops.items[i].variables.count;
    return count;
}

typedef struct {
    uint32_t *place; /* by input: position of its draw */
    uint32_t first_random, end_random;
} Uses;

static void ask_for(Uses *uses, uint32_t value, uint32_t place) {
    if (value >= uses->first_random && value < uses->end_random && place < uses->place[value])
        uses->place[value] = place;
}

static void ask_for_operands(Uses *uses, const LutNetwork *network, uint32_t gate, uint32_t place) {
    const Lut *lut = &network->luts.items[gate];
    ask_for(uses, lut->a, place);
    ask_for(uses, lut->b, place);
    ask_for(uses, lut->c, place);
}

static int compare_draws(const void *a, const void *b) {
    const GpuDraw *x = a, *y = b;
    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

GpuSchedule gpu_schedule(const LutNetwork *network, uint32_t kept) {
    assert(kept + gpu_loop_variables(network) <= network->input_count);
    GpuSchedule schedule = {.order = order_gates(network)};
    Uses uses = {.place = memory_alloc((network->input_count + 1) * sizeof *uses.place),
                 .first_random = 1 + kept,
                 .end_random = 1 + network->input_count - gpu_loop_variables(network)};
    for (uint32_t v = 0; v <= network->input_count; v++)
        uses.place[v] = UINT32_MAX;
    for (uint32_t place = 0; place < network->luts.count; place++)
        ask_for_operands(&uses, network, schedule.order[place], place);
    for (size_t i = 0; i < network->loops.count; i++) {
        const LutLoop *loop = &network->loops.items[i];
        for (uint32_t place = loop->first; place < loop->end; place++)
            ask_for_operands(&uses, network, schedule.order[place], loop->first);
        for (size_t k = 0; k < loop->updates.count; k++)
            ask_for(&uses, loop->updates.items[k], loop->first);
    }
    for (size_t i = 0; i < network->outputs.count; i++)
        ask_for(&uses, network->outputs.items[i], (uint32_t)network->luts.count);
    for (uint32_t v = uses.first_random; v < uses.end_random; v++)
        if (uses.place[v] != UINT32_MAX)
            vector_push(&schedule.draws, ((GpuDraw){uses.place[v], v}));
    vector_sort(&schedule.draws, compare_draws);
    free(uses.place);
    return schedule;
}

void gpu_schedule_free(GpuSchedule *schedule) {
    free(schedule->order);
    vector_free(&schedule->draws);
}
