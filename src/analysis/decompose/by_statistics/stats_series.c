/* Crossing points of games in series. A crossing point is a set of literals such that the causal
 * graph leads from it to the rest of the game, and nothing there leads back to it. */
#include <assert.h>

#include "analysis/decompose/by_statistics/stats_causes.h"
#include "base/bitset.h"

enum {
    MAX_TRIALS = 50000 /* more pairs of a candidate and an effect are not evaluated (untuned) */
};

/* A move legal regardless of the candidate, which leads to it only by enabling an effect. */
typedef struct {
    uint32_t move;
    uint32_t candidate; /* index of the candidate */
    uint32_t opening;   /* index of the move in the candidate's `opens` */
    Effect effect;      /* effect of the move that is tried; unused while the move is in doubt */
} Trial;

typedef VECTOR(Trial) Trials;

static int compare_trials(const void *a, const void *b) {
    const Trial *x = a, *y = b;
    uint32_t f = effect_fluent(x->effect), g = effect_fluent(y->effect);
    return (f > g) - (f < g);
}

static int compare_moves(const void *a, const void *b) {
    const Trial *x = a, *y = b;
    return (x->move > y->move) - (x->move < y->move);
}

/* Evaluates up to 512 trials of the fluent in focus. Marks the openings that are possible. */
static void make_trials(Causes *k, const Trial *trials, size_t count, bool **possible) {
    Influence *influence = k->s->d->influence;
    assert(count > 0 && count <= LANES);
    uint32_t f = effect_fluent(trials[0].effect);
    influence_forget(influence);
    for (uint32_t lane = 0; lane < count; lane++) {
        const Crossing *c = &k->candidates.items[trials[lane].candidate];
        for (size_t i = 0; i < c->literals.count; i++) {
            FluentLiteral x = c->literals.items[i];
            influence_give_fluent(influence, lane, x / 2, x & 1);
        }
        influence_give_fluent(influence, lane, f, !(trials[lane].effect & 1));
        influence_give_move(influence, lane, trials[lane].move);
    }
    influence_evaluate(influence);
    LaneMask may[2] = {influence_may_be(influence, k->c->next[f], false),
                       influence_may_be(influence, k->c->next[f], true)};
    for (uint32_t lane = 0; lane < count; lane++)
        if (bitset_get(may[trials[lane].effect & 1].words, lane))
            possible[trials[lane].candidate][trials[lane].opening] = true;
}

/* Lists the moves in doubt and marks all other openings as possible. */
static void list_doubts(const Causes *k, uint32_t id, bool *possible, Trials *doubts) {
    const Crossing *c = &k->candidates.items[id];
    for (uint32_t o = 0; o < c->opens.count; o++) {
        uint32_t move = c->opens.items[o] - k->literals;
        possible[o] = c->opens.items[o] < k->literals;
        for (size_t i = 0; i < c->literals.count && !possible[o]; i++)
            possible[o] =
                u32_sorted_contains(&k->s->d->legality.premises[move], c->literals.items[i]);
        if (!possible[o])
            vector_push(doubts, ((Trial){move, id, o, 0}));
    }
}

/* Lists the effects of one move in whose rules a candidate is in one conjunction with it. */
static void list_trials(const Causes *k, const Trial *doubts, size_t count, uint32_t *last,
                        Trials *trials) {
    uint32_t move = doubts[0].move;
    for (uint32_t i = k->effects.starts[move]; i < k->effects.starts[move + 1]; i++) {
        Effect effect = k->effects.targets[i];
        for (const uint32_t *x = causes_beside(k, move, effect); *x != UINT32_MAX; x++)
            last[*x] = i + 1;
        for (size_t j = 0; j < count && trials->count <= MAX_TRIALS; j++) {
            const U32Vector *literals = &k->candidates.items[doubts[j].candidate].literals;
            bool stands_beside = false;
            for (size_t x = 0; x < literals->count && !stands_beside; x++)
                stands_beside = last[literals->items[x]] == i + 1;
            /* An effect that is a literal of the candidate is already true. */
            if (stands_beside && !u32_contains(literals, effect))
                vector_push(trials,
                            ((Trial){move, doubts[j].candidate, doubts[j].opening, effect}));
        }
    }
}

