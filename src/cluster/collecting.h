/* A data set played by all processes of a cluster. Every match has its own random numbers, so the
 * set is the one that a single process would play. */
#pragma once

#include "cluster/cluster.h"
#include "cluster/joblog.h"
#include "learn/data/collect.h"

/* Like `collect`. The first process passes the log, with the results of finished jobs, and receives
 * the set; the others pass NULL and receive NULL. */
DataSet *cluster_collect(Cluster *cluster, Game *game, const CollectOptions *options, Pool *pool,
                         JobLog *log, Report *report);
