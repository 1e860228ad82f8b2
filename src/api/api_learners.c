/* Learners and tests of models for the public interface: options as text, by tables. */
#include <math.h>
#include <string.h>

#include "api/api_internal.h"
#include "learn/learners/learner.h"
#include "learn/learners/poles.h"
#include "learn/play/model_training.h"
#include "server/json/json.h"
#include "server/json/learning_json.h"
#include "strategy/option_text.h"

char *marelle_learners(void) {
    return dump_json(learners_json());
}

/* Splits NAME[:options] and returns the options. The caller frees the name. */
static const char *split_name(const char *text, char **name) {
    size_t length = strcspn(text, ":");
    *name = memory_strdup(text);
    (*name)[length] = '\0';
    return text[length] ? text + length + 1 : "";
}

static MarelleStatus check_budget(const MarelleBudget *budget, MarelleProblem *problem) {
    return !budget || is_budget(budget)
               ? MARELLE_OK
               : refuse(problem, MARELLE_BAD_ARGUMENT, "the budget has a field that is no limit");
}

/* The deadline of a budget that may be NULL, as options of learners have it: {0} for none. */
static Deadline learning_deadline(const MarelleBudget *budget) {
    bool is_limited = budget && (budget->seconds > 0 || budget->cpu_seconds > 0);
    return is_limited ? budget_deadline(budget) : (Deadline){0};
}

/* ---- training ---- */

typedef struct {
    const Learner *learner;
    uint64_t seed;
    uint32_t effort, hidden, threads;
    bool is_all, counts, rules, mined, moves, is_plain, is_alike;
} TrainingText;

#define TRAINING(member) OWN_FIELD(TrainingText, member)
#define THREADS_ROW(type)                                                                          \
    {                                                                                              \
        "threads", VALUE_UINT32, COUNT_RANGE("1", MAX_API_THREADS), "threads",                     \
            OWN_FIELD(type, threads)                                                               \
    }

static const SearchOption training_options[] = {
    {"effort", VALUE_UINT32, COUNT_RANGE("the learner's", UINT32_MAX),
     "generations, or passes over the data", TRAINING(effort)},
    {"hidden", VALUE_UINT32, COUNT_RANGE("the learner's", UINT32_MAX), "hidden units",
     TRAINING(hidden)},
    {"seed", VALUE_COUNT, COUNT_RANGE("0", 0x1p64), "seed", TRAINING(seed)},
    THREADS_ROW(TrainingText),
    {"all", VALUE_FLAG, FLAG_RANGE, "hold no rows out", TRAINING(is_all)},
    {"counts", VALUE_FLAG, FLAG_RANGE, "counts of facts", TRAINING(counts)},
    {"rules", VALUE_FLAG, FLAG_RANGE, "sub-goals of the rules", TRAINING(rules)},
    {"mined", VALUE_FLAG, FLAG_RANGE, "conjunctions that tell", TRAINING(mined)},
    {"moves", VALUE_FLAG, FLAG_RANGE, "numbers of legal moves", TRAINING(moves)},
    {"plain", VALUE_FLAG, FLAG_RANGE, "all facts alone, scores from 0 to 100", TRAINING(is_plain)},
    {"alike", VALUE_FLAG, FLAG_RANGE, "all rows weigh the same", TRAINING(is_alike)},
    {0}};

static bool suits_learner(const TrainingText *t, const char *key, uint32_t value, Report *report) {
    const LearnerOption *o = learner_option(t->learner, key);
    if (!value || (o && value >= o->least && value <= o->most))
        return true;
    if (!o)
        return report_error(report, "bad-option", "the learner %s has no option `%s`",
                            t->learner->name, key);
    return report_error(report, "bad-option", "%s of the learner %s takes %u to %u, not %u", key,
                        t->learner->name, o->least, o->most, value);
}

