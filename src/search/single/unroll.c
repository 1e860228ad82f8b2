/* Every turn is a copy of the circuit in one graph. Gates that judge a state are copied first; then
 * only moves that can be legal there get an input. */
#include "search/single/unroll.h"

#include <string.h>

#include "game/goal.h"

static const uint32_t NO_VALUE = UINT32_MAX;

/* Lists the values of goals. Terms may denote the same number (7 and 07), or none. */
static void list_values(Unrolling *u, const Terms *terms) {
    size_t count = u->circuit->goals.count;
    u->value_of_goal = memory_alloc((count + 1) * sizeof *u->value_of_goal);
    for (size_t g = 0; g < count; g++) {
        int value = goal_join(GOAL_NONE, terms, u->circuit->goals.items[g].term);
        uint32_t at = 0;
        while (at < u->values.count && u->values.items[at] != value)
            at++;
        u->value_of_goal[g] = value == GOAL_NONE ? NO_VALUE : at;
        if (value != GOAL_NONE && at == u->values.count)
            vector_push(&u->values, value);
    }
}

void unrolling_init(Unrolling *u, const Game *game, const Interference *interference,
                    int (*must_stop)(void *context), void *context) {
    *u = (Unrolling){.circuit = game->circuit, .interference = interference};
    aig_init(&u->aig);
    clauses_init(&u->clauses, &u->aig, must_stop, context);
    u->one_move_literal = clauses_fresh_literal(&u->clauses);
    list_values(u, grounding_terms(game->grounding));
}

void unrolling_free(Unrolling *u) {
    for (size_t t = 0; t < u->turns.count; t++)
        memory_free(u->turns.items[t].goals, u->turns.items[t].does);
    vectors_free(&u->turns, &u->values);
    clauses_free(&u->clauses);
    aig_free(&u->aig);
    if (u->has_together)
        simultaneous_free(&u->together);
    memory_free(u->value_of_goal, u->together_map, u->together_all, u->map, u->state_nodes, u->rest,
                u->fluents);
}

/* Splits the circuit into the gates that judge a state (legality, end, goals) and those that only
 * the next state needs, which are copied after the moves of the turn. */
static void split_circuit(Unrolling *u) {
    const Circuit *c = u->circuit;
    U32Vector outputs = {0};
    for (uint32_t m = 0; m < c->move_count; m++)
        vector_push(&outputs, c->legal[m]);
    vector_push(&outputs, c->terminal);
    for (size_t g = 0; g < c->goals.count; g++)
        vector_push(&outputs, c->goals.items[g].signal);
    u->state_nodes = memory_zalloc(c->aig.nodes.count);
    aig_mark_cone(&c->aig, outputs.items, outputs.count, u->state_nodes);
    u->rest = memory_zalloc(c->aig.nodes.count);
    aig_mark_cone(&c->aig, c->next, c->fluent_count, u->rest);
    for (size_t n = 0; n < c->aig.nodes.count; n++)
        u->rest[n] = u->rest[n] && !u->state_nodes[n];
    vector_free(&outputs);
}

static void add_goals(Unrolling *u, UnrolledTurn *turn) {
    const Circuit *c = u->circuit;
    turn->goals = memory_alloc((u->values.count + 1) * sizeof *turn->goals);
    for (size_t v = 0; v < u->values.count; v++)
        turn->goals[v] = SIGNAL_FALSE;
    for (size_t g = 0; g < c->goals.count; g++) {
        if (u->value_of_goal[g] == NO_VALUE)
            continue;
        Signal *goal = &turn->goals[u->value_of_goal[g]];
        *goal = aig_or(&u->aig, *goal, signal_mapped(u->map, c->goals.items[g].signal));
    }
}

/* Adds a turn: end, legality and goals of the state that the last moves led to. */
static void add_state(Unrolling *u) {
    const Circuit *c = u->circuit;
    UnrolledTurn turn = {0};
    memset(u->map, 0xff, c->aig.nodes.count * sizeof *u->map);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        u->map[signal_node(c->fluents[f])] = u->fluents[f];
    aig_copy_marked(&u->aig, &c->aig, u->state_nodes, u->map);
    add_goals(u, &turn);
    Signal terminal = signal_mapped(u->map, c->terminal);
    Signal lasted = u->turns.count ? u->turns.items[u->turns.count - 1].lasts : SIGNAL_TRUE;
    Signal one, two;
    aig_count(&u->aig, turn.goals, u->values.count, &one, &two);
    turn.lasts = aig_and(&u->aig, lasted, signal_not(terminal));
    turn.ends = aig_and(&u->aig, aig_and(&u->aig, lasted, terminal), signal_not(two));
    vector_push(&u->turns, turn);
    u->is_complete = turn.lasts == SIGNAL_FALSE;
}

void unrolling_begin(Unrolling *u, const State *from) {
    const Circuit *c = u->circuit;
    u->map = memory_alloc(c->aig.nodes.count * sizeof *u->map);
    u->fluents = memory_alloc(c->fluent_count * sizeof *u->fluents);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        u->fluents[f] = state_holds(from, f) ? SIGNAL_TRUE : SIGNAL_FALSE;
    split_circuit(u);
    u->pairs_told = u->interference->pairs.count;
    u->has_together = u->interference->words && simultaneous_build(&u->together, c);
    if (u->has_together) {
        size_t nodes = u->together.aig.nodes.count;
        u->together_map = memory_alloc(nodes * sizeof *u->together_map);
        u->together_all = memory_alloc(nodes);
        memset(u->together_all, 1, nodes);
    }
    add_state(u);
}

