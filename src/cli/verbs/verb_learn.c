/* marelle learn: data sets, the fitness of trivial predictors on them, and models. A file of data
 * may replace a GAME argument; it is recognised by its content. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "cli/verbs/learn_selfplay.h"
#include "cluster/collecting.h"
#include "learn/data/audit.h"
#include "learn/data/collect.h"
#include "learn/data/fluents.h"
#include "learn/learners/learner.h"
#include "learn/play/acceptance.h"
#include "learn/play/model.h"
#include "learn/play/model_training.h"
#include "server/json/learning_json.h"

enum { DEFAULT_SECONDS = 10 };
static const double TEST_SHARE = 0.2;
#define FEATURE_CHOICES "facts|counts|rules|mined|mobility|all"

typedef struct {
    const char *output, *format, *source, *states, *targets, *learner, *features, *without, *draw,
        *game, *reasoner;
    uint64_t matches, effort, hidden;
    bool all, gate;
} VerbOptions;

static const Option options[] = {
    {"output", 0, OPTION_TEXT, "FILE", OWN(output), "where the data or the model goes"},
    {"format", 0, OPTION_CHOICE, "text|compact", OWN(format),
     "of data that is written (default text)"},
    {"source", 0, OPTION_CHOICE, "uct|guided|random", OWN(source),
     "who plays the matches (default uct)"},
    {"states", 0, OPTION_CHOICE, "ends|before|all", OWN(states),
     "which states of a match: its end, some before, both (default before)"},
    {"targets", 0, OPTION_CHOICE, "values|final|mixed", OWN(targets),
     "what states are worth: what the search or playouts said, the score of the match, or the "
     "mean "
     "of both (default values)"},
    {"matches", 0, OPTION_COUNT, "N", OWN(matches),
     "matches to play at most (default: as --time allows, 10 s)"},
    {"without", 0, OPTION_TEXT, "RELATION", OWN(without), "leave the facts of a relation out"},
    {"learner", 0, OPTION_CHOICE, learner_names, OWN(learner), "the learner (default mlp)"},
    {"features", 0, OPTION_CHOICE, FEATURE_CHOICES, OWN(features),
     "facts alone, or with counts of them, sub-goals of the rules, conjunctions that tell, "
     "numbers of legal moves"},
    {"game", 0, OPTION_TEXT, "GAME", OWN(game),
     "the game that a file of data is about, for features that need the rules"},
    {"gate", 0, OPTION_FLAG, NULL, OWN(gate),
     "try the model in matches; players will use it only if it won"},
    {"draw", 0, OPTION_TEXT, "FILE", OWN(draw), "draw the network (SVG)"},
    {"effort", 0, OPTION_COUNT, "N", OWN(effort),
     "generations, or passes over the data: see the learners above"},
    {"hidden", 0, OPTION_COUNT, "N", OWN(hidden),
     "hidden units of a learner that has them, or of each layer of selfplay"},
    {"reasoner", 0, OPTION_CHOICE, "auto|gpu", OWN(reasoner),
     "where selfplay asks and trains its network: the processor (auto), or a GPU"},
    {"all", 0, OPTION_FLAG, NULL, OWN(all),
     "train on all data; else a fifth of the matches is kept for the test"},
};

typedef struct {
    const Command *command;
    const VerbOptions *own;
    Cluster *cluster; /* processes that play matches for data */
    JobLog *log;      /* log of these matches, kept by the first process */
    Pool *pool;
    Game *game; /* NULL if the data comes from a file and --game was not given */
    DataSet *set;
    Model *model; /* the model that is tested; else NULL */
    int status;
} Learn;

/* Shares of --time for the three steps of training on a game (untuned). */
static const double DATA_SHARE = 0.5, TRAIN_SHARE = 0.3, ACCEPTANCE_SHARE = 0.2;
static const double ACCEPTANCE_SECONDS = 0.005;
enum { ACCEPTANCE_MATCHES = 400 };

static bool trains(const Learn *l) {
    return strcmp(l->command->arguments[0], "train") == 0;
}

/* ---- data ---- */

