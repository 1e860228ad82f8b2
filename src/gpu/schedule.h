/* The order in which the GPU evaluates the gates of a network and draws random bits. A bit is drawn
 * at its first use, to save registers. The kernel and its reference use the same schedule, so that
 * one seed gives both the same matches. */
#pragma once

#include "circuit/lut.h"

typedef struct {
    uint32_t position; /* drawn before the gate at this place of the order, or at the end */
    uint32_t value;    /* of the network */
} GpuDraw;

typedef struct {
    uint32_t *order; /* gates */
    VECTOR(GpuDraw) draws;
} GpuSchedule;

/* Inputs from `kept` on are random bits, but for the loop variables at the end. What a loop reads
 * first is drawn before it. */
GpuSchedule gpu_schedule(const LutNetwork *network, uint32_t kept);
void gpu_schedule_free(GpuSchedule *schedule);

/* Loop variables are the last inputs. */
uint32_t gpu_loop_variables(const LutNetwork *network);
