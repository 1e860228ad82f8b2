/* Playing a tournament: matches planned in the store, several at a time, each stored as soon as it
 * is over. Whatever ends the process, the next call goes on with the matches that are not stored.
 * All at once, or step by step, by those who let other processes play. */
#pragma once

#include "server/tournament/pairing.h"

typedef struct {
    const Definition *definition; /* with all games set */
    Store *store;                 /* NULL: the tournament is refused */
    unsigned parallel;            /* matches at a time; 0: as the definition says */
    const bool *stopped;          /* NULL if nobody will */
    Gate *gate;                   /* that searches have to pass; NULL: none */
    /* Called after each match, by any thread but never by two at once, with how many have been
     * played since the call and how many there were to play; may be NULL. */
    void (*on_progress)(void *context, uint64_t played, uint64_t total);
    /* Somebody who looks on, or both NULL. `attend` is called before each match, by any thread, and
     * may give it an id, hooks and their context; `leave` after it with that context, and with the
     * record if it is stored, else with NULL. */
    void (*attend)(void *context, MatchSetup *match);
    void (*leave)(void *context, void *match_context, const MatchRecord *record);
    void *context;
} TournamentSetup;

typedef enum {
    TOURNAMENT_OVER,
    TOURNAMENT_STOPPED,
    TOURNAMENT_REFUSED, /* it cannot be played on this store, or not now */
    TOURNAMENT_FAILED   /* what was played before is stored */
} TournamentEnd;

/* Fills `jobs` with all matches planned so far and what they came to. */
TournamentEnd tournament_play(const TournamentSetup *setup, Jobs *jobs, Report *report);

/* The same in steps, without somebody who looks on; jobs and report must live as long. Not NULL,
 * but it may be refused: then there is nothing to play. */
typedef struct Tournament Tournament;
Tournament *tournament_open(const TournamentSetup *setup, Jobs *jobs, Report *report);
TournamentEnd tournament_close(Tournament *tournament);

typedef enum {
    TOURNAMENT_NOTHING, /* is left */
    TOURNAMENT_MATCH,
    TOURNAMENT_LATER /* what comes next depends on matches under way */
} TournamentNext;

/* Takes a match that is to be played next; `job` is its index. */
TournamentNext tournament_take(Tournament *tournament, uint64_t *job);
/* The match as a packet, for whoever has the same definition. */
void tournament_order(const Tournament *tournament, uint64_t number, Text *packet);
/* Plays it; needs no Tournament. The record as a packet, or false with the reason as a text. */
bool tournament_play_order(const TournamentSetup *setup, const Text *order, Text *result);
/* What came out: stores it. */
void tournament_hand_in(Tournament *tournament, uint64_t number, bool is_well, const Text *result);
