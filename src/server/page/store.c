/* The header fields application_id and user_version of SQLite say whose file it is and how new;
 * they are read before anything is written. Statements are prepared once and found by their names.
 */
#include "server/page/store.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/table.h"
#include "server/json/json.h"

enum { APPLICATION_ID = 0x4d61726c, BUSY_MILLISECONDS = 20000, SMALLEST_PAGE = 512 };

/* Without a sync for each match: a killed process loses nothing, and after a power failure the last
 * matches may be missing but none is stored by halves. */
static const char settings[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;";

/* Script i leads from version i to version i + 1. */
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

typedef enum {
    BEGIN,
    COMMIT,
    ROLLBACK,
    ADD_GAME,
    FIND_GAME,
    ADD_PLAYER,
    FIND_PLAYER,
    ADD_MATCH,
    ADD_SEAT,
    GET_RECORD,
    LIST_MATCHES,
    LIST_PLAYED,
    ADD_TOURNAMENT,
    FIND_TOURNAMENT,
    ADD_JOB,
    LIST_JOBS,
    LIST_RESULTS,
    FINISH_JOB,
    FIND_MATCH,
    ADD_UPLOAD,
    LIST_UPLOADS,
    GET_FACTS,
    SET_FACTS,
    ADD_LIVE,
    ADD_TURN,
    TAKE_BACK,
    LIST_LIVE,
    LIST_TURNS,
    END_LIVE,
    ADD_THOUGHT,
    FORGET_THOUGHTS,
    LIST_THOUGHTS,
    ADD_HOSTED,
    LIST_HOSTED,
    STATEMENT_COUNT
} Statement;

/* The columns of a StoredMatch. */
#define SELECT_MATCHES                                                                             \
    "SELECT m.id, m.match_id, g.name, m.started, m.turns, m.errors, m.completed,"                  \
    " (SELECT group_concat(name, char(10)) FROM (SELECT p.name AS name FROM seats s"               \
    "   JOIN players p ON p.id = s.player WHERE s.match = m.id ORDER BY s.role)),"                 \
    " (SELECT group_concat(ifnull(goal, '-'), char(10)) FROM (SELECT goal FROM seats s"            \
    "   WHERE s.match = m.id ORDER BY s.role))"                                                    \
    " FROM matches m JOIN games g ON g.id = m.game"

static const char *const statements[STATEMENT_COUNT] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [ROLLBACK] = "ROLLBACK",
    [ADD_GAME] = "INSERT INTO games (name, hash, rules) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    [FIND_GAME] = "SELECT id FROM games WHERE name = ? AND hash = ?",
    [ADD_PLAYER] = "INSERT INTO players (name) VALUES (?) ON CONFLICT DO NOTHING",
    [FIND_PLAYER] = "SELECT id FROM players WHERE name = ?",
    [ADD_MATCH] = "INSERT INTO matches (match_id, game, started, startclock, playclock, seed,"
                  " turns, errors, completed, record) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [ADD_SEAT] = "INSERT INTO seats (match, role, name, chance, player, goal, errors, seconds)"
                 " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    [GET_RECORD] = "SELECT record FROM matches WHERE id = ?",
    [LIST_MATCHES] = SELECT_MATCHES " WHERE m.id < ? ORDER BY m.id DESC LIMIT ?",
    [LIST_PLAYED] = SELECT_MATCHES " JOIN jobs j ON j.match = m.id"
                                   " JOIN tournaments t ON t.id = j.tournament"
                                   " WHERE t.name = ? ORDER BY j.number",
    [ADD_TOURNAMENT] = "INSERT INTO tournaments (name, definition, created) VALUES (?, ?, ?)"
                       " ON CONFLICT DO NOTHING",
    [FIND_TOURNAMENT] = "SELECT id, definition FROM tournaments WHERE name = ?",
    [ADD_JOB] = "INSERT INTO jobs (tournament, number, round, encounter, game, board, seed, seats)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    [LIST_JOBS] = "SELECT number, round, encounter, game, board, seed, seats FROM jobs"
                  " WHERE tournament = ? ORDER BY number",
    [LIST_RESULTS] = "SELECT j.number, m.completed, s.goal, s.errors FROM jobs j"
                     " JOIN matches m ON m.id = j.match"
                     " JOIN seats s ON s.match = m.id AND s.chance = 0"
                     " WHERE j.tournament = ? ORDER BY j.number, s.role",
    [FINISH_JOB] = "UPDATE jobs SET match = ? WHERE tournament = ? AND number = ?"
                   " AND match IS NULL",
    [FIND_MATCH] = "SELECT id FROM matches WHERE match_id = ?",
    [ADD_UPLOAD] = "INSERT INTO uploads (id, name, rules) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    [LIST_UPLOADS] = "SELECT id, name, rules FROM uploads ORDER BY rowid",
    [GET_FACTS] = "SELECT facts FROM facts WHERE hash = ?",
    [SET_FACTS] = "INSERT OR REPLACE INTO facts (hash, facts) VALUES (?, ?)",
    [ADD_LIVE] = "INSERT INTO live (id, setup) VALUES (?, ?)",
    [ADD_TURN] = "INSERT INTO live_turns (match, turn, moves) VALUES (?, ?, ?)",
    [TAKE_BACK] = "DELETE FROM live_turns WHERE match = ? AND turn >= ?",
    [LIST_LIVE] = "SELECT id, setup FROM live ORDER BY rowid",
    [LIST_TURNS] = "SELECT moves FROM live_turns WHERE match = ? ORDER BY turn",
    [END_LIVE] = "DELETE FROM live WHERE id = ?",
    [ADD_THOUGHT] =
        "INSERT OR REPLACE INTO thoughts (match, turn, role, thought) VALUES (?, ?, ?, ?)",
    [FORGET_THOUGHTS] = "DELETE FROM thoughts WHERE match = ? AND turn >= ?",
    [LIST_THOUGHTS] = "SELECT turn, role, thought FROM thoughts WHERE match = ?"
                      " ORDER BY turn, role",
    [ADD_HOSTED] = "INSERT INTO hosted (name, definition) VALUES (?, ?)",
    [LIST_HOSTED] = "SELECT name, definition FROM hosted ORDER BY rowid",
};

