/* A ticket lock: whoever comes takes the next number and enters when all earlier numbers have
 * entered or given up. */
#include "server/referee/search_slots.h"

#include <assert.h>

#include "base/clock.h"
#include "base/monitor.h"
#include "base/vector.h"

struct SearchSlots {
    Monitor monitor;
    size_t places, busy, waiting;
    uint64_t first;    /* number of the first ticket in line */
    VECTOR(bool) gone; /* by number - first: the ticket has entered or given up */
};

SearchSlots *slots_create(size_t places) {
    SearchSlots *slots = memory_zalloc(sizeof *slots);
    slots->places = places ? places : 1;
    monitor_init(&slots->monitor);
    return slots;
}

void slots_free(SearchSlots *slots) {
    if (!slots)
        return;
    monitor_free(&slots->monitor);
    vector_free(&slots->gone);
    free(slots);
}

/* Drops the tickets at the head of the line that have entered or given up. */
static void move_up(SearchSlots *slots) {
    size_t free = 0;
    while (free < slots->gone.count && slots->gone.items[free])
        free++;
    for (size_t i = free; i < slots->gone.count; i++)
        slots->gone.items[i - free] = slots->gone.items[i];
    slots->gone.count -= free;
    slots->first += free;
}

bool slots_enter(SearchSlots *slots, const bool *stopped) {
    if (!slots)
        return !flag_is_set(stopped);
    monitor_enter(&slots->monitor);
    uint64_t number = slots->first + slots->gone.count;
    vector_push(&slots->gone, false);
    slots->waiting++;
    while (!flag_is_set(stopped) && (slots->busy == slots->places || slots->first != number))
        monitor_wait(&slots->monitor, deadline_never());
    bool ok = !flag_is_set(stopped);
    assert(slots->waiting && number >= slots->first);
    slots->waiting--;
    slots->busy += ok;
    slots->gone.items[number - slots->first] = true;
    move_up(slots);
    monitor_announce(&slots->monitor);
    monitor_leave(&slots->monitor);
    return ok;
}

void slots_leave(SearchSlots *slots) {
    if (!slots)
        return;
    monitor_enter(&slots->monitor);
    assert(slots->busy);
    slots->busy--;
    monitor_announce(&slots->monitor);
    monitor_leave(&slots->monitor);
}

void slots_wake(SearchSlots *slots) {
    monitor_wake(&slots->monitor);
}

SlotsLoad slots_load(SearchSlots *slots) {
    monitor_enter(&slots->monitor);
    SlotsLoad load = {slots->places, slots->busy, slots->waiting};
    monitor_leave(&slots->monitor);
    return load;
}
