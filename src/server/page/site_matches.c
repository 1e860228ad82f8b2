/* Requests about matches: the list, new matches, documents and streams of one match, moves and
 * hints. */
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "server/page/site_internal.h"

/* Seconds between comments in a stream that keep it alive (guess). */
static const double heartbeat_seconds = 10;
static const double default_hint = 1, longest_hint = 10; /* seconds of search (guesses) */
/* Seconds between checks of the lobby for changes (guess). */
static const double lobby_seconds = 0.5;

static void answer_matches(Visit *visit, HttpAnswer *answer) {
    const char *before = http_find(&visit->request->query, "before");
    Report report = {0};
    json_t *list = hall_list(visit->site->hall, before ? strtoll(before, NULL, 10) : 0, &report);
    site_write(answer, list);
    report_free(&report);
}

static json_t *json_keys(const json_t *setup) {
    json_t *object = json_object();
    json_object_set(object, "keys", json_object_get(setup, "keys"));
    json_object_set(object, "owner", json_object_get(setup, "owner"));
    return object;
}

static void answer_start(Visit *visit, HttpAnswer *answer) {
    Site *site = visit->site;
    Report report = {0};
    Text id = {0};
    if (!site_may_think(visit, answer))
        return;
    json_t *setup = hall_start(site->hall, visit->body, visit->request->client, visit->is_trusted,
                               &id, &report);
    if (setup) {
        json_t *object = json_keys(setup);
        json_object_set_new(object, "id", json_text(text_string(&id)));
        answer->status = 201;
        site_write(answer, object);
    } else {
        site_complain(answer, &report);
    }
    json_decref(setup);
    vector_free(&id);
    report_free(&report);
}

/* Returns the match named in the path; NULL if the request was refused. */
static LiveMatch *enter(const Visit *visit, HttpAnswer *answer) {
    Report report = {0};
    LiveMatch *match = hall_visit(visit->site->hall, visit->parts[0], &report);
    if (!match)
        site_complain(answer, &report);
    report_free(&report);
    return match;
}

static void answer_match(Visit *visit, HttpAnswer *answer) {
    LiveMatch *match = enter(visit, answer);
    if (!match)
        return;
    const char *key = http_find(&visit->request->query, "key");
    live_document(match, live_role_of_key(match, key), &answer->body);
    hall_leave(visit->site->hall, match);
}

static void answer_turn(Visit *visit, HttpAnswer *answer) {
    LiveMatch *match = enter(visit, answer);
    if (!match)
        return;
    const char *key = http_find(&visit->request->query, "key");
    char *end;
    unsigned long turn = strtoul(visit->parts[1], &end, 10);
    if (*end || visit->parts[1][0] == '-' ||
        !live_turn_document(match, live_role_of_key(match, key), turn, &answer->body))
        site_refuse(answer, 404, "no-turn", "there is no such turn, or it is not shown yet");
    hall_leave(visit->site->hall, match);
}

static void answer_record(Visit *visit, HttpAnswer *answer) {
    Report report = {0};
    Store *store = visit->site->store;
    int64_t number = store_find_match(store, visit->parts[0], &report);
    if (!number)
        site_refuse(answer, 404, "no-match", "there is no match of that name that is over");
    else if (!store_record(store, number, &answer->body, &report))
        site_complain(answer, &report);
    report_free(&report);
}

/* Returns the match named in the path, and the role of the key in the body; NULL if the request was
 * refused. */
static LiveMatch *enter_seat(const Visit *visit, HttpAnswer *answer, uint32_t *role) {
    LiveMatch *match = enter(visit, answer);
    if (!match)
        return NULL;
    *role = live_role_of_key(match, site_text(visit, "key"));
    if (*role != LIVE_NOBODY)
        return match;
    hall_leave(visit->site->hall, match);
    site_refuse(answer, 403, "key", "this key belongs to no seat of the match");
    return NULL;
}

static void finish_change(const Visit *visit, LiveMatch *match, uint32_t role, bool well,
                          Report *report, HttpAnswer *answer) {
    if (well)
        live_document(match, role, &answer->body);
    else
        site_complain(answer, report);
    hall_leave(visit->site->hall, match);
    report_free(report);
}

static void answer_move(Visit *visit, HttpAnswer *answer) {
    const char *move = site_text(visit, "move");
    uint32_t role;
    if (!move) {
        site_refuse(answer, 400, "bad-move", "`move` is missing");
        return;
    }
    LiveMatch *match = enter_seat(visit, answer, &role);
    if (!match)
        return;
    Report report = {0};
    bool well = live_move(match, role, move, &report);
    finish_change(visit, match, role, well, &report, answer);
}

static void answer_back(Visit *visit, HttpAnswer *answer) {
    uint32_t role;
    LiveMatch *match = enter_seat(visit, answer, &role);
    if (!match)
        return;
    Report report = {0};
    bool well = live_take_back(match, role, &report);
    finish_change(visit, match, role, well, &report, answer);
}

