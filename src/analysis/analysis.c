/* Runs the analyses in turn. Each gets a share of the time left, so that none starves others. */
#include "analysis/analysis.h"

#include <assert.h>

#include "base/bitset.h"
#include "circuit/ternary.h"

enum { DEFAULT_SECONDS = 10 /* CPU seconds if the caller gives none (untuned) */ };

static void find_unchanging(Analysis *a) {
    const Samples *s = a->samples;
    const Circuit *c = a->game->circuit;
    Ternary *reachable = c ? ternary_reachable(c) : NULL;
    a->unchanging_certainty = c ? CERTAINTY_PROVED : CERTAINTY_OBSERVED;
    for (uint32_t f = 0; f < s->fluent_count; f++) {
        const uint64_t *column = samples_column(s, f);
        size_t count = bitset_count(column, s->column_size);
        if (count != 0 && count != s->items.count)
            continue;
        bitset_set(a->unchanging, f);
        if (reachable && reachable[f] != TERNARY_UNKNOWN)
            bitset_set(a->constant, f);
        else
            a->unchanging_certainty = CERTAINTY_OBSERVED;
    }
    free(reachable);
}

static void find_horizon(Analysis *a) {
    if (a->clocks->is_bounded) {
        a->horizon = a->clocks->times - 1;
        a->horizon_certainty = CERTAINTY_PROVED;
    } else if (a->samples->ended) {
        a->horizon = 2 * a->samples->longest;
        a->horizon_certainty = CERTAINTY_OBSERVED;
    }
}

/* Fluents that no move changes, by the circuit or because they are clocks. */
static void find_action_independent(Analysis *a) {
    bitset_or(a->action_independent, a->clocks->fluents, a->fluent_words);
    if (a->relevance)
        bitset_or(a->action_independent, a->relevance->explicitly_independent, a->fluent_words);
}

static void run_techniques(Analysis *a, const AnalysisOptions *options, CpuBudget budget) {
    const Circuit *c = a->game->circuit;
    a->relevance = c ? relevance_find(c) : NULL;
    a->clocks = clocks_find(a->samples, cpu_budget_share(budget, 0.3));
    find_unchanging(a);
    find_horizon(a);
    find_action_independent(a);
    mutex_observe(&a->mutexes, a->samples, a->clocks, cpu_budget_share(budget, 0.3));
    Prover *prover =
        c && !options->without_proofs ? prover_create(c, cpu_budget_share(budget, 0.6)) : NULL;
    if (prover)
        mutex_prove(&a->mutexes, prover, a->samples, a->clocks);
    prover_set_budget(prover, cpu_budget_share(budget, 0.4));
    turns_find(&a->turns, a->samples, a->clocks, prover, cpu_budget_share(budget, 0.3));
    noops_find(&a->noops, a->samples, a->action_independent, prover, cpu_budget_share(budget, 0.2));
    prover_set_budget(prover, cpu_budget_share(budget, 0.5));
    scores_find(&a->scores, a->samples, prover);
    prover_set_budget(prover, budget);
    latches_find(&a->latches, a->samples, prover);
    prover_free(prover);
    fragments_find(&a->fragments, a->samples, budget);
}

Analysis *analysis_run(Game *game, const AnalysisOptions *options) {
    assert(game && options);
    double started = clock_thread_cpu_seconds();
    Analysis *a = memory_zalloc(sizeof *a);
    a->game = game;
    CpuBudget budget = cpu_budget_in(options->seconds > 0 ? options->seconds : DEFAULT_SECONDS);
    SampleOptions sampling = {.matches = options->matches,
                              .seed = options->seed,
                              .budget = cpu_budget_share(budget, 0.25)};
    a->samples = samples_take(game, &sampling);
    a->fluent_words = (uint32_t)bitset_words(a->samples->fluent_count);
    size_t bytes = (a->fluent_words + 1) * sizeof(uint64_t);
    a->action_independent = arena_zalloc(&a->arena, bytes);
    a->unchanging = arena_zalloc(&a->arena, bytes);
    a->constant = arena_zalloc(&a->arena, bytes);
    run_techniques(a, options, budget);
    a->cpu_seconds = clock_thread_cpu_seconds() - started;
    return a;
}

void analysis_free(Analysis *a) {
    if (!a)
        return;
    relevance_free(a->relevance);
    clocks_free(a->clocks);
    mutex_free(&a->mutexes);
    latches_free(&a->latches);
    vectors_free(&a->noops, &a->turns.controls);
    samples_free(a->samples);
    arena_free(&a->arena);
    free(a);
}
