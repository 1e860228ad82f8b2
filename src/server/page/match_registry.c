/* Every match that is not over has an entry in `known`. Its thread and its position are in memory
 * (`present`) only while somebody plays or watches, or searches play. */
#include "server/page/match_registry.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"

enum {
    MAX_IDLE = 64, /* matches in memory without a user (untuned) */
    LISTED = 50,   /* matches per page of the list (untuned) */
    MAX_FOUND = 60 /* matches that one request may ask for (untuned) */
};
/* Seconds without a visitor after which a match with people in it is ended, and after which one
 * leaves the memory (untuned). */
static const double forgotten_seconds = 30 * 86400.0, longest_idle = 120;

/* A match that is not over. */
typedef struct {
    char *id, *client;
    json_t *setup;
    double visited; /* wall-clock time of the last visit since the server began */
} Known;

struct MatchRegistry {
    MatchRegistryOptions options;
    pthread_mutex_t mutex;
    VECTOR(Known) known;
    VECTOR(LiveMatch *) present;
    uint64_t version;
};

static Known *find_known(MatchRegistry *registry, const char *id) {
    for (size_t i = 0; i < registry->known.count; i++)
        if (strcmp(registry->known.items[i].id, id) == 0)
            return &registry->known.items[i];
    return NULL;
}

static LiveMatch *find_present(MatchRegistry *registry, const char *id) {
    for (size_t i = 0; i < registry->present.count; i++)
        if (strcmp(registry->present.items[i]->id, id) == 0)
            return registry->present.items[i];
    return NULL;
}

static void add_known(MatchRegistry *registry, const char *id, json_t *setup) {
    const char *client = json_string_value(json_object_get(setup, "client"));
    Known known = {memory_strdup(id), memory_strdup(client ? client : ""), json_incref(setup),
                   clock_wall_seconds()};
    vector_push(&registry->known, known);
    registry->version++;
}

static void free_known(Known *known) {
    memory_free(known->id, known->client);
    json_decref(known->setup);
}

/* Removes an entry; the order of the others stays. */
static void remove_known(MatchRegistry *registry, Known *known) {
    free_known(known);
    for (Known *end = registry->known.items + registry->known.count; known + 1 < end; known++)
        known[0] = known[1];
    registry->known.count--;
    registry->version++;
}

/* Removes the entries of matches that have ended. */
static void clear_ended(MatchRegistry *registry) {
    for (size_t i = 0; i < registry->present.count; i++) {
        LiveMatch *match = registry->present.items[i];
        Known *known = live_is_ended(match) ? find_known(registry, match->id) : NULL;
        if (known)
            remove_known(registry, known);
    }
}

static bool has_player(const json_t *setup, const char *text);

/* Ends the match of this client (NULL: of any) with people in it that nobody has visited for the
 * longest time, if that is so many seconds ago. False if there is none. */
static bool end_abandoned(MatchRegistry *registry, const char *client, double seconds) {
    Known *oldest = NULL;
    for (size_t i = 0; i < registry->known.count; i++) {
        Known *known = &registry->known.items[i];
        const LiveMatch *match = find_present(registry, known->id);
        bool is_old = clock_wall_seconds() - known->visited >= seconds && !(match && match->users);
        if (is_old && (!client || strcmp(known->client, client) == 0) &&
            has_player(known->setup, "human") && (!oldest || known->visited < oldest->visited))
            oldest = known;
    }
    if (!oldest)
        return false;
    Report ignored = {0};
    for (size_t i = 0; i < registry->present.count; i++)
        if (strcmp(registry->present.items[i]->id, oldest->id) == 0) {
            live_free(registry->present.items[i]);
            registry->present.items[i] = vector_last(&registry->present);
            registry->present.count--;
        }
    store_end_live(registry->options.tools.store, oldest->id, NULL, &ignored);
    remove_known(registry, oldest);
    report_free(&ignored);
    return true;
}

/* True if nobody uses the match and nothing would be lost, because it is over or waits for
 * humans. */
static bool can_be_freed(LiveMatch *match) {
    return !match->users && (!match->has_thread || live_is_ended(match) || live_is_waiting(match));
}

/* Seconds after which a match without a visitor leaves the memory. */
static double idle_seconds(const MatchRegistry *registry) {
    return fmin(longest_idle, registry->options.abandoned_seconds);
}

