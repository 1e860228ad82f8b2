/* Matches: a referee among searches and functions of yours, and a player that answers the messages
 * of the game protocol without a socket. Included by <marelle/marelle.h>. A whole program, in which
 * a search plays against whoever takes the first legal move:
 *
 *     #include <marelle/marelle.h>
 *     #include <stdio.h>
 *
 *     static size_t take_first(void *context, const MarelleQuestion *question) {
 *         (void)context;
 *         printf("%s takes %s\n", question->role_name, question->legal[0]);
 *         return 0;
 *     }
 *
 *     int main(int argc, char **argv) {
 *         MarelleRules *rules;
 *         MarelleGame *game = NULL;
 *         MarelleMatch *match = NULL;
 *         MarelleProblem problem = {""};
 *         MarelleSeat seats[] = {{.name = "uct:playouts=1000"}, {.choose = take_first}};
 *         MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
 *         if (status == MARELLE_OK)
 *             status = marelle_game_build(rules, NULL, &game);
 *         if (status == MARELLE_OK)
 *             status = marelle_match_play(game, seats, 2, NULL, &match, &problem);
 *         if (status == MARELLE_OK)
 *             printf("%d : %d\n", match->goals[0], match->goals[1]);
 *         else
 *             fprintf(stderr, "%s: %s\n", marelle_status_text(status), problem.text);
 *         marelle_match_free(match);
 *         marelle_game_free(game);
 *         marelle_rules_free(rules);
 *         return status;
 *     }
 */
#ifndef MARELLE_MATCHES_H
#define MARELLE_MATCHES_H

#include <marelle/marelle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Matches -------------------------------------------------------------------------------- */

/* A choice among several legal moves; its texts are valid during the call. */
typedef struct {
    uint32_t role;
    const char *role_name;
    const char *state;    /* the fluents; NULL if something is hidden in the game */
    const char *percepts; /* then what the role perceived since its last choice; else "" */
    size_t legal_count;
    const char *const *legal;
    uint64_t reserved[4]; /* always zero */
} MarelleQuestion;

/* Who plays a role: a search, or a function. */
typedef struct {
    const char *name; /* NAME[:key=value,...] as for marelle_search_create; with a function, its
                         name in the record, which may be NULL */
    /* Returns the number of a legal move of the question; any other number is no choice, and a
     * random move replaces it. NULL: the seat is a search. */
    size_t (*choose)(void *context, const MarelleQuestion *question);
    void *context;
} MarelleSeat;

typedef struct {
    double startclock;   /* seconds for the searches before the first turn; 0: 10 */
    double playclock;    /* seconds for a move of a search; 0: 5. Functions may take any time. */
    uint64_t seed;       /* seed of chance, of replaced moves, and of searches that name none */
    uint32_t step_limit; /* turns after which the match is given up; 0: 10,000 */
    const bool *stopped; /* the match ends soon after somebody sets this; NULL: nobody does */
    /* Called after each turn with the moves and the state that they led to; may be NULL. */
    void (*watch)(void *context, uint32_t turn, const char *const *moves, const char *state);
    void *context;
    bool cpu_clock; /* the play clock of searches with one thread is CPU time, which does not depend
                       on other programs; nobody is late who needs longer by the wall clock */
    uint64_t reserved[3]; /* must be zero */
} MarelleMatchOptions;

typedef struct {
    bool is_completed; /* it ended in a terminal state */
    const int *goals;  /* by role; MARELLE_GOAL_NONE if there is none */
    size_t turns;
    size_t error_count;   /* late, missing and illegal moves, and errors of the game */
    const char *json;     /* the record, as `marelle match --json` */
    uint64_t reserved[4]; /* always zero */
} MarelleMatch;

/* Plays a match. There is a seat for each role but `random`, in the order of the rules. `options`
 * may be NULL. MARELLE_BAD_ARGUMENT, with *match NULL, if the number of seats is wrong, or a search
 * does not exist or suit the game. */
MARELLE_API MarelleStatus marelle_match_play(MarelleGame *game, const MarelleSeat *seats,
                                             size_t seat_count, const MarelleMatchOptions *options,
                                             MarelleMatch **match, MarelleProblem *problem);
/* NULL is allowed, also below. */
MARELLE_API void marelle_match_free(MarelleMatch *match);

/* ---- A player of the game protocol ---------------------------------------------------------- */

/* A player takes a message of a manager, such as START or PLAY, and answers it before the clock
 * runs out; docs/reference/protocol.md. Any number of threads may use it at once. */
typedef struct MarellePlayer MarellePlayer;

typedef struct {
    const char *strategy; /* a search; NULL: auto */
    double margin;        /* seconds of each clock left over; 0: 0.2 */
    bool rests;           /* it does not search in the time of the others */
    bool never_learns;    /* it learns no evaluation in long start clocks */
    uint64_t seed;
    uint32_t threads;     /* 0: one */
    uint64_t reserved[4]; /* must be zero */
} MarellePlayerOptions;

/* `options` may be NULL. MARELLE_BAD_ARGUMENT, with *player NULL, if there is no such search or an
 * option is out of range. */
MARELLE_API MarelleStatus marelle_player_create(const MarellePlayerOptions *options,
                                                MarellePlayer **player, MarelleProblem *problem);
/* No thread may use it any more. */
MARELLE_API void marelle_player_free(MarellePlayer *player);

/* Answers a message. MARELLE_MALFORMED if it is none; *answer then says why. */
MARELLE_API MarelleStatus marelle_player_answer(MarellePlayer *player, const char *message,
                                                size_t length, char **answer);
/* Makes all searches end soon, now and later, because the program is about to end. */
MARELLE_API void marelle_player_stop(MarellePlayer *player);

#ifdef __cplusplus
}
#endif

#endif
