/* A referee: plays one match among contestants under clocks and writes down all that happened. What
 * is late, missing or illegal is replaced by a random legal move and recorded as an error; the
 * match always goes on to its end. */
#pragma once

#include "base/log.h"
#include "game/game.h"
#include "server/page/search_slots.h"
#include "server/referee/contestant.h"

#define MATCH_NO_ROLE UINT32_MAX

typedef enum {
    ERROR_TIME_OUT,   /* TO */
    ERROR_ILLEGAL,    /* IL */
    ERROR_CONNECTION, /* CE */
    ERROR_RULES       /* RU: the game itself, a role without a move or a goal */
} MatchErrorKind;

typedef struct {
    uint32_t turn; /* joint moves made before it */
    uint32_t role; /* MATCH_NO_ROLE if none is to blame */
    MatchErrorKind kind;
    const char *message;
} MatchError;

/* Texts belong to the arena. */
typedef struct {
    Arena arena;
    const char *id, *game, *rules; /* rules in prefix notation, one a line */
    double startclock, playclock;
    uint64_t seed;
    uint32_t role_count;
    const char **roles;
    const char **players;        /* by role; "random" for the role random */
    VECTOR(const char **) moves; /* by turn, then role */
    /* By turn, then role: what it saw, separated by blanks. Empty if nothing is hidden. */
    VECTOR(const char **) percepts;
    VECTOR(const char *) states; /* the initial one first */
    VECTOR(uint64_t) times;      /* of the states, in milliseconds since 1970 */
    VECTOR(double) seconds;      /* by turn and role: until the answer came */
    VECTOR(MatchError) errors;
    /* By role: how a search chose to play by what it measured before the first turn; empty if it
     * measured nothing. */
    const char **choices;
    int *goals; /* GOAL_NONE, GOAL_SEVERAL or the value; all GOAL_NONE if not completed */
    bool is_completed;
} MatchRecord;

/* What a human chooses from, and the choice. */
typedef struct {
    uint32_t role_number;
    const char *role, *state; /* state is NULL with hidden information: then there are */
    const char *percepts;     /* of the last turn */
    const char **legal;
    size_t legal_count;
    size_t chosen; /* index of a legal move; legal_count or more leaves it to chance */
} MatchChoice;

/* What a search found out before it moved. */
typedef struct {
    uint32_t turn, role;
    const char *const *moves; /* texts of those in the result, in its order */
    const SearchResult *result;
    double seconds;
} MatchThought;

typedef struct {
    Game *game;
    const char *game_name;
    const char *id;                       /* of the match; NULL: a new one */
    const Contestant *const *contestants; /* for each role but `random`, in order */
    size_t contestant_count;
    double startclock, playclock;
    uint64_t seed;
    uint32_t step_limit; /* turns; 0: 10000 */
    const bool *stopped; /* NULL if nobody will */
    Gate *gate;          /* that searches have to pass; NULL: none */
    /* Joint moves that are made first, without asking anybody: texts by turn, then role. Players on
     * the network are not told of them, and searches prepare for nothing before them. */
    const char *const *const *opening;
    size_t opening_turns;
    /* Asks all humans with a choice at once. NULL if there are none. */
    void (*ask)(void *context, MatchChoice *choices, size_t count);
    void (*watch)(void *context, const MatchRecord *record); /* after each turn; may be NULL */
    void (*on_thought)(void *context, const MatchThought *thought); /* may be NULL */
    void *context;
} MatchSetup;

/* The texts of the moves of a result, in its order. */
const char **match_move_texts(const GameWork *work, uint32_t role, const SearchResult *result,
                              Arena *arena);

/* Adds the rules in prefix notation, as players and records get them. */
void match_write_rules(const Game *game, Text *text);

/* NULL with the reason if a contestant cannot play this game. */
MatchRecord *match_play(const MatchSetup *plan, Report *report);
void match_free(MatchRecord *record);
const char *match_error_code(MatchErrorKind kind);
/* Whether the role is `random`, which the referee plays. */
bool match_is_chance(const MatchRecord *record, uint32_t role);
