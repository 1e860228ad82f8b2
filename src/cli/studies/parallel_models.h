/* What more machines than there are would do: searches are run here, and what is counted or timed
 * in them is dealt out to machines that are only imagined. */
#pragma once

#include "cli/studies/parallel_parts.h"

/* A tree that is distributed over machines by the keys of its positions (Graf and others 2011).
 * Positions with `duplicated` visits or more are kept by all machines (0: all positions,
 * UINT32_MAX: none), and those are made equal after every `period` simulations that passed through
 * them (0: never, only at the end). */
typedef struct {
    uint32_t machines, duplicated;
    uint64_t period;
} DistributedTree;

/* Simulations of UCT from the initial state, `matches` of them, and the messages that the machines
 * would send as `points`. */
bool model_distributed_tree(Game *game, const DistributedTree *tree, uint64_t simulations,
                            Measured *measured);

/* Who hands the jobs of nested searches to the clients (Cazenave and Jouandeau 2009): in turn,
 * whether they are busy or not, or the oldest job to the first that is free. */
typedef enum { DISPATCH_ROUND_ROBIN, DISPATCH_LAST_MINUTE } Dispatch;

/* Nested searches of level 2, as many as clients and each for so many seconds, whose jobs are
 * searches of level 1: how long these take in all as `matches`, and as `seconds` how long that
 * lasts on the clients. False for games that are not for one. */
bool model_nested(Game *game, Dispatch dispatch, unsigned clients, double seconds,
                  Measured *measured);
