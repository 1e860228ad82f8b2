/* Finds the handler of a request in the tables of routes, after the checks that all requests have
 * in common, the cheapest first: rate, host name, path, token, body. */
#include "server/page/site.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "server/page/assets.h"
#include "server/page/site_internal.h"

enum {
    MAX_RUNNING = 256,    /* matches in memory, at most (untuned) */
    LOOKS_AT_ONCE = 2,    /* looks inside games that run at the same time, at most (untuned) */
    LOOK_SHARE = 6,       /* the part of the memory that one of them may take (untuned) */
    GAMES_SHARE = 4,      /* the part of the memory that open games may take (untuned) */
    OWN_SHARE = 2,        /* the part that this process may take; the rest is for looks (untuned) */
    TIDY_ROUNDS = 20,     /* looks at the memory between two rounds of tidying (untuned) */
    MAX_PART_LENGTH = 200 /* bytes of one segment of a path, at most (untuned) */
};

/* Seconds between two looks at the memory, and of a nap in between (untuned). */
/* Seconds after which a game that nobody plays is put away (untuned). */
static const double longest_idle = 600;
static const double watch_seconds = 1, nap_seconds = 0.2;

const HttpPair site_headers[] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
     "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cache-Control", "no-cache"},
    {NULL, NULL},
};

/* ---- answers ---- */

void site_write(HttpAnswer *answer, json_t *object) {
    write_json(&answer->body, object);
}

bool site_refuse(HttpAnswer *answer, unsigned status, const char *code, const char *message) {
    answer->status = status;
    text_clear(&answer->body);
    site_write(answer, object_of("error", text_json(code), "message", text_json(message)));
    return true;
}

static unsigned status_of(const char *code) {
    static const struct {
        const char *code;
        unsigned status;
    } table[] = {
        {"no-look", 404},     {"no-game", 404},   {"no-match", 404},  {"no-tournament", 404},
        {"busy", 429},        {"full", 429},      {"illegal", 409},   {"not-your-turn", 409},
        {"no-way-back", 409}, {"database", 500},  {"no-hint", 409},   {"other-tournament", 409},
        {"no-turn", 404},     {"not-yours", 403}, {"too-large", 422}, {"no-help", 403},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].code, code) == 0)
            return table[i].status;
    return 400;
}

/* Answers with the first error of the report, all diagnostics, and the HTTP status for its code. */
static void complain(HttpAnswer *answer, const Report *report) {
    const Diagnostic *first = NULL;
    for (size_t i = 0; i < report->items.count && !first; i++)
        if (report->items.items[i].severity == SEVERITY_ERROR)
            first = &report->items.items[i];
    answer->status = first ? status_of(first->code) : 500;
    text_clear(&answer->body);
    site_write(answer, object_of("error", text_json(first ? first->code : "error"), "message",
                                 text_json(first ? first->message : "it failed"), "diagnostics",
                                 diagnostics_json(report)));
}

const char *site_text(const Visit *visit, const char *key) {
    return json_string_value(json_object_get(visit->body, key));
}

bool site_may_think(const Visit *visit, HttpAnswer *answer) {
    bool may = limits_may_think(visit->site->limits, visit->client, clock_wall_seconds());
    if (!may)
        site_refuse(answer, 429, "busy", "your time for searches is used up; try again later");
    return may;
}

/* ---- finding the handler ---- */

/* Fills in the segments that match {} in the pattern; false if the path does not match. */
static bool fits(const char *pattern, const char *path, char parts[][MAX_PART_LENGTH + 1]) {
    size_t part = 0;
    for (; *pattern; pattern++) {
        if (*pattern != '{') {
            if (*path++ != *pattern)
                return false;
            continue;
        }
        size_t length = strcspn(path, "/");
        if (!length || length > MAX_PART_LENGTH)
            return false;
        assert(part < SITE_MAX_PARTS);
        memcpy(parts[part], path, length);
        parts[part++][length] = '\0';
        path += length;
        pattern++;
    }
    return !*path;
}

typedef enum { ROUTE_FOUND, ROUTE_OTHER_METHOD, ROUTE_NONE } RouteEnd;

static RouteEnd find_route(const char *method, const char *path, const Route **found,
                           char parts[][MAX_PART_LENGTH + 1]) {
    static const Route *const tables[] = {game_routes, match_routes, tournament_routes};
    RouteEnd end = ROUTE_NONE;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const Route *route = tables[t]; route->method; route++) {
            if (!fits(route->pattern, path, parts))
                continue;
            end = ROUTE_OTHER_METHOD;
            if (strcmp(route->method, method) == 0) {
                *found = route;
                return ROUTE_FOUND;
            }
        }
    return end;
}

/* ---- checks ---- */

static bool is_loopback_name(const char *host) {
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        if (strncasecmp(host, names[i], length) == 0 && (!host[length] || host[length] == ':'))
            return true;
    }
    return false;
}