static void report_failure(Learn *l, Report *report) {
    print_failure(report);
    l->status = STATUS_USAGE;
}

/* Reads a file of data; returns NULL, without a complaint, if there is none. */
static Source *read_quietly(const char *path) {
    Report ignored = {0};
    Source *source =
        access(path, R_OK) == 0 ? source_read_if(path, dataset_recognise, &ignored) : NULL;
    report_free(&ignored);
    return source;
}

static DataSet *read_data(Learn *l, const char *path) {
    Source *source = read_quietly(path);
    if (!source)
        return NULL;
    Report report = {0};
    DataSet *set = dataset_read(source, &report);
    if (!set)
        report_failure(l, &report);
    report_free(&report);
    return set;
}

/* With --matches and --output, finished matches are logged, so that they are found again after a
 * crash. */
static void name_log(const Learn *l, Text *path) {
    bool is_kept = l->own->matches && l->own->output && strcmp(l->own->output, "-") != 0 &&
                   strcmp(l->command->arguments[0], "data") == 0;
    if (is_kept)
        text_printf(path, "%s.jobs", l->own->output);
}

static DataSet *collect_together(Learn *l, const CollectOptions *collecting) {
    Report report = {0};
    Text path = {0}, identity = {0};
    bool is_first = cluster_rank(l->cluster) == 0;
    name_log(l, &path);
    text_printf(&identity, "learn data %s, %d, %d, %lu matches, seed %lu, %u playouts",
                l->command->arguments[1], collecting->source, collecting->states,
                (unsigned long)collecting->matches, (unsigned long)collecting->seed,
                collecting->playouts);
    if (collecting->value_share >= 0)
        text_printf(&identity, ", values count %g", collecting->value_share);
    if (is_first)
        l->log = joblog_open(path.count ? path.items : NULL, identity.items, &report);
    DataSet *set = NULL;
    if (cluster_agrees(l->cluster, l->log || !is_first))
        set = cluster_collect(l->cluster, l->game, collecting, l->pool, l->log, &report);
    if (report_failed(&report))
        report_failure(l, &report);
    else if (!set && is_first) {
        complain("%s: no match came to an end with goals", l->command->arguments[1]);
        l->status = STATUS_EXHAUSTED;
    }
    vectors_free(&path, &identity);
    report_free(&report);
    return set;
}

static DataSet *play_for_data(Learn *l) {
    static const double value_shares[] = {-1, 0, 0.5};
    const CommonOptions *common = &l->command->common;
    l->game = open_game(l->command, l->command->arguments[1], NULL, &l->status);
    if (!cluster_agrees(l->cluster, l->game != NULL))
        return NULL;
    double seconds = common->seconds > 0 ? command_seconds_left(l->command)
                     : l->own->matches   ? 0
                                         : DEFAULT_SECONDS;
    seconds *= trains(l) && common->seconds > 0 ? DATA_SHARE : 1;
    CollectOptions collecting = {
        .source = choice_index("random|uct|guided", l->own->source, COLLECT_UCT),
        .states = choice_index("ends|before|all", l->own->states, COLLECT_BEFORE_ENDS),
        .matches = l->own->matches,
        .stopped = interrupt_flag(),
        .seed = common->seed,
        .playouts = (uint32_t)common->playouts,
        .value_share = value_shares[choice_index("values|final|mixed", l->own->targets, 0)]};
    if (seconds > 0)
        collecting.deadline = deadline_in(seconds);
    Ticker *ticker = ticker_start(!common->quiet, "playing for data", collecting.deadline);
    DataSet *set = collect_together(l, &collecting);
    ticker_stop(ticker);
    return set;
}

/* Opens the game and gives the facts of the file the numbers of its fluents. */
static bool find_game_of_data(Learn *l) {
    Text why_not = {0};
    l->game = open_game(l->command, l->own->game, NULL, &l->status);
    if (!l->game)
        return false;
    DataSet *own = dataset_of_game(l->set, l->game, &why_not);
    if (own) {
        dataset_free(l->set);
        l->set = own;
    } else {
        complain("%s is not about %s: %s", l->command->arguments[1], l->own->game,
                 text_string(&why_not));
        l->status = STATUS_USAGE;
    }
    vector_free(&why_not);
    return own;
}

