/* The driver: play-outs in batches, each followed by a whole attempt on all that was seen so far.
 */
#include "analysis/decompose.h"

#include <math.h>
#include <string.h>

#include "analysis/decompose_internal.h"
#include "base/clock.h"

enum { DEFAULT_PLAYOUTS = 10000, BATCH = 1000 };

const char *decompose_step_name(DecomposeStep step) {
    static const char *const names[STEP_COUNT] = {"circuit", "playouts", "actions",
                                                  "goals",   "graph",    "checks"};
    return names[step];
}

static void clear_attempt(Decomposition *r) {
    subgames_clear(r);
    vector_clear(&r->links);
    for (size_t i = 0; i < r->crossings.count; i++)
        vector_free(&r->crossings.items[i]);
    vector_clear(&r->crossings);
    vector_clear(&r->unplayed);
    metaactions_free(&r->actions);
}

void decomposition_free(Decomposition *d) {
    if (!d)
        return;
    clear_attempt(d);
    vector_free(&d->subgames);
    vector_free(&d->links);
    vector_free(&d->crossings);
    vector_free(&d->unplayed);
    subgoals_free(&d->subgoals);
    free(d->subgame_of);
    free(d->kinds);
    free(d);
}

void decomposer_clear(Decomposer *d) {
    clear_attempt(d->result);
}

double decomposer_lap(Decomposer *d, DecomposeStep step, double since) {
    double now = clock_thread_cpu_seconds();
    d->result->step_seconds[step] += now - since;
    return now;
}

/* Takes the subgames apart again where they turn out to depend on each other. */
static void check(Decomposer *d) {
    enum { ROUNDS = 8 };
    decompose_merge(d);
    decompose_label(d);
    for (int i = 0; i < ROUNDS && !decompose_verify(d); i++) {
        decompose_join(d);
        decompose_label(d);
    }
}

void decomposer_list_unplayed(Decomposer *d, const bool *is_played) {
    for (uint32_t m = 0; m < d->circuit->move_count; m++)
        if (!is_played[m])
            vector_push(&d->result->unplayed, m);
}

static void attempt(Decomposer *d) {
    Decomposition *r = d->result;
    double t = clock_thread_cpu_seconds();
    decomposer_clear(d);
    vector_clear(&d->effects);
    evidence_list_effects(d->evidence, &d->effects);
    decompose_classify(d);
    metaactions_find(&d->effects, d->influence, d->circuit, d->ignored, d->is_clock, d->deadline,
                     &r->actions);
    metaactions_find_conditions(&r->actions, &d->legality, d->is_clock, d->circuit->fluent_count);
    t = decomposer_lap(d, STEP_ACTIONS, t);
    decompose_build_links(d);
    decompose_find_series(d, d->deadline);
    decompose_join(d);
    t = decomposer_lap(d, STEP_GRAPH, t);
    check(d);
    decomposer_list_unplayed(d, d->evidence->is_played);
    decomposer_lap(d, STEP_CHECKS, t);
}

uint64_t decomposer_hash(const Decomposer *d) {
    uint64_t hash = d->result->subgames.count;
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++)
        hash = hash_mix(hash, d->result->subgame_of[f]);
    return hash_finish(hash);
}

double decomposer_confidence(const Decomposer *d, uint32_t agreeing) {
    const Decomposition *r = d->result;
    uint32_t fluents = d->circuit->fluent_count, unseen = 0;
    for (uint32_t f = 0; f < fluents; f++)
        unseen += r->kinds[f] == FLUENT_UNSEEN && d->is_moved[f];
    double tried = 1 - (double)r->unplayed.count / (double)(d->circuit->move_count + 1);
    double seen = 1 - (double)unseen / (double)(fluents + 1);
    double agreed = agreeing > 2 ? 1 : agreeing > 1 ? 0.95 : 0.8;
    return (0.5 + 0.5 * tried) * (0.5 + 0.5 * seen) * agreed * (d->goals_complete ? 1 : 0.7);
}

