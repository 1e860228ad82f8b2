/* Makes variables of fluents: each group of fluents that provably exclude each other, found by
 * analysis/facts/mutex.h, becomes one variable. Every other fluent becomes a variable of its own,
 * which is always correct but less compact. */
#include <assert.h>

#include "analysis/facts/mutex.h"
#include "circuit/ternary.h"
#include "scsp/network/template.h"

enum { MATCHES = 200 /* random matches in which groups are checked (guess) */ };
#define SHARE_OF_SAMPLES 0.3 /* share of the budget for samples, 0 to 1 (guess) */

void groups_find(FluentGroups *groups, Game *game, const Grounding *grounding,
                 const uint8_t *constants, CpuBudget budget) {
    assert(game->circuit);
    SampleOptions sampling = {
        .matches = MATCHES, .seed = 1, .budget = cpu_budget_share(budget, SHARE_OF_SAMPLES)};
    Samples *samples = samples_take(game, &sampling);
    MutexGroups found = {0};
    mutex_find_by_keys(&found, samples, grounding, constants, budget);
    samples_free(samples);
    uint32_t count = (uint32_t)grounding->fluents.count;
    uint8_t *is_taken = memory_zalloc(count + 1);
    for (size_t i = 0; i < found.count; i++) {
        FluentGroup group = {.fluents = found.items[i].fluents,
                             .is_never_none = found.items[i].at_least_one == CERTAINTY_PROVED};
        for (size_t k = 0; k < group.fluents.count; k++)
            is_taken[group.fluents.items[k]] = 1;
        vector_push(groups, group);
    }
    vector_free(&found);
    for (uint32_t i = 0; i < count; i++) {
        FluentGroup alone = {0};
        if (is_taken[i] || constants[i] != TERNARY_UNKNOWN)
            continue;
        vector_push(&alone.fluents, i);
        vector_push(groups, alone);
    }
    free(is_taken);
}

void groups_free(FluentGroups *groups) {
    for (size_t i = 0; i < groups->count; i++)
        vector_free(&groups->items[i].fluents);
    vector_free(groups);
}
