/* The GPU, for the verbs that take `--reasoner gpu`. */
#pragma once

#include "game/matches.h"
#include "gpu/playouts.h"

typedef struct {
    Gpu *gpu;
    GpuPlayer *player;
    MatchDevice device; /* for a MatchPlan */
    Report report;      /* of what goes wrong while it plays */
} Accelerator;

/* Ready to play the game, which must have a circuit. False with the exit status after telling why
 * there is no GPU for it. Close it either way. */
bool accelerator_open(Accelerator *accelerator, Game *game, const GpuPlayerOptions *options,
                      int *status);
/* Tells what went wrong since; false with the exit status if anything did. */
bool accelerator_is_well(const Accelerator *accelerator, int *status);
void accelerator_close(Accelerator *accelerator);

const char *accelerator_kernel_name(const Accelerator *accelerator);
