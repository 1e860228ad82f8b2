/* The cone of the goals is copied into an array of rows, one per node, so that an evaluation is one
 * pass over memory. If the goals depend on recursive rules, every goal counts as possible. */
#include "game/bounds.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"

typedef struct {
    uint64_t can_be_true, can_be_false;
} Possible;

typedef struct {
    Signal a, b; /* signals over rows, 2 * row + complemented; for a fluent, a is its number and b
                    is SIGNAL_NONE */
} Row;

typedef struct {
    Signal signal; /* over rows */
    uint32_t role;
    int value;
} GoalRow;

struct GoalBounds {
    uint32_t part_count;
    uint64_t *parts_of; /* by fluent: the parts that contain it, as bits */
    uint64_t all;       /* bits of all parts */
    VECTOR(Row) rows;   /* row 0 is constant false */
    VECTOR(GoalRow) goals;
    Possible *values;
    bool is_recursive; /* the goals depend on recursive rules: every goal counts as possible */
};

static void add_rows(GoalBounds *b, const Circuit *circuit, const uint8_t *cone) {
    const Aig *aig = &circuit->aig;
    uint32_t *fluent_of = u32_none(aig->nodes.count);
    Signal *map = memory_alloc(aig->nodes.count * sizeof *map);
    for (uint32_t f = 0; f < circuit->fluent_count; f++)
        fluent_of[signal_node(circuit->fluents[f])] = f;
    map[0] = SIGNAL_FALSE;
    vector_push(&b->rows, ((Row){SIGNAL_NONE, SIGNAL_NONE}));
    for (uint32_t node = 1; node < aig->nodes.count; node++) {
        if (!cone[node])
            continue;
        map[node] = (Signal)(b->rows.count << 1);
        if (aig_is_and(aig, node))
            vector_push(&b->rows, ((Row){signal_mapped(map, aig->nodes.items[node].a),
                                         signal_mapped(map, aig->nodes.items[node].b)}));
        else
            vector_push(&b->rows, ((Row){fluent_of[node], SIGNAL_NONE}));
    }
    for (size_t i = 0; i < circuit->goals.count; i++)
        b->goals.items[i].signal = signal_mapped(map, circuit->goals.items[i].signal);
    memory_free(fluent_of, map);
}

GoalBounds *bounds_create(const Game *game, const uint64_t *parts_of, uint32_t part_count) {
    if (!game_has_circuit(game))
        return NULL;
    assert(part_count <= BOUNDS_MAX_PARTS);
    const Circuit *circuit = game->circuit;
    GoalBounds *b = memory_zalloc(sizeof *b);
    b->part_count = part_count;
    b->all = part_count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << part_count) - 1;
    b->parts_of = memory_alloc((circuit->fluent_count + 1) * sizeof *b->parts_of);
    memcpy(b->parts_of, parts_of, circuit->fluent_count * sizeof *parts_of);
    U32Vector outputs = {0};
    circuit_goal_signals(circuit, &outputs);
    for (size_t i = 0; i < circuit->goals.count; i++) {
        const CircuitOutput *goal = &circuit->goals.items[i];
        vector_push(&b->goals, ((GoalRow){goal->signal, goal->role, game_goal_value(game, i)}));
    }
    uint8_t *cone = memory_zalloc(circuit->aig.nodes.count);
    aig_mark_cone(&circuit->aig, outputs.items, outputs.count, cone);
    for (size_t i = 0; i < circuit->aig.loops.count && !b->is_recursive; i++)
        for (size_t k = 0; k < circuit->aig.loops.items[i].variables.count; k++)
            b->is_recursive |= cone[circuit->aig.loops.items[i].variables.items[k]];
    if (!b->is_recursive)
        add_rows(b, circuit, cone);
    b->values = memory_alloc((b->rows.count + 1) * sizeof *b->values);
    free(cone);
    vector_free(&outputs);
    return b;
}

void bounds_free(GoalBounds *b) {
    if (!b)
        return;
    vectors_free(&b->rows, &b->goals);
    memory_free(b->parts_of, b->values, b);
}

static inline Possible value_of(const GoalBounds *b, Signal signal) {
    Possible v = b->values[signal >> 1];
    return signal & 1 ? (Possible){v.can_be_false, v.can_be_true} : v;
}

void bounds_evaluate(GoalBounds *b, const State *state) {
    if (b->is_recursive)
        return;
    b->values[0] = (Possible){0, b->all};
    for (size_t i = 1; i < b->rows.count; i++) {
        Row row = b->rows.items[i];
        if (row.b != SIGNAL_NONE) {
            Possible x = value_of(b, row.a), y = value_of(b, row.b);
            b->values[i] =
                (Possible){x.can_be_true & y.can_be_true, x.can_be_false | y.can_be_false};
        } else {
            uint64_t unknown = b->all & ~b->parts_of[row.a];
            b->values[i] = state_holds(state, row.a) ? (Possible){b->all, unknown}
                                                     : (Possible){unknown, b->all};
        }
    }
}

void bounds_goal(const GoalBounds *b, uint32_t part, uint32_t role, int *least, int *greatest) {
    assert(part < BOUNDS_MAX_PARTS && b->all >> part & 1);
    *least = *greatest = GOAL_NONE;
    for (size_t i = 0; i < b->goals.count; i++) {
        const GoalRow *goal = &b->goals.items[i];
        if (goal->role != role || goal->value < 0 ||
            (!b->is_recursive && !(value_of(b, goal->signal).can_be_true >> part & 1)))
            continue;
        if (*least == GOAL_NONE || goal->value < *least)
            *least = goal->value;
        if (*greatest == GOAL_NONE || goal->value > *greatest)
            *greatest = goal->value;
    }
}
