/* Tests the store: records are read as they were written, and files of other programs are not
 * changed. */
#include "server/store/store.h"

#include "server/store/database.h"

TestSuite(store, .timeout = 600);

static void assert_refused(const char *path, const char *reason) {
    Report report = {0};
    cr_expect_null(store_open(path, &report));
    cr_assert(report_failed(&report));
    cr_expect(strstr(report.items.items[0].message, reason), "%s", report.items.items[0].message);
    report_free(&report);
}

static MatchRecord *play(Game *game, uint64_t seed) {
    Report report = {0};
    Contestant c;
    cr_assert(contestant_read(&c, "random", &report));
    const Contestant *contestants[] = {&c, &c};
    MatchSetup setup = {.game = game,
                        .game_name = "a game",
                        .contestants = contestants,
                        .contestant_count = game_count_players(game),
                        .startclock = 1,
                        .playclock = 1,
                        .seed = seed};
    MatchRecord *record = match_play(&setup, &report);
    cr_assert_not_null(record);
    contestant_free(&c);
    report_free(&report);
    return record;
}

static void see_match(void *context, const StoredMatch *match) {
    Text *text = context;
    text_printf(text, "%lld %s %s %s %d\n", (long long)match->number, match->game, match->players,
                match->goals, match->is_completed);
}

Test(store, matches_come_back) {
    char *path = new_path();
    Game *game = game_named("tic_tac_toe", NULL);
    MatchRecord *record = play(game, 1);
    Report report = {0};
    Store *store = open_store(path);
    cr_expect_eq(store_add_match(store, record, &report), 1);
    store_close(store);
    store = open_store(path);
    Text json = {0}, list = {0}, expected = {0};
    cr_assert(store_record(store, 1, &json, &report));
    cr_expect(strstr(json.items, record->id), "%s", json.items);
    text_printf(&expected, "1 a game random\nrandom %d\n%d 1\n", record->goals[0],
                record->goals[1]);
    cr_assert(store_visit_matches(store, 0, 10, see_match, &list, &report));
    cr_expect_str_eq(list.items, expected.items);
    cr_expect(!report_failed(&report));
    cr_expect(!store_record(store, 2, &json, &report));
    cr_expect(report_failed(&report));
    vector_free(&json);
    vector_free(&list);
    vector_free(&expected);
    report_free(&report);
    store_close(store);
    match_free(record);
    game_free(game);
    remove_folder(path);
}

Test(store, a_match_is_stored_once) {
    char *path = new_path();
    Game *game = game_named("tic_tac_toe", NULL);
    MatchRecord *record = play(game, 1);
    Report report = {0};
    Store *store = open_store(path);
    Text list = {0};
    cr_expect_eq(store_add_match(store, record, &report), 1);
    cr_expect_eq(store_add_match(store, record, &report), 0);
    cr_expect(report_failed(&report));
    cr_assert(store_visit_matches(store, 0, 10, see_match, &list, &report));
    cr_expect_null(strstr(list.items, "2 a game"));
    vector_free(&list);
    report_free(&report);
    store_close(store);
    match_free(record);
    game_free(game);
    remove_folder(path);
}

/* Matches are listed newest first, page by page. */
Test(store, matches_are_listed_in_pages) {
    char *path = new_path();
    Game *game = game_of_text(over_text, NULL);
    Report report = {0};
    Store *store = open_store(path);
    for (uint64_t seed = 0; seed < 5; seed++) {
        MatchRecord *record = play(game, seed);
        cr_assert(store_add_match(store, record, &report));
        match_free(record);
    }
    Text list = {0};
    store_visit_matches(store, 4, 2, see_match, &list, &report);
    cr_expect_str_eq(list.items, "3 a game random 100 1\n2 a game random 100 1\n");
    vector_free(&list);
    report_free(&report);
    store_close(store);
    game_free(game);
    remove_folder(path);
}

static void fill_jobs(Jobs *jobs) {
    for (uint32_t i = 0; i < 3; i++) {
        Job *job = jobs_add(jobs, 2);
        job->round = i / 2;
        job->encounter = i;
        job->game = 7;
        job->board = 1;
        job->seed = UINT64_MAX - i;
        job->players[i % 2] = 12;
    }
}

Test(store, jobs_are_played_once) {
    char *path = new_path();
    Game *game = game_named("tic_tac_toe", NULL);
    MatchRecord *record = play(game, 1), *other = play(game, 2);
    Report report = {0};
    Store *store = open_store(path);
    Jobs jobs = {0}, read = {0};
    fill_jobs(&jobs);
    int64_t id = store_tournament(store, "cup", "{}", &report);
    cr_assert_neq(id, 0);
    cr_assert(store_add_jobs(store, id, &jobs, 0, &report));
    cr_assert(store_finish_job(store, id, &jobs.items.items[1], record, &report));
    cr_expect(jobs.items.items[1].is_played);
    cr_expect(!store_finish_job(store, id, &jobs.items.items[1], other, &report));
    store_close(store);
    store = open_store(path);
    cr_expect_eq(store_tournament(store, "cup", "{}", &report), id);
    cr_assert(store_read_jobs(store, id, &read, &report));
    cr_assert_eq(read.items.count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const Job *job = &read.items.items[i];
        cr_expect(job->number == i && job->round == i / 2 && job->encounter == i);
        cr_expect(job->game == 7 && job->board == 1 && job->seed == UINT64_MAX - i);
        cr_expect(job->players[i % 2] == 12 && job->players[1 - i % 2] == JOB_NOBODY);
        cr_expect_eq(job->is_played, i == 1);
    }
    cr_expect_eq(read.items.items[1].goals[0], record->goals[0]);
    cr_expect_eq(read.items.items[1].goals[1], record->goals[1]);
    jobs_free(&jobs);
    jobs_free(&read);
    report_free(&report);
    store_close(store);
    match_free(record);
    match_free(other);
    game_free(game);
    remove_folder(path);
}

