/* Learning step by step: data sets of states with what they are worth, learners that make models of
 * them, how well these predict, and what they are worth in play. models.h does all of it in one
 * call. Included by <marelle/marelle.h>. A whole program, which learns from random matches and says
 * how well it predicts matches that it has not seen:
 *
 *     #include <marelle/marelle.h>
 *     #include <stdio.h>
 *
 *     static MarelleStatus learn(MarelleGame *game, MarelleProblem *problem) {
 *         MarelleCollectOptions options = {.source = "random", .matches = 200, .seed = 1};
 *         MarelleData *data, *train = NULL, *test = NULL;
 *         MarelleModel *model = NULL;
 *         MarelleErrors errors;
 *         MarelleStatus status = marelle_data_collect(game, &options, &data, problem);
 *         if (status == MARELLE_OK)
 *             status = marelle_data_split(data, 0.2, 1, &train, &test);
 *         if (status == MARELLE_OK)
 *             status = marelle_data_train(train, game, "linear:seed=1", NULL, &model, problem);
 *         if (status == MARELLE_OK)
 *             status = marelle_model_errors(model, game, test, false, &errors, problem);
 *         if (status == MARELLE_OK)
 *             printf("fitness %.2f\n", errors.fitness);
 *         marelle_model_free(model);
 *         marelle_data_free(train);
 *         marelle_data_free(test);
 *         marelle_data_free(data);
 *         return status;
 *     }
 *
 *     int main(int argc, char **argv) {
 *         MarelleRules *rules;
 *         MarelleGame *game = NULL;
 *         MarelleProblem problem = {""};
 *         MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
 *         if (status == MARELLE_OK)
 *             status = marelle_game_build(rules, NULL, &game);
 *         if (status == MARELLE_OK)
 *             status = learn(game, &problem);
 *         if (status != MARELLE_OK)
 *             fprintf(stderr, "%s: %s\n", marelle_status_text(status), problem.text);
 *         marelle_game_free(game);
 *         marelle_rules_free(rules);
 *         return status;
 *     }
 *
 * A data set does not need the game it came from: it knows facts by their texts. Nobody changes it
 * once it is there, so threads may share it. */
#ifndef MARELLE_LEARNING_H
#define MARELLE_LEARNING_H

#include <marelle/marelle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Data sets ------------------------------------------------------------------------------ */

/* Rows of facts that hold, with a score for each role. Rows know their match. */
typedef struct MarelleData MarelleData;

typedef struct {
    const char *source;  /* who plays: "uct" (NULL as well), "guided": a short search, with values
                            from random matches, or "random" */
    const char *states;  /* which states of a match: "ends", "before" (NULL as well) or "all" */
    const char *targets; /* what a state is worth: "values" of searches or random matches (NULL as
                            well), the "final" score of its match, or the mean of both: "mixed" */
    uint64_t matches;    /* at most; 0: as time allows */
    uint64_t rows;       /* no match begins with so many rows; 0: no limit */
    double seconds;      /* wall-clock time; 0: no limit, or 10 if nothing else is one */
    double cpu_seconds;  /* CPU time of the calling thread, for one thread; 0: no limit */
    uint64_t seed;
    uint32_t playouts;    /* for a search (0: 1024), or for the value of a state (0: 256) */
    uint32_t threads;     /* from 1 to 1024; 0: one. They do not change the rows. */
    bool merges;          /* equal states become one row at once, which saves memory */
    const bool *stopped;  /* set by another thread to end; NULL: nobody does */
    uint64_t reserved[4]; /* must be zero */
} MarelleCollectOptions;

/* Plays matches. `options` may be NULL. On failure *data is NULL: MARELLE_UNFIT if the game has too
 * many roles, MARELLE_SPENT if no match came to an end with goals, MARELLE_BAD_ARGUMENT if an
 * option is out of range. */
MARELLE_API MarelleStatus marelle_data_collect(MarelleGame *game,
                                               const MarelleCollectOptions *options,
                                               MarelleData **data, MarelleProblem *problem);
/* Reads either format of docs/reference/formats.md. MARELLE_MALFORMED, with *data NULL, if it is
 * none. */
MARELLE_API MarelleStatus marelle_data_read(const char *name, const char *bytes, size_t length,
                                            MarelleData **data, MarelleProblem *problem);
