/* Models: evaluations of positions that are learnt from the rules alone, for searches and for
 * programs that judge positions themselves. Included by <marelle/marelle.h>. A whole program, which
 * learns for three seconds and searches with what it learnt:
 *
 *     #include <marelle/marelle.h>
 *     #include <stdio.h>
 *
 *     static void tell(void *context, const MarelleTraining *training) {
 *         (void)context;
 *         printf("%s, after %.1f s\n", training->step, training->seconds);
 *     }
 *
 *     int main(int argc, char **argv) {
 *         MarelleRules *rules;
 *         MarelleGame *game = NULL;
 *         MarelleModel *model = NULL;
 *         MarelleSearch *search = NULL;
 *         MarelleProblem problem = {""};
 *         MarelleTrainingOptions options = {.seconds = 3, .progress = tell};
 *         MarelleStatus status = marelle_rules_read_file(argc > 1 ? argv[1] : "-", &rules);
 *         if (status == MARELLE_OK)
 *             status = marelle_game_build(rules, NULL, &game);
 *         if (status == MARELLE_OK)
 *             status = marelle_model_train(game, &options, &model, &problem);
 *         if (status == MARELLE_OK)
 *             status = marelle_search_create(game, 0, "uct", model, &search, &problem);
 *         if (status == MARELLE_OK)
 *             status = marelle_search_run(search, &(MarelleBudget){.playouts = 1000}, &problem);
 *         if (status == MARELLE_OK)
 *             printf("move %u\n", marelle_search_result(search)->best);
 *         else
 *             fprintf(stderr, "%s: %s\n", marelle_status_text(status), problem.text);
 *         marelle_search_free(search);
 *         marelle_model_free(model);
 *         marelle_game_free(game);
 *         marelle_rules_free(rules);
 *         return status;
 *     }
 *
 * A model does not need the game it was made for: it knows fluents and moves by their texts. Nobody
 * changes it once it is there, so threads may share it. */
#ifndef MARELLE_MODELS_H
#define MARELLE_MODELS_H

#include <marelle/marelle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Training ------------------------------------------------------------------------------- */

/* What training has come to. */
typedef struct {
    const char *step;   /* "data" and "training", twice, "matches"; a policy: "selfplay" */
    double seconds;     /* since the start */
    uint64_t matches;   /* the rest for a policy alone: matches that ended, */
    uint64_t positions; /* their positions, */
    uint64_t updates;   /* and training steps */
    double loss;
    uint64_t reserved[4]; /* always zero */
} MarelleTraining;

typedef struct {
    /* "evaluation", the default: the values of states, learnt from matches of searches and tried in
     * others, for two players who see everything. "policy": values and preferences of moves, from
     * self-play (Silver and others 2017), for games in which nothing is hidden. Both need a
     * circuit. */
    const char *kind;
    double seconds;   /* wall-clock time; 0: no limit if `matches` is given, or else 10 */
    uint64_t matches; /* policy: matches to start at most. With a number of matches and no
                         seconds, a seed gives one result. */
    uint64_t seed;
    uint32_t threads;    /* from 1 to 1024; 0: one */
    uint32_t units;      /* policy: units in each of the two hidden layers; 0: 256 */
    uint32_t visits;     /* policy: visits of each search; 0: 100 */
    bool gpu;            /* policy: the network is evaluated and trained on a GPU */
    const bool *stopped; /* training ends soon after another thread sets this, with what it has */
    /* Called when a step begins, for a policy about twice a second; may be NULL. */
    void (*progress)(void *context, const MarelleTraining *training);
    void *context;
    uint64_t reserved[4]; /* must be zero */
} MarelleTrainingOptions;

/* Trains a model. `options` may be NULL. On failure *model is NULL: MARELLE_UNFIT if the game is
 * not of the kind, MARELLE_SPENT if no match came to an end, MARELLE_BAD_ARGUMENT if an option is
 * out of range. */
MARELLE_API MarelleStatus marelle_model_train(MarelleGame *game,
                                              const MarelleTrainingOptions *options,
                                              MarelleModel **model, MarelleProblem *problem);
/* NULL is allowed. */
MARELLE_API void marelle_model_free(MarelleModel *model);

/* ---- Files ---------------------------------------------------------------------------------- */

/* The model as text, as docs/reference/formats.md specifies. */
MARELLE_API char *marelle_model_write(const MarelleModel *model);
/* Reads such a text. MARELLE_MALFORMED, with *model NULL, if it is none. */
MARELLE_API MarelleStatus marelle_model_read(const char *name, const char *text, size_t length,
                                             MarelleModel **model, MarelleProblem *problem);
/* The same with files; MARELLE_UNREADABLE if that fails. */
MARELLE_API MarelleStatus marelle_model_save(const MarelleModel *model, const char *path,
                                             MarelleProblem *problem);
MARELLE_API MarelleStatus marelle_model_load(const char *path, MarelleModel **model,
                                             MarelleProblem *problem);

/* ---- Use ------------------------------------------------------------------------------------ */

typedef struct {
    const char *learner; /* what trained it */
    bool is_policy;      /* it prefers moves, too */
    bool helps;          /* searches use it: it needed no trial, or won it */
    uint32_t roles;
    /* Matches of the trial: searches with the model against searches without it. */
    uint64_t matches;
    uint64_t wins, draws;                    /* wins and draws of the side with the model */
    uint32_t features, nodes, edges, hidden; /* sizes of its network; zeros for a policy */
    const char *use;      /* how searches use it, as options of a search; "" for a policy */
    uint64_t reserved[1]; /* always zero */
} MarelleModelFacts;

MARELLE_API MarelleModelFacts marelle_model_facts(const MarelleModel *model);

/* The expected goal of each role in a state that is not terminal: goals[roles]. `shares` is NULL,
 * or takes the preferences of a policy: a share for each legal move, role after role in the order
 * of marelle_legal, whose sum is 1 for each role. MARELLE_UNFIT if the model is for another game,
 * or shares are asked of a model that is no policy. */
MARELLE_API MarelleStatus marelle_model_evaluate(const MarelleModel *model, MarellePlay *play,
                                                 const MarelleState *state, double *goals,
                                                 float *shares, MarelleProblem *problem);

/* A search uses a model that is given to marelle_search_create, or by the option `model` a file. */

#ifdef __cplusplus
}
#endif

#endif
