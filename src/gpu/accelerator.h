/* A GPU as the device that plays the random matches of a plan (game/matches.h). */
#pragma once

#include "game/matches.h"
#include "gpu/playouts.h"

typedef struct {
    Gpu *gpu;
    GpuPlayer *player;
    MatchDevice device; /* for a MatchPlan */
    Report report;      /* errors of opening, and those that occur during play */
} Accelerator;

/* Prepares the GPU to play the game, which must have a circuit. False, with the reason in the
 * report, if no GPU can. Call accelerator_close either way. */
bool accelerator_open(Accelerator *accelerator, Game *game, const GpuPlayerOptions *options);
/* What went wrong since opening; NULL if nothing did. */
const char *accelerator_problem(const Accelerator *accelerator);
void accelerator_close(Accelerator *accelerator);
const char *accelerator_kernel_name(const Accelerator *accelerator);
