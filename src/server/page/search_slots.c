/* Tickets as in a shop: whoever comes takes the next number and is served when all before are
 * served or gone. Those who give up leave their number in a list, so that it is not waited for. */
#include "server/page/search_slots.h"

#include <pthread.h>

#include "base/vector.h"

struct Gate {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    size_t places, busy, waiting;
    uint64_t first;    /* number of the first ticket in the line */
    VECTOR(bool) gone; /* by number less `first`: nobody holds that ticket any longer */
};

Gate *gate_create(size_t places) {
    Gate *gate = memory_zalloc(sizeof *gate);
    gate->places = places ? places : 1;
    pthread_mutex_init(&gate->mutex, NULL);
    pthread_cond_init(&gate->changed, NULL);
    return gate;
}

void gate_free(Gate *gate) {
    if (!gate)
        return;
    pthread_mutex_destroy(&gate->mutex);
    pthread_cond_destroy(&gate->changed);
    vector_free(&gate->gone);
    free(gate);
}

static bool is_stopped(const bool *stopped) {
    return stopped && __atomic_load_n(stopped, __ATOMIC_RELAXED);
}

/* Drops the tickets at the head of the line that nobody holds any longer. */
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
    pthread_mutex_lock(&gate->mutex);
    uint64_t number = gate->first + gate->gone.count;
    vector_push(&gate->gone, false);
    gate->waiting++;
    while (!is_stopped(stopped) && (gate->busy == gate->places || gate->first != number))
        pthread_cond_wait(&gate->changed, &gate->mutex);
    bool well = !is_stopped(stopped);
    gate->waiting--;
    gate->busy += well;
    gate->gone.items[number - gate->first] = true;
    move_up(gate);
    pthread_cond_broadcast(&gate->changed);
    pthread_mutex_unlock(&gate->mutex);
    return well;
}

void gate_leave(Gate *gate) {
    if (!gate)
        return;
    pthread_mutex_lock(&gate->mutex);
    gate->busy--;
    pthread_cond_broadcast(&gate->changed);
    pthread_mutex_unlock(&gate->mutex);
}

void gate_wake(Gate *gate) {
    pthread_mutex_lock(&gate->mutex);
    pthread_cond_broadcast(&gate->changed);
    pthread_mutex_unlock(&gate->mutex);
}

GateLoad gate_load(Gate *gate) {
    pthread_mutex_lock(&gate->mutex);
    GateLoad load = {gate->places, gate->busy, gate->waiting};
    pthread_mutex_unlock(&gate->mutex);
    return load;
}