static bool read_training(TrainingText *t, const char *text, Report *report) {
    char *name;
    const char *options = split_name(text, &name);
    *t = (TrainingText){.learner = learner_find(name)};
    bool ok = t->learner ? options_read(training_options, name, options, t, report)
                         : report_error(report, "bad-option",
                                        "there is no learner called `%s`; there are %s", name,
                                        learner_names);
    free(name);
    return ok && suits_learner(t, "effort", t->effort, report) &&
           suits_learner(t, "hidden", t->hidden, report);
}

/* All facts are features, and goals are from 0 to 100. */
static Model *train_plainly(const DataSet *set, const TrainingText *t, const LearnOptions *o) {
    Model *model = model_create(t->learner->name, set);
    for (uint32_t f = 0; f < dataset_fact_count(set); f++) {
        FactLiteral literal = literal_of(f, false);
        features_add(&model->features, FEATURE_ALL, &literal, 1);
    }
    for (uint32_t r = 0; r < set->role_count; r++)
        model->ranges[r] = (ScoreRange){0, 100};
    Examples *rows = examples_of_facts(set, NULL, t->is_alike ? WEIGH_ALIKE : WEIGH_BY_COUNT);
    learner_train(t->learner, rows, o, &model->network);
    examples_free(rows);
    return model;
}

static Model *train(Game *game, const DataSet *set, const TrainingText *t,
                    const MarelleBudget *budget) {
    Pool *pool = pool_create(t->threads ? t->threads : 1);
    TrainOptions o = {.learner = t->learner->name,
                      .feature_kinds = (t->counts ? MODEL_FEATURES_COUNTS : 0u) |
                                       (t->rules ? MODEL_FEATURES_RULES : 0u) |
                                       (t->mined ? MODEL_FEATURES_MINED : 0u) |
                                       (t->moves ? MODEL_FEATURES_MOVES : 0u),
                      .effort = t->effort,
                      .hidden = t->hidden,
                      .seed = t->seed,
                      .is_all = t->is_all,
                      .deadline = learning_deadline(budget),
                      .stopped = budget ? budget->stopped : NULL,
                      .pool = pool};
    LearnOptions plain = {.seed = o.seed,
                          .effort = o.effort,
                          .hidden = o.hidden,
                          .deadline = o.deadline,
                          .stopped = o.stopped,
                          .pool = pool};
    Model *model = t->is_plain ? train_plainly(set, t, &plain) : model_train(game, set, &o);
    pool_free(pool);
    return model;
}

static MarelleStatus train_text(const MarelleData *data, MarelleGame *game, const TrainingText *t,
                                const MarelleBudget *budget, MarelleModel **model,
                                MarelleProblem *problem) {
    if (!game && (t->rules || t->moves))
        return refuse(problem, MARELLE_BAD_ARGUMENT, "features of the rules need a game");
    if (!dataset_rows(data->set))
        return refuse(problem, MARELLE_BAD_ARGUMENT, "the data has no rows");
    DataSet *own = game ? data_of_game(data, game, problem) : NULL;
    if (game && !own)
        return MARELLE_UNFIT;
    Model *trained = train(game ? game->game : NULL, own ? own : data->set, t, budget);
    dataset_free(own);
    *model = model_wrap(trained);
    return succeed(problem);
}

MarelleStatus marelle_data_train(const MarelleData *data, MarelleGame *game, const char *learner,
                                 const MarelleBudget *budget, MarelleModel **model,
                                 MarelleProblem *problem) {
    Report report = {0};
    TrainingText t;
    *model = NULL;
    MarelleStatus status = check_budget(budget, problem);
    if (status != MARELLE_OK)
        return status;
    if (!read_training(&t, learner, &report))
        return refuse_by_report(problem, MARELLE_BAD_ARGUMENT, &report);
    report_free(&report);
    return train_text(data, game, &t, budget, model, problem);
}

/* ---- evolution ---- */

enum { TASK_DATA, TASK_POLES, TASK_PUBLISHED_POLES, TASK_BLIND_POLES };

