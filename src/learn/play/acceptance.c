/* Matches are played in pairs with one seed each. The result of a pair does not depend on other
 * threads, except for the time they take. */
#include "learn/play/acceptance.h"

#include <math.h>

#include "base/table.h"
#include "search/choice/bout.h"

/* Constants of this module. */
enum {
    MAX_TURNS = 1000,   /* turns after which a match is broken off (untuned) */
    PAIRS_AT_ONCE = 16, /* pairs of matches in parallel, at most (untuned) */
    SMALL_BATCH = 16,   /* leaves per evaluation without playouts (untuned) */
    LEAST = 6,          /* matches before a verdict (untuned) */
    PLANNED = 24,       /* matches that the time per move is chosen for (untuned) */
    PRIOR_VISITS = 10,  /* visits that the value of a foreseen move counts for (untuned) */
    TO_THE_END = 9999   /* turns of a playout that ends only with the match */
};
/* Wealth of a bet on the model at which it is accepted: one that does not help is accepted in one
 * case of so many at most, however often the test looks (Ville 1939; untuned). A use of the model
 * is dropped when a bet against it is worth as much. */
static const double TAKEN_AT = 4;
/* CPU seconds per move at most, if time allows more than is asked for (untuned). */
static const double MAX_SECONDS = 0.05;
/* `c` where leaves are evaluated at once: such values have less noise than playouts (measured:
 * docs/results/learning.md). */
static const double JUDGED_EXPLORATION = 0.1;
/* What a model may be good for: to evaluate leaves in place of playouts, beside playouts, or only
 * to foresee moves. */
static const ModelUse uses[] = {
    {.prior_visits = PRIOR_VISITS},
    {.playout_turns = TO_THE_END, .prior_visits = PRIOR_VISITS, .leaf_share = 0.5},
    {.playout_turns = TO_THE_END, .prior_visits = PRIOR_VISITS}};
enum { USES = sizeof uses / sizeof *uses };

typedef struct {
    Game *game;
    const SearchOptions *sides[2]; /* the side with the model, then the side without it */
    const AcceptanceOptions *options;
    uint64_t first; /* number of the first pair that is being played */
    AcceptanceResult *pairs;
} AcceptanceRun;

double acceptance_share(const AcceptanceResult *r) {
    return r->matches ? ((double)r->wins + (double)r->draws / 2) / (double)r->matches : 0.5;
}

double acceptance_error(const AcceptanceResult *r) {
    double share = acceptance_share(r), matches = (double)r->matches;
    if (r->matches < 2)
        return 0.5;
    double losses = matches - (double)r->wins - (double)r->draws;
    double squares = (double)r->wins * (1 - share) * (1 - share) +
                     (double)r->draws * (0.5 - share) * (0.5 - share) + losses * share * share;
    return sqrt((squares + 0.25) / matches / matches);
}

/* The wealth of a bet on the wins of one side, begun with 1. Shares of it are bet with several
 * stakes, since it is not known by how much the side is stronger. */
static double wealth_of(uint64_t wins, uint64_t losses) {
    static const double stakes[] = {0.1, 0.25, 0.5, 0.9}; /* (untuned) */
    enum { STAKES = sizeof stakes / sizeof *stakes };
    double sum = 0;
    for (size_t i = 0; i < STAKES; i++)
        sum += exp((double)wins * log1p(stakes[i]) + (double)losses * log1p(-stakes[i]));
    return sum / STAKES;
}

static uint64_t losses_of(const AcceptanceResult *r) {
    return r->matches - r->wins - r->draws;
}

bool acceptance_is_given(const AcceptanceResult *r) {
    return r->matches >= LEAST && wealth_of(r->wins, losses_of(r)) >= TAKEN_AT;
}

bool model_helps(const Model *m) {
    return !m->needs_acceptance || acceptance_is_given(&m->acceptance);
}

void acceptance_let_judge(Model *model) {
    model->use = uses[0];
}

void acceptance_set_options(const SearchEvaluation *evaluation, SearchOptions *options) {
    options->evaluation = evaluation;
    if (evaluation->playout_turns)
        return;
    if (!evaluation->advise && options->exploration <= 0)
        options->exploration = JUDGED_EXPLORATION;
    options->batch = options->batch ? options->batch : SMALL_BATCH;
    options->leaf_playouts = options->leaf_playouts ? options->leaf_playouts : 1;
}

static void play_match(const AcceptanceRun *a, const uint32_t roles[2], bool is_swapped,
                       uint64_t seed, AcceptanceResult *result) {
    const AcceptanceOptions *o = a->options;
    Bout bout;
    Report report = {0};
    bout_init(&bout, a->game, NULL, seed);
    bout.seconds = o->playouts ? INFINITY : o->seconds;
    bout.stopped = o->stopped;
    for (int side = 0; side < 2; side++) {
        SearchOptions options = *a->sides[side];
        options.seed = seed + (uint64_t)side;
        options.node_bytes = options.node_bytes ? options.node_bytes : (size_t)128 << 20;
        Search *search = search_create(o->method ? o->method : &uct_search, a->game,
                                       roles[is_swapped ? 1 - side : side], &options, &report);
        if (search)
            bout_seat(&bout, search, o->playouts);
    }
    while (bout.turns < MAX_TURNS && bout_turn(&bout))
        ;
    int own = game_goal(bout.work, &bout.state, roles[is_swapped]);
    int other = game_goal(bout.work, &bout.state, roles[!is_swapped]);
    result->matches++;
    result->wins += own > other;
    result->draws += own == other;
    report_free(&report);
    bout_free(&bout);
}

