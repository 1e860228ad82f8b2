/* Finds sub-goals by trial: every gate under the goals is set to both values in turn, 256 gates at
 * a time. Gates above one that was found are skipped, because they are not minimal. */
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
    uint8_t *is_above; /* by node: it was found, or it lies above a node that was found */
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

/* Finds the lanes whose fact is a victory condition, and those whose fact is a sub-goal. */
static void evaluate_candidates(const Seeker *k, LaneMask *victories, LaneMask *subgoals) {
    const uint64_t even = 0x5555555555555555; /* a pair of lanes has the two values of a gate */
    memset(victories, 0, sizeof *victories);
    memset(subgoals, 0, sizeof *subgoals);
    for (size_t i = 0; i < k->scores.count; i++) {
        const Score *s = &k->scores.items[i];
        if (k->best[s->role] == k->worst[s->role])
            continue;
        LaneMask may_hold = influence_may_be(k->influence, s->signal, true);
        LaneMask may_fail = influence_may_be(k->influence, s->signal, false);
        for (int w = 0; w < LANE_WORDS; w++) {
            uint64_t impossible = ~may_hold.words[w], certain = ~may_fail.words[w];
            if (s->value == k->best[s->role]) {
                victories->words[w] |= certain;
                subgoals->words[w] |= (impossible & even) << 1 | (impossible >> 1 & even);
            }
            if (s->value > k->worst[s->role])
                subgoals->words[w] |= certain;
            if (s->value == k->worst[s->role])
                subgoals->words[w] |= impossible;
        }
    }
}

static void add_fluents_under(Influence *under, uint32_t node, U32Vector *fluents) {
    assert(fluents->count == 0);
    Signal signal = 2 * node;
    influence_list(under, &signal, 1);
    u32_append(fluents, influence_fluents(under));
    vector_sort(fluents, u32_compare);
}

static bool is_above_found(const Seeker *k, uint32_t node) {
    const AigNode *n = &k->game->circuit->aig.nodes.items[node];
    return n->a != SIGNAL_NONE &&
           (k->is_above[signal_node(n->a)] || k->is_above[signal_node(n->b)]);
}

static void take_gate(Seeker *k, uint32_t node, uint32_t lane, const LaneMask *victories,
                      const LaneMask *subgoals) {
    k->is_above[node] = is_above_found(k, node);
    if (k->is_above[node])
        return;
    for (uint32_t value = 0; value < 2; value++) {
        bool victory = bitset_get(victories->words, lane + value);
        if (!(k->possible[node] & 1U << value) ||
            (!victory && !bitset_get(subgoals->words, lane + value)))
            continue;
        k->is_above[node] = 1;
        vector_push(
            k->found,
            ((SubGoal){
                .is_victory = victory, .value = value, .node = node, .subgame = UINT32_MAX}));
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
    LaneMask victories, subgoals;
    evaluate_candidates(k, &victories, &subgoals);
    for (uint32_t i = 0; i < count; i++)
        if (nodes[i] != 0)
            take_gate(k, nodes[i], 2 * i, &victories, &subgoals);
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
            if (is_above_found(k, nodes->items[at]))
                k->is_above[nodes->items[at]] = 1;
            else
                chosen[count++] = nodes->items[at];
        look_at_gates(k, chosen, count);
    }
    return at == nodes->count;
}

/* Adds the conditions of the seeker's scores to the result. False if time ran out. */
static bool seek(Seeker *k, Deadline deadline) {
    const Circuit *c = k->game->circuit;
    size_t first = k->found->count;
    k->is_above = memory_zalloc(c->aig.nodes.count + 1);
    k->possible = memory_zalloc(c->aig.nodes.count + 1);
    bool is_complete = look_at_all(k, deadline);
    Influence *under = influence_create(c);
    for (size_t i = first; i < k->found->count; i++) {
        if (deadline_passed(deadline)) {
            drop_from(k->found, i);
            is_complete = false;
        } else {
            add_fluents_under(under, k->found->items[i].node, &k->found->items[i].fluents);
        }
    }
    influence_free(under);
    vector_free(&k->scores);
    memory_free(k->is_above, k->possible);
    return is_complete;
}

bool subgoals_find(const Game *game, Influence *influence, Deadline deadline, SubGoals *found) {
    uint32_t roles = game->circuit->role_count;
    Seeker k = {.game = game, .influence = influence, .found = found};
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

/* True if one fluent can make the gate true, a place on a board rather than an achievement. */
static bool is_up_to_one_fluent(Influence *influence, Signal gate) {
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
                return true;
    }
    return false;
}

/* True if the best score requires of each gate a value that no single fluent brings about. */
static bool are_worth_something(const Parts *w) {
    for (uint32_t p = 0; p < w->part_count; p++)
        if (w->gate[p] &&
            (!w->sense[w->gate[p]] ||
             is_up_to_one_fluent(w->k->influence, 2 * w->gate[p] + (w->sense[w->gate[p]] == 2))))
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
