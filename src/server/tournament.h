/* Playing a tournament: matches planned in the store, several at a time, each stored as soon as it
 * is over. Whatever ends the process, the next call goes on with the matches that are not stored.
 */
#ifndef MARELLE_SERVER_TOURNAMENT_H
#define MARELLE_SERVER_TOURNAMENT_H

#include "server/pairing.h"

typedef struct {
    const Definition *definition; /* with all games set */
    Store *store;
    unsigned parallel;   /* matches at a time; 0: as the definition says */
    const bool *stopped; /* NULL if nobody will */
    Gate *gate;          /* that searches have to pass; NULL: none */
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

#endif
