/* A tournament played by all processes of a cluster. Every process reads the same definition. The
 * first one owns the database and stores the matches that all of them play. */
#pragma once

#include "cluster/cluster.h"
#include "server/tournament/tournament.h"

/* In the first process like tournament_play. The others need no store and no jobs, and their return
 * value has no meaning. Every process plays one match at a time. */
TournamentEnd cluster_tournament(Cluster *cluster, const TournamentSetup *setup, Jobs *jobs,
                                 Report *report);