static bool get_data(Learn *l) {
    l->set = read_data(l, l->command->arguments[1]);
    bool is_read = l->set != NULL;
    if (is_read && l->own->game && !find_game_of_data(l))
        return false;
    if (!is_read && l->own->game && l->status == STATUS_DONE) {
        complain("--game is for files of data, and %s is none", l->command->arguments[1]);
        l->status = STATUS_USAGE;
    }
    if (!is_read && l->status == STATUS_DONE)
        l->set = play_for_data(l);
    if (l->set && l->own->without) {
        DataSet *fewer = dataset_without_relation(l->set, l->own->without);
        dataset_free(l->set);
        l->set = fewer;
    }
    return l->set != NULL;
}

static bool write_file(Learn *l, const char *path, const Text *text) {
    bool is_written = write_text(path, text);
    if (!is_written) {
        complain("cannot write `%s`", path);
        l->status = STATUS_EXHAUSTED;
    }
    return is_written;
}

static void write_data(Learn *l) {
    Text text = {0};
    const char *path = l->own->output ? l->own->output : "-";
    bool says = l->command->common.json || l->own->output;
    if (l->own->format && strcmp(l->own->format, "compact") == 0)
        dataset_write_compact(l->set, &text);
    else
        dataset_write_text(l->set, &text);
    DataSet *distinct = dataset_distinct(l->set);
    if ((l->own->output || !l->command->common.json) && !write_file(l, path, &text))
        says = false;
    if (says && l->command->common.json)
        print_json(json_pack("{s:I,s:I,s:I,s:I,s:I}", "rows", (json_int_t)dataset_rows(l->set),
                             "distinct", (json_int_t)dataset_rows(distinct), "facts",
                             (json_int_t)dataset_fact_count(l->set), "roles",
                             (json_int_t)l->set->role_count, "bytes", (json_int_t)text.count));
    else if (says)
        printf("states       %zu, %zu of them distinct\nfacts        %u\nbytes        %zu\n",
               dataset_rows(l->set), dataset_rows(distinct), dataset_fact_count(l->set),
               text.count);
    dataset_free(distinct);
    vector_free(&text);
}

/* ---- audit ---- */

static void print_predictors(const Predictors *predictors) {
    enum { SHOWN = 5 };
    for (size_t i = 0; i < predictors->count && i < SHOWN; i++)
        printf("  %7.3f  %s%s\n", predictors->items[i].fitness, predictors->items[i].text,
               predictors->items[i].fitness > AUDIT_LEAK ? "   (a leak)" : "");
}

static void print_audit(const Audit *audit, const Game *game) {
    printf("states       %zu, %zu of them distinct\n", audit->rows, audit->distinct_rows);
    printf("facts        %u, %u of them the same in all states\n", audit->facts,
           audit->constant_facts);
    for (uint32_t r = 0; r < audit->role_count; r++) {
        if (game)
            printf("%s\n", game->roles[r]);
        else
            printf("role %u\n", r + 1);
        printf("  %7.3f  the best constant\n", audit->roles[r].constant);
        print_predictors(&audit->roles[r].facts);
        print_predictors(&audit->roles[r].counts);
    }
}

static void audit_data(Learn *l) {
    Audit audit;
    audit_create(l->set, &audit);
    if (l->command->common.json)
        print_json(audit_json(&audit, l->game));
    else
        print_audit(&audit, l->game);
    audit_free(&audit);
}

/* ---- models ---- */

/* Fitness of the best trivial predictors, as means over the roles. */
typedef struct {
    double constant, fact, count;
} Baselines;

static Baselines baselines_of(const DataSet *set) {
    Baselines b = {0};
    Audit audit;
    audit_create(set, &audit);
    for (uint32_t r = 0; r < audit.role_count; r++) {
        const RoleAudit *role = &audit.roles[r];
        double fact = role->facts.count ? role->facts.items[0].fitness : role->constant;
        double count = role->counts.count ? role->counts.items[0].fitness : role->constant;
        b.constant += role->constant / audit.role_count;
        b.fact += fact / audit.role_count;
        b.count += count / audit.role_count;
    }
    audit_free(&audit);
    return b;
}

