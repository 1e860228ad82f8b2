/* `marelle learn selfplay`: a model that advises on moves, from matches of the search against
 * itself. */
#pragma once

#include "cli/options.h"
#include "gpu/selfplay_place.h"

typedef struct {
    const char *output;
    uint64_t matches; /* matches to play; 0: as many as --time allows */
    uint64_t hidden;  /* units per layer; 0: the default */
    bool on_gpu;
} SelfplayArguments;

/* Returns the exit status. */
int learn_by_selfplay(const Command *command, const SelfplayArguments *arguments);
