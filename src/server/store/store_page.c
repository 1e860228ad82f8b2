/* Stores the other data of the page: uploaded rules, findings about games, matches that are not
 * over, and tournaments. */
#include <string.h>

#include "server/store/store_internal.h"

/* Runs a statement that is a transaction by itself. */
static bool run_alone(Store *store, Report *report, const char *sql, const char *types, ...) {
    va_list values;
    pthread_mutex_lock(&store->mutex);
    va_start(values, types);
    bool ok = store_run(store, store_bind_list(store, sql, types, values), report);
    va_end(values);
    pthread_mutex_unlock(&store->mutex);
    return ok;
}

/* Texts are copied first, so that visitors may call the store. */
bool store_visit(Store *store, StoreList list, const char *match, StoreVisitor *visit,
                 void *context, Report *report) {
    static const char *const queries[] = {
        [STORE_UPLOADS] = "SELECT id, name, rules FROM uploads ORDER BY rowid",
        [STORE_LIVE] = "SELECT id, setup FROM live ORDER BY rowid",
        [STORE_HOSTED] = "SELECT name, definition FROM hosted ORDER BY rowid",
        [STORE_TURNS] = "SELECT moves FROM live_turns WHERE match = ? ORDER BY turn",
        [STORE_THOUGHTS] =
            "SELECT turn, role, thought FROM thoughts WHERE match = ? ORDER BY turn, role"};
    bool ok = true;
    Arena arena = {0};
    VECTOR(const char *) texts = {0};
    pthread_mutex_lock(&store->mutex);
    sqlite3_stmt *statement = store_bind(store, queries[list], match ? "t" : "", match);
    int columns = sqlite3_column_count(statement);
    while (store_next_row(store, statement, &ok, report))
        for (int c = 0; c < columns; c++) {
            const char *text = store_column_text(statement, c);
            vector_push(&texts, arena_copy(&arena, text, strlen(text)));
        }
    pthread_mutex_unlock(&store->mutex);
    for (size_t i = 0; i < texts.count; i += (size_t)columns)
        visit(context, texts.items + i);
    vector_free(&texts);
    arena_free(&arena);
    return ok;
}

bool store_add_upload(Store *store, const char *id, const char *name, const char *rules,
                      Report *report) {
    return run_alone(
        store, report,
        "INSERT INTO uploads (id, name, rules) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", "ttt", id,
        name, rules);
}

bool store_remove_upload(Store *store, const char *id, Report *report) {
    return run_alone(store, report, "DELETE FROM uploads WHERE id = ?", "t", id);
}

bool store_get_facts(Store *store, uint64_t hash, Text *facts, Report *report) {
    text_clear(facts);
    pthread_mutex_lock(&store->mutex);
    sqlite3_stmt *statement =
        store_bind(store, "SELECT facts FROM facts WHERE hash = ?", "i", (int64_t)hash);
    bool found = store_read_text(store, statement, facts, report);
    pthread_mutex_unlock(&store->mutex);
    return found;
}

bool store_set_facts(Store *store, uint64_t hash, const char *facts, Report *report) {
    return run_alone(store, report, "INSERT OR REPLACE INTO facts (hash, facts) VALUES (?, ?)",
                     "it", (int64_t)hash, facts);
}

bool store_add_live(Store *store, const char *id, const char *setup, Report *report) {
    return run_alone(store, report, "INSERT INTO live (id, setup) VALUES (?, ?)", "tt", id, setup);
}

bool store_add_turn(Store *store, const char *id, uint32_t turn, const char *moves,
                    Report *report) {
    return run_alone(store, report, "INSERT INTO live_turns (match, turn, moves) VALUES (?, ?, ?)",
                     "tit", id, (int64_t)turn, moves);
}

bool store_take_back(Store *store, const char *id, uint32_t turn, Report *report) {
    if (!store_begin_transaction(store, report))
        return false;
    bool ok = store_change(store, report, "DELETE FROM thoughts WHERE match = ? AND turn >= ?",
                           "ti", id, (int64_t)turn) &&
              store_change(store, report, "DELETE FROM live_turns WHERE match = ? AND turn >= ?",
                           "ti", id, (int64_t)turn);
    return store_end_transaction(store, ok, report);
}

bool store_add_thought(Store *store, const char *id, uint32_t turn, uint32_t role,
                       const char *thought, Report *report) {
    return run_alone(
        store, report,
        "INSERT OR REPLACE INTO thoughts (match, turn, role, thought) VALUES (?, ?, ?, ?)", "tiit",
        id, (int64_t)turn, (int64_t)role, thought);
}

bool store_end_live(Store *store, const char *id, const MatchRecord *record, Report *report) {
    if (!store_begin_transaction(store, report))
        return false;
    bool ok = !record || store_insert_match(store, record, report);
    ok = ok && store_change(store, report, "DELETE FROM live WHERE id = ?", "t", id);
    return store_end_transaction(store, ok, report);
}

bool store_add_hosted(Store *store, const char *name, const char *definition, Report *report) {
    return run_alone(store, report, "INSERT INTO hosted (name, definition) VALUES (?, ?)", "tt",
                     name, definition);
}
