/* marelle tournament: plays the matches that a file defines, stores them in a database and prints
 * standings. A second start continues an interrupted tournament. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/progress.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "cluster/cluster_tournament.h"
#include "server/tournament/results.h"

typedef struct {
    const char *database, *html, *csv;
} VerbOptions;

static const Option options[] = {
    {"db", 0, OPTION_TEXT, "FILE", OWN(database),
     "database to keep the matches in (default: FILE with .db for .json)"},
    {"html", 0, OPTION_TEXT, "FILE", OWN(html), "write the results as a page"},
    {"csv", 0, OPTION_TEXT, "FILE", OWN(csv), "write the standings as comma-separated values"},
};

/* Of the matches of this call. */
static void show_progress(void *context, uint64_t played, uint64_t total) {
    Progress *progress = context;
    progress->total = total;
    progress_update(progress, played);
}

static void say_how_to_go_on(const Command *command, uint64_t played, uint64_t planned) {
    const VerbOptions *own = command->options;
    complain("%lu of %lu matches are played; go on with: marelle tournament %s%s%s",
             (unsigned long)played, (unsigned long)planned, command->arguments[0],
             own->database ? " --db " : "", own->database ? own->database : "");
}

static bool open_games(const Command *command, Definition *definition, int *status) {
    Report report = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < definition->games.count; i++) {
        Game *game = open_game(command, definition->games.items[i].name, NULL, status);
        ok = game && definition_set_game(definition, i, game, &report);
        if (game && !ok)
            print_failure(&report);
    }
    report_free(&report);
    return ok;
}

/* The default database lies beside the file, so that a second start continues the first. */
static void choose_database(const Command *command, Text *path) {
    const VerbOptions *own = command->options;
    const char *file = command->arguments[0];
    size_t length = strlen(file);
    if (own->database) {
        text_add(path, own->database);
        return;
    }
    text_add_bytes(path, file,
                   length > 5 && strcmp(file + length - 5, ".json") == 0 ? length - 5 : length);
    text_add(path, ".db");
}

static bool write_file(const char *path, const Results *results,
                       void (*write)(const Results *results, Text *text)) {
    if (!path)
        return true;
    Text text = {0};
    write(results, &text);
    bool ok = write_text(path, &text);
    if (!ok)
        complain("cannot write %s: %s", path, strerror(errno));
    vector_free(&text);
    return ok;
}

static int print_results(const Command *command, const Results *results) {
    const VerbOptions *own = command->options;
    bool ok = write_file(own->html, results, results_html);
    ok = write_file(own->csv, results, results_csv) && ok;
    if (command->common.json) {
        print_json(results_json(results));
    } else {
        Text table = {0};
        results_table(results, &table);
        printf("%s: %s, %llu matches%s\n%s", results->definition->name,
               format_name(results->definition->format),
               (unsigned long long)results->standings->played, results->is_over ? "" : " so far",
               text_string(&table));
        if (results->standings->void_matches)
            printf("%llu without an end, not counted\n",
                   (unsigned long long)results->standings->void_matches);
        vector_free(&table);
    }
    return ok ? STATUS_DONE : STATUS_EXHAUSTED;
}

static int play(const Command *command, const Definition *definition, Store *store) {
    Report report = {0};
    Jobs jobs = {0};
    Progress progress;
    progress_start(&progress, command->common.quiet ? NULL : stderr, definition->name, 0);
    TournamentSetup setup = {.definition = definition,
                             .store = store,
                             .parallel = (unsigned)command->common.threads,
                             .stopped = interrupt_flag(),
                             .on_progress = show_progress,
                             .context = &progress};
    TournamentEnd end = cluster_tournament(command->cluster, &setup, &jobs, &report);
    progress_finish(&progress);
    if (cluster_rank(command->cluster)) {
        report_free(&report);
        return STATUS_DONE;
    }
    int status = end == TOURNAMENT_REFUSED ? STATUS_USAGE : STATUS_EXHAUSTED;
    if (end == TOURNAMENT_REFUSED || end == TOURNAMENT_FAILED) {
        print_failure(&report);
    } else {
        Standings standings;
        standings_compute(&standings, definition, &jobs);
        status = print_results(command,
                               &(Results){definition, &jobs, &standings, end == TOURNAMENT_OVER});
        if (end != TOURNAMENT_OVER)
            say_how_to_go_on(command, standings.played, pairing_total(definition));
        standings_free(&standings);
    }
    jobs_free(&jobs);
    report_free(&report);
    return status;
}

/* The first process stores the matches. If it cannot, the others have nothing to do. */
static int play_with_store(const Command *command, const Definition *definition) {
    Report report = {0};
    Text path = {0};
    Store *store = NULL;
    bool keeps = cluster_rank(command->cluster) == 0;
    choose_database(command, &path);
    if (keeps && !(store = store_open(text_string(&path), &report)))
        print_failure(&report);
    int status = STATUS_USAGE;
    if (cluster_agrees(command->cluster, store || !keeps))
        status = play(command, definition, store);
    store_close(store);
    vector_free(&path);
    report_free(&report);
    return status;
}

static int run_tournament(const Command *command) {
    Report report = {0};
    Definition definition;
    int status = STATUS_USAGE;
    bool is_read = definition_read(&definition, command->arguments[0], &report);
    if (!is_read)
        print_failure(&report);
    bool is_ready = is_read && open_games(command, &definition, &status);
    if (cluster_agrees(command->cluster, is_ready))
        status = play_with_store(command, &definition);
    else if (is_ready)
        complain("another process cannot read the tournament or its games");
    definition_free(&definition);
    report_free(&report);
    return status;
}

const Verb verb_tournament = {
    .name = "tournament",
    .arguments = "FILE",
    .summary = "play many matches and rank the players",
    .description =
        "Plays the tournament that a JSON file defines: round-robin, swiss, knockout or\n"
        "duel, over any games and clocks, --threads matches at a time. Every match is\n"
        "stored as soon as it is over; started again after an interrupt or a crash, it\n"
        "goes on with the matches that are missing. Under mpirun the processes share the\n"
        "matches, one at a time each; the first one keeps them.",
    .example = "tournament docs/cup.json --db /tmp/cup.db",
    VERB_OPTIONS,
    .unused = "seed playouts verbose",
    .takes = {1, 1},
    .is_distributed = true,
    .run = run_tournament,
};