typedef struct {
    NeatOptions neat;
    GeneticOptions genetic;
    uint32_t task, taught, threads;
    double until;
    bool is_one_species;
} Evolution;

#define EVOLUTION(member) OWN_FIELD(Evolution, member)
#define SHARE_ROW(key, meaning, member)                                                            \
    { key, VALUE_REAL, COUNT_RANGE("of the task", 1), meaning, EVOLUTION(member) }
enum { MAX_BRED = 1 << 20 };

static const SearchOption neat_options[] = {
    {"task", VALUE_WORD, WORD_RANGE("data", "data|poles|published_poles|blind_poles"),
     "what networks learn", EVOLUTION(task)},
    {"seed", VALUE_COUNT, COUNT_RANGE("0", 0x1p64), "seed", EVOLUTION(neat.seed)},
    THREADS_ROW(Evolution),
    {"population", VALUE_UINT32, "of the task", 2, MAX_BRED, NULL, "networks of a generation",
     EVOLUTION(neat.population)},
    {"generations", VALUE_UINT32, "of the task", 1, MAX_BRED, NULL, "generations at most",
     EVOLUTION(neat.generations)},
    {"taught", VALUE_UINT32, COUNT_RANGE("0", MAX_BRED),
     "gradient steps before a network is judged", EVOLUTION(taught)},
    {"until", VALUE_REAL, COUNT_RANGE("all right", 100), "fitness that counts as solved",
     EVOLUTION(until)},
    SHARE_ROW("join", "share of new nodes that join two sources", neat.genome.join),
    SHARE_ROW("add_node", "probability of a new node", neat.genome.add_node),
    SHARE_ROW("add_link", "probability of a new link", neat.genome.add_link),
    SHARE_ROW("mutate_only", "probability of one parent only", neat.mutate_only),
    {"one_species", VALUE_FLAG, FLAG_RANGE, "all networks are one species",
     EVOLUTION(is_one_species)},
    {"hidden", VALUE_UINT32, COUNT_RANGE("0", 1000), "hidden nodes of the first networks",
     EVOLUTION(neat.start_hidden)},
    {"connected", VALUE_FLAG, "1", 0, 1, NULL, "inputs are linked to outputs at first",
     EVOLUTION(neat.is_connected)},
    {"random_start", VALUE_FLAG, FLAG_RANGE, "one to that number of hidden nodes, random links",
     EVOLUTION(neat.starts_at_random)},
    {0}};

static const SearchOption genetic_options[] = {
    {"seed", VALUE_COUNT, COUNT_RANGE("0", 0x1p64), "seed", EVOLUTION(genetic.seed)},
    THREADS_ROW(Evolution),
    {"population", VALUE_UINT32, "100", 2, MAX_BRED, NULL, "genomes of a generation",
     EVOLUTION(genetic.population)},
    {"generations", VALUE_UINT32, "1000", 1, MAX_BRED, NULL, "generations",
     EVOLUTION(genetic.generations)},
    {"repaired", VALUE_FLAG, FLAG_RANGE, "with the repairs of the published version",
     EVOLUTION(genetic.is_repaired)},
    {"squares", VALUE_FLAG, FLAG_RANGE, "fitness by squared errors", EVOLUTION(genetic.squares)},
    {0}};

static NeatOptions neat_options_of(uint32_t task) {
    return task == TASK_PUBLISHED_POLES ? poles_published_options()
           : task >= TASK_POLES         ? poles_options(task == TASK_POLES)
                                        : neat_defaults();
}

/* The defaults depend on the task, which is read first. */
static bool read_neat(Evolution *e, const char *options, Report *report) {
    Evolution first = {0};
    if (!options_read(neat_options, "neat", options, &first, report))
        return false;
    *e = (Evolution){.neat = neat_options_of(first.task)};
    bool ok = options_read(neat_options, "neat", options, e, report);
    if (e->is_one_species)
        e->neat.threshold = INFINITY;
    return ok;
}

