/* A referee: plays one match among contestants under clocks and writes down all that happened. What
 * is late, missing or illegal is replaced by a random legal move and recorded as an error; the
 * match always goes on to its end. */
#ifndef MARELLE_SERVER_MATCH_H
#define MARELLE_SERVER_MATCH_H

#include "base/log.h"
#include "game/game.h"
#include "server/contestant.h"

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
    int *goals; /* GOAL_NONE, GOAL_SEVERAL or the value; all GOAL_NONE if not completed */
    bool is_completed;
} MatchRecord;

/* What a human chooses from. */
typedef struct {
    const char *role, *state; /* state is NULL with hidden information: then there are */
    const char *percepts;     /* of the last turn */
    const char **legal;
    size_t legal_count;
} MatchChoice;

typedef struct {
    Game *game;
    const char *game_name;
    const Contestant *const *contestants; /* for each role but `random`, in order */
    size_t contestant_count;
    double startclock, playclock;
    uint64_t seed;
    uint32_t step_limit; /* turns; 0: 10000 */
    const bool *stopped; /* NULL if nobody will */
    /* Index of the choice; legal_count or more leaves it to chance. NULL if there are no humans. */
    size_t (*ask)(void *context, const MatchChoice *choice);
    void (*watch)(void *context, const MatchRecord *record); /* after each turn; may be NULL */
    void *context;
} MatchSetup;

/* Roles that need a contestant: all but `random`. */
size_t match_seats(const Game *game);

/* Adds the rules in prefix notation, as players and records get them. */
void match_write_rules(const Game *game, Text *text);

/* NULL with the reason if a contestant cannot play this game. */
MatchRecord *match_play(const MatchSetup *plan, Report *report);
void match_free(MatchRecord *record);
const char *match_error_code(MatchErrorKind kind);
/* Whether the role is `random`, which the referee plays. */
bool match_is_chance(const MatchRecord *record, uint32_t role);

#endif
