/* A referee: plays one match among contestants under clocks and records it. An answer that is late,
 * missing or illegal is recorded as an error and replaced by a random legal move; the match always
 * goes on to its end. */
#pragma once

#include "base/log.h"
#include "game/game.h"
#include "server/referee/contestant.h"
#include "server/referee/search_slots.h"

#define MATCH_NO_ROLE UINT32_MAX

typedef enum {
    FAULT_TIME_OUT,   /* TO */
    FAULT_ILLEGAL,    /* IL */
    FAULT_CONNECTION, /* CE */
    FAULT_RULES       /* RU: an error of the game, such as a role without a move or a goal */
} MatchFaultKind;

typedef struct {
    uint32_t turn; /* number of joint moves made before the error */
    uint32_t role; /* MATCH_NO_ROLE if no role is to blame */
    MatchFaultKind kind;
    const char *message;
} MatchFault;

/* The arena owns all texts. */
typedef struct {
    Arena arena;
    const char *id, *game, *rules; /* rules in prefix notation, one per line */
    double startclock, playclock;  /* seconds */
    uint64_t seed;
    uint32_t role_count;
    const char **roles;
    const char **players;        /* by role; "random" for the role random */
    VECTOR(const char **) moves; /* by turn, then role */
    /* By turn, then role: what the role perceived, separated by blanks. No turns if the game has no
     * hidden information. */
    VECTOR(const char **) percepts;
    VECTOR(const char *) states; /* the initial one first */
    VECTOR(uint64_t) times;      /* by state: when it was reached, in milliseconds since 1970 */
    VECTOR(double) seconds;      /* by turn * role_count + role: seconds until the answer came */
    VECTOR(MatchFault) faults;
    /* By role: how a search chose to play after its measurements before the first turn, as a
     * sentence; empty if it measured nothing. */
    const char **method_choices;
    int *goals; /* GOAL_NONE, GOAL_SEVERAL or the value; all GOAL_NONE if not completed */
    bool is_completed;
} MatchRecord;

/* A question to a human, and the answer. */
typedef struct {
    uint32_t role_number;
    const char *role;
    const char *state;    /* NULL if the game has hidden information */
    const char *percepts; /* percepts of the last turn, for games with hidden information */
    const char **legal;
    size_t legal_count;
    size_t chosen; /* index into `legal`; legal_count or more: no choice was made */
    bool resigned; /* the human gives the match up */
} MatchQuestion;

/* The result of a search before its move. */
typedef struct {
    uint32_t turn, role;
    const char *const *moves; /* texts of the moves of the result, in its order */
    const SearchResult *result;
    double seconds;
} MatchThought;

/* How a message to a player on the network ended. */
typedef enum { POST_ANSWERED, POST_TIMED_OUT, POST_FAILED } PostEnd;
/* Posts a message and waits `seconds` seconds at most. Replaces the text in `answer`, by the reason
 * in words if there is no answer. */
typedef PostEnd PostFunction(const char *url, const Text *message, double seconds, Text *answer);

typedef struct {
    Game *game;
    const char *game_name;
    const char *id;                       /* id of the match; NULL: a new one is made */
    const Contestant *const *contestants; /* one for each role except `random`, in order */
    size_t contestant_count;
    double startclock, playclock; /* seconds */
    uint64_t seed;
    uint32_t step_limit; /* turns after which the match is broken off; 0: 10000 */
    const bool *stopped; /* set by another thread to stop the match; NULL: nobody does */
    bool *hurried; /* set by another thread: the search that thinks has to move now; may be NULL */
    SearchSlots *slots; /* a search runs only in one of them; NULL: no limit */
    /* Joint moves that are made first without asking anybody: texts by turn, then role. Players on
     * the network are not told of them, and searches do not prepare. */
    const char *const *const *opening;
    size_t opening_turns;
    /* Asks all humans with a choice at once. NULL if no human plays. */
    void (*ask)(void *context, MatchQuestion *choices, size_t count);
    PostFunction *post; /* client_post; NULL: there are no players on the network */
    void (*watch)(void *context, const MatchRecord *record); /* after each turn; may be NULL */
    void (*on_thought)(void *context, const MatchThought *thought); /* may be NULL */
    void *context;
} MatchSetup;

/* The texts of the moves of a result, in its order. */
const char **match_move_texts(const GameWork *work, uint32_t role, const SearchResult *result,
                              Arena *arena);

/* Appends the rules in prefix notation, one per line without comments, as in START messages and
 * records. */
void match_write_rules(const Game *game, Text *text);

/* Returns NULL with the reason if a contestant cannot play this game. */
MatchRecord *match_play(const MatchSetup *plan, Report *report);
void match_free(MatchRecord *record);
const char *match_fault_code(MatchFaultKind kind);
/* True if the role is `random`, which the referee plays. */
bool match_is_chance(const MatchRecord *record, uint32_t role);
