/* Finds sub-goals by trial: every gate under the goals is set to both values in turn, 256 gates at
 * a time. A gate is skipped if it lies above one that was found and is worth as much, because it is
 * not minimal. A gate that is worth more is found too: if a mark is worth something and a line of
 * marks more, the line ties its marks. Only if it is made of nothing but smaller achievements, such
 * as the victories on several boards, does it tie nothing. */
#include "analysis/decompose/subgoals.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"
#include "game/goal.h"

enum { GATES_AT_ONCE = LANES / 2 /* gates tried in one pass; each takes two lanes */ };

typedef struct {
    uint32_t role;
    int value;
    Signal signal;
} Score;

typedef struct {
    const Game *game;
    Influence *influence; /* influence analysis, focused on all goals */
    VECTOR(Score) scores;
    const U32Vector *turns; /* turn markers, only `turn` being true; NULL if open */
    uint32_t turn;
    int *best, *worst; /* by role: its greatest and its least goal value */
    /* By node: the greatest rank of the conditions at it or below it, and of those that are places;
     * 0 if there is none. */
    uint16_t *rank_below, *place_below;
    bool *is_composed;  /* by node: it is a condition, or made of conditions and clocks only */
    bool is_contested;  /* several roles have a choice */
    const bool *clocks; /* by fluent: it depends on no move; NULL if that does not matter */
    uint8_t *owned;     /* by fluent: see is_common */
    Influence *under;   /* influence analysis of single gates */
    uint8_t *possible; /* by node: bit 0 if it can be false at this turn, bit 1 if it can be true */
    SubGoals *found;
} Seeker;

static void drop_from(SubGoals *found, size_t first) {
    for (size_t i = first; i < found->count; i++)
        vector_free(&found->items[i].fluents);
    found->count = first;
}

void subgoals_free(SubGoals *subgoals) {
    drop_from(subgoals, 0);
    vector_free(subgoals);
}

static void list_scores(Seeker *k) {
    const Circuit *c = k->game->circuit;
    for (uint32_t r = 0; r < c->role_count; r++) {
        k->best[r] = -1;
        k->worst[r] = INT32_MAX;
    }
    for (size_t i = 0; i < c->goals.count; i++) {
        const CircuitOutput *goal = &c->goals.items[i];
        int value = goal_join(GOAL_NONE, grounding_terms(k->game->grounding), goal->term);
        if (value < 0 || goal->signal == SIGNAL_FALSE)
            continue;
        vector_push(&k->scores, ((Score){goal->role, value, goal->signal}));
        if (value > k->best[goal->role])
            k->best[goal->role] = value;
        if (value < k->worst[goal->role])
            k->worst[goal->role] = value;
    }
}

/* What the values of gates are worth, one lane per fact. */
typedef struct {
    LaneMask victories, shared; /* victory conditions; what the best score of each role needs */
    uint16_t rank[LANES];       /* 0 if the fact is worth nothing */
} Worth;

/* Ranks of facts. One that makes a score certain has a rank above RANK_NOT_WORST by the score. */
enum {
    RANK_NOT_WORST = 1,           /* it rules out the worst score */
    RANK_NEEDED = UINT16_MAX - 1, /* the best score needs it */
    RANK_VICTORY = UINT16_MAX     /* it makes the best score certain */
};

static void raise_ranks(Worth *worth, LaneMask lanes, int rank) {
    for (uint32_t w = 0; w < LANE_WORDS; w++)
        for (uint64_t left = lanes.words[w]; left; left &= left - 1) {
            uint16_t *r = &worth->rank[w * 64 + (uint32_t)__builtin_ctzll(left)];
            *r = *r < rank ? (uint16_t)rank : *r;
        }
}