/* A small set of the literature by its name: "exclusive_or", "paire", "nim", "roshambo",
 * "point_grab", "lines_27" or "tictactoe". Seed and rows are read by "roshambo" and "point_grab".
 * NULL if there is none of that name. */
MARELLE_API MarelleData *marelle_data_puzzle(const char *name, uint64_t seed, uint64_t rows);
/* NULL is allowed. */
MARELLE_API void marelle_data_free(MarelleData *data);

/* The rows in the format "text" or "compact", whose bytes may be zero: `length` is their number.
 * NULL for any other format. Free it with marelle_text_free. */
MARELLE_API char *marelle_data_write(const MarelleData *data, const char *format, size_t *length);

typedef struct {
    uint64_t rows;
    uint32_t facts, roles;
    uint64_t reserved[2]; /* always zero */
} MarelleDataFacts;

MARELLE_API MarelleDataFacts marelle_data_facts(const MarelleData *data);

typedef struct {
    const uint32_t *facts; /* those that hold, in ascending order */
    size_t fact_count;
    const double *scores; /* by role */
    uint32_t count;       /* how often the state occurred */
    uint32_t match;       /* number of its match */
    bool is_end;          /* the state is terminal */
} MarelleDataRow;

/* A row, whose lists belong to the data; all zero if there is no such row. */
MARELLE_API MarelleDataRow marelle_data_row(const MarelleData *data, uint64_t row);
/* The text of a fact; NULL if there is none of that number. */
MARELLE_API const char *marelle_data_fact_text(const MarelleData *data, uint32_t fact);

/* New sets: with equal states merged, whose scores are averaged; with the rows for which keep[row]
 * is set; with the score of one role alone (NULL if there is no such role); without the facts of a
 * relation, such as "control". */
MARELLE_API MarelleData *marelle_data_distinct(const MarelleData *data);
MARELLE_API MarelleData *marelle_data_select(const MarelleData *data, const bool *keep);
MARELLE_API MarelleData *marelle_data_of_role(const MarelleData *data, uint32_t role);
MARELLE_API MarelleData *marelle_data_without(const MarelleData *data, const char *relation);
/* Two new sets: about this share, from 0 to 1, of the matches goes to *test, the others to *train.
 * MARELLE_BAD_ARGUMENT, with both NULL, for another number. */
MARELLE_API MarelleStatus marelle_data_split(const MarelleData *data, double share, uint64_t seed,
                                             MarelleData **train, MarelleData **test);

/* How well constants, single facts and counts predict the scores, as `marelle learn audit --json`.
 * If `alike`, all rows weigh the same, else as often as they occurred. */
MARELLE_API char *marelle_data_audit(const MarelleData *data, bool alike);

/* ---- Learners ------------------------------------------------------------------------------- */

/* All learners with their options, as JSON. */
MARELLE_API char *marelle_learners(void);

/* Trains a model on all rows. `learner` is NAME[:key=value,...], such as "mlp:hidden=14,seed=1" or
 * "neat:effort=60"; besides the options that marelle_learners lists, with 0 or 1:
 *   all      train on all rows; else few are held out to stop in time
 *   counts, rules, mined, moves   features besides single facts: counts of them, sub-goals of the
 *            rules, conjunctions that tell, numbers of legal moves
 *   plain    facts alone, constant ones as well, and scores from 0 to 100: to compare learners
 *   alike    with `plain`: all rows weigh the same
 * and seed, threads. The game may be NULL; with it, whose fluents the facts must be, images of
 * states under symmetries are learnt as well, and `rules` and `moves` are possible. Of the budget,
 * which may be NULL, times and flag count. On failure *model is NULL: MARELLE_BAD_ARGUMENT if there
 * is no such learner or option, MARELLE_UNFIT if the data is about another game. */
MARELLE_API MarelleStatus marelle_data_train(const MarelleData *data, MarelleGame *game,
                                             const char *learner, const MarelleBudget *budget,
                                             MarelleModel **model, MarelleProblem *problem);

