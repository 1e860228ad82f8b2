/* A flight queues one copy to the device, one launch and one copy back in its stream. The phases
 * are stored before the states, so that one copy takes both. */
#include "gpu/flight.h"

#include <assert.h>

struct GpuFlight {
    GpuPlayer *player;
    Gpu *gpu;
    GpuStream *stream;
    size_t units;      /* capacity */
    size_t words;      /* words per start state */
    size_t counters;   /* counters per unit */
    uint32_t *phases;  /* memory that the device copies from: phases, then states */
    uint32_t *starts;  /* word w of unit u at starts[w * units + u] */
    uint32_t *results; /* counter c of unit u at results[c * units + u] */
    GpuAddress phases_there, results_there;
};

enum { UNITS_PER_BLOCK = 128 /* most units of a block in any kernel */ };

static size_t phase_count(const GpuFlight *f) {
    return f->units / GPU_UNITS_PER_PHASE;
}

static size_t start_bytes(const GpuFlight *f) {
    return (phase_count(f) + f->words * f->units) * sizeof(uint32_t);
}

static size_t result_bytes(const GpuFlight *f) {
    return f->counters * f->units * sizeof(uint32_t);
}

GpuFlight *gpu_flight_create(GpuPlayer *player, size_t units, Report *report) {
    GpuFlight *f = memory_zalloc(sizeof *f);
    f->player = player;
    f->gpu = gpu_player_gpu(player);
    f->units = (units + UNITS_PER_BLOCK - 1) / UNITS_PER_BLOCK * UNITS_PER_BLOCK;
    f->words = gpu_start_words(gpu_player_turn(player));
    f->counters = gpu_counters(gpu_player_turn(player));
    f->stream = gpu_stream_create(f->gpu, report);
    f->phases = f->stream ? gpu_host_alloc(f->gpu, start_bytes(f), report) : NULL;
    f->results = f->phases ? gpu_host_alloc(f->gpu, result_bytes(f), report) : NULL;
    f->phases_there = f->results ? gpu_alloc(f->gpu, start_bytes(f), report) : 0;
    f->results_there = f->phases_there ? gpu_alloc(f->gpu, result_bytes(f), report) : 0;
    if (!f->results_there) {
        gpu_flight_free(f);
        return NULL;
    }
    f->starts = f->phases + phase_count(f);
    return f;
}

void gpu_flight_free(GpuFlight *f) {
    if (!f)
        return;
    gpu_stream_free(f->gpu, f->stream);
    gpu_host_free(f->gpu, f->phases);
    gpu_host_free(f->gpu, f->results);
    gpu_free(f->gpu, f->phases_there);
    gpu_free(f->gpu, f->results_there);
    free(f);
}

void gpu_flight_set(GpuFlight *f, size_t unit, const uint32_t *bits) {
    assert(unit < f->units);
    for (size_t w = 0; w < f->words; w++)
        f->starts[w * f->units + unit] = bits[w];
}

void gpu_flight_set_phase(GpuFlight *f, size_t first_unit, uint32_t phase) {
    assert(first_unit < f->units && first_unit % GPU_UNITS_PER_PHASE == 0);
    f->phases[first_unit / GPU_UNITS_PER_PHASE] = phase;
}

bool gpu_flight_start(GpuFlight *f, size_t units, uint64_t seed, uint32_t step_limit,
                      Report *report) {
    assert(units <= f->units);
    GpuPlay play = {.seed = seed,
                    .starts = f->phases_there + phase_count(f) * sizeof(uint32_t),
                    .results = f->results_there,
                    .phases = f->phases_there,
                    .units = (uint32_t)units,
                    .stride = (uint32_t)f->units,
                    .each = GPU_UNIT_LANES,
                    .step_limit = step_limit};
    return !units || (gpu_stream_write(f->gpu, f->stream, f->phases_there, f->phases,
                                       start_bytes(f), report) &&
                      gpu_player_launch(f->player, &play, f->stream, report) &&
                      gpu_stream_read(f->gpu, f->stream, f->results, f->results_there,
                                      result_bytes(f), report));
}

bool gpu_flight_is_done(const GpuFlight *f) {
    return gpu_stream_is_done(f->gpu, f->stream);
}

bool gpu_flight_land(GpuFlight *f, Report *report) {
    return gpu_stream_wait(f->gpu, f->stream, report);
}

uint32_t gpu_flight_counter(const GpuFlight *f, size_t unit, size_t counter) {
    assert(unit < f->units && counter < f->counters);
    return f->results[counter * f->units + unit];
}