/* Adds clauses: moves are legal; while the match lasts, at least one is made; and in plans with one
 * move per turn no second one. */
static void require_move(Unrolling *u, const UnrolledTurn *turn) {
    Clauses *c = &u->clauses;
    U32Vector signals = {0};
    for (uint32_t m = 0; m < u->circuit->move_count; m++) {
        if (turn->does[m] == SIGNAL_FALSE)
            continue;
        Signal legal = signal_mapped(u->map, u->circuit->legal[m]);
        vector_push(&signals, turn->does[m]);
        if (legal != SIGNAL_TRUE)
            clauses_add(c, (int[]){-clauses_literal(c, turn->does[m]), clauses_literal(c, legal)},
                        2);
    }
    Signal one, two;
    aig_count(&u->aig, signals.items, signals.count, &one, &two);
    clauses_add(c, (int[]){-u->one_move_literal, -clauses_literal(c, two)}, 2);
    clauses_add(c, (int[]){-clauses_literal(c, turn->lasts), clauses_literal(c, one)}, 2);
    vector_free(&signals);
}

static void keep_apart(Unrolling *u, const UnrolledTurn *turn, MovePair pair) {
    Clauses *c = &u->clauses;
    Signal a = turn->does[pair.move], b = turn->does[pair.other];
    if (a != SIGNAL_FALSE && b != SIGNAL_FALSE)
        clauses_add(c, (int[]){-clauses_literal(c, a), -clauses_literal(c, b)}, 2);
}

size_t unrolling_turns_together(const Unrolling *u) {
    size_t turns = u->turns.count ? u->turns.count - 1 : 0;
    return turns < UNROLL_MAX_TOGETHER ? turns : UNROLL_MAX_TOGETHER;
}

void unrolling_tell_new_pairs(Unrolling *u) {
    for (; u->pairs_told < u->interference->pairs.count; u->pairs_told++)
        for (size_t t = 0; t < unrolling_turns_together(u); t++)
            keep_apart(u, &u->turns.items[t], u->interference->pairs.items[u->pairs_told]);
}

static void follow_one(Unrolling *u) {
    const Circuit *c = u->circuit;
    aig_copy_marked(&u->aig, &c->aig, u->rest, u->map);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        u->fluents[f] = signal_mapped(u->map, c->next[f]);
}

static void follow_together(Unrolling *u, const UnrolledTurn *turn) {
    const Circuit *c = u->circuit;
    const SimultaneousTurn *t = &u->together;
    for (size_t i = 0; i < u->pairs_told; i++)
        keep_apart(u, turn, u->interference->pairs.items[i]);
    memset(u->together_map, 0xff, t->aig.nodes.count * sizeof *u->together_map);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        u->together_map[signal_node(t->fluents[f])] = u->fluents[f];
    for (uint32_t m = 0; m < c->move_count; m++)
        u->together_map[signal_node(t->moves[m])] = turn->does[m];
    aig_copy_marked(&u->aig, &t->aig, u->together_all, u->together_map);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        u->fluents[f] = signal_mapped(u->together_map, t->next[f]);
}

void unrolling_add_turn(Unrolling *u) {
    const Circuit *c = u->circuit;
    UnrolledTurn *turn = &u->turns.items[u->turns.count - 1];
    turn->does = memory_alloc((c->move_count + 1) * sizeof *turn->does);
    for (uint32_t m = 0; m < c->move_count; m++) {
        bool possible = signal_mapped(u->map, c->legal[m]) != SIGNAL_FALSE;
        turn->does[m] = possible ? aig_input(&u->aig) : SIGNAL_FALSE;
        u->map[signal_node(c->moves[m])] = turn->does[m];
    }
    require_move(u, turn);
    if (u->has_together && u->turns.count <= UNROLL_MAX_TOGETHER)
        follow_together(u, turn);
    else
        follow_one(u);
    add_state(u);
}

Signal unrolling_reaches(Unrolling *u, uint32_t turns, int least) {
    U32Vector ends = {0}, goals = {0};
    for (uint32_t t = 0; t <= turns && t < u->turns.count; t++) {
        const UnrolledTurn *turn = &u->turns.items[t];
        vector_clear(&goals);
        for (size_t v = 0; v < u->values.count; v++)
            if (u->values.items[v] >= least)
                vector_push(&goals, turn->goals[v]);
        Signal good = aig_or_many(&u->aig, goals.items, goals.count);
        vector_push(&ends, aig_and(&u->aig, turn->ends, good));
    }
    Signal any = aig_or_many(&u->aig, ends.items, ends.count);
    vectors_free(&ends, &goals);
    return any;
}

void unrolling_planned(const Unrolling *u, size_t turn, U32Vector *moves) {
    const Signal *does = u->turns.items[turn].does;
    vector_clear(moves);
    for (uint32_t m = 0; does && m < u->circuit->move_count; m++)
        if (does[m] != SIGNAL_FALSE && clauses_is_true(&u->clauses, does[m]))
            vector_push(moves, m);
}
