/* Evaluates 512 cases at once in three-valued logic. A value takes two bits per lane, "may be true"
 * and "may be false", so that a conjunction is one `and` and one `or` for all lanes. Only the nodes
 * of the cone are evaluated. Loops start from false and are repeated until nothing changes. */
#include "analysis/facts/influence.h"

#include <assert.h>
#include <string.h>

#include "analysis/circuit_index.h"
#include "base/bitset.h"
#include "base/cpu.h"

#define NOWHERE UINT32_MAX

typedef struct {
    Lanes on;    /* lanes in which the node's value is given */
    Lanes value; /* the given value in these lanes */
} Fact;

typedef struct {
    uint32_t first, end; /* places of the first gate to repeat and of the one after the last */
    U32Vector variables; /* places of the loop's variables */
    U32Vector updates;   /* signals of the circuit: the next value of each variable */
} ConeLoop;

struct Influence {
    const Circuit *circuit;
    CircuitIndex index;
    uint32_t *role_of; /* by move: its role */
    uint32_t *place; /* by node: its index in `nodes`, called its place; NOWHERE outside the cone */
    U32Vector nodes; /* nodes of the cone, ascending after influence_focus */
    U32Vector fluents, moves; /* fluents and moves of the cone */
    U32Vector outputs;        /* signals that the analysis is focused on */
    VECTOR(ConeLoop) loops;   /* loops of the cone */
    U32Vector stack;          /* nodes that still have to be visited */
    Lanes *rows;              /* memory of the next seven arrays */
    Lanes *may[2];       /* by place: lanes in which it may be false, and in which it may be true */
    Lanes *used[2];      /* by place: lanes in which outputs use it negated, and plain */
    Lanes *below;        /* by place: lanes in which the given move lies below it */
    Lanes *on_path[2];   /* by place: lanes with it on a path to the move, by sign */
    uint32_t *fact_at;   /* by place: index of its fact in `facts`, or NOWHERE */
    U32Vector with_fact; /* places with a fact */
    Fact *facts;
    size_t fact_count, fact_capacity;
    size_t capacity;     /* number of places that the arrays by place have room for */
    Lanes *role_lanes;   /* by role: lanes in which its move is given */
    Lanes *output_lanes; /* by output: lanes in which it counts */
    size_t output_capacity;
};

Influence *influence_create(const Circuit *c) {
    assert(c);
    Influence *i = memory_zalloc(sizeof *i);
    i->circuit = c;
    i->index = circuit_index_create(c);
    i->role_of = circuit_roles_of_moves(c);
    i->place = u32_none(c->aig.nodes.count);
    i->role_lanes = lanes_alloc(c->role_count + 1);
    return i;
}

static void forget_cone(Influence *i) {
    for (size_t n = 0; n < i->nodes.count; n++)
        i->place[i->nodes.items[n]] = NOWHERE;
    for (size_t l = 0; l < i->loops.count; l++)
        vectors_free(&i->loops.items[l].variables, &i->loops.items[l].updates);
    vector_clear(&i->loops);
    vector_clear(&i->nodes);
    vector_clear(&i->fluents);
    vector_clear(&i->moves);
    vector_clear(&i->outputs);
}

void influence_free(Influence *i) {
    if (!i)
        return;
    forget_cone(i);
    vectors_free(&i->loops, &i->nodes, &i->fluents, &i->moves, &i->outputs, &i->stack,
                 &i->with_fact);
    circuit_index_free(&i->index);
    memory_free(i->rows, i->fact_at, i->facts, i->place, i->role_of, i->role_lanes, i->output_lanes,
                i);
}

static void reach(Influence *i, uint32_t node) {
    if (i->place[node] != NOWHERE)
        return;
    i->place[node] = 0;
    vector_push(&i->stack, node);
    vector_push(&i->nodes, node);
}

static void reach_operands(Influence *i, uint32_t node) {
    const Aig *aig = &i->circuit->aig;
    if (aig_is_and(aig, node)) {
        reach(i, signal_node(aig->nodes.items[node].a));
        reach(i, signal_node(aig->nodes.items[node].b));
    } else if (i->index.fluent_of[node] != NOWHERE) {
        vector_push(&i->fluents, i->index.fluent_of[node]);
    } else if (i->index.move_of[node] != NOWHERE) {
        vector_push(&i->moves, i->index.move_of[node]);
    } else if (i->index.update_of[node] != SIGNAL_NONE) {
        reach(i, signal_node(i->index.update_of[node]));
    }
}

