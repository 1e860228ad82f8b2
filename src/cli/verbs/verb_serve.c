/* marelle serve: the web page of src/server/page, on the HTTP server of src/player. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cli/games.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "server/page/site.h"

enum {
    DEFAULT_PORT = 8080, /* if the port is taken, the next free one is used */
    PORTS_TRIED = 10,
    MAX_CONNECTIONS = 1000,
    IDLE_SECONDS = 60,
    REQUEST_SECONDS = 60,
    MAX_BODY_SIZE = 2 << 20,
    DEFAULT_RATE = 100,
    DEFAULT_MATCHES = 100,
    DEFAULT_UPLOADS = 1000,
    DEFAULT_THINKING = 3600,
    DEFAULT_ABANDONED = 30, /* minutes */
    LEAST_MEMORY = 512,     /* mebibytes */
    MOST_MEMORY = 4096      /* mebibytes, if nothing else is said */
};

typedef struct {
    uint64_t port, rate, matches, uploads, thinking, memory;
    double abandoned;
    const char *database, *games, *listen, *token, *client_header;
} VerbOptions;

static const Option options[] = {
    {"port", 'p', OPTION_COUNT, "P", OWN(port), "port to listen on (default 8080)"},
    {"listen", 0, OPTION_TEXT, "ADDRESS", OWN(listen),
     "address to listen on (default 127.0.0.1; 0.0.0.0 for the whole network)"},
    {"db", 0, OPTION_TEXT, "FILE", OWN(database),
     "database of matches and games (default: marelle.db in the user's data folder)"},
    {"games", 0, OPTION_TEXT, "DIR", OWN(games),
     "offer the games of this folder instead of the built-in ones"},
    {"token", 0, OPTION_TEXT, "T", OWN(token), "whoever changes something must show this token"},
    {"rate", 0, OPTION_COUNT, "N", OWN(rate), "requests a second and client (default 100)"},
    {"matches", 0, OPTION_COUNT, "N", OWN(matches), "unfinished matches of a client (default 100)"},
    {"uploads", 0, OPTION_COUNT, "N", OWN(uploads), "games that people may add (default 1000)"},
    {"thinking", 0, OPTION_COUNT, "S", OWN(thinking),
     "seconds an hour that searches think for a client (default 3600)"},
    {"memory", 0, OPTION_COUNT, "MB", OWN(memory),
     "memory of the server and its processes (default 4096, or half of what there is)"},
    {"abandoned", 0, OPTION_SECONDS, "MIN", OWN(abandoned),
     "minutes without a visitor, after which a match may make room for another (default 30)"},
    {"client-header", 0, OPTION_TEXT, "NAME", OWN(client_header),
     "header in which a proxy on this machine names the client"},
};

/* Chooses a file in $XDG_DATA_HOME/marelle or ~/.local/share/marelle, and creates the folder. */
static bool choose_database(const VerbOptions *own, Text *path) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (own->database) {
        text_add(path, own->database);
        return true;
    }
    if (data && *data)
        text_printf(path, "%s/marelle", data);
    else
        text_printf(path, "%s/.local/share/marelle", home ? home : ".");
    for (char *slash = strchr(path->items + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path->items, 0777);
        *slash = '/';
    }
    if (mkdir(path->items, 0777) != 0 && errno != EEXIST)
        return complain("cannot make the folder %s: %s; choose another place by --db FILE",
                        path->items, strerror(errno));
    text_add(path, "/marelle.db");
    return true;
}

static bool add_games(Library *library, const char *folder) {
    BuiltinGames games = {0};
    if (folder)
        games_list_folder(&games, folder);
    else
        games_list(&games);
    for (size_t i = 0; i < games.count; i++)
        library_add_file(library, games.items[i].name, games.items[i].path);
    bool found = games.count > 0;
    if (!found)
        complain("no games found%s%s", folder ? " in " : "", folder ? folder : "");
    games_free(&games);
    return found;
}

static void answer(void *context, const HttpRequest *request, HttpAnswer *answer) {
    site_answer(context, request, answer);
}

static bool is_loopback(const char *address) {
    return !address || strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0 ||
           strcmp(address, "localhost") == 0;
}

