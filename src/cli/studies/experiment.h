/* Studies that anyone can run again: `marelle experiment STUDY`. A study plans jobs (a game, a
 * method, a seed ...), runs one and says what it measured, and makes a page of all that was
 * measured. Everything else is done here: what a job measured is a line of FOLDER/runs.csv before
 * the next one begins, so that a study which is interrupted, killed or out of time goes on where it
 * was; then tables and plots are written beside it. A new study is a file that defines its
 * Experiment, a line below and a line in the table of verb_experiment.c. */
#pragma once

#include "base/clock.h"
#include "base/plot.h"
#include "base/result_rows.h"
#include "cluster/cluster.h"
#include "game/game.h"

/* What the user asked for. */
typedef struct {
    const char *folder;
    bool is_quick;  /* few seeds and easy games: seconds, not hours */
    uint32_t tier;  /* 1, 2 or 3: how thorough */
    uint64_t seeds; /* a job for each; 0: as the study likes */
    uint64_t first_seed;
    uint64_t playouts;        /* most of one job; 0: as the study likes */
    double move_seconds;      /* clock of a move in matches; 0: as the study likes */
    const char *const *games; /* instead of the study's own */
    size_t game_count;        /* 0: the study's own */
    const char *parts;        /* kinds of jobs, with commas between; NULL: all */
} ExperimentSetup;

typedef struct ExperimentWork ExperimentWork;

typedef struct {
    const char *name, *summary;
    const char *const *keys;   /* columns that tell jobs apart; NULL at the end */
    const char *const *values; /* columns that a job fills */
    const char *const *parts;  /* kinds of jobs, to be asked for alone; NULL if there are none */
    /* Adds a row of keys for each job, in the order in which they are to be run. */
    void (*plan)(const ExperimentSetup *setup, Records *jobs);
    /* Runs the job with these keys, in the order of the columns, and adds its values as cells to
     * `values`, which has the columns of that name alone and a fresh row. False after complaining:
     * the job stays to be done. */
    bool (*run)(ExperimentWork *work, const char *const *keys, Records *values);
    /* Writes the page, in Markdown, from what was measured, which may be a part of the jobs; files
     * that belong to it go through experiment_save. */
    void (*report)(ExperimentWork *work, const Records *runs, Text *page);
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
/* Whether jobs of that kind are asked for. */
bool experiment_has_part(const ExperimentSetup *setup, const char *part);
/* The game of that name, kept until another one is asked for; NULL after complaining. */
Game *experiment_game(ExperimentWork *work, const char *name);

/* The last part of a game's path, for tables. */
const char *experiment_short_name(const char *game);

/* Writes a file of the study's folder; false after complaining. */
bool experiment_save(ExperimentWork *work, const char *name, const Text *text);
/* Writes the plot as NAME.svg and refers to it on the page; frees the plot. */
void experiment_add_plot(ExperimentWork *work, Text *page, const char *name, Plot *plot);
/* Writes the table as NAME.csv and puts it on the page; frees the table. */
void experiment_add_table(ExperimentWork *work, Text *page, const char *name, Records *table);
/* "12.3 ± 0.4": mean and standard deviation as a cell, with that many decimals. */
void experiment_add_mean(Records *table, const Summary *summary, int decimals);

typedef struct {
    uint64_t planned; /* jobs */
    uint64_t done;    /* of the planned, now or before */
    uint64_t ran;     /* now */
    bool has_failed;  /* a job could not be run, or a file not be written */
} ExperimentCounts;

/* Runs what is missing until the deadline or an interrupt, then writes page, tables and plots. The
 * processes of a cluster share the jobs; the first one keeps the files.
 * False after complaining if the folder cannot be used. */
bool experiment_run(const Experiment *experiment, const ExperimentSetup *setup, Deadline deadline,
                    bool is_quiet, Cluster *cluster, ExperimentCounts *counts);
