/* marelle experiment: studies that anyone can run again, with tables and plots in a folder. */
#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "cli/studies/experiment.h"
#include "cli/verbs.h"
#include "gdl/check/suggest.h"

typedef struct {
    const char *folder;
    bool is_quick;
    uint64_t seeds;
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
     "seconds a move in matches (default: by the tier)"},
    {"parts", 0, OPTION_TEXT, "NAME,...", OWN(parts),
     "kinds of jobs, of studies that have several (default: all)"},
};

/* One study per line, so that two changes merge. */
/* clang-format off */
static const Experiment *const all_experiments[] = {
    &experiment_mtmcts,
    &experiment_compound,
    &experiment_duels,
    &experiment_scsp,
    &experiment_parallel,
    &experiment_heuristics,
    &experiment_models,
    &experiment_minutes,
    &experiment_mobility,
    &experiment_neat,
    &experiment_selfplay,
    NULL,
};
/* clang-format on */

/* Measurements that are no studies: they have one table, and a script that makes it. */
static const struct {
    const char *name, *script;
} measured_elsewhere[] = {{"speed", "bench/table.py"}, {"strength", "bench/strength.py"}};

static const Experiment *find_experiment(const char *name) {
    Suggestion suggestion = suggestion_for(name);
    for (const Experiment *const *e = all_experiments; *e; e++) {
        if (strcmp((*e)->name, name) == 0)
            return *e;
        suggestion_offer(&suggestion, (*e)->name);
    }
    for (size_t i = 0; i < sizeof measured_elsewhere / sizeof *measured_elsewhere; i++)
        if (strcmp(name, measured_elsewhere[i].name) == 0) {
            complain("`%s` is measured by the script %s", name, measured_elsewhere[i].script);
            return NULL;
        }
    if (suggestion.best)
        complain("there is no study `%s`; did you mean `%s`?", name, suggestion.best);
    else
        complain("there is no study `%s`; `marelle experiment` lists them", name);
    return NULL;
}

static bool is_part(const Experiment *experiment, const char *name, size_t length) {
    for (const char *const *part = experiment->parts; part && *part; part++)
        if (strlen(*part) == length && strncmp(*part, name, length) == 0)
            return true;
    return false;
}

/* Returns true if the study has all the kinds of jobs that were asked for; complains about the
 * first one missing. */
static bool has_parts(const Experiment *experiment, const char *parts) {
    for (const char *at = parts; at;) {
        size_t length = strcspn(at, ",");
        if (!is_part(experiment, at, length)) {
            Text known = {0};
            for (const char *const *part = experiment->parts; part && *part; part++)
                text_printf(&known, "%s%s", known.count ? ", " : "", *part);
            complain("the study `%s` has no part `%.*s`; its parts: %s", experiment->name,
                     (int)length, at, known.count ? text_string(&known) : "none");
            vector_free(&known);
            return false;
        }
        at = at[length] ? at + length + 1 : NULL;
    }
    return true;
}

static int list_experiments(const Command *command) {
    json_t *list = json_array();
    for (const Experiment *const *e = all_experiments; *e; e++) {
        array_push(list,
                   object_of("study", text_json((*e)->name), "summary", text_json((*e)->summary)));
        if (!command->common.json)
            printf("%-12s %s\n", (*e)->name, (*e)->summary);
    }
    if (command->common.json)
        print_json(object_of("studies", list));
    else
        json_decref(list);
    return STATUS_DONE;
}

static int say_how_far(const Command *command, const Experiment *experiment, const char *folder,
                       const ExperimentCounts *counts) {
    bool is_complete = counts->done == counts->planned;
    if (command->common.json) {
        print_json(object_of("study", text_json(experiment->name), "folder", text_json(folder),
                             "planned", count_json(counts->planned), "done",
                             count_json(counts->done), "ran", count_json(counts->ran), "complete",
                             json_boolean(is_complete)));
    } else {
        printf("%s: %lu of %lu runs done, %lu of them now; see %s/README.md\n", experiment->name,
               (unsigned long)counts->done, (unsigned long)counts->planned,
               (unsigned long)counts->ran, folder);
        if (!is_complete)
            printf("The same command goes on with the others.\n");
    }
    return is_complete && !counts->has_failed ? STATUS_DONE : STATUS_EXHAUSTED;
}

static int run_experiment(const Command *command) {
    const VerbOptions *own = command->options;
    if (command->argument_count == 0)
        return list_experiments(command);
    const Experiment *experiment = find_experiment(command->arguments[0]);
    if (!experiment || !has_parts(experiment, own->parts))
        return STATUS_USAGE;
    Text folder = {0};
    ExperimentCounts counts;
    if (own->folder)
        text_add(&folder, own->folder);
    else
        text_printf(&folder, "experiment-%s", experiment->name);
    ExperimentSetup setup = {.folder = text_string(&folder),
                             .is_quick = own->is_quick,
                             .tier = own->tier ? (uint32_t)(own->tier[0] - '0') : 1,
                             .seeds = own->seeds,
                             .move_seconds = own->move_seconds,
                             .parts = own->parts,
                             .first_seed = command->common.seed,
                             .playouts = command->common.playouts,
                             .games = command->arguments + 1,
                             .game_count = command->argument_count - 1};
    Deadline deadline =
        command->common.seconds > 0 ? deadline_in(command->common.seconds) : deadline_never();
    int status = STATUS_USAGE;
    if (experiment_run(experiment, &setup, deadline, command->common.quiet, command->cluster,
                       &counts))
        status = say_how_far(command, experiment, setup.folder, &counts);
    vector_free(&folder);
    return status;
}

const Verb verb_experiment = {
    .name = "experiment",
    .arguments = "[STUDY [GAME...]]",
    .summary = "run a study again: tables and plots in a folder",
    .description =
        "Runs the jobs of a study one after the other and writes what they measured to\n"
        "FOLDER/runs.csv as they end, then tables (Markdown and CSV) and plots (SVG) of all\n"
        "of it. Interrupted or out of --time, the same command goes on where it was; exit\n"
        "status 3 while jobs are missing. Without a study it lists them. GAMEs take the\n"
        "place of the study's own, --playouts of its limit for one run.",
    .example = "experiment mtmcts --quick --out /tmp/study",
    VERB_OPTIONS,
    .unused = "threads verbose",
    .time = TIME_OF_PARTS,
    .takes = {0, SIZE_MAX},
    .is_distributed = true,
    .run = run_experiment,
};