static json_t *errors_json(const Errors *e) {
    return json_pack("{s:f,s:f,s:f,s:f,s:f,s:f}", "fitness", errors_fitness(e), "neat_fitness",
                     errors_neat_fitness(e), "brier", e->squared, "cross_entropy", e->cross_entropy,
                     "close", e->close, "right", e->right);
}

static void print_errors(const char *part, const Errors *e) {
    printf("%-12s fitness %.4f, squared %.4f, Brier %.5f, %.2f %% within 0.25\n", part,
           errors_fitness(e), errors_neat_fitness(e), e->squared, 100 * e->close);
}

static void show_model(const Learn *l, const Model *model, const DataSet *train,
                       const DataSet *test) {
    const DataSet *judged = test ? test : train;
    Errors on_train = train ? model_errors(model, l->game, train, WEIGH_BY_COUNT) : (Errors){0};
    Errors on = model_errors(model, l->game, judged, WEIGH_BY_COUNT);
    Baselines b = baselines_of(judged);
    if (l->command->common.json) {
        json_t *object = json_pack(
            "{s:o,s:f,s:o,s:{s:f,s:f,s:f},s:o,s:i,s:i}", "learner", text_json(model->learner),
            "fitness", errors_fitness(&on), "errors", errors_json(&on), "baselines", "constant",
            b.constant, "fact", b.fact, "count", b.count, "model", text_json(l->own->output),
            "nodes", (int)model->network.nodes.count, "edges", (int)model->network.edges.count);
        if (train && test)
            json_object_set_new(object, "train", errors_json(&on_train));
        if (model->needs_acceptance)
            json_object_set_new(object, "gate",
                                json_pack("{s:I,s:f,s:f,s:b}", "matches",
                                          (json_int_t)model->acceptance.matches, "share",
                                          acceptance_share(&model->acceptance), "error",
                                          acceptance_error(&model->acceptance), "open",
                                          acceptance_is_given(&model->acceptance)));
        print_json(object);
        return;
    }
    printf("model        %s: %zu features, %zu nodes, %zu edges\n", model->learner,
           model->features.items.count, model->network.nodes.count, model->network.edges.count);
    if (train)
        print_errors("train", &on_train);
    if (test)
        print_errors("test", &on);
    printf("baselines    constant %.4f, best fact %.4f, best count %.4f\n", b.constant, b.fact,
           b.count);
    if (model->needs_acceptance && !model->acceptance.matches)
        printf("gate         no match was played: players leave the model alone\n");
    else if (model->needs_acceptance)
        printf("gate         %.1f %% of the points in %lu matches, error %.1f: %s\n",
               100 * acceptance_share(&model->acceptance), (unsigned long)model->acceptance.matches,
               100 * acceptance_error(&model->acceptance),
               acceptance_is_given(&model->acceptance) ? "open" : "players leave the model alone");
}

/* Counting legal moves needs whole states and a circuit. */
static bool can_count_moves(const Learn *l) {
    return l->game && game_has_circuit(l->game) && !l->own->without;
}

static unsigned looks_of(const Learn *l) {
    static const unsigned all =
        MODEL_FEATURES_COUNTS | MODEL_FEATURES_RULES | MODEL_FEATURES_MINED | MODEL_FEATURES_MOVES;
    static const unsigned looks[] = {
        0,  MODEL_FEATURES_COUNTS, MODEL_FEATURES_RULES, MODEL_FEATURES_MINED, MODEL_FEATURES_MOVES,
        all};
    unsigned wanted = looks[choice_index(FEATURE_CHOICES, l->own->features, 0)];
    return can_count_moves(l) ? wanted : wanted & ~(unsigned)MODEL_FEATURES_MOVES;
}

/* Returns false after complaining. */
static bool can_have_features(Learn *l) {
    bool is_wanted = l->own->features && strcmp(l->own->features, "mobility") == 0;
    if (!is_wanted || can_count_moves(l))
        return true;
    complain("legal moves are counted in whole states of a game with a circuit: %s",
             l->own->without ? "not with --without"
             : l->game       ? "this one has none"
                             : "name it with --game");
    l->status = STATUS_USAGE;
    return false;
}