/* Lists all trials. False if there are too many or time ran out. */
static bool list_all_trials(const Causes *k, bool **possible, Trials *trials, Deadline deadline) {
    Trials doubts = {0};
    bool is_done = true;
    for (uint32_t id = 0; id < k->candidates.count && is_done; id++) {
        possible[id] = memory_zalloc(k->candidates.items[id].opens.count + 1);
        list_doubts(k, id, possible[id], &doubts);
        is_done = doubts.count <= MAX_TRIALS && !deadline_passed(deadline);
    }
    if (is_done)
        vector_sort(&doubts, compare_moves);
    uint32_t *last = memory_zalloc((k->literals + 1) * sizeof *last);
    for (size_t first = 0, end; first < doubts.count && is_done; first = end) {
        for (end = first; end < doubts.count && doubts.items[end].move == doubts.items[first].move;)
            end++;
        list_trials(k, doubts.items + first, end - first, last, trials);
        is_done = trials->count <= MAX_TRIALS && !deadline_passed(deadline);
    }
    free(last);
    vector_free(&doubts);
    return is_done;
}

/* Drops the moves for which the candidate enables no effect. */
static void drop_idle_moves(Causes *k, Deadline deadline) {
    Trials trials = {0};
    bool **possible = memory_zalloc((k->candidates.count + 1) * sizeof *possible);
    bool is_done = list_all_trials(k, possible, &trials, deadline);
    if (is_done)
        vector_sort(&trials, compare_trials);
    for (size_t first = 0, end; first < trials.count && is_done; first = end) {
        uint32_t f = effect_fluent(trials.items[first].effect);
        for (end = first; end < trials.count && effect_fluent(trials.items[end].effect) == f &&
                          end - first < LANES;)
            end++;
        influence_focus(k->s->d->influence, &k->c->next[f], 1);
        make_trials(k, trials.items + first, end - first, possible);
        is_done = end == trials.count || !deadline_passed(deadline);
    }
    for (uint32_t id = 0; id < k->candidates.count; id++) {
        U32Vector *opens = &k->candidates.items[id].opens;
        size_t kept = 0;
        for (size_t o = 0; o < opens->count && is_done; o++)
            if (possible[id][o])
                opens->items[kept++] = opens->items[o];
        opens->count = is_done ? kept : opens->count;
        free(possible[id]);
    }
    free(possible);
    vector_free(&trials);
}

/* Lists the autonomous fluents that the opposite of a literal of the candidate keeps running. */
static void list_possible_stops(const Causes *k, Crossing *candidate) {
    for (size_t i = 0; i < candidate->literals.count; i++) {
        FluentLiteral opposite = candidate->literals.items[i] ^ 1;
        for (uint32_t e = k->out.starts[opposite]; e < k->out.starts[opposite + 1]; e++)
            if (k->out.targets[e] < k->literals)
                vector_push(&candidate->stops, k->out.targets[e]);
    }
}

/* Lists, for up to 512 candidates at once, the moves and the autonomous fluents that depend on
 * each. A move counts if it may be legal when the candidate is true. */