/* A foreign page may make a browser send requests to us, but it cannot hide its origin, nor send
 * JSON without a preflight request. A local site refuses host names that somebody else's DNS server
 * gave to this machine (DNS rebinding). */
static bool is_from_here(const Site *site, const HttpRequest *request) {
    const char *host = http_find(&request->headers, "Host");
    const char *origin = http_find(&request->headers, "Origin");
    if (site->options.is_local && (!host || !is_loopback_name(host)))
        return false;
    if (!origin)
        return true;
    const char *name = strstr(origin, "://");
    return host && name && strcasecmp(name + 3, host) == 0;
}

/* A page elsewhere may link to ours, but not use the API, not even with a request that a browser
 * sends without an origin, as for a picture. */
static bool is_from_own_page(const HttpRequest *request) {
    const char *from = http_find(&request->headers, "Sec-Fetch-Site");
    return !from || strcmp(from, "same-origin") == 0 || strcmp(from, "none") == 0;
}

/* Whom limits are counted for: the address, or the last one that a trusted proxy names. */
static const char *client_of(const Site *site, const HttpRequest *request) {
    const char *named = site->options.client_header
                            ? http_find(&request->headers, site->options.client_header)
                            : NULL;
    if (!named || (strncmp(request->client, "127.", 4) != 0 && strcmp(request->client, "::1") != 0))
        return request->client;
    const char *last = strrchr(named, ',');
    last = last ? last + 1 : named;
    return last + strspn(last, " ");
}

static bool has_token(const Site *site, const HttpRequest *request) {
    const char *header = http_find(&request->headers, "Authorization");
    return header && strncmp(header, "Bearer ", 7) == 0 &&
           live_is_same_secret(site->options.token, header + 7);
}

static bool is_json(const HttpRequest *request) {
    const char *type = http_find(&request->headers, "Content-Type");
    return type && strncasecmp(type, "application/json", 16) == 0;
}

/* Checks the token of a request that changes something, and reads its body. False if refused. */
static bool accept_change(Visit *visit, HttpAnswer *answer) {
    const Site *site = visit->site;
    if (site->options.token && !visit->is_trusted)
        return !site_refuse(answer, 401, "token", "this request needs the token of the server");
    if (!is_json(visit->request))
        return !site_refuse(answer, 415, "content-type", "send application/json");
    visit->body =
        json_loadb(visit->request->body, visit->request->length, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(visit->body))
        return !site_refuse(answer, 400, "bad-json", "the body is not a JSON object");
    return true;
}

/* Enters the match that the path names, if the route needs one. False if this is refused. */
static bool enter_match(const Route *route, Visit *visit, HttpAnswer *answer) {
    if (route->need == NEEDS_NOTHING)
        return true;
    const char *key =
        visit->body ? site_text(visit, "key") : http_find(&visit->request->query, "key");
    visit->match = match_registry_visit(visit->site->registry, visit->parts[0], &visit->report);
    if (!visit->match) {
        complain(answer, &visit->report);
        return false;
    }
    visit->role = live_role_of_key(visit->match, key);
    if (route->need == NEEDS_MATCH || visit->role != LIVE_NOBODY)
        return true;
    return !site_refuse(answer, 403, "key", "this key belongs to no seat of the match");
}

static void answer_api(Site *site, const char *client, const HttpRequest *request,
                       HttpAnswer *answer) {
    char parts[SITE_MAX_PARTS][MAX_PART_LENGTH + 1];
    const Route *route = NULL;
    bool is_head = strcmp(request->method, "HEAD") == 0;
    RouteEnd end = find_route(is_head ? "GET" : request->method, request->path, &route, parts);
    if (end == ROUTE_NONE) {
        site_refuse(answer, 404, "no-path", "there is nothing at this address");
        return;
    }
    if (end == ROUTE_OTHER_METHOD) {
        site_refuse(answer, 405, "method", "this address does not support the method");
        return;
    }
    Visit visit = {.site = site, .request = request, .client = client};
    for (size_t i = 0; i < SITE_MAX_PARTS; i++)
        visit.parts[i] = parts[i];
    visit.is_trusted = site->options.token ? has_token(site, request) : site->options.is_local;
    bool is_accepted = (strcmp(route->method, "POST") != 0 || accept_change(&visit, answer)) &&
                       enter_match(route, &visit, answer);
    if (is_accepted && !route->handler(&visit, answer))
        complain(answer, &visit.report);
    if (visit.match)
        match_registry_leave(site->registry, visit.match);
    json_decref(visit.body);
    report_free(&visit.report);
}

/* ---- files of the page ---- */

static const Asset *find_asset(const char *path) {
    if (*path != '/')
        return NULL;
    const char *name = path[1] ? path + 1 : "index.html";
    for (size_t i = 0; i < asset_count; i++)
        if (strcmp(assets[i].name, name) == 0)
            return &assets[i];
    return NULL;
}

