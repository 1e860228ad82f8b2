/* Games, players, matches and tournaments in one SQLite file.
 *
 * Every change is one transaction, so that whoever is killed leaves either all of it or nothing. A
 * file that is damaged, of another program or of a newer Marelle is refused and left as it is. Any
 * thread may call; calls wait for each other. What fails says why in the report. */
#pragma once

#include "server/referee/match.h"

enum { STORE_VERSION = 2 };

typedef struct Store Store;

/* Makes the file where there is none, and brings an older one up to date. */
Store *store_open(const char *path, Report *report);
void store_close(Store *store);

/* Keeps other processes from playing on this file, until the store is closed or the process dies.
 * False if one does. May be called again by who has it. */
bool store_claim(Store *store, Report *report);

/* Matches. */

/* The number of the match in this file, 0 if it could not be stored. */
int64_t store_add_match(Store *store, const MatchRecord *record, Report *report);
/* Replaces the text by the record as JSON. */
bool store_record(Store *store, int64_t match, Text *json, Report *report);

typedef struct {
    int64_t number;
    const char *id, *game;
    const char *players; /* by role, separated by line feeds */
    const char *goals;   /* likewise; "-" where there is none */
    int64_t started;     /* milliseconds since 1970 */
    uint32_t turns, errors;
    bool is_completed;
} StoredMatch;

typedef void MatchVisitor(void *context, const StoredMatch *match);

/* Visits the newest `most` matches with numbers below `before` (0: all), newest first. */
bool store_visit_matches(Store *store, int64_t before, uint32_t most, MatchVisitor *visit,
                         void *context, Report *report);
/* Those of the tournament of that name, in the order of its plan. */
bool store_visit_played(Store *store, const char *tournament, MatchVisitor *visit, void *context,
                        Report *report);

/* The number of the match that was stored under this id; 0 if there is none. */
int64_t store_find_match(Store *store, const char *id, Report *report);

/* What the page keeps. Visitors get the columns as texts. */

typedef void StoreVisitor(void *context, const char *const *texts);

/* Rules that somebody brought. */
bool store_add_upload(Store *store, const char *id, const char *name, const char *rules,
                      Report *report);
/* Id, name and rules of each, in the order in which they came. */
bool store_visit_uploads(Store *store, StoreVisitor *visit, void *context, Report *report);

/* What was found out about the rules with this hash, as any text; false if nothing was. */
bool store_get_facts(Store *store, uint64_t hash, Text *facts, Report *report);
bool store_set_facts(Store *store, uint64_t hash, const char *facts, Report *report);

/* Matches that are not over: how they were set up, and their turns so far, as any texts. */
bool store_add_live(Store *store, const char *id, const char *setup, Report *report);
bool store_add_turn(Store *store, const char *id, uint32_t turn, const char *moves, Report *report);
/* Forgets this turn and those after it. */
bool store_take_back(Store *store, const char *id, uint32_t turn, Report *report);
/* What a search thought before it moved, as any text; kept when the match is over. */
bool store_add_thought(Store *store, const char *id, uint32_t turn, uint32_t role,
                       const char *thought, Report *report);
/* Turn, role and thought of each, in this order. */
bool store_visit_thoughts(Store *store, const char *id, StoreVisitor *visit, void *context,
                          Report *report);
/* Id and setup of each, oldest first. */
bool store_visit_live(Store *store, StoreVisitor *visit, void *context, Report *report);
/* Moves of each turn. */
bool store_visit_turns(Store *store, const char *id, StoreVisitor *visit, void *context,
                       Report *report);
/* Over: stores the record, if there is one, and forgets the rest in the same transaction. */
bool store_end_live(Store *store, const char *id, const MatchRecord *record, Report *report);

/* Tournaments that the page plays, by name: their files as they were sent. */
bool store_add_hosted(Store *store, const char *name, const char *definition, Report *report);
/* Name and definition of each, oldest first. */
bool store_visit_hosted(Store *store, StoreVisitor *visit, void *context, Report *report);

/* Tournaments. */

#define JOB_NOBODY UINT32_MAX

/* One match of a tournament, planned or played. */
typedef struct {
    uint32_t number; /* within the tournament, from 0 */
    uint32_t round;
    uint32_t encounter;   /* the group of players that meet */
    uint32_t game, board; /* index of the game; which of the encounter's matches in it */
    uint64_t seed;
    uint32_t seat_count;
    uint32_t *players; /* by seat; JOB_NOBODY for one who fills the table */
    bool is_played, is_completed;
    /* Of a match that was played, by seat: */
    int *goals; /* negative if there is none */
    uint32_t *errors;
} Job;

typedef struct {
    Arena arena;
    VECTOR(Job) items;
} Jobs;

/* Adds one with memory for that many seats, nobody in them. */
Job *jobs_add(Jobs *jobs, uint32_t seat_count);
void jobs_free(Jobs *jobs);

/* The tournament of that name, made if there is none; 0 if it could not be, or if it was defined
 * otherwise. */
int64_t store_tournament(Store *store, const char *name, const char *definition, Report *report);
/* Reads all jobs of a tournament, in order of their numbers. */
bool store_read_jobs(Store *store, int64_t tournament, Jobs *jobs, Report *report);
/* Plans the jobs from index `first` on, all or none. */
bool store_add_jobs(Store *store, int64_t tournament, const Jobs *jobs, size_t first,
                    Report *report);
/* Stores the match and notes in the same transaction that the job was played: its results go to the
 * job as well. A job that has a match already keeps it. */
bool store_finish_job(Store *store, int64_t tournament, Job *job, const MatchRecord *record,
                      Report *report);