static Model *train_model(const Learn *l, const DataSet *set) {
    const CommonOptions *common = &l->command->common;
    TrainOptions training = {.learner = l->own->learner,
                             .feature_kinds = looks_of(l),
                             .effort = (uint32_t)l->own->effort,
                             .hidden = (uint32_t)l->own->hidden,
                             .seed = common->seed,
                             .is_all = l->own->all,
                             .stopped = interrupt_flag(),
                             .pool = l->pool};
    bool is_played = l->game && !l->own->game;
    if (common->seconds > 0)
        training.deadline =
            deadline_in(command_seconds_left(l->command) *
                        (is_played ? TRAIN_SHARE / (TRAIN_SHARE + ACCEPTANCE_SHARE) : 1));
    Ticker *ticker = ticker_start(!common->quiet, "training", training.deadline);
    Model *model = model_train(l->game, set, &training);
    ticker_stop(ticker);
    return model;
}

/* Measures whether the model wins matches. Without a game to play, it is not accepted. */
static void measure_acceptance(const Learn *l, Model *model) {
    const CommonOptions *common = &l->command->common;
    model->needs_acceptance = true;
    if (!l->game || !game_has_circuit(l->game))
        return;
    AcceptanceOptions acceptance = {.seconds = ACCEPTANCE_SECONDS,
                                    .matches = ACCEPTANCE_MATCHES,
                                    .stopped = interrupt_flag(),
                                    .seed = common->seed};
    if (common->seconds > 0)
        acceptance.deadline = l->command->end;
    Ticker *ticker = ticker_start(!common->quiet, "trying the model", acceptance.deadline);
    acceptance_choose_use(l->game, model, &acceptance, l->pool);
    ticker_stop(ticker);
}

static void name_feature(void *context, uint32_t input, Text *out) {
    const Model *model = context;
    features_write(&model->features, input, &model->facts, out);
}

static void draw_model(Learn *l, Model *model) {
    Text text = {0};
    network_draw(&model->network, name_feature, model, &text);
    write_file(l, l->own->draw, &text);
    vector_free(&text);
}

static void train(Learn *l) {
    DataSet *parts[2] = {NULL, NULL}, *train_part, *test_part = NULL;
    if (!can_have_features(l))
        return;
    if (!l->own->all)
        dataset_split(l->set, TEST_SHARE, l->command->common.seed, &parts[0], &parts[1]);
    train_part = dataset_distinct(l->own->all ? l->set : parts[0]);
    if (!l->own->all && dataset_rows(parts[1]))
        test_part = dataset_distinct(parts[1]);
    Model *model = train_model(l, train_part);
    if (l->own->gate)
        measure_acceptance(l, model);
    if (l->own->output) {
        Text text = {0};
        model_write(model, &text);
        write_file(l, l->own->output, &text);
        vector_free(&text);
    }
    if (l->own->draw)
        draw_model(l, model);
    show_model(l, model, train_part, test_part);
    model_free(model);
    dataset_free(train_part);
    dataset_free(test_part);
    dataset_free(parts[0]);
    dataset_free(parts[1]);
}

/* Returns false after complaining. */
static bool suits_data(Learn *l, const Model *model) {
    const char *path = l->command->arguments[2];
    if (model->role_count != l->set->role_count)
        complain("%s has %u outputs, and there are %u roles", path, model->role_count,
                 l->set->role_count);
    else if (model->dense)
        complain("%s advises on moves: matches try it (uct:model=FILE), not data", path);
    else if (model->features.groups.count && !can_count_moves(l))
        complain("%s counts legal moves, which takes whole states and their game (--game)", path);
    else
        return true;
    l->status = STATUS_USAGE;
    return false;
}

/* Reads the model that is tested, before matches are played for data. */
static bool read_model(Learn *l) {
    Report report = {0};
    Source *source = source_read(l->command->arguments[2], &report);
    l->model = source ? model_read(source, &report) : NULL;
    if (!l->model)
        report_failure(l, &report);
    report_free(&report);
    return l->model != NULL;
}

