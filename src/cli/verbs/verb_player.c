/* marelle player: a player of the general game playing protocol behind an HTTP server, both from
 * src/player. */
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/log.h"
#include "base/pool.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "player/http.h"
#include "player/player.h"
#include "player/protocol.h"

enum {
    DEFAULT_PORT = 9147,    /* port that managers of general game playing expect */
    MAX_CONNECTIONS = 2000, /* open connections, at most (untuned) */
    IDLE_SECONDS = 60,      /* seconds before an idle connection is closed (untuned) */
    REQUEST_SECONDS = 300   /* seconds for a complete request to arrive (untuned) */
};

typedef struct {
    uint64_t port;
    const char *listen, *strategy;
    double margin;
    bool rest, no_learning;
} VerbOptions;

static const Option options[] = {
    {"port", 'p', OPTION_COUNT, "P", OWN(port), "port to listen on (default 9147)"},
    {"listen", 0, OPTION_TEXT, "ADDRESS", OWN(listen),
     "address to listen on (default 127.0.0.1; 0.0.0.0 for the whole network)"},
    {"strategy", 0, OPTION_TEXT, "SEARCH", OWN(strategy),
     "search to play with (default auto); `marelle help searches` lists them"},
    {"margin", 0, OPTION_SECONDS, "S", OWN(margin),
     "seconds of a clock to leave over, beside the delay of the connection, which is measured "
     "(default 0.2)"},
    {"rest", 0, OPTION_FLAG, NULL, OWN(rest), "do not think in the opponents' time"},
    {"no-learning", 0, OPTION_FLAG, NULL, OWN(no_learning),
     "do not learn to evaluate the game in long start clocks"},
};

/* Managers that run in a browser ask for permission first (CORS). */
static const HttpPair headers[] = {
    {"Access-Control-Allow-Origin", "*"},
    {"Access-Control-Allow-Methods", "POST, GET, OPTIONS"},
    {"Access-Control-Allow-Headers", "Content-Type, Sender, Receiver"},
    {"Access-Control-Max-Age", "86400"},
    {NULL, NULL},
};

static void handle(void *context, const HttpRequest *request, HttpAnswer *answer) {
    bool is_read = strcmp(request->method, "GET") == 0 || strcmp(request->method, "HEAD") == 0;
    if (strcmp(request->method, "POST") == 0) {
        if (!player_handle(context, request->body, request->length, request->delay, &answer->body))
            answer->status = 400;
    } else if (is_read) {
        text_add(&answer->body, "A Marelle player; messages of the game protocol come as POST.\n");
    } else if (strcmp(request->method, "OPTIONS") != 0) {
        answer->status = 405;
        text_add(&answer->body, "POST it");
    }
}

static void serve(const HttpServer *server, const VerbOptions *own) {
    printf("player on http://%s:%u\n", own->listen ? own->listen : "127.0.0.1", http_port(server));
    fflush(stdout);
    serve_until_interrupted();
}

/* All processors, unless the user says otherwise: nobody else plays this match. */
static uint32_t threads_of(const CommonOptions *common) {
    unsigned all = pool_processors();
    return common->threads ? (uint32_t)common->threads
                           : (all < SEARCH_MAX_THREADS ? all : SEARCH_MAX_THREADS);
}

static int run_player(const Command *command) {
    const VerbOptions *own = command->options;
    const CommonOptions *common = &command->common;
    if (own->port > UINT16_MAX)
        return wrong_usage("there is no port %lu; the largest is 65535", (unsigned long)own->port);
    Log log;
    log_to_file(&log, common->quiet ? LOG_WARN : common->verbose ? LOG_DEBUG : LOG_INFO, stderr);
    PlayerOptions chosen = {.strategy = own->strategy,
                            .margin = own->margin,
                            .searches_own_turn_only = own->rest,
                            .min_learning_clock = own->no_learning ? -1 : 0,
                            .search.seed = common->seed,
                            .search.threads = threads_of(common),
                            .kernel = common->kernel_kind,
                            .log = &log};
    Report report = {0};
    HttpServer *server = NULL;
    Player *player = player_create(&chosen, &report);
    http_allow_many_connections();
    if (player)
        server = http_start(&(HttpOptions){.address = own->listen,
                                           .port = own->port ? (uint16_t)own->port : DEFAULT_PORT,
                                           .max_body_size = PROTOCOL_MAX_MESSAGE_BYTES,
                                           .max_connections = MAX_CONNECTIONS,
                                           .idle_seconds = IDLE_SECONDS,
                                           .request_seconds = REQUEST_SECONDS,
                                           .content_type = "text/acl",
                                           .headers = headers,
                                           .handler = handle,
                                           .context = player},
                            &report);
    if (server)
        serve(server, own);
    else
        print_failure(&report);
    int status = server ? STATUS_DONE : STATUS_USAGE;
    if (player)
        player_stop(player);
    http_stop(server);
    player_free(player);
    report_free(&report);
    log_close(&log);
    return status;
}

const Verb verb_player = {
    .name = "player",
    .arguments = "[--port P] [--strategy S]",
    .summary = "play over the network, as managers ask",
    .description =
        "Listens on a port for the messages of a game manager (START, PLAY, STOP ...) and\n"
        "answers with moves before the clock runs out. Prints its address when it is ready\n"
        "and one line per turn on standard error; an interrupt ends it. Only programs on this\n"
        "machine can reach it unless --listen says otherwise. It thinks with all processors\n"
        "unless --threads says otherwise.",
    .example = "player --port 9147 --strategy random",
    VERB_OPTIONS,
    .unused = "json time playouts",
    .time = TIME_OF_PARTS,
    .run = run_player,
};
