/* Results are kept as JSON text, made anew after each match and stored when the last was played, so
 * that showing a tournament never needs its games. */
#include "server/page/hosted.h"

#include <pthread.h>
#include <string.h>

#include "base/table.h"
#include "server/tournament/results.h"
#include "server/tournament/tournament.h"

enum {
    MOST_PLAYERS_HERE = 16,
    MOST_MATCHES_HERE = 400,
    MOST_TOURNAMENTS = 1000,
    LONGEST_CLOCK = 60
};
enum { TREE_BYTES = 32 << 20, BUILD_SECONDS = 8, LONGEST_NAME = 80 };

typedef enum { STATE_QUEUED, STATE_PLAYING, STATE_OVER, STATE_FAILED } HostedState;

typedef struct {
    char *name, *text;
    char *client; /* who began it; NULL after a restart */
    HostedState state;
    char *match;   /* that is being played; else NULL */
    char *results; /* JSON; NULL at first */
    char *why;     /* it failed; else NULL */
} Entry;

struct Hosted {
    LiveTools tools;
    Hall *hall;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    VECTOR(Entry *) entries; /* never removed */
    uint64_t version;
    pthread_t player;
    bool has_player;
    bool stopped; /* atomic */
};

/* Of the one being played. */
typedef struct {
    Hosted *hosted;
    Entry *entry;
    const Definition *definition;
    const Jobs *jobs;
} Playing;

static uint64_t facts_key(const char *name) {
    return hash_mix(hash_bytes(name, strlen(name)), hash_bytes("tournament", 10));
}

static char *write_results(const Definition *definition, const Jobs *jobs, bool is_over) {
    Standings standings;
    standings_compute(&standings, definition, jobs);
    json_t *object = results_json(&(Results){definition, jobs, &standings, is_over});
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    standings_free(&standings);
    return text;
}

/* Under the mutex. */
static void replace_results(Hosted *hosted, Entry *entry, char *results) {
    free(entry->results);
    entry->results = results;
    hosted->version++;
}

static void on_progress(void *context, uint64_t played, uint64_t total) {
    Playing *p = context;
    (void)played;
    (void)total;
    char *results = write_results(p->definition, p->jobs, false);
    pthread_mutex_lock(&p->hosted->mutex);
    replace_results(p->hosted, p->entry, results);
    pthread_mutex_unlock(&p->hosted->mutex);
}

/* Matches are shown while they are played. */

static void set_match(Playing *p, const char *id) {
    pthread_mutex_lock(&p->hosted->mutex);
    free(p->entry->match);
    p->entry->match = id ? memory_strdup(id) : NULL;
    p->hosted->version++;
    pthread_mutex_unlock(&p->hosted->mutex);
}

static void attend(void *context, MatchSetup *match) {
    Playing *p = context;
    Report ignored = {0};
    LiveMatch *shown = hall_attend(p->hosted->hall, match, p->entry->client, &ignored);
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
        hall_dismiss(p->hosted->hall, match_context, record);
    set_match(p, NULL);
}

/* Games of the definition are its own: built for it and freed with it. */
static bool build_games(const Hosted *hosted, Definition *definition, Report *report) {
    bool well = true;
    for (size_t i = 0; well && i < definition->games.count; i++) {
        Text text = {0};
        const char *name = definition->games.items[i].name;
        well = library_rules(hosted->tools.library, name, &text);
        if (!well)
            report_error(report, "no-game", "there is no game `%s`", name);
        Rules *rules = well ? rules_read_text(name, text.items, text.count, report) : NULL;
        Game *game =
            rules ? game_create(rules, &(GameOptions){.build_seconds = BUILD_SECONDS}, report)
                  : NULL;
        well = game && definition_set_game(definition, i, game, report);
        vector_free(&text);
    }
    return well;
}

static bool read_definition(Definition *definition, const char *text, Report *report) {
    Source *source = source_from_text("tournament", text, strlen(text), report);
    *definition = (Definition){0};
    bool well = source && definition_parse(definition, source, report);
    source_free(source);
    for (size_t i = 0; i < definition->players.count; i++) {
        definition->players.items[i].strategy.search.threads = 1;
        definition->players.items[i].strategy.search.node_bytes = TREE_BYTES;
    }
    return well;
}

