/* Studies that anyone can run again: `marelle experiment STUDY`. A study plans jobs (a game, a
 * method, a seed ...), runs one job at a time, and makes a page from all measurements. This module
 * does the rest. The result of a job is written to FOLDER/runs.csv before the next job begins, so
 * that a study that is interrupted, killed or out of time continues where it stopped. Then tables
 * and plots are written beside it. A new study is a file that defines its Experiment, a line below
 * and a line in the table of verb_experiment.c. */
#pragma once

#include "base/clock.h"
#include "base/plot.h"
#include "base/result_rows.h"
#include "cluster/cluster.h"
#include "game/game.h"

/* The options of the user. */
typedef struct {
    const char *folder;
    bool is_quick;  /* true for few seeds and easy games: a run takes seconds, not hours */
    uint32_t tier;  /* 1, 2 or 3: how thorough the study is */
    uint64_t seeds; /* number of seeds, one job for each; 0: the default of the study */
    uint64_t first_seed;
    uint64_t playouts;        /* playouts per job, at most; 0: the default of the study */
    double move_seconds;      /* time per move in matches; 0: the default of the study */
    const char *const *games; /* games to study instead of the default ones */
    size_t game_count;        /* 0: the default games of the study */
    const char *parts;        /* kinds of jobs, separated by commas; NULL: all */
} ExperimentSetup;

typedef struct ExperimentWork ExperimentWork;

typedef struct {
    const char *name, *summary;
    const char *const *keys;   /* columns that identify a job; NULL at the end */
    const char *const *values; /* columns that a job fills in; NULL at the end */
    /* Kinds of jobs that can be chosen; NULL if there is only one kind. */
    const char *const *parts;
    /* Adds a row of keys for each job, in the order in which they are to be run. */
    void (*plan)(const ExperimentSetup *setup, ResultRows *jobs);
    /* Runs the job with these keys, which are in the order of the columns, and adds its results as
     * cells to `values`, which has only the value columns and an empty row. Returns false, after
     * complaining, if the job failed and remains to be done. */
    bool (*run)(ExperimentWork *work, const char *const *keys, ResultRows *values);
    /* Writes the page, in Markdown, from the measurements, which may be those of some jobs only.
     * Files that belong to it are written by experiment_save. */
    void (*report)(ExperimentWork *work, const ResultRows *runs, Text *page);
} Experiment;

extern const Experiment experiment_compound;
extern const Experiment experiment_duels;
extern const Experiment experiment_scsp;
extern const Experiment experiment_heuristics;
extern const Experiment experiment_minutes;
extern const Experiment experiment_mobility;
extern const Experiment experiment_models;
extern const Experiment experiment_neat;
extern const Experiment experiment_mtmcts;
extern const Experiment experiment_parallel;
extern const Experiment experiment_selfplay;

const ExperimentSetup *experiment_setup(const ExperimentWork *work);
/* True if jobs of that kind are wanted. */
bool experiment_has_part(const ExperimentSetup *setup, const char *part);
/* Returns the game of that name, which is kept until another one is asked for. NULL after
 * complaining. */
Game *experiment_game(ExperimentWork *work, const char *name);

/* The last component of a game's path, for tables. */
const char *experiment_short_name(const char *game);

/* Writes a file in the study's folder. Returns false after complaining. */
bool experiment_save(ExperimentWork *work, const char *name, const Text *text);
/* Writes the plot as NAME.svg and adds it to the page. Frees the plot. */
void experiment_add_plot(ExperimentWork *work, Text *page, const char *name, Plot *plot);
/* Writes the table as NAME.csv and adds it to the page. Frees the table. */
void experiment_add_table(ExperimentWork *work, Text *page, const char *name, ResultRows *table);
/* Adds mean and standard deviation as a cell, such as "12.3 ± 0.4", with that many decimals. */
void experiment_add_mean(ResultRows *table, const Summary *summary, int decimals);

typedef struct {
    uint64_t planned; /* number of planned jobs */
    uint64_t done;    /* number of planned jobs that are done, in this run or earlier */
    uint64_t ran;     /* number of jobs done in this run */
    bool has_failed;  /* true if a job could not be run or a file could not be written */
} ExperimentCounts;

/* Runs the missing jobs until the deadline or an interrupt, then writes page, tables and plots. The
 * processes of a cluster share the jobs; the first one writes the files. Returns false, after
 * complaining, if the folder cannot be used. */
bool experiment_run(const Experiment *experiment, const ExperimentSetup *setup, Deadline deadline,
                    bool is_quiet, Cluster *cluster, ExperimentCounts *counts);