static uint32_t first_place_from(const Influence *i, uint32_t node) {
    size_t low = 0, high = i->nodes.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (i->nodes.items[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static void find_loops(Influence *i) {
    const Aig *aig = &i->circuit->aig;
    for (size_t l = 0; l < aig->loops.count; l++) {
        const AigLoop *loop = &aig->loops.items[l];
        ConeLoop found = {.first = first_place_from(i, loop->first_node),
                          .end = first_place_from(i, loop->end_node)};
        for (size_t v = 0; v < loop->variables.count; v++)
            if (i->place[loop->variables.items[v]] != NOWHERE) {
                vector_push(&found.variables, i->place[loop->variables.items[v]]);
                vector_push(&found.updates, loop->updates.items[v]);
            }
        if (found.variables.count)
            vector_push(&i->loops, found);
    }
}

static void make_room(Influence *i) {
    if (i->nodes.count <= i->capacity)
        return;
    i->capacity = i->nodes.count + i->nodes.count / 2;
    free(i->rows);
    i->rows = lanes_alloc(7 * i->capacity);
    Lanes **const arrays[7] = {&i->may[0], &i->may[1],     &i->used[0],   &i->used[1],
                               &i->below,  &i->on_path[0], &i->on_path[1]};
    for (size_t a = 0; a < 7; a++)
        *arrays[a] = i->rows + a * i->capacity;
    i->fact_at = memory_realloc(i->fact_at, i->capacity * sizeof *i->fact_at);
    memset(i->fact_at, 0xff, i->capacity * sizeof *i->fact_at);
}

/* Sorts the nodes for evaluation. For a large cone a scan over all places is quicker. */
static void put_in_order(Influence *i) {
    size_t all = i->circuit->aig.nodes.count;
    if (i->nodes.count < all / 16) {
        vector_sort(&i->nodes, u32_compare);
        return;
    }
    vector_clear(&i->nodes);
    for (uint32_t n = 0; n < all; n++)
        if (i->place[n] != NOWHERE)
            vector_push(&i->nodes, n);
}

void influence_list(Influence *i, const Signal *outputs, size_t count) {
    assert(outputs || !count);
    influence_forget(i);
    forget_cone(i);
    for (size_t o = 0; o < count; o++) {
        assert(signal_node(outputs[o]) < i->circuit->aig.nodes.count);
        vector_push(&i->outputs, outputs[o]);
        reach(i, signal_node(outputs[o]));
    }
    while (i->stack.count)
        reach_operands(i, vector_pop(&i->stack));
}

static void let_outputs_count(Influence *i, size_t count) {
    if (count > i->output_capacity) {
        free(i->output_lanes);
        i->output_lanes = lanes_alloc(count);
        i->output_capacity = count;
    }
    if (count)
        memset(i->output_lanes, 0xff, count * sizeof *i->output_lanes);
}

void influence_confine(Influence *i, size_t output, uint32_t first_lane, uint32_t count) {
    assert(output < i->outputs.count && first_lane + count <= LANES);
    i->output_lanes[output] = (Lanes){0};
    for (uint32_t lane = first_lane; lane < first_lane + count; lane++)
        bitset_set((uint64_t *)&i->output_lanes[output], lane);
}

void influence_focus(Influence *i, const Signal *outputs, size_t count) {
    influence_list(i, outputs, count);
    let_outputs_count(i, count);
    put_in_order(i);
    for (uint32_t p = 0; p < i->nodes.count; p++)
        i->place[i->nodes.items[p]] = p;
    find_loops(i);
    make_room(i);
    influence_forget(i);
}

const U32Vector *influence_nodes(const Influence *i) {
    return &i->nodes;
}

const U32Vector *influence_fluents(const Influence *i) {
    return &i->fluents;
}

const U32Vector *influence_moves(const Influence *i) {
    return &i->moves;
}

void influence_forget(Influence *i) {
    for (size_t n = 0; n < i->with_fact.count; n++)
        i->fact_at[i->with_fact.items[n]] = NOWHERE;
    vector_clear(&i->with_fact);
    i->fact_count = 0;
    memset(i->role_lanes, 0, i->circuit->role_count * sizeof *i->role_lanes);
}

/* Returns the fact about the node at a place, which is created if there is none. */
static Fact *fact_of(Influence *i, uint32_t place) {
    if (i->fact_at[place] == NOWHERE) {
        if (i->fact_count == i->fact_capacity) {
            i->fact_capacity = i->fact_capacity ? 2 * i->fact_capacity : 64;
            Fact *grown = (Fact *)lanes_alloc(2 * i->fact_capacity);
            if (i->fact_count)
                memcpy(grown, i->facts, i->fact_count * sizeof *grown);
            free(i->facts);
            i->facts = grown;
        }
        i->fact_at[place] = (uint32_t)i->fact_count;
        i->facts[i->fact_count++] = (Fact){0};
        vector_push(&i->with_fact, place);
    }
    return &i->facts[i->fact_at[place]];
}

void influence_give(Influence *i, uint32_t lane, uint32_t node, bool value) {
    assert(lane < LANES && i->place[node] != NOWHERE);
    Fact *fact = fact_of(i, i->place[node]);
    bitset_set((uint64_t *)&fact->on, lane);
    bitset_assign((uint64_t *)&fact->value, lane, value);
}

void influence_give_fluent(Influence *i, uint32_t lane, uint32_t fluent, bool value) {
    uint32_t node = signal_node(i->circuit->fluents[fluent]);
    if (i->place[node] != NOWHERE)
        influence_give(i, lane, node, value);
}

void influence_give_move(Influence *i, uint32_t lane, uint32_t move) {
    assert(lane < LANES && move < i->circuit->move_count);
    bitset_set((uint64_t *)&i->role_lanes[i->role_of[move]], lane);
    uint32_t node = signal_node(i->circuit->moves[move]);
    if (i->place[node] != NOWHERE)
        influence_give(i, lane, node, true);
}

/* Makes all other moves false of a role whose move is given. */
static void exclude_other_moves(Influence *i) {
    for (size_t m = 0; m < i->moves.count; m++) {
        Lanes lanes = i->role_lanes[i->role_of[i->moves.items[m]]];
        if (!bitset_any((uint64_t *)&lanes, LANE_WORDS))
            continue;
        Fact *fact = fact_of(i, i->place[signal_node(i->circuit->moves[i->moves.items[m]])]);
        fact->on |= lanes;
    }
}

ALWAYS_INLINE const Lanes *operand(const Influence *i, Signal s, int value) {
    return &i->may[value ^ (int)(s & 1)][i->place[signal_node(s)]];
}

ALWAYS_INLINE void evaluate_place(Influence *i, uint32_t p, bool keep_inputs) {
    const AigNode *n = &i->circuit->aig.nodes.items[i->nodes.items[p]];
    const Lanes all = ~(Lanes){0};
    Lanes yes = all, no = all;
    if (n->a != SIGNAL_NONE) {
        yes = *operand(i, n->a, 1) & *operand(i, n->b, 1);
        no = *operand(i, n->a, 0) | *operand(i, n->b, 0);
    } else if (i->nodes.items[p] == 0) {
        yes = (Lanes){0};
    } else if (keep_inputs) {
        return;
    }
    if (i->fact_at[p] != NOWHERE) {
        const Fact *fact = &i->facts[i->fact_at[p]];
        yes = (yes & ~fact->on) | (fact->on & fact->value);
        no = (no & ~fact->on) | (fact->on & ~fact->value);
    }
    i->may[1][p] = yes;
    i->may[0][p] = no;
}

ALWAYS_INLINE void evaluate_loop(Influence *i, const ConeLoop *loop) {
    for (uint32_t p = loop->first; p < loop->end; p++)
        evaluate_place(i, p, false);
    for (size_t v = 0; v < loop->variables.count; v++) {
        i->may[1][loop->variables.items[v]] = (Lanes){0};
        i->may[0][loop->variables.items[v]] = ~(Lanes){0};
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t p = loop->first; p < loop->end; p++)
            evaluate_place(i, p, true);
        for (size_t v = 0; v < loop->variables.count; v++) {
            uint32_t p = loop->variables.items[v];
            Lanes yes = *operand(i, loop->updates.items[v], 1);
            Lanes no = *operand(i, loop->updates.items[v], 0);
            Lanes difference = (yes ^ i->may[1][p]) | (no ^ i->may[0][p]);
            changed |= bitset_any((const uint64_t *)&difference, LANE_WORDS);
            i->may[1][p] = yes;
            i->may[0][p] = no;
        }
    }
}

ALWAYS_INLINE void evaluate(Influence *i) {
    uint32_t at = 0;
    for (size_t l = 0; l < i->loops.count; l++) {
        const ConeLoop *loop = &i->loops.items[l];
        for (; at < loop->first; at++)
            evaluate_place(i, at, false);
        evaluate_loop(i, loop);
        at = loop->end;
    }
    for (; at < i->nodes.count; at++)
        evaluate_place(i, at, false);
}

LaneMask influence_may_be(const Influence *i, Signal s, bool value) {
    assert(i->place[signal_node(s)] != NOWHERE);
    return mask_of(&i->may[value ^ (s & 1)][i->place[signal_node(s)]]);
}

ALWAYS_INLINE void use(Influence *i, Signal s, int sign, const Lanes *lanes) {
    uint32_t p = i->place[signal_node(s)];
    i->used[sign ^ (int)(s & 1)][p] |= *lanes & i->may[0][p] & i->may[1][p];
}

ALWAYS_INLINE bool any_lane(const Lanes *lanes) {
    return bitset_any((const uint64_t *)lanes, LANE_WORDS);
}

/* Most gates are used with one sign only, so that the other sign is skipped early. */
ALWAYS_INLINE void trace_place(Influence *i, uint32_t p) {
    const AigNode *n = &i->circuit->aig.nodes.items[i->nodes.items[p]];
    if (n->a == SIGNAL_NONE)
        return;
    for (int sign = 0; sign < 2; sign++) {
        Lanes lanes = i->used[sign][p];
        if (i->fact_at[p] != NOWHERE)
            lanes &= ~i->facts[i->fact_at[p]].on;
        if (!any_lane(&lanes))
            continue;
        use(i, n->a, sign, &lanes);
        use(i, n->b, sign, &lanes);
    }
}

/* Marks updates of loops as used in the lanes of their variables. True if something changed. */
static bool trace_loops(Influence *i) {
    bool changed = false;
    for (size_t l = 0; l < i->loops.count; l++)
        for (size_t v = 0; v < i->loops.items[l].variables.count; v++)
            for (int sign = 0; sign < 2; sign++) {
                Signal update = i->loops.items[l].updates.items[v];
                uint32_t p = i->place[signal_node(update)];
                Lanes before = i->used[sign ^ (int)(update & 1)][p];
                use(i, update, sign, &i->used[sign][i->loops.items[l].variables.items[v]]);
                Lanes difference = before ^ i->used[sign ^ (int)(update & 1)][p];
                changed |= bitset_any((const uint64_t *)&difference, LANE_WORDS);
            }
    return changed;
}

ALWAYS_INLINE void trace(Influence *i) {
    for (int sign = 0; sign < 2; sign++)
        memset(i->used[sign], 0, i->nodes.count * sizeof *i->used[sign]);
    for (size_t o = 0; o < i->outputs.count; o++)
        use(i, i->outputs.items[o], 1, &i->output_lanes[o]);
    do {
        for (size_t p = i->nodes.count; p > 0; p--)
            trace_place(i, (uint32_t)(p - 1));
    } while (trace_loops(i));
}

/* Finds, by place, the lanes in which a move of the role whose move is given lies below it; with
 * `that_very_move` only the given move itself counts. */
ALWAYS_INLINE void find_moves_below(Influence *i, bool that_very_move) {
    Lanes *below = i->below;
    memset(below, 0, i->nodes.count * sizeof *below);
    for (size_t m = 0; m < i->moves.count; m++) {
        uint32_t p = i->place[signal_node(i->circuit->moves[i->moves.items[m]])];
        below[p] = i->role_lanes[i->role_of[i->moves.items[m]]];
        if (that_very_move && i->fact_at[p] != NOWHERE)
            below[p] &= i->facts[i->fact_at[p]].value;
    }
    for (size_t round = 0; round <= i->loops.count; round++) {
        for (size_t p = 0; p < i->nodes.count; p++) {
            const AigNode *n = &i->circuit->aig.nodes.items[i->nodes.items[p]];
            if (n->a != SIGNAL_NONE)
                below[p] = below[i->place[signal_node(n->a)]] | below[i->place[signal_node(n->b)]];
        }
        for (size_t l = 0; l < i->loops.count; l++)
            for (size_t v = 0; v < i->loops.items[l].variables.count; v++)
                below[i->loops.items[l].variables.items[v]] |=
                    below[i->place[signal_node(i->loops.items[l].updates.items[v])]];
    }
}

/* Marks as used the nodes that stand in a conjunction with the move. `on_path` has the lanes in
 * which a path down to the move passes a place; operands beside such a path are marked. */
ALWAYS_INLINE void walk_beside(Influence *i) {
    for (size_t p = i->nodes.count; p-- > 0;) {
        const AigNode *n = &i->circuit->aig.nodes.items[i->nodes.items[p]];
        if (n->a == SIGNAL_NONE)
            continue;
        Signal operands[2] = {n->a, n->b};
        for (int sign = 0; sign < 2; sign++) {
            Lanes path = i->on_path[sign][p], beside = i->used[sign][p], either = path | beside;
            if (!any_lane(&either))
                continue;
            for (int k = 0; k < 2; k++) {
                uint32_t q = i->place[signal_node(operands[k])];
                int to = sign ^ (int)(operands[k] & 1);
                Lanes uses = beside;
                if (sign) /* plain gates are conjunctions; negated ones are disjunctions */
                    uses |= path & ~i->below[q];
                i->on_path[to][q] |= path & i->below[q];
                i->used[to][q] |= uses & i->may[0][q] & i->may[1][q];
            }
        }
    }
}

ALWAYS_INLINE void trace_beside(Influence *i, bool that_very_move) {
    find_moves_below(i, that_very_move);
    for (int sign = 0; sign < 2; sign++) {
        memset(i->used[sign], 0, i->nodes.count * sizeof *i->used[sign]);
        memset(i->on_path[sign], 0, i->nodes.count * sizeof *i->on_path[sign]);
    }
    for (size_t o = 0; o < i->outputs.count; o++) {
        uint32_t p = i->place[signal_node(i->outputs.items[o])];
        i->on_path[!(i->outputs.items[o] & 1)][p] |=
            i->output_lanes[o] & i->below[p] & i->may[0][p] & i->may[1][p];
    }
    walk_beside(i);
}

typedef enum { EVALUATE, TRACE, TRACE_BESIDE_ROLE, TRACE_BESIDE_MOVE } Work;

ALWAYS_INLINE void dispatch_generic(Influence *i, Work work) {
    if (work == EVALUATE)
        evaluate(i);
    else if (work == TRACE)
        trace(i);
    else
        trace_beside(i, work == TRACE_BESIDE_MOVE);
}

CPU_DISPATCH(void, dispatch, (Influence * i, Work work), (i, work))

void influence_evaluate(Influence *i) {
    exclude_other_moves(i);
    dispatch(i, EVALUATE);
}

void influence_trace(Influence *i) {
    dispatch(i, TRACE);
}

void influence_trace_beside(Influence *i, bool that_very_move) {
    dispatch(i, that_very_move ? TRACE_BESIDE_MOVE : TRACE_BESIDE_ROLE);
}

static LaneMask used_input(const Influence *i, Signal input, bool plain) {
    uint32_t p = i->place[signal_node(input)];
    assert(p != NOWHERE);
    return mask_of(&i->used[plain][p]);
}

LaneMask influence_used(const Influence *i, uint32_t fluent, bool plain) {
    assert(fluent < i->circuit->fluent_count);
    return used_input(i, i->circuit->fluents[fluent], plain);
}

LaneMask influence_used_move(const Influence *i, uint32_t move, bool plain) {
    assert(move < i->circuit->move_count);
    return used_input(i, i->circuit->moves[move], plain);
}

LaneMask influence_uses(const Influence *i, uint32_t fluent) {
    LaneMask plain = influence_used(i, fluent, true), negated = influence_used(i, fluent, false);
    bitset_or(plain.words, negated.words, LANE_WORDS);
    return plain;
}
