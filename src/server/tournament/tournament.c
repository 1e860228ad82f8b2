/* Each worker takes the first planned match whose players are free; a player on the network is in
 * one match at a time. When all are played, the next worker plans the next round in one
 * transaction. */
#include "server/tournament/tournament.h"

#include <assert.h>

#include "base/clock.h"
#include "base/monitor.h"
#include "base/packet.h"
#include "base/pool.h"
#include "server/referee/client.h"
#include "server/referee/wire.h"

enum { MAX_TOTAL = 1000000 }; /* matches of a tournament, at most (untuned) */

struct Tournament {
    const TournamentSetup *setup;
    const Definition *definition;
    int64_t id;
    Jobs *jobs;
    Report *report;
    Contestant filler;
    Monitor monitor;    /* guards all fields while matches are played */
    VECTOR(bool) taken; /* by job: true once a worker plays it or it is played */
    /* By player: true if it is on the network and in a match. */
    bool *busy;
    /* Numbers of matches; played_before: by earlier processes. */
    size_t running, played, played_before;
    size_t first_open; /* all jobs before it are taken */
    bool is_over, has_failed;
    bool is_ok; /* false if the tournament was refused */
};

static bool is_remote(const Tournament *t, uint32_t player) {
    return player != JOB_NOBODY && t->definition->players.items[player].kind == CONTESTANT_REMOTE;
}

static void set_busy(Tournament *t, const Job *job, bool is_busy) {
    for (uint32_t s = 0; s < job->seat_count; s++)
        if (is_remote(t, job->players[s]))
            t->busy[job->players[s]] = is_busy;
}

static bool are_free(const Tournament *t, const Job *job) {
    for (uint32_t s = 0; s < job->seat_count; s++)
        if (is_remote(t, job->players[s]) && t->busy[job->players[s]])
            return false;
    return true;
}

static Job *take_job(Tournament *t) {
    while (t->first_open < t->taken.count && t->taken.items[t->first_open])
        t->first_open++;
    for (size_t i = t->first_open; i < t->taken.count; i++) {
        Job *job = &t->jobs->items.items[i];
        if (t->taken.items[i] || !are_free(t, job))
            continue;
        t->taken.items[i] = true;
        t->running++;
        set_busy(t, job, true);
        return job;
    }
    return NULL;
}

static MatchRecord *play_match(const TournamentSetup *setup, const Contestant *filler,
                               const Job *job, void **watcher, Report *report) {
    const Definition *definition = setup->definition;
    assert(job->game < definition->games.count);
    const DefinedGame *game = &definition->games.items[job->game];
    const Contestant **contestants = memory_alloc(job->seat_count * sizeof *contestants);
    for (uint32_t s = 0; s < job->seat_count; s++)
        contestants[s] =
            job->players[s] == JOB_NOBODY ? filler : &definition->players.items[job->players[s]];
    MatchSetup match = {.game = game->game,
                        .game_name = game->name,
                        .contestants = contestants,
                        .contestant_count = job->seat_count,
                        .startclock = game->startclock,
                        .playclock = game->playclock,
                        .seed = job->seed,
                        .step_limit = definition->step_limit,
                        .stopped = setup->stopped,
                        .slots = setup->slots,
                        .post = client_post};
    if (setup->attend)
        setup->attend(setup->context, &match);
    *watcher = match.context;
    MatchRecord *record = match_play(&match, report);
    free(contestants);
    return record;
}

/* Returns true if the match is stored. A match that was broken off is not stored, and will be
 * played again. */
static bool store_result(Tournament *t, Job *job, const MatchRecord *record, const char *problem) {
    bool is_stored = false;
    if (!record) {
        report_error(t->report, "match", "%s", problem);
        t->has_failed = true;
    } else if (record->is_completed || !flag_is_set(t->setup->stopped)) {
        is_stored = store_finish_job(t->setup->store, t->id, job, record, t->report);
        t->has_failed |= !is_stored;
        t->played += is_stored;
    }
    return is_stored;
}