static void answer_asset(const HttpRequest *request, HttpAnswer *answer) {
    const Asset *asset = find_asset(request->path);
    const char *known = http_find(&request->headers, "If-None-Match");
    if (strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0) {
        site_refuse(answer, 405, "method", "this address does not support the method");
    } else if (!asset) {
        site_refuse(answer, 404, "no-path", "there is nothing at this address");
    } else {
        bool is_known = known && strcmp(known, asset->tag) == 0;
        answer->content_type = asset->type;
        answer->headers[0] = (HttpPair){"ETag", asset->tag};
        answer->static_body = asset->bytes;
        answer->static_length = is_known ? 0 : asset->length;
        answer->status = is_known ? 304 : answer->status;
    }
}

void site_answer(Site *site, const HttpRequest *request, HttpAnswer *answer) {
    const char *client = client_of(site, request);
    bool is_api = strncmp(request->path, "/api/", 5) == 0;
    if (!limits_request(site->limits, client, clock_wall_seconds()))
        site_refuse(answer, 429, "busy", "too many requests; wait a little");
    else if (!is_from_here(site, request) || (is_api && !is_from_own_page(request)))
        site_refuse(answer, 403, "elsewhere",
                    "this page does not answer requests of other pages or for other host names");
    else if (is_api)
        answer_api(site, client, request, answer);
    else
        answer_asset(request, answer);
    site_compress(request, answer);
}

/* ---- creation and destruction ---- */

Site *site_create(const SiteOptions *options, Report *report) {
    Site *site = memory_zalloc(sizeof *site);
    site->options = *options;
    site->slots = slots_create(options->searches);
    site->limits = limits_create(options->requests_per_second, options->thinking_per_hour);
    site->store = store_open(options->database, report);
    bool is_ours = site->store && store_claim(site->store, report);
    if (is_ours && options->program)
        site->looks = looks_create(&(LooksOptions){.program = options->program,
                                                   .store = site->store,
                                                   .places = LOOKS_AT_ONCE,
                                                   .bytes = options->bytes / LOOK_SHARE});
    if (is_ours)
        site->library = library_create(
            &(LibraryOptions){.store = site->store,
                              .looks = site->looks,
                              .max_bytes = options->bytes / GAMES_SHARE,
                              .idle_seconds = fmin(options->abandoned_seconds, longest_idle),
                              .max_uploads = options->max_uploads},
            report);
    if (site->library)
        return site;
    site_free(site);
    return NULL;
}

/* Waits; false once the site stops. */
static bool pause_for(const Site *site, double seconds) {
    for (double slept = 0; slept < seconds; slept += nap_seconds) {
        if (__atomic_load_n(&site->stopped, __ATOMIC_RELAXED))
            return false;
        nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * nap_seconds)}, NULL);
    }
    return true;
}

/* The thread that puts away from time to time what nobody uses, and at once when this process takes
 * more than the part of the memory that its games and searches are meant for. */
static void *tidy(void *context) {
    Site *site = context;
    const double most = (double)(site->options.bytes >> 20) / OWN_SHARE;
    for (unsigned round = 1; pause_for(site, watch_seconds); round++) {
        bool is_short = clock_memory_mb() > most;
        if (!is_short && round % TIDY_ROUNDS)
            continue;
        if (is_short)
            match_registry_relieve(site->registry);
        match_registry_tidy(site->registry);
        library_tidy(site->library, is_short);
        memory_trim();
    }
    return NULL;
}

bool site_open(Site *site, Report *report) {
    const LiveServices tools = {site->store, site->library, site->slots, site->limits};
    site->registry = match_registry_create(
        &(MatchRegistryOptions){.tools = tools,
                                .max_running = MAX_RUNNING,
                                .max_per_client = site->options.max_matches_per_client,
                                .abandoned_seconds = site->options.abandoned_seconds},
        report);
    if (site->registry)
        site->hosted = hosted_create(&tools, site->registry, report);
    if (site->hosted) {
        library_start_survey(site->library);
        site->has_tidier = pthread_create(&site->tidier, NULL, tidy, site) == 0;
    }
    return site->hosted != NULL;
}

Library *site_library(Site *site) {
    return site->library;
}

void site_stop(Site *site) {
    __atomic_store_n(&site->stopped, true, __ATOMIC_RELAXED);
    if (site->registry)
        match_registry_wake(site->registry);
    if (site->looks)
        looks_stop(site->looks);
}

void site_free(Site *site) {
    if (!site)
        return;
    site_stop(site);
    if (site->has_tidier)
        pthread_join(site->tidier, NULL);
    hosted_free(site->hosted);
    match_registry_free(site->registry);
    library_free(site->library);
    looks_free(site->looks);
    store_close(site->store);
    limits_free(site->limits);
    slots_free(site->slots);
    free(site);
}
