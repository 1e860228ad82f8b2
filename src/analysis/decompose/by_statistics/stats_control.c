/* Finds turn markers: the autonomous fluents that change most often while some role waits. If some
 * of these are cyclic, only cyclic ones are considered. */
#include "analysis/decompose/by_statistics/stats_internal.h"
#include "base/bitset.h"
#include "base/graph.h"

/* True if the fluent becomes true more than once per match on average, with unfinished matches. */
static bool holds_more_than_once(const StatsMethod *s, uint32_t f) {
    const ObservedCounts *counts = &s->statistics->counts;
    uint64_t matches = counts->playouts + counts->unfinished;
    bool at_first = s->d->start ? bitset_get(s->d->start, f) : s->d->circuit->initial[f];
    return s->statistics->of_effect[effect_of(f, true)].count + (at_first ? matches : 0) > matches;
}

/* Lists steps between literals: from the premise of an idle fluent's change to its result, and from
 * a fluent to its opposite. Only changes that were seen count. */
static void list_steps(const StatsMethod *s, Edges *steps) {
    for (size_t i = 0; i < s->preconditions.count; i++) {
        const Precondition *p = &s->preconditions.items[i];
        if (s->is_idle[p->premise / 2] && s->statistics->of_effect[p->result].count)
            vector_push(steps, ((Edge){p->premise, p->result}));
    }
    for (FluentLiteral x = 0; x < 2 * s->d->circuit->fluent_count; x++)
        if (s->is_idle[x / 2] && s->statistics->of_effect[x].count)
            vector_push(steps, ((Edge){x ^ 1, x}));
}

/* Marks fluents on a cycle of steps with a cyclic fluent as cyclic: in matches of less than two
 * rounds the last turn markers never become true again. A counter that runs once is on no cycle. */
static void find_rounds(StatsMethod *s) {
    uint32_t fluents = s->d->circuit->fluent_count, literals = 2 * fluents;
    Edges steps = {0};
    list_steps(s, &steps);
    uint32_t *part = memory_alloc((literals + 1) * sizeof *part);
    uint32_t parts = graph_components(literals, &steps, part);
    bool *is_round = memory_zalloc(parts + 1);
    for (uint32_t f = 0; f < fluents; f++)
        is_round[part[2 * f + 1]] |= s->is_idle[f] && holds_more_than_once(s, f);
    for (uint32_t f = 0; f < fluents; f++)
        s->comes_round[f] = s->is_idle[f] && is_round[part[2 * f + 1]];
    vector_free(&steps);
    memory_free(part, is_round);
}

/* Returns the greatest probability, over all roles, of a change while the role waits. */
static double change_while_waiting(const Statistics *s, uint32_t f) {
    double most = 0;
    for (uint32_t r = 0; r < s->role_count; r++) {
        double p = statistics_probability(s, s->wait[r], effect_of(f, true)) +
                   statistics_probability(s, s->wait[r], effect_of(f, false));
        most = p > most ? p : most;
    }
    return most;
}

void stats_weigh_controls(StatsMethod *stats) {
    bool alternates = statistics_alternates(stats->statistics);
    for (uint32_t f = 0; f < stats->d->circuit->fluent_count; f++)
        stats->wait_weights[f] = alternates ? change_while_waiting(stats->statistics, f) : 0;
}

/* Marks as turn markers all fluents that change more than half as often as the one that changes
 * most. With many roles the markers do not change equally often. */
void stats_choose_controls(StatsMethod *stats) {
    uint32_t fluents = stats->d->circuit->fluent_count;
    /* Greatest weight among fluents that are not cyclic, and among cyclic ones. */
    double most[2] = {0, 0};
    find_rounds(stats);
    for (uint32_t f = 0; f < fluents; f++) {
        double *known = &most[stats->comes_round[f]];
        if (stats->is_idle[f] && !stats->is_spent[f] && stats->wait_weights[f] > *known)
            *known = stats->wait_weights[f];
    }
    bool come_round = most[true] > 0;
    stats->has_control = false;
    for (uint32_t f = 0; f < fluents; f++) {
        double weight = stats->wait_weights[f];
        bool counts = stats->is_idle[f] && !stats->is_spent[f] &&
                      stats->comes_round[f] == come_round && weight > 0;
        stats->is_control[f] = counts && 2 * weight > most[come_round];
        stats->has_control |= stats->is_control[f];
    }
}
