/* Results are kept as JSON text, computed after each match and stored after the last one, so that
 * showing a tournament never needs its games. */
#include "server/page/hosted.h"

#include <string.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/table.h"
#include "server/page/inside.h"
#include "server/tournament/results.h"
#include "server/tournament/tournament.h"

/* Limits for strangers who use a server (untuned). */
enum {
    MAX_PLAYERS_HERE = 16,
    MAX_MATCHES_HERE = 400,
    MAX_TOURNAMENTS = 1000,
    MAX_CLOCK_SECONDS = 60, /* longest start clock and play clock, seconds */
    MAX_NAME_LENGTH = 80,   /* longest name of a tournament, bytes */
    TREE_BYTES = 32 << 20,  /* memory of a search tree */
    OWNER_BYTES = 16        /* random bytes of an owner's key */
};

typedef enum { STATE_QUEUED, STATE_PLAYING, STATE_OVER, STATE_FAILED, STATE_CANCELLED } HostedState;

typedef struct {
    char *name, *text;
    char *client; /* address of the client that began it; NULL after a restart */
    HostedState state;
    char *match;   /* id of the match being played; NULL: none */
    char *results; /* JSON; NULL before the first match */
    char *why;     /* reason of a failure; NULL: none */
    bool stopped;  /* atomic: ends its matches */
    bool is_cancelled;
} Entry;

struct TournamentHost {
    LiveServices tools;
    MatchRegistry *registry;
    Monitor monitor;
    VECTOR(Entry *) entries; /* entries are never removed */
    uint64_t version;
    pthread_t player;
    bool has_player;
    bool stopped; /* atomic */
};

/* The tournament being played. */
typedef struct {
    TournamentHost *hosted;
    Entry *entry;
    const Definition *definition;
    const Jobs *jobs;
} Playing;

/* Where something about a tournament is kept: `tournament` (its results), `owner` (a key),
 * `cancelled`. */
static uint64_t facts_key(const char *name, const char *what) {
    return hash_mix(hash_bytes(name, strlen(name)), hash_bytes(what, strlen(what)));
}

static char *write_results(const Definition *definition, const Jobs *jobs, bool is_over) {
    Standings standings;
    standings_compute(&standings, definition, jobs);
    char *text = dump_json(results_json(&(Results){definition, jobs, &standings, is_over}));
    standings_free(&standings);
    return text;
}

/* Call inside the monitor. */
static void replace_results(TournamentHost *hosted, Entry *entry, char *results) {
    free(entry->results);
    entry->results = results;
    hosted->version++;
}

static void on_progress(void *context, uint64_t played, uint64_t total) {
    Playing *p = context;
    (void)played;
    (void)total;
    char *results = write_results(p->definition, p->jobs, false);
    monitor_enter(&p->hosted->monitor);
    replace_results(p->hosted, p->entry, results);
    monitor_leave(&p->hosted->monitor);
}

/* ---- showing matches while they are played ---- */

static void set_match(Playing *p, const char *id) {
    monitor_enter(&p->hosted->monitor);
    free(p->entry->match);
    p->entry->match = id ? memory_strdup(id) : NULL;
    p->hosted->version++;
    monitor_leave(&p->hosted->monitor);
}

static void attend(void *context, MatchSetup *match) {
    Playing *p = context;
    Report ignored = {0};
    LiveMatch *shown =
        match_registry_attend(p->hosted->registry, match, p->entry->client, &ignored);
    if (shown) {
        match->id = shown->id;
        match->watch = live_hear_turn;
        match->on_thought = live_hear_thought;
        match->context = shown;
        set_match(p, shown->id);
    }
    report_free(&ignored);
}

static void leave(void *context, void *match_context, const MatchRecord *record) {
    Playing *p = context;
    if (match_context)
        match_registry_dismiss(p->hosted->registry, match_context, record);
    set_match(p, NULL);
}

/* Builds the games of the definition, which owns them. Those that this server cannot open are
 * refused. */
