/* Every match that is not over has an entry in `known`. Its thread and its position are in memory
 * (`present`) only while somebody plays or watches, or searches play. */
#include "server/page/hall.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"

enum {
    MOST_IDLE = 64, /* matches in memory without a user (guess) */
    LISTED = 50     /* matches per page of the list (guess) */
};

/* A match that is not over. */
typedef struct {
    char *id, *client;
    json_t *setup;
} Known;

struct Hall {
    HallOptions options;
    pthread_mutex_t mutex;
    VECTOR(Known) known;
    VECTOR(LiveMatch *) present;
    uint64_t version;
};

static Known *find_known(Hall *hall, const char *id) {
    for (size_t i = 0; i < hall->known.count; i++)
        if (strcmp(hall->known.items[i].id, id) == 0)
            return &hall->known.items[i];
    return NULL;
}

static LiveMatch *find_present(Hall *hall, const char *id) {
    for (size_t i = 0; i < hall->present.count; i++)
        if (strcmp(hall->present.items[i]->id, id) == 0)
            return hall->present.items[i];
    return NULL;
}

static void add_known(Hall *hall, const char *id, json_t *setup) {
    const char *client = json_string_value(json_object_get(setup, "client"));
    Known known = {memory_strdup(id), memory_strdup(client ? client : ""), json_incref(setup)};
    vector_push(&hall->known, known);
    hall->version++;
}

static void free_known(Known *known) {
    memory_free(known->id, known->client);
    json_decref(known->setup);
}

/* Removes the entries of matches that have ended. */
static void clear_ended(Hall *hall) {
    for (size_t i = 0; i < hall->present.count; i++) {
        LiveMatch *match = hall->present.items[i];
        Known *known = live_is_ended(match) ? find_known(hall, match->id) : NULL;
        if (!known)
            continue;
        free_known(known);
        *known = vector_last(&hall->known);
        hall->known.count--;
        hall->version++;
    }
}

/* True if nobody uses the match and nothing would be lost, because it is over or waits for
 * humans. */
static bool can_be_freed(LiveMatch *match) {
    return !match->users && (!match->has_thread || live_is_ended(match) || live_is_waiting(match));
}

/* While there are more than `most` matches in memory, frees the one that has been unused for
 * longest. */
static void make_room(Hall *hall, size_t most) {
    clear_ended(hall);
    while (hall->present.count > most) {
        size_t oldest = SIZE_MAX;
        for (size_t i = 0; i < hall->present.count; i++)
            if (can_be_freed(hall->present.items[i]) &&
                (oldest == SIZE_MAX ||
                 hall->present.items[i]->touched < hall->present.items[oldest]->touched))
                oldest = i;
        if (oldest == SIZE_MAX)
            return;
        live_free(hall->present.items[oldest]);
        hall->present.items[oldest] = vector_last(&hall->present);
        hall->present.count--;
    }
}

static LiveMatch *admit(Hall *hall, LiveMatch *match) {
    match->touched = clock_wall_seconds();
    vector_push(&hall->present, match);
    return match;
}

static LiveMatch *bring_back(Hall *hall, const Known *known, Report *report) {
    make_room(hall, hall->options.most_running - 1);
    if (hall->present.count >= hall->options.most_running) {
        report_error(report, "busy", "too many matches are being played");
        return NULL;
    }
    LiveMatch *match = live_create(&hall->options.tools, known->id, known->setup, report);
    if (match && live_run(match, report))
        return admit(hall, match);
    live_free(match);
    return NULL;
}