/* While there are more than `most` matches in memory, frees the one that has been unused for
 * longest; also those that have been unused for so many seconds. */
static void make_room(MatchRegistry *registry, size_t most, double seconds) {
    double now = clock_wall_seconds();
    clear_ended(registry);
    for (;;) {
        size_t oldest = SIZE_MAX;
        for (size_t i = 0; i < registry->present.count; i++)
            if (can_be_freed(registry->present.items[i]) &&
                (oldest == SIZE_MAX ||
                 registry->present.items[i]->touched < registry->present.items[oldest]->touched))
                oldest = i;
        if (oldest == SIZE_MAX || (registry->present.count <= most &&
                                   now - registry->present.items[oldest]->touched < seconds))
            return;
        live_free(registry->present.items[oldest]);
        registry->present.items[oldest] = vector_last(&registry->present);
        registry->present.count--;
    }
}

void match_registry_tidy(MatchRegistry *registry) {
    pthread_mutex_lock(&registry->mutex);
    clear_ended(registry);
    while (end_abandoned(registry, NULL, forgotten_seconds))
        ;
    make_room(registry, registry->options.max_running, idle_seconds(registry));
    pthread_mutex_unlock(&registry->mutex);
}

void match_registry_relieve(MatchRegistry *registry) {
    LiveMatch *chosen = NULL;
    pthread_mutex_lock(&registry->mutex);
    make_room(registry, 0, 0);
    for (size_t i = 0; i < registry->present.count; i++) {
        LiveMatch *match = registry->present.items[i];
        bool is_played = match->has_thread && !live_is_ended(match) && !live_is_waiting(match);
        if (is_played && (!chosen || !game_has_circuit(match->open->game)))
            chosen = match;
    }
    if (chosen)
        live_end(chosen);
    pthread_mutex_unlock(&registry->mutex);
}

/* Opens the game. If there is no memory for it, matches that nobody uses give up theirs. */
static const OpenGame *acquire(MatchRegistry *registry, const char *game, Report *report) {
    Library *library = registry->options.tools.library;
    Report first = {0};
    const OpenGame *open = library_acquire_game(library, game, &first);
    bool is_full = !open && first.items.count && strcmp(first.items.items[0].code, "busy") == 0;
    report_free(&first);
    if (open)
        return open;
    if (is_full) {
        pthread_mutex_lock(&registry->mutex);
        make_room(registry, 0, 0);
        pthread_mutex_unlock(&registry->mutex);
    }
    return library_acquire_game(library, game, report);
}

static LiveMatch *admit(MatchRegistry *registry, LiveMatch *match) {
    match->touched = clock_wall_seconds();
    vector_push(&registry->present, match);
    return match;
}

static LiveMatch *bring_back(MatchRegistry *registry, const Known *known, Report *report) {
    make_room(registry, registry->options.max_running - 1, idle_seconds(registry));
    if (registry->present.count >= registry->options.max_running) {
        report_error(report, "busy", "too many matches are being played");
        return NULL;
    }
    LiveMatch *match = live_create(&registry->options.tools, known->id, known->setup, report);
    if (match && live_run(match, report))
        return admit(registry, match);
    live_free(match);
    return NULL;
}

/* The record of a match that is over; NULL with the reason. */
static json_t *read_ended(MatchRegistry *registry, const char *id, Report *report) {
    Store *store = registry->options.tools.store;
    int64_t number = store_find_match(store, id, report);
    Text text = {0};
    json_t *record = NULL;
    if (!number)
        report_error(report, "no-match", "there is no match `%.80s`", id);
    else if (store_record(store, number, &text, report))
        record = json_loadb(text.items, text.count, 0, NULL);
    vector_free(&text);
    return record;
}

/* Counts one more user. Call with the mutex locked. */
static LiveMatch *enter(LiveMatch *match) {
    if (match) {
        match->users++;
        match->touched = clock_wall_seconds();
    }
    return match;
}

static LiveMatch *load_match(MatchRegistry *registry, const char *id, json_t *record,
                             Report *report) {
    LiveMatch *match = find_present(registry, id);
    const Known *known = find_known(registry, id);
    if (match)
        return match;
    if (known)
        return bring_back(registry, known, report);
    match = record ? live_from_record(&registry->options.tools, id, record, report) : NULL;
    return match ? admit(registry, match) : NULL;
}

