/* Playing a tournament: its matches are planned in the store, played several at a time, and each is
 * stored as soon as it is over. If the process ends, the next call continues with the matches that
 * are not stored. tournament_play does everything; the functions below it are its steps, for
 * callers that let other processes play. */
#pragma once

#include "server/tournament/pairing.h"

typedef struct {
    const Definition *definition; /* all games are set */
    Store *store;                 /* NULL: the tournament is refused */
    unsigned parallel;            /* matches at the same time; 0: as the definition says */
    const bool *stopped;          /* set by another thread to stop; NULL: nobody does */
    SearchSlots *slots;           /* a search runs only in one of them; NULL: no limit */
    /* Called after each match, by any thread but never by two at once, with the number of matches
     * played since the call and the number that was left to play; may be NULL. */
    void (*on_progress)(void *context, uint64_t played, uint64_t total);
    /* A spectator, or both NULL. `attend` is called before each match, by any thread, and may give
     * it an id, hooks and their context. `leave` is called after it with that context, and with the
     * record if it was stored, else with NULL. */
    void (*attend)(void *context, MatchSetup *match);
    void (*leave)(void *context, void *match_context, const MatchRecord *record);
    void *context;
} TournamentSetup;

typedef enum {
    TOURNAMENT_OVER,
    TOURNAMENT_STOPPED,
    TOURNAMENT_REFUSED, /* it cannot be played on this store, or not at present */
    TOURNAMENT_FAILED   /* the run failed; matches played before are stored */
} TournamentEnd;

/* Plays the tournament and fills `jobs` with all matches planned so far and their results. */
TournamentEnd tournament_play(const TournamentSetup *setup, Jobs *jobs, Report *report);

/* A tournament to be played in steps, without a spectator. Jobs and report must outlive it. It is
 * never NULL, but if it is refused there is nothing to play. */
typedef struct Tournament Tournament;
Tournament *tournament_open(const TournamentSetup *setup, Jobs *jobs, Report *report);
TournamentEnd tournament_close(Tournament *tournament);

typedef enum {
    TOURNAMENT_NOTHING, /* no match is left */
    TOURNAMENT_MATCH,
    TOURNAMENT_LATER /* the next match depends on matches that are being played */
} TournamentNext;

/* Takes the match to be played next. *number is its index. */
TournamentNext tournament_take(Tournament *tournament, uint64_t *number);
/* Writes the match as a packet, for a process with the same definition. */
void tournament_order(const Tournament *tournament, uint64_t number, Text *packet);
/* Plays the match of a packet; needs no Tournament. Returns true with the record as a packet, or
 * false with the reason as a text. */
bool tournament_play_order(const TournamentSetup *setup, const Text *order, Text *result);
/* Stores the result of a match that was taken. */
void tournament_hand_in(Tournament *tournament, uint64_t number, bool is_ok, const Text *result);
