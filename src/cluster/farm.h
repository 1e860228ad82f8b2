/* Jobs that any process can do, dealt out one by one to whoever is free. Rank 0 keeps the list and
 * hears of every result, and works as well: a thread of its own answers the others meanwhile. What
 * a job yields depends on the job alone, so that the results are those of one process, in another
 * order. */
#pragma once

#include "cluster/cluster.h"

typedef enum {
    FARM_NONE, /* is left */
    FARM_JOB,
    FARM_LATER /* when one that is under way is over, there may be more */
} FarmNext;

typedef struct {
    /* Rank 0: the number of a job that is to be done next. */
    FarmNext (*next)(void *context, uint64_t *job);
    /* Rank 0: what whoever does it has to know. NULL: the number says it all. */
    void (*describe)(void *context, uint64_t job, Text *order);
    /* Any rank: does it, and writes what comes out. False: it could not be done. */
    bool (*run)(void *context, uint64_t job, const Text *order, Text *result);
    /* Rank 0: a job is over. Never called while `next`, `describe` or itself is. */
    void (*done)(void *context, uint64_t job, bool is_well, const Text *result);
    void *context;
} Farm;

/* Returns when no job is left anywhere. */
void farm_run(Cluster *cluster, const Farm *farm);
