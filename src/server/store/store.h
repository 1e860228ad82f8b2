/* Games, players, matches and tournaments in one SQLite file.
 *
 * Every change is one transaction, so that a killed process leaves either all of it or nothing. A
 * file that is damaged, of another program or of a newer Marelle is refused and not changed. Any
 * thread may call; calls wait for each other. A function that fails says why in the report. */
#pragma once

#include "server/referee/match.h"

enum { STORE_VERSION = 2 };

typedef struct Store Store;

/* Opens the file, creates it if there is none, and updates one of an older version. */
Store *store_open(const char *path, Report *report);
void store_close(Store *store);

/* Prevents other processes from playing on this file until the store is closed or the process ends.
 * False if another process has claimed it. May be called repeatedly. */
bool store_claim(Store *store, Report *report);

/* ---- matches that are over ---- */

/* Stores a match. Returns its number in this file; 0 if it could not be stored. */
int64_t store_add_match(Store *store, const MatchRecord *record, Report *report);
/* Replaces the text by the stored record as JSON. */
bool store_record(Store *store, int64_t match, Text *json, Report *report);

typedef struct {
    int64_t number;
    const char *id, *game;
    const char *players; /* by role, separated by line feeds */
    const char *goals;   /* by role, separated by line feeds; "-" for no goal */
    int64_t started;     /* milliseconds since 1970 */
    uint32_t turns, errors;
    bool is_completed;
} StoredMatch;

typedef void MatchVisitor(void *context, const StoredMatch *match);

/* Visits the newest `most` matches with numbers below `before` (0: all), newest first. */
bool store_visit_matches(Store *store, int64_t before, uint32_t most, MatchVisitor *visit,
                         void *context, Report *report);
/* Visits the matches of the tournament of that name, in the order of its plan. */
bool store_visit_played(Store *store, const char *tournament, MatchVisitor *visit, void *context,
                        Report *report);

/* The number of the match with this id; 0 if there is none. */
int64_t store_find_match(Store *store, const char *id, Report *report);

/* ---- data of the page; visitors get the columns as texts, and may call the store ---- */

typedef void StoreVisitor(void *context, const char *const *texts);

typedef enum {
    STORE_UPLOADS, /* id, name and rules of all uploads, oldest first */
    STORE_LIVE,    /* id and setup of all matches that are not over, oldest first */
    STORE_HOSTED,  /* name and definition of all tournaments of the page, oldest first */
    STORE_TURNS,   /* moves of all turns of a match that is not over, in order */
    STORE_THOUGHTS /* turn, role and thought of a match, ordered by turn and role */
} StoreList;

/* Visits the rows of a list; `match` is the id of the match for turns and thoughts, else NULL. */
bool store_visit(Store *store, StoreList list, const char *match, StoreVisitor *visit,
                 void *context, Report *report);

/* Stores uploaded rules. */
bool store_add_upload(Store *store, const char *id, const char *name, const char *rules,
                      Report *report);

bool store_remove_upload(Store *store, const char *id, Report *report);

/* Reads the findings about the rules with this hash, as any text; false if there are none. */
bool store_get_facts(Store *store, uint64_t hash, Text *facts, Report *report);
bool store_set_facts(Store *store, uint64_t hash, const char *facts, Report *report);

/* Matches that are not over: their setups and their turns so far, as any texts. */
bool store_add_live(Store *store, const char *id, const char *setup, Report *report);
bool store_add_turn(Store *store, const char *id, uint32_t turn, const char *moves, Report *report);
/* Deletes this turn, all later turns and their thoughts. */
bool store_take_back(Store *store, const char *id, uint32_t turn, Report *report);
/* Stores the thought of a search before its move, as any text. It is kept when the match is
 * over. */
bool store_add_thought(Store *store, const char *id, uint32_t turn, uint32_t role,
                       const char *thought, Report *report);
/* Ends a match: stores the record, unless it is NULL, and deletes setup and turns in the same
 * transaction. */
bool store_end_live(Store *store, const char *id, const MatchRecord *record, Report *report);

/* Tournaments that the page plays, by name: their definitions as they were sent. */
bool store_add_hosted(Store *store, const char *name, const char *definition, Report *report);

/* ---- tournaments ---- */

#define JOB_NOBODY UINT32_MAX

/* One match of a tournament, planned or played. */
typedef struct {
    uint32_t number; /* within the tournament, from 0 */
    uint32_t round;
    uint32_t encounter;   /* number of the encounter, which is a group of players that meet */
    uint32_t game, board; /* index of the game; number of the match within encounter and game */
    uint64_t seed;
    uint32_t seat_count;
    uint32_t *players; /* by seat; JOB_NOBODY: a random player fills the seat */
    bool is_played, is_completed;
    /* Results by seat, if the match was played: */
    int *goals;       /* 0..100; negative if there is no goal */
    uint32_t *errors; /* number of recorded errors */
} Job;

typedef struct {
    Arena arena;
    VECTOR(Job) items;
} Jobs;

/* Adds a job with that many empty seats. */
Job *jobs_add(Jobs *jobs, uint32_t seat_count);
void jobs_free(Jobs *jobs);

/* Returns the id of the tournament of that name, which is created if there is none. 0 if that
 * fails, or if the stored tournament has another definition. */
int64_t store_tournament(Store *store, const char *name, const char *definition, Report *report);
/* Reads all jobs of a tournament, in order of their numbers. */
bool store_read_jobs(Store *store, int64_t tournament, Jobs *jobs, Report *report);
/* Stores the jobs from index `first` on, all or none. */
bool store_add_jobs(Store *store, int64_t tournament, const Jobs *jobs, size_t first,
                    Report *report);
/* Stores the match and marks the job as played in the same transaction, and copies the results to
 * the job. Fails if the job has a match already. */
bool store_finish_job(Store *store, int64_t tournament, Job *job, const MatchRecord *record,
                      Report *report);
