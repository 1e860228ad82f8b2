/* A match that people look at while it is played: among people, searches and players on the
 * network. The referee of match.h plays it in a thread of its own; every turn is in the store
 * before anybody is shown it, so that a killed process loses the move in flight at most. A match
 * can be taken back and be gone on with after a restart: the referee begins again with the turns so
 * far as its opening. One that goes on from a turn of another match has the turns before it in its
 * setup.
 *
 * People are told apart by keys, one for each human seat. With hidden information a key opens what
 * its role can know and no more. */
#pragma once

#include "server/page/library.h"
#include "server/page/limits.h"

#define LIVE_NOBODY UINT32_MAX
enum { LIVE_KEY_LENGTH = 32, LIVE_LONGEST_THINKING = 60, LIVE_TREE_BYTES = 32 << 20 };

/* What all matches share. */
typedef struct {
    Store *store;
    Library *library;
    Gate *gate;
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

typedef struct LiveMatch {
    const LiveTools *tools;
    char *id;
    json_t *setup; /* as it is stored: see live_check_setup; never changed */
    const OpenGame *open;
    uint32_t role_count;
    char **roles, **players; /* names, by role */
    char **keys;             /* by role; NULL if no human plays it */
    Contestant *contestants; /* by seat: the roles that chance does not play */
    size_t seats;
    bool has_secrets;  /* information is hidden, and from somebody who could look here */
    bool is_elsewhere; /* a referee of others plays and stores it: see live_attend */

    pthread_mutex_t mutex; /* for all below */
    pthread_cond_t changed;
    uint64_t version;
    pthread_t thread;
    bool has_thread;
    bool stopped;      /* ends the run of the referee; atomic */
    bool is_replaying; /* turns of the opening are being made again */
    bool wants_back;   /* the run is to begin again with `keep` turns */
    bool wants_end;    /* the match is not to go on */
    size_t keep;
    Arena arena; /* of turns and states */
    LiveTurns opening, turns;
    VECTOR(const char *) states; /* one more than turns */
    VECTOR(LiveThought) thoughts;
    VECTOR(char *) faults; /* JSON */
    MatchChoice *choices;  /* of humans who are asked right now */
    size_t choice_count;
    bool *asked;            /* by role: in this turn */
    BeliefFilter **filters; /* by role, of humans in games that hide; else NULL */
    bool is_over, is_broken;
    int *goals;  /* by role */
    Text *shown; /* by role, and the public last: the last document */
    uint64_t *shown_version;
    unsigned users; /* requests and streams; of the hall, under its mutex */
    double touched; /* the same */
} LiveMatch;

/* Checks and completes what somebody asked for: `game`, `players` (texts or objects with `player`
 * and `name`), `seconds` a move, `seed`; adds `keys`, `owner`, `client`, `created`. Players on the
 * network need trust. A new object, or NULL with the reason. */
json_t *live_check_setup(const json_t *wanted, const LiveTools *tools, const char *client,
                         bool is_trusted, Report *report);

/* The turns of a match before this one, for a setup that goes on from there: moves by turn and
 * role. NULL with the reason if there are not so many, or they are not shown yet. */
json_t *live_opening(LiveMatch *match, size_t turns, Report *report);

/* A match from its setup, not yet running. The setup stays the caller's. */
LiveMatch *live_create(const LiveTools *tools, const char *id, json_t *setup, Report *report);
/* Goes on from the turns in the store; false if no thread can be started. */
bool live_run(LiveMatch *match, Report *report);
/* A match that was over before, from its record. */
LiveMatch *live_from_record(const LiveTools *tools, const char *id, json_t *record, Report *report);
/* A match that somebody else referees, such as one of a tournament, to be looked at while it lasts:
 * `live_hear_turn` and `live_hear_thought` are for the hooks of its MatchSetup, with this match as
 * context. Searches think on the client's account; NULL: on nobody's. */
LiveMatch *live_attend(const LiveTools *tools, const char *id, const MatchSetup *played,
                       const char *client, Report *report);
void live_hear_turn(void *context, const MatchRecord *record);
void live_hear_thought(void *context, const MatchThought *thought);
/* It is over; NULL if it was broken off. */
void live_conclude(LiveMatch *match, const MatchRecord *record);
/* Ends the run, wherever it is; the store keeps what there is. */
void live_stop(LiveMatch *match);
void live_free(LiveMatch *match);

/* The role that a key opens; LIVE_NOBODY for no key or a wrong one. */
uint32_t live_role_of_key(const LiveMatch *match, const char *key);
/* A human's move, by its text. */
bool live_move(LiveMatch *match, uint32_t role, const char *move, Report *report);
/* Back to the last turn in which this human had a choice. */
bool live_take_back(LiveMatch *match, uint32_t role, Report *report);
/* Breaks the match off for good. */
void live_end(LiveMatch *match);
/* Whether the key is one of a seat, or of who began the match. */
bool live_owns(const LiveMatch *match, const char *key);
/* Whether it waits for humans alone. */
bool live_is_waiting(LiveMatch *match);

/* Whether nothing will change any more. */
bool live_is_ended(LiveMatch *match);

/* Waits until the version is not *seen, and notes it; false after so many seconds. */
bool live_wait(LiveMatch *match, uint64_t *seen, double seconds, const bool *stopped);
void live_wake(LiveMatch *match);

/* The match as the role may see it (LIVE_NOBODY: a spectator), as JSON; docs/reference/api.md. */
void live_document(LiveMatch *match, uint32_t role, Text *json);
/* One turn of it; false if there is none, or none to be shown. */
bool live_turn_document(LiveMatch *match, uint32_t role, size_t turn, Text *json);
/* One line about it for a list. */
json_t *live_summary(LiveMatch *match);
/* What the engine thinks of the role's moves, after so many seconds. */
bool live_hint(LiveMatch *match, uint32_t role, double seconds, Text *json, Report *report);

/* For the files of this module: whether this role may see everything. Under the mutex. */
bool live_shows_all(const LiveMatch *match);
/* Waits for the end of a replay. Under the mutex. */
void live_settle(LiveMatch *match);
json_t *live_thought(const MatchThought *thought, const char *role, size_t most_moves);
