/* Distributes jobs to the processes of a cluster, one by one, to whichever is free. Rank 0 keeps
 * the list, receives every result and works as well, while another of its threads answers the other
 * processes. The result of a job depends only on the job, so that the results are those of a single
 * process in another order. */
#pragma once

#include "cluster/cluster.h"

typedef enum {
    FARM_NONE, /* no job is left */
    FARM_JOB,
    FARM_LATER /* no job now; there may be more when one in progress has ended */
} FarmNext;

typedef struct {
    /* Rank 0: gives the number of the next job. */
    FarmNext (*next)(void *context, uint64_t *job);
    /* Rank 0: writes a description for the process that does the job. NULL: the number suffices. */
    void (*describe)(void *context, uint64_t job, Text *order);
    /* Any rank: does the job and writes its result. False if that failed. */
    bool (*run)(void *context, uint64_t job, const Text *order, Text *result);
    /* Rank 0: a job has ended. Calls of `next`, `describe` and `done` never overlap. */
    void (*done)(void *context, uint64_t job, bool is_ok, const Text *result);
    void *context;
} Farm;

/* Returns when all jobs of all processes have ended. */
void farm_run(Cluster *cluster, const Farm *farm);
