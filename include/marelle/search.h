/* Searching and solving: the value of every move of a role within a budget, and the exact value of
 * small games. Included by <marelle/marelle.h>. A whole program, which searches for a second:
 *
 *     #include <marelle/marelle.h>
 *     #include <stdio.h>
 *
 *     static void print_moves(MarelleGame *game, const MarelleSearchResult *result) {
 *         MarellePlay *play = marelle_play_create(game);
 *         for (size_t i = 0; i < result->move_count; i++) {
 *             const MarelleSearchMove *m = &result->moves[i];
 *             printf("%6.2f %10llu %s%s\n", m->value, (unsigned long long)m->visits,
 *                    marelle_move_text(play, 0, m->move), m->is_proven ? " (proven)" : "");
 *         }
 *         marelle_play_free(play);
 *     }
 *
 *     int main(int argc, char **argv) {
 *         MarelleRules *rules;
 *         MarelleGame *game = NULL;
 *         MarelleSearch *search = NULL;
 *         MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
 *         if (status == MARELLE_OK)
 *             status = marelle_game_build(rules, NULL, &game);
 *         if (status == MARELLE_OK)
 *             status = marelle_search_create(game, 0, "auto:seed=1", &search);
 *         if (status == MARELLE_OK)
 *             status = marelle_search_run(search, &(MarelleBudget){.seconds = 1});
 *         if (status == MARELLE_OK)
 *             print_moves(game, marelle_search_result(search));
 *         else
 *             fprintf(stderr, "%s\n",
 *                     search ? marelle_search_problem(search) : marelle_status_text(status));
 *         marelle_search_free(search);
 *         marelle_game_free(game);
 *         marelle_rules_free(rules);
 *         return status;
 *     }
 *
 * Only one thread at a time may use a MarelleSearch; the game may be shared. */
#ifndef MARELLE_SEARCH_H
#define MARELLE_SEARCH_H

#include <marelle/marelle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a long call may spend. At least one field must be set. */
typedef struct {
    double seconds;       /* wall-clock time; 0: no limit */
    uint64_t playouts;    /* matches played out; 0: no limit. Not read by marelle_solve. */
    size_t bytes;         /* memory for states; 0: no limit. Read by marelle_solve alone: a search
                             has the option `memory`. */
    const bool *stopped;  /* the call ends soon after another thread, or a handler of signals, sets
                             this; NULL: nobody does */
    uint64_t reserved[4]; /* must be zero */
} MarelleBudget;

/* ---- Searching ------------------------------------------------------------------------------ */

/* A search for one role, in one position at a time. */
typedef struct MarelleSearch MarelleSearch;

/* Creates a search in the initial state. `method` is NAME[:key=value,...], such as "auto" or
 * "uct:threads=4,seed=7"; `marelle help searches` lists names and options. Options for GPUs are
 * refused. On failure *search holds the problem and nothing else; free it in any case.
 * MARELLE_BAD_ARGUMENT if there is no such role, or it is `random`; if there is no such method or
 * option; or if the method cannot play the game. */
MARELLE_API MarelleStatus marelle_search_create(MarelleGame *game, uint32_t role,
                                                const char *method, MarelleSearch **search);
/* Before the game is freed; NULL is allowed. */
MARELLE_API void marelle_search_free(MarelleSearch *search);
/* A sentence that tells why the last call on this search failed; "" if none did. */
MARELLE_API const char *marelle_search_problem(const MarelleSearch *search);

/* Goes on in any state and forgets all others. MARELLE_BAD_ARGUMENT in a terminal state, and in
 * games with hidden information, where a search knows no states: see marelle_search_observe. */
MARELLE_API MarelleStatus marelle_search_set_state(MarelleSearch *search,
                                                   const MarelleState *state);
/* Goes on after a joint move (moves[role]) from the present state, and keeps what is known below
 * it. MARELLE_BAD_ARGUMENT if a move is illegal, if the match is then over, and with hidden
 * information; the search then stays where it is. */
MARELLE_API MarelleStatus marelle_search_advance(MarelleSearch *search, const uint32_t *moves);
/* With hidden information, after a turn that does not end the match: the role made this move and
 * then saw these percepts, in the form that marelle_sees returns. The search works with the states
 * that explain all that was seen; where they are too many it samples them for at most the seconds
 * of the budget. MARELLE_BAD_ARGUMENT if nothing is hidden or there is no such move. */
MARELLE_API MarelleStatus marelle_search_observe(MarelleSearch *search, uint32_t move,
                                                 const char *percepts, const MarelleBudget *budget);

/* Searches. May be called again, to search on. Ends early when the best move is certain.
 * MARELLE_BAD_ARGUMENT if the budget is empty, the initial state is terminal, or no state explains
 * the percepts. */
MARELLE_API MarelleStatus marelle_search_run(MarelleSearch *search, const MarelleBudget *budget);

typedef struct {
    uint32_t move;   /* of the searching role */
    bool is_proven;  /* the value is exact */
    double value;    /* expected goal of the role, from 0 to 100 */
    uint64_t visits; /* how often it was tried; 0 for methods that do not count */
} MarelleSearchMove;

typedef struct {
    uint32_t best;                  /* MARELLE_NO_MOVE if the role has no move */
    bool is_decided;                /* nothing is better than the best move */
    uint32_t depth;                 /* turns of the longest line inside the tree */
    size_t move_count;              /* legal moves of the role */
    const MarelleSearchMove *moves; /* best first */
    size_t line_turns;              /* turns of the expected line of play */
    const uint32_t *line;           /* [line_turns][roles] */
    uint64_t playouts, nodes;       /* since the position was set */
    double cpu_seconds;
    size_t belief_states; /* with hidden information: states that explain the percepts, or a sample
                             of them; else 1 */
    bool is_belief_exact; /* they are all states, with exact probabilities */
    uint64_t reserved[4]; /* always zero */
} MarelleSearchResult;

/* What the search knows about the position. Belongs to the search and is valid until its next
 * call. */
MARELLE_API const MarelleSearchResult *marelle_search_result(MarelleSearch *search);

/* ---- Solving -------------------------------------------------------------------------------- */

typedef struct {
    bool is_solved;
    const char *reason;   /* why it is not solved, half a sentence; "" if it is */
    const char *method;   /* such as "alpha-beta" */
    size_t value_count;   /* roles; 0 if no values are known */
    const double *values; /* by role: the goal if everybody plays for the best; with one role
                             also if it is not solved, the best goal that was found */
    size_t line_turns;    /* turns of a line of best play */
    const uint32_t *line; /* [line_turns][roles] */
    uint64_t states;      /* states that were met */
    double cpu_seconds;
    uint64_t reserved[4]; /* always zero */
} MarelleSolution;

/* Solves the game exactly from the state; NULL: the initial one. Running out of the budget is
 * MARELLE_OK with a reason. MARELLE_BAD_ARGUMENT, with *solution NULL, if the budget is empty. */
MARELLE_API MarelleStatus marelle_solve(MarelleGame *game, const MarelleState *from,
                                        const MarelleBudget *budget, MarelleSolution **solution);
/* NULL is allowed. */
MARELLE_API void marelle_solution_free(MarelleSolution *solution);

#ifdef __cplusplus
}
#endif

#endif
