/* The GPU, for the verbs that take `--reasoner gpu`. */
#pragma once

#include "game/matches.h"
#include "gpu/playouts.h"

typedef struct {
    Gpu *gpu;
    GpuPlayer *player;
    MatchDevice device; /* for a MatchPlan */
    Report report;      /* errors that occur during play */
} Accelerator;

/* Prepares the GPU to play the game, which must have a circuit. Returns false, with the exit status
 * set and the reason on standard error, if no GPU can. Call accelerator_close either way. */
bool accelerator_open(Accelerator *accelerator, Game *game, const GpuPlayerOptions *options,
                      int *status);
/* Prints the errors that occurred since opening. Returns false, with the exit status set, if there
 * were any. */
bool accelerator_is_ok(const Accelerator *accelerator, int *status);
void accelerator_close(Accelerator *accelerator);

const char *accelerator_kernel_name(const Accelerator *accelerator);
