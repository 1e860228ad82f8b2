/* Models of more machines than there are. Searches run on this machine, and the messages and times
 * measured in them are distributed over imaginary machines. */
#pragma once

#include "cli/studies/parallel_parts.h"

/* A tree that is distributed over machines by the keys of its positions (Graf and others 2011).
 * Positions with at least `duplicated` visits are stored on all machines (0: all positions,
 * UINT32_MAX: none). Their copies are synchronised after every `period` simulations that passed
 * through them (0: only at the end). */
typedef struct {
    uint32_t machines, duplicated;
    uint64_t period;
} DistributedTree;

/* Runs UCT from the initial state. Stores the number of simulations in `matches` and the number of
 * messages that the machines would send in `points`. */
bool model_distributed_tree(Game *game, const DistributedTree *tree, uint64_t simulations,
                            Measured *measured);

/* How the jobs of nested searches are assigned to the clients (Cazenave and Jouandeau 2009): in
 * rotation, whether the clients are busy or not; or the oldest job to the first free client. */
typedef enum { DISPATCH_ROUND_ROBIN, DISPATCH_LAST_MINUTE } Dispatch;

/* Runs as many nested searches of level 2 as there are clients, each for `seconds` seconds. Their
 * jobs are searches of level 1. Stores the summed duration of all jobs in `matches`, and the time
 * that the clients would need in `seconds`. False for games that have more than one role. */
bool model_nested(Game *game, Dispatch dispatch, unsigned clients, double seconds,
                  Measured *measured);
