/* Tests that a match of the page is stored turn by turn, and that spectators are told if it cannot
 * be stored. */
#include "server/page/live.h"

#include "server/store/database.h"

TestSuite(live, .timeout = 600);

/* The environment of matches: a new database and one game. */
typedef struct {
    char *path;
    LiveServices tools;
} Bench;

static Bench set_up(const char *game) {
    Bench b = {.path = new_path()};
    Report report = {0};
    char file[1000];
    snprintf(file, sizeof file, "%s/../games/%s.kif", MARELLE_TESTS, game);
    b.tools.store = open_store(b.path);
    b.tools.library = library_create(
        &(LibraryOptions){.store = b.tools.store, .max_bytes = 1 << 28, .max_uploads = 2}, &report);
    b.tools.slots = slots_create(1);
    b.tools.limits = limits_create(100, 3600);
    library_add_file(b.tools.library, game, file);
    report_free(&report);
    return b;
}

static void tear_down(Bench *b) {
    library_free(b->tools.library);
    store_close(b->tools.store);
    slots_free(b->tools.slots);
    limits_free(b->tools.limits);
    remove_folder(b->path);
}

static LiveMatch *begin(Bench *b, const char *id, json_t *setup) {
    Report report = {0};
    LiveMatch *match = live_create(&b->tools, id, setup, &report);
    cr_assert_not_null(match, "%s", report.items.count ? report.items.items[0].message : "");
    cr_assert(live_run(match, &report));
    report_free(&report);
    return match;
}

static json_t *new_setup(Bench *b, const char *game, const char *first, const char *second) {
    Report report = {0};
    json_t *wanted =
        json_pack("{s:s,s:[s,s],s:i}", "game", game, "players", first, second, "seed", 7);
    json_t *setup = live_check_setup(wanted, &b->tools, "test", false, &report);
    cr_assert_not_null(setup, "%s", report.items.count ? report.items.items[0].message : "");
    char *text = dump_json(json_incref(setup));
    cr_assert(store_add_live(b->tools.store, "m1", text, &report));
    free(text);
    json_decref(wanted);
    report_free(&report);
    return setup;
}

static json_t *document(LiveMatch *match, uint32_t role) {
    Text text = {0};
    live_document(match, role, &text);
    json_t *object = json_loadb(text.items, text.count, 0, NULL);
    cr_assert_not_null(object);
    vector_free(&text);
    return object;
}

static void await_end(LiveMatch *match) {
    uint64_t seen = 0;
    bool stopped = false;
    while (!live_is_ended(match))
        cr_assert(live_wait(match, &seen, 60, &stopped));
}

static const char *status_of(const json_t *document) {
    return json_string_value(json_object_get(document, "status"));
}

static void count_turn(void *context, const char *const *texts) {
    (void)texts;
    ++*(size_t *)context;
}

static size_t stored_turns(Bench *b) {
    size_t count = 0;
    Report report = {0};
    cr_assert(store_visit(b->tools.store, STORE_TURNS, "m1", count_turn, &count, &report));
    report_free(&report);
    return count;
}

Test(live, a_turn_that_cannot_be_stored_is_not_shown) {
    Bench b = set_up("tic_tac_toe");
    json_t *setup = new_setup(&b, "tic_tac_toe", "random", "random");
    execute(b.path, "CREATE TRIGGER full BEFORE INSERT ON live_turns WHEN NEW.turn = 3"
                    " BEGIN SELECT RAISE(ABORT, 'the disk is full'); END");
    LiveMatch *match = begin(&b, "m1", setup);
    await_end(match);
    json_t *shown = document(match, LIVE_NOBODY);
    const json_t *faults = json_object_get(shown, "faults");
    cr_expect_str_eq(status_of(shown), "broken");
    cr_expect_eq(json_integer_value(json_object_get(shown, "turn")), 3);
    cr_assert_eq(json_array_size(faults), 1);
    const json_t *fault = json_array_get(faults, 0);
    cr_expect(strstr(json_string_value(json_object_get(fault, "message")), "the disk is full"));
    cr_expect_eq(json_integer_value(json_object_get(fault, "turn")), 3);
    cr_expect_eq(stored_turns(&b), 3);
    json_decref(shown);
    live_free(match);

    /* After a restart, with room on the disk, the match is played to its end. */
    execute(b.path, "DROP TRIGGER full");
    match = begin(&b, "m1", setup);
    await_end(match);
    shown = document(match, LIVE_NOBODY);
    cr_expect_str_eq(status_of(shown), "over");
    cr_expect_eq(json_array_size(json_object_get(shown, "faults")), 0);
    cr_expect_eq(stored_turns(&b), 0, "the turns go into the record");
    json_decref(shown);
    live_free(match);
    json_decref(setup);
    tear_down(&b);
}

/* Waits for the question and makes the first legal move. Returns the number of turns shown then. */
static size_t move_once(LiveMatch *match, uint32_t role, bool is_move) {
    Report report = {0};
    uint64_t seen = 0;
    bool stopped = false;
    while (!live_is_waiting(match))
        cr_assert(live_wait(match, &seen, 60, &stopped));
    json_t *shown = document(match, role);
    const json_t *legal = json_array_get(json_object_get(shown, "legal"), 0);
    size_t turns = json_array_size(json_object_get(shown, "moves"));
    if (is_move)
        cr_assert(
            live_move(match, role, json_string_value(json_object_get(legal, "move")), &report));
    json_decref(shown);
    report_free(&report);
    return turns;
}

Test(live, a_take_back_that_cannot_be_stored_stops_the_match) {
    Bench b = set_up("tic_tac_toe");
    Report report = {0};
    json_t *setup = new_setup(&b, "tic_tac_toe", "human", "random");
    LiveMatch *match = begin(&b, "m1", setup);
    cr_expect_eq(move_once(match, 0, true), 0);
    uint64_t seen = 0;
    bool stopped = false;
    while (stored_turns(&b) < 2 || !live_is_waiting(match))
        live_wait(match, &seen, 1, &stopped);
    cr_expect_eq(move_once(match, 0, false), 2);
    cr_assert(live_take_back(match, 0, &report));
    while (stored_turns(&b))
        live_wait(match, &seen, 1, &stopped);
    cr_expect_eq(move_once(match, 0, true), 0, "taken back");
    execute(b.path, "CREATE TRIGGER full BEFORE DELETE ON live_turns"
                    " BEGIN SELECT RAISE(ABORT, 'the disk is full'); END");
    while (stored_turns(&b) < 2 || !live_is_waiting(match))
        live_wait(match, &seen, 1, &stopped);
    cr_assert(live_take_back(match, 0, &report));
    await_end(match);
    json_t *shown = document(match, 0);
    cr_expect_str_eq(status_of(shown), "broken");
    cr_expect_eq(json_array_size(json_object_get(shown, "faults")), 1);
    cr_expect_eq(stored_turns(&b), 2);
    json_decref(shown);
    live_free(match);
    json_decref(setup);
    report_free(&report);
    tear_down(&b);
}
