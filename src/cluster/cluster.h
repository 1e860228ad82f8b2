/* Several processes of the same program, started by `mpirun`, that work together. Each process has
 * a rank, counted from 0. A program that is started alone or built without MPI is a cluster of one
 * process. */
#pragma once

#include <stdbool.h>

#include "base/text.h"

typedef struct Cluster Cluster;

/* Joins the processes that were started together. MPI is initialised only if it started this
 * process. Never NULL. Call it once per process. */
Cluster *cluster_open(void);
/* Waits for the other processes. If not `is_ok`, aborts all of them. */
void cluster_close(Cluster *cluster, bool is_ok);
/* A cluster of only this process, even under MPI; it must not be closed. */
Cluster *cluster_alone(void);
unsigned cluster_rank(const Cluster *cluster);
unsigned cluster_size(const Cluster *cluster);
/* True if the program was built with MPI. */
bool cluster_has_mpi(void);

/* Called by all processes: each receives the texts of all, in order of ranks. `all` has room for
 * cluster_size texts, which are replaced. */
void cluster_exchange(Cluster *cluster, const Text *mine, Text *all);

/* Called by all processes: true if `is_ok` is true in all of them. */
bool cluster_agrees(Cluster *cluster, bool is_ok);

/* Sends a message to one process. Messages between two processes keep their order. */
void cluster_send(Cluster *cluster, unsigned to, const Text *message);
/* Receives the next message from any process; false if there is none yet. */
bool cluster_receive(Cluster *cluster, unsigned *from, Text *message);
/* Sleeps a moment between two attempts to receive. */
void cluster_rest(void);