static HttpServer *listen_on(Site *site, const char *address, uint16_t port, Report *report) {
    return http_start(&(HttpOptions){.address = address,
                                     .port = port,
                                     .max_body_size = MAX_BODY_SIZE,
                                     .max_connections = MAX_CONNECTIONS,
                                     .idle_seconds = IDLE_SECONDS,
                                     .request_seconds = REQUEST_SECONDS,
                                     .content_type = "application/json",
                                     .headers = site_headers,
                                     .handler = answer,
                                     .context = site},
                      report);
}

static HttpServer *start_server(const VerbOptions *own, Site *site, const char *address,
                                Report *report) {
    if (own->port)
        return listen_on(site, address, (uint16_t)own->port, report);
    HttpServer *server = NULL;
    for (uint16_t i = 0; !server && i < PORTS_TRIED; i++) {
        report_free(report);
        *report = (Report){0};
        server = listen_on(site, address, DEFAULT_PORT + i, report);
    }
    return server;
}

static int serve(const VerbOptions *own, Site *site) {
    Report report = {0};
    const char *address = own->listen ? own->listen : "127.0.0.1";
    HttpServer *server = NULL;
    if (site_open(site, &report))
        server = start_server(own, site, address, &report);
    if (server) {
        printf(strchr(address, ':') ? "page on http://[%s]:%u/\n" : "page on http://%s:%u/\n",
               address, http_port(server));
        fflush(stdout);
        serve_until_interrupted();
    } else {
        print_failure(&report);
    }
    site_stop(site);
    http_stop(server);
    report_free(&report);
    return server ? STATUS_DONE : STATUS_USAGE;
}

/* Half of the memory of the machine or of the limit on this process, in mebibytes. */
static uint64_t default_memory(void) {
    uint64_t half = memory_limit() / 2 >> 20;
    return half < LEAST_MEMORY ? LEAST_MEMORY : half > MOST_MEMORY ? MOST_MEMORY : half;
}

static uint64_t chosen(uint64_t given, uint64_t otherwise) {
    return given ? given : otherwise;
}

static int run_serve(const Command *command) {
    const VerbOptions *own = command->options;
    Text path = {0};
    Report report = {0};
    int status = STATUS_USAGE;
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    if (own->port > UINT16_MAX)
        return wrong_usage("there is no port %lu; the largest is 65535", (unsigned long)own->port);
    http_allow_many_connections();
    Site *site = NULL;
    if (choose_database(own, &path)) {
        site = site_create(
            &(SiteOptions){
                .database = path.items,
                .program = "/proc/self/exe",
                .client_header = own->client_header,
                .bytes = chosen(own->memory, default_memory()) << 20,
                .abandoned_seconds = 60 * (own->abandoned > 0 ? own->abandoned : DEFAULT_ABANDONED),
                .token = own->token,
                .is_local = is_loopback(own->listen),
                .searches = chosen(command->common.threads, cpus > 0 ? (uint64_t)cpus : 1),
                .max_uploads = chosen(own->uploads, DEFAULT_UPLOADS),
                .max_matches_per_client = chosen(own->matches, DEFAULT_MATCHES),
                .requests_per_second = (double)chosen(own->rate, DEFAULT_RATE),
                .thinking_per_hour = (double)chosen(own->thinking, DEFAULT_THINKING)},
            &report);
        if (!site)
            print_failure(&report);
    }
    if (site && add_games(site_library(site), own->games))
        status = serve(own, site);
    site_free(site);
    vector_free(&path);
    report_free(&report);
    return status;
}

const Verb verb_serve = {
    .name = "serve",
    .arguments = "[--port P] [--db FILE]",
    .summary = "open a page to play, watch and look inside games",
    .description =
        "Serves the page and its API (docs/reference/api.md). Prints its address when ready;\n"
        "an interrupt ends it. Matches and games that people add are kept in the database,\n"
        "which is made on the first start; matches that are not over go on after the next.\n"
        "--threads searches think at a time (default: one a processor), others wait. Only\n"
        "this machine can reach it unless --listen says otherwise.",
    .example = "serve --port 8080 --db /tmp/marelle.db",
    VERB_OPTIONS,
    .unused = "json seed time playouts quiet verbose",
    .time = TIME_OF_PARTS,
    .run = run_serve,
};
