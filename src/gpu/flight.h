/* Matches from given states, under way on the device while the processor does something else. A
 * flight has a stream of its own and memory on both sides, and is used again and again: set the
 * states, start, do something else, land, read the counters. */
#pragma once

#include "gpu/playouts.h"

typedef struct GpuFlight GpuFlight;

/* For so many units of GPU_UNIT_LANES matches, or fewer. NULL with an error in the report. */
GpuFlight *gpu_flight_create(GpuPlayer *player, size_t units, Report *report);
void gpu_flight_free(GpuFlight *flight);

/* All matches of a unit start in the state with these bits of the kept fluents. */
void gpu_flight_set(GpuFlight *flight, size_t unit, const uint32_t *bits);
/* Of GPU_UNITS_OF_PHASE units; the number of the first is a multiple of that. */
void gpu_flight_set_phase(GpuFlight *flight, size_t first_unit, uint32_t phase);

/* Plays the first so many units; returns at once. */
bool gpu_flight_start(GpuFlight *flight, size_t units, uint64_t seed, uint32_t step_limit,
                      Report *report);
bool gpu_flight_is_done(const GpuFlight *flight);
/* Waits for the end. */
bool gpu_flight_land(GpuFlight *flight, Report *report);
/* GPU_PLAYOUTS and so on. */
uint32_t gpu_flight_counter(const GpuFlight *flight, size_t unit, size_t counter);
