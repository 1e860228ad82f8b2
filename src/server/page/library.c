/* A game has three stages: listed (its rules were read), surveyed (it was built once, and the
 * findings are stored as JSON under the hash of the rules) and open (it is in memory). JSON texts
 * are concatenated rather than parsed again. */
#include "server/page/library.h"

#include <assert.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/monitor.h"
#include "base/table.h"
#include "gdl/check/check.h"
#include "gdl/info.h"
#include "gdl/write.h"
#include "server/json/inside_json.h"
#include "server/page/inside.h"
#include "server/page/survey.h"

enum {
    BUILD_SECONDS = 8,    /* CPU time per game (untuned) */
    SURVEY_NICENESS = 10, /* priority of the survey (untuned) */
    FACTS_VERSION = 2     /* raised when surveys or looks change, so that they are made anew */
};
static const double board_seconds = 2; /* seconds to recognise a board (untuned) */
static const GameOptions build = {.build_seconds = BUILD_SECONDS, .build_bytes = (size_t)1 << 30};

typedef struct {
    OpenGame open; /* .game is NULL until it is built */
    char *id, *name, *text;
    size_t length;
    uint64_t hash; /* hash of the text and the program's version */
    char *facts;   /* JSON: facts that need no circuit, such as the title and the roles */
    char *survey;  /* JSON: see survey.h; NULL until it is known */
    bool is_upload, is_building;
    unsigned users;
    double last_used;
} Entry;

struct Library {
    Store *store;
    size_t max_open, max_uploads, uploads;
    Monitor monitor;
    VECTOR(Entry *) entries; /* entries are never removed */
    Table table;             /* from ids to indices of entries */
    uint64_t version;
    pthread_t surveyor;
    bool has_surveyor, is_stopping;
    pthread_mutex_t building; /* one game is built at a time */
};

static uint64_t hash_text(const char *text) {
    return hash_bytes(text, strlen(text));
}

static Entry *find(const Library *library, const char *id) {
    uint32_t index;
    for (TableProbe p = table_probe(&library->table, hash_text(id));
         table_next(&library->table, &p, &index);)
        if (strcmp(library->entries.items[index]->id, id) == 0)
            return library->entries.items[index];
    return NULL;
}

/* ---- facts of the rules ---- */

static json_t *title_json(const Syntax *syntax) {
    Text title = {0};
    syntax_title(syntax, &title);
    return take_text_json(&title);
}

static char *list_facts(const Entry *entry, const Rules *rules) {
    json_t *roles = json_array();
    Info info = {0};
    size_t players = 0;
    for (size_t i = 0; i < rules->roles.count; i++) {
        Text role = {0};
        write_term_lower(&role, &rules->terms, rules->roles.items[i]);
        players += strcmp(text_string(&role), "random") != 0;
        array_push(roles, take_text_json(&role));
    }
    info_collect(&info, rules);
    json_t *facts = object_of("id", text_json(entry->id), "name", text_json(entry->name), "title",
                              title_json(rules->syntax), "uploaded", json_boolean(entry->is_upload),
                              "roles", roles, "players", count_json(players), "gdl",
                              text_json(rules_use_gdl2(rules) ? "II" : "I"), "chance",
                              json_boolean(rules->has_random), "hidden",
                              json_boolean(rules->has_sees && rules->roles.count > 1), "rules",
                              count_json(info.rules), "bytes", count_json(info.bytes));
    info_free(&info);
    return dump_json(facts);
}

/* Call inside the monitor. */
static Entry *add_entry(Library *library, const char *id, const char *name, const Rules *rules,
                        bool is_upload) {
    const Source *source = rules->syntax->source;
    Entry *entry = memory_zalloc(sizeof *entry);
    entry->id = memory_strdup(id);
    entry->name = memory_strdup(name);
    entry->length = source->length;
    entry->text = memory_alloc(source->length + 1);
    memcpy(entry->text, source->text, source->length + 1);
    entry->hash = hash_mix(hash_bytes(source->text, source->length),
                           hash_mix(hash_text(MARELLE_VERSION), FACTS_VERSION));
    entry->is_upload = is_upload;
    entry->facts = list_facts(entry, rules);
    Text survey = {0};
    Report report = {0};
    if (store_get_facts(library->store, entry->hash, &survey, &report))
        entry->survey = memory_strdup(text_string(&survey));
    report_free(&report);
    vector_free(&survey);
    vector_push(&library->entries, entry);
    table_insert(&library->table, hash_text(id), (uint32_t)library->entries.count - 1);
    library->version++;
    return entry;
}