/* Building the game may take seconds, so it happens before the mutex is taken. */
LiveMatch *match_registry_visit(MatchRegistry *registry, const char *id, Report *report) {
    pthread_mutex_lock(&registry->mutex);
    LiveMatch *match = enter(find_present(registry, id));
    Known *known = find_known(registry, id);
    if (known)
        known->visited = clock_wall_seconds();
    json_t *setup = known && !match ? json_incref(known->setup) : NULL;
    pthread_mutex_unlock(&registry->mutex);
    if (match)
        return match;
    if (!setup)
        setup = read_ended(registry, id, report);
    const char *game = json_string_value(json_object_get(setup, "game"));
    Library *library = registry->options.tools.library;
    const OpenGame *open = game ? acquire(registry, game, report) : NULL;
    if (open) {
        pthread_mutex_lock(&registry->mutex);
        match = enter(load_match(registry, id, setup, report));
        pthread_mutex_unlock(&registry->mutex);
    }
    library_release_game(library, open);
    json_decref(setup);
    return match;
}

void match_registry_leave(MatchRegistry *registry, LiveMatch *match) {
    pthread_mutex_lock(&registry->mutex);
    assert(match->users);
    match->users--;
    match->touched = clock_wall_seconds();
    make_room(registry,
              MAX_IDLE > registry->options.max_running ? registry->options.max_running
                                                       : (size_t)MAX_IDLE,
              idle_seconds(registry));
    pthread_mutex_unlock(&registry->mutex);
}

static size_t count_matches(const MatchRegistry *registry, const char *client) {
    size_t count = 0;
    for (size_t i = 0; i < registry->known.count; i++)
        count += strcmp(registry->known.items[i].client, client) == 0;
    return count;
}

static bool new_id(Text *id) {
    uint64_t number;
    text_clear(id);
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        return false;
    text_printf(id, "m%015llx", (unsigned long long)(number >> 4));
    return true;
}

/* True if a player of the setup begins with this text, without regard to case. */
static bool has_player(const json_t *setup, const char *text) {
    const json_t *players = json_object_get(setup, "players");
    for (size_t i = 0; i < json_array_size(players); i++) {
        const char *player =
            json_string_value(json_object_get(json_array_get(players, i), "player"));
        if (player && strncasecmp(player, text, strlen(text)) == 0)
            return true;
    }
    return false;
}

/* Adds the turns of the match that this one continues. Fails for players on the network, because
 * they cannot be told of these turns. */
static bool add_opening(MatchRegistry *registry, const json_t *from, json_t *setup,
                        Report *report) {
    const char *id = json_string_value(json_object_get(from, "match"));
    const json_t *turn = json_object_get(from, "turn");
    if (!id || !json_is_integer(turn) || json_integer_value(turn) < 0 || has_player(setup, "http"))
        return report_error(
            report, "bad-match",
            "`from` needs a `match` and a `turn`, and allows no players on the network");
    LiveMatch *past = match_registry_visit(registry, id, report);
    if (!past)
        return false;
    const char *game = json_string_value(json_object_get(setup, "game"));
    json_t *opening = NULL;
    if (strcmp(past->open->id, game) != 0)
        report_error(report, "bad-match", "the match is of another game");
    else
        opening = live_opening(past, (size_t)json_integer_value(turn), report);
    match_registry_leave(registry, past);
    if (opening)
        json_object_set_new(setup, "opening", opening);
    return opening != NULL;
}

/* Call with the mutex locked. */
static bool begin(MatchRegistry *registry, const char *id, json_t *setup, Report *report) {
    char *text = dump_json(json_incref(setup));
    bool ok = store_add_live(registry->options.tools.store, id, text, report);
    free(text);
    if (!ok)
        return false;
    add_known(registry, id, setup);
    return bring_back(registry, &vector_last(&registry->known), report) != NULL;
}

