/* The driver of the decomposition. Playouts are made in batches. After each batch a complete
 * decomposition is attempted from all evidence so far, until several attempts in a row agree. */
#include "analysis/decompose/decompose.h"

#include <assert.h>
#include <string.h>

#include "analysis/decompose/decompose_internal.h"
#include "base/bitset.h"
#include "base/clock.h"
#include "circuit/ternary.h"

enum {
    DEFAULT_PLAYOUTS = 10000, /* playouts if the caller gives no number (untuned) */
    BATCH = 1000,             /* playouts before the first attempt (untuned) */
    ENOUGH_AGREEING =
        3,           /* number of equal attempts in a row that make the result final (untuned) */
    CHECK_ROUNDS = 8 /* times that subgames are tested and joined again (untuned) */
};
/* Factors of the confidence, 0 to 1 (untuned). */
#define AFTER_ONE_ATTEMPT 0.8
#define AFTER_TWO_ATTEMPTS 0.95
#define STUDIED_IN_PART 0.7 /* the study of goals or of legality was incomplete */

const char *decompose_step_name(DecomposeStep step) {
    static const char *const names[STEP_COUNT] = {"grounding", "forms", "circuit", "playouts",
                                                  "actions",   "goals", "graph",   "checks"};
    assert(step < STEP_COUNT);
    return names[step];
}

/* Frees everything except the sub-goals, which attempts share. */
static void free_attempt(Decomposition *r) {
    subgames_clear(r);
    vectors_free(&r->subgames, &r->links);
    for (size_t i = 0; i < r->crossings.count; i++)
        vector_free(&r->crossings.items[i]);
    for (size_t i = 0; i < r->kept_together.count; i++)
        vector_free(&r->kept_together.items[i]);
    vectors_free(&r->crossings, &r->kept_together, &r->unplayed);
    metaactions_free(&r->actions);
    memory_free(r->subgame_of, r->kinds);
}

void decomposition_free(Decomposition *d) {
    if (!d)
        return;
    free_attempt(d);
    subgoals_free(&d->subgoals);
    vector_free(&d->attempts);
    free(d);
}

/* Empties the result except for the times, the sub-goals and the list of attempts. */
static void begin_anew(Decomposition *r, uint32_t fluent_count) {
    Decomposition empty = {.subgoals = r->subgoals,
                           .playouts = r->playouts,
                           .cpu_seconds = r->cpu_seconds,
                           .confidence = r->confidence,
                           .attempts = r->attempts};
    memcpy(empty.step_seconds, r->step_seconds, sizeof empty.step_seconds);
    empty.subgame_of = u32_none(fluent_count);
    empty.kinds = memory_zalloc((fluent_count + 1) * sizeof *empty.kinds);
    *r = empty;
}

bool decomposer_attempt(Decomposer *d, DecomposeAttempt *attempt, void *context) {
    assert(d->is_studied);
    Decomposition *r = d->result, before = *r;
    d->is_cut_short = deadline_passed(d->deadline);
    if (d->is_cut_short)
        return false;
    begin_anew(r, d->circuit->fluent_count);
    attempt(d, context);
    if (!d->is_cut_short) {
        free_attempt(&before);
        d->is_attempted = true;
        return true;
    }
    free_attempt(r);
    memcpy(before.step_seconds, r->step_seconds, sizeof before.step_seconds);
    *r = before;
    if (d->is_attempted)
        subgoals_place(r);
    return false;
}

double decomposer_lap(Decomposer *d, DecomposeStep step, double since) {
    assert(step < STEP_COUNT);
    double now = clock_thread_cpu_seconds();
    d->result->step_seconds[step] += now - since;
    return now;
}

/* Merges sets, makes subgames and joins those that the test shows to depend on each other. */
static void check(Decomposer *d) {
    decompose_merge(d);
    decompose_label(d);
    for (int i = 0; i < CHECK_ROUNDS && !decompose_verify(d) && !decomposer_is_late(d); i++) {
        decompose_join(d);
        decompose_label(d);
    }
    decompose_find_waiting(d);
    decompose_list_kept_together(d);
}

/* Returns, by move, true if it can still become legal. The caller frees the array. */
static bool *moves_left(const Decomposer *d) {
    const Circuit *c = d->circuit;
    Ternary *values = memory_alloc(c->aig.nodes.count);
    Ternary *fluents = ternary_reachable_from(c, d->start);
    bool *left = memory_zalloc(c->move_count + 1);
    memset(values, TERNARY_UNKNOWN, c->aig.nodes.count);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        if (signal_node(c->fluents[f]) != 0)
            values[signal_node(c->fluents[f])] = fluents[f];
    ternary_evaluate(&c->aig, values);
    for (uint32_t m = 0; m < c->move_count; m++)
        left[m] = ternary_of(values, c->legal[m]) & TERNARY_TRUE;
    memory_free(fluents, values);
    return left;
}