/* Adds what the facts are worth to the role of a score that can be certain or impossible. */
static void add_worth(const Seeker *k, const Score *s, Worth *worth) {
    const uint64_t even = 0x5555555555555555; /* a pair of lanes has the two values of a gate */
    LaneMask may_hold = influence_may_be(k->influence, s->signal, true);
    LaneMask may_fail = influence_may_be(k->influence, s->signal, false);
    LaneMask needed, certain, impossible;
    for (int w = 0; w < LANE_WORDS; w++) {
        impossible.words[w] = ~may_hold.words[w];
        certain.words[w] = ~may_fail.words[w];
        needed.words[w] = (impossible.words[w] & even) << 1 | (impossible.words[w] >> 1 & even);
    }
    if (s->value == k->best[s->role]) {
        raise_ranks(worth, needed, k->is_contested ? RANK_NEEDED : RANK_VICTORY);
        raise_ranks(worth, certain, RANK_VICTORY);
        for (int w = 0; w < LANE_WORDS; w++) {
            worth->victories.words[w] |= certain.words[w];
            worth->shared.words[w] &= needed.words[w];
        }
    } else if (s->value > k->worst[s->role])
        raise_ranks(worth, certain, RANK_NOT_WORST + s->value);
    else
        raise_ranks(worth, impossible, RANK_NOT_WORST);
}

static void evaluate_candidates(const Seeker *k, Worth *worth) {
    memset(worth, 0, sizeof *worth);
    memset(&worth->shared, 0xff, sizeof worth->shared);
    for (size_t i = 0; i < k->scores.count; i++)
        if (k->best[k->scores.items[i].role] != k->worst[k->scores.items[i].role])
            add_worth(k, &k->scores.items[i], worth);
}

static void add_fluents_under(Influence *under, uint32_t node, U32Vector *fluents) {
    assert(fluents->count == 0);
    Signal signal = 2 * node;
    influence_list(under, &signal, 1);
    u32_append(fluents, influence_fluents(under));
    vector_sort(fluents, u32_compare);
}

#define LITERAL_NONE UINT32_MAX

/* Returns a literal, 2 * fluent + value, that alone gives the gate this value: then the gate is a
 * place on a board, not an achievement. LITERAL_NONE if there is none. */
static uint32_t deciding_literal(Influence *influence, Signal gate) {
    influence_focus(influence, &gate, 1);
    const U32Vector *fluents = influence_fluents(influence);
    for (size_t first = 0; first < fluents->count; first += GATES_AT_ONCE) {
        uint32_t count = (uint32_t)(fluents->count - first);
        count = count < GATES_AT_ONCE ? count : GATES_AT_ONCE;
        influence_forget(influence);
        for (uint32_t i = 0; i < 2 * count; i++)
            influence_give_fluent(influence, i, fluents->items[first + i / 2], i & 1);
        influence_evaluate(influence);
        LaneMask may_fail = influence_may_be(influence, gate, false);
        for (uint32_t i = 0; i < 2 * count; i++)
            if (!bitset_get(may_fail.words, i))
                return 2 * fluents->items[first + i / 2] + (i & 1);
    }
    return LITERAL_NONE;
}

/* True if the role can bring the literal about while all others make moves that do not bear on it.
 * `moves` are those that do, ascending. */
static bool can_bring_about(Seeker *k, uint32_t role, uint32_t literal, const U32Vector *moves) {
    const Circuit *c = k->game->circuit;
    Signal next = c->next[literal / 2];
    influence_focus(k->under, &next, 1);
    for (size_t first = 0; first < moves->count; first += LANES) {
        uint32_t count = (uint32_t)(moves->count - first);
        count = count < LANES ? count : LANES;
        influence_forget(k->under);
        for (uint32_t i = 0; i < count; i++) {
            influence_give_fluent(k->under, i, literal / 2, !(literal & 1));
            influence_give_move(k->under, i, moves->items[first + i]);
            for (uint32_t r = 0; r < c->role_count; r++)
                for (uint32_t m = c->first_move[r]; r != role && m < c->first_move[r + 1]; m++)
                    if (!u32_contains(moves, m)) {
                        influence_give_move(k->under, i, m);
                        break;
                    }
        }
        influence_evaluate(k->under);
        LaneMask may = influence_may_be(k->under, next, literal & 1);
        for (uint32_t i = 0; i < count; i++)
            if (moves->items[first + i] >= c->first_move[role] &&
                moves->items[first + i] < c->first_move[role + 1] && bitset_get(may.words, i))
                return true;
    }
    return false;
}