/* Begins a match of a game that is open. */
static json_t *start(MatchRegistry *registry, const json_t *wanted, const char *client,
                     bool is_trusted, Text *id, Report *report) {
    json_t *setup = live_check_setup(wanted, &registry->options.tools, client, is_trusted, report);
    if (!setup)
        return NULL;
    const json_t *from = json_object_get(wanted, "from");
    if (from && !add_opening(registry, from, setup, report)) {
        json_decref(setup);
        return NULL;
    }
    pthread_mutex_lock(&registry->mutex);
    clear_ended(registry);
    bool ok = count_matches(registry, client) < registry->options.max_per_client ||
              end_abandoned(registry, client, registry->options.abandoned_seconds);
    if (!ok)
        report_error(report, "busy", "you have %zu matches that are not over; end one first",
                     registry->options.max_per_client);
    ok = ok && new_id(id) && begin(registry, text_string(id), setup, report);
    pthread_mutex_unlock(&registry->mutex);
    if (ok)
        return setup;
    json_decref(setup);
    return NULL;
}

json_t *match_registry_start(MatchRegistry *registry, const json_t *wanted, const char *client,
                             bool is_trusted, Text *id, Report *report) {
    const char *game = json_string_value(json_object_get(wanted, "game"));
    const OpenGame *open = game ? acquire(registry, game, report) : NULL;
    if (!game)
        report_error(report, "bad-match", "`game` is missing");
    json_t *setup = open ? start(registry, wanted, client, is_trusted, id, report) : NULL;
    library_release_game(registry->options.tools.library, open);
    return setup;
}

/* ---- matches that others referee ---- */

LiveMatch *match_registry_attend(MatchRegistry *registry, const MatchSetup *played,
                                 const char *client, Report *report) {
    Text id = {0};
    LiveMatch *match = NULL;
    if (new_id(&id))
        match = live_attend(&registry->options.tools, text_string(&id), played, client, report);
    vector_free(&id);
    if (!match)
        return NULL;
    pthread_mutex_lock(&registry->mutex);
    make_room(registry, registry->options.max_running - 1, idle_seconds(registry));
    bool has_room = registry->present.count < registry->options.max_running;
    if (has_room) {
        enter(admit(registry, match));
        registry->version++;
    }
    pthread_mutex_unlock(&registry->mutex);
    if (has_room)
        return match;
    report_error(report, "busy", "too many matches are being played");
    live_free(match);
    return NULL;
}

void match_registry_dismiss(MatchRegistry *registry, LiveMatch *match, const MatchRecord *record) {
    live_conclude(match, record);
    pthread_mutex_lock(&registry->mutex);
    registry->version++;
    pthread_mutex_unlock(&registry->mutex);
    match_registry_leave(registry, match);
}

/* ---- lists ---- */

static json_t *parked_json(const Known *known) {
    json_t *names = json_array();
    const json_t *players = json_object_get(known->setup, "players");
    for (size_t i = 0; i < json_array_size(players); i++)
        json_array_append(names, json_object_get(json_array_get(players, i), "name"));
    return object_of(
        "id", text_json(known->id), "game", json_incref(json_object_get(known->setup, "game")),
        "players", names, "started",
        json_integer(1000 * json_integer_value(json_object_get(known->setup, "created"))), "status",
        text_json("parked"));
}

static json_t *split_json(const char *lines) {
    json_t *array = json_array();
    for (size_t length;; lines += length + 1) {
        Text line = {0};
        length = strcspn(lines, "\n");
        text_add_bytes(&line, lines, length);
        array_push(array, take_text_json(&line));
        if (!lines[length])
            return array;
    }
}

void match_registry_add_stored(void *array, const StoredMatch *match) {
    array_push(array,
               object_of("number", json_integer(match->number), "id", text_json(match->id), "game",
                         text_json(match->game), "players", split_json(match->players), "goals",
                         split_json(match->goals), "turn", json_integer(match->turns), "started",
                         json_integer(match->started), "status",
                         json_string(match->is_completed ? "over" : "broken")));
}

void match_registry_name_games(MatchRegistry *registry, json_t *matches) {
    Text name = {0};
    for (size_t i = 0; i < json_array_size(matches); i++) {
        json_t *match = json_array_get(matches, i);
        const char *game = json_string_value(json_object_get(match, "game"));
        text_clear(&name);
        if (game && library_name(registry->options.tools.library, game, &name))
            json_object_set_new(match, "name", text_json(text_string(&name)));
    }
    vector_free(&name);
}

