/* What one process does, done by all of them: random matches, and a search with a tree in each. The
 * sums are everyone's at the end. */
#pragma once

#include "cluster/cluster.h"
#include "game/matches.h"
#include "search/search.h"

/* Like matches_play. The threads of all processes have streams of their own, so that it plays what
 * one process with as many threads plays, match for match. */
void cluster_play_matches(Cluster *cluster, const MatchPlan *plan, Matches *matches);

/* Runs a search that has been told its position: in every process a tree from its own seed
 * (cluster_seed). So many times on the way, the processes add up what their roots know, and stop
 * when one has proven the root. The result is that of all. */
void cluster_search(Cluster *cluster, Search *search, const SearchBudget *budget, unsigned merges,
                    SearchResult *result);
/* For so long every other process sends a message of so many bytes to the first one, which sends it
 * back, again and again. How many went both ways, and the seconds it took, in every process. */
uint64_t cluster_ping(Cluster *cluster, size_t bytes, double seconds, double *taken);

/* A seed for this process; that of rank 0 is the seed itself. */
uint64_t cluster_seed(const Cluster *cluster, uint64_t seed);