static void test(Learn *l) {
    if (!suits_data(l, l->model))
        return;
    DataSet *distinct = dataset_distinct(l->set);
    show_model(l, l->model, NULL, distinct);
    dataset_free(distinct);
}

static int selfplay(const Command *command) {
    const VerbOptions *own = command->options;
    if (cluster_rank(command->cluster))
        return STATUS_DONE;
    SelfplayArguments arguments = {.output = own->output,
                                   .matches = own->matches,
                                   .hidden = own->hidden,
                                   .on_gpu = own->reasoner && strcmp(own->reasoner, "gpu") == 0};
    return learn_by_selfplay(command, &arguments);
}

static void describe_learners(Text *out) {
    text_add(out, "Learners (--learner) and their options:\n");
    learners_write(out);
}

/* True if the learner has the option and the value is in its range. Otherwise it complains. */
static bool can_take(const Learner *learner, const char *key, uint64_t value) {
    const LearnerOption *option = learner_option(learner, key);
    if (!value || (option && value >= option->least && value <= option->most))
        return true;
    if (option)
        complain("`--%s` of the learner %s takes %u to %u, not %lu", key, learner->name,
                 option->least, option->most, (unsigned long)value);
    else
        complain("the learner %s has no `--%s`; see `marelle learn --help`", learner->name, key);
    return false;
}

static bool can_train(const VerbOptions *own) {
    const Learner *learner = own->learner ? learner_find(own->learner) : learners[0];
    return can_take(learner, "effort", own->effort) && can_take(learner, "hidden", own->hidden);
}

static int run_learn(const Command *command) {
    static const struct {
        const char *name;
        void (*run)(Learn *l);
        size_t arguments;
    } actions[] = {
        {"data", write_data, 2}, {"audit", audit_data, 2}, {"train", train, 2}, {"test", test, 3}};
    const char *wanted = command->arguments[0];
    if (strcmp(wanted, "selfplay") == 0 && command->argument_count == 2)
        return selfplay(command);
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (strcmp(actions[i].name, wanted) != 0 || command->argument_count != actions[i].arguments)
            continue;
        bool is_shared = strcmp(wanted, "data") == 0;
        if (actions[i].run == train && !can_train(command->options))
            return STATUS_USAGE;
        if (cluster_rank(command->cluster) && !is_shared)
            return STATUS_DONE;
        Learn l = {.command = command,
                   .own = command->options,
                   .cluster = is_shared ? command->cluster : cluster_alone()};
        l.pool = pool_create(command->common.threads ? (unsigned)command->common.threads : 1);
        if ((actions[i].run != test || read_model(&l)) && get_data(&l))
            actions[i].run(&l);
        joblog_close(l.log, l.status == STATUS_DONE && !interrupt_requested());
        model_free(l.model);
        dataset_free(l.set);
        game_free(l.game);
        pool_free(l.pool);
        return l.status;
    }
    return wrong_usage("learn takes `data GAME`, `audit GAME`, `train GAME`, `test GAME MODEL` or "
                       "`selfplay GAME`");
}

const Verb verb_learn = {
    .name = "learn",
    .arguments = "data|train|test|audit|selfplay GAME [MODEL]",
    .summary = "learn to evaluate positions from the rules alone",
    .description =
        "  data      plays matches and writes states with their values\n"
        "  audit     shows how well constants, single facts and counts predict these values\n"
        "  train     makes a model\n"
        "  test      tries a model on other data\n"
        "  selfplay  makes a model that also advises on moves, from searches that use it\n"
        "            (--playouts per move, default 100)\n"
        "GAME may be a file of data. Models are tested on matches that training never saw.\n"
        "Fitness is 100 minus the mean error in points of the goal.",
    .describe_more = describe_learners,
    .example = "learn audit tic_tac_toe --states ends --source random --matches 2000",
    VERB_OPTIONS,
    .unused = "verbose",
    .takes = {2, 3},
    .is_distributed = true,
    .run = run_learn,
};
