/* A match that people watch while it is played: among people, searches and players on the network.
 * The referee of match.h plays it in a thread of its own. Every turn is stored before anybody is
 * shown it, so that a killed process loses at most the move in flight. If a turn cannot be stored,
 * it is not shown: the match stops as `broken`, with the reason among its faults, and can be
 * resumed from the stored turns after a restart. A match can be taken back, and resumed after a
 * restart: the referee then begins anew with the turns so far as its opening. The setup of a match
 * that continues from a turn of another one contains the turns before. Matches of tournaments are
 * only watched here: they are stored as a whole when they are over.
 *
 * People are told apart by keys, one for each seat of a human. With hidden information, a key shows
 * what its role can know and no more. */
#pragma once

#include "base/monitor.h"
#include "game/belief.h"
#include "server/page/library.h"
#include "server/page/limits.h"

#define LIVE_NOBODY UINT32_MAX
enum {
    LIVE_KEY_LENGTH = 32,       /* hexadecimal digits: 128 random bits */
    LIVE_LONGEST_THINKING = 60, /* seconds per move of a search (guess) */
    LIVE_TREE_BYTES = 32 << 20  /* per search: many matches share one machine (guess) */
};

/* The services that all matches share. */
typedef struct {
    Store *store;
    Library *library;
    SearchSlots *gate;
    Limits *limits;
} LiveTools;

/* One joint move, texts by role. */
typedef struct {
    const char **moves;
    const char **percepts; /* NULL if nothing is hidden */
    bool *asked;           /* a human had a choice */
} LiveTurn;

typedef VECTOR(LiveTurn) LiveTurns;

typedef struct {
    uint32_t turn, role;
    char *json;
} LiveThought;

/* What a human can know of a game with hidden information. */
typedef struct {
    Belief belief;
    Text facts; /* those that hold in all states of the belief */
} LiveBelief;

typedef struct LiveMatch {
    const LiveTools *tools;
    char *id;
    json_t *setup; /* as it is stored, see live_check_setup; never changed */
    const OpenGame *open;
    uint32_t role_count;
    char **roles, **players; /* names by role */
    char **keys;             /* by role; NULL if no human plays it */
    Contestant *contestants; /* by seat: the roles that chance does not play */
    size_t seats;
    bool has_secrets;  /* information is hidden, and from somebody who could look here */
    bool is_elsewhere; /* somebody else referees and stores it: see live_attend */

    /* Of the referee's thread: */
    Arena arena;            /* of turns and states */
    bool *asked;            /* by role: a human was asked in this turn */
    BeliefFilter **filters; /* by role, for humans; NULL if nothing is hidden */

    bool stopped; /* ends the run of the referee; atomic */
    pthread_t thread;
    Monitor
        monitor; /* for all below; only the referee's thread changes opening, turns and states */
    uint64_t version;
    bool has_thread;
    bool is_replaying; /* turns of the opening are being made again: wait with live_settle */
    bool wants_back;   /* the run is to begin again with `keep` turns */
    bool wants_end;    /* the match is not to go on */
    bool has_failed;   /* it could not be stored */
    size_t keep;
    LiveTurns opening, turns;
    VECTOR(const char *) states; /* one more than turns */
    VECTOR(LiveThought) thoughts;
    VECTOR(char *) faults; /* JSON */
    LiveBelief *beliefs;   /* by role, for humans; NULL if nothing is hidden */
    MatchChoice *choices;  /* of humans who are asked right now */
    size_t choice_count;
    bool is_over, is_broken;
    int *goals;  /* by role */
    Text *shown; /* by role, and the public last: the last document */
    uint64_t *shown_version;

    /* Inside the hall's mutex: */
    unsigned users; /* requests and streams */
    double touched; /* wall clock: the last use */
} LiveMatch;

/* Checks and completes a request for a match: `game`, `players` (texts or objects with `player` and
 * `name`), `seconds` per move, `seed`. Adds `keys`, `owner`, `client`, `created`. Only trusted
 * clients may name players on the network. A new object, or NULL with the reason. */
json_t *live_check_setup(const json_t *wanted, const LiveTools *tools, const char *client,
                         bool is_trusted, Report *report);

/* The first turns of a match, for the setup of one that continues from there: moves by turn and
 * role. NULL with the reason if there are fewer turns or they are not shown yet. */
json_t *live_opening(LiveMatch *match, size_t turns, Report *report);

/* A match from its setup, not yet running. The match takes a reference to the setup. */
LiveMatch *live_create(const LiveTools *tools, const char *id, json_t *setup, Report *report);
/* Starts or resumes the match from the turns in the store; false with the reason. */
bool live_run(LiveMatch *match, Report *report);
/* A match that is over, from its record. */
LiveMatch *live_from_record(const LiveTools *tools, const char *id, json_t *record, Report *report);
/* A match that somebody else referees, such as one of a tournament, to be watched while it lasts.
 * `live_hear_turn` and `live_hear_thought` are for the hooks of its MatchSetup, with this match as
 * context. The time of its searches is charged to the client, if that is not NULL. */
LiveMatch *live_attend(const LiveTools *tools, const char *id, const MatchSetup *played,
                       const char *client, Report *report);
void live_hear_turn(void *context, const MatchRecord *record);
void live_hear_thought(void *context, const MatchThought *thought);
/* The match of live_attend has ended; the record is NULL if it was broken off. */
void live_conclude(LiveMatch *match, const MatchRecord *record);
/* Ends the run, wherever it is; the match stays in the store. */
void live_stop(LiveMatch *match);
void live_free(LiveMatch *match);
void live_belief_free(LiveBelief *belief);

/* The role of a key; LIVE_NOBODY for NULL or a wrong key. */
uint32_t live_role_of_key(const LiveMatch *match, const char *key);
/* Makes a human's move, given by its text. */
bool live_move(LiveMatch *match, uint32_t role, const char *move, Report *report);
/* Goes back to the last turn in which this human had a choice. */
bool live_take_back(LiveMatch *match, uint32_t role, Report *report);
/* Breaks the match off for good. */
void live_end(LiveMatch *match);
/* True if the key belongs to a seat or to whoever began the match. */
bool live_owns(const LiveMatch *match, const char *key);
/* True if the match waits for humans. */
bool live_is_waiting(LiveMatch *match);
/* True if nothing will change any more. */
bool live_is_ended(LiveMatch *match);

/* Waits until the version differs from *seen, and updates *seen. False after that many seconds, or
 * when *stopped is set and live_wake is called. */
bool live_wait(LiveMatch *match, uint64_t *seen, double seconds, const bool *stopped);
void live_wake(LiveMatch *match);

/* The match as the role may see it (LIVE_NOBODY: a spectator), as JSON; docs/reference/api.md. */
void live_document(LiveMatch *match, uint32_t role, Text *json);
/* One turn of the match as JSON; false if there is no such turn or it is not shown yet. */
bool live_turn_document(LiveMatch *match, uint32_t role, size_t turn, Text *json);
/* The match as an entry of a list. */
json_t *live_summary(LiveMatch *match);
/* The values of the role's moves after a search of that many seconds. */
bool live_hint(LiveMatch *match, uint32_t role, double seconds, Text *json, Report *report);