/* True if every role with a choice can bring the literal about. */
static bool is_common(Seeker *k, uint32_t literal) {
    const Circuit *c = k->game->circuit;
    enum { UNKNOWN, COMMON, OWNED };
    if (k->owned[literal] != UNKNOWN)
        return k->owned[literal] == COMMON;
    k->owned[literal] = COMMON;
    influence_list(k->under, &c->next[literal / 2], 1);
    U32Vector moves = {0};
    u32_append(&moves, influence_moves(k->under));
    vector_sort(&moves, u32_compare);
    for (uint32_t r = 0; r < c->role_count; r++)
        if (c->first_move[r + 1] - c->first_move[r] > 1 && !can_bring_about(k, r, literal, &moves))
            k->owned[literal] = OWNED;
    vector_free(&moves);
    return k->owned[literal] == COMMON;
}

/* Returns the greatest rank, in the given array, of the operands of the node. */
static uint16_t rank_of_operands(const Seeker *k, uint32_t node, const uint16_t *ranks) {
    const AigNode *n = &k->game->circuit->aig.nodes.items[node];
    if (n->a == SIGNAL_NONE)
        return 0;
    uint16_t a = ranks[signal_node(n->a)], b = ranks[signal_node(n->b)];
    return a > b ? a : b;
}

static bool is_composed(const Seeker *k, uint32_t node) {
    const AigNode *n = &k->game->circuit->aig.nodes.items[node];
    return k->is_composed[node] || (n->a != SIGNAL_NONE && k->is_composed[signal_node(n->a)] &&
                                    k->is_composed[signal_node(n->b)]);
}

/* Hides the gates above that are worth no more. Places hide only places. */
static void hide_above(Seeker *k, uint32_t node, uint16_t rank, bool is_place) {
    uint16_t *hides = is_place ? &k->place_below[node] : &k->rank_below[node];
    *hides = rank > *hides ? rank : *hides;
}

/* Takes the values of a gate that are conditions. Where roles compete, a place that one of them
 * needs is worth nothing alone, since others decide whether the rest can be had. What all of them
 * need or can bring about, such as an empty heap, is no such place, nor is one that wins. What
 * needs a time or a turn is hidden; its other operands count. */
static void take_gate(Seeker *k, uint32_t node, uint32_t lane, const Worth *worth) {
    uint16_t below = k->rank_below[node] = rank_of_operands(k, node, k->rank_below);
    uint16_t places = k->place_below[node] = rank_of_operands(k, node, k->place_below);
    bool is_clock =
        k->game->circuit->aig.nodes.items[node].a == SIGNAL_NONE && k->is_composed[node];
    bool composed = k->is_composed[node] = is_composed(k, node);
    for (uint32_t value = 0; value < 2; value++) {
        uint16_t rank = worth->rank[lane + value];
        if (!(k->possible[node] & 1U << value) || rank <= below)
            continue;
        if (composed && below) {
            hide_above(k, node, rank, false);
            continue;
        }
        bool is_shared = k->is_contested && bitset_get(worth->shared.words, lane + value);
        if (is_clock)
            rank = RANK_VICTORY;
        uint32_t literal = deciding_literal(k->under, 2 * node + !value);
        bool place = k->is_contested && rank < RANK_VICTORY && !is_shared &&
                     literal != LITERAL_NONE && !is_common(k, literal);
        if (place && rank <= places)
            continue;
        hide_above(k, node, rank, place);
        k->is_composed[node] |= !place && (rank >= RANK_NEEDED || literal == LITERAL_NONE);
        vector_push(k->found,
                    ((SubGoal){.is_victory = bitset_get(worth->victories.words, lane + value),
                               .is_shared = is_shared,
                               .value = value,
                               .node = node,
                               .subgame = UINT32_MAX}));
    }
}

/* Fixes, in the first lanes, the values of the turn markers that the outputs depend on. */
static void give_turn(const Seeker *k, uint32_t lane_count) {
    assert(lane_count <= LANES);
    for (size_t i = 0; k->turns && i < k->turns->count; i++)
        for (uint32_t lane = 0; lane < lane_count; lane++)
            influence_give_fluent(k->influence, lane, k->turns->items[i],
                                  k->turns->items[i] == k->turn);
}

