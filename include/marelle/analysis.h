/* What the structure of a game says: findings about its fluents and moves, the independent games
 * inside it, its symmetries, its sizes, and how many positions there are. Included by
 * <marelle/marelle.h>. A whole program, which lists the games inside a game:
 *
 *     #include <marelle/marelle.h>
 *     #include <stdio.h>
 *
 *     static void print_subgames(MarelleGame *game, const MarelleDecomposition *found) {
 *         MarellePlay *play = marelle_play_create(game);
 *         for (size_t i = 0; i < found->subgame_count; i++) {
 *             const MarelleSubgame *g = &found->subgames[i];
 *             printf("%s subgame with %zu fluents, such as %s\n", g->is_useful ? "a" : "a useless",
 *                    g->fluent_count, marelle_fluent_text(play, g->fluents[0]));
 *         }
 *         marelle_play_free(play);
 *     }
 *
 *     int main(int argc, char **argv) {
 *         MarelleRules *rules;
 *         MarelleGame *game = NULL;
 *         MarelleDecomposition *found = NULL;
 *         MarelleProblem problem = {""};
 *         MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
 *         if (status == MARELLE_OK)
 *             status = marelle_game_build(rules, NULL, &game);
 *         if (status == MARELLE_OK)
 *             status = marelle_decompose(game, NULL, &found, &problem);
 *         if (status == MARELLE_OK)
 *             print_subgames(game, found);
 *         else
 *             fprintf(stderr, "%s: %s\n", marelle_status_text(status), problem.text);
 *         marelle_decomposition_free(found);
 *         marelle_game_free(game);
 *         marelle_rules_free(rules);
 *         return status;
 *     }
 *
 * The results are structs with what is common to all games, and `json` with everything: it belongs
 * to the result. Nobody changes a result, so any number of threads may read it. */
#ifndef MARELLE_ANALYSIS_H
#define MARELLE_ANALYSIS_H

#include <marelle/marelle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Findings ------------------------------------------------------------------------------- */

typedef enum {
    MARELLE_UNKNOWN,  /* false, or not known */
    MARELLE_OBSERVED, /* never violated in random matches */
    MARELLE_PROVED    /* proved from the circuit, for all reachable states */
} MarelleCertainty;

typedef struct {
    double cpu_seconds;   /* 0: 10 */
    uint64_t matches;     /* random matches at most; 0: as many as time allows */
    uint64_t seed;        /* seed of these matches */
    const bool *stopped;  /* the call ends soon, with what it has found, after another thread sets
                             this; NULL: nobody does */
    uint64_t reserved[3]; /* must be zero */
} MarelleAnalysisOptions;

typedef struct {
    const char *turns; /* "single", "alternating" or "simultaneous" */
    MarelleCertainty turns_certainty;
    MarelleCertainty zero_sum; /* the goals of the players have one sum at the end: `sum` */
    int sum;
    MarelleCertainty cooperative; /* every player always gets the same */
    MarelleCertainty impartial;   /* giving the turn to the other changes nothing else */
    uint32_t horizon;             /* no match has more turns; 0 if unknown */
    MarelleCertainty horizon_certainty;
    size_t mutex_groups; /* sets of fluents of which one at most is true */
    size_t noops;        /* moves that do nothing */
    double cpu_seconds;
    const char *json;     /* as `marelle analyze --json`, without the name of the game */
    uint64_t reserved[4]; /* always zero */
} MarelleAnalysis;

/* Finds out what can be said about the game without playing it well. MARELLE_BAD_ARGUMENT, with
 * *analysis NULL, if an option is out of range. */
MARELLE_API MarelleStatus marelle_analyze(MarelleGame *game, const MarelleAnalysisOptions *options,
                                          MarelleAnalysis **analysis, MarelleProblem *problem);
/* NULL is allowed, also below. */
MARELLE_API void marelle_analysis_free(MarelleAnalysis *analysis);

/* ---- The games inside a game ---------------------------------------------------------------- */

