/* Requests about matches: the list, new matches, documents and streams of one match, moves and
 * hints. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "server/page/site_internal.h"

/* An event without news, by which a client knows that the server is there, and the server that the
 * client is. Seconds between two (untuned). */
static const char beat[] = "event: beat\ndata: \n\n";
static const double heartbeat_seconds = 10;
/* Seconds that people may watch a search think, and between two looks at it (untuned). */
static const double default_thinking = 1, longest_thinking = 60, first_look = 0.2, next_look = 0.5;
enum { MAX_THINKERS = 24 }; /* searches that people watch at the same time, at most (untuned) */
/* Seconds between checks of the list of matches for changes (untuned). */
static const double list_poll_seconds = 0.5;

static bool answer_matches(Visit *visit, HttpAnswer *answer) {
    const char *before = http_find(&visit->request->query, "before");
    const char *ids = http_find(&visit->request->query, "ids");
    if (ids) {
        site_write(answer, object_of("matches", match_registry_find(visit->site->registry, ids,
                                                                    &visit->report)));
        return true;
    }
    site_write(answer, match_registry_list(visit->site->registry,
                                           before ? strtoll(before, NULL, 10) : 0, &visit->report));
    return true;
}

static bool answer_start(Visit *visit, HttpAnswer *answer) {
    Text id = {0};
    if (!site_may_think(visit, answer))
        return true;
    json_t *setup = match_registry_start(visit->site->registry, visit->body, visit->client,
                                         visit->is_trusted, &id, &visit->report);
    if (setup) {
        answer->status = 201;
        site_write(answer,
                   json_pack("{s:O,s:O,s:o}", "keys", json_object_get(setup, "keys"), "owner",
                             json_object_get(setup, "owner"), "id", text_json(text_string(&id))));
    }
    json_decref(setup);
    vector_free(&id);
    return setup != NULL;
}

static bool answer_match(Visit *visit, HttpAnswer *answer) {
    live_document(visit->match, visit->role, &answer->body);
    return true;
}

static bool answer_turn(Visit *visit, HttpAnswer *answer) {
    char *end;
    unsigned long turn = strtoul(visit->parts[1], &end, 10);
    if (*end || visit->parts[1][0] == '-' ||
        !live_turn_document(visit->match, visit->role, turn, &answer->body))
        site_refuse(answer, 404, "no-turn", "there is no such turn, or it is not shown yet");
    return true;
}

static bool answer_record(Visit *visit, HttpAnswer *answer) {
    Store *store = visit->site->store;
    int64_t number = store_find_match(store, visit->parts[0], &visit->report);
    if (number)
        return store_record(store, number, &answer->body, &visit->report);
    return site_refuse(answer, 404, "no-match", "there is no match of that name that is over");
}

static bool answer_move(Visit *visit, HttpAnswer *answer) {
    const char *move = site_text(visit, "move");
    if (move)
        return live_move(visit->match, visit->role, move, &visit->report) &&
               answer_match(visit, answer);
    return site_refuse(answer, 400, "bad-move", "`move` is missing");
}

static bool answer_back(Visit *visit, HttpAnswer *answer) {
    return live_take_back(visit->match, visit->role, &visit->report) && answer_match(visit, answer);
}

static bool answer_end(Visit *visit, HttpAnswer *answer) {
    if (live_owns(visit->match, site_text(visit, "key"))) {
        live_end(visit->match);
        site_write(answer, json_pack("{s:b}", "ok", 1));
    } else {
        site_refuse(answer, 403, "key", "this key does not belong to the match");
    }
    return true;
}

static bool answer_hurry(Visit *visit, HttpAnswer *answer) {
    if (!live_owns(visit->match, site_text(visit, "key")))
        return site_refuse(answer, 403, "key", "this key does not belong to the match");
    live_hurry(visit->match);
    site_write(answer, object_of("ok", json_true()));
    return true;
}

/* ---- streams ---- */

typedef struct {
    Site *site;
    LiveMatch *match; /* NULL for the list of matches */
    uint32_t role;
    uint64_t seen;
    bool is_last;                         /* the match is over and its last document was sent */
    uint64_t matches, games, tournaments; /* versions of the lists that the client was told last */
} Stream;

/* Sends the match whenever it changes, until it is over. */
static bool next_of_match(void *context, Text *piece) {
    Stream *s = context;
    if (flag_is_set(&s->site->stopped) || s->is_last)
        return false;
    if (live_wait(s->match, &s->seen, heartbeat_seconds, &s->site->stopped)) {
        s->is_last = live_is_ended(s->match);
        text_add(piece, "data: ");
        live_document(s->match, s->role, piece);
        text_add(piece, "\n\n");
    } else {
        text_add(piece, beat);
    }
    return true;
}

/* Sends the versions of the lists whenever they change. Lists change inside several monitors.
 * Checking twice a second is simpler than a signal from all of them, and nobody notices the
 * delay. */
static bool next_of_list(void *context, Text *piece) {
    Stream *s = context;
    for (double waited = 0; waited < heartbeat_seconds; waited += list_poll_seconds) {
        if (flag_is_set(&s->site->stopped))
            return false;
        uint64_t matches = match_registry_version(s->site->registry) + 1;
        uint64_t games = library_version(s->site->library) + 1;
        uint64_t tournaments = hosted_version(s->site->hosted) + 1;
        if (matches != s->matches || games != s->games || tournaments != s->tournaments) {
            s->matches = matches;
            s->games = games;
            s->tournaments = tournaments;
            text_printf(piece, "data: {\"matches\":%llu,\"games\":%llu,\"tournaments\":%llu}\n\n",
                        (unsigned long long)matches, (unsigned long long)games,
                        (unsigned long long)tournaments);
            return true;
        }
        nanosleep(&(struct timespec){.tv_nsec = (long)(list_poll_seconds * 1e9)}, NULL);
    }
    text_add(piece, beat);
    return true;
}

