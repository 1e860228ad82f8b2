/* Games in series by cause and effect: a directed graph leads from moves to the literals they bring
 * about and from literals to the moves and the self-running fluents that need them. A crossing
 * point is a set of literals that the rest of the game lies behind and that nothing behind it leads
 * back to. Closures are bit rows over the strongly connected parts. */
#include <string.h>

#include "analysis/stats_internal.h"
#include "base/bitset.h"
#include "base/components.h"
#include "base/graph.h"

enum {
    CANDIDATES_AT_MOST = 10000,
    PARTS_AT_MOST = 20000,
    TRIALS_AT_MOST = 50000,
    DOORS_AT_MOST = 256
};

/* A literal beside a move in the rules for what the move brings about. */
typedef struct {
    FluentLiteral literal;
    uint32_t move;
    Effect effect;
} Beside;

typedef struct {
    Stats *s;
    const Circuit *c;
    uint32_t literals, vertices; /* moves come after the literals */
    Edges edges;
    Graph out, in;
    uint32_t *part;
    uint32_t parts;
    size_t words;
    uint64_t *reach;      /* by part: the parts behind it; itself if it is on a cycle */
    bool *leads_to_moves; /* by part */
    bool *is_hinge;       /* by literal */
    VECTOR(Beside) beside;
    uint32_t *beside_of; /* by literal: where its ones begin, and one more */
    VECTOR(Crossing) candidates;
    Table known; /* candidates */
} Causes;

/* ---- arcs ---- */

static void add_arc(Causes *k, uint32_t from, uint32_t to) {
    vector_push(&k->edges, ((Edge){from, to}));
}

static int compare_effects(const void *a, const void *b) {
    const ActionEffect *x = a, *y = b;
    uint32_t f = effect_fluent(x->effect), g = effect_fluent(y->effect);
    if (f != g)
        return (f > g) - (f < g);
    return (x->move > y->move) - (x->move < y->move);
}

/* Literals that stand beside these moves in the rules for one fluent. */
static void add_contexts(Causes *k, const ActionEffect *effects, size_t count) {
    Influence *influence = k->s->d->influence;
    influence_forget(influence);
    for (uint32_t lane = 0; lane < count; lane++)
        influence_give_move(influence, lane, effects[lane].move);
    influence_evaluate(influence);
    influence_trace_beside(influence, true);
    const U32Vector *fluents = influence_fluents(influence);
    for (size_t i = 0; i < fluents->count; i++)
        for (int plain = 0; plain < 2; plain++) {
            LaneMask used = influence_used(influence, fluents->items[i], plain);
            for (size_t lane = bitset_next(used.words, LANE_WORDS, 0); lane < count;
                 lane = bitset_next(used.words, LANE_WORDS, lane + 1)) {
                FluentLiteral x = 2 * fluents->items[i] + (uint32_t)plain;
                add_arc(k, x, k->literals + effects[lane].move);
                vector_push(&k->beside, ((Beside){x, effects[lane].move, effects[lane].effect}));
            }
        }
}

static int compare_beside(const void *a, const void *b) {
    const Beside *x = a, *y = b;
    if (x->literal != y->literal)
        return (x->literal > y->literal) - (x->literal < y->literal);
    if (x->move != y->move)
        return (x->move > y->move) - (x->move < y->move);
    return (x->effect > y->effect) - (x->effect < y->effect);
}

static void index_beside(Causes *k) {
    vector_sort(&k->beside, compare_beside);
    k->beside_of = memory_zalloc((k->literals + 2) * sizeof *k->beside_of);
    for (size_t i = 0; i < k->beside.count; i++)
        k->beside_of[k->beside.items[i].literal + 1]++;
    for (uint32_t x = 0; x < k->literals; x++)
        k->beside_of[x + 1] += k->beside_of[x];
}

static void add_effects(Causes *k) {
    ActionEffects sorted = {0};
    for (size_t i = 0; i < k->s->d->effects.count; i++) {
        const ActionEffect *e = &k->s->d->effects.items[i];
        add_arc(k, k->literals + e->move, e->effect);
        vector_push(&sorted, *e);
    }
    vector_sort(&sorted, compare_effects);
    for (size_t first = 0, end; first < sorted.count; first = end) {
        uint32_t f = effect_fluent(sorted.items[first].effect);
        for (end = first; end < sorted.count && effect_fluent(sorted.items[end].effect) == f;)
            end++;
        influence_focus(k->s->d->influence, &k->c->next[f], 1);
        for (size_t at = first; at < end; at += LANES)
            add_contexts(k, sorted.items + at, end - at < LANES ? end - at : LANES);
    }
    vector_free(&sorted);
}