void library_add_file(Library *library, const char *name, const char *path) {
    Report report = {0};
    Rules *rules = rules_read(path, &report);
    monitor_enter(&library->monitor);
    if (rules && !find(library, name))
        add_entry(library, name, name, rules, false);
    monitor_leave(&library->monitor);
    rules_free(rules);
    report_free(&report);
}

/* ---- uploads ---- */

static void write_id(Text *id, const char *name, const char *text, size_t length) {
    uint64_t hash = hash_mix(hash_bytes(text, length), hash_text(name));
    text_clear(id);
    text_printf(id, "own-%016llx", (unsigned long long)hash);
}

static void add_stored(void *context, const char *const *texts) {
    Library *library = context;
    Report report = {0};
    Rules *rules = rules_read_text(texts[1], texts[2], strlen(texts[2]), &report);
    if (rules && !find(library, texts[0])) {
        add_entry(library, texts[0], texts[1], rules, true);
        library->uploads++;
    }
    rules_free(rules);
    report_free(&report);
}

/* Returns the rules if they pass the checks; NULL with the errors. */
static Rules *read_checked(const char *name, const char *text, size_t length, Report *report) {
    Rules *rules = NULL;
    if (memchr(text, '\0', length))
        report_error(report, "odd-bytes", "rules are text, but this has a zero byte in it");
    else
        rules = rules_read_text(name, text, length, report);
    if (rules)
        rules_check(rules, report);
    report_sort(report);
    if (!report_failed(report))
        return rules;
    rules_free(rules);
    return NULL;
}

bool library_upload(Library *library, const char *name, const char *text, size_t length, Text *id,
                    Report *report) {
    Rules *rules = read_checked(name, text, length, report);
    if (!rules)
        return false;
    bool ok = true;
    write_id(id, name, text, length);
    monitor_enter(&library->monitor);
    if (!find(library, text_string(id))) {
        ok = library->uploads < library->max_uploads;
        if (!ok)
            report_error(report, "full", "there are %zu games already, and room for no more",
                         library->uploads);
        ok = ok && store_add_upload(library->store, text_string(id), name, text, report);
        if (ok) {
            add_entry(library, text_string(id), name, rules, true);
            library->uploads++;
            monitor_announce(&library->monitor);
        }
    }
    monitor_leave(&library->monitor);
    rules_free(rules);
    return ok;
}

/* ---- open games ---- */

static void unload(OpenGame *open) {
    board_free(open->board);
    memory_free(open->board_json, open->initial, open->initial_view);
    if (open->game)
        game_free(open->game);
    *open = (OpenGame){0};
}

static char *view_text(const Board *board, const char *state) {
    Report report = {0};
    BoardView *view = board_view(board, state, &report);
    char *text = view ? dump_json(board_view_json(board, view)) : memory_strdup("null");
    board_view_free(view);
    report_free(&report);
    return text;
}

static void look_at_start(OpenGame *open) {
    Text text = {0};
    State state = {0};
    GameWork *work = game_work(open->game, REASONER_AUTO);
    game_initial(work, &state);
    game_state_text(work, &state, &text);
    open->initial = memory_strdup(text_string(&text));
    open->initial_view = view_text(open->board, open->initial);
    state_free(&state);
    game_work_free(work);
    vector_free(&text);
}

