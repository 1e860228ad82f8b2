/* Stores matches that are over, with their games and players. */
#include <assert.h>
#include <string.h>

#include "base/table.h"
#include "server/json/json.h"
#include "server/store/store_internal.h"

/* The columns of a StoredMatch. */
#define SELECT_MATCHES                                                                             \
    "SELECT m.id, m.match_id, g.name, m.started, m.turns, m.errors, m.completed,"                  \
    " (SELECT group_concat(name, char(10)) FROM (SELECT p.name AS name FROM seats s"               \
    "   JOIN players p ON p.id = s.player WHERE s.match = m.id ORDER BY s.role)),"                 \
    " (SELECT group_concat(ifnull(goal, '-'), char(10)) FROM (SELECT goal FROM seats s"            \
    "   WHERE s.match = m.id ORDER BY s.role))"                                                    \
    " FROM matches m JOIN games g ON g.id = m.game"

static int64_t add_game(Store *store, const MatchRecord *record, Report *report) {
    int64_t hash = (int64_t)hash_bytes(record->rules, strlen(record->rules));
    if (!store_change(
            store, report,
            "INSERT INTO games (name, hash, rules) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", "tit",
            record->game, hash, record->rules))
        return 0;
    return store_read_number(store,
                             store_bind(store, "SELECT id FROM games WHERE name = ? AND hash = ?",
                                        "ti", record->game, hash),
                             report);
}

static int64_t add_player(Store *store, const char *name, Report *report) {
    if (!store_change(store, report, "INSERT INTO players (name) VALUES (?) ON CONFLICT DO NOTHING",
                      "t", name))
        return 0;
    return store_read_number(
        store, store_bind(store, "SELECT id FROM players WHERE name = ?", "t", name), report);
}

uint32_t store_count_errors(const MatchRecord *record, uint32_t role) {
    uint32_t count = 0;
    for (size_t i = 0; i < record->faults.count; i++)
        count += record->faults.items[i].role == role;
    return count;
}

static bool add_seat(Store *store, int64_t match, const MatchRecord *record, uint32_t role,
                     Report *report) {
    int64_t player = add_player(store, record->players[role], report);
    double seconds = 0;
    for (size_t i = role; i < record->seconds.count; i += record->role_count)
        seconds += record->seconds.items[i];
    int goal = record->goals[role];
    sqlite3_stmt *statement =
        store_bind(store,
                   "INSERT INTO seats (match, role, name, chance, player, goal, errors, seconds)"
                   " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                   "iitiinid", match, (int64_t)role, record->roles[role],
                   (int64_t)match_is_chance(record, role), player,
                   (int64_t)store_count_errors(record, role), seconds);
    if (goal >= 0)
        sqlite3_bind_int64(statement, 6, goal);
    return player && store_run(store, statement, report);
}

static bool add_match_row(Store *store, const MatchRecord *record, int64_t game, Report *report) {
    char *json = dump_json(match_json(record));
    bool ok = store_change(
        store, report,
        "INSERT INTO matches (match_id, game, started, startclock, playclock, seed,"
        " turns, errors, completed, record) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        "tiiddiiiit", record->id, game, (int64_t)record->times.items[0], record->startclock,
        record->playclock, (int64_t)record->seed, (int64_t)record->moves.count,
        (int64_t)record->faults.count, (int64_t)record->is_completed, json);
    free(json);
    return ok;
}

int64_t store_insert_match(Store *store, const MatchRecord *record, Report *report) {
    int64_t game = add_game(store, record, report);
    if (!game || !add_match_row(store, record, game, report))
        return 0;
    int64_t match = sqlite3_last_insert_rowid(store->database);
    for (uint32_t r = 0; r < record->role_count; r++)
        if (!add_seat(store, match, record, r, report))
            return 0;
    return match;
}

int64_t store_add_match(Store *store, const MatchRecord *record, Report *report) {
    if (!store_begin_transaction(store, report))
        return 0;
    int64_t match = store_insert_match(store, record, report);
    return store_end_transaction(store, match != 0, report) ? match : 0;
}

bool store_record(Store *store, int64_t match, Text *json, Report *report) {
    text_clear(json);
    pthread_mutex_lock(&store->mutex);
    bool found = store_read_text(
        store, store_bind(store, "SELECT record FROM matches WHERE id = ?", "i", match), json,
        report);
    if (!found && !report_failed(report))
        report_error(report, "database", "there is no match %lld in %s", (long long)match,
                     store->path);
    pthread_mutex_unlock(&store->mutex);
    return found;
}

/* Call with the mutex locked. */
static bool visit_matches(Store *store, sqlite3_stmt *statement, MatchVisitor *visit, void *context,
                          Report *report) {
    bool ok = true;
    while (store_next_row(store, statement, &ok, report)) {
        StoredMatch match = {.number = sqlite3_column_int64(statement, 0),
                             .id = store_column_text(statement, 1),
                             .game = store_column_text(statement, 2),
                             .started = sqlite3_column_int64(statement, 3),
                             .turns = (uint32_t)sqlite3_column_int64(statement, 4),
                             .errors = (uint32_t)sqlite3_column_int64(statement, 5),
                             .is_completed = sqlite3_column_int64(statement, 6) != 0,
                             .players = store_column_text(statement, 7),
                             .goals = store_column_text(statement, 8)};
        visit(context, &match);
    }
    return ok;
}

bool store_visit_matches(Store *store, int64_t before, uint32_t most, MatchVisitor *visit,
                         void *context, Report *report) {
    pthread_mutex_lock(&store->mutex);
    sqlite3_stmt *statement =
        store_bind(store, SELECT_MATCHES " WHERE m.id < ? ORDER BY m.id DESC LIMIT ?", "ii",
                   before ? before : INT64_MAX, (int64_t)most);
    bool ok = visit_matches(store, statement, visit, context, report);
    pthread_mutex_unlock(&store->mutex);
    return ok;
}

bool store_visit_played(Store *store, const char *tournament, MatchVisitor *visit, void *context,
                        Report *report) {
    pthread_mutex_lock(&store->mutex);
    bool ok = visit_matches(store,
                            store_bind(store,
                                       SELECT_MATCHES " JOIN jobs j ON j.match = m.id"
                                                      " JOIN tournaments t ON t.id = j.tournament"
                                                      " WHERE t.name = ? ORDER BY j.number",
                                       "t", tournament),
                            visit, context, report);
    pthread_mutex_unlock(&store->mutex);
    return ok;
}

int64_t store_find_match(Store *store, const char *id, Report *report) {
    pthread_mutex_lock(&store->mutex);
    int64_t number = store_read_number(
        store, store_bind(store, "SELECT id FROM matches WHERE match_id = ?", "t", id), report);
    pthread_mutex_unlock(&store->mutex);
    return number;
}