static void add_arcs(Causes *k) {
    add_effects(k);
    index_beside(k);
    for (uint32_t m = 0; m < k->c->move_count; m++)
        for (size_t i = 0; i < k->s->d->legality.premises[m].count; i++)
            add_arc(k, k->s->d->legality.premises[m].items[i], k->literals + m);
    for (size_t i = 0; i < k->s->preconditions.count; i++)
        add_arc(k, k->s->preconditions.items[i].premise, k->s->preconditions.items[i].result);
    Edges reversed = {0};
    for (size_t i = 0; i < k->edges.count; i++)
        vector_push(&reversed, ((Edge){k->edges.items[i].to, k->edges.items[i].from}));
    graph_build(&k->out, k->vertices, &k->edges);
    graph_build(&k->in, k->vertices, &reversed);
    vector_free(&reversed);
}

/* ---- closure ---- */

/* Parts are numbered from the end, so what is behind a part is known before it. */
static void close_over(Causes *k) {
    k->words = bitset_words(k->parts);
    k->reach = memory_zalloc((k->parts * k->words + 1) * sizeof *k->reach);
    k->leads_to_moves = memory_zalloc(k->parts + 1);
    uint32_t *members = memory_alloc((k->vertices + 1) * sizeof *members);
    uint32_t *at = memory_zalloc((k->parts + 2) * sizeof *at);
    for (uint32_t v = 0; v < k->vertices; v++)
        at[k->part[v] + 1]++;
    for (uint32_t p = 0; p < k->parts; p++)
        at[p + 1] += at[p];
    for (uint32_t v = 0; v < k->vertices; v++)
        members[at[k->part[v]]++] = v;
    for (uint32_t i = 0; i < k->vertices; i++) {
        uint32_t v = members[i], p = k->part[v];
        for (uint32_t e = k->out.starts[v]; e < k->out.starts[v + 1]; e++) {
            uint32_t to = k->out.targets[e], q = k->part[to];
            bitset_set(k->reach + p * k->words, q);
            if (q != p)
                bitset_or(k->reach + p * k->words, k->reach + q * k->words, k->words);
            k->leads_to_moves[p] |= to >= k->literals || k->leads_to_moves[q];
        }
    }
    free(members);
    free(at);
}

static bool reaches(const Causes *k, uint32_t from, uint32_t to) {
    return bitset_get(k->reach + k->part[from] * k->words, k->part[to]);
}

static void find_hinges(Causes *k) {
    for (uint32_t x = 0; x < k->literals; x++) {
        bool is_initial = k->c->initial[x / 2] == (x & 1);
        bool is_led_to = k->in.starts[x] < k->in.starts[x + 1];
        k->is_hinge[x] = !is_initial && is_led_to && k->leads_to_moves[k->part[x]];
    }
}

/* ---- candidates ---- */