static void answer_end(Visit *visit, HttpAnswer *answer) {
    LiveMatch *match = enter(visit, answer);
    if (!match)
        return;
    if (live_owns(match, site_text(visit, "key"))) {
        live_end(match);
        site_write(answer, json_pack("{s:b}", "ok", 1));
    } else {
        site_refuse(answer, 403, "key", "this key does not belong to the match");
    }
    hall_leave(visit->site->hall, match);
}

static void answer_hint(Visit *visit, HttpAnswer *answer) {
    Site *site = visit->site;
    const char *client = visit->request->client;
    uint32_t role;
    const json_t *wanted = json_object_get(visit->body, "seconds");
    double seconds = json_is_number(wanted) ? json_number_value(wanted) : default_hint;
    if (!(seconds > 0 && seconds <= longest_hint)) {
        site_refuse(answer, 400, "bad-hint", "`seconds` must be a number above 0 and at most 10");
        return;
    }
    if (!site_may_think(visit, answer))
        return;
    LiveMatch *match = enter_seat(visit, answer, &role);
    if (!match)
        return;
    Report report = {0};
    limits_spend(site->limits, client, seconds, clock_wall_seconds());
    if (!live_hint(match, role, seconds, &answer->body, &report))
        site_complain(answer, &report);
    hall_leave(site->hall, match);
    report_free(&report);
}

/* ---- streams ---- */

typedef struct {
    Site *site;
    LiveMatch *match; /* NULL for the lobby */
    uint32_t role;
    uint64_t seen;
    bool is_last;                         /* the match is over and its last document was sent */
    uint64_t matches, games, tournaments; /* versions of the lists that the client was told last */
} Stream;

static bool is_stopped(const Stream *stream) {
    return __atomic_load_n(&stream->site->stopped, __ATOMIC_RELAXED);
}

/* Sends the match whenever it changes, until it is over. A comment from time to time finds out if
 * the client is still there. */
static bool next_of_match(void *context, Text *piece) {
    Stream *s = context;
    if (is_stopped(s) || s->is_last)
        return false;
    if (live_wait(s->match, &s->seen, heartbeat_seconds, &s->site->stopped)) {
        s->is_last = live_is_ended(s->match);
        text_add(piece, "data: ");
        live_document(s->match, s->role, piece);
        text_add(piece, "\n\n");
    } else {
        text_add(piece, ": \n\n");
    }
    return true;
}

/* Sends the versions of the lists whenever they change. Lists change inside several monitors.
 * Checking twice a second is simpler than a signal from all of them, and nobody notices the
 * delay. */
static bool next_of_lobby(void *context, Text *piece) {
    Stream *s = context;
    for (double waited = 0; waited < heartbeat_seconds; waited += lobby_seconds) {
        if (is_stopped(s))
            return false;
        uint64_t matches = hall_version(s->site->hall) + 1;
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
        nanosleep(&(struct timespec){.tv_nsec = (long)(lobby_seconds * 1e9)}, NULL);
    }
    text_add(piece, ": \n\n");
    return true;
}

static void leave_stream(void *context) {
    Stream *s = context;
    if (s->match)
        hall_leave(s->site->hall, s->match);
    free(s);
}

static void begin_stream(HttpAnswer *answer, Stream first, bool (*next)(void *, Text *)) {
    Stream *stream = memory_alloc(sizeof *stream);
    *stream = first;
    answer->content_type = "text/event-stream";
    answer->stream = (HttpStream){next, leave_stream, stream};
}

static void answer_match_events(Visit *visit, HttpAnswer *answer) {
    LiveMatch *match = enter(visit, answer);
    if (!match)
        return;
    const char *key = http_find(&visit->request->query, "key");
    begin_stream(
        answer, (Stream){.site = visit->site, .match = match, .role = live_role_of_key(match, key)},
        next_of_match);
}

static void answer_events(Visit *visit, HttpAnswer *answer) {
    begin_stream(answer, (Stream){.site = visit->site}, next_of_lobby);
}

const Route match_routes[] = {
    {"GET", "/api/events", answer_events},
    {"GET", "/api/matches", answer_matches},
    {"POST", "/api/matches", answer_start},
    {"GET", "/api/matches/{}", answer_match},
    {"GET", "/api/matches/{}/events", answer_match_events},
    {"GET", "/api/matches/{}/turns/{}", answer_turn},
    {"GET", "/api/matches/{}/record", answer_record},
    {"POST", "/api/matches/{}/move", answer_move},
    {"POST", "/api/matches/{}/back", answer_back},
    {"POST", "/api/matches/{}/end", answer_end},
    {"POST", "/api/matches/{}/hint", answer_hint},
    {NULL, NULL, NULL},
};