static void leave_stream(void *context) {
    Stream *s = context;
    if (s->match)
        match_registry_leave(s->site->registry, s->match);
    free(s);
}

static bool begin_stream(HttpAnswer *answer, Stream first, bool (*next)(void *, Text *)) {
    Stream *stream = memory_alloc(sizeof *stream);
    *stream = first;
    answer->content_type = "text/event-stream";
    answer->stream = (HttpStream){next, leave_stream, stream};
    return true;
}

/* The stream keeps the match, and leaves it at its end. */
static bool answer_match_events(Visit *visit, HttpAnswer *answer) {
    Stream first = {.site = visit->site, .match = visit->match, .role = visit->role};
    visit->match = NULL;
    return begin_stream(answer, first, next_of_match);
}

static bool answer_events(Visit *visit, HttpAnswer *answer) {
    return begin_stream(answer, (Stream){.site = visit->site}, next_of_list);
}

/* ---- searches that people watch ---- */

typedef struct {
    Site *site;
    LiveMatch *match;
    LiveThinking *thinking;
    char *client;
    double left; /* seconds that it may still think */
    bool is_first, is_last;
} Watching;

static bool next_thought(void *context, Text *piece) {
    Watching *w = context;
    double now = clock_wall_seconds();
    if (w->is_last || w->left <= 0 || __atomic_load_n(&w->site->stopped, __ATOMIC_RELAXED) ||
        !limits_may_think(w->site->limits, w->client, now))
        return false;
    double seconds = fmin(w->left, w->is_first ? first_look : next_look);
    w->is_first = false;
    text_add(piece, "data: ");
    w->is_last = !live_think_on(w->thinking, seconds, piece);
    text_add(piece, "\n\n");
    w->left -= seconds;
    limits_spend(w->site->limits, w->client, seconds, clock_wall_seconds());
    return true;
}

static void leave_thinking(void *context) {
    Watching *w = context;
    live_think_free(w->thinking);
    match_registry_leave(w->site->registry, w->match);
    __atomic_sub_fetch(&w->site->thinkers, 1, __ATOMIC_RELAXED);
    memory_free(w->client, w);
}

/* The role that the body names; LIVE_NOBODY if it names none. */
static uint32_t wanted_role(const Visit *visit) {
    const char *name = site_text(visit, "role");
    for (uint32_t r = 0; name && r < visit->match->role_count; r++)
        if (strcmp(visit->match->roles[r], name) == 0)
            return r;
    return LIVE_NOBODY;
}

static bool begin_thinking(Visit *visit, HttpAnswer *answer, double seconds, size_t turn) {
    LiveThinking *thinking =
        live_think(visit->match, visit->role, turn, wanted_role(visit), &visit->report);
    if (!thinking) {
        __atomic_sub_fetch(&visit->site->thinkers, 1, __ATOMIC_RELAXED);
        return false;
    }
    Watching *w = memory_alloc(sizeof *w);
    *w = (Watching){.site = visit->site,
                    .match = visit->match,
                    .thinking = thinking,
                    .client = memory_strdup(visit->client),
                    .left = seconds,
                    .is_first = true};
    visit->match = NULL;
    answer->content_type = "text/event-stream";
    answer->stream = (HttpStream){next_thought, leave_thinking, w};
    return true;
}

/* Streams what a search finds while it thinks; it ends when the client goes away. */
static bool answer_think(Visit *visit, HttpAnswer *answer) {
    const json_t *wanted = json_object_get(visit->body, "seconds");
    const json_t *turn = json_object_get(visit->body, "turn");
    double seconds = json_is_number(wanted) ? json_number_value(wanted) : default_thinking;
    if (!(seconds > 0 && seconds <= longest_thinking))
        return site_refuse(answer, 400, "bad-hint",
                           "`seconds` must be a number above 0 and at most 60");
    if (!json_is_integer(turn) || json_integer_value(turn) < 0)
        return site_refuse(answer, 400, "bad-hint", "`turn` must be the number of a turn");
    if (!site_may_think(visit, answer))
        return true;
    if (__atomic_add_fetch(&visit->site->thinkers, 1, __ATOMIC_RELAXED) <= MAX_THINKERS)
        return begin_thinking(visit, answer, seconds, (size_t)json_integer_value(turn));
    __atomic_sub_fetch(&visit->site->thinkers, 1, __ATOMIC_RELAXED);
    return site_refuse(answer, 429, "busy", "too many people ask for help; try again in a minute");
}

const Route match_routes[] = {
    {"GET", "/api/events", answer_events, NEEDS_NOTHING},
    {"GET", "/api/matches", answer_matches, NEEDS_NOTHING},
    {"POST", "/api/matches", answer_start, NEEDS_NOTHING},
    {"GET", "/api/matches/{}", answer_match, NEEDS_MATCH},
    {"GET", "/api/matches/{}/events", answer_match_events, NEEDS_MATCH},
    {"GET", "/api/matches/{}/turns/{}", answer_turn, NEEDS_MATCH},
    {"GET", "/api/matches/{}/record", answer_record, NEEDS_NOTHING},
    {"POST", "/api/matches/{}/move", answer_move, NEEDS_SEAT},
    {"POST", "/api/matches/{}/back", answer_back, NEEDS_SEAT},
    {"POST", "/api/matches/{}/end", answer_end, NEEDS_MATCH},
    {"POST", "/api/matches/{}/hurry", answer_hurry, NEEDS_MATCH},
    {"POST", "/api/matches/{}/think", answer_think, NEEDS_MATCH},
    {0},
};
