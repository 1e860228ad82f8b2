/* A tournament played by all processes of a cluster. The first one has the database and stores what
 * the others play; every process has read the same definition. */
#pragma once

#include "cluster/cluster.h"
#include "server/tournament/tournament.h"

/* Like tournament_play in the first process. The others need no store, and get no jobs; their end
 * means nothing. Every process plays one match at a time. */
TournamentEnd cluster_tournament(Cluster *cluster, const TournamentSetup *setup, Jobs *jobs,
                                 Report *report);