static bool build_games(const TournamentHost *hosted, Definition *definition, Report *report) {
    bool ok = true;
    for (size_t i = 0; ok && i < definition->games.count; i++) {
        Text text = {0};
        const char *name = definition->games.items[i].name;
        const OpenGame *open = library_acquire_game(hosted->tools.library, name, report);
        ok = open && library_rules(hosted->tools.library, name, &text);
        library_release_game(hosted->tools.library, open);
        Rules *rules = ok ? rules_read_text(name, text.items, text.count, report) : NULL;
        Game *game = rules ? game_create(rules, &inside_build, report) : NULL;
        ok = game && definition_set_game(definition, i, game, report);
        vector_free(&text);
    }
    return ok;
}

static bool read_definition(Definition *definition, const char *text, Report *report) {
    Source *source = source_from_text("tournament", text, strlen(text), report);
    *definition = (Definition){0};
    bool ok = source && definition_parse(definition, source, report);
    source_free(source);
    for (size_t i = 0; i < definition->players.count; i++) {
        definition->players.items[i].strategy.search.threads = 1;
        definition->players.items[i].strategy.search.node_bytes = TREE_BYTES;
    }
    return ok;
}

static void note_end(TournamentHost *hosted, Entry *entry, TournamentEnd end, char *results,
                     const Report *report) {
    Report ignored = {0};
    monitor_enter(&hosted->monitor);
    if (results)
        replace_results(hosted, entry, results);
    entry->state = entry->is_cancelled         ? STATE_CANCELLED
                   : end == TOURNAMENT_OVER    ? STATE_OVER
                   : end == TOURNAMENT_STOPPED ? STATE_QUEUED
                                               : STATE_FAILED;
    if (entry->state == STATE_FAILED && report->items.count)
        entry->why = memory_strdup(report->items.items[0].message);
    hosted->version++;
    monitor_leave(&hosted->monitor);
    if (entry->state == STATE_OVER || (entry->is_cancelled && entry->results))
        store_set_facts(hosted->tools.store, facts_key(entry->name, "tournament"), entry->results,
                        &ignored);
    report_free(&ignored);
}

static void play(TournamentHost *hosted, Entry *entry) {
    Report report = {0};
    Definition definition;
    Jobs jobs = {0};
    TournamentEnd end = TOURNAMENT_REFUSED;
    char *results = NULL;
    if (read_definition(&definition, entry->text, &report) &&
        build_games(hosted, &definition, &report)) {
        Playing playing = {hosted, entry, &definition, &jobs};
        end = tournament_play(&(TournamentSetup){.definition = &definition,
                                                 .store = hosted->tools.store,
                                                 .parallel = 1,
                                                 .stopped = &entry->stopped,
                                                 .slots = hosted->tools.slots,
                                                 .on_progress = on_progress,
                                                 .attend = attend,
                                                 .leave = leave,
                                                 .context = &playing},
                              &jobs, &report);
        results = write_results(&definition, &jobs, end == TOURNAMENT_OVER);
    }
    note_end(hosted, entry, end, results, &report);
    jobs_free(&jobs);
    definition_free(&definition);
    report_free(&report);
}

/* Waits for the next tournament in line; NULL when the server stops. Inside the monitor. */
static Entry *next_entry(TournamentHost *hosted) {
    while (!flag_is_set(&hosted->stopped)) {
        for (size_t i = 0; i < hosted->entries.count; i++)
            if (hosted->entries.items[i]->state == STATE_QUEUED)
                return hosted->entries.items[i];
        monitor_wait(&hosted->monitor, deadline_never());
    }
    return NULL;
}

static void *play_all(void *context) {
    TournamentHost *hosted = context;
    monitor_enter(&hosted->monitor);
    for (Entry *entry; (entry = next_entry(hosted));) {
        entry->state = STATE_PLAYING;
        hosted->version++;
        monitor_leave(&hosted->monitor);
        play(hosted, entry);
        monitor_enter(&hosted->monitor);
    }
    monitor_leave(&hosted->monitor);
    return NULL;
}

/* ---- new tournaments ---- */

static Entry *find(const TournamentHost *hosted, const char *name) {
    for (size_t i = 0; i < hosted->entries.count; i++)
        if (strcmp(hosted->entries.items[i]->name, name) == 0)
            return hosted->entries.items[i];
    return NULL;
}