static void release_job(Tournament *t, const Job *job) {
    assert(t->running);
    t->running--;
    set_busy(t, job, false);
    monitor_announce(&t->monitor);
    if (t->setup->on_progress) {
        uint64_t total = pairing_total(t->definition), planned = t->jobs->items.count;
        t->setup->on_progress(t->setup->context, t->played - t->played_before,
                              (total > planned ? total : planned) - t->played_before);
    }
}

static void play_job(Tournament *t, Job *job) {
    Report problems = {0};
    void *watcher = NULL;
    monitor_leave(&t->monitor);
    MatchRecord *record = play_match(t->setup, &t->filler, job, &watcher, &problems);
    monitor_enter(&t->monitor);
    bool is_stored = store_result(t, job, record, record ? NULL : problems.items.items[0].message);
    if (t->setup->leave)
        t->setup->leave(t->setup->context, watcher, is_stored ? record : NULL);
    match_free(record);
    report_free(&problems);
    release_job(t, job);
}

static void mark_taken(Tournament *t) {
    for (size_t i = t->taken.count; i < t->jobs->items.count; i++)
        vector_push(&t->taken, t->jobs->items.items[i].is_played);
}

static void plan_round(Tournament *t) {
    size_t first = t->jobs->items.count;
    if (!pairing_next(t->definition, t->jobs))
        t->is_over = true;
    else if (!store_add_jobs(t->setup->store, t->id, t->jobs, first, t->report))
        t->has_failed = true;
    mark_taken(t);
    monitor_announce(&t->monitor);
}

/* Takes the next match, after planning a round if necessary. Call inside the monitor. */
static TournamentNext take_or_plan(Tournament *t, Job **job) {
    while (t->is_ok && !t->is_over && !t->has_failed && !flag_is_set(t->setup->stopped)) {
        *job = take_job(t);
        if (*job)
            return TOURNAMENT_MATCH;
        if (t->running)
            return TOURNAMENT_LATER;
        plan_round(t);
    }
    return TOURNAMENT_NOTHING;
}

static void work(void *context, size_t number, unsigned worker) {
    Tournament *t = context;
    Job *job;
    (void)number;
    (void)worker;
    monitor_enter(&t->monitor);
    for (TournamentNext next; (next = take_or_plan(t, &job)) != TOURNAMENT_NOTHING;)
        if (next == TOURNAMENT_MATCH)
            play_job(t, job);
        else
            monitor_wait(&t->monitor, deadline_never());
    monitor_leave(&t->monitor);
}

/* Returns false if the job cannot come from this program, as in a file that was changed by hand. */
static bool is_possible(const Definition *d, const Jobs *jobs, size_t index) {
    const Job *job = &jobs->items.items[index];
    uint32_t next = index ? jobs->items.items[index - 1].encounter + 1 : 0;
    if (job->encounter > next || (index && job->encounter + 1 < next) ||
        (index && job->round < jobs->items.items[index - 1].round) || job->round > index ||
        job->game >= d->games.count || job->seat_count != d->games.items[job->game].seats)
        return false;
    for (uint32_t s = 0; s < job->seat_count; s++)
        if (job->players[s] >= d->players.count && job->players[s] != JOB_NOBODY)
            return false;
    return true;
}

static bool read_jobs(Tournament *t) {
    if (!store_read_jobs(t->setup->store, t->id, t->jobs, t->report))
        return false;
    for (size_t i = 0; i < t->jobs->items.count; i++) {
        if (!is_possible(t->definition, t->jobs, i))
            return report_error(t->report, "database", "match %zu in the database makes no sense",
                                i);
        t->played += t->jobs->items.items[i].is_played;
    }
    t->played_before = t->played;
    return true;
}

static bool prepare(Tournament *t) {
    char *identity = definition_identity(t->definition);
    if (pairing_total(t->definition) > MAX_TOTAL)
        report_error(t->report, "bad-tournament", "more than %d matches", MAX_TOTAL);
    else if (store_claim(t->setup->store, t->report))
        t->id = store_tournament(t->setup->store, t->definition->name, identity, t->report);
    free(identity);
    return t->id && read_jobs(t) && contestant_read(&t->filler, "random", t->report);
}