/* Finds the values that the nodes under the outputs can have at this turn. */
static void find_possible(Seeker *k) {
    const U32Vector *nodes = influence_nodes(k->influence);
    influence_forget(k->influence);
    give_turn(k, 1);
    influence_evaluate(k->influence);
    for (size_t i = 0; i < nodes->count; i++)
        for (uint32_t value = 0; value < 2; value++) {
            LaneMask may = influence_may_be(k->influence, 2 * nodes->items[i], value);
            if (bitset_get(may.words, 0))
                k->possible[nodes->items[i]] |= (uint8_t)(1U << value);
        }
}

static void look_at_gates(Seeker *k, const uint32_t *nodes, uint32_t count) {
    assert(count <= GATES_AT_ONCE);
    influence_forget(k->influence);
    give_turn(k, 2 * count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t value = 0; value < 2; value++)
            influence_give(k->influence, 2 * i + value, nodes[i], value);
    influence_evaluate(k->influence);
    Worth worth;
    evaluate_candidates(k, &worth);
    for (uint32_t i = 0; i < count; i++)
        if (nodes[i] != 0)
            take_gate(k, nodes[i], 2 * i, &worth);
}

/* Focuses on the outputs in the list of scores. */
static void focus_on_scores(Seeker *k) {
    U32Vector outputs = {0};
    for (size_t i = 0; i < k->scores.count; i++)
        vector_push(&outputs, k->scores.items[i].signal);
    influence_focus(k->influence, outputs.items, outputs.count);
    vector_free(&outputs);
}

/* Tries all gates under the scores. False if time ran out. */
static bool look_at_all(Seeker *k, Deadline deadline) {
    focus_on_scores(k);
    find_possible(k);
    const U32Vector *nodes = influence_nodes(k->influence);
    size_t at = 0;
    while (at < nodes->count && !deadline_passed(deadline)) {
        uint32_t chosen[GATES_AT_ONCE], count = 0;
        for (; at < nodes->count && count < GATES_AT_ONCE; at++)
            if (rank_of_operands(k, nodes->items[at], k->rank_below) == RANK_VICTORY)
                k->rank_below[nodes->items[at]] = RANK_VICTORY;
            else
                chosen[count++] = nodes->items[at];
        look_at_gates(k, chosen, count);
    }
    return at == nodes->count;
}

/* Marks the nodes that are made of nothing: constants and clocks. */
static void mark_clocks(Seeker *k) {
    const Circuit *c = k->game->circuit;
    k->is_composed[0] = true;
    for (uint32_t f = 0; f < c->fluent_count && k->clocks; f++)
        k->is_composed[signal_node(c->fluents[f])] |= k->clocks[f];
}

/* Adds the conditions of the seeker's scores to the result. False if time ran out. */
static bool seek(Seeker *k, Deadline deadline) {
    const Circuit *c = k->game->circuit;
    size_t first = k->found->count;
    k->rank_below = memory_zalloc((c->aig.nodes.count + 1) * sizeof *k->rank_below);
    k->place_below = memory_zalloc((c->aig.nodes.count + 1) * sizeof *k->place_below);
    k->is_composed = memory_zalloc(c->aig.nodes.count + 1);
    k->possible = memory_zalloc(c->aig.nodes.count + 1);
    k->owned = memory_zalloc(2 * c->fluent_count + 2);
    k->under = influence_create(c);
    mark_clocks(k);
    bool is_complete = look_at_all(k, deadline);
    for (size_t i = first; i < k->found->count; i++) {
        if (deadline_passed(deadline)) {
            drop_from(k->found, i);
            is_complete = false;
        } else {
            add_fluents_under(k->under, k->found->items[i].node, &k->found->items[i].fluents);
        }
    }
    influence_free(k->under);
    vector_free(&k->scores);
    memory_free(k->rank_below, k->place_below, k->is_composed, k->owned, k->possible);
    return is_complete;
}

/* True if several roles have a choice between moves. */
static bool is_contested(const Circuit *c) {
    uint32_t choosing = 0;
    for (uint32_t r = 0; r < c->role_count; r++)
        choosing += c->first_move[r + 1] - c->first_move[r] > 1;
    return choosing > 1;
}

bool subgoals_find(const Game *game, Influence *influence, const bool *clocks, Deadline deadline,
                   SubGoals *found) {
    uint32_t roles = game->circuit->role_count;
    Seeker k = {.game = game,
                .influence = influence,
                .clocks = clocks,
                .is_contested = is_contested(game->circuit),
                .found = found};
    k.best = memory_alloc((roles + 1) * sizeof *k.best);
    k.worst = memory_alloc((roles + 1) * sizeof *k.worst);
    list_scores(&k);
    bool is_complete = seek(&k, deadline);
    memory_free(k.best, k.worst);
    return is_complete;
}