/* Builds the game. Call outside the monitor. */
static bool load(const Entry *entry, OpenGame *open, Report *report) {
    Rules *rules = rules_read_text(entry->name, entry->text, entry->length, report);
    open->game = rules ? game_create(rules, &build, report) : NULL;
    if (!open->game)
        return false;
    open->id = entry->id;
    open->name = entry->name;
    open->board = board_recognise(open->game, &(BoardOptions){.seconds = board_seconds});
    open->board_json = dump_json(boards_json(open->board));
    look_at_start(open);
    return true;
}

/* While there are too many games without a user, unloads the one that has been unused for longest.
 * Call inside the monitor. */
static void make_room(Library *library) {
    for (;;) {
        size_t idle = 0;
        Entry *oldest = NULL;
        for (size_t i = 0; i < library->entries.count; i++) {
            Entry *entry = library->entries.items[i];
            if (!entry->open.game || entry->users || entry->is_building)
                continue;
            idle++;
            if (!oldest || entry->last_used < oldest->last_used)
                oldest = entry;
        }
        if (idle <= library->max_open)
            return;
        unload(&oldest->open);
    }
}

/* Loads the game if necessary. Call inside the monitor, which is left while the game is built. */
static bool make_ready(Library *library, Entry *entry, Report *report) {
    while (entry->is_building)
        monitor_wait(&library->monitor, deadline_never());
    if (entry->open.game)
        return true;
    OpenGame open = {0};
    entry->is_building = true;
    monitor_leave(&library->monitor);
    pthread_mutex_lock(&library->building);
    bool ok = load(entry, &open, report);
    pthread_mutex_unlock(&library->building);
    monitor_enter(&library->monitor);
    entry->is_building = false;
    entry->open = open;
    monitor_announce(&library->monitor);
    return ok;
}

const OpenGame *library_acquire_game(Library *library, const char *id, Report *report) {
    monitor_enter(&library->monitor);
    Entry *entry = find(library, id);
    bool ok = entry && make_ready(library, entry, report);
    if (!entry)
        report_error(report, "no-game", "there is no game `%s`", id);
    if (ok) {
        entry->users++;
        make_room(library);
    }
    monitor_leave(&library->monitor);
    return ok ? &entry->open : NULL;
}

void library_release_game(Library *library, const OpenGame *game) {
    if (!game)
        return;
    monitor_enter(&library->monitor);
    Entry *entry = find(library, game->id);
    assert(entry && entry->users);
    entry->users--;
    entry->last_used = clock_wall_seconds();
    make_room(library);
    monitor_leave(&library->monitor);
}

/* ---- the survey ---- */

/* Waits for a game without a survey; NULL when the server stops. Call inside the monitor. */
static Entry *next_unknown(Library *library) {
    while (!library->is_stopping) {
        for (size_t i = 0; i < library->entries.count; i++)
            if (!library->entries.items[i]->survey)
                return library->entries.items[i];
        monitor_wait(&library->monitor, deadline_never());
    }
    return NULL;
}

static char *survey(Library *library, Entry *entry, Report *report) {
    const OpenGame *open = library_acquire_game(library, entry->id, report);
    if (!open)
        return memory_strdup("{}");
    char *rest = dump_json(survey_game(open->game, &library->is_stopping));
    Text text = {0}, state = {0};
    survey_position(open->game, &state);
    char *view = view_text(open->board, text_string(&state));
    text_printf(&text, "{\"board\":%s,\"view\":%s,%s", open->board_json, view, rest + 1);
    vector_free(&state);
    memory_free(view, rest);
    library_release_game(library, open);
    return text.items;
}

/* The thread that surveys all games, with low priority. */
static void *survey_all(void *context) {
    Library *library = context;
    setpriority(PRIO_PROCESS, (id_t)gettid(), SURVEY_NICENESS);
    monitor_enter(&library->monitor);
    for (Entry *entry; (entry = next_unknown(library));) {
        Report report = {0};
        monitor_leave(&library->monitor);
        char *text = survey(library, entry, &report);
        bool is_whole = !__atomic_load_n(&library->is_stopping, __ATOMIC_RELAXED);
        if (is_whole)
            store_set_facts(library->store, entry->hash, text, &report);
        report_free(&report);
        monitor_enter(&library->monitor);
        entry->survey = text;
        library->version++;
    }
    monitor_leave(&library->monitor);
    return NULL;
}

