/* Processes that work together: the same program, started several times by `mpirun`. Every process
 * has a rank, from 0 on. Started alone, or built without MPI, a cluster is one process, and
 * everything above works the same: who is alone talks to nobody. */
#pragma once

#include <stdbool.h>

#include "base/text.h"

typedef struct Cluster Cluster;

/* Joins the processes that were started together. MPI is only woken if this process was started by
 * it. Never NULL; once in a process. */
Cluster *cluster_open(void);
/* Waits for the others, unless they may be dead: then all end here. */
void cluster_close(Cluster *cluster, bool is_well);
/* A cluster of this process alone, whatever there is; not to be closed. */
Cluster *cluster_alone(void);
unsigned cluster_rank(const Cluster *cluster);
unsigned cluster_size(const Cluster *cluster);
/* Whether there is MPI in this program. */
bool cluster_has_mpi(void);

/* All processes call it: everyone gets what everyone has, in the order of ranks; `all` has room for
 * cluster_size texts, which are replaced. */
void cluster_exchange(Cluster *cluster, const Text *mine, Text *all);

/* All processes call it: whether all is well in every one of them. */
bool cluster_agrees(Cluster *cluster, bool is_well);

/* From one process to another. Messages between two keep their order. */
void cluster_send(Cluster *cluster, unsigned to, const Text *message);
/* The next message from anyone; false if there is none yet. */
bool cluster_receive(Cluster *cluster, unsigned *from, Text *message);