bool subgoals_find_ends(const Game *game, Influence *influence, Deadline deadline,
                        const U32Vector *turns, uint32_t turn, SubGoals *found) {
    int best = 1, worst = 0;
    Seeker k = {.game = game,
                .influence = influence,
                .found = found,
                .turns = turns,
                .turn = turn,
                .best = &best,
                .worst = &worst};
    vector_push(&k.scores, ((Score){0, 1, game->circuit->terminal}));
    return seek(&k, deadline);
}

#define PART_NONE UINT32_MAX
#define PART_SEVERAL (UINT32_MAX - 1)

typedef struct {
    Seeker *k;
    const Circuit *c;
    uint32_t *part; /* by node: the part of its fluents, PART_NONE or PART_SEVERAL */
    uint32_t *gate; /* by part: the node through which goals depend on it; 0 if unknown */
    uint8_t *sense; /* by node: value required: 1 true, 2 false, 3 both, 0 none */
    uint32_t part_count;
} Parts;

/* Finds the part of every node. False if some input is no fluent. */
static bool place_nodes(Parts *w, const uint32_t *part_of) {
    const U32Vector *nodes = influence_nodes(w->k->influence);
    const U32Vector *fluents = influence_fluents(w->k->influence);
    bool *is_fluent = memory_zalloc(w->c->aig.nodes.count + 1);
    for (size_t i = 0; i < fluents->count; i++) {
        uint32_t node = signal_node(w->c->fluents[fluents->items[i]]);
        is_fluent[node] = true;
        w->part[node] = part_of[fluents->items[i]];
    }
    bool all_known = true;
    for (size_t i = 0; i < nodes->count; i++) {
        uint32_t n = nodes->items[i];
        if (!aig_is_and(&w->c->aig, n)) {
            all_known &= is_fluent[n] || n == 0;
            continue;
        }
        uint32_t a = signal_node(w->c->aig.nodes.items[n].a);
        uint32_t b = signal_node(w->c->aig.nodes.items[n].b);
        uint32_t p = w->part[a], q = w->part[b];
        w->part[n] = p == PART_NONE ? q : q == PART_NONE || p == q ? p : PART_SEVERAL;
    }
    free(is_fluent);
    return all_known;
}

/* Notes the node as the gate of its part, if it has one. False if the part has another gate. */
static bool note_gate(Parts *w, uint32_t node) {
    uint32_t part = w->part[node];
    assert(part == PART_NONE || part == PART_SEVERAL || part < w->part_count);
    if (part == PART_NONE || part == PART_SEVERAL)
        return true;
    if (w->gate[part] && w->gate[part] != node)
        return false;
    w->gate[part] = node;
    return true;
}

/* Finds the gate of each part: a node of a single part that is a goal or an operand of a gate of
 * several parts. False if some part has more than one. */
static bool find_gates(Parts *w) {
    const U32Vector *nodes = influence_nodes(w->k->influence);
    bool is_one = true;
    for (size_t i = 0; i < w->k->scores.count; i++)
        is_one &= note_gate(w, signal_node(w->k->scores.items[i].signal));
    for (size_t i = 0; i < nodes->count && is_one; i++) {
        uint32_t n = nodes->items[i];
        if (!aig_is_and(&w->c->aig, n) || w->part[n] != PART_SEVERAL)
            continue;
        is_one = note_gate(w, signal_node(w->c->aig.nodes.items[n].a)) &&
                 note_gate(w, signal_node(w->c->aig.nodes.items[n].b));
    }
    return is_one;
}

/* Notes that the best score requires this value of the signal. */
static void ask(Parts *w, Signal signal, uint8_t sense) {
    uint8_t opposite = (uint8_t)((sense & 1) << 1 | sense >> 1);
    w->sense[signal_node(signal)] |= signal & 1 ? opposite : sense;
}

/* Finds the values that the best score of the role requires of the gates. False if it requires both
 * values of one gate, or if the required values together do not suffice. */
