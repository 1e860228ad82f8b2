#include "scsp/exact/bounded_play.h"

#include <assert.h>
#include <stdlib.h>

enum {
    MAX_VALUES = 100000,  /* different values of one state (untuned) */
    MAX_CELLS = 20000000, /* states times turns (untuned) */
};

static int goal_of(const MicroGraph *g, uint32_t state, uint32_t role) {
    int goal = g->goals.items[g->states.items[state].first_action + role];
    return goal < 0 ? 0 : goal;
}

static double value_of_action(const MicroGraph *g, const MicroAction *a, const double *values) {
    double sum = 0;
    for (uint32_t i = 0; i < a->outcome_count; i++)
        sum += values[g->outcomes.items[a->first_outcome + i]];
    return sum / a->outcome_count;
}

static double value_before(const MicroGraph *g, const MicroState *s, const double *values,
                           PlayRule rule) {
    double best = 0, sum = 0;
    for (uint32_t a = 0; a < s->action_count; a++) {
        double value = value_of_action(g, &g->actions.items[s->first_action + a], values);
        bool improves = a == 0 || (rule == PLAY_WORST ? value < best : value > best);
        best = improves ? value : best;
        sum += value;
    }
    return rule == PLAY_UNIFORM && s->action_count ? sum / s->action_count : best;
}

double bounded_value(const MicroGraph *g, uint32_t role, PlayRule rule, uint32_t turns) {
    assert(role < g->template->role_count && rule != PLAY_AGAINST);
    size_t count = g->states.count;
    double *before = memory_zalloc(count * sizeof *before);
    double *after = memory_zalloc(count * sizeof *after);
    for (uint32_t i = 0; i < count; i++)
        if (g->states.items[i].is_terminal)
            before[i] = after[i] = goal_of(g, i, role) / 100.0;
    for (uint32_t turn = 0; turn < turns; turn++) {
        for (uint32_t i = 0; i < count; i++)
            if (!g->states.items[i].is_terminal)
                before[i] = value_before(g, &g->states.items[i], after, rule);
        double *last = after;
        after = before;
        before = last;
    }
    double value = after[0];
    memory_free(before, after);
    return value;
}

/* What is counted already, by state and number of turns left. */
typedef struct {
    const MicroGraph *graph;
    uint32_t role;
    Deadline deadline;
    const bool *stopped;
    PolicyValues *known; /* by turns left and state; no values: not counted yet */
    bool has_failed;
} Counting;

static int compare(const void *a, const void *b) {
    const Rational *x = &((const PolicyValue *)a)->value, *y = &((const PolicyValue *)b)->value;
    double difference = rational_to_double(*x) - rational_to_double(*y);
    return (difference > 0) - (difference < 0);
}

/* Sorts, and adds up what has the same value. */
static void merge(Counting *c, PolicyValues *values) {
    size_t kept = 0;
    qsort(values->items, values->count, sizeof *values->items, compare);
    for (size_t i = 0; i < values->count; i++) {
        PolicyValue *v = &values->items[i], *last = &values->items[kept ? kept - 1 : 0];
        c->has_failed = c->has_failed || !rational_is_exact(v->value);
        if (kept && last->value.numerator == v->value.numerator &&
            last->value.denominator == v->value.denominator)
            last->count += v->count;
        else
            values->items[kept++] = *v;
    }
    values->count = kept;
    c->has_failed = c->has_failed || kept > MAX_VALUES || work_must_end(c->deadline, c->stopped);
}

static const PolicyValues *count_from(Counting *c, uint32_t state, uint32_t left);

/* How many outcomes of the action lead to the same state as outcome `o`; 0 if an earlier one does.
 */
static uint32_t outcomes_like(const MicroGraph *g, const MicroAction *a, uint32_t o) {
    const uint32_t *next = g->outcomes.items + a->first_outcome;
    uint32_t same = 0;
    for (uint32_t i = 0; i < a->outcome_count; i++) {
        if (next[i] != next[o])
            continue;
        if (i < o)
            return 0;
        same++;
    }
    return same;
}

/* A policy for an action has one for each state that it may lead to. */
static void count_action(Counting *c, const MicroAction *a, uint32_t left, PolicyValues *values) {
    const MicroGraph *g = c->graph;
    PolicyValues sums = {0};
    vector_push(&sums, ((PolicyValue){rational_of(0, 1), 1}));
    for (uint32_t o = 0; o < a->outcome_count && !c->has_failed; o++) {
        uint32_t same = outcomes_like(g, a, o);
        if (!same)
            continue;
        const PolicyValues *next = count_from(c, g->outcomes.items[a->first_outcome + o], left);
        PolicyValues longer = {0};
        for (size_t i = 0; i < sums.count && sums.count * next->count <= MAX_VALUES; i++)
            for (size_t k = 0; k < next->count; k++) {
                Rational share =
                    rational_multiply(next->items[k].value, rational_of(same, a->outcome_count));
                vector_push(&longer, ((PolicyValue){rational_add(sums.items[i].value, share),
                                                    sums.items[i].count * next->items[k].count}));
            }
        c->has_failed = c->has_failed || !longer.count;
        merge(c, &longer);
        vector_free(&sums);
        sums = longer;
    }
    vector_append(values, sums.items, sums.count);
    vector_free(&sums);
}

static const PolicyValues *count_from(Counting *c, uint32_t state, uint32_t left) {
    const MicroState *s = &c->graph->states.items[state];
    PolicyValues *values = &c->known[(size_t)left * c->graph->states.count + state];
    if (values->count || c->has_failed)
        return values;
    if (s->is_terminal || !left) {
        int goal = s->is_terminal ? goal_of(c->graph, state, c->role) : 0;
        vector_push(values, ((PolicyValue){rational_of((uint64_t)goal, 100), 1}));
        return values;
    }
    for (uint32_t a = 0; a < s->action_count && !c->has_failed; a++)
        count_action(c, &c->graph->actions.items[s->first_action + a], left - 1, values);
    merge(c, values);
    return values;
}

bool bounded_policies(const MicroGraph *g, uint32_t role, uint32_t turns, Deadline deadline,
                      const bool *stopped, PolicyValues *values) {
    assert(role < g->template->role_count);
    size_t cells = g->states.count * ((size_t)turns + 1);
    if (cells > MAX_CELLS)
        return false;
    Counting c = {.graph = g,
                  .role = role,
                  .deadline = deadline,
                  .stopped = stopped,
                  .known = memory_zalloc(cells * sizeof *c.known)};
    const PolicyValues *all = count_from(&c, 0, turns);
    if (!c.has_failed)
        vector_append(values, all->items, all->count);
    for (size_t i = 0; i < cells; i++)
        vector_free(&c.known[i]);
    free(c.known);
    return !c.has_failed;
}
