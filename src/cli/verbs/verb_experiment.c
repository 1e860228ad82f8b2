/* marelle experiment: a short way to the studies, which are a Python package: experiments/. The
 * program becomes `python3 FOLDER/experiments STUDY ...` with the options it was given. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/games.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "cluster/cluster.h"

typedef struct {
    const char *folder;
    bool is_quick;
    uint64_t seeds, workers;
    const char *tier;
    double move_seconds;
    const char *parts;
} VerbOptions;

static const Option options[] = {
    {"out", 'o', OPTION_TEXT, "FOLDER", OWN(folder),
     "where runs, tables and plots go (default experiment-STUDY)"},
    {"quick", 0, OPTION_FLAG, NULL, OWN(is_quick), "few seeds on easy games: seconds, not hours"},
    {"seeds", 0, OPTION_COUNT, "N", OWN(seeds),
     "seeds, from --seed on (default: as the study likes)"},
    {"tier", 0, OPTION_CHOICE, "1|2|3", OWN(tier),
     "how thorough: hours, a night, days (default 1)"},
    {"clock", 0, OPTION_SECONDS, "S", OWN(move_seconds),
     "seconds a move in matches (default: by the study and tier)"},
    {"parts", 0, OPTION_TEXT, "NAME,...", OWN(parts),
     "kinds of jobs, of studies that have several (default: all)"},
    {"workers", 0, OPTION_COUNT, "N", OWN(workers), "processes that share the jobs (default 1)"},
};

/* The words of the new command, in an arena. */
typedef struct {
    Arena arena;
    VECTOR(char *) words;
} Words;

static void add(Words *w, const char *word) {
    vector_push(&w->words, arena_copy(&w->arena, word, strlen(word)));
}

static void add_text(Words *w, const char *option, const char *value) {
    if (!value)
        return;
    add(w, option);
    add(w, value);
}

static void add_count(Words *w, const char *option, uint64_t count) {
    if (count)
        add_text(w, option, arena_printf(&w->arena, "%lu", (unsigned long)count));
}

static void add_seconds(Words *w, const char *option, double seconds) {
    if (seconds > 0)
        add_text(w, option, arena_printf(&w->arena, "%.17g", seconds));
}

static void add_options(Words *w, const Command *command) {
    const VerbOptions *own = command->options;
    const CommonOptions *common = &command->common;
    add_text(w, "--out", own->folder);
    add_text(w, "--tier", own->tier);
    add_text(w, "--parts", own->parts);
    add_count(w, "--seeds", own->seeds);
    add_count(w, "--workers", own->workers);
    add_count(w, "--seed", common->seed);
    add_count(w, "--playouts", common->playouts);
    add_seconds(w, "--clock", own->move_seconds);
    add_seconds(w, "--time", common->seconds);
    if (own->is_quick)
        add(w, "--quick");
    if (common->quiet)
        add(w, "--quiet");
    if (common->json)
        add(w, "--json");
}

/* The package finds the library of an installed program by itself. A program that was only built
 * has it in a folder beside. */
static void name_library(void) {
    char program[4000], library[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return;
    program[length] = '\0';
    snprintf(library, sizeof library, "%.*s/src/libmarelle.so",
             (int)(strrchr(program, '/') - program), program);
    if (access(library, R_OK) == 0)
        setenv("MARELLE_LIBRARY", library, false);
}

static int run_experiment(const Command *command) {
    Words w = {0};
    Text package = {0};
    if (cluster_size(command->cluster) > 1) {
        complain("several processes share a study as `mpirun -n N python3 -m experiments`, or by "
                 "--workers");
        return STATUS_USAGE;
    }
    if (!games_find_beside(&package, "experiments")) {
        complain("the studies are a Python package that is not here; in the source tree "
                 "`python3 -m experiments` runs them");
        return STATUS_USAGE;
    }
    add(&w, "python3");
    add(&w, text_string(&package));
    for (size_t i = 0; i < command->argument_count; i++)
        add(&w, command->arguments[i]);
    add_options(&w, command);
    vector_push(&w.words, NULL);
    name_library();
    fflush(stdout);
    execvp(w.words.items[0], w.words.items);
    complain("the studies need Python: python3 cannot be started: %s", strerror(errno));
    vector_free(&w.words);
    arena_free(&w.arena);
    vector_free(&package);
    return STATUS_USAGE;
}

const Verb verb_experiment = {
    .name = "experiment",
    .arguments = "[STUDY [GAME...]]",
    .summary = "run a study again: tables and plots in a folder",
    .description =
        "A short way to the studies, which are a Python package: `python3 -m experiments`. A\n"
        "study runs its jobs and writes what they measured to FOLDER/runs.csv as they end,\n"
        "then tables (Markdown and CSV) and plots (SVG) of all of it. Interrupted or out of\n"
        "--time, the same command goes on where it was; exit status 3 while jobs are missing.\n"
        "Workers, also of several machines, share a folder. Without a study it lists them.\n"
        "GAMEs take the place of the study's own, --playouts of its limit for one run.",
    .example = "experiment mtmcts --quick --out /tmp/study",
    VERB_OPTIONS,
    .unused = "threads verbose",
    .time = TIME_OF_PARTS,
    .takes = {0, SIZE_MAX},
    .is_distributed = true,
    .run = run_experiment,
};