void library_start_survey(Library *library) {
    library->has_surveyor = pthread_create(&library->surveyor, NULL, survey_all, library) == 0;
}

/* ---- answers ---- */

static void write_entry(const Entry *entry, Text *json) {
    text_add_bytes(json, entry->facts, strlen(entry->facts) - 1);
    text_printf(json, ",\"survey\":%s}", entry->survey ? entry->survey : "null");
}

void library_list(Library *library, Text *json) {
    monitor_enter(&library->monitor);
    text_add_char(json, '[');
    for (size_t i = 0; i < library->entries.count; i++) {
        text_add(json, i ? ",\n" : "");
        write_entry(library->entries.items[i], json);
    }
    text_add_char(json, ']');
    monitor_leave(&library->monitor);
}

bool library_describe(Library *library, const char *id, Text *json) {
    monitor_enter(&library->monitor);
    const Entry *entry = find(library, id);
    if (entry)
        write_entry(entry, json);
    monitor_leave(&library->monitor);
    return entry != NULL;
}

bool library_name(Library *library, const char *id, Text *name) {
    monitor_enter(&library->monitor);
    const Entry *entry = find(library, id);
    if (entry)
        text_add(name, entry->name);
    monitor_leave(&library->monitor);
    return entry != NULL;
}

bool library_rules(Library *library, const char *id, Text *rules) {
    monitor_enter(&library->monitor);
    const Entry *entry = find(library, id);
    if (entry)
        text_add_bytes(rules, entry->text, entry->length);
    monitor_leave(&library->monitor);
    return entry != NULL;
}

uint64_t library_version(Library *library) {
    monitor_enter(&library->monitor);
    uint64_t version = library->version;
    monitor_leave(&library->monitor);
    return version;
}

/* If two clients ask for the same look at the same time, it is computed twice. */
bool library_inside(Library *library, const char *id, const char *look, SearchSlots *slots,
                    Text *json, Report *report) {
    InsideView *function = inside_find_view(look);
    const OpenGame *open = library_acquire_game(library, id, report);
    if (!open)
        return false;
    monitor_enter(&library->monitor);
    uint64_t key = hash_mix(find(library, id)->hash, hash_text(look));
    monitor_leave(&library->monitor);
    if (!function) {
        report_error(report, "no-look", "there is no look `%.40s`", look);
    } else if (!store_get_facts(library->store, key, json, report) && slots_enter(slots, NULL)) {
        char *text = dump_json(function(open->game, open->board));
        slots_leave(slots);
        text_add(json, text);
        store_set_facts(library->store, key, text, report);
        free(text);
    }
    library_release_game(library, open);
    return function != NULL;
}

/* ---- creation and destruction ---- */

Library *library_create(Store *store, size_t max_open, size_t max_uploads, Report *report) {
    Library *library = memory_zalloc(sizeof *library);
    library->store = store;
    library->max_open = max_open;
    library->max_uploads = max_uploads;
    monitor_init(&library->monitor);
    pthread_mutex_init(&library->building, NULL);
    if (store_visit(store, STORE_UPLOADS, NULL, add_stored, library, report))
        return library;
    library_free(library);
    return NULL;
}

void library_free(Library *library) {
    if (!library)
        return;
    monitor_enter(&library->monitor);
    __atomic_store_n(&library->is_stopping, true, __ATOMIC_RELAXED);
    monitor_announce(&library->monitor);
    monitor_leave(&library->monitor);
    if (library->has_surveyor)
        pthread_join(library->surveyor, NULL);
    for (size_t i = 0; i < library->entries.count; i++) {
        Entry *entry = library->entries.items[i];
        unload(&entry->open);
        memory_free(entry->id, entry->name, entry->text, entry->facts, entry->survey, entry);
    }
    vector_free(&library->entries);
    table_free(&library->table);
    monitor_free(&library->monitor);
    pthread_mutex_destroy(&library->building);
    free(library);
}
