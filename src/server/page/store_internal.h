/* What the files of store.h share: statements and transactions. All functions but
 * store_begin_transaction are called with the mutex held. */
#pragma once

#include <pthread.h>
#include <sqlite3.h>

#include "server/page/store.h"

typedef struct {
    const char *sql; /* found by its address */
    sqlite3_stmt *statement;
} Prepared;

struct Store {
    char *path;
    sqlite3 *database;
    VECTOR(Prepared) prepared;
    pthread_mutex_t mutex;
    int claim; /* descriptor of the locked file; -1 if nothing is claimed */
    char *claim_path;
};

/* Reports the last error of the database; false. */
bool store_fail(Store *store, Report *report);

/* The statement, prepared when it is first used, with values for its parameters: i int64_t, d
 * double, t text, n nothing. The SQL text must be static. */
sqlite3_stmt *store_bind(Store *store, const char *sql, const char *types, ...);
sqlite3_stmt *store_bind_list(Store *store, const char *sql, const char *types, va_list values);
/* Binds and executes a statement without rows. */
bool store_change(Store *store, Report *report, const char *sql, const char *types, ...);
/* Executes a bound statement without rows. */
bool store_run(Store *store, sqlite3_stmt *statement, Report *report);
/* True while there is another row; *well becomes false when reading failed. */
bool store_next_row(Store *store, sqlite3_stmt *statement, bool *well, Report *report);
/* The first number of the first row, 0 if there is none. */
int64_t store_read_number(Store *store, sqlite3_stmt *statement, Report *report);
/* Appends the first text of the first row; false if there is none. */
bool store_read_text(Store *store, sqlite3_stmt *statement, Text *text, Report *report);
/* The text of a column, never NULL. */
const char *store_column_text(sqlite3_stmt *statement, int column);

/* Takes the mutex and begins a transaction; false, without the mutex, if that fails. */
bool store_begin_transaction(Store *store, Report *report);
/* Commits if all went well so far, else rolls everything back; gives the mutex back. */
bool store_end_transaction(Store *store, bool well, Report *report);

/* Adds a match within a transaction; its number, or 0. */
int64_t store_insert_match(Store *store, const MatchRecord *record, Report *report);
/* The number of errors of one role. */
uint32_t store_count_errors(const MatchRecord *record, uint32_t role);