Test(store, a_tournament_keeps_its_definition) {
    char *path = new_path();
    Report report = {0};
    Store *store = open_store(path);
    int64_t first = store_tournament(store, "cup", "{1}", &report);
    cr_expect_neq(store_tournament(store, "league", "{2}", &report), first);
    cr_expect(!report_failed(&report));
    cr_expect_eq(store_tournament(store, "cup", "{2}", &report), 0);
    cr_expect(report_failed(&report));
    report_free(&report);
    store_close(store);
    remove_folder(path);
}

Test(store, one_process_at_a_time) {
    char *path = new_path();
    Report report = {0};
    Store *first = open_store(path), *second = open_store(path);
    cr_expect(store_claim(first, &report));
    cr_expect(!store_claim(second, &report));
    store_close(second);
    store_close(first);
    second = open_store(path);
    cr_expect(store_claim(second, &report));
    store_close(second);
    report_free(&report);
    remove_folder(path);
}

static bool anything(const char *bytes, size_t length) {
    (void)bytes, (void)length;
    return true;
}

static char *bytes_of(const char *path, size_t *length) {
    Report report = {0};
    Source *source = source_read_if(path, anything, &report);
    cr_assert_not_null(source);
    char *bytes = memory_alloc(source->length + 1);
    memcpy(bytes, source->text, source->length);
    *length = source->length;
    source_free(source);
    report_free(&report);
    return bytes;
}

static void write_bytes(const char *path, const char *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

/* This includes tiny files, and files that only begin like a database. */
Test(store, what_is_no_database_stays_as_it_is) {
    static const char *const texts[] = {"x", "SQLite format 3", "(role white)\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *path = new_path();
        size_t length;
        write_bytes(path, texts[i], strlen(texts[i]));
        assert_refused(path, "is no database");
        char *after = bytes_of(path, &length);
        cr_expect(length == strlen(texts[i]) && memcmp(after, texts[i], length) == 0);
        free(after);
        remove_folder(path);
    }
}

Test(store, large_texts_stay_as_they_are) {
    char *path = new_path(), *text = text_of_game("tic_tac_toe");
    size_t length;
    write_bytes(path, text, strlen(text));
    assert_refused(path, "is no database");
    char *after = bytes_of(path, &length);
    cr_expect(length == strlen(text) && memcmp(after, text, length) == 0);
    free(after);
    free(text);
    remove_folder(path);
}

Test(store, databases_of_others_stay_as_they_are) {
    char *path = new_path();
    size_t before, after;
    execute(path, "CREATE TABLE t (x); INSERT INTO t VALUES (1)");
    char *first = bytes_of(path, &before);
    assert_refused(path, "another program");
    char *second = bytes_of(path, &after);
    cr_expect(before == after && memcmp(first, second, before) == 0);
    free(first);
    free(second);
    remove_folder(path);
}

/* The file has an older layout, without the tables of the page, and contains a match. */
Test(store, older_layouts_are_brought_up_to_date) {
    char *path = new_path();
    Report report = {0};
    Text json = {0};
    Game *game = game_named("tic_tac_toe", NULL);
    MatchRecord *record = play(game, 1);
    Store *store = open_store(path);
    cr_assert_gt(store_add_match(store, record, &report), 0);
    store_close(store);
    execute(path, "DROP TABLE uploads; DROP TABLE facts; DROP TABLE live_turns; DROP TABLE live;"
                  "DROP TABLE thoughts; DROP TABLE hosted; PRAGMA user_version = 1");
    store = open_store(path);
    cr_expect(store_record(store, 1, &json, &report));
    cr_expect(store_add_upload(store, "own-1", "mine", "(role x)", &report));
    cr_expect(store_add_live(store, "m2", "{}", &report));
    cr_expect(store_add_turn(store, "m2", 0, "{}", &report));
    store_close(store);
    vector_free(&json);
    match_free(record);
    game_free(game);
    report_free(&report);
    remove_folder(path);
}

Test(store, newer_layouts_are_refused) {
    char *path = new_path();
    store_close(open_store(path));
    execute(path, "PRAGMA user_version = 99");
    assert_refused(path, "newer Marelle");
    remove_folder(path);
}

Test(store, damage_is_noticed) {
    char *path = new_path();
    size_t length;
    store_close(open_store(path));
    char *bytes = bytes_of(path, &length);
    cr_assert_gt(length, 8192);
    memset(bytes + 4096, 0x5a, 4096);
    write_bytes(path, bytes, length);
    assert_refused(path, "damaged");
    size_t after;
    char *again = bytes_of(path, &after);
    cr_expect(after == length && memcmp(again, bytes, length) == 0);
    free(bytes);
    free(again);
    remove_folder(path);
}

Test(store, places_that_cannot_be_written) {
    assert_refused("/nonexistent/folder/test.db", "unable to open");
}
