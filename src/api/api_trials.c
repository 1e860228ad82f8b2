/* Tests of models for the public interface: errors on data, worth in random matches, and matches of
 * searches that use them. */
#include <math.h>

#include "api/api_internal.h"
#include "learn/play/evaluator.h"
#include "learn/play/worth.h"
#include "strategy/strategy.h"

/* CPU time for a move, and matches of a trial, as in the start clock of a player (untuned). */
static const double TRIAL_SECONDS = 0.005;
enum { TRIAL_MATCHES = 400 };
static const char other_game[] = "the model is about another game";

/* ---- on data ---- */

MarelleStatus marelle_model_errors(const MarelleModel *model, MarelleGame *game,
                                   const MarelleData *data, bool alike, MarelleErrors *errors,
                                   MarelleProblem *problem) {
    const Model *m = model->model;
    *errors = (MarelleErrors){0};
    if (m->dense)
        return refuse(problem, MARELLE_UNFIT, "a policy is tried in matches, not on data");
    if (m->role_count != data->set->role_count)
        return refuse(problem, MARELLE_UNFIT, "the model has %u roles and the data %u",
                      m->role_count, data->set->role_count);
    if (m->features.groups.count && !(game && game_has_circuit(game->game)))
        return refuse(problem, MARELLE_UNFIT,
                      "the model counts legal moves, which takes a game with a circuit");
    Errors e =
        model_errors(m, game ? game->game : NULL, data->set, alike ? WEIGH_ALIKE : WEIGH_BY_COUNT);
    *errors = (MarelleErrors){.fitness = errors_fitness(&e),
                              .neat_fitness = errors_neat_fitness(&e),
                              .brier = e.squared,
                              .cross_entropy = e.cross_entropy,
                              .close = e.close,
                              .right = e.right};
    return succeed(problem);
}

static bool fits(const Model *model, Game *game) {
    Evaluator *evaluator = evaluator_create(model);
    bool does = evaluator_fits(evaluator, game);
    evaluator_free(evaluator);
    return does;
}

/* CPU seconds for a state, in batches of the size that searches use. The set has rows, with fluents
 * as facts. */
static double price_of(Game *game, const Model *model, const DataSet *set) {
    enum { ABREAST = 16, TIMES = 2000 };
    Evaluator *evaluator = evaluator_create(model);
    SearchEvaluation evaluation = evaluator_interface(evaluator);
    void *own = evaluation.open ? evaluation.open(evaluation.context, game) : evaluation.context;
    State states[ABREAST] = {{0}};
    const State *asked[ABREAST];
    double goals[ABREAST * DATASET_MAX_ROLES];
    for (uint32_t i = 0; i < ABREAST; i++) {
        size_t row = i % dataset_rows(set);
        for (uint32_t k = 0; k < dataset_size(set, row); k++)
            state_set(&states[i], dataset_facts(set, row)[k]);
        asked[i] = &states[i];
    }
    double started = clock_thread_cpu_seconds();
    for (int k = 0; k < TIMES; k++)
        evaluation.evaluate(own, asked, ABREAST, goals);
    double spent = clock_thread_cpu_seconds() - started;
    for (uint32_t i = 0; i < ABREAST; i++)
        state_free(&states[i]);
    if (evaluation.close)
        evaluation.close(own);
    evaluator_free(evaluator);
    return spent / TIMES / ABREAST;
}

MarelleStatus marelle_model_worth(const MarelleModel *model, MarelleGame *game,
                                  const MarelleData *data, uint64_t states, uint64_t seed,
                                  MarelleWorth *worth, MarelleProblem *problem) {
    Worth w;
    *worth = (MarelleWorth){0};
    if (model->model->dense)
        return refuse(problem, MARELLE_UNFIT, "a policy is tried in matches, not on data");
    if (!game_has_circuit(game->game) || !fits(model->model, game->game))
        return refuse(problem, MARELLE_UNFIT, other_game);
    DataSet *own = data_of_game(data, game, problem);
    if (!own)
        return MARELLE_UNFIT;
    bool is_measured = worth_measure(game->game, model->model, own, states, seed, &w);
    if (is_measured)
        *worth = (MarelleWorth){.states = w.states,
                                .worth = w.worth,
                                .model_brier = w.model,
                                .seconds = price_of(game->game, model->model, own)};
    dataset_free(own);
    return is_measured ? succeed(problem)
                       : refuse(problem, MARELLE_UNFIT, "the data has no state before an end");
}

/* ---- in matches ---- */

/* A search with a model or without. */
typedef struct {
    Strategy strategy;
    SearchOptions options;
} Side;

static bool open_side(Side *side, const char *method, const MarelleModel *model, Game *game,
                      bool always, Report *report) {
    if (!strategy_read(&side->strategy, method, report) ||
        (model && !strategy_use_model(&side->strategy, model_copy(model->model), report)) ||
        !strategy_search_options(&side->strategy, game, &side->options, report))
        return false;
    if (side->strategy.wants_gpu)
        return report_error(report, "bad-option", "a trial uses no GPU");
    if (model && always)
        acceptance_set_options(&side->strategy.evaluation, &side->options);
    return true;
}