void decomposer_list_unplayed(Decomposer *d, const bool *is_played) {
    assert(d->result->unplayed.count == 0);
    bool *left = d->start ? moves_left(d) : NULL;
    for (uint32_t m = 0; m < d->circuit->move_count; m++)
        if (!is_played[m] && (!left || left[m]))
            vector_push(&d->result->unplayed, m);
    free(left);
}

void decompose_find_actions(Decomposer *d, bool by_neighbours) {
    MetaActionStudy study = {.influence = d->influence,
                             .circuit = d->circuit,
                             .ignored = d->ignored,
                             .clocks = d->is_clock,
                             .cyclic = d->is_cyclic,
                             .lasting = d->is_lasting,
                             .by_neighbours = by_neighbours,
                             .contexts = &d->contexts,
                             .deadline = d->deadline};
    d->is_cut_short |= !metaactions_find(&study, &d->effects, &d->result->actions);
}

static void attempt(Decomposer *d, void *context) {
    (void)context;
    Decomposition *r = d->result;
    double t = clock_thread_cpu_seconds();
    vector_clear(&d->effects);
    evidence_list_effects(d->evidence, &d->effects);
    decompose_classify(d);
    decompose_find_actions(d, false);
    if (d->is_cut_short)
        return;
    metaactions_find_conditions(&r->actions, &d->legality, d->is_clock, d->circuit->fluent_count);
    t = decomposer_lap(d, STEP_ACTIONS, t);
    decompose_build_links(d);
    decompose_find_series(d);
    decompose_join(d);
    t = decomposer_lap(d, STEP_GRAPH, t);
    if (d->is_cut_short)
        return;
    decomposer_list_unplayed(d, d->evidence->is_played);
    check(d);
    decomposer_lap(d, STEP_CHECKS, t);
}

uint64_t decomposer_hash(const Decomposer *d) {
    uint64_t hash = d->result->subgames.count;
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++)
        hash = hash_mix(hash, d->result->subgame_of[f]);
    return hash_finish(hash);
}

bool decomposer_is_late(Decomposer *d) {
    d->is_cut_short |= deadline_passed(d->deadline);
    return d->is_cut_short;
}

/* Returns the confidence, 0 to 1. It falls with moves that were never tried, fluents that never
 * changed though moves could change them, incomplete studies and attempts that did not agree. */
static double confidence_of(const Decomposer *d, uint32_t agreeing) {
    const Decomposition *r = d->result;
    uint32_t fluents = d->circuit->fluent_count, unseen = 0;
    for (uint32_t f = 0; f < fluents; f++)
        unseen += r->kinds[f] == FLUENT_UNSEEN && d->is_moved[f];
    unseen = unseen > r->unseen_count ? unseen : r->unseen_count;
    double tried = 1 - (double)r->unplayed.count / (double)(d->circuit->move_count + 1);
    double seen = 1 - (double)unseen / (double)(fluents + 1);
    double agreed = agreeing > 2 ? 1 : agreeing > 1 ? AFTER_TWO_ATTEMPTS : AFTER_ONE_ATTEMPT;
    double studied =
        (d->goals_complete ? 1 : STUDIED_IN_PART) * (d->legality.is_complete ? 1 : STUDIED_IN_PART);
    return (0.5 + 0.5 * tried) * (0.5 + 0.5 * seen) * agreed * studied;
}

/* Makes sub-goals of the gates that judge subgames, if scoring subgames have none of their own. */
static void add_goals_of_parts(Decomposer *d) {
    Decomposition *r = d->result;
    bool *has_goal = memory_zalloc(r->subgames.count + 1), all_have = true;
    for (size_t i = 0; i < r->subgoals.count; i++)
        if (r->subgoals.items[i].subgame != SUBGAME_NONE)
            has_goal[r->subgoals.items[i].subgame] = true;
    for (size_t i = 0; i < r->subgames.count; i++)
        all_have &=
            has_goal[i] || !r->subgames.items[i].has_actions || !r->subgames.items[i].is_scoring;
    free(has_goal);
    if (all_have)
        return;
    uint32_t *part_of = memory_alloc((d->circuit->fluent_count + 1) * sizeof *part_of);
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++) {
        uint32_t s = r->subgame_of[f];
        part_of[f] = s != SUBGAME_NONE && r->subgames.items[s].has_actions ? s : SUBGAME_NONE;
    }
    subgoals_find_by_part(d->game, d->influence, part_of, (uint32_t)r->subgames.count,
                          &r->subgoals);
    free(part_of);
}