typedef struct {
    const char *method;       /* "auto", "rules" or "stats"; NULL: auto */
    double seconds;           /* wall-clock time; 0: no limit */
    uint64_t playouts;        /* random matches at most; 0: 10,000 */
    uint64_t seed;            /* seed of these matches */
    const MarelleState *from; /* what is left of the game in this state, which is not terminal;
                                 NULL: the initial state. Not read by "rules". */
    uint32_t psi, theta;      /* thresholds of "stats": see `marelle decompose --help`; 0: those */
    double phi, omega;        /* thresholds of the publication */
    const bool *stopped;      /* as above */
    uint64_t reserved[3];     /* must be zero */
} MarelleDecompositionOptions;

/* A move of a role. */
typedef struct {
    uint32_t role, move;
} MarelleRoleMove;

typedef struct {
    bool has_actions;    /* moves change it; otherwise it goes on by itself */
    bool is_useful;      /* the end or a goal depends on it, or on what it leads to */
    bool is_terminal;    /* the end depends on it */
    bool is_scoring;     /* a goal depends on it */
    bool is_control;     /* it tells whose turn it is */
    bool is_stepper;     /* it counts turns */
    bool is_synchronous; /* some move acts in it and in another subgame */
    uint32_t order;      /* place in a series of games, from 1; 0 if it is in none */
    size_t fluent_count;
    const uint32_t *fluents; /* for marelle_fluent_text */
    size_t move_count;
    const MarelleRoleMove *moves; /* those that act in it */
} MarelleSubgame;

typedef struct {
    size_t subgame_count;
    const MarelleSubgame *subgames; /* those with actions first */
    const char *composition; /* "single", "serial", "parallel", "parallel synchronous" or "parallel
                                asynchronous" */
    bool is_imperfect;       /* some move was never tried, or time ran out */
    double confidence;       /* from 0 to 1 */
    uint64_t playouts;
    double cpu_seconds;
    const char *json;     /* as `marelle decompose --json`, without the name of the game */
    const char *graph;    /* the graph of dependencies in the language of graphviz */
    uint64_t reserved[4]; /* always zero */
} MarelleDecomposition;

/* Finds the independent games inside a game. On failure *decomposition is NULL: MARELLE_UNFIT if
 * the game has no circuit, MARELLE_SPENT if time did not suffice for the method "rules" or the call
 * was stopped,
 * MARELLE_BAD_ARGUMENT if an option is out of range or the match is over in the state. */
MARELLE_API MarelleStatus marelle_decompose(MarelleGame *game,
                                            const MarelleDecompositionOptions *options,
                                            MarelleDecomposition **decomposition,
                                            MarelleProblem *problem);
MARELLE_API void marelle_decomposition_free(MarelleDecomposition *decomposition);

/* ---- Symmetries ----------------------------------------------------------------------------- */

/* A permutation of the game under which the rules stay the same: the image of each fluent, of each
 * role, and of the move with a number of a role: moves[first_move[role] + move]. */
typedef struct {
    const uint32_t *fluents, *roles, *moves;
} MarellePermutation;

typedef struct {
    uint32_t fluent_count, role_count, move_count; /* lengths of the lists */
    const uint32_t *first_move;                    /* by role: where its moves begin */
    /* Symmetries that keep every role in its place. */
    const char *order; /* how many there are, as a decimal number; NULL if time ran out */
    bool is_complete;  /* each is a product of the generators */
    size_t generator_count;
    const MarellePermutation *generators;
    const uint32_t *fluent_orbits; /* by fluent: the least fluent of its orbit */
    const uint32_t *move_orbits;   /* by move: the least move of its orbit */
    /* Symmetries that may exchange players. */
    const char *swapping_order;
    size_t swapping_count;
    const MarellePermutation *swapping;
    double cpu_seconds;
    const char *json;     /* as `marelle symmetry --json`, without the name of the game */
    uint64_t reserved[4]; /* always zero */
} MarelleSymmetries;