static void note_end(Hosted *hosted, Entry *entry, TournamentEnd end, char *results,
                     const Report *report) {
    Report ignored = {0};
    pthread_mutex_lock(&hosted->mutex);
    if (results)
        replace_results(hosted, entry, results);
    entry->state = end == TOURNAMENT_OVER      ? STATE_OVER
                   : end == TOURNAMENT_STOPPED ? STATE_QUEUED
                                               : STATE_FAILED;
    if (entry->state == STATE_FAILED && report->items.count)
        entry->why = memory_strdup(report->items.items[0].message);
    hosted->version++;
    pthread_mutex_unlock(&hosted->mutex);
    if (end == TOURNAMENT_OVER)
        store_set_facts(hosted->tools.store, facts_key(entry->name), entry->results, &ignored);
    report_free(&ignored);
}

static void play(Hosted *hosted, Entry *entry) {
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
                                                 .stopped = &hosted->stopped,
                                                 .gate = hosted->tools.gate,
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

static bool is_stopped(const Hosted *hosted) {
    return __atomic_load_n(&hosted->stopped, __ATOMIC_RELAXED);
}

/* The next in the line; NULL when the end has come. Under the mutex. */
static Entry *next_entry(Hosted *hosted) {
    while (!is_stopped(hosted)) {
        for (size_t i = 0; i < hosted->entries.count; i++)
            if (hosted->entries.items[i]->state == STATE_QUEUED)
                return hosted->entries.items[i];
        pthread_cond_wait(&hosted->changed, &hosted->mutex);
    }
    return NULL;
}

static void *play_all(void *context) {
    Hosted *hosted = context;
    pthread_mutex_lock(&hosted->mutex);
    for (Entry *entry; (entry = next_entry(hosted));) {
        entry->state = STATE_PLAYING;
        hosted->version++;
        pthread_mutex_unlock(&hosted->mutex);
        play(hosted, entry);
        pthread_mutex_lock(&hosted->mutex);
    }
    pthread_mutex_unlock(&hosted->mutex);
    return NULL;
}

/* New ones. */

static Entry *find(const Hosted *hosted, const char *name) {
    for (size_t i = 0; i < hosted->entries.count; i++)
        if (strcmp(hosted->entries.items[i]->name, name) == 0)
            return hosted->entries.items[i];
    return NULL;
}

static Entry *add_entry(Hosted *hosted, const char *name, const char *text, const char *client) {
    Entry *entry = memory_zalloc(sizeof *entry);
    entry->name = memory_strdup(name);
    entry->text = memory_strdup(text);
    entry->client = client ? memory_strdup(client) : NULL;
    vector_push(&hosted->entries, entry);
    hosted->version++;
    return entry;
}

/* What is fine for a file of one's own may be too much for a server that others use. */
static bool check(const Definition *d, bool is_trusted, Report *report) {
    const char *why = NULL;
    if (strchr(d->name, '/') || strlen(d->name) > LONGEST_NAME)
        why = "a name of at most 80 bytes, without a slash";
    else if (d->players.count > MOST_PLAYERS_HERE)
        why = "at most 16 players here";
    else if (pairing_total(d) > MOST_MATCHES_HERE)
        why = "at most 400 matches here";
    for (size_t i = 0; i < d->players.count; i++)
        if (d->players.items[i].kind == CONTESTANT_REMOTE && !is_trusted)
            why = "players on the network are not allowed here";
    for (size_t i = 0; i < d->games.count; i++)
        if (d->games.items[i].playclock > LONGEST_CLOCK ||
            d->games.items[i].startclock > LONGEST_CLOCK)
            why = "clocks of at most a minute here";
    if (why)
        report_error(report, "bad-tournament", "%s", why);
    return !why;
}

static bool keep(Hosted *hosted, const char *name, const char *text, const char *client,
                 Report *report) {
    pthread_mutex_lock(&hosted->mutex);
    bool well = false;
    if (find(hosted, name))
        report_error(report, "other-tournament", "there is a tournament `%.80s` already", name);
    else if (hosted->entries.count >= MOST_TOURNAMENTS)
        report_error(report, "full", "there is no room for more tournaments");
    else
        well = store_add_hosted(hosted->tools.store, name, text, report);
    if (well) {
        add_entry(hosted, name, text, client);
        pthread_cond_broadcast(&hosted->changed);
    }
    pthread_mutex_unlock(&hosted->mutex);
    return well;
}

bool hosted_add(Hosted *hosted, const char *text, const char *client, bool is_trusted, Text *name,
                Report *report) {
    Definition definition;
    bool well = read_definition(&definition, text, report) &&
                build_games(hosted, &definition, report) && check(&definition, is_trusted, report);
    if (well) {
        text_add(name, definition.name);
        well = keep(hosted, definition.name, text, client, report);
    }
    definition_free(&definition);
    return well;
}

/* Answers. */

static json_t *json_played(Hosted *hosted, const char *tournament) {
    json_t *array = json_array();
    Report ignored = {0};
    store_visit_played(hosted->tools.store, tournament, hall_add_stored, array, &ignored);
    hall_name_games(hosted->hall, array);
    report_free(&ignored);
    return array;
}

/* `played` is taken over; NULL in a list. */
static void write_entry(const Entry *entry, json_t *played, Text *json) {
    static const char *const states[] = {"queued", "playing", "over", "failed"};
    json_t *object = json_object();
    json_object_set_new(object, "name", json_text(entry->name));
    json_object_set_new(object, "state", json_text(states[entry->state]));
    json_object_set_new(object, "message", entry->why ? json_text(entry->why) : json_null());
    json_object_set_new(object, "definition", json_loads(entry->text, 0, NULL));
    json_object_set_new(object, "results",
                        entry->results ? json_loads(entry->results, 0, NULL) : json_null());
    json_object_set_new(object, "match", entry->match ? json_text(entry->match) : json_null());
    if (played)
        json_object_set_new(object, "matches", played);
    char *text = json_dumps(object, JSON_COMPACT);
    text_add(json, text);
    free(text);
    json_decref(object);
}

void hosted_list(Hosted *hosted, Text *json) {
    pthread_mutex_lock(&hosted->mutex);
    text_add_char(json, '[');
    for (size_t i = hosted->entries.count; i-- > 0;) {
        write_entry(hosted->entries.items[i], NULL, json);
        text_add(json, i ? "," : "");
    }
    text_add_char(json, ']');
    pthread_mutex_unlock(&hosted->mutex);
}

bool hosted_describe(Hosted *hosted, const char *name, Text *json) {
    json_t *played = json_played(hosted, name);
    pthread_mutex_lock(&hosted->mutex);
    const Entry *entry = find(hosted, name);
    if (entry)
        write_entry(entry, played, json);
    else
        json_decref(played);
    pthread_mutex_unlock(&hosted->mutex);
    return entry != NULL;
}

uint64_t hosted_version(Hosted *hosted) {
    pthread_mutex_lock(&hosted->mutex);
    uint64_t version = hosted->version;
    pthread_mutex_unlock(&hosted->mutex);
    return version;
}

/* Beginning and end. */

static void load_entry(void *context, const char *const *texts) {
    Hosted *hosted = context;
    Entry *entry = add_entry(hosted, texts[0], texts[1], NULL);
    Text results = {0};
    Report report = {0};
    if (store_get_facts(hosted->tools.store, facts_key(entry->name), &results, &report)) {
        entry->results = memory_strdup(text_string(&results));
        entry->state = STATE_OVER;
    }
    report_free(&report);
    vector_free(&results);
}

Hosted *hosted_create(const LiveTools *tools, Hall *hall, Report *report) {
    Hosted *hosted = memory_zalloc(sizeof *hosted);
    hosted->tools = *tools;
    hosted->hall = hall;
    pthread_mutex_init(&hosted->mutex, NULL);
    pthread_cond_init(&hosted->changed, NULL);
    if (store_visit_hosted(tools->store, load_entry, hosted, report)) {
        hosted->has_player = pthread_create(&hosted->player, NULL, play_all, hosted) == 0;
        return hosted;
    }
    hosted_free(hosted);
    return NULL;
}

void hosted_free(Hosted *hosted) {
    if (!hosted)
        return;
    pthread_mutex_lock(&hosted->mutex);
    __atomic_store_n(&hosted->stopped, true, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&hosted->changed);
    pthread_mutex_unlock(&hosted->mutex);
    gate_wake(hosted->tools.gate);
    if (hosted->has_player)
        pthread_join(hosted->player, NULL);
    for (size_t i = 0; i < hosted->entries.count; i++) {
        Entry *entry = hosted->entries.items[i];
        free(entry->name);
        free(entry->text);
        free(entry->client);
        free(entry->match);
        free(entry->results);
        free(entry->why);
        free(entry);
    }
    vector_free(&hosted->entries);
    pthread_mutex_destroy(&hosted->mutex);
    pthread_cond_destroy(&hosted->changed);
    free(hosted);
}
