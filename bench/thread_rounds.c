/* Rounds in which every thread plays a few random matches and all wait for the last one, as a
 * search that spreads its leaves over threads would do:
 *
 *     build/tests/thread_rounds GAME.kif kept|spinning|restarted THREADS SECONDS
 *
 * Threads are kept and sleep between rounds, are kept and spin, or are created anew for each round.
 * Prints matches and wall-clock seconds as JSON; the study `parallel` reads it. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/pool.h"
#include "game/game.h"
#include "game/sliced.h"
#include "gdl/rules.h"

enum { ROUND_PLAYOUTS = 512 /* playouts per thread and round: one per lane */ };

typedef struct {
    Sliced **sliced; /* by thread */
    PlayoutCounts *counts;
    atomic_uint round, arrived; /* counters for threads that wait by spinning */
    atomic_bool is_over;
} Rounds;

static void play_round(void *context, size_t job, unsigned worker) {
    const Rounds *r = context;
    (void)worker;
    sliced_play(r->sliced[job],
                &(PlayoutBudget){.playouts = ROUND_PLAYOUTS, .deadline = deadline_never()},
                &r->counts[job]);
}

typedef struct {
    Rounds *rounds;
    Deadline deadline;
    unsigned threads;
    uint64_t played; /* rounds */
} Spinning;

/* Starts rounds until the deadline and takes part in them. */
static void lead(Spinning *s) {
    Rounds *r = s->rounds;
    for (; !deadline_passed(s->deadline); s->played++) {
        atomic_store(&r->arrived, 0);
        atomic_fetch_add(&r->round, 1);
        play_round(r, 0, 0);
        while (atomic_load(&r->arrived) + 1 < s->threads)
            ;
    }
    atomic_store(&r->is_over, true);
}

/* Job 0 leads, the others spin until the next round. */
static void spin(void *context, size_t job, unsigned worker) {
    Spinning *s = context;
    Rounds *r = s->rounds;
    unsigned seen = 0;
    if (job == 0)
        lead(s);
    while (job) {
        unsigned round;
        while ((round = atomic_load(&r->round)) == seen && !atomic_load(&r->is_over))
            ;
        if (round == seen)
            return;
        seen = round;
        play_round(r, job, worker);
        atomic_fetch_add(&r->arrived, 1);
    }
}

static uint64_t repeat_spinning(Rounds *r, unsigned threads, Deadline deadline) {
    Spinning spinning = {r, deadline, threads, 0};
    Pool *pool = pool_create(threads);
    pool_run(pool, threads, spin, &spinning);
    pool_free(pool);
    return spinning.played;
}

static uint64_t repeat_with_pool(Rounds *r, bool is_kept, unsigned threads, Deadline deadline) {
    Pool *kept = is_kept ? pool_create(threads) : NULL;
    uint64_t rounds = 0;
    for (; !deadline_passed(deadline); rounds++) {
        Pool *pool = is_kept ? kept : pool_create(threads);
        pool_run(pool, threads, play_round, r);
        if (!is_kept)
            pool_free(pool);
    }
    pool_free(kept);
    return rounds;
}

static void measure(Game *game, const char *care, unsigned threads, double seconds) {
    const TurnNetworks *turn = game_turn_networks(game);
    Rounds r = {.sliced = memory_zalloc(threads * sizeof *r.sliced),
                .counts = memory_zalloc(threads * sizeof *r.counts)};
    int *values = game_goal_values(game);
    for (unsigned t = 0; t < threads; t++) {
        r.sliced[t] = sliced_create(turn, t + 1);
        r.counts[t].goal_values = values;
        r.counts[t].goal_counts =
            memory_zalloc((turn->circuit->goals.count + 1) * sizeof(uint64_t));
        r.counts[t].several = memory_zalloc((game->role_count + 1) * sizeof(uint64_t));
    }
    double started = clock_wall_seconds();
    Deadline deadline = deadline_in(seconds);
    uint64_t rounds = strcmp(care, "spinning") == 0
                          ? repeat_spinning(&r, threads, deadline)
                          : repeat_with_pool(&r, strcmp(care, "kept") == 0, threads, deadline);
    printf("{\"matches\": %lu, \"seconds\": %.6f}\n",
           (unsigned long)(rounds * threads * ROUND_PLAYOUTS), clock_wall_seconds() - started);
    for (unsigned t = 0; t < threads; t++) {
        sliced_free(r.sliced[t]);
        memory_free(r.counts[t].goal_counts, r.counts[t].several);
    }
    free(values);
    free(r.sliced);
    free(r.counts);
}

int main(int count, char **words) {
    Report report = {0};
    unsigned threads = count == 5 ? (unsigned)atoi(words[3]) : 0;
    double seconds = count == 5 ? atof(words[4]) : 0;
    if (threads < 1 || threads > 1024 || !(seconds > 0)) {
        fputs("usage: thread_rounds GAME.kif kept|spinning|restarted THREADS SECONDS\n", stderr);
        return 2;
    }
    Game *game = game_open(words[1], NULL, &report);
    bool is_fit = game && game_has_circuit(game);
    if (is_fit)
        measure(game, words[2], threads, seconds);
    else
        fprintf(stderr, "%s: %s\n", words[1],
                game ? game->why_interpreted : report.items.items[0].message);
    game_free(game);
    report_free(&report);
    return is_fit ? 0 : 1;
}
