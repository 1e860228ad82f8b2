/* A game has three stages: listed (its rules were read), known (a look at its opening has shown its
 * board, first position and size, and another one surveyed it) and open (it is in memory). */
#include "server/page/library.h"

#include <assert.h>
#include <string.h>
#include <sys/random.h>

#include "base/monitor.h"
#include "base/table.h"
#include "gdl/check/check.h"
#include "gdl/info.h"
#include "gdl/write.h"
#include "server/json/inside_json.h"
#include "server/page/inside.h"

enum {
    FACTS_VERSION = 6, /* raised when looks change, so that they are made anew */
    USUAL_MB = 64,     /* memory of a game of which nothing is known (untuned) */
    OWNER_BYTES = 16   /* random bytes of an owner's key */
};

typedef struct {
    OpenGame open; /* .game is NULL until it is built */
    char *id, *name, *text;
    size_t length;
    uint64_t hash;   /* hash of the text and the program's version */
    char *facts;     /* JSON: facts that need no circuit, such as the title and the roles */
    json_t *opening; /* what the look of that name found; NULL until it is known */
    json_t *survey;  /* likewise */
    bool is_upload, is_building, is_deleted;
    unsigned users;
    double last_used;
} Entry;

struct Library {
    LibraryOptions options;
    size_t uploads;
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

/* A hash of rules and of the program's version, under which findings are kept. */
static uint64_t hash_rules(const char *text, size_t length) {
    return hash_mix(hash_bytes(text, length), hash_mix(hash_text(MARELLE_VERSION), FACTS_VERSION));
}

static Entry *find(const Library *library, const char *id) {
    uint32_t index;
    for (TableProbe p = table_probe(&library->table, hash_text(id));
         table_next(&library->table, &p, &index);)
        if (strcmp(library->entries.items[index]->id, id) == 0 &&
            !library->entries.items[index]->is_deleted)
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

static LookedAt looked_at(const Entry *entry) {
    return (LookedAt){.hash = entry->hash, .rules = entry->text, .length = entry->length};
}

/* What an earlier look found; NULL if there was none. */
static json_t *recall(const Library *library, const Entry *entry, const char *look) {
    Text state = {0};
    Report ignored = {0};
    json_t *found = NULL;
    LookedAt game = looked_at(entry);
    if (library->options.looks &&
        looks_ask(library->options.looks, &game, look, LOOK_ASK, &state, &ignored)) {
        json_t *object = json_loadb(text_string(&state), state.count, 0, NULL);
        found = json_incref(json_object_get(object, "found"));
        json_decref(object);
    }
    report_free(&ignored);
    vector_free(&state);
    return found;
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
    entry->hash = hash_rules(source->text, source->length);
    entry->is_upload = is_upload;
    entry->facts = list_facts(entry, rules);
    entry->opening = recall(library, entry, "opening");
    entry->survey = recall(library, entry, "survey");
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

/* Where the key of whoever added a game is kept. */
static uint64_t owner_key(const char *id) {
    return hash_mix(hash_text(id), hash_text("owner"));
}

/* Draws a key, keeps it and writes it. */
static bool write_owner(Library *library, const char *id, Text *owner, Report *report) {
    unsigned char bytes[OWNER_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return report_error(report, "database", "there are no random numbers");
    for (size_t i = 0; i < sizeof bytes; i++)
        text_printf(owner, "%02x", bytes[i]);
    return store_set_facts(library->options.store, owner_key(id), text_string(owner), report);
}

bool library_upload(Library *library, const char *name, const char *text, size_t length, Text *id,
                    Text *owner, Report *report) {
    Rules *rules = read_checked(name, text, length, report);
    if (!rules)
        return false;
    bool ok = true;
    write_id(id, name, text, length);
    monitor_enter(&library->monitor);
    if (!find(library, text_string(id))) {
        ok = library->uploads < library->options.max_uploads;
        if (!ok)
            report_error(report, "full", "there are %zu games already, and room for no more",
                         library->uploads);
        ok = ok && write_owner(library, text_string(id), owner, report) &&
             store_add_upload(library->options.store, text_string(id), name, text, report);
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

bool library_delete(Library *library, const char *id, const char *owner, bool is_trusted,
                    Report *report) {
    Text kept = {0};
    bool ok = false;
    monitor_enter(&library->monitor);
    Entry *entry = find(library, id);
    bool is_owner =
        is_trusted ||
        (owner && *owner && store_get_facts(library->options.store, owner_key(id), &kept, report) &&
         strcmp(text_string(&kept), owner) == 0);
    if (!entry)
        report_error(report, "no-game", "there is no game `%s`", id);
    else if (!entry->is_upload || !is_owner)
        report_error(report, "not-yours", "only whoever added a game may delete it");
    else if (entry->users)
        report_error(report, "illegal", "the game is being played");
    else
        ok = store_remove_upload(library->options.store, id, report);
    if (ok) {
        entry->is_deleted = true;
        library->uploads--;
        library->version++;
    }
    monitor_leave(&library->monitor);
    vector_free(&kept);
    return ok;
}

/* ---- open games ---- */

static void unload(OpenGame *open) {
    board_free(open->board);
    free(open->initial);
    if (open->game)
        game_free(open->game);
    *open = (OpenGame){0};
}

static void look_at_start(OpenGame *open) {
    Text text = {0};
    State state = {0};
    GameWork *work = game_work_create(open->game, REASONER_AUTO);
    game_initial(work, &state);
    game_state_text(work, &state, &text);
    open->initial = memory_strdup(text_string(&text));
    state_free(&state);
    game_work_free(work);
    vector_free(&text);
}

/* Builds the game. Call outside the monitor. */
static bool load(const Entry *entry, OpenGame *open, Report *report) {
    Rules *rules = rules_read_text(entry->name, entry->text, entry->length, report);
    open->game = rules ? game_create(rules, &inside_build, report) : NULL;
    if (!open->game)
        return false;
    open->id = entry->id;
    open->name = entry->name;
    open->board = inside_board(open->game);
    look_at_start(open);
    return true;
}

static size_t bytes_of(const Entry *entry) {
    const json_t *known = json_object_get(entry->opening, "memory_mb");
    double megabytes = json_is_number(known) ? json_number_value(known) : USUAL_MB;
    return (size_t)(megabytes * (1 << 20));
}

static size_t open_bytes(const Library *library) {
    size_t bytes = 0;
    for (size_t i = 0; i < library->entries.count; i++) {
        const Entry *entry = library->entries.items[i];
        bytes += entry->open.game || entry->is_building ? bytes_of(entry) : 0;
    }
    return bytes;
}

/* Puts away games without a user: those that have been idle for long, and others, the longest idle
 * first, until so many bytes more may be taken. Call inside the monitor. */
static void make_room(Library *library, size_t wanted, double now) {
    for (bool goes_on = true; goes_on;) {
        Entry *oldest = NULL;
        for (size_t i = 0; i < library->entries.count; i++) {
            Entry *entry = library->entries.items[i];
            if (entry->open.game && !entry->users && !entry->is_building &&
                (!oldest || entry->last_used < oldest->last_used))
                oldest = entry;
        }
        goes_on = oldest && (now - oldest->last_used > library->options.idle_seconds ||
                             open_bytes(library) + wanted > library->options.max_bytes);
        if (goes_on)
            unload(&oldest->open);
    }
}

/* Notes what a look found, unless it is known already. Call inside the monitor. */
static void note(Library *library, json_t **known, const Text *found) {
    if (*known)
        return;
    *known = json_loadb(text_string(found), found->count, 0, NULL);
    library->version++;
    monitor_announce(&library->monitor);
}

/* Waits until the opening is known, or cannot be. Call inside the monitor, which is left. */
static void learn_opening(Library *library, Entry *entry) {
    Text found = {0};
    LookedAt game = looked_at(entry);
    if (entry->opening || !library->options.looks)
        return;
    monitor_leave(&library->monitor);
    bool ok = looks_wait(library->options.looks, &game, "opening", true, &found);
    monitor_enter(&library->monitor);
    if (ok)
        note(library, &entry->opening, &found);
    vector_free(&found);
}

static const char *refusal_of(const Entry *entry) {
    return json_string_value(json_object_get(entry->opening, "missing"));
}

/* False with the reason if the game must not be built here. Makes room for it. Call inside the
 * monitor. */
static bool may_build(Library *library, Entry *entry, Report *report) {
    if (refusal_of(entry))
        return report_error(report, "too-large", "this server cannot open the game: %s",
                            refusal_of(entry));
    make_room(library, bytes_of(entry), clock_wall_seconds());
    if (library->options.looks &&
        open_bytes(library) + bytes_of(entry) > library->options.max_bytes)
        return report_error(report, "busy",
                            "the games that are being played take all memory; try again later");
    return true;
}

/* Loads the game if necessary. Call inside the monitor, which is left while the game is built. */
static bool make_ready(Library *library, Entry *entry, Report *report) {
    learn_opening(library, entry);
    while (entry->is_building)
        monitor_wait(&library->monitor, deadline_never());
    if (entry->open.game)
        return true;
    if (!may_build(library, entry, report))
        return false;
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
    if (!entry)
        report_error(report, "no-game", "there is no game `%s`", id);
    else
        entry->users++; /* also while it is built, so that it is not put away at once */
    bool ok = entry && make_ready(library, entry, report);
    if (entry && !ok)
        entry->users--;
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
    make_room(library, 0, entry->last_used);
    monitor_leave(&library->monitor);
}

void library_tidy(Library *library, bool all) {
    monitor_enter(&library->monitor);
    make_room(library, all ? library->options.max_bytes : 0, clock_wall_seconds());
    monitor_leave(&library->monitor);
}

size_t library_bytes(Library *library) {
    monitor_enter(&library->monitor);
    size_t bytes = open_bytes(library);
    monitor_leave(&library->monitor);
    return bytes;
}

/* ---- the survey ---- */

/* Waits for a game of which not all is known; NULL when the server stops. Call inside the monitor.
 */
static Entry *next_unknown(Library *library) {
    while (!library->is_stopping) {
        for (size_t i = 0; i < library->entries.count; i++) {
            Entry *entry = library->entries.items[i];
            if (!entry->is_deleted && (!entry->opening || !entry->survey))
                return entry;
        }
        monitor_wait(&library->monitor, deadline_never());
    }
    return NULL;
}

/* The thread that looks at all games, one after the other. A game that cannot be opened is not
 * surveyed. */
static void *survey_all(void *context) {
    Library *library = context;
    monitor_enter(&library->monitor);
    for (Entry *entry; (entry = next_unknown(library));) {
        bool is_opening = !entry->opening;
        LookedAt game = looked_at(entry);
        Text found = {0};
        if (!is_opening && refusal_of(entry)) {
            entry->survey = json_object();
            continue;
        }
        monitor_leave(&library->monitor);
        bool ok = looks_wait(library->options.looks, &game, is_opening ? "opening" : "survey",
                             false, &found);
        monitor_enter(&library->monitor);
        if (ok)
            note(library, is_opening ? &entry->opening : &entry->survey, &found);
        else
            monitor_wait(&library->monitor, deadline_in(1));
        vector_free(&found);
    }
    monitor_leave(&library->monitor);
    return NULL;
}

void library_start_survey(Library *library) {
    library->has_surveyor = library->options.looks &&
                            pthread_create(&library->surveyor, NULL, survey_all, library) == 0;
}

/* ---- answers ---- */

/* The findings of both looks that a list shows; null until something is known. */
static json_t *survey_json(const Entry *entry) {
    static const char *const keys[] = {"circuit", "why_interpreted", "fluents", "moves", "ands"};
    if (!entry->opening)
        return json_null();
    json_t *survey = entry->survey ? json_copy(entry->survey) : json_object();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_t *value = json_object_get(entry->opening, keys[i]);
        if (value)
            json_object_set(survey, keys[i], value);
    }
    return survey;
}

/* Writes the entry without its closing brace. */
static void write_entry(const Entry *entry, Text *json) {
    text_add_bytes(json, entry->facts, strlen(entry->facts) - 1);
    text_add(json, ",\"survey\":");
    write_json(json, survey_json(entry));
}

void library_list(Library *library, Text *json) {
    const char *comma = "";
    monitor_enter(&library->monitor);
    text_add_char(json, '[');
    for (size_t i = 0; i < library->entries.count; i++) {
        if (library->entries.items[i]->is_deleted)
            continue;
        text_add(json, comma);
        write_entry(library->entries.items[i], json);
        text_add_char(json, '}');
        comma = ",\n";
    }
    text_add_char(json, ']');
    monitor_leave(&library->monitor);
}

/* Writes what the look at the opening found. The board of a game that is open is the one that its
 * matches are drawn on. */
static void write_opening(const Entry *entry, Text *json) {
    static const char *const keys[] = {"board", "start", "view", "reasoner", "first_moves"};
    static const char *const names[] = {"board", "view", "picture", "reasoner", "first_moves"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_t *value = json_incref(json_object_get(entry->opening, keys[i]));
        text_printf(json, ",\"%s\":", names[i]);
        if (i == 0 && entry->open.game) {
            json_decref(value);
            value = boards_json(entry->open.board);
        }
        write_json(json, value ? value : json_null());
    }
    text_add(json, ",\"refused\":");
    write_json(json, text_json(refusal_of(entry)));
}

bool library_describe(Library *library, const char *id, Text *json) {
    monitor_enter(&library->monitor);
    const Entry *entry = find(library, id);
    if (entry) {
        write_entry(entry, json);
        write_opening(entry, json);
        text_add_char(json, '}');
    }
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

/* A look at the opening that somebody waited for is noted here, so that the next description of the
 * game has it. */
static void note_opening(Library *library, Entry *entry) {
    json_t *found = recall(library, entry, "opening");
    monitor_enter(&library->monitor);
    if (found && (!entry->opening || refusal_of(entry))) {
        json_decref(entry->opening);
        entry->opening = json_incref(found);
        library->version++;
    }
    monitor_leave(&library->monitor);
    json_decref(found);
}

bool library_look(Library *library, const char *id, const char *look, LookWish wish, Text *json,
                  Report *report) {
    monitor_enter(&library->monitor);
    Entry *entry = find(library, id);
    monitor_leave(&library->monitor);
    if (!entry)
        return report_error(report, "no-game", "there is no game `%s`", id);
    if (!inside_find_view(look) || !library->options.looks)
        return report_error(report, "no-look", "there is no look `%.40s`", look);
    LookedAt game = looked_at(entry);
    bool ok = looks_ask(library->options.looks, &game, look, wish, json, report);
    if (ok && strcmp(look, "opening") == 0)
        note_opening(library, entry);
    return ok;
}

bool library_preview(Library *library, const char *text, size_t length, Text *json,
                     Report *report) {
    LookedAt draft = {
        .hash = hash_rules(text, length), .rules = text, .length = length, .is_draft = true};
    return library->options.looks
               ? looks_ask(library->options.looks, &draft, "opening", LOOK_BEGIN, json, report)
               : report_error(report, "no-look", "there are no looks here");
}

/* ---- creation and destruction ---- */

Library *library_create(const LibraryOptions *options, Report *report) {
    Library *library = memory_zalloc(sizeof *library);
    library->options = *options;
    monitor_init(&library->monitor);
    pthread_mutex_init(&library->building, NULL);
    if (store_visit(options->store, STORE_UPLOADS, NULL, add_stored, library, report))
        return library;
    library_free(library);
    return NULL;
}

void library_free(Library *library) {
    if (!library)
        return;
    monitor_enter(&library->monitor);
    library->is_stopping = true;
    monitor_announce(&library->monitor);
    monitor_leave(&library->monitor);
    if (library->options.looks)
        looks_stop(library->options.looks);
    if (library->has_surveyor)
        pthread_join(library->surveyor, NULL);
    for (size_t i = 0; i < library->entries.count; i++) {
        Entry *entry = library->entries.items[i];
        unload(&entry->open);
        json_decref(entry->opening);
        json_decref(entry->survey);
        memory_free(entry->id, entry->name, entry->text, entry->facts, entry);
    }
    vector_free(&library->entries);
    table_free(&library->table);
    monitor_free(&library->monitor);
    pthread_mutex_destroy(&library->building);
    free(library);
}
