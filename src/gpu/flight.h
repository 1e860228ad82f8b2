/* Matches from given states, played by the device while the processor does other work. A flight has
 * a stream of its own and memory on both sides. It is reusable: set the states, start, do other
 * work, land, read the counters. */
#pragma once

#include "gpu/playouts.h"

typedef struct GpuFlight GpuFlight;

/* A flight for at most so many units of GPU_UNIT_LANES matches. NULL with a reported error. */
GpuFlight *gpu_flight_create(GpuPlayer *player, size_t units, Report *report);
void gpu_flight_free(GpuFlight *flight);

/* Sets the start state of all matches of a unit: the bits of the kept fluents. */
void gpu_flight_set(GpuFlight *flight, size_t unit, const uint32_t *bits);
/* Sets the phase of GPU_UNITS_PER_PHASE units; the first one is a multiple of that number. */
void gpu_flight_set_phase(GpuFlight *flight, size_t first_unit, uint32_t phase);

/* Starts to play the first `units` units and returns at once. */
bool gpu_flight_start(GpuFlight *flight, size_t units, uint64_t seed, uint32_t step_limit,
                      Report *report);
bool gpu_flight_is_done(const GpuFlight *flight);
/* Waits until all matches have ended. False with an error in the report if the device failed. */
bool gpu_flight_land(GpuFlight *flight, Report *report);
/* A counter of a unit after landing; its index is GPU_PLAYOUTS or another of playouts.h. */
uint32_t gpu_flight_counter(const GpuFlight *flight, size_t unit, size_t counter);