/* What is wrong with the options; NULL if nothing is. */
static const char *complaint_about(const MarelleTrialOptions *o) {
    if (!is_time(o->cpu_seconds) || !is_time(o->seconds) || !is_zero(o->reserved) ||
        o->threads > MAX_API_THREADS)
        return "an option is out of range, or a reserved field is not zero";
    return NULL;
}

static const char *why_no_matches(const Game *game) {
    if (!game_has_circuit(game) || game_count_players(game) < 2)
        return "matches need two players and a circuit";
    return game_hides(game) ? "matches need a game in which nothing is hidden" : NULL;
}

static AcceptanceOptions trial_options(const MarelleTrialOptions *o) {
    return (AcceptanceOptions){.seconds = o->cpu_seconds > 0 ? o->cpu_seconds : TRIAL_SECONDS,
                               .playouts = o->playouts,
                               .matches = o->matches ? o->matches : TRIAL_MATCHES,
                               .deadline = o->seconds > 0 ? deadline_in(o->seconds) : (Deadline){0},
                               .stopped = o->stopped,
                               .seed = o->seed};
}

MarelleStatus marelle_model_duel(MarelleGame *game, const MarelleModel *with,
                                 const MarelleModel *against, const MarelleTrialOptions *options,
                                 MarelleTrial *trial, MarelleProblem *problem) {
    static const MarelleTrialOptions defaults;
    const MarelleTrialOptions *o = options ? options : &defaults;
    const char *method = o->method ? o->method : "uct";
    Report report = {0};
    Side sides[2] = {0};
    AcceptanceResult r;
    *trial = (MarelleTrial){0};
    if (complaint_about(o))
        return refuse(problem, MARELLE_BAD_ARGUMENT, "%s", complaint_about(o));
    if (why_no_matches(game->game))
        return refuse(problem, MARELLE_UNFIT, "%s", why_no_matches(game->game));
    if ((with && !fits(with->model, game->game)) || (against && !fits(against->model, game->game)))
        return refuse(problem, MARELLE_UNFIT, other_game);
    bool ok = open_side(&sides[0], method, with, game->game, o->always, &report) &&
              open_side(&sides[1], method, against, game->game, o->always, &report);
    if (ok) {
        AcceptanceOptions own = trial_options(o);
        Pool *pool = pool_create(o->threads ? o->threads : 1);
        own.method = strategy_resolve(sides[0].strategy.method, game->game);
        acceptance_measure(game->game, &sides[0].options, &sides[1].options, &own, pool, &r);
        pool_free(pool);
        *trial = (MarelleTrial){.matches = r.matches,
                                .wins = r.wins,
                                .draws = r.draws,
                                .share = acceptance_share(&r),
                                .error = acceptance_error(&r)};
    }
    for (int i = 0; i < 2; i++)
        strategy_free(&sides[i].strategy);
    if (!ok)
        return refuse_by_report(problem, MARELLE_BAD_ARGUMENT, &report);
    report_free(&report);
    return succeed(problem);
}

MarelleStatus marelle_model_try(const MarelleModel *model, MarelleGame *game,
                                const MarelleTrialOptions *options, MarelleModel **tried,
                                MarelleProblem *problem) {
    static const MarelleTrialOptions defaults;
    const MarelleTrialOptions *o = options ? options : &defaults;
    Report report = {0};
    *tried = NULL;
    if (complaint_about(o))
        return refuse(problem, MARELLE_BAD_ARGUMENT, "%s", complaint_about(o));
    if (model->model->dense)
        return refuse(problem, MARELLE_UNFIT, "a policy needs no trial");
    if (why_no_matches(game->game))
        return refuse(problem, MARELLE_UNFIT, "%s", why_no_matches(game->game));
    if (!fits(model->model, game->game))
        return refuse(problem, MARELLE_UNFIT, other_game);
    AcceptanceOptions own = trial_options(o);
    own.method = strategy_require_method(o->method ? o->method : "uct", &report);
    if (!own.method || !own.method->takes_evaluation)
        return refuse(problem, MARELLE_BAD_ARGUMENT,
                      "there is no such search, or it takes no model");
    own.method = strategy_resolve(own.method, game->game);
    Model *copy = model_copy(model->model);
    copy->needs_acceptance = true;
    Pool *pool = pool_create(o->threads ? o->threads : 1);
    acceptance_choose_use(game->game, copy, &own, pool);
    pool_free(pool);
    report_free(&report);
    *tried = model_wrap(copy);
    return succeed(problem);
}

/* ---- pictures ---- */

static void name_feature(void *context, uint32_t input, Text *out) {
    const Model *model = context;
    features_write(&model->features, input, &model->facts, out);
}

char *marelle_model_svg(const MarelleModel *model) {
    Text text = {0};
    if (model->model->dense)
        return NULL;
    network_draw(&model->model->network, name_feature, model->model, &text);
    return give_text(&text);
}