static void find_openings(Causes *k, Crossing *candidates, size_t count) {
    assert(count <= LANES);
    Influence *influence = k->s->d->influence;
    influence_forget(influence);
    for (uint32_t lane = 0; lane < count; lane++)
        for (size_t i = 0; i < candidates[lane].literals.count; i++) {
            FluentLiteral x = candidates[lane].literals.items[i];
            influence_give_fluent(influence, lane, x / 2, x & 1);
        }
    influence_evaluate(influence);
    for (uint32_t lane = 0; lane < count; lane++) {
        list_possible_stops(k, &candidates[lane]);
        for (size_t i = 0; i < candidates[lane].literals.count; i++) {
            FluentLiteral x = candidates[lane].literals.items[i];
            for (uint32_t e = k->out.starts[x]; e < k->out.starts[x + 1]; e++) {
                uint32_t to = k->out.targets[e];
                if (to >= k->literals) {
                    LaneMask legal =
                        influence_may_be(influence, k->c->legal[to - k->literals], true);
                    if (!bitset_get(legal.words, lane))
                        continue;
                }
                vector_push(&candidates[lane].opens, to);
            }
        }
    }
}

/* Marks the literals of autonomous fluents that became true in these lanes. */
static void watch_literals(const Causes *k, const U32Vector *vertices, const ObservedTurn *turn,
                           const LaneMask *lanes, bool *is_seen) {
    for (size_t i = 0; i < vertices->count && mask_any(lanes); i++) {
        uint32_t x = vertices->items[i];
        if (x >= k->literals || is_seen[i])
            continue;
        Lanes comes = turn->next[x / 2] & ~turn->state[x / 2];
        Lanes goes = turn->state[x / 2] & ~turn->next[x / 2];
        LaneMask changes = mask_of(x & 1 ? &comes : &goes);
        changes = mask_and(&changes, lanes);
        is_seen[i] = mask_any(&changes);
    }
}

typedef struct {
    Causes *k;
    bool **opens, **stops; /* by candidate and index: it changed; NULL if not watched */
    bool *held;            /* by candidate: it was true in some turn */
} OpeningWatch;

static void watch_openings(void *context, Observer *observer, const ObservedTurn *turn) {
    OpeningWatch *w = context;
    (void)observer;
    for (size_t i = 0; i < w->k->candidates.count; i++) {
        const Crossing *c = &w->k->candidates.items[i];
        LaneMask holds = turn->playing;
        for (size_t x = 0; w->opens[i] && x < c->literals.count && mask_any(&holds); x++) {
            LaneMask row = mask_of(&turn->state[c->literals.items[x] / 2]);
            if (c->literals.items[x] & 1)
                holds = mask_and(&holds, &row);
            else
                mask_remove(&holds, &row);
        }
        if (!w->opens[i] || !mask_any(&holds))
            continue;
        w->held[i] = true;
        watch_literals(w->k, &c->opens, turn, &holds, w->opens[i]);
        watch_literals(w->k, &c->stops, turn, &holds, w->stops[i]);
    }
}

/* Sorts autonomous fluents: those that changed while the candidate was true lie behind it. */
static void sort_openings(const Causes *k, Crossing *c, const bool *opens_seen,
                          const bool *stops_seen) {
    size_t kept = 0;
    for (size_t j = 0; j < c->stops.count; j++)
        if (!stops_seen[j])
            c->stops.items[kept++] = c->stops.items[j];
    c->stops.count = kept;
    kept = 0;
    for (size_t j = 0; j < c->opens.count; j++)
        if (c->opens.items[j] >= k->literals || opens_seen[j])
            c->opens.items[kept++] = c->opens.items[j];
        else
            vector_push(&c->stops, c->opens.items[j]);
    c->opens.count = kept;
}

static bool has_literals(const Causes *k, const U32Vector *vertices) {
    for (size_t i = 0; i < vertices->count; i++)
        if (vertices->items[i] < k->literals)
            return true;
    return false;
}

/* Drops autonomous fluents that were not seen to change while the candidate was true: they do not
 * lie behind it. Candidates that were never true are left alone. */
