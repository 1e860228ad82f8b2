/* Shared by the files that implement store.h: statements and transactions. All functions but
 * store_begin_transaction are called with the mutex locked. */
#pragma once

#include <pthread.h>
#include <sqlite3.h>

#include "server/store/store.h"

typedef struct {
    const char *sql; /* statements are found by the address of their text */
    sqlite3_stmt *statement;
} Prepared;

struct Store {
    char *path;
    sqlite3 *database;
    VECTOR(Prepared) prepared;
    pthread_mutex_t mutex;
    int claim; /* descriptor of the lock file; -1 if the store is not claimed */
    char *claim_path;
};

/* Reports the last error of the database. Returns false. */
bool store_fail(Store *store, Report *report);

/* Returns the statement, prepared when it is first used, with values for its parameters: i int64_t,
 * d double, t text, n nothing. The SQL text must be static. */
sqlite3_stmt *store_bind(Store *store, const char *sql, const char *types, ...);
sqlite3_stmt *store_bind_list(Store *store, const char *sql, const char *types, va_list values);
/* Binds and executes a statement without rows. */
bool store_change(Store *store, Report *report, const char *sql, const char *types, ...);
/* Executes a bound statement without rows. */
bool store_run(Store *store, sqlite3_stmt *statement, Report *report);
/* True while there is another row; *ok becomes false when reading failed. */
bool store_next_row(Store *store, sqlite3_stmt *statement, bool *ok, Report *report);
/* Returns the first number of the first row; 0 if there is none. */
int64_t store_read_number(Store *store, sqlite3_stmt *statement, Report *report);
/* Appends the first text of the first row; false if there is none. */
bool store_read_text(Store *store, sqlite3_stmt *statement, Text *text, Report *report);
/* The text of a column, never NULL. */
const char *store_column_text(sqlite3_stmt *statement, int column);

/* Locks the mutex and begins a transaction. False, with the mutex unlocked, if that fails. */
bool store_begin_transaction(Store *store, Report *report);
/* Commits if all went well so far, else rolls everything back. Unlocks the mutex. */
bool store_end_transaction(Store *store, bool ok, Report *report);

/* Adds a match within a transaction. Returns its number, or 0. */
int64_t store_insert_match(Store *store, const MatchRecord *record, Report *report);
/* The number of errors of one role. */
uint32_t store_count_errors(const MatchRecord *record, uint32_t role);