/* The record of a match that is over; NULL with the reason. */
static json_t *read_ended(Hall *hall, const char *id, Report *report) {
    Store *store = hall->options.tools.store;
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

static LiveMatch *summon(Hall *hall, const char *id, json_t *record, Report *report) {
    LiveMatch *match = find_present(hall, id);
    const Known *known = find_known(hall, id);
    if (match)
        return match;
    if (known)
        return bring_back(hall, known, report);
    match = record ? live_from_record(&hall->options.tools, id, record, report) : NULL;
    return match ? admit(hall, match) : NULL;
}

/* Building the game may take seconds, so it happens before the mutex is taken. */
LiveMatch *hall_visit(Hall *hall, const char *id, Report *report) {
    pthread_mutex_lock(&hall->mutex);
    LiveMatch *match = enter(find_present(hall, id));
    const Known *known = match ? NULL : find_known(hall, id);
    json_t *setup = known ? json_incref(known->setup) : NULL;
    pthread_mutex_unlock(&hall->mutex);
    if (match)
        return match;
    if (!setup)
        setup = read_ended(hall, id, report);
    const char *game = json_string_value(json_object_get(setup, "game"));
    Library *library = hall->options.tools.library;
    const OpenGame *open = game ? library_open(library, game, report) : NULL;
    if (open) {
        pthread_mutex_lock(&hall->mutex);
        match = enter(summon(hall, id, setup, report));
        pthread_mutex_unlock(&hall->mutex);
    }
    library_close(library, open);
    json_decref(setup);
    return match;
}

void hall_leave(Hall *hall, LiveMatch *match) {
    pthread_mutex_lock(&hall->mutex);
    assert(match->users);
    match->users--;
    match->touched = clock_wall_seconds();
    make_room(hall, MOST_IDLE > hall->options.most_running ? hall->options.most_running
                                                           : (size_t)MOST_IDLE);
    pthread_mutex_unlock(&hall->mutex);
}

static size_t count_matches(const Hall *hall, const char *client) {
    size_t count = 0;
    for (size_t i = 0; i < hall->known.count; i++)
        count += strcmp(hall->known.items[i].client, client) == 0;
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
static bool add_opening(Hall *hall, const json_t *from, json_t *setup, Report *report) {
    const char *id = json_string_value(json_object_get(from, "match"));
    const json_t *turn = json_object_get(from, "turn");
    if (!id || !json_is_integer(turn) || json_integer_value(turn) < 0 || has_player(setup, "http"))
        return report_error(
            report, "bad-match",
            "`from` needs a `match` and a `turn`, and allows no players on the network");
    LiveMatch *past = hall_visit(hall, id, report);
    if (!past)
        return false;
    const char *game = json_string_value(json_object_get(setup, "game"));
    json_t *opening = NULL;
    if (strcmp(past->open->id, game) != 0)
        report_error(report, "bad-match", "the match is of another game");
    else
        opening = live_opening(past, (size_t)json_integer_value(turn), report);
    hall_leave(hall, past);
    if (opening)
        json_object_set_new(setup, "opening", opening);
    return opening != NULL;
}

/* Call with the mutex locked. */
static bool begin(Hall *hall, const char *id, json_t *setup, Report *report) {
    char *text = json_dump(json_incref(setup));
    bool well = store_add_live(hall->options.tools.store, id, text, report);
    free(text);
    if (!well)
        return false;
    add_known(hall, id, setup);
    return bring_back(hall, &vector_last(&hall->known), report) != NULL;
}

json_t *hall_start(Hall *hall, const json_t *wanted, const char *client, bool is_trusted, Text *id,
                   Report *report) {
    json_t *setup = live_check_setup(wanted, &hall->options.tools, client, is_trusted, report);
    if (!setup)
        return NULL;
    const json_t *from = json_object_get(wanted, "from");
    if (from && !add_opening(hall, from, setup, report)) {
        json_decref(setup);
        return NULL;
    }
    pthread_mutex_lock(&hall->mutex);
    clear_ended(hall);
    bool well = count_matches(hall, client) < hall->options.most_a_client;
    if (!well)
        report_error(report, "busy", "you have %zu matches that are not over; end one first",
                     hall->options.most_a_client);
    well = well && new_id(id) && begin(hall, text_string(id), setup, report);
    pthread_mutex_unlock(&hall->mutex);
    if (well)
        return setup;
    json_decref(setup);
    return NULL;
}

/* ---- matches that others referee ---- */

LiveMatch *hall_attend(Hall *hall, const MatchSetup *played, const char *client, Report *report) {
    Text id = {0};
    LiveMatch *match = NULL;
    if (new_id(&id))
        match = live_attend(&hall->options.tools, text_string(&id), played, client, report);
    vector_free(&id);
    if (!match)
        return NULL;
    pthread_mutex_lock(&hall->mutex);
    make_room(hall, hall->options.most_running - 1);
    bool has_room = hall->present.count < hall->options.most_running;
    if (has_room) {
        enter(admit(hall, match));
        hall->version++;
    }
    pthread_mutex_unlock(&hall->mutex);
    if (has_room)
        return match;
    report_error(report, "busy", "too many matches are being played");
    live_free(match);
    return NULL;
}

void hall_dismiss(Hall *hall, LiveMatch *match, const MatchRecord *record) {
    live_conclude(match, record);
    pthread_mutex_lock(&hall->mutex);
    hall->version++;
    pthread_mutex_unlock(&hall->mutex);
    hall_leave(hall, match);
}

/* ---- lists ---- */

static json_t *json_parked(const Known *known) {
    json_t *names = json_array();
    const json_t *players = json_object_get(known->setup, "players");
    for (size_t i = 0; i < json_array_size(players); i++)
        json_array_append(names, json_object_get(json_array_get(players, i), "name"));
    return json_of("id", json_text(known->id), "game",
                   json_incref(json_object_get(known->setup, "game")), "players", names, "status",
                   json_text("parked"));
}

static json_t *json_split(const char *lines) {
    json_t *array = json_array();
    for (size_t length;; lines += length + 1) {
        Text line = {0};
        length = strcspn(lines, "\n");
        text_add_bytes(&line, lines, length);
        json_push(array, json_take(&line));
        if (!lines[length])
            return array;
    }
}

void hall_add_stored(void *array, const StoredMatch *match) {
    json_push(array, json_of("number", json_integer(match->number), "id", json_text(match->id),
                             "game", json_text(match->game), "players", json_split(match->players),
                             "goals", json_split(match->goals), "turn", json_integer(match->turns),
                             "started", json_integer(match->started), "status",
                             json_string(match->is_completed ? "over" : "broken")));
}

void hall_name_games(Hall *hall, json_t *matches) {
    Text name = {0};
    for (size_t i = 0; i < json_array_size(matches); i++) {
        json_t *match = json_array_get(matches, i);
        const char *game = json_string_value(json_object_get(match, "game"));
        text_clear(&name);
        if (game && library_name(hall->options.tools.library, game, &name))
            json_object_set_new(match, "name", json_text(text_string(&name)));
    }
    vector_free(&name);
}

json_t *hall_list(Hall *hall, int64_t before, Report *report) {
    json_t *live = json_array(), *ended = json_array();
    pthread_mutex_lock(&hall->mutex);
    clear_ended(hall);
    for (size_t i = 0; i < hall->present.count; i++)
        if (hall->present.items[i]->is_elsewhere && !live_is_ended(hall->present.items[i]))
            json_push(live, live_summary(hall->present.items[i]));
    for (size_t i = hall->known.count; i-- > 0;) {
        LiveMatch *match = find_present(hall, hall->known.items[i].id);
        json_push(live, match ? live_summary(match) : json_parked(&hall->known.items[i]));
    }
    pthread_mutex_unlock(&hall->mutex);
    store_visit_matches(hall->options.tools.store, before, LISTED, hall_add_stored, ended, report);
    hall_name_games(hall, live);
    hall_name_games(hall, ended);
    return json_pack("{s:o,s:o}", "live", live, "ended", ended);
}

uint64_t hall_version(Hall *hall) {
    pthread_mutex_lock(&hall->mutex);
    clear_ended(hall);
    uint64_t version = hall->version;
    pthread_mutex_unlock(&hall->mutex);
    return version;
}

void hall_wake(Hall *hall) {
    pthread_mutex_lock(&hall->mutex);
    for (size_t i = 0; i < hall->present.count; i++)
        live_wake(hall->present.items[i]);
    pthread_mutex_unlock(&hall->mutex);
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

Hall *hall_create(const HallOptions *options, Report *report) {
    Hall *hall = memory_zalloc(sizeof *hall);
    hall->options = *options;
    pthread_mutex_init(&hall->mutex, NULL);
    if (!store_visit(options->tools.store, STORE_LIVE, NULL, load_known, hall, report)) {
        hall_free(hall);
        return NULL;
    }
    for (size_t i = 0; i < hall->known.count; i++) {
        Report ignored = {0};
        if (needs_nobody(&hall->known.items[i]))
            bring_back(hall, &hall->known.items[i], &ignored);
        report_free(&ignored);
    }
    return hall;
}

void hall_free(Hall *hall) {
    if (!hall)
        return;
    for (size_t i = 0; i < hall->present.count; i++)
        live_free(hall->present.items[i]);
    for (size_t i = 0; i < hall->known.count; i++)
        free_known(&hall->known.items[i]);
    vectors_free(&hall->present, &hall->known);
    pthread_mutex_destroy(&hall->mutex);
    free(hall);
}
