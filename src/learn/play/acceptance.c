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
    SMALL_BATCH = 16    /* leaves per evaluation without playouts (untuned) */
};

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

bool acceptance_is_given(const AcceptanceResult *r) {
    return r->matches >= 2 && acceptance_share(r) - acceptance_error(r) > 0.5;
}

bool model_helps(const Model *m) {
    return !m->needs_acceptance || acceptance_is_given(&m->acceptance);
}

void acceptance_set_options(const SearchEvaluation *evaluation, SearchOptions *options) {
    options->evaluation = evaluation;
    if (evaluation->playout_turns)
        return;
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

void acceptance_measure(Game *game, const SearchOptions *with, const SearchOptions *without,
                        const AcceptanceOptions *options, Pool *pool, AcceptanceResult *result) {
    AcceptanceRun a = {.game = game, .sides = {with, without}, .options = options};
    size_t at_once = pool_threads(pool) < PAIRS_AT_ONCE ? pool_threads(pool) : PAIRS_AT_ONCE;
    *result = (AcceptanceResult){0};
    if (game_count_players(game) < 2)
        return;
    while (result->matches < options->matches &&
           !work_must_end(options->deadline, options->stopped)) {
        uint64_t left = (options->matches - result->matches + 1) / 2;
        size_t pairs = left < at_once ? (size_t)left : at_once;
        AcceptanceResult played[PAIRS_AT_ONCE] = {{0}};
        a.pairs = played;
        pool_run(pool, pairs, play_pair, &a);
        for (size_t i = 0; i < pairs; i++) {
            result->matches += played[i].matches;
            result->wins += played[i].wins;
            result->draws += played[i].draws;
        }
        a.first += pairs;
    }
}

static void measure_use(Game *game, Model *model, ModelUse use, const AcceptanceOptions *options,
                        Pool *pool, AcceptanceResult *result) {
    model->use = use;
    Evaluator *evaluator = evaluator_create(model);
    SearchEvaluation evaluation = evaluator_interface(evaluator);
    SearchOptions with = {0}, without = {0};
    acceptance_set_options(&evaluation, &with);
    acceptance_measure(game, &with, &without, options, pool, result);
    evaluator_free(evaluator);
}

void acceptance_choose_use(Game *game, Model *model, const AcceptanceOptions *options, Pool *pool) {
    /* Turns of a playout: it runs to the end of the match, and the model gives only priors. */
    enum { TO_THE_END = 9999 };
    static const ModelUse uses[] = {{0, 10, 0, 0}, {TO_THE_END, 10, 0, 0.5}};
    enum { USES = sizeof uses / sizeof *uses };
    AcceptanceOptions trial = *options;
    AcceptanceResult results[USES], last;
    size_t best = 0;
    trial.matches = options->matches / 4 + 2;
    for (size_t u = 0; u < USES; u++) {
        if (options->deadline.at > 0)
            trial.deadline = deadline_in(deadline_left(options->deadline) / (double)(2 + USES - u));
        measure_use(game, model, uses[u], &trial, pool, &results[u]);
        bool is_better = acceptance_share(&results[u]) > acceptance_share(&results[best]);
        if (results[u].matches && (is_better || !results[best].matches))
            best = u;
    }
    model->needs_acceptance = true;
    model->use = uses[best];
    model->acceptance = results[best];
    if (acceptance_share(&results[best]) + acceptance_error(&results[best]) < 0.5)
        return; /* the trial lost by more than one standard error */
    trial = *options;
    trial.seed = hash_finish(hash_mix(options->seed, 1));
    measure_use(game, model, uses[best], &trial, pool, &last);
    if (last.matches)
        model->acceptance = last;
}
