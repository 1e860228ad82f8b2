/* A match that people watch while it is played: among people, searches and players on the network.
 * The referee of match.h plays it in a thread of its own. Every turn is stored before anybody is
 * shown it, so that a killed process loses at most the move in flight. Matches of tournaments are
 * only watched here: they are stored as a whole when they are over. */
#pragma once

#include "base/monitor.h"
#include "game/belief.h"
#include "server/page/library.h"
#include "server/page/limits.h"

/* If a turn cannot be stored, it is not shown: the match stops as `broken`, with the reason among
 * its faults, and can be resumed from the stored turns after a restart. Turns can also be taken
 * back. In both cases the referee begins again, with the turns so far as its opening. The setup of
 * a match that continues from a turn of another one contains the turns before.
 *
 * People are told apart by keys, one for each seat of a human. With hidden information, a key shows
 * only what its role can know. */

#define LIVE_NOBODY UINT32_MAX
enum {
    LIVE_KEY_LENGTH = 32,           /* hexadecimal digits: 128 random bits */
    LIVE_MAX_THINKING_SECONDS = 60, /* seconds per move of a search (untuned) */
    /* Memory of a search tree: many matches share one machine (untuned). */
    LIVE_TREE_BYTES = 32 << 20
};

/* The services that all matches share. */
typedef struct {
    Store *store;
    Library *library;
    SearchSlots *slots;
    Limits *limits;
} LiveServices;

/* One joint move, texts by role. */
typedef struct {
    const char **moves;
    const char **percepts; /* by role; NULL if nothing is hidden */
    bool *asked;           /* by role: true if a human had a choice */
} LiveTurn;

typedef VECTOR(LiveTurn) LiveTurns;

typedef struct {
    uint32_t turn, role;
    char *json;
} LiveThought;

/* The belief of a human in a game with hidden information. */
typedef struct {
    Belief belief;
    Text facts; /* facts that hold in all states of the belief */
} LiveBelief;

typedef struct LiveMatch {
    const LiveServices *tools;
    char *id;
    int64_t began; /* milliseconds since 1970; 0 if that is not known */
    json_t *setup; /* the stored setup, see live_check_setup; never changed */
    const OpenGame *open;
    uint32_t role_count;
    const char *const *roles; /* names of the roles, which the game owns */
    char **players;           /* names by role */
    char **keys;              /* by role; NULL for roles that no human plays */
    Contestant *contestants;  /* by seat; seats are the roles except `random` */
    size_t seats;
    bool has_secrets;  /* information is hidden, and not only searches play */
    bool allows_help;  /* searches may help people before the match is over */
    bool is_elsewhere; /* true if somebody else referees and stores the match: see live_attend */

    /* Used only by the thread of the referee: */
    Arena arena;            /* memory of turns and states */
    bool *asked;            /* by role: a human was asked in this turn */
    BeliefFilter **filters; /* by role, for humans; NULL if nothing is hidden */

    bool stopped; /* atomic: true ends the run of the referee */
    bool hurried; /* atomic: true makes the search that thinks move now */
    pthread_t thread;
    /* Guards all fields below. Only the thread of the referee changes opening, turns and states. */
    Monitor monitor;
    /* Grows with every change, also from one process of the server to the next: the milliseconds
     * since 1970 when the match was loaded, and the changes since then. */
    uint64_t version;
    double *spent; /* by role: seconds used so far */
    int64_t since; /* milliseconds since 1970 when the turn began */
    bool has_thread;
    bool is_replaying;    /* the opening is being replayed: wait with live_settle */
    bool wants_take_back; /* the run has to begin again with the first `kept_turns` turns */
    bool wants_end;       /* the match has to end */
    bool has_failed;      /* the match could not be stored */
    size_t kept_turns;
    LiveTurns opening, turns;
    VECTOR(const char *) states; /* as facts; one more than turns */
    VECTOR(LiveThought) thoughts;
    VECTOR(char *) faults;  /* JSON texts */
    LiveBelief *beliefs;    /* by role, for humans; NULL if nothing is hidden */
    MatchQuestion *choices; /* questions to the humans who are asked right now */
    size_t choice_count;
    bool is_over, is_broken;
    int *goals;  /* by role; valid if the match is over */
    Text *shown; /* by role, and for spectators at the end: the document last made */
    uint64_t *shown_version;

    /* Guarded by the registry's mutex: */
    unsigned users; /* number of requests and streams that use the match */
    double touched; /* wall-clock time of the last use */
} LiveMatch;