/* Links from inputs that are the same in all rows, which no network needs. */
static uint32_t links_from_constants(const Network *network, const Matrix *matrix) {
    uint32_t links = 0;
    for (size_t e = 0; e < network->edges.count; e++) {
        uint32_t from = network->edges.items[e].from;
        bool is_constant = from < network->input_count;
        for (size_t row = 1; row < matrix->rows && is_constant; row++)
            is_constant = matrix_column(matrix, from)[row] == matrix_column(matrix, from)[0];
        links += is_constant;
    }
    return links;
}

static json_t *run_neat(Evolution *e, const DataSet *set, Pool *pool) {
    NeatResult result;
    json_t *json;
    if (e->task == TASK_DATA) {
        Examples *examples = examples_of_facts(set, NULL, WEIGH_ALIKE);
        Matrix *matrix = matrix_create(examples);
        NeatPrediction prediction = {
            .matrix = matrix, .until = e->until, .gradient_steps = e->taught, .examples = examples};
        NeatTask task = neat_prediction_task(&prediction);
        neat_run(&task, &e->neat, pool, &result);
        json = object_add(neat_result_json(&result), "constant_links",
                          count_json(links_from_constants(&result.champion, matrix)));
        matrix_free(matrix);
        examples_free(examples);
    } else {
        NeatTask task = poles_task(e->task != TASK_BLIND_POLES);
        neat_run(&task, &e->neat, pool, &result);
        json = neat_result_json(&result);
        if (e->task == TASK_BLIND_POLES && result.is_solved)
            object_add(json, "starts", count_json(poles_generalise(&result.champion)));
    }
    network_free(&result.champion);
    return json;
}

static json_t *run_genetic(Evolution *e, const DataSet *set, Pool *pool) {
    GeneticRun runs[GENETIC_SETTINGS];
    Examples *examples = examples_of_facts(set, NULL, WEIGH_BY_COUNT);
    Matrix *matrix = matrix_create(examples);
    size_t best = genetic_run_settings(matrix, 0, &e->genetic, pool, runs);
    json_t *json = genetic_runs_json(runs, GENETIC_SETTINGS, best);
    for (size_t i = 0; i < GENETIC_SETTINGS; i++)
        vector_free(&runs[i].weights);
    matrix_free(matrix);
    examples_free(examples);
    return json;
}

static bool read_evolution(Evolution *e, const char *method, bool *is_neat, Report *report) {
    char *name;
    const char *options = split_name(method, &name);
    *e = (Evolution){0};
    *is_neat = strcmp(name, "neat") == 0;
    bool ok =
        *is_neat ? read_neat(e, options, report)
        : strcmp(name, "genetic") == 0
            ? options_read(genetic_options, name, options, e, report)
            : report_error(report, "bad-option",
                           "there is no evolution called `%s`; there are genetic and neat", name);
    free(name);
    return ok;
}

MarelleStatus marelle_evolve(const MarelleData *data, const char *method,
                             const MarelleBudget *budget, char **json, MarelleProblem *problem) {
    Report report = {0};
    Evolution e;
    bool is_neat;
    *json = NULL;
    MarelleStatus status = check_budget(budget, problem);
    if (status != MARELLE_OK)
        return status;
    if (!read_evolution(&e, method, &is_neat, &report))
        return refuse_by_report(problem, MARELLE_BAD_ARGUMENT, &report);
    report_free(&report);
    if (e.task == TASK_DATA && (!data || !dataset_rows(data->set)))
        return refuse(problem, MARELLE_BAD_ARGUMENT, "there is no data");
    e.neat.deadline = e.genetic.deadline = learning_deadline(budget);
    e.neat.stopped = e.genetic.stopped = budget ? budget->stopped : NULL;
    Pool *pool = pool_create(e.threads ? e.threads : 1);
    *json = dump_json(is_neat ? run_neat(&e, data ? data->set : NULL, pool)
                              : run_genetic(&e, data->set, pool));
    pool_free(pool);
    return succeed(problem);
}
