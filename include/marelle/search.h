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
 *         MarelleProblem problem = {""};
 *         MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
 *         if (status == MARELLE_OK)
 *             status = marelle_game_build(rules, NULL, &game);
 *         if (status == MARELLE_OK)
 *             status = marelle_search_create(game, 0, "auto:seed=1", NULL, &search, &problem);
 *         if (status == MARELLE_OK)
 *             status = marelle_search_run(search, &(MarelleBudget){.seconds = 1}, &problem);
 *         if (status == MARELLE_OK)
 *             print_moves(game, marelle_search_result(search));
 *         else
 *             fprintf(stderr, "%s: %s\n", marelle_status_text(status), problem.text);
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

/* ---- Searching ------------------------------------------------------------------------------ */

/* A search for one role, in one position at a time. */
typedef struct MarelleSearch MarelleSearch;

/* Creates a search in the initial state. `method` is NAME[:key=value,...], such as "auto" or
 * "uct:threads=4,seed=7"; marelle_search_methods lists names and options. The values of positions
 * may come from a model, which must outlive the search; NULL: from play-outs, or from the option
 * `model`. MARELLE_BAD_ARGUMENT, with *search NULL, if there is no such role, or it is `random`; if
 * there is no such method or option; or if the method or the model does not suit the game. */
MARELLE_API MarelleStatus marelle_search_create(MarelleGame *game, uint32_t role,
                                                const char *method, const MarelleModel *model,
                                                MarelleSearch **search, MarelleProblem *problem);
/* NULL is allowed. */
MARELLE_API void marelle_search_free(MarelleSearch *search);

/* All methods with their options, types, defaults and ranges, as JSON. */
MARELLE_API char *marelle_search_methods(void);

/* Goes on in any state and forgets all others. MARELLE_BAD_ARGUMENT in a terminal state, and in
 * games with hidden information, where a search knows no states: see marelle_search_observe. */
MARELLE_API MarelleStatus marelle_search_set_state(MarelleSearch *search, const MarelleState *state,
                                                   MarelleProblem *problem);
/* Goes on after a joint move (moves[role]) from the present state, and keeps what is known below
 * it. MARELLE_BAD_ARGUMENT if a move is illegal, if the match is then over, and with hidden
 * information; the search then stays where it is. */
MARELLE_API MarelleStatus marelle_search_advance(MarelleSearch *search, const uint32_t *moves,
                                                 MarelleProblem *problem);
/* With hidden information, after a turn that does not end the match: the role made this move and
 * then saw these percepts, in the form that marelle_sees returns. The search works with the states
 * that explain all that was seen; where they are too many it samples them for at most the seconds
 * of the budget. MARELLE_BAD_ARGUMENT if nothing is hidden or there is no such move. */
MARELLE_API MarelleStatus marelle_search_observe(MarelleSearch *search, uint32_t move,
                                                 const char *percepts, const MarelleBudget *budget,
                                                 MarelleProblem *problem);

/* Searches. May be called again, to search on. Ends early when the best move is certain.
 * MARELLE_BAD_ARGUMENT if the budget is empty, the initial state is terminal, or no state explains
 * the percepts. The bytes of the budget are not read: methods have the option `memory`. */
MARELLE_API MarelleStatus marelle_search_run(MarelleSearch *search, const MarelleBudget *budget,
                                             MarelleProblem *problem);
/* Lets a search that chooses between methods, such as "auto", find out how to play, as players do
 * in the start clock; the others just search. Then its choice in words; "" if it made none. */
MARELLE_API MarelleStatus marelle_search_prepare(MarelleSearch *search, const MarelleBudget *budget,
                                                 MarelleProblem *problem);
MARELLE_API const char *marelle_search_choice(MarelleSearch *search);

typedef struct {
    uint32_t move;   /* a move of the searching role */
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
    double cpu_seconds;   /* without decomposition */
    uint64_t playouts;
    double decomposition_cpu_seconds;
    const char *json;     /* as a run of `marelle solve --json`, with counts of the method's own */
    uint64_t reserved[1]; /* always zero */
} MarelleSolution;

/* Solves the game exactly from the state; NULL: the initial one. Running out of the budget is
 * MARELLE_OK with a reason. The playouts of the budget are not read. MARELLE_BAD_ARGUMENT, with
 * *solution NULL, if the budget is empty. Games with one role that are too large for this are
 * better solved by other methods. */
MARELLE_API MarelleStatus marelle_solve(MarelleGame *game, const MarelleState *from,
                                        const MarelleBudget *budget, MarelleSolution **solution,
                                        MarelleProblem *problem);
/* The same by a method NAME[:key=value,...], such as "auto" (what players do), "exact", "plan" or
 * "mtmcts:alpha=0.25,seed=7"; marelle_solving_methods lists names and options. All but "exact" and
 * "auto" are for games with one role; they look for a line of moves to the best goal and read the
 * playouts of the budget. MARELLE_BAD_ARGUMENT, with *solution NULL, if there is no such method or
 * option, or the budget is empty; MARELLE_UNFIT if the method does not suit the game, or begins in
 * the initial state alone. */
MARELLE_API MarelleStatus marelle_solve_by(MarelleGame *game, const MarelleState *from,
                                           const char *method, const MarelleBudget *budget,
                                           MarelleSolution **solution, MarelleProblem *problem);
/* All methods with their options, types, defaults and ranges, as JSON. */
MARELLE_API char *marelle_solving_methods(void);
/* NULL is allowed. */
MARELLE_API void marelle_solution_free(MarelleSolution *solution);

#ifdef __cplusplus
}
#endif

#endif