static bool are_enough(Parts *w, uint32_t role) {
    Seeker *k = w->k;
    const U32Vector *nodes = influence_nodes(k->influence);
    memset(w->sense, 0, w->c->aig.nodes.count + 1);
    for (size_t i = 0; i < k->scores.count; i++)
        if (k->scores.items[i].role == role && k->scores.items[i].value == k->best[role])
            ask(w, k->scores.items[i].signal, 1);
    for (size_t i = nodes->count; i-- > 0;) {
        uint32_t n = nodes->items[i];
        if (!aig_is_and(&w->c->aig, n) || w->part[n] != PART_SEVERAL)
            continue;
        ask(w, w->c->aig.nodes.items[n].a, w->sense[n]);
        ask(w, w->c->aig.nodes.items[n].b, w->sense[n]);
    }
    influence_forget(k->influence);
    for (uint32_t p = 0; p < w->part_count; p++) {
        if (w->gate[p] == 0 || w->sense[w->gate[p]] == 0)
            continue;
        if (w->sense[w->gate[p]] == 3)
            return false;
        influence_give(k->influence, 0, w->gate[p], w->sense[w->gate[p]] == 1);
    }
    influence_evaluate(k->influence);
    for (size_t i = 0; i < k->scores.count; i++) {
        LaneMask may_fail = influence_may_be(k->influence, k->scores.items[i].signal, false);
        if (k->scores.items[i].role == role && k->scores.items[i].value == k->best[role] &&
            !bitset_get(may_fail.words, 0))
            return true;
    }
    return false;
}

/* True if the goals depend on several parts, on each of them through its gate. */
static bool all_have_gates(const Parts *w, const uint32_t *part_of) {
    const U32Vector *fluents = influence_fluents(w->k->influence);
    for (size_t i = 0; i < fluents->count; i++)
        if (part_of[fluents->items[i]] != PART_NONE && !w->gate[part_of[fluents->items[i]]])
            return false;
    uint32_t count = 0;
    for (uint32_t p = 0; p < w->part_count; p++)
        count += w->gate[p] != 0;
    return count > 1;
}

/* True if the best score requires of each gate a value that no single fluent brings about. */
static bool are_worth_something(const Parts *w) {
    for (uint32_t p = 0; p < w->part_count; p++)
        if (w->gate[p] &&
            (!w->sense[w->gate[p]] ||
             deciding_literal(w->k->influence, 2 * w->gate[p] + (w->sense[w->gate[p]] == 2)) !=
                 LITERAL_NONE))
            return false;
    return true;
}

static void take_gates(const Parts *w, SubGoals *found) {
    Influence *under = influence_create(w->c);
    for (uint32_t p = 0; p < w->part_count; p++) {
        if (w->gate[p] == 0)
            continue;
        SubGoal goal = {.value = w->sense[w->gate[p]] != 2, .node = w->gate[p], .subgame = p};
        add_fluents_under(under, w->gate[p], &goal.fluents);
        vector_push(found, goal);
    }
    influence_free(under);
}

bool subgoals_find_by_part(const Game *game, Influence *influence, const uint32_t *part_of,
                           uint32_t part_count, SubGoals *found) {
    const Circuit *c = game->circuit;
    Seeker k = {.game = game, .influence = influence};
    k.best = memory_alloc((c->role_count + 1) * sizeof *k.best);
    k.worst = memory_alloc((c->role_count + 1) * sizeof *k.worst);
    list_scores(&k);
    focus_on_scores(&k);
    Parts w = {.k = &k, .c = c, .part_count = part_count};
    w.part = u32_none(c->aig.nodes.count);
    w.sense = memory_zalloc(c->aig.nodes.count + 1);
    w.gate = memory_zalloc((part_count + 1) * sizeof *w.gate);
    bool is_found = place_nodes(&w, part_of) && find_gates(&w) && all_have_gates(&w, part_of);
    for (uint32_t r = 0; r < c->role_count && is_found; r++) {
        focus_on_scores(&k);
        is_found = are_enough(&w, r) && are_worth_something(&w);
    }
    if (is_found && found)
        take_gates(&w, found);
    memory_free(w.part, w.sense, w.gate, k.best, k.worst);
    vector_free(&k.scores);
    return is_found;
}