static void play_all(Tournament *t) {
    unsigned parallel = t->setup->parallel ? t->setup->parallel : t->definition->parallel;
    Pool *pool = pool_create(parallel);
    if (!pool) {
        report_error(t->report, "threads", "cannot start %u threads", parallel);
        t->has_failed = true;
        return;
    }
    pool_run(pool, pool_threads(pool), work, t);
    pool_free(pool);
}

Tournament *tournament_open(const TournamentSetup *setup, Jobs *jobs, Report *report) {
    Tournament *t = memory_zalloc(sizeof *t);
    *t = (Tournament){
        .setup = setup, .definition = setup->definition, .jobs = jobs, .report = report};
    monitor_init(&t->monitor);
    t->busy = memory_zalloc(setup->definition->players.count * sizeof *t->busy);
    t->is_ok = setup->store && prepare(t);
    if (t->is_ok)
        mark_taken(t);
    return t;
}

TournamentEnd tournament_close(Tournament *t) {
    TournamentEnd end = !t->is_ok       ? TOURNAMENT_REFUSED
                        : t->has_failed ? TOURNAMENT_FAILED
                        : t->is_over    ? TOURNAMENT_OVER
                                        : TOURNAMENT_STOPPED;
    contestant_free(&t->filler);
    vector_free(&t->taken);
    free(t->busy);
    monitor_free(&t->monitor);
    free(t);
    return end;
}

TournamentEnd tournament_play(const TournamentSetup *setup, Jobs *jobs, Report *report) {
    Tournament *t = tournament_open(setup, jobs, report);
    if (t->is_ok)
        play_all(t);
    return tournament_close(t);
}

/* ---- step by step ---- */

TournamentNext tournament_take(Tournament *t, uint64_t *number) {
    Job *job;
    monitor_enter(&t->monitor);
    TournamentNext next = take_or_plan(t, &job);
    if (next == TOURNAMENT_MATCH)
        *number = (uint64_t)(job - t->jobs->items.items);
    monitor_leave(&t->monitor);
    return next;
}

void tournament_order(const Tournament *t, uint64_t number, Text *packet) {
    assert(number < t->jobs->items.count);
    const Job *job = &t->jobs->items.items[number];
    packet_put_number(packet, job->game);
    packet_put_number(packet, job->seed);
    packet_put_number(packet, job->seat_count);
    for (uint32_t s = 0; s < job->seat_count; s++)
        packet_put_number(packet, job->players[s]);
}

bool tournament_play_order(const TournamentSetup *setup, const Text *order, Text *result) {
    PacketReader in = packet_reader(order);
    Job job = {.game = (uint32_t)packet_get_number(&in), .seed = packet_get_number(&in)};
    job.seat_count = (uint32_t)packet_get_count(&in, sizeof(uint64_t));
    job.players = memory_zalloc((job.seat_count + 1) * sizeof *job.players);
    for (uint32_t s = 0; s < job.seat_count; s++)
        job.players[s] = (uint32_t)packet_get_number(&in);
    Report problems = {0};
    Contestant filler = {0};
    void *watcher;
    MatchRecord *record = contestant_read(&filler, "random", &problems)
                              ? play_match(setup, &filler, &job, &watcher, &problems)
                              : NULL;
    if (record)
        wire_write_record(record, result);
    else
        text_add(result, problems.items.items[0].message);
    bool is_ok = record != NULL;
    match_free(record);
    contestant_free(&filler);
    report_free(&problems);
    free(job.players);
    return is_ok;
}

void tournament_hand_in(Tournament *t, uint64_t number, bool is_ok, const Text *result) {
    assert(number < t->jobs->items.count);
    MatchRecord *record = is_ok ? wire_read_record(result) : NULL;
    monitor_enter(&t->monitor);
    Job *job = &t->jobs->items.items[number];
    store_result(t, job, record,
                 is_ok ? "the record of a match arrived damaged" : text_string(result));
    release_job(t, job);
    monitor_leave(&t->monitor);
    match_free(record);
}