static void play_pair(void *context, size_t job, unsigned worker) {
    (void)worker;
    AcceptanceRun *a = context;
    uint32_t roles[2];
    uint64_t seed = hash_finish(hash_mix(a->options->seed, a->first + job));
    for (uint32_t side = 0; side < 2; side++)
        roles[side] = bout_player(a->game, side);
    for (int swapped = 0; swapped < 2; swapped++)
        play_match(a, roles, swapped, seed, &a->pairs[job]);
}

/* Plays pairs of matches, as many at once as there are threads, and adds their results. */
static void play_pairs(AcceptanceRun *a, Pool *pool, AcceptanceResult *result) {
    uint64_t left = a->options->matches - result->matches;
    size_t pairs = pool_threads(pool) < PAIRS_AT_ONCE ? pool_threads(pool) : PAIRS_AT_ONCE;
    AcceptanceResult played[PAIRS_AT_ONCE] = {{0}};
    pairs = (left + 1) / 2 < pairs ? (size_t)((left + 1) / 2) : pairs;
    a->pairs = played;
    pool_run(pool, pairs, play_pair, a);
    for (size_t i = 0; i < pairs; i++) {
        result->matches += played[i].matches;
        result->wins += played[i].wins;
        result->draws += played[i].draws;
    }
    a->first += pairs;
}

void acceptance_measure(Game *game, const SearchOptions *with, const SearchOptions *without,
                        const AcceptanceOptions *options, Pool *pool, AcceptanceResult *result) {
    AcceptanceRun a = {.game = game, .sides = {with, without}, .options = options};
    *result = (AcceptanceResult){0};
    if (game_count_players(game) < 2)
        return;
    while (result->matches < options->matches &&
           !work_must_end(options->deadline, options->stopped))
        play_pairs(&a, pool, result);
}

/* ---- the use of a model ---- */

typedef struct {
    Evaluator *evaluator;
    SearchEvaluation evaluation;
    SearchOptions options;
    AcceptanceResult result;
    bool is_dropped;
} Trial;

static void open_trial(Trial *t, Model *model, ModelUse use) {
    *t = (Trial){0};
    model->use = use;
    t->evaluator = evaluator_create(model);
    t->evaluation = evaluator_interface(t->evaluator);
    acceptance_set_options(&t->evaluation, &t->options);
}

/* The use that gets the next pair: the one on which a bet has won most. So a use that wins keeps
 * playing, and one that loses makes room for the others. NULL if all are dropped. */
static Trial *next_trial(Trial *trials) {
    Trial *best = NULL;
    double most = -1;
    for (size_t i = 0; i < USES; i++) {
        double wealth = wealth_of(trials[i].result.wins, losses_of(&trials[i].result));
        if (trials[i].is_dropped || wealth <= most)
            continue;
        best = &trials[i];
        most = wealth;
    }
    return best;
}

/* The time per move that the planned matches leave, if the last pair took so long by the clock. */
static double seconds_for(const AcceptanceOptions *o, uint64_t played, double seconds,
                          double pair_took, double least) {
    double pairs = (PLANNED - fmin((double)played, PLANNED / 2.0)) / 2;
    if (o->deadline.at <= 0 || pair_took <= 0)
        return seconds;
    double wanted = seconds * deadline_left(o->deadline) / pairs / pair_took;
    return fmin(fmax(wanted, least), fmax(MAX_SECONDS, least));
}

static void try_uses(Game *game, Trial *trials, const AcceptanceOptions *options, Pool *pool) {
    static const SearchOptions without;
    AcceptanceOptions o = *options;
    uint64_t played = 0;
    AcceptanceRun a = {.game = game, .options = &o};
    Trial *t;
    while (played < options->matches && !work_must_end(o.deadline, o.stopped) &&
           (t = next_trial(trials))) {
        double began = clock_wall_seconds();
        uint64_t before = t->result.matches;
        o.matches = before + options->matches - played;
        a.sides[0] = &t->options;
        a.sides[1] = &without;
        play_pairs(&a, pool, &t->result);
        played += t->result.matches - before;
        if (acceptance_is_given(&t->result))
            return;
        t->is_dropped = t->result.matches >= LEAST &&
                        wealth_of(losses_of(&t->result), t->result.wins) >= TAKEN_AT;
        o.seconds =
            seconds_for(options, played, o.seconds, clock_wall_seconds() - began, options->seconds);
    }
}

static double promise_of(const AcceptanceResult *r) {
    return r->matches ? wealth_of(r->wins, losses_of(r)) : 0;
}

void acceptance_choose_use(Game *game, Model *model, const AcceptanceOptions *options, Pool *pool) {
    Trial trials[USES];
    size_t best = 0;
    for (size_t u = 0; u < USES; u++)
        open_trial(&trials[u], model, uses[u]);
    if (game_count_players(game) >= 2)
        try_uses(game, trials, options, pool);
    for (size_t u = 0; u < USES; u++) {
        if (promise_of(&trials[u].result) > promise_of(&trials[best].result))
            best = u;
        evaluator_free(trials[u].evaluator);
    }
    model->needs_acceptance = true;
    model->use = uses[best];
    model->acceptance = trials[best].result;
}