static int compare_numbers(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Takes over the list. */
static void add_candidate(Causes *k, U32Vector *literals) {
    vector_sort(literals, compare_numbers);
    uint64_t hash = literals->count;
    for (size_t i = 0; i < literals->count; i++)
        hash = hash_mix(hash, literals->items[i]);
    hash = hash_finish(hash);
    uint32_t id;
    bool is_new = k->candidates.count < CANDIDATES_AT_MOST;
    for (TableProbe p = table_probe(&k->known, hash); is_new && table_next(&k->known, &p, &id);) {
        const U32Vector *other = &k->candidates.items[id].literals;
        is_new = other->count != literals->count ||
                 memcmp(other->items, literals->items, other->count * sizeof *other->items) != 0;
    }
    if (is_new) {
        table_insert(&k->known, hash, (uint32_t)k->candidates.count);
        vector_push(&k->candidates, ((Crossing){.literals = *literals}));
        *literals = (U32Vector){0};
    }
    vector_clear(literals);
}

/* Normal forms over hinges, from the inputs up: clauses one after the other, each its length and
 * its literals, ascending. Other literals are left out. A form with too much in it is the empty
 * clause: nothing is known. */
enum { CLAUSES_AT_MOST = 24, LITERALS_AT_MOST = 12, GATES_AT_MOST = 200000 };

typedef struct {
    Causes *k;
    U32Vector *forms[2]; /* by node: of "is false", of "is true" */
} Forms;

static uint32_t count_clauses(const U32Vector *form) {
    uint32_t count = 0;
    for (size_t at = 0; at < form->count; at += 1 + form->items[at])
        count++;
    return count;
}

static void forget_form(U32Vector *form) {
    vector_clear(form);
    vector_push(form, 0);
}

static bool has_clause(const U32Vector *form, const uint32_t *literals, uint32_t count) {
    for (size_t at = 0; at < form->count; at += 1 + form->items[at])
        if (form->items[at] == count &&
            memcmp(form->items + at + 1, literals, count * sizeof *literals) == 0)
            return true;
    return false;
}

static void add_clause(U32Vector *form, const uint32_t *literals, uint32_t count) {
    if (has_clause(form, literals, count))
        return;
    vector_push(form, count);
    for (uint32_t i = 0; i < count; i++)
        vector_push(form, literals[i]);
}

/* How many literals the union has; UINT32_MAX if it is too long. */
static uint32_t unite(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count,
                      uint32_t *both) {
    uint32_t i = 0, j = 0, count = 0;
    while (i < a_count || j < b_count) {
        bool from_a = j == b_count || (i < a_count && a[i] <= b[j]);
        uint32_t x = from_a ? a[i] : b[j];
        i += i < a_count && a[i] == x;
        j += j < b_count && b[j] == x;
        if (count == LITERALS_AT_MOST)
            return UINT32_MAX;
        both[count++] = x;
    }
    return count;
}

static void multiply_forms(const U32Vector *a, const U32Vector *b, U32Vector *product) {
    uint32_t both[LITERALS_AT_MOST];
    for (size_t i = 0; i < a->count; i += 1 + a->items[i])
        for (size_t j = 0; j < b->count; j += 1 + b->items[j]) {
            uint32_t count =
                unite(a->items + i + 1, a->items[i], b->items + j + 1, b->items[j], both);
            if (count == UINT32_MAX || count_clauses(product) == CLAUSES_AT_MOST) {
                forget_form(product);
                return;
            }
            add_clause(product, both, count);
        }
}

static void add_forms(const U32Vector *a, const U32Vector *b, U32Vector *sum) {
    const U32Vector *parts[2] = {a, b};
    for (int p = 0; p < 2; p++)
        for (size_t i = 0; i < parts[p]->count; i += 1 + parts[p]->items[i])
            add_clause(sum, parts[p]->items + i + 1, parts[p]->items[i]);
    if (count_clauses(sum) > CLAUSES_AT_MOST)
        forget_form(sum);
}

static const U32Vector *form_of(const Forms *w, Signal signal, bool value) {
    return &w->forms[value ^ (signal & 1)][signal_node(signal)];
}

/* Inputs that are no fluents, and circles, tell nothing. */
static void make_forms(Forms *w) {
    const Circuit *c = w->k->c;
    for (uint32_t n = 0; n < c->aig.nodes.count; n++) {
        if (aig_is_and(&c->aig, n)) {
            Signal a = c->aig.nodes.items[n].a, b = c->aig.nodes.items[n].b;
            multiply_forms(form_of(w, a, true), form_of(w, b, true), &w->forms[1][n]);
            add_forms(form_of(w, a, false), form_of(w, b, false), &w->forms[0][n]);
        } else if (w->forms[0][n].count == 0) {
            forget_form(&w->forms[0][n]);
            forget_form(&w->forms[1][n]);
        }
    }
}

static void make_input_forms(Forms *w) {
    const Circuit *c = w->k->c;
    for (uint32_t f = 0; f < c->fluent_count; f++)
        for (uint32_t value = 0; value < 2; value++) {
            uint32_t literal = 2 * f + value;
            U32Vector *form = &w->forms[value][signal_node(c->fluents[f])];
            if (w->k->is_hinge[literal])
                add_clause(form, &literal, 1);
            else
                forget_form(form);
        }
}

static void take_clauses(Forms *w, Signal output) {
    const U32Vector *form = form_of(w, output, true);
    U32Vector literals = {0};
    for (size_t at = 0; at < form->count; at += 1 + form->items[at]) {
        for (uint32_t i = 0; i < form->items[at]; i++)
            vector_push(&literals, form->items[at + 1 + i]);
        if (literals.count > 1)
            add_candidate(w->k, &literals);
        vector_clear(&literals);
    }
    vector_free(&literals);
}

static void free_crossing(Crossing *crossing) {
    vector_free(&crossing->literals);
    vector_free(&crossing->opens);
    vector_free(&crossing->stops);
}

static void drop_candidates(Causes *k, size_t first) {
    for (size_t i = first; i < k->candidates.count; i++)
        free_crossing(&k->candidates.items[i]);
    k->candidates.count = first;
}

/* Single hinges, and the conjunctions of hinges in the rules for legality, for self-running fluents
 * and for what moves bring about. There a door is one of a few: where every rule has its own, none
 * is. */
static void find_candidates(Causes *k) {
    U32Vector single = {0};
    for (uint32_t x = 0; x < k->literals; x++)
        if (k->is_hinge[x]) {
            vector_push(&single, x);
            add_candidate(k, &single);
        }
    vector_free(&single);
    size_t nodes = k->c->aig.nodes.count;
    if (nodes > GATES_AT_MOST)
        return;
    Forms w = {.k = k};
    for (int value = 0; value < 2; value++)
        w.forms[value] = memory_zalloc((nodes + 1) * sizeof *w.forms[value]);
    make_input_forms(&w);
    make_forms(&w);
    for (uint32_t m = 0; m < k->c->move_count; m++)
        take_clauses(&w, k->c->legal[m]);
    for (uint32_t f = 0; f < k->c->fluent_count; f++)
        if (k->s->is_idle[f])
            take_clauses(&w, k->c->next[f]);
    size_t before = k->candidates.count;
    for (uint32_t f = 0; f < k->c->fluent_count; f++)
        if (k->s->d->result->kinds[f] == FLUENT_ACTED &&
            k->candidates.count - before <= DOORS_AT_MOST)
            take_clauses(&w, k->c->next[f]);
    if (k->candidates.count - before > DOORS_AT_MOST)
        drop_candidates(k, before);
    for (int value = 0; value < 2; value++) {
        for (size_t n = 0; n < nodes; n++)
            vector_free(&w.forms[value][n]);
        free(w.forms[value]);
    }
}

/* ---- moves that a candidate lets have an effect ---- */

static bool lists(const U32Vector *literals, FluentLiteral x) {
    for (size_t i = 0; i < literals->count; i++)
        if (literals->items[i] == x)
            return true;
    return false;
}

typedef struct {
    uint32_t candidate, opening; /* the move among what it opens */
    Effect effect;
} Trial;

typedef VECTOR(Trial) Trials;

static int compare_trials(const void *a, const void *b) {
    const Trial *x = a, *y = b;
    uint32_t f = effect_fluent(x->effect), g = effect_fluent(y->effect);
    return (f > g) - (f < g);
}

/* Up to 512 trials of one fluent, whose next value the influence looks at: marks the openings. */
static void make_trials(Causes *k, const Trial *trials, size_t count, const bool *is_there,
                        bool **possible) {
    Influence *influence = k->s->d->influence;
    uint32_t f = effect_fluent(trials[0].effect);
    influence_forget(influence);
    for (uint32_t lane = 0; lane < count; lane++) {
        const Crossing *c = &k->candidates.items[trials[lane].candidate];
        for (size_t i = 0; i < c->literals.count; i++) {
            FluentLiteral x = c->literals.items[i];
            if (is_there[x / 2])
                influence_give(influence, lane, signal_node(k->c->fluents[x / 2]), x & 1);
        }
        if (is_there[f])
            influence_give(influence, lane, signal_node(k->c->fluents[f]),
                           !(trials[lane].effect & 1));
        influence_give_move(influence, lane, c->opens.items[trials[lane].opening] - k->literals);
    }
    influence_evaluate(influence);
    LaneMask may[2] = {influence_may_be(influence, k->c->next[f], false),
                       influence_may_be(influence, k->c->next[f], true)};
    for (uint32_t lane = 0; lane < count; lane++)
        if (bitset_get(may[trials[lane].effect & 1].words, lane))
            possible[trials[lane].candidate][trials[lane].opening] = true;
}

static bool needs_literal(const Causes *k, uint32_t move, FluentLiteral x) {
    const U32Vector *premises = &k->s->d->legality.premises[move];
    return premises->count &&
           bsearch(&x, premises->items, premises->count, sizeof x, compare_numbers) != NULL;
}

/* What has no part in the legality of a move opens it only if it lets the move have an effect.
 * Lists what must be tried and marks what needs no trial. */
static void list_trials(const Causes *k, uint32_t id, bool *possible, Trials *trials) {
    const Crossing *c = &k->candidates.items[id];
    for (uint32_t o = 0; o < c->opens.count; o++) {
        uint32_t move = c->opens.items[o] - k->literals;
        possible[o] = c->opens.items[o] < k->literals;
        for (size_t i = 0; i < c->literals.count && !possible[o]; i++)
            possible[o] = needs_literal(k, move, c->literals.items[i]);
        for (size_t i = 0; i < c->literals.count && !possible[o]; i++) {
            FluentLiteral x = c->literals.items[i];
            for (uint32_t b = k->beside_of[x]; b < k->beside_of[x + 1]; b++)
                if (k->beside.items[b].move == move &&
                    !lists(&c->literals, k->beside.items[b].effect)) /* it has come about */
                    vector_push(trials, ((Trial){id, o, k->beside.items[b].effect}));
        }
    }
}

static void drop_idle_moves(Causes *k, Deadline deadline) {
    Trials trials = {0};
    bool **possible = memory_zalloc((k->candidates.count + 1) * sizeof *possible);
    bool *is_there = memory_zalloc(k->c->fluent_count + 1);
    bool is_done = true;
    for (uint32_t id = 0; id < k->candidates.count && is_done; id++) {
        possible[id] = memory_zalloc(k->candidates.items[id].opens.count + 1);
        list_trials(k, id, possible[id], &trials);
        is_done = trials.count <= TRIALS_AT_MOST && !deadline_passed(deadline);
    }
    vector_sort(&trials, compare_trials);
    for (size_t first = 0, end; first < trials.count && is_done; first = end) {
        uint32_t f = effect_fluent(trials.items[first].effect);
        for (end = first; end < trials.count && effect_fluent(trials.items[end].effect) == f &&
                          end - first < LANES;)
            end++;
        Influence *influence = k->s->d->influence;
        influence_focus(influence, &k->c->next[f], 1);
        const U32Vector *fluents = influence_fluents(influence);
        for (size_t i = 0; i < fluents->count; i++)
            is_there[fluents->items[i]] = true;
        make_trials(k, trials.items + first, end - first, is_there, possible);
        for (size_t i = 0; i < fluents->count; i++)
            is_there[fluents->items[i]] = false;
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
    free(is_there);
    vector_free(&trials);
}

/* ---- crossing points ---- */

/* Self-running fluents that a literal keeps going may come to rest where its opposite holds. */
static void list_possible_stops(const Causes *k, Crossing *candidate) {
    for (size_t i = 0; i < candidate->literals.count; i++) {
        FluentLiteral opposite = candidate->literals.items[i] ^ 1;
        for (uint32_t e = k->out.starts[opposite]; e < k->out.starts[opposite + 1]; e++)
            if (k->out.targets[e] < k->literals)
                vector_push(&candidate->stops, k->out.targets[e]);
    }
}

/* Up to 512 candidates at once: the moves that each lets be legal and has a part in, and the
 * self-running fluents it has a part in. */
static void find_openings(Causes *k, Crossing *candidates, size_t count) {
    Influence *influence = k->s->d->influence;
    influence_forget(influence);
    const U32Vector *in_cone = influence_fluents(influence);
    bool *is_there = memory_zalloc(k->c->fluent_count + 1);
    for (size_t i = 0; i < in_cone->count; i++)
        is_there[in_cone->items[i]] = true;
    for (uint32_t lane = 0; lane < count; lane++)
        for (size_t i = 0; i < candidates[lane].literals.count; i++) {
            FluentLiteral x = candidates[lane].literals.items[i];
            if (is_there[x / 2])
                influence_give(influence, lane, signal_node(k->c->fluents[x / 2]), x & 1);
        }
    free(is_there);
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

/* Marks the literals of self-running fluents that came to be in these lanes. */
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
    bool **opens, **stops; /* by candidate, then as there: seen while it held; NULL if all that it
                              has a part in are moves */
    bool *held;            /* by candidate: at some time */
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

/* What was seen to change behind the candidate lies behind it, the others rest there. */
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

/* A fluent that runs by itself lies behind a candidate only if it was seen to, where the candidate
 * was seen at all. */
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
        free(w.opens[i]);
        free(w.stops[i]);
    }
    free(w.opens);
    free(w.stops);
    free(w.held);
}

static bool is_crossing(const Causes *k, const Crossing *candidate) {
    for (size_t i = 0; i < candidate->opens.count; i++)
        for (size_t j = 0; j < candidate->literals.count; j++) {
            FluentLiteral x = candidate->literals.items[j];
            bool itself = candidate->literals.count == 1 && candidate->opens.items[i] == x;
            if (!itself &&
                (candidate->opens.items[i] == x || reaches(k, candidate->opens.items[i], x)))
                return false;
        }
    return candidate->opens.count > 0;
}

/* Literals one step back, looking through moves. */
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

static bool holds_all(const U32Vector *literals, const U32Vector *wanted) {
    for (size_t i = 0; i < wanted->count; i++)
        if (!bsearch(&wanted->items[i], literals->items, literals->count, sizeof *literals->items,
                     compare_numbers))
            return false;
    return true;
}

/* More than is needed: it holds another one. */
static bool is_excessive(const Causes *k, size_t id) {
    const U32Vector *literals = &k->candidates.items[id].literals;
    for (size_t other = 0; other < k->candidates.count; other++)
        if (other != id && holds_all(literals, &k->candidates.items[other].literals))
            return true;
    return false;
}

static bool opens_moves(const Causes *k, const Crossing *crossing) {
    for (size_t i = 0; i < crossing->opens.count; i++)
        if (crossing->opens.items[i] >= k->literals)
            return true;
    return false;
}

/* Nobody waits for what holds at the start, nor for what may as well hold as not. */
static void drop_what_is_not_waited_for(const Causes *k, U32Vector *preconditions) {
    U32Vector kept = {0};
    for (size_t i = 0; i < preconditions->count; i++) {
        FluentLiteral x = preconditions->items[i];
        if (k->c->initial[x / 2] != (x & 1) && !lists(preconditions, x ^ 1))
            vector_push(&kept, x);
    }
    if (preconditions->count && !kept.count)
        vector_push(&kept,
                    2 * (preconditions->items[0] / 2) + k->c->initial[preconditions->items[0] / 2]);
    vector_free(preconditions);
    *preconditions = kept;
}

/* The first step of the game, or a link of a chain: behind one that is not excessive. Of what runs
 * by itself, a step that opens moves is neither, and other steps are if they wait for one only. */
static bool is_superfluous(const Causes *k, size_t id, const bool *excessive,
                           U32Vector *preconditions) {
    const Crossing *crossing = &k->candidates.items[id];
    list_preconditions(k, crossing, preconditions);
    if (crossing->literals.count == 1 && k->s->is_idle[crossing->literals.items[0] / 2]) {
        if (opens_moves(k, crossing))
            return false;
        drop_what_is_not_waited_for(k, preconditions);
    }
    bool is_first = preconditions->count > 0;
    for (size_t i = 0; i < preconditions->count; i++) {
        FluentLiteral x = preconditions->items[i];
        is_first &= x == preconditions->items[0] && k->c->initial[x / 2] == (x & 1);
    }
    for (size_t other = 0; other < k->candidates.count && !is_first; other++)
        if (other != id && !excessive[other] && preconditions->count &&
            holds_all(&k->candidates.items[other].literals, preconditions))
            return true;
    return is_first;
}

/* Candidates that are none are dropped, then the superfluous ones among the rest. */
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
            free_crossing(&k->candidates.items[i]);
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
            free_crossing(&k->candidates.items[i]);
        else
            vector_push(&k->s->crossings, k->candidates.items[i]);
    }
    free(excessive);
    free(superfluous);
    vector_free(&preconditions);
}

