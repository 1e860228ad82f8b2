/* A tournament played by all processes of a cluster. The first one has the database and stores what
 * the others play; every process has read the same definition. */
#pragma once

#include "cluster/cluster.h"
#include "server/tournament/tournament.h"

/* In the first process like tournament_play. The others need no store and no jobs, and their return
 * value has no meaning. Every process plays one match at a time. */
TournamentEnd cluster_tournament(Cluster *cluster, const TournamentSetup *setup, Jobs *jobs,
                                 Report *report);