typedef struct {
    double cpu_seconds;   /* 0: 10 */
    uint64_t seed;        /* seed of random matches that test the result */
    const bool *stopped;  /* as above */
    uint64_t reserved[3]; /* must be zero */
} MarelleSymmetryOptions;

/* Finds the symmetries of the rules. MARELLE_UNFIT, with *symmetries NULL, if the game has no
 * circuit or its rules are too large; MARELLE_SPENT if the call was stopped; MARELLE_BAD_ARGUMENT
 * if an option is out of range. */
MARELLE_API MarelleStatus marelle_symmetries(MarelleGame *game,
                                             const MarelleSymmetryOptions *options,
                                             MarelleSymmetries **symmetries,
                                             MarelleProblem *problem);
MARELLE_API void marelle_symmetries_free(MarelleSymmetries *symmetries);

/* ---- Sizes and counts ----------------------------------------------------------------------- */

/* Sizes, predicates and recursion of the rules, as `marelle info --json` but for the name of the
 * file; NULL if they could not be read. Spends at most five CPU seconds on counting fluents. */
MARELLE_API char *marelle_rules_info(const MarelleRules *rules);

/* Replaces the variables of the rules and counts what comes out: fluents, moves, rules, as JSON
 * with the keys of `marelle ground --json`. The budget is CPU time and memory (zeros: 60 seconds
 * and 4 gigabytes). On failure *json is NULL: MARELLE_MALFORMED if there are no rules,
 * MARELLE_SPENT if the budget did not suffice, MARELLE_UNPLAYABLE if the rules cannot be evaluated.
 */
MARELLE_API MarelleStatus marelle_rules_ground(const MarelleRules *rules,
                                               const MarelleBudget *budget, char **json,
                                               MarelleProblem *problem);

/* Sizes of the game as a circuit, as JSON; NULL if the game has none. */
MARELLE_API char *marelle_game_circuit(const MarelleGame *game);
/* Writes the circuit to a file: format "aiger" (binary if the name ends in ".aig") or "dot".
 * MARELLE_UNFIT if there is no circuit or it is too large for the format, MARELLE_UNREADABLE if the
 * file cannot be written. */
MARELLE_API MarelleStatus marelle_game_write_circuit(const MarelleGame *game, const char *format,
                                                     const char *path, MarelleProblem *problem);

/* Different states after a number of turns, and sequences of joint moves that lead to them. */
typedef struct {
    uint64_t positions, terminal_positions;
    uint64_t sequences, terminal_sequences;
    uint64_t stuck_positions; /* not terminal, but a role has no legal move */
} MarelleCount;

/* Counts what can be reached in up to `depth` turns: counts[0 .. depth], of which *counted are
 * filled in; the rest has no position or was not reached within the budget. MARELLE_SPENT if the
 * seconds, the bytes (0: 4 gigabytes) or 64 bits did not suffice, or the flag was set. */
MARELLE_API MarelleStatus marelle_count(MarelleGame *game, uint32_t depth,
                                        const MarelleBudget *budget, MarelleCount *counts,
                                        uint32_t *counted, MarelleProblem *problem);

/* ---- Recorded matches ----------------------------------------------------------------------- */

/* How a recorded match compares with the game. */
typedef struct {
    bool is_equal;
    uint32_t matches, steps; /* what was compared */
    uint32_t match, line;    /* where the first difference is */
    char difference[500];    /* what differs; "" if nothing does */
} MarelleTraceCheck;

/* Compares every state, legal move, end and goal of a recorded match (docs/reference/formats.md)
 * with the answers of the game. MARELLE_UNREADABLE if there is no such file, MARELLE_MALFORMED if
 * it is no record or about another game. */
MARELLE_API MarelleStatus marelle_trace_check(MarelleGame *game, const char *path,
                                              MarelleTraceCheck *result, MarelleProblem *problem);

#ifdef __cplusplus
}
#endif

#endif