void stats_find_crossings(Stats *stats, Deadline deadline) {
    const Circuit *c = stats->d->circuit;
    Causes k = {.s = stats,
                .c = c,
                .literals = 2 * c->fluent_count,
                .vertices = 2 * c->fluent_count + c->move_count};
    stats_clear_crossings(stats);
    add_arcs(&k);
    k.part = memory_alloc((k.vertices + 1) * sizeof *k.part);
    k.parts = components_find(k.vertices, k.out.starts, k.out.targets, k.part);
    if (k.parts <= PARTS_AT_MOST) {
        k.is_hinge = memory_zalloc(k.literals + 1);
        close_over(&k);
        find_hinges(&k);
        find_candidates(&k);
        choose_crossings(&k, deadline);
    }
    vector_free(&k.edges);
    vector_free(&k.candidates);
    vector_free(&k.beside);
    free(k.beside_of);
    graph_free(&k.out);
    graph_free(&k.in);
    table_free(&k.known);
    free(k.part);
    free(k.reach);
    free(k.leads_to_moves);
    free(k.is_hinge);
}

void stats_clear_crossings(Stats *stats) {
    for (size_t i = 0; i < stats->crossings.count; i++)
        free_crossing(&stats->crossings.items[i]);
    vector_clear(&stats->crossings);
}
