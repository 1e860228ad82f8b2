/* The order in which the GPU evaluates the gates of a network and draws random bits. A bit is drawn
 * at its first use, to save registers. The kernel and its reference use the same schedule, so that
 * one seed gives both the same matches. */
#pragma once

#include "circuit/lut.h"

typedef struct {
    uint32_t position; /* the value is drawn before the gate at this position, or at the end */
    uint32_t value;    /* an input of the network */
} GpuDraw;

typedef struct {
    uint32_t *order; /* all gates in order of evaluation */
    VECTOR(GpuDraw) draws;
} GpuSchedule;

/* Inputs from number `kept` on are random bits, except for the loop variables at the end. A bit
 * that is first read inside a loop is drawn before the loop. */
GpuSchedule gpu_schedule(const LutNetwork *network, uint32_t kept);
void gpu_schedule_free(GpuSchedule *schedule);

/* The number of loop variables of a network. They are its last inputs. */
uint32_t gpu_loop_variables(const LutNetwork *network);
