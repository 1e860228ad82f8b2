/* A ticket lock: whoever comes takes the next number and enters when all earlier numbers have
 * entered or given up. */
#include "server/page/search_slots.h"

#include <assert.h>

#include "base/monitor.h"
#include "base/vector.h"

struct Gate {
    Monitor monitor;
    size_t places, busy, waiting;
    uint64_t first;    /* number of the first ticket in line */
    VECTOR(bool) gone; /* by number - first: the ticket has entered or given up */
};

Gate *gate_create(size_t places) {
    Gate *gate = memory_zalloc(sizeof *gate);
    gate->places = places ? places : 1;
    monitor_init(&gate->monitor);
    return gate;
}

void gate_free(Gate *gate) {
    if (!gate)
        return;
    monitor_destroy(&gate->monitor);
    vector_free(&gate->gone);
    free(gate);
}

static bool is_stopped(const bool *stopped) {
    return stopped && __atomic_load_n(stopped, __ATOMIC_RELAXED);
}

/* Drops the tickets at the head of the line that have entered or given up. */
static void move_up(Gate *gate) {
    size_t free = 0;
    while (free < gate->gone.count && gate->gone.items[free])
        free++;
    for (size_t i = free; i < gate->gone.count; i++)
        gate->gone.items[i - free] = gate->gone.items[i];
    gate->gone.count -= free;
    gate->first += free;
}

bool gate_enter(Gate *gate, const bool *stopped) {
    if (!gate)
        return !is_stopped(stopped);
    monitor_enter(&gate->monitor);
    uint64_t number = gate->first + gate->gone.count;
    vector_push(&gate->gone, false);
    gate->waiting++;
    while (!is_stopped(stopped) && (gate->busy == gate->places || gate->first != number))
        monitor_wait(&gate->monitor, deadline_never());
    bool well = !is_stopped(stopped);
    assert(gate->waiting && number >= gate->first);
    gate->waiting--;
    gate->busy += well;
    gate->gone.items[number - gate->first] = true;
    move_up(gate);
    monitor_announce(&gate->monitor);
    monitor_leave(&gate->monitor);
    return well;
}

void gate_leave(Gate *gate) {
    if (!gate)
        return;
    monitor_enter(&gate->monitor);
    assert(gate->busy);
    gate->busy--;
    monitor_announce(&gate->monitor);
    monitor_leave(&gate->monitor);
}

void gate_wake(Gate *gate) {
    monitor_wake(&gate->monitor);
}

GateLoad gate_load(Gate *gate) {
    monitor_enter(&gate->monitor);
    GateLoad load = {gate->places, gate->busy, gate->waiting};
    monitor_leave(&gate->monitor);
    return load;
}
