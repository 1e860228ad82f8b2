/* The database file: opening, migrating and claiming it, and statements. The header fields
 * application_id and user_version of SQLite tell which program wrote the file and in which version;
 * they are read before anything is written. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/store/store_internal.h"

enum {
    APPLICATION_ID = 0x4d61726c, /* "Marl" */
    BUSY_MILLISECONDS = 20000,   /* time to wait for another process that writes (untuned) */
    MIN_PAGE_SIZE = 512          /* bytes; smallest page of SQLite's file format */
};

/* There is no sync after each match. A killed process loses nothing. After a power failure the last
 * matches may be missing, but no match is stored partly. */
static const char settings[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;";

/* A query that fails if a table is missing. */
static const char all_tables[] =
    "SELECT 1 FROM games, players, matches, seats, tournaments, jobs, uploads, facts, live,"
    " live_turns, thoughts, hosted LIMIT 0";

/* Script i migrates version i to version i + 1. */
static const char *const migrations[STORE_VERSION] = {
    "CREATE TABLE games (id INTEGER PRIMARY KEY, name TEXT NOT NULL, hash INTEGER NOT NULL,"
    "  rules TEXT NOT NULL, UNIQUE (name, hash)) STRICT;"
    "CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;"
    "CREATE TABLE matches (id INTEGER PRIMARY KEY, match_id TEXT NOT NULL UNIQUE,"
    "  game INTEGER NOT NULL REFERENCES games, started INTEGER NOT NULL,"
    "  startclock REAL NOT NULL, playclock REAL NOT NULL, seed INTEGER NOT NULL,"
    "  turns INTEGER NOT NULL, errors INTEGER NOT NULL, completed INTEGER NOT NULL,"
    "  record TEXT NOT NULL) STRICT;"
    "CREATE INDEX matches_of_game ON matches (game);"
    "CREATE TABLE seats (match INTEGER NOT NULL REFERENCES matches, role INTEGER NOT NULL,"
    "  name TEXT NOT NULL, chance INTEGER NOT NULL, player INTEGER NOT NULL REFERENCES players,"
    "  goal INTEGER, errors INTEGER NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (match, role))"
    "  STRICT, WITHOUT ROWID;"
    "CREATE INDEX seats_of_player ON seats (player);"
    "CREATE TABLE tournaments (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,"
    "  definition TEXT NOT NULL, created INTEGER NOT NULL) STRICT;"
    "CREATE TABLE jobs (tournament INTEGER NOT NULL REFERENCES tournaments,"
    "  number INTEGER NOT NULL, round INTEGER NOT NULL, encounter INTEGER NOT NULL,"
    "  game INTEGER NOT NULL, board INTEGER NOT NULL, seed INTEGER NOT NULL,"
    "  seats TEXT NOT NULL, match INTEGER UNIQUE REFERENCES matches,"
    "  PRIMARY KEY (tournament, number)) STRICT, WITHOUT ROWID;",
    "CREATE TABLE uploads (id TEXT PRIMARY KEY, name TEXT NOT NULL, rules TEXT NOT NULL) STRICT;"
    "CREATE TABLE facts (hash INTEGER PRIMARY KEY, facts TEXT NOT NULL) STRICT;"
    "CREATE TABLE live (id TEXT PRIMARY KEY, setup TEXT NOT NULL) STRICT;"
    "CREATE TABLE live_turns (match TEXT NOT NULL REFERENCES live ON DELETE CASCADE,"
    "  turn INTEGER NOT NULL, moves TEXT NOT NULL, PRIMARY KEY (match, turn))"
    "  STRICT, WITHOUT ROWID;"
    "CREATE TABLE thoughts (match TEXT NOT NULL, turn INTEGER NOT NULL, role INTEGER NOT NULL,"
    "  thought TEXT NOT NULL, PRIMARY KEY (match, turn, role)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE hosted (name TEXT PRIMARY KEY, definition TEXT NOT NULL) STRICT;",
};

bool store_fail(Store *store, Report *report) {
    int code = sqlite3_errcode(store->database);
    if (code == SQLITE_NOTADB)
        report_error(report, "database", "%s is no database", store->path);
    else if (code == SQLITE_CORRUPT)
        report_error(report, "database", "the database %s is damaged: %s", store->path,
                     sqlite3_errmsg(store->database));
    else
        report_error(report, "database", "%s: %s", store->path, sqlite3_errmsg(store->database));
    return false;
}

/* ---- statements ---- */

static sqlite3_stmt *prepare(Store *store, const char *sql) {
    for (size_t i = 0; i < store->prepared.count; i++)
        if (store->prepared.items[i].sql == sql)
            return store->prepared.items[i].statement;
    Prepared new = {.sql = sql};
    if (sqlite3_prepare_v3(store->database, sql, -1, SQLITE_PREPARE_PERSISTENT, &new.statement,
                           NULL) == SQLITE_OK)
        vector_push(&store->prepared, new);
    return new.statement;
}

sqlite3_stmt *store_bind_list(Store *store, const char *sql, const char *types, va_list values) {
    sqlite3_stmt *statement = prepare(store, sql);
    assert(!statement || sqlite3_bind_parameter_count(statement) == (int)strlen(types));
    sqlite3_reset(statement);
    for (int i = 0; types[i]; i++) {
        if (types[i] == 'i')
            sqlite3_bind_int64(statement, i + 1, va_arg(values, int64_t));
        else if (types[i] == 'd')
            sqlite3_bind_double(statement, i + 1, va_arg(values, double));
        else if (types[i] == 't')
            sqlite3_bind_text(statement, i + 1, va_arg(values, const char *), -1, SQLITE_TRANSIENT);
        else
            sqlite3_bind_null(statement, i + 1);
    }
    return statement;
}

sqlite3_stmt *store_bind(Store *store, const char *sql, const char *types, ...) {
    va_list values;
    va_start(values, types);
    sqlite3_stmt *statement = store_bind_list(store, sql, types, values);
    va_end(values);
    return statement;
}

bool store_run(Store *store, sqlite3_stmt *statement, Report *report) {
    bool done = sqlite3_step(statement) == SQLITE_DONE;
    if (!done)
        store_fail(store, report);
    sqlite3_reset(statement);
    return done;
}

bool store_change(Store *store, Report *report, const char *sql, const char *types, ...) {
    va_list values;
    va_start(values, types);
    bool is_ok = store_run(store, store_bind_list(store, sql, types, values), report);
    va_end(values);
    return is_ok;
}

bool store_next_row(Store *store, sqlite3_stmt *statement, bool *is_ok, Report *report) {
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        *is_ok = store_fail(store, report);
    sqlite3_reset(statement);
    return false;
}

int64_t store_read_number(Store *store, sqlite3_stmt *statement, Report *report) {
    bool is_ok = true;
    int64_t number = 0;
    if (store_next_row(store, statement, &is_ok, report))
        number = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    return number;
}

bool store_read_text(Store *store, sqlite3_stmt *statement, Text *text, Report *report) {
    bool is_ok = true, found = store_next_row(store, statement, &is_ok, report);
    if (found)
        text_add(text, store_column_text(statement, 0));
    sqlite3_reset(statement);
    return found;
}

const char *store_column_text(sqlite3_stmt *statement, int column) {
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text ? (const char *)text : "";
}

bool store_begin_transaction(Store *store, Report *report) {
    pthread_mutex_lock(&store->mutex);
    if (store_change(store, report, "BEGIN IMMEDIATE", ""))
        return true;
    pthread_mutex_unlock(&store->mutex);
    return false;
}

bool store_end_transaction(Store *store, bool is_ok, Report *report) {
    is_ok = is_ok && store_change(store, report, "COMMIT", "");
    if (!is_ok && !sqlite3_get_autocommit(store->database)) {
        Report ignored = {0};
        store_change(store, &ignored, "ROLLBACK", "");
        report_free(&ignored);
    }
    pthread_mutex_unlock(&store->mutex);
    return is_ok;
}

/* ---- opening ---- */

/* Returns the number that a statement answers while opening; -1 after an error. */
static int64_t ask(Store *store, const char *sql, Report *report) {
    sqlite3_stmt *statement = NULL;
    int64_t answer = -1;
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        answer = sqlite3_column_int64(statement, 0);
    else
        store_fail(store, report);
    sqlite3_finalize(statement);
    return answer;
}

/* True if the file is ours, or empty so that it will become ours. Nothing is written. SQLite takes
 * a file shorter than a page for an empty one. */
static bool is_ours(Store *store, Report *report) {
    struct stat status;
    if (stat(store->path, &status) == 0 && status.st_size > 0 && status.st_size < MIN_PAGE_SIZE)
        return report_error(report, "database", "%s is no database", store->path);
    int64_t tables = ask(store, "SELECT count(*) FROM sqlite_schema", report);
    if (tables < 0)
        return false;
    int64_t id = ask(store, "PRAGMA application_id", report);
    int64_t version = ask(store, "PRAGMA user_version", report);
    if (id != APPLICATION_ID && (tables || id || version))
        return report_error(report, "database", "%s is a database of another program", store->path);
    if (version > STORE_VERSION)
        return report_error(
            report, "database",
            "%s was written by a newer Marelle: its layout has version %lld, this program "
            "knows %d",
            store->path, (long long)version, STORE_VERSION);
    return true;
}

static bool is_sound(Store *store, Report *report) {
    sqlite3_stmt *statement = NULL;
    bool sound = sqlite3_prepare_v2(store->database, "PRAGMA quick_check(1)", -1, &statement,
                                    NULL) == SQLITE_OK &&
                 sqlite3_step(statement) == SQLITE_ROW;
    if (!sound) {
        store_fail(store, report);
    } else if (strcmp(store_column_text(statement, 0), "ok") != 0) {
        sound = false;
        report_error(report, "database", "the database %s is damaged: %s", store->path,
                     store_column_text(statement, 0));
    }
    sqlite3_finalize(statement);
    return sound;
}

static bool execute(Store *store, const char *sql, Report *report) {
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK ||
           store_fail(store, report);
}

/* Migrates in one transaction, for which other processes wait. */
static bool migrate(Store *store, Report *report) {
    char stamp[100];
    if (!execute(store, "BEGIN IMMEDIATE", report))
        return false;
    int64_t version = ask(store, "PRAGMA user_version", report);
    bool is_ok = version >= 0;
    for (int64_t v = version; is_ok && v < STORE_VERSION; v++)
        is_ok = execute(store, migrations[v], report);
    snprintf(stamp, sizeof stamp, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             APPLICATION_ID, STORE_VERSION);
    if (is_ok && version < STORE_VERSION)
        is_ok = execute(store, stamp, report);
    return execute(store, is_ok ? "COMMIT" : "ROLLBACK", report) && is_ok;
}

Store *store_open(const char *path, Report *report) {
    Store *store = memory_zalloc(sizeof *store);
    store->path = memory_strdup(path);
    store->claim = -1;
    pthread_mutex_init(&store->mutex, NULL);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    bool is_ok = sqlite3_open_v2(path, &store->database, flags, NULL) == SQLITE_OK;
    if (!is_ok)
        store_fail(store, report);
    else
        sqlite3_busy_timeout(store->database, BUSY_MILLISECONDS);
    is_ok = is_ok && is_ours(store, report) && is_sound(store, report) &&
            execute(store, settings, report) && migrate(store, report) &&
            execute(store, all_tables, report);
    if (is_ok)
        return store;
    store_close(store);
    return NULL;
}

void store_close(Store *store) {
    if (!store)
        return;
    for (size_t i = 0; i < store->prepared.count; i++)
        sqlite3_finalize(store->prepared.items[i].statement);
    vector_free(&store->prepared);
    sqlite3_close(store->database);
    if (store->claim >= 0) {
        unlink(store->claim_path);
        close(store->claim);
    }
    pthread_mutex_destroy(&store->mutex);
    memory_free(store->claim_path, store->path, store);
}

/* Locks a file beside the database, because closing any descriptor of the database itself would
 * drop SQLite's own locks on it. If the locked file has been removed meanwhile, locking is tried
 * again. */
bool store_claim(Store *store, Report *report) {
    if (store->claim >= 0)
        return true;
    Text path = {0};
    text_printf(&path, "%s-running", store->path);
    store->claim_path = path.items;
    for (;;) {
        struct stat locked, named;
        int file = open(store->claim_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (file < 0)
            return report_error(report, "database", "cannot write %s: %s", store->claim_path,
                                strerror(errno));
        if (flock(file, LOCK_EX | LOCK_NB) != 0) {
            report_error(report, "database", "another process plays on %s", store->path);
            close(file);
            return false;
        }
        if (fstat(file, &locked) == 0 && stat(store->claim_path, &named) == 0 &&
            locked.st_ino == named.st_ino) {
            store->claim = file;
            return true;
        }
        close(file);
    }
}