/* Checks and completes a request for a match: `game`, `players` (texts or objects with `player` and
 * `name`), `seconds` per move, `seed`, `help` (searches may help people; unless it is said, they
 * may if there is one person at most). Adds `keys`, `owner`, `client`, `created`. Only trusted
 * clients may name players on the network. Returns a new object, or NULL with the reason. */
json_t *live_check_setup(const json_t *wanted, const LiveServices *tools, const char *client,
                         bool is_trusted, Report *report);

/* Returns the moves of the first turns, by turn and role, for the setup of a match that continues
 * from there. NULL with the reason if there are fewer turns or they are not shown yet. */
json_t *live_opening(LiveMatch *match, size_t turns, Report *report);

/* Creates a match from its setup. It does not run yet. It takes a reference to the setup. */
LiveMatch *live_create(const LiveServices *tools, const char *id, json_t *setup, Report *report);
/* Starts or resumes the match from the turns in the store; false with the reason. */
bool live_run(LiveMatch *match, Report *report);
/* Creates a match that is over, from its record. */
LiveMatch *live_from_record(const LiveServices *tools, const char *id, json_t *record,
                            Report *report);
/* Creates a match that somebody else referees, such as one of a tournament, to be watched while it
 * lasts. `live_hear_turn` and `live_hear_thought` are for the hooks of its MatchSetup, with this
 * match as context. The time of its searches is charged to the client, unless that is NULL. */
LiveMatch *live_attend(const LiveServices *tools, const char *id, const MatchSetup *played,
                       const char *client, Report *report);
void live_hear_turn(void *context, const MatchRecord *record);
void live_hear_thought(void *context, const MatchThought *thought);
/* Tells a match of live_attend that it has ended. The record is NULL if it was broken off. */
void live_conclude(LiveMatch *match, const MatchRecord *record);
/* Ends the run at any point; the match stays in the store. */
void live_stop(LiveMatch *match);
void live_free(LiveMatch *match);
void live_belief_free(LiveBelief *belief);

/* True if both texts are equal and not NULL. Compares all characters, so that the time needed
 * reveals nothing about the secret but its length. */
bool live_is_same_secret(const char *wanted, const char *given);
/* The role of a key; LIVE_NOBODY for NULL or a wrong key. */
uint32_t live_role_of_key(const LiveMatch *match, const char *key);
/* Makes a human's move, given by its text. */
bool live_move(LiveMatch *match, uint32_t role, const char *move, Report *report);
/* Goes back to the last turn in which this human had a choice. */
bool live_take_back(LiveMatch *match, uint32_t role, Report *report);
/* Makes the search that thinks right now answer with what it has. */
void live_hurry(LiveMatch *match);
/* Breaks the match off for good. */
void live_end(LiveMatch *match);
/* True if the key belongs to a seat or to whoever began the match. */
bool live_owns(const LiveMatch *match, const char *key);
/* True if the match waits for humans. */
bool live_is_waiting(LiveMatch *match);
/* True if nothing will change any more. */
bool live_is_ended(LiveMatch *match);

/* Waits until the version differs from *seen, and updates *seen. False after `seconds` seconds, or
 * when *stopped is set and live_wake is called. */
bool live_wait(LiveMatch *match, uint64_t *seen, double seconds, const bool *stopped);
void live_wake(LiveMatch *match);

/* Writes the match as the role may see it (LIVE_NOBODY: a spectator), as JSON; see
 * docs/reference/api.md. */
void live_document(LiveMatch *match, uint32_t role, Text *json);
/* Writes one turn of the match as JSON. False if there is no such turn or it is not shown yet. */
bool live_turn_document(LiveMatch *match, uint32_t role, size_t turn, Text *json);
/* The match as an entry of a list. */
json_t *live_summary(LiveMatch *match);

/* A search that looks at one position of a match while somebody watches it think. */
typedef struct LiveThinking LiveThinking;

/* A search for a role (LIVE_NOBODY: the one who has a choice) at the position after `turn` turns,
 * for whoever has the key of `reader`. NULL with the reason: `no-help` if it is not allowed. */
LiveThinking *live_think(LiveMatch *match, uint32_t reader, size_t turn, uint32_t role,
                         Report *report);
/* Thinks for some seconds more, in a slot, and writes what is known: as a thought of the match,
 * with `squares` of its moves and the principal `line`, or `missing` where there is nothing to
 * think about. False when more thinking is useless. */
bool live_think_on(LiveThinking *thinking, double seconds, Text *json);
void live_think_free(LiveThinking *thinking);