/* Breeds predictors as studies of evolution need them, and tells how that went as JSON. `method` is
 * "genetic[:key=value,...]", one weight for each fact, with sixteen settings of mutation and
 * crossover, for the first role (population, generations, repaired, squares, seed, threads); or
 * "neat[:...]", networks that grow (task, population, generations, seed, taught: gradient steps of
 * a network before it is judged, until: fitness that counts as solved, join, add_node, add_link,
 * mutate_only, one_species, hidden, connected, random_start). The task is "data" or the balancing
 * of two poles, which needs no data: "poles", "published_poles" or "blind_poles". *json is NULL on
 * failure. */
MARELLE_API MarelleStatus marelle_evolve(const MarelleData *data, const char *method,
                                         const MarelleBudget *budget, char **json,
                                         MarelleProblem *problem);

/* ---- Tests of models ------------------------------------------------------------------------ */

typedef struct {
    double fitness;      /* 100 less the mean error, in hundredths of the range of the goals */
    double neat_fitness; /* the same with the error as in NEAT: 100 (1 - error)^2 */
    double brier;        /* mean squared error, with goals from 0 to 1 */
    double cross_entropy;
    double close;         /* share of rows with all goals within a quarter */
    double right;         /* share of rows with all goals on the right side of one half */
    uint64_t reserved[4]; /* always zero */
} MarelleErrors;

/* How well the model predicts the rows. If `alike`, all rows weigh the same. MARELLE_UNFIT if it is
 * for other roles, is a policy, or counts legal moves and there is no such game. */
MARELLE_API MarelleStatus marelle_model_errors(const MarelleModel *model, MarelleGame *game,
                                               const MarelleData *data, bool alike,
                                               MarelleErrors *errors, MarelleProblem *problem);

/* What a model is worth against random matches from the same state. */
typedef struct {
    uint64_t states;
    uint32_t worth;       /* fewest random matches whose mean predicts as well; 129: more */
    double model_brier;   /* mean squared error of the model */
    double seconds;       /* CPU time in which the model judges a state, in batches */
    uint64_t reserved[4]; /* always zero */
} MarelleWorth;

/* Measures on at most so many states of the data. MARELLE_UNFIT if there is none, or the model or
 * the data is about another game. */
MARELLE_API MarelleStatus marelle_model_worth(const MarelleModel *model, MarelleGame *game,
                                              const MarelleData *data, uint64_t states,
                                              uint64_t seed, MarelleWorth *worth,
                                              MarelleProblem *problem);

typedef struct {
    const char *method;   /* the search of both sides, with its options; NULL: "uct" */
    double cpu_seconds;   /* for a move; 0: 0.005 */
    uint64_t playouts;    /* for a move, instead of time; 0: time counts */
    uint64_t matches;     /* at most, rounded up to pairs with the sides swapped; 0: 400 */
    double seconds;       /* wall-clock time after which no pair begins; 0: no limit */
    uint64_t seed;        /* seed of the matches */
    uint32_t threads;     /* from 1 to 1024; 0: one */
    bool always;          /* models are used even if they lost their own trial */
    const bool *stopped;  /* set by another thread to end; NULL: nobody does */
    uint64_t reserved[4]; /* must be zero */
} MarelleTrialOptions;

typedef struct {
    uint64_t matches, wins, draws; /* wins of the side with the first model */
    double share, error;           /* of its points, a draw being half of one, and its error */
    uint64_t reserved[4];          /* always zero */
} MarelleTrial;

/* Plays the search with one model against the same search with the other; NULL: with none. The
 * first two players play each other, further roles move at random. `options` may be NULL.
 * MARELLE_UNFIT if the game has no circuit or two players, or a model is for another one. */
MARELLE_API MarelleStatus marelle_model_duel(MarelleGame *game, const MarelleModel *with,
                                             const MarelleModel *against,
                                             const MarelleTrialOptions *options,
                                             MarelleTrial *trial, MarelleProblem *problem);
/* Finds out in matches how a search uses the model best, and whether it helps: *tried is a copy
 * that knows (marelle_model_facts). Of the method the name counts, as above. MARELLE_UNFIT, with
 * *tried NULL, as above, and for policies, which need no trial. */
MARELLE_API MarelleStatus marelle_model_try(const MarelleModel *model, MarelleGame *game,
                                            const MarelleTrialOptions *options,
                                            MarelleModel **tried, MarelleProblem *problem);

/* A drawing of the network (SVG); NULL for a policy. */
MARELLE_API char *marelle_model_svg(const MarelleModel *model);

#ifdef __cplusplus
}
#endif

#endif