static void drop_unseen_openings(Causes *k, Deadline deadline) {
    size_t count = k->candidates.count;
    OpeningWatch w = {k, memory_zalloc((count + 1) * sizeof *w.opens),
                      memory_zalloc((count + 1) * sizeof *w.stops), memory_zalloc(count + 1)};
    for (size_t i = 0; i < count; i++) {
        const Crossing *c = &k->candidates.items[i];
        if (!has_literals(k, &c->opens) && !c->stops.count)
            continue;
        w.opens[i] = memory_zalloc(c->opens.count + 1);
        w.stops[i] = memory_zalloc(c->stops.count + 1);
    }
    ObservedCounts counts = {0};
    Visitor visitor = {watch_openings, &w};
    observer_play(k->s->d->observer, k->s->d->options->start, LANES, 0, deadline, &visitor,
                  &counts);
    for (size_t i = 0; i < count; i++) {
        if (w.held[i])
            sort_openings(k, &k->candidates.items[i], w.opens[i], w.stops[i]);
        else
            vector_clear(&k->candidates.items[i].stops);
        memory_free(w.opens[i], w.stops[i]);
    }
    memory_free(w.opens, w.stops, w.held);
}

/* True if nothing that the candidate leads to leads back to it. */
static bool is_crossing(const Causes *k, const Crossing *candidate) {
    for (size_t i = 0; i < candidate->opens.count; i++)
        for (size_t j = 0; j < candidate->literals.count; j++) {
            FluentLiteral x = candidate->literals.items[j];
            bool itself = candidate->literals.count == 1 && candidate->opens.items[i] == x;
            if (!itself &&
                (candidate->opens.items[i] == x || causes_reach(k, candidate->opens.items[i], x)))
                return false;
        }
    return candidate->opens.count > 0;
}

/* Lists the literals one step before the crossing point, through moves. */
static void list_preconditions(const Causes *k, const Crossing *crossing, U32Vector *found) {
    vector_clear(found);
    for (size_t i = 0; i < crossing->literals.count; i++) {
        FluentLiteral x = crossing->literals.items[i];
        for (uint32_t e = k->in.starts[x]; e < k->in.starts[x + 1]; e++) {
            uint32_t from = k->in.targets[e];
            if (from < k->literals)
                vector_push(found, from);
            for (uint32_t b = k->in.starts[from]; from >= k->literals && b < k->in.starts[from + 1];
                 b++)
                vector_push(found, k->in.targets[b]);
        }
    }
}

/* True if the candidate contains all literals of another candidate. */
static bool is_excessive(const Causes *k, size_t id) {
    const U32Vector *literals = &k->candidates.items[id].literals;
    for (size_t other = 0; other < k->candidates.count; other++)
        if (other != id && u32_is_subset(&k->candidates.items[other].literals, literals))
            return true;
    return false;
}

static bool is_beside(const Causes *k, uint32_t move, Effect effect, FluentLiteral x) {
    for (const uint32_t *y = causes_beside(k, move, effect); *y != UINT32_MAX; y++)
        if (*y == x)
            return true;
    return false;
}

/* True if, without the literal, the move may be illegal or have no effect. */
static bool waits_for(const Causes *k, uint32_t move, FluentLiteral x) {
    bool waits = true;
    for (uint32_t i = k->effects.starts[move]; i < k->effects.starts[move + 1] && waits; i++)
        waits = is_beside(k, move, k->effects.targets[i], x);
    return waits || u32_sorted_contains(&k->s->d->legality.premises[move], x);
}

/* True if some move waits for the step of an autonomous fluent. A move that also has effects
 * without it does not wait: in Hex moves record the time beside the stone they place. */
static bool is_waited_for(const Causes *k, const Crossing *step) {
    for (size_t i = 0; i < step->opens.count; i++)
        if (step->opens.items[i] >= k->literals &&
            waits_for(k, step->opens.items[i] - k->literals, step->literals.items[0]))
            return true;
    return false;
}