/* Batches of play-outs, twice as many each time, until attempts agree. */
static void iterate(Decomposer *d) {
    enum { ENOUGH = 3 };
    Decomposition *r = d->result;
    uint64_t wanted = d->options->playouts ? d->options->playouts : DEFAULT_PLAYOUTS, begun = 0;
    uint64_t last = 0;
    uint32_t agreeing = 0;
    while (begun < wanted && agreeing < ENOUGH) {
        uint64_t batch = begun > BATCH ? begun : BATCH;
        batch = batch < wanted - begun ? batch : wanted - begun;
        double t = clock_thread_cpu_seconds();
        evidence_collect(d->evidence, d->observer, d->options->start, batch, 0, d->deadline);
        decomposer_lap(d, STEP_PLAYOUTS, t);
        begun += batch;
        attempt(d);
        uint64_t hash = decomposer_hash(d);
        agreeing = begun > batch && hash == last ? agreeing + 1 : 1;
        last = hash;
        if (deadline_passed(d->deadline))
            break;
    }
    r->playouts = d->evidence->counts.playouts;
    r->is_imperfect = r->unplayed.count || !d->goals_complete || deadline_passed(d->deadline);
    r->confidence = decomposer_confidence(d, agreeing);
}

Decomposer *decomposer_open(Game *game, const DecomposeOptions *options) {
    if (!game_has_circuit(game))
        return NULL;
    const Circuit *c = game->circuit;
    double t = clock_thread_cpu_seconds();
    Decomposer *d = memory_zalloc(sizeof *d);
    Decomposition *r = d->result = memory_zalloc(sizeof *r);
    r->subgame_of = memory_zalloc((c->fluent_count + 1) * sizeof *r->subgame_of);
    r->kinds = memory_zalloc((c->fluent_count + 1) * sizeof *r->kinds);
    r->cpu_seconds = -t;
    d->game = game;
    d->circuit = c;
    d->options = options;
    d->weak_effect = WEAK_EFFECT;
    d->deadline = options->deadline.at > 0 ? options->deadline : deadline_never();
    d->influence = influence_create(c);
    d->leads_on = memory_zalloc(c->fluent_count + 1);
    d->stage = memory_zalloc((c->fluent_count + 1) * sizeof *d->stage);
    d->observer = observer_create(game, options->seed);
    decompose_study_premises(d);
    Deadline half = deadline_in(deadline_left(d->deadline) / 2); /* the rest is for play-outs */
    d->legality = legality_study(c, d->influence, half);
    t = decomposer_lap(d, STEP_CIRCUIT, t);
    d->goals_complete = subgoals_find(game, d->influence, half, &r->subgoals);
    d->goals_complete &= subgoals_find_ends(game, d->influence, half, &d->ends);
    decomposer_lap(d, STEP_GOALS, t);
    return d;
}

Decomposition *decomposer_close(Decomposer *d) {
    Decomposition *r = d->result;
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++) {
        vector_free(&d->premises[f]);
        vector_free(&d->moves_under[f]);
    }
    free(d->premises);
    free(d->moves_under);
    free(d->is_moved);
    free(d->is_mentioned);
    free(d->is_cyclic);
    free(d->is_clock);
    free(d->is_autonomous);
    free(d->ignored);
    free(d->in_terminal);
    free(d->in_goal);
    free(d->parent);
    free(d->stage);
    free(d->leads_on);
    legality_free(&d->legality);
    subgoals_free(&d->ends);
    vector_free(&d->effects);
    evidence_free(d->evidence);
    observer_free(d->observer);
    influence_free(d->influence);
    free(d);
    r->cpu_seconds += clock_thread_cpu_seconds();
    return r;
}

Decomposition *decompose(Game *game, const DecomposeOptions *options) {
    Decomposer *d = decomposer_open(game, options);
    if (!d)
        return NULL;
    d->evidence = evidence_create(game, options->seed);
    iterate(d);
    return decomposer_close(d);
}
