/* Measures processes from outside: mpirun starts this program several times, and the output of
 * `bench` is read. All other measurements run in this process. */
#include "cli/studies/parallel_parts.h"

#include <jansson.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/pool.h"
#include "cluster/cluster.h"
#include "game/sliced.h"

/* ---- processes ---- */

static const char mpirun[] = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun "
                             "--oversubscribe";

/* Starts a process as a test, because an installed mpirun may not be allowed to start any. */
bool parallel_has_mpirun(void) {
    Text command = {0};
    if (!cluster_has_mpi() || getenv("OMPI_COMM_WORLD_SIZE"))
        return false;
    text_printf(&command, "%s -n 2 true >/dev/null 2>&1", mpirun);
    FILE *pipe = popen(command.items, "r");
    vector_free(&command);
    return pipe && pclose(pipe) == 0;
}

/* Returns the JSON that the processes print; NULL if there is none. */
static json_t *run_ranks(const char *game, unsigned ranks, const char *options) {
    char self[4000];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    Text command = {0};
    if (length <= 0)
        return NULL;
    self[length] = '\0';
    text_printf(&command, "%s -n %u '%s' bench '%s' --json --quiet %s 2>/dev/null", mpirun, ranks,
                self, game, options);
    FILE *pipe = popen(command.items, "r");
    json_t *answer = pipe ? json_loadf(pipe, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
    if (pipe)
        pclose(pipe);
    vector_free(&command);
    return answer;
}

static double number_of(const json_t *answer, const char *key) {
    return json_number_value(json_object_get(answer, key));
}

bool parallel_measure_ranks(const char *game, unsigned ranks, double seconds, Measured *measured) {
    char options[100];
    snprintf(options, sizeof options, "--seconds %g", seconds);
    json_t *answer = run_ranks(game, ranks, options);
    *measured = (Measured){.matches = number_of(answer, "playouts"), .seconds = seconds};
    json_decref(answer);
    return measured->matches > 0;
}

bool parallel_measure_messages(const char *game, unsigned ranks, unsigned bytes, double seconds,
                               Measured *measured) {
    char options[100];
    snprintf(options, sizeof options, "--messages %u --seconds %g", bytes, seconds);
    json_t *answer = run_ranks(game, ranks, options);
    *measured = (Measured){.matches = number_of(answer, "messages"),
                           .seconds = number_of(answer, "seconds")};
    json_decref(answer);
    return measured->matches > 0;
}

/* ---- threads ---- */

enum { ROUND_PLAYOUTS = 512 /* playouts per thread and round: one per lane */ };

typedef struct {
    const TurnNetworks *turn;
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

void parallel_measure_rounds(Game *game, ThreadCare care, unsigned threads, double seconds,
                             Measured *measured) {
    Rounds r = {.turn = game_turn_networks(game),
                .sliced = memory_zalloc(threads * sizeof *r.sliced),
                .counts = memory_zalloc(threads * sizeof *r.counts)};
    int *values = game_goal_values(game);
    for (unsigned t = 0; t < threads; t++) {
        r.sliced[t] = sliced_create(r.turn, t + 1);
        r.counts[t].goal_values = values;
        r.counts[t].goal_counts =
            memory_zalloc((r.turn->circuit->goals.count + 1) * sizeof(uint64_t));
        r.counts[t].several = memory_zalloc((game->role_count + 1) * sizeof(uint64_t));
    }
    double started = clock_wall_seconds();
    Deadline deadline = deadline_in(seconds);
    uint64_t rounds = care == THREADS_SPIN
                          ? repeat_spinning(&r, threads, deadline)
                          : repeat_with_pool(&r, care == THREADS_KEPT, threads, deadline);
    *measured = (Measured){.matches = (double)rounds * threads * ROUND_PLAYOUTS,
                           .seconds = clock_wall_seconds() - started};
    for (unsigned t = 0; t < threads; t++) {
        sliced_free(r.sliced[t]);
        memory_free(r.counts[t].goal_counts, r.counts[t].several);
    }
    free(values);
    free(r.sliced);
    free(r.counts);
}

/* ---- leaves ---- */

bool parallel_measure_leaves(Game *game, const LeafDevice *device, uint32_t states, double seconds,
                             Measured *measured) {
    LeafOptions options = {
        .batches = 1, .states = states, .playouts = device->lanes, .step_limit = 10000};
    Report report = {0};
    LeafPlayer *player = device->open(device->context, game, &options, &report);
    GameWork *work = game_work_create(game, REASONER_AUTO);
    State initial = {0};
    const State **starts = memory_zalloc(states * sizeof *starts);
    LeafSums *sums = memory_zalloc(states * sizeof *sums);
    game_initial(work, &initial);
    for (uint32_t i = 0; i < states; i++) {
        starts[i] = &initial;
        sums[i].goals = memory_zalloc((game->role_count + 1) * sizeof(double));
    }
    double started = clock_wall_seconds();
    Deadline deadline = deadline_in(seconds);
    bool ok = player != NULL;
    for (*measured = (Measured){0}; ok && !deadline_passed(deadline);
         measured->matches += (double)states * device->lanes)
        ok = device->start(player, 0, starts, states) && device->finish(player, 0, sums);
    measured->seconds = clock_wall_seconds() - started;
    for (uint32_t i = 0; i < states; i++)
        free(sums[i].goals);
    free(sums);
    free(starts);
    state_free(&initial);
    game_work_free(work);
    if (player)
        device->close(player);
    report_free(&report);
    return ok;
}

/* ---- strength ---- */

typedef struct {
    const DuelSetup *setup;
    double *points; /* by match: points of the first side; NaN if it could not be played */
} Strength;

static void play_match(void *context, size_t number, unsigned worker) {
    const Strength *s = context;
    DuelOutcome outcome;
    Report report = {0};
    (void)worker;
    s->points[number] = NAN;
    if (duel_play(s->setup, number, &outcome, &report))
        s->points[number] = outcome.goals[0] > outcome.goals[1]    ? 1
                            : outcome.goals[0] == outcome.goals[1] ? 0.5
                                                                   : 0;
    report_free(&report);
}

bool parallel_measure_strength(const DuelSetup *setup, unsigned matches, unsigned at_a_time,
                               Measured *measured) {
    Strength s = {setup, memory_zalloc((matches + 1) * sizeof *s.points)};
    Pool *pool = pool_create(at_a_time);
    double started = clock_wall_seconds();
    pool_run(pool, matches, play_match, &s);
    *measured = (Measured){.matches = matches, .seconds = clock_wall_seconds() - started};
    for (unsigned i = 0; i < matches; i++)
        measured->points += s.points[i];
    pool_free(pool);
    free(s.points);
    return !isnan(measured->points);
}