static Entry *add_entry(TournamentHost *hosted, const char *name, const char *text,
                        const char *client) {
    Entry *entry = memory_zalloc(sizeof *entry);
    entry->name = memory_strdup(name);
    entry->text = memory_strdup(text);
    entry->client = client ? memory_strdup(client) : NULL;
    vector_push(&hosted->entries, entry);
    hosted->version++;
    return entry;
}

/* Checks the definition against the limits of this server. */
static bool check(const Definition *d, bool is_trusted, Report *report) {
    const char *why = NULL;
    if (strchr(d->name, '/') || strlen(d->name) > MAX_NAME_LENGTH)
        why = "the name must have at most 80 bytes and no slash";
    else if (d->players.count > MAX_PLAYERS_HERE)
        why = "this server allows at most 16 players";
    else if (pairing_total(d) > MAX_MATCHES_HERE)
        why = "this server allows at most 400 matches";
    for (size_t i = 0; i < d->players.count; i++)
        if (d->players.items[i].kind == CONTESTANT_REMOTE && !is_trusted)
            why = "players on the network are not allowed here";
    for (size_t i = 0; i < d->games.count; i++)
        if (d->games.items[i].playclock > MAX_CLOCK_SECONDS ||
            d->games.items[i].startclock > MAX_CLOCK_SECONDS)
            why = "this server allows clocks of at most a minute";
    if (why)
        report_error(report, "bad-tournament", "%s", why);
    return !why;
}

