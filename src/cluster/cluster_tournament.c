/* Plays a tournament over a cluster: each match is a job of a farm. */
#include "cluster/cluster_tournament.h"

#include "cluster/farm.h"

typedef struct {
    const TournamentSetup *setup;
    Tournament *tournament; /* in the first process; NULL in the others */
} Cup;

static FarmNext next(void *context, uint64_t *job) {
    static const FarmNext farm[] = {[TOURNAMENT_NOTHING] = FARM_NONE,
                                    [TOURNAMENT_MATCH] = FARM_JOB,
                                    [TOURNAMENT_LATER] = FARM_LATER};
    return farm[tournament_take(((Cup *)context)->tournament, job)];
}

static void describe(void *context, uint64_t job, Text *order) {
    tournament_order(((Cup *)context)->tournament, job, order);
}

static bool run(void *context, uint64_t job, const Text *order, Text *result) {
    (void)job;
    return tournament_play_order(((Cup *)context)->setup, order, result);
}

static void done(void *context, uint64_t job, bool is_ok, const Text *result) {
    tournament_hand_in(((Cup *)context)->tournament, job, is_ok, result);
}

TournamentEnd cluster_tournament(Cluster *cluster, const TournamentSetup *setup, Jobs *jobs,
                                 Report *report) {
    if (cluster_size(cluster) == 1)
        return tournament_play(setup, jobs, report);
    Cup cup = {.setup = setup};
    if (cluster_rank(cluster) == 0)
        cup.tournament = tournament_open(setup, jobs, report);
    farm_run(cluster, &(Farm){next, describe, run, done, &cup});
    return cup.tournament ? tournament_close(cup.tournament) : TOURNAMENT_OVER;
}
