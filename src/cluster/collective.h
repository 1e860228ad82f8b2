/* Random matches and searches by all processes of a cluster together. In a search each process has
 * a tree of its own. All processes receive the sums at the end. */
#pragma once

#include "cluster/cluster.h"
#include "game/matches.h"
#include "search/search.h"

/* Like matches_play. Each thread of each process has a random stream of its own, so that the
 * matches are those of one process with as many threads. */
void cluster_play_matches(Cluster *cluster, const MatchPlan *plan, MatchStatistics *matches);

/* Runs a search whose position is set, in every process with its own seed (cluster_seed). The
 * processes add up the statistics of their roots `merges` times and stop when the root is proven.
 * All processes receive the same result. */
void cluster_search(Cluster *cluster, Search *search, const SearchBudget *budget, unsigned merges,
                    SearchResult *result);
/* Measures messages: for so many seconds every other process sends messages of so many bytes to the
 * first one, which returns them. Returns the number of round trips and the seconds taken. */
uint64_t cluster_ping(Cluster *cluster, size_t bytes, double seconds, double *taken);

/* A seed for this process; rank 0 uses the seed itself. */
uint64_t cluster_seed(const Cluster *cluster, uint64_t seed);