struct Store {
    char *path;
    sqlite3 *database;
    sqlite3_stmt *prepared[STATEMENT_COUNT];
    pthread_mutex_t mutex;
    int claim; /* descriptor of the locked file; -1 if nothing is claimed */
    char *claim_path;
};

static bool fail(Store *store, Report *report) {
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

/* Statements. */

/* Gives the parameters their values: i int64_t, d double, t text, n nothing. */
static sqlite3_stmt *bind_list(Store *store, Statement which, const char *types, va_list values) {
    sqlite3_stmt *statement = store->prepared[which];
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

static sqlite3_stmt *bind(Store *store, Statement which, const char *types, ...) {
    va_list values;
    va_start(values, types);
    sqlite3_stmt *statement = bind_list(store, which, types, values);
    va_end(values);
    return statement;
}

/* For statements without rows. */
static bool run(Store *store, sqlite3_stmt *statement, Report *report) {
    bool done = sqlite3_step(statement) == SQLITE_DONE;
    if (!done)
        fail(store, report);
    sqlite3_reset(statement);
    return done;
}

/* True while there is another row; *well turns false when reading failed. */
static bool next_row(Store *store, sqlite3_stmt *statement, bool *well, Report *report) {
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        *well = fail(store, report);
    sqlite3_reset(statement);
    return false;
}

/* The first number of the first row, 0 if there is none. */
static int64_t read_number(Store *store, sqlite3_stmt *statement, Report *report) {
    bool well = true;
    int64_t number = 0;
    if (next_row(store, statement, &well, report))
        number = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    return number;
}

static const char *column_text(sqlite3_stmt *statement, int column) {
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text ? (const char *)text : "";
}

static bool begin(Store *store, Report *report) {
    pthread_mutex_lock(&store->mutex);
    if (run(store, store->prepared[BEGIN], report))
        return true;
    pthread_mutex_unlock(&store->mutex);
    return false;
}

/* Commits if all went well so far, else takes everything back. */
static bool end(Store *store, bool well, Report *report) {
    well = well && run(store, store->prepared[COMMIT], report);
    if (!well && !sqlite3_get_autocommit(store->database)) {
        sqlite3_step(store->prepared[ROLLBACK]);
        sqlite3_reset(store->prepared[ROLLBACK]);
    }
    pthread_mutex_unlock(&store->mutex);
    return well;
}

/* Opening. */

/* The number a statement outside the table answers with; -1 after an error. */
static int64_t ask(Store *store, const char *sql, Report *report) {
    sqlite3_stmt *statement = NULL;
    int64_t answer = -1;
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        answer = sqlite3_column_int64(statement, 0);
    else
        fail(store, report);
    sqlite3_finalize(statement);
    return answer;
}

/* Looks without writing whether the file is ours; an empty one will be. SQLite takes a file that is
 * shorter than a page for an empty one. */
static bool is_ours(Store *store, Report *report) {
    struct stat status;
    if (stat(store->path, &status) == 0 && status.st_size > 0 && status.st_size < SMALLEST_PAGE) {
        report_error(report, "database", "%s is no database", store->path);
        return false;
    }
    int64_t tables = ask(store, "SELECT count(*) FROM sqlite_schema", report);
    if (tables < 0)
        return false;
    int64_t id = ask(store, "PRAGMA application_id", report);
    int64_t version = ask(store, "PRAGMA user_version", report);
    if (id != APPLICATION_ID && (tables || id || version)) {
        report_error(report, "database", "%s is a database of another program", store->path);
        return false;
    }
    if (version > STORE_VERSION) {
        report_error(report, "database",
                     "%s was written by a newer Marelle: its layout has version %lld, this program "
                     "knows %d",
                     store->path, (long long)version, STORE_VERSION);
        return false;
    }
    return true;
}

static bool is_sound(Store *store, Report *report) {
    sqlite3_stmt *statement = NULL;
    bool sound = sqlite3_prepare_v2(store->database, "PRAGMA quick_check(1)", -1, &statement,
                                    NULL) == SQLITE_OK &&
                 sqlite3_step(statement) == SQLITE_ROW;
    if (!sound) {
        fail(store, report);
    } else if (strcmp(column_text(statement, 0), "ok") != 0) {
        sound = false;
        report_error(report, "database", "the database %s is damaged: %s", store->path,
                     column_text(statement, 0));
    }
    sqlite3_finalize(statement);
    return sound;
}

static bool execute(Store *store, const char *sql, Report *report) {
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK || fail(store, report);
}

/* In one transaction, which other processes wait for. */
static bool migrate(Store *store, Report *report) {
    char stamp[100];
    if (!execute(store, "BEGIN IMMEDIATE", report))
        return false;
    int64_t version = ask(store, "PRAGMA user_version", report);
    bool well = version >= 0;
    for (int64_t v = version; well && v < STORE_VERSION; v++)
        well = execute(store, migrations[v], report);
    snprintf(stamp, sizeof stamp, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             APPLICATION_ID, STORE_VERSION);
    if (well && version < STORE_VERSION)
        well = execute(store, stamp, report);
    return execute(store, well ? "COMMIT" : "ROLLBACK", report) && well;
}

static bool prepare_all(Store *store, Report *report) {
    for (size_t i = 0; i < STATEMENT_COUNT; i++)
        if (sqlite3_prepare_v3(store->database, statements[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &store->prepared[i], NULL) != SQLITE_OK)
            return fail(store, report);
    return true;
}

Store *store_open(const char *path, Report *report) {
    Store *store = memory_zalloc(sizeof *store);
    store->path = memory_strdup(path);
    store->claim = -1;
    pthread_mutex_init(&store->mutex, NULL);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    bool well = sqlite3_open_v2(path, &store->database, flags, NULL) == SQLITE_OK;
    if (!well)
        fail(store, report);
    else
        sqlite3_busy_timeout(store->database, BUSY_MILLISECONDS);
    well = well && is_ours(store, report) && is_sound(store, report) &&
           execute(store, settings, report) && migrate(store, report) && prepare_all(store, report);
    if (well)
        return store;
    store_close(store);
    return NULL;
}

void store_close(Store *store) {
    if (!store)
        return;
    for (size_t i = 0; i < STATEMENT_COUNT; i++)
        sqlite3_finalize(store->prepared[i]);
    sqlite3_close(store->database);
    if (store->claim >= 0) {
        unlink(store->claim_path);
        close(store->claim);
    }
    pthread_mutex_destroy(&store->mutex);
    free(store->claim_path);
    free(store->path);
    free(store);
}

/* A file beside the database, because closing any descriptor of the database itself would drop
 * SQLite's own locks on it. Whoever locked a file that has been removed since tries again. */
bool store_claim(Store *store, Report *report) {
    if (store->claim >= 0)
        return true;
    Text path = {0};
    text_printf(&path, "%s-running", store->path);
    store->claim_path = path.items;
    for (;;) {
        struct stat locked, named;
        int file = open(store->claim_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (file < 0) {
            report_error(report, "database", "cannot write %s: %s", store->claim_path,
                         strerror(errno));
            return false;
        }
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

/* Matches. */

static int64_t add_game(Store *store, const MatchRecord *record, Report *report) {
    int64_t hash = (int64_t)hash_bytes(record->rules, strlen(record->rules));
    if (!run(store, bind(store, ADD_GAME, "tit", record->game, hash, record->rules), report))
        return 0;
    return read_number(store, bind(store, FIND_GAME, "ti", record->game, hash), report);
}

static int64_t add_player(Store *store, const char *name, Report *report) {
    if (!run(store, bind(store, ADD_PLAYER, "t", name), report))
        return 0;
    return read_number(store, bind(store, FIND_PLAYER, "t", name), report);
}

static uint32_t errors_of_role(const MatchRecord *record, uint32_t role) {
    uint32_t count = 0;
    for (size_t i = 0; i < record->errors.count; i++)
        count += record->errors.items[i].role == role;
    return count;
}

static bool add_seat(Store *store, int64_t match, const MatchRecord *record, uint32_t role,
                     Report *report) {
    int64_t player = add_player(store, record->players[role], report);
    double seconds = 0;
    for (size_t i = role; i < record->seconds.count; i += record->role_count)
        seconds += record->seconds.items[i];
    int goal = record->goals[role];
    sqlite3_stmt *statement = bind(store, ADD_SEAT, "iitiinid", match, (int64_t)role,
                                   record->roles[role], (int64_t)match_is_chance(record, role),
                                   player, (int64_t)errors_of_role(record, role), seconds);
    if (goal >= 0)
        sqlite3_bind_int64(statement, 6, goal);
    return player && run(store, statement, report);
}

static bool add_match_row(Store *store, const MatchRecord *record, int64_t game, Report *report) {
    json_t *object = json_match(record);
    char *json = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    bool well = run(store,
                    bind(store, ADD_MATCH, "tiiddiiiit", record->id, game,
                         (int64_t)record->times.items[0], record->startclock, record->playclock,
                         (int64_t)record->seed, (int64_t)record->moves.count,
                         (int64_t)record->errors.count, (int64_t)record->is_completed, json),
                    report);
    free(json);
    return well;
}

/* Within a transaction. */
static int64_t add_match(Store *store, const MatchRecord *record, Report *report) {
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
    if (!begin(store, report))
        return 0;
    int64_t match = add_match(store, record, report);
    return end(store, match != 0, report) ? match : 0;
}

bool store_record(Store *store, int64_t match, Text *json, Report *report) {
    bool well = true;
    text_clear(json);
    pthread_mutex_lock(&store->mutex);
    sqlite3_stmt *statement = bind(store, GET_RECORD, "i", match);
    bool found = next_row(store, statement, &well, report);
    if (found)
        text_add(json, column_text(statement, 0));
    else if (well)
        report_error(report, "database", "there is no match %lld in %s", (long long)match,
                     store->path);
    sqlite3_reset(statement);
    pthread_mutex_unlock(&store->mutex);
    return found;
}

/* Under the mutex. */
static bool visit_matches(Store *store, sqlite3_stmt *statement, MatchVisitor *visit, void *context,
                          Report *report) {
    bool well = true;
    while (next_row(store, statement, &well, report)) {
        StoredMatch match = {.number = sqlite3_column_int64(statement, 0),
                             .id = column_text(statement, 1),
                             .game = column_text(statement, 2),
                             .started = sqlite3_column_int64(statement, 3),
                             .turns = (uint32_t)sqlite3_column_int64(statement, 4),
                             .errors = (uint32_t)sqlite3_column_int64(statement, 5),
                             .is_completed = sqlite3_column_int64(statement, 6) != 0,
                             .players = column_text(statement, 7),
                             .goals = column_text(statement, 8)};
        visit(context, &match);
    }
    return well;
}

bool store_visit_matches(Store *store, int64_t before, uint32_t most, MatchVisitor *visit,
                         void *context, Report *report) {
    pthread_mutex_lock(&store->mutex);
    sqlite3_stmt *statement =
        bind(store, LIST_MATCHES, "ii", before ? before : INT64_MAX, (int64_t)most);
    bool well = visit_matches(store, statement, visit, context, report);
    pthread_mutex_unlock(&store->mutex);
    return well;
}

bool store_visit_played(Store *store, const char *tournament, MatchVisitor *visit, void *context,
                        Report *report) {
    pthread_mutex_lock(&store->mutex);
    bool well =
        visit_matches(store, bind(store, LIST_PLAYED, "t", tournament), visit, context, report);
    pthread_mutex_unlock(&store->mutex);
    return well;
}

int64_t store_find_match(Store *store, const char *id, Report *report) {
    pthread_mutex_lock(&store->mutex);
    int64_t number = read_number(store, bind(store, FIND_MATCH, "t", id), report);
    pthread_mutex_unlock(&store->mutex);
    return number;
}

/* What the page keeps. */

/* A statement that is a transaction by itself. */
static bool run_alone(Store *store, Report *report, Statement which, const char *types, ...) {
    va_list values;
    pthread_mutex_lock(&store->mutex);
    va_start(values, types);
    bool well = run(store, bind_list(store, which, types, values), report);
    va_end(values);
    pthread_mutex_unlock(&store->mutex);
    return well;
}

/* Texts are copied first, so that visitors may call the store. */
static bool visit_rows(Store *store, Report *report, Statement which, const char *key,
                       StoreVisitor *visit, void *context) {
    bool well = true;
    Arena arena = {0};
    VECTOR(const char *) texts = {0};
    pthread_mutex_lock(&store->mutex);
    sqlite3_stmt *statement = bind(store, which, key ? "t" : "", key);
    int columns = sqlite3_column_count(statement);
    while (next_row(store, statement, &well, report))
        for (int c = 0; c < columns; c++) {
            const char *text = column_text(statement, c);
            vector_push(&texts, arena_copy(&arena, text, strlen(text)));
        }
    pthread_mutex_unlock(&store->mutex);
    for (size_t i = 0; i < texts.count; i += (size_t)columns)
        visit(context, texts.items + i);
    vector_free(&texts);
    arena_free(&arena);
    return well;
}

bool store_add_upload(Store *store, const char *id, const char *name, const char *rules,
                      Report *report) {
    return run_alone(store, report, ADD_UPLOAD, "ttt", id, name, rules);
}

bool store_visit_uploads(Store *store, StoreVisitor *visit, void *context, Report *report) {
    return visit_rows(store, report, LIST_UPLOADS, NULL, visit, context);
}

bool store_get_facts(Store *store, uint64_t hash, Text *facts, Report *report) {
    bool well = true;
    text_clear(facts);
    pthread_mutex_lock(&store->mutex);
    sqlite3_stmt *statement = bind(store, GET_FACTS, "i", (int64_t)hash);
    bool found = next_row(store, statement, &well, report);
    if (found)
        text_add(facts, column_text(statement, 0));
    sqlite3_reset(statement);
    pthread_mutex_unlock(&store->mutex);
    return found;
}

bool store_set_facts(Store *store, uint64_t hash, const char *facts, Report *report) {
    return run_alone(store, report, SET_FACTS, "it", (int64_t)hash, facts);
}

bool store_add_live(Store *store, const char *id, const char *setup, Report *report) {
    return run_alone(store, report, ADD_LIVE, "tt", id, setup);
}

bool store_add_turn(Store *store, const char *id, uint32_t turn, const char *moves,
                    Report *report) {
    return run_alone(store, report, ADD_TURN, "tit", id, (int64_t)turn, moves);
}

bool store_take_back(Store *store, const char *id, uint32_t turn, Report *report) {
    return run_alone(store, report, FORGET_THOUGHTS, "ti", id, (int64_t)turn) &&
           run_alone(store, report, TAKE_BACK, "ti", id, (int64_t)turn);
}

bool store_add_thought(Store *store, const char *id, uint32_t turn, uint32_t role,
                       const char *thought, Report *report) {
    return run_alone(store, report, ADD_THOUGHT, "tiit", id, (int64_t)turn, (int64_t)role, thought);
}

bool store_visit_thoughts(Store *store, const char *id, StoreVisitor *visit, void *context,
                          Report *report) {
    return visit_rows(store, report, LIST_THOUGHTS, id, visit, context);
}

bool store_visit_live(Store *store, StoreVisitor *visit, void *context, Report *report) {
    return visit_rows(store, report, LIST_LIVE, NULL, visit, context);
}

bool store_visit_turns(Store *store, const char *id, StoreVisitor *visit, void *context,
                       Report *report) {
    return visit_rows(store, report, LIST_TURNS, id, visit, context);
}

bool store_end_live(Store *store, const char *id, const MatchRecord *record, Report *report) {
    if (!begin(store, report))
        return false;
    bool well = !record || add_match(store, record, report);
    well = well && run(store, bind(store, END_LIVE, "t", id), report);
    return end(store, well, report);
}

bool store_add_hosted(Store *store, const char *name, const char *definition, Report *report) {
    return run_alone(store, report, ADD_HOSTED, "tt", name, definition);
}

bool store_visit_hosted(Store *store, StoreVisitor *visit, void *context, Report *report) {
    return visit_rows(store, report, LIST_HOSTED, NULL, visit, context);
}

/* Tournaments. */

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
    if (!begin(store, report))
        return 0;
    bool well = run(
        store, bind(store, ADD_TOURNAMENT, "tti", name, definition, (int64_t)time(NULL)), report);
    int64_t id = 0;
    sqlite3_stmt *statement = bind(store, FIND_TOURNAMENT, "t", name);
    if (well && next_row(store, statement, &well, report)) {
        id = sqlite3_column_int64(statement, 0);
        well = strcmp(column_text(statement, 1), definition) == 0;
        if (!well)
            report_error(report, "other-tournament",
                         "%s has a tournament `%s` already, with another definition or other rules",
                         store->path, name);
    }
    sqlite3_reset(statement);
    return end(store, well, report) ? id : 0;
}

/* "0 3 -": players by seat, - for nobody. */
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
    bool well = run(store,
                    bind(store, ADD_JOB, "iiiiiiit", tournament, (int64_t)job->number,
                         (int64_t)job->round, (int64_t)job->encounter, (int64_t)job->game,
                         (int64_t)job->board, (int64_t)job->seed, text_string(&seats)),
                    report);
    vector_free(&seats);
    return well;
}

bool store_add_jobs(Store *store, int64_t tournament, const Jobs *jobs, size_t first,
                    Report *report) {
    if (!begin(store, report))
        return false;
    bool well = true;
    for (size_t i = first; well && i < jobs->items.count; i++)
        well = add_job(store, tournament, &jobs->items.items[i], report);
    return end(store, well, report);
}

/* Rows come by job and seat. */
static bool read_results(Store *store, int64_t tournament, Jobs *jobs, Report *report) {
    bool well = true;
    sqlite3_stmt *statement = bind(store, LIST_RESULTS, "i", tournament);
    for (uint32_t seat = 0, last = UINT32_MAX; next_row(store, statement, &well, report);) {
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
    return well;
}

bool store_read_jobs(Store *store, int64_t tournament, Jobs *jobs, Report *report) {
    bool well = true;
    pthread_mutex_lock(&store->mutex);
    sqlite3_stmt *statement = bind(store, LIST_JOBS, "i", tournament);
    while (next_row(store, statement, &well, report)) {
        Job *job = read_seats(jobs, column_text(statement, 6));
        job->round = (uint32_t)sqlite3_column_int64(statement, 1);
        job->encounter = (uint32_t)sqlite3_column_int64(statement, 2);
        job->game = (uint32_t)sqlite3_column_int64(statement, 3);
        job->board = (uint32_t)sqlite3_column_int64(statement, 4);
        job->seed = (uint64_t)sqlite3_column_int64(statement, 5);
    }
    well = well && read_results(store, tournament, jobs, report);
    pthread_mutex_unlock(&store->mutex);
    return well;
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
        job->errors[seat++] = errors_of_role(record, r);
    }
}

bool store_finish_job(Store *store, int64_t tournament, Job *job, const MatchRecord *record,
                      Report *report) {
    if (!begin(store, report))
        return false;
    int64_t match = add_match(store, record, report);
    bool well =
        match &&
        run(store, bind(store, FINISH_JOB, "iii", match, tournament, (int64_t)job->number), report);
    if (well && sqlite3_changes(store->database) != 1) {
        report_error(report, "database", "match %u has been played already", job->number);
        well = false;
    }
    if (!end(store, well, report))
        return false;
    note_results(job, record);
    return true;
}
