/* marelle trace-check: compares the answers of a reasoner with a recorded match. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/interrupt.h"
#include "cli/games.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "game/replay.h"

typedef struct {
    const char *reasoner;
    double build_seconds;
} VerbOptions;

static const Option options[] = {
    {"reasoner", 0, OPTION_CHOICE, REASONER_CHOICES "|all", OWN(reasoner),
     "who answers; auto takes scalar where it can"},
    {"build-time", 0, OPTION_SECONDS, "S", OWN(build_seconds),
     "CPU seconds for building the circuit (default 60)"},
};

enum { MAX_REASONERS = REASONER_SLICED };

typedef struct {
    Reasoner reasoners[MAX_REASONERS];
    Replay replays[MAX_REASONERS];
    int count;
    const char *skipped; /* why other reasoners were skipped; NULL if none was */
} Outcome;

static void choose_reasoners(const Game *game, Reasoner reasoner, bool all, Outcome *o) {
    if (!all) {
        if (reasoner == REASONER_AUTO)
            reasoner = game_has_circuit(game) ? REASONER_SCALAR : REASONER_INTERPRETER;
        o->reasoners[o->count++] = reasoner;
        return;
    }
    o->reasoners[o->count++] = REASONER_INTERPRETER;
    o->skipped = game->why_interpreted;
    for (int r = REASONER_SCALAR; game_has_circuit(game) && r <= REASONER_SLICED; r++)
        o->reasoners[o->count++] = (Reasoner)r;
}

static const Replay *first_difference(const Outcome *o, Reasoner *reasoner) {
    for (int i = 0; i < o->count; i++)
        if (!o->replays[i].is_equal) {
            *reasoner = o->reasoners[i];
            return &o->replays[i];
        }
    return NULL;
}

static json_t *difference_json(const Replay *replay, Reasoner reasoner) {
    if (!replay || replay->is_equal)
        return json_null();
    return object_of("reasoner", text_json(reasoner_name(reasoner)), "match",
                     json_integer(replay->match), "line", json_integer(replay->line), "difference",
                     text_json(text_string(&replay->difference)));
}

static void print_as_json(const Command *command, const Outcome *o) {
    json_t *reasoners = json_object();
    Reasoner reasoner = REASONER_AUTO;
    const Replay *bad = first_difference(o, &reasoner);
    for (int i = 0; i < o->count; i++) {
        const Replay *r = &o->replays[i];
        object_add(reasoners, reasoner_name(o->reasoners[i]),
                   object_of("ok", json_boolean(r->is_equal), "matches", json_integer(r->matches),
                             "steps", json_integer(r->steps)));
    }
    print_json(object_of(
        "game", text_json(command->arguments[0]), "trace", text_json(command->arguments[1]), "ok",
        json_boolean(!bad), "matches", json_integer(o->count ? o->replays[0].matches : 0), "steps",
        json_integer(o->count ? o->replays[0].steps : 0), "first_difference",
        difference_json(bad, reasoner), "reasoners", reasoners, "skipped", text_json(o->skipped)));
}

static void print_as_text(const Command *command, const Outcome *o) {
    for (int i = 0; i < o->count; i++) {
        const Replay *r = &o->replays[i];
        if (r->is_equal && !command->common.quiet)
            printf("%-12s ok: %u matches, %u steps\n", reasoner_name(o->reasoners[i]), r->matches,
                   r->steps);
        else if (!r->is_equal)
            printf("%-12s differs in match %u, %s:%u\n  %s\n", reasoner_name(o->reasoners[i]),
                   r->match, command->arguments[1], r->line, text_string(&r->difference));
    }
    if (o->skipped && !command->common.quiet)
        printf("no circuit   %s; only the interpreter was asked\n", o->skipped);
}

/* Returns false if the trace could not be compared at all. */
static bool replay_all(Game *game, const Trace *trace, Outcome *o, Report *report) {
    for (int i = 0; i < o->count; i++) {
        if (interrupt_requested()) {
            o->count = i;
            return true;
        }
        if (!replay_trace(game, trace, o->reasoners[i], &o->replays[i], report)) {
            o->count = i;
            return false;
        }
    }
    return true;
}

/* Finds the trace: a file of that name, or one beside the game's own file. Free the path. */
static char *find_trace(const Command *command) {
    const char *trace = command->arguments[1];
    struct stat status;
    Report unused = {0};
    char *game = stat(trace, &status) == 0 ? NULL : game_path(command->arguments[0], &unused);
    report_free(&unused);
    char *slash = game ? strrchr(game, '/') : NULL;
    Text path = {0};
    if (slash)
        text_printf(&path, "%.*s/%s", (int)(slash - game), game, trace);
    bool lies_beside = slash && stat(path.items, &status) == 0;
    char *found = memory_strdup(lies_beside ? path.items : trace);
    vector_free(&path);
    free(game);
    return found;
}

static int check_trace(const Command *command, Game *game, Reasoner reasoner, bool all) {
    Report report = {0};
    Outcome outcome = {.count = 0};
    int status = STATUS_USAGE;
    char *path = find_trace(command);
    Trace *trace = trace_read(path, &report);
    free(path);
    if (trace) {
        choose_reasoners(game, reasoner, all, &outcome);
        bool compared = replay_all(game, trace, &outcome, &report);
        if (compared && command->common.json)
            print_as_json(command, &outcome);
        else if (compared)
            print_as_text(command, &outcome);
        Reasoner which;
        if (compared)
            status = first_difference(&outcome, &which) ? STATUS_NO : STATUS_DONE;
    }
    if (report_failed(&report))
        print_failure(&report);
    for (int i = 0; i < outcome.count; i++)
        vector_free(&outcome.replays[i].difference);
    trace_free(trace);
    report_free(&report);
    return status;
}

static int run_trace_check(const Command *command) {
    const VerbOptions *own = command->options;
    bool all = own->reasoner && strcmp(own->reasoner, "all") == 0;
    int status = STATUS_DONE;
    GameOptions game_options = {.interpreter_only =
                                    own->reasoner && !strcmp(own->reasoner, "interpreter"),
                                .build_seconds = own->build_seconds};
    Game *game = open_game(command, command->arguments[0], &game_options, &status);
    Reasoner reasoner;
    if (game && choose_reasoner(game, all ? NULL : own->reasoner, &reasoner, &status))
        status = check_trace(command, game, reasoner, all);
    game_free(game);
    return status;
}

const Verb verb_trace_check = {
    .name = "trace-check",
    .arguments = "GAME TRACE",
    .summary = "compare a reasoner with recorded matches",
    .description =
        "Replays the matches recorded in a file and compares every state, every legal move,\n"
        "terminal and goals with what a reasoner says, or each of them in turn. The file may\n"
        "be compressed with gzip; it is looked for beside the game as well. Exit status 1 at\n"
        "a difference, 3 if the reasoner needs a circuit that cannot be built.",
    .example = "trace-check tic_tac_toe tic_tac_toe.trace --reasoner all",
    VERB_OPTIONS,
    .unused = "seed threads playouts verbose",
    .takes = {2, 2},
    .run = run_trace_check,
};
