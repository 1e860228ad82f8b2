/* marelle gdl-perf: the contract of the public gdl-perf benchmark, which compares GDL engines by
 * running them as programs. docs/reference/gdl-perf.md describes the file it expects. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "cli/games.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"

/* Writes the message as one line, whatever characters it contains. */
static void write_error(FILE *out, const Report *report) {
    Text line = {0};
    const Diagnostic *d = report->items.count ? &report->items.items[0] : NULL;
    if (d && d->file)
        text_printf(&line, "%s:%u:%u: ", d->file, d->line, d->column);
    text_add(&line, d ? d->message : "the game cannot be played");
    for (size_t i = 0; i < line.count; i++)
        if (line.items[i] == '\n' || line.items[i] == '\r')
            line.items[i] = ' ';
    fprintf(out, "errorMessage = %s\n", text_string(&line));
    vector_free(&line);
}

static void measure(const Command *command, Game *game, double seconds, FILE *out) {
    MatchPlan plan = {.game = game,
                      .seconds = seconds,
                      .seed = command->common.seed,
                      .threads = (unsigned)command->common.threads,
                      .step_limit = DEFAULT_STEP_LIMIT};
    game_turn_networks(game);
    MatchStatistics matches = {0};
    double started = clock_wall_seconds();
    play_matches(command, &plan, command->common.quiet ? NULL : "gdl-perf", &matches);
    double taken = clock_wall_seconds() - started;
    fprintf(out, "millisecondsTaken = %.0f\nnumStateChanges = %lu\nnumRollouts = %lu\n",
            taken * 1000, (unsigned long)matches.turns, (unsigned long)matches_count(&matches));
    matches_free(&matches);
}

static int run_gdl_perf(const Command *command) {
    const char *path = command->arguments[1];
    char *end;
    double seconds = strtod(command->arguments[2], &end);
    if (*end || end == command->arguments[2] || !(seconds > 0 && seconds < 1e9))
        return wrong_usage("SECONDS is a positive number, not `%s`", command->arguments[2]);
    FILE *out = fopen(path, "w");
    if (!out)
        return wrong_usage("cannot write '%s': %s", path, strerror(errno));
    fputs("version = " MARELLE_VERSION "\n", out);
    Report report = {0};
    GameOptions options = {.stopped = interrupt_flag()};
    Rules *rules = game_read(command->arguments[0], &report);
    Game *game = rules ? game_create(rules, &options, &report) : NULL;
    if (game) {
        measure(command, game, seconds, out);
    } else {
        write_error(out, &report);
        print_failure(&report);
    }
    int status = game ? STATUS_DONE : STATUS_USAGE;
    bool failed = ferror(out);
    if (fclose(out) != 0 || failed) {
        complain("cannot write '%s'", path);
        status = STATUS_EXHAUSTED;
    }
    game_free(game);
    report_free(&report);
    return status;
}

const Verb verb_gdl_perf = {
    .name = "gdl-perf",
    .arguments = "GAMEFILE RESULTFILE SECONDS",
    .summary = "take part in the gdl-perf benchmark",
    .description =
        "Plays random matches for that many seconds and writes what the public gdl-perf\n"
        "benchmark asks for to RESULTFILE, one `key = value` a line: version,\n"
        "millisecondsTaken, numStateChanges, numRollouts, or errorMessage.",
    .example = "gdl-perf tic_tac_toe /tmp/marelle-gdl-perf.txt 1",
    .unused = "json time playouts verbose",
    .time = TIME_OF_PARTS,
    .takes = {3, 3},
    .run = run_gdl_perf,
};