void decomposer_conclude(Decomposer *d, uint64_t playouts, uint32_t agreeing) {
    Decomposition *r = d->result;
    if (d->is_attempted && !deadline_passed(d->deadline))
        add_goals_of_parts(d);
    if (!d->is_attempted) {
        begin_anew(r, d->circuit->fluent_count);
        decompose_label_whole(d);
    }
    r->playouts = playouts;
    r->is_imperfect = r->unplayed.count || !d->goals_complete || !d->legality.is_complete ||
                      !d->is_attempted || deadline_passed(d->deadline);
    r->confidence = d->is_attempted ? confidence_of(d, agreeing) : 0;
    assert(r->confidence >= 0 && r->confidence <= 1);
}

/* Plays batches, each as large as all before it, until attempts agree. */
static void iterate(Decomposer *d) {
    uint64_t wanted = d->options->playouts ? d->options->playouts : DEFAULT_PLAYOUTS, begun = 0;
    uint64_t last = 0;
    uint32_t agreeing = 0;
    while (begun < wanted && agreeing < ENOUGH_AGREEING && d->is_studied) {
        uint64_t batch = begun > BATCH ? begun : BATCH;
        batch = batch < wanted - begun ? batch : wanted - begun;
        double t = clock_thread_cpu_seconds();
        evidence_collect(d->evidence, d->observer, d->options->start, batch, 0, d->deadline);
        decomposer_lap(d, STEP_PLAYOUTS, t);
        begun += batch;
        if (!decomposer_attempt(d, attempt, NULL))
            break;
        uint64_t hash = decomposer_hash(d);
        agreeing = begun > batch && hash == last ? agreeing + 1 : 1;
        last = hash;
    }
    decomposer_conclude(d, d->evidence->counts.playouts, agreeing);
}

/* Returns a bitset of all fluents. A state put together fluent by fluent may have fewer words. */
static uint64_t *all_words_of(Arena *arena, const State *state, uint32_t fluent_count) {
    size_t words = bitset_words(fluent_count);
    uint64_t *all = arena_zalloc(arena, (words + 1) * sizeof *all);
    size_t given = state->word_count < words ? state->word_count : words;
    if (given)
        memcpy(all, state->words, given * sizeof *all);
    return all;
}

Decomposer *decomposer_open(Game *game, const DecomposeOptions *options) {
    assert(game && options);
    if (!game_has_circuit(game))
        return NULL;
    const Circuit *c = game->circuit;
    double t = clock_thread_cpu_seconds();
    Decomposer *d = memory_zalloc(sizeof *d);
    Decomposition *r = d->result = memory_zalloc(sizeof *r);
    r->cpu_seconds = -t;
    d->game = game;
    d->circuit = c;
    d->options = options;
    d->weak_effect = WEAK_EFFECT;
    d->deadline = options->deadline.at > 0 ? options->deadline : deadline_never();
    if (options->start)
        d->start = all_words_of(&d->arena, options->start, c->fluent_count);
    d->influence = influence_create(c);
    d->observer = observer_create(game, options->seed);
    if (options->recorder)
        observer_use_recorder(d->observer, options->recorder);
    d->is_studied = decompose_study_premises(d);
    /* The other half of the time is for playouts. */
    Deadline half = deadline_in(deadline_left(d->deadline) / 2);
    d->legality = legality_study(c, d->influence, half);
    t = decomposer_lap(d, STEP_CIRCUIT, t);
    d->goals_complete = subgoals_find(game, d->influence, d->is_autonomous, half, &r->subgoals);
    decomposer_lap(d, STEP_GOALS, t);
    return d;
}

Decomposition *decomposer_close(Decomposer *d) {
    Decomposition *r = d->result;
    u32_free_lists(d->premises, d->circuit->fluent_count);
    u32_free_lists(d->moves_under, d->circuit->fluent_count);
    arena_free(&d->arena);
    free(d->parent);
    legality_free(&d->legality);
    subgoals_free(&d->ends);
    vectors_free(&d->turns, &d->effects);
    contexts_free(&d->contexts);
    evidence_free(d->evidence);
    r->is_recorded = observer_trusts_recorder(d->observer);
    observer_free(d->observer);
    influence_free(d->influence);
    decompose_find_traits(r, d->circuit->move_count);
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