/* Drops preconditions that no move waits for: those true at first or required with both signs. */
static void drop_what_is_not_waited_for(const Causes *k, U32Vector *preconditions) {
    U32Vector kept = {0};
    for (size_t i = 0; i < preconditions->count; i++) {
        FluentLiteral x = preconditions->items[i];
        if (k->c->initial[x / 2] != (x & 1) && !u32_contains(preconditions, x ^ 1))
            vector_push(&kept, x);
    }
    if (preconditions->count && !kept.count)
        vector_push(&kept,
                    2 * (preconditions->items[0] / 2) + k->c->initial[preconditions->items[0] / 2]);
    vector_free(preconditions);
    *preconditions = kept;
}

/* True if the crossing point is the first step of the game, or a step of a chain that follows
 * another crossing point that is not excessive. A step of an autonomous fluent is kept if moves
 * wait for it, and dropped if no autonomous fluent goes on from it. */
static bool is_superfluous(const Causes *k, size_t id, const bool *excessive,
                           U32Vector *preconditions) {
    assert(id < k->candidates.count);
    const Crossing *crossing = &k->candidates.items[id];
    list_preconditions(k, crossing, preconditions);
    if (crossing->literals.count == 1 && k->s->is_idle[crossing->literals.items[0] / 2]) {
        if (is_waited_for(k, crossing))
            return false;
        if (!has_literals(k, &crossing->opens))
            return true;
        drop_what_is_not_waited_for(k, preconditions);
    }
    bool is_first = preconditions->count > 0;
    for (size_t i = 0; i < preconditions->count; i++) {
        FluentLiteral x = preconditions->items[i];
        is_first &= x == preconditions->items[0] && k->c->initial[x / 2] == (x & 1);
    }
    for (size_t other = 0; other < k->candidates.count && !is_first; other++)
        if (other != id && !excessive[other] && preconditions->count &&
            u32_is_subset(preconditions, &k->candidates.items[other].literals))
            return true;
    return is_first;
}

/* Drops the candidates that are no crossing points, and then the superfluous ones. */
static void choose_crossings(Causes *k, Deadline deadline) {
    Influence *influence = k->s->d->influence;
    influence_focus(influence, k->c->legal, k->c->move_count);
    for (size_t at = 0; at < k->candidates.count && !deadline_passed(deadline); at += LANES) {
        size_t left = k->candidates.count - at;
        find_openings(k, k->candidates.items + at, left < LANES ? left : LANES);
    }
    drop_idle_moves(k, deadline);
    drop_unseen_openings(k, deadline);
    size_t kept = 0;
    for (size_t i = 0; i < k->candidates.count; i++) {
        if (is_crossing(k, &k->candidates.items[i]))
            k->candidates.items[kept++] = k->candidates.items[i];
        else
            crossing_free(&k->candidates.items[i]);
    }
    k->candidates.count = kept;
    U32Vector preconditions = {0};
    bool *excessive = memory_zalloc(kept + 1), *superfluous = memory_zalloc(kept + 1);
    for (size_t i = 0; i < kept && !deadline_passed(deadline); i++)
        excessive[i] = is_excessive(k, i);
    for (size_t i = 0; i < kept && !deadline_passed(deadline); i++)
        superfluous[i] = excessive[i] || is_superfluous(k, i, excessive, &preconditions);
    for (size_t i = 0; i < kept; i++) {
        if (superfluous[i])
            crossing_free(&k->candidates.items[i]);
        else
            vector_push(&k->s->crossings, k->candidates.items[i]);
    }
    memory_free(excessive, superfluous);
    vector_free(&preconditions);
}

void stats_find_crossings(StatsMethod *stats, Deadline deadline) {
    Causes k;
    stats_clear_crossings(stats);
    if (causes_open(&k, stats)) {
        causes_list_candidates(&k, deadline);
        choose_crossings(&k, deadline);
    }
    causes_close(&k);
}

void crossing_free(Crossing *crossing) {
    vectors_free(&crossing->literals, &crossing->opens, &crossing->stops);
}

void stats_clear_crossings(StatsMethod *stats) {
    for (size_t i = 0; i < stats->crossings.count; i++)
        crossing_free(&stats->crossings.items[i]);
    vector_clear(&stats->crossings);
}