static void add_stored_by_id(MatchRegistry *registry, const char *id, json_t *found,
                             Report *report) {
    int64_t number = store_find_match(registry->options.tools.store, id, report);
    if (number)
        store_visit_matches(registry->options.tools.store, number + 1, 1, match_registry_add_stored,
                            found, report);
}

json_t *match_registry_find(MatchRegistry *registry, const char *ids, Report *report) {
    json_t *found = json_array();
    Text id = {0};
    for (size_t i = 0; i < MAX_FOUND && *ids; i++) {
        size_t length = strcspn(ids, ",");
        text_clear(&id);
        text_add_bytes(&id, ids, length);
        pthread_mutex_lock(&registry->mutex);
        LiveMatch *match = find_present(registry, text_string(&id));
        const Known *known = find_known(registry, text_string(&id));
        json_t *entry = match ? live_summary(match) : known ? parked_json(known) : NULL;
        pthread_mutex_unlock(&registry->mutex);
        if (entry)
            array_push(found, entry);
        else
            add_stored_by_id(registry, text_string(&id), found, report);
        ids += length + (ids[length] == ',');
    }
    vector_free(&id);
    match_registry_name_games(registry, found);
    return found;
}

json_t *match_registry_list(MatchRegistry *registry, int64_t before, Report *report) {
    json_t *live = json_array(), *ended = json_array();
    pthread_mutex_lock(&registry->mutex);
    clear_ended(registry);
    for (size_t i = 0; i < registry->present.count; i++)
        if (registry->present.items[i]->is_elsewhere && !live_is_ended(registry->present.items[i]))
            array_push(live, live_summary(registry->present.items[i]));
    for (size_t i = registry->known.count; i-- > 0;) {
        LiveMatch *match = find_present(registry, registry->known.items[i].id);
        array_push(live, match ? live_summary(match) : parked_json(&registry->known.items[i]));
    }
    pthread_mutex_unlock(&registry->mutex);
    store_visit_matches(registry->options.tools.store, before, LISTED, match_registry_add_stored,
                        ended, report);
    match_registry_name_games(registry, live);
    match_registry_name_games(registry, ended);
    return json_pack("{s:o,s:o}", "live", live, "ended", ended);
}

uint64_t match_registry_version(MatchRegistry *registry) {
    pthread_mutex_lock(&registry->mutex);
    clear_ended(registry);
    uint64_t version = registry->version;
    pthread_mutex_unlock(&registry->mutex);
    return version;
}

void match_registry_wake(MatchRegistry *registry) {
    pthread_mutex_lock(&registry->mutex);
    for (size_t i = 0; i < registry->present.count; i++)
        live_wake(registry->present.items[i]);
    pthread_mutex_unlock(&registry->mutex);
}

/* ---- creation and destruction ---- */

static void load_known(void *context, const char *const *texts) {
    json_t *setup = json_loads(texts[1], 0, NULL);
    if (setup)
        add_known(context, texts[0], setup);
    json_decref(setup);
}

/* True if only searches play. A match with players on the network cannot be resumed, because they
 * know nothing of it after an interruption. */
static bool needs_nobody(const Known *known) {
    return !has_player(known->setup, "human") && !has_player(known->setup, "http");
}

MatchRegistry *match_registry_create(const MatchRegistryOptions *options, Report *report) {
    MatchRegistry *registry = memory_zalloc(sizeof *registry);
    registry->options = *options;
    pthread_mutex_init(&registry->mutex, NULL);
    if (!store_visit(options->tools.store, STORE_LIVE, NULL, load_known, registry, report)) {
        match_registry_free(registry);
        return NULL;
    }
    for (size_t i = 0; i < registry->known.count; i++) {
        Report ignored = {0};
        if (needs_nobody(&registry->known.items[i]))
            bring_back(registry, &registry->known.items[i], &ignored);
        report_free(&ignored);
    }
    return registry;
}

void match_registry_free(MatchRegistry *registry) {
    if (!registry)
        return;
    for (size_t i = 0; i < registry->present.count; i++)
        live_free(registry->present.items[i]);
    for (size_t i = 0; i < registry->known.count; i++)
        free_known(&registry->known.items[i]);
    vectors_free(&registry->present, &registry->known);
    pthread_mutex_destroy(&registry->mutex);
    free(registry);
}
