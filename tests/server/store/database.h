/* Databases for tests, each in its own folder. */
#pragma once

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "game/play.h"
#include "server/store/store.h"

/* Returns a name for a database in a new folder, which remove_folder removes. */
static char *new_path(void) {
    char folder[] = "/tmp/marelle-store-XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    Text path = {0};
    text_printf(&path, "%s/test.db", folder);
    return path.items;
}

static void remove_folder(char *path) {
    static const char *const endings[] = {"", "-wal", "-shm", "-running"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        Text file = {0};
        text_printf(&file, "%s%s", path, endings[i]);
        unlink(file.items);
        vector_free(&file);
    }
    *strrchr(path, '/') = '\0';
    cr_expect_eq(rmdir(path), 0);
    free(path);
}

static Store *open_store(const char *path) {
    Report report = {0};
    Store *store = store_open(path, &report);
    cr_assert_not_null(store, "%s", report.items.count ? report.items.items[0].message : "");
    report_free(&report);
    return store;
}

static void execute(const char *path, const char *sql) {
    sqlite3 *database;
    cr_assert_eq(sqlite3_open(path, &database), SQLITE_OK);
    sqlite3_busy_timeout(database, 10000); /* a store that was killed may still hold its lock */
    cr_assert_eq(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK, "%s",
                 sqlite3_errmsg(database));
    sqlite3_close(database);
}
