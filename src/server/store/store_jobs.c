/* Stores tournaments and their matches, planned or played. */
#include <assert.h>
#include <string.h>
#include <time.h>

#include "server/store/store_internal.h"

Job *jobs_add(Jobs *jobs, uint32_t seat_count) {
    Job job = {.number = (uint32_t)jobs->items.count, .seat_count = seat_count};
    job.players = arena_alloc(&jobs->arena, seat_count * sizeof *job.players);
    job.goals = arena_alloc(&jobs->arena, seat_count * sizeof *job.goals);
    job.errors = arena_alloc(&jobs->arena, seat_count * sizeof *job.errors);
    for (uint32_t s = 0; s < seat_count; s++) {
        job.players[s] = JOB_NOBODY;
        job.goals[s] = GOAL_NONE;
        job.errors[s] = 0;
    }
    vector_push(&jobs->items, job);
    return &vector_last(&jobs->items);
}

void jobs_free(Jobs *jobs) {
    vector_free(&jobs->items);
    arena_free(&jobs->arena);
}

int64_t store_tournament(Store *store, const char *name, const char *definition, Report *report) {
    if (!store_begin_transaction(store, report))
        return 0;
    bool ok = store_change(store, report,
                           "INSERT INTO tournaments (name, definition, created) VALUES (?, ?, ?)"
                           " ON CONFLICT DO NOTHING",
                           "tti", name, definition, (int64_t)time(NULL));
    int64_t id = 0;
    sqlite3_stmt *statement =
        store_bind(store, "SELECT id, definition FROM tournaments WHERE name = ?", "t", name);
    if (ok && store_next_row(store, statement, &ok, report)) {
        id = sqlite3_column_int64(statement, 0);
        ok = strcmp(store_column_text(statement, 1), definition) == 0;
        if (!ok)
            report_error(report, "other-tournament",
                         "%s has a tournament `%s` already, with another definition or other rules",
                         store->path, name);
    }
    sqlite3_reset(statement);
    return store_end_transaction(store, ok, report) ? id : 0;
}

/* Writes players by seat, - for nobody: "0 3 -". */
static void write_seats(Text *text, const Job *job) {
    text_clear(text);
    for (uint32_t s = 0; s < job->seat_count; s++) {
        text_add(text, s ? " " : "");
        if (job->players[s] == JOB_NOBODY)
            text_add(text, "-");
        else
            text_printf(text, "%u", job->players[s]);
    }
}

static Job *read_seats(Jobs *jobs, const char *seats) {
    uint32_t count = 1;
    for (const char *c = seats; *c; c++)
        count += *c == ' ';
    Job *job = jobs_add(jobs, count);
    for (uint32_t s = 0; s < count; s++) {
        char *rest;
        if (*seats == '-')
            rest = (char *)seats + 1;
        else
            job->players[s] = (uint32_t)strtoul(seats, &rest, 10);
        seats = *rest ? rest + 1 : rest;
    }
    return job;
}

static bool add_job(Store *store, int64_t tournament, const Job *job, Report *report) {
    Text seats = {0};
    write_seats(&seats, job);
    bool ok = store_change(
        store, report,
        "INSERT INTO jobs (tournament, number, round, encounter, game, board, seed, seats)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        "iiiiiiit", tournament, (int64_t)job->number, (int64_t)job->round, (int64_t)job->encounter,
        (int64_t)job->game, (int64_t)job->board, (int64_t)job->seed, text_string(&seats));
    vector_free(&seats);
    return ok;
}

bool store_add_jobs(Store *store, int64_t tournament, const Jobs *jobs, size_t first,
                    Report *report) {
    if (!store_begin_transaction(store, report))
        return false;
    bool ok = true;
    for (size_t i = first; ok && i < jobs->items.count; i++)
        ok = add_job(store, tournament, &jobs->items.items[i], report);
    return store_end_transaction(store, ok, report);
}

/* Rows are ordered by job and seat. */
static bool read_results(Store *store, int64_t tournament, Jobs *jobs, Report *report) {
    bool ok = true;
    sqlite3_stmt *statement =
        store_bind(store,
                   "SELECT j.number, m.completed, s.goal, s.errors FROM jobs j"
                   " JOIN matches m ON m.id = j.match"
                   " JOIN seats s ON s.match = m.id AND s.chance = 0"
                   " WHERE j.tournament = ? ORDER BY j.number, s.role",
                   "i", tournament);
    for (uint32_t seat = 0, last = UINT32_MAX; store_next_row(store, statement, &ok, report);) {
        uint32_t number = (uint32_t)sqlite3_column_int64(statement, 0);
        seat = number == last ? seat + 1 : 0;
        last = number;
        if (number >= jobs->items.count || seat >= jobs->items.items[number].seat_count)
            continue;
        Job *job = &jobs->items.items[number];
        job->is_played = true;
        job->is_completed = sqlite3_column_int64(statement, 1) != 0;
        if (sqlite3_column_type(statement, 2) != SQLITE_NULL)
            job->goals[seat] = sqlite3_column_int(statement, 2);
        job->errors[seat] = (uint32_t)sqlite3_column_int64(statement, 3);
    }
    return ok;
}

bool store_read_jobs(Store *store, int64_t tournament, Jobs *jobs, Report *report) {
    bool ok = true;
    pthread_mutex_lock(&store->mutex);
    sqlite3_stmt *statement =
        store_bind(store,
                   "SELECT number, round, encounter, game, board, seed, seats FROM jobs"
                   " WHERE tournament = ? ORDER BY number",
                   "i", tournament);
    while (store_next_row(store, statement, &ok, report)) {
        Job *job = read_seats(jobs, store_column_text(statement, 6));
        job->round = (uint32_t)sqlite3_column_int64(statement, 1);
        job->encounter = (uint32_t)sqlite3_column_int64(statement, 2);
        job->game = (uint32_t)sqlite3_column_int64(statement, 3);
        job->board = (uint32_t)sqlite3_column_int64(statement, 4);
        job->seed = (uint64_t)sqlite3_column_int64(statement, 5);
    }
    ok = ok && read_results(store, tournament, jobs, report);
    pthread_mutex_unlock(&store->mutex);
    return ok;
}

static void note_results(Job *job, const MatchRecord *record) {
    uint32_t seat = 0;
    job->is_played = true;
    job->is_completed = record->is_completed;
    for (uint32_t r = 0; r < record->role_count; r++) {
        if (match_is_chance(record, r))
            continue;
        assert(seat < job->seat_count);
        job->goals[seat] = record->goals[r];
        job->errors[seat++] = store_count_errors(record, r);
    }
}

bool store_finish_job(Store *store, int64_t tournament, Job *job, const MatchRecord *record,
                      Report *report) {
    if (!store_begin_transaction(store, report))
        return false;
    int64_t match = store_insert_match(store, record, report);
    bool ok = match && store_change(store, report,
                                    "UPDATE jobs SET match = ? WHERE tournament = ? AND number = ?"
                                    " AND match IS NULL",
                                    "iii", match, tournament, (int64_t)job->number);
    if (ok && sqlite3_changes(store->database) != 1) {
        report_error(report, "database", "match %u has been played already", job->number);
        ok = false;
    }
    if (!store_end_transaction(store, ok, report))
        return false;
    note_results(job, record);
    return true;
}