/* Draws the key of the owner and keeps it. */
static bool keep_owner(TournamentHost *hosted, const char *name, Text *owner, Report *report) {
    unsigned char bytes[OWNER_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return report_error(report, "database", "there are no random numbers");
    for (size_t i = 0; i < sizeof bytes; i++)
        text_printf(owner, "%02x", bytes[i]);
    return store_set_facts(hosted->tools.store, facts_key(name, "owner"), text_string(owner),
                           report);
}

static bool keep(TournamentHost *hosted, const char *name, const char *text, const char *client,
                 Report *report) {
    monitor_enter(&hosted->monitor);
    bool ok = false;
    if (find(hosted, name))
        report_error(report, "other-tournament", "there is a tournament `%.80s` already", name);
    else if (hosted->entries.count >= MAX_TOURNAMENTS)
        report_error(report, "full", "there is no room for more tournaments");
    else
        ok = store_add_hosted(hosted->tools.store, name, text, report);
    if (ok) {
        add_entry(hosted, name, text, client);
        monitor_announce(&hosted->monitor);
    }
    monitor_leave(&hosted->monitor);
    return ok;
}

bool hosted_add(TournamentHost *hosted, const char *text, const char *client, bool is_trusted,
                Text *name, Text *owner, Report *report) {
    Definition definition;
    bool ok = read_definition(&definition, text, report) &&
              build_games(hosted, &definition, report) && check(&definition, is_trusted, report);
    if (ok) {
        text_add(name, definition.name);
        ok = keep(hosted, definition.name, text, client, report) &&
             keep_owner(hosted, definition.name, owner, report);
    }
    definition_free(&definition);
    return ok;
}

static bool is_owner(const TournamentHost *hosted, const char *name, const char *key,
                     Report *report) {
    Text kept = {0};
    bool ok = key && *key &&
              store_get_facts(hosted->tools.store, facts_key(name, "owner"), &kept, report) &&
              live_is_same_secret(text_string(&kept), key);
    vector_free(&kept);
    return ok;
}

bool hosted_cancel(TournamentHost *hosted, const char *name, const char *owner, bool is_trusted,
                   Report *report) {
    bool ok = false;
    bool is_allowed = is_trusted || is_owner(hosted, name, owner, report);
    monitor_enter(&hosted->monitor);
    Entry *entry = find(hosted, name);
    if (!entry)
        report_error(report, "no-tournament", "there is no tournament of that name");
    else if (!is_allowed)
        report_error(report, "not-yours", "only whoever began a tournament may cancel it");
    else if (entry->state != STATE_QUEUED && entry->state != STATE_PLAYING)
        report_error(report, "illegal", "the tournament is not being played");
    else
        ok = store_set_facts(hosted->tools.store, facts_key(name, "cancelled"), "1", report);
    if (ok) {
        entry->is_cancelled = true;
        entry->state = entry->state == STATE_QUEUED ? STATE_CANCELLED : entry->state;
        __atomic_store_n(&entry->stopped, true, __ATOMIC_RELAXED);
        hosted->version++;
    }
    monitor_leave(&hosted->monitor);
    slots_wake(hosted->tools.slots);
    return ok;
}

/* ---- answers ---- */

static json_t *played_json(TournamentHost *hosted, const char *tournament) {
    json_t *array = json_array();
    Report ignored = {0};
    store_visit_played(hosted->tools.store, tournament, match_registry_add_stored, array, &ignored);
    match_registry_name_games(hosted->registry, array);
    report_free(&ignored);
    return array;
}

/* Writes a tournament, with its matches unless `played` is NULL; releases them. */
static void write_entry(const Entry *entry, json_t *played, Text *json) {
    static const char *const states[] = {"queued", "playing", "over", "failed", "cancelled"};
    write_json(json, object_of("name", text_json(entry->name), "state",
                               text_json(states[entry->state]), "message", text_json(entry->why),
                               "definition", json_loads(entry->text, 0, NULL), "results",
                               entry->results ? json_loads(entry->results, 0, NULL) : json_null(),
                               "match", text_json(entry->match), "matches", played));
}

void hosted_list(TournamentHost *hosted, Text *json) {
    monitor_enter(&hosted->monitor);
    text_add_char(json, '[');
    for (size_t i = hosted->entries.count; i-- > 0;) {
        write_entry(hosted->entries.items[i], NULL, json);
        text_add(json, i ? "," : "");
    }
    text_add_char(json, ']');
    monitor_leave(&hosted->monitor);
}

bool hosted_describe(TournamentHost *hosted, const char *name, Text *json) {
    json_t *played = played_json(hosted, name);
    monitor_enter(&hosted->monitor);
    const Entry *entry = find(hosted, name);
    if (entry)
        write_entry(entry, played, json);
    else
        json_decref(played);
    monitor_leave(&hosted->monitor);
    return entry != NULL;
}

uint64_t hosted_version(TournamentHost *hosted) {
    monitor_enter(&hosted->monitor);
    uint64_t version = hosted->version;
    monitor_leave(&hosted->monitor);
    return version;
}

/* ---- creation and destruction ---- */

static void load_entry(void *context, const char *const *texts) {
    TournamentHost *hosted = context;
    Entry *entry = add_entry(hosted, texts[0], texts[1], NULL);
    Text results = {0};
    Report report = {0};
    if (store_get_facts(hosted->tools.store, facts_key(entry->name, "tournament"), &results,
                        &report)) {
        entry->results = memory_strdup(text_string(&results));
        entry->state = STATE_OVER;
    }
    if (store_get_facts(hosted->tools.store, facts_key(entry->name, "cancelled"), &results,
                        &report)) {
        entry->is_cancelled = true;
        entry->state = STATE_CANCELLED;
    }
    report_free(&report);
    vector_free(&results);
}

TournamentHost *hosted_create(const LiveServices *tools, MatchRegistry *registry, Report *report) {
    TournamentHost *hosted = memory_zalloc(sizeof *hosted);
    hosted->tools = *tools;
    hosted->registry = registry;
    monitor_init(&hosted->monitor);
    if (store_visit(tools->store, STORE_HOSTED, NULL, load_entry, hosted, report)) {
        hosted->has_player = pthread_create(&hosted->player, NULL, play_all, hosted) == 0;
        return hosted;
    }
    hosted_free(hosted);
    return NULL;
}

void hosted_free(TournamentHost *hosted) {
    if (!hosted)
        return;
    __atomic_store_n(&hosted->stopped, true, __ATOMIC_RELAXED);
    for (size_t i = 0; i < hosted->entries.count; i++)
        __atomic_store_n(&hosted->entries.items[i]->stopped, true, __ATOMIC_RELAXED);
    monitor_wake(&hosted->monitor);
    slots_wake(hosted->tools.slots);
    if (hosted->has_player)
        pthread_join(hosted->player, NULL);
    for (size_t i = 0; i < hosted->entries.count; i++) {
        Entry *entry = hosted->entries.items[i];
        memory_free(entry->name, entry->text, entry->client, entry->match, entry->results,
                    entry->why, entry);
    }
    vector_free(&hosted->entries);
    monitor_free(&hosted->monitor);
    free(hosted);
}
