/* The step network is the circuit with the move inputs replaced by the choice networks. Only
 * fluents that can influence terminal, legal or goals, in this turn or a later one, are kept. */
#include "circuit/turn.h"

#include <assert.h>
#include <string.h>

#include "circuit/choice.h"
#include "circuit/decisive.h"

/* Marks the fluents that the outputs depend on, through any number of turns. */
static uint8_t *influential_fluents(const Circuit *c) {
    uint8_t *marks = memory_zalloc(c->aig.nodes.count);
    uint8_t *matters = memory_zalloc(c->fluent_count + 1);
    U32Vector outputs = {0};
    vector_push(&outputs, c->terminal);
    vector_append(&outputs, c->legal, c->move_count);
    circuit_goal_signals(c, &outputs);
    while (outputs.count) {
        aig_mark_cone(&c->aig, outputs.items, outputs.count, marks);
        vector_clear(&outputs);
        for (uint32_t f = 0; f < c->fluent_count; f++)
            if (marks[signal_node(c->fluents[f])] && !matters[f]) {
                matters[f] = 1;
                vector_push(&outputs, c->next[f]);
            }
    }
    vector_free(&outputs);
    free(marks);
    return matters;
}

static void choose_kept_fluents(TurnNetworks *turn, bool keep_all) {
    const Circuit *c = turn->circuit;
    uint8_t *matters = influential_fluents(c);
    if (keep_all)
        memset(matters, 1, c->fluent_count);
    for (size_t i = 0; i < turn->phases.fluents.count; i++)
        matters[turn->phases.fluents.items[i]] = 0;
    for (uint32_t f = 0; f < c->fluent_count; f++)
        if (matters[f])
            vector_push(&turn->kept, f);
    free(matters);
}

typedef struct {
    const TurnNetworks *turn;
    Aig aig;
    Signal *map; /* by node of the circuit: its copy */
    U32Vector inputs, outputs;
} Construction;

static void start_construction(Construction *k, const TurnNetworks *turn, uint32_t phase) {
    assert(phase < turn->phases.count);
    const Circuit *c = turn->circuit;
    *k = (Construction){.turn = turn};
    aig_init(&k->aig);
    k->map = u32_none(c->aig.nodes.count);
    k->map[0] = SIGNAL_FALSE;
    for (uint32_t f = 0; f < c->fluent_count; f++)
        k->map[signal_node(c->fluents[f])] = SIGNAL_FALSE;
    for (size_t i = 0; i < turn->kept.count; i++) {
        Signal input = aig_input(&k->aig);
        k->map[signal_node(c->fluents[turn->kept.items[i]])] = input;
        vector_push(&k->inputs, signal_node(input));
    }
    for (uint32_t m = 0; m < c->move_count; m++)
        k->map[signal_node(c->moves[m])] = SIGNAL_FALSE;
    const Phases *p = &turn->phases;
    for (size_t i = 0; i < p->fluents.count; i++)
        k->map[signal_node(c->fluents[p->fluents.items[i]])] =
            p->values[phase * p->fluents.count + i] ? SIGNAL_TRUE : SIGNAL_FALSE;
}

static void end_construction(Construction *k) {
    aig_free(&k->aig);
    free(k->map);
    vectors_free(&k->inputs, &k->outputs);
}

/* Copies the cones of these signals of the circuit, except for nodes copied before. */
static void copy_cones(Construction *k, const Signal *signals, size_t count) {
    const Aig *from = &k->turn->circuit->aig;
    uint8_t *marks = memory_zalloc(from->nodes.count);
    aig_mark_cone(from, signals, count, marks);
    for (uint32_t i = 0; i < from->nodes.count; i++)
        if (k->map[i] != SIGNAL_NONE)
            marks[i] = 0;
    aig_copy_marked(&k->aig, from, marks, k->map);
    free(marks);
}

static Kernel *finish_kernel(Construction *k, const TurnOptions *options) {
    KernelKind kind = options->kernel;
    GateSet gates = options->only_generated ? kernel_kind_gates(kind) : kernel_chosen_gates(kind);
    LutNetwork *network = lut_map(&k->aig, k->inputs.items, k->inputs.count, k->outputs.items,
                                  k->outputs.count, gates, options->stopped);
    return options->only_generated ? kernel_generate(network, kind) : kernel_create(network, kind);
}

static Kernel *make_goals(TurnNetworks *turn, uint32_t phase, const TurnOptions *options) {
    const Circuit *c = turn->circuit;
    Construction k;
    start_construction(&k, turn, phase);
    U32Vector goals = {0};
    circuit_goal_signals(c, &goals);
    copy_cones(&k, goals.items, goals.count);
    for (size_t i = 0; i < goals.count; i++)
        vector_push(&k.outputs, signal_mapped(k.map, goals.items[i]));
    vector_free(&goals);
    Kernel *kernel = finish_kernel(&k, options);
    end_construction(&k);
    return kernel;
}

/* In ill-formed rules `legal` or `terminal` may depend on moves; they are then evaluated without
 * any move. The next state needs the same gates with the moves, so they must be copied again. */
static void forget_what_depends_on_moves(Construction *k) {
    uint8_t *depends = circuit_nodes_that_depend_on_moves(k->turn->circuit);
    for (uint32_t i = 0; i < k->turn->circuit->aig.nodes.count; i++)
        if (depends[i])
            k->map[i] = SIGNAL_NONE;
    free(depends);
}

/* Replaces the moves of every role by random choices among the legal ones. */
static uint32_t add_choices(Construction *k, const Signal *all_legal, Signal *no_move) {
    const Circuit *c = k->turn->circuit;
    uint32_t random_bits = 0;
    for (uint32_t role = 0; role < c->role_count; role++) {
        uint32_t first = c->first_move[role], count = c->first_move[role + 1] - first;
        Signal *legal = memory_alloc((count + 1) * sizeof *legal);
        Signal *chosen = memory_alloc((count + 1) * sizeof *chosen);
        memcpy(legal, all_legal + first, count * sizeof *legal);
        uint32_t bits = choice_random_bits(legal, count);
        Signal *random = memory_alloc((bits + 1) * sizeof *random);
        for (uint32_t i = 0; i < bits; i++) {
            random[i] = aig_input(&k->aig);
            vector_push(&k->inputs, signal_node(random[i]));
        }
        random_bits += bits;
        choice_build(&k->aig, legal, count, random, chosen);
        for (uint32_t m = 0; m < count; m++)
            k->map[signal_node(c->moves[first + m])] = chosen[m];
        no_move[role] = signal_not(aig_or_many(&k->aig, legal, count));
        memory_free(legal, chosen, random);
    }
    return random_bits;
}

static void make_step(TurnNetworks *turn, uint32_t phase, const TurnOptions *options) {
    const Circuit *c = turn->circuit;
    Construction k;
    start_construction(&k, turn, phase);
    U32Vector state_only = {0}, next = {0};
    vector_append(&state_only, c->legal, c->move_count);
    vector_push(&state_only, c->terminal);
    copy_cones(&k, state_only.items, state_only.count);
    vector_free(&state_only);
    Signal terminal = signal_mapped(k.map, c->terminal);
    Signal *legal = memory_alloc((c->move_count + 1) * sizeof *legal);
    for (uint32_t m = 0; m < c->move_count; m++)
        legal[m] = signal_mapped(k.map, c->legal[m]);
    forget_what_depends_on_moves(&k);
    if (options->best_goals)
        decisive_restrict(&k.aig, turn, phase, options->best_goals, k.map, legal);
    Signal *no_move = memory_alloc((c->role_count + 1) * sizeof *no_move);
    turn->by_phase[phase].random_bits = add_choices(&k, legal, no_move);
    free(legal);
    for (size_t i = 0; i < turn->kept.count; i++)
        vector_push(&next, c->next[turn->kept.items[i]]);
    copy_cones(&k, next.items, next.count);
    for (size_t i = 0; i < next.count; i++)
        vector_push(&k.outputs, signal_mapped(k.map, next.items[i]));
    vector_push(&k.outputs, terminal);
    vector_append(&k.outputs, no_move, c->role_count);
    for (uint32_t m = 0; options->show_moves && m < c->move_count; m++)
        vector_push(&k.outputs, signal_mapped(k.map, c->moves[m]));
    for (uint32_t m = 0; m < c->move_count; m++)
        if (signal_node(signal_mapped(k.map, c->moves[m])) != signal_node(SIGNAL_FALSE))
            vector_push(&turn->by_phase[phase].open_moves, m);
    free(no_move);
    vector_free(&next);
    turn->ands += k.aig.and_count;
    turn->by_phase[phase].step = finish_kernel(&k, options);
    end_construction(&k);
}

static void raise_to(size_t *most, size_t value) {
    if (*most < value)
        *most = value;
}

static void measure(TurnNetworks *turn) {
    size_t inputs = 0, outputs = 0;
    for (uint32_t p = 0; p < turn->phases.count; p++) {
        const TurnPhase *phase = &turn->by_phase[p];
        raise_to(&inputs, turn->kept.count + phase->random_bits);
        raise_to(&outputs, kernel_network(phase->step)->outputs.count);
        raise_to(&outputs, kernel_network(phase->goals)->outputs.count);
        raise_to(&turn->scratch_lanes, kernel_scratch_lanes(phase->step));
        raise_to(&turn->scratch_lanes, kernel_scratch_lanes(phase->goals));
        turn->gates += kernel_network(phase->step)->luts.count;
    }
    turn->max_inputs = (uint32_t)inputs;
    turn->max_outputs = (uint32_t)outputs;
}

TurnNetworks *turn_create(const Circuit *circuit, const TurnOptions *options) {
    assert(circuit && options);
    TurnNetworks *turn = memory_zalloc(sizeof *turn);
    turn->circuit = circuit;
    turn->shows_moves = options->show_moves;
    bool one_phase = options->keep_all_fluents || options->one_phase;
    turn->phases = one_phase ? (Phases){.count = 1} : phases_find(circuit);
    choose_kept_fluents(turn, options->keep_all_fluents);
    turn->by_phase = memory_zalloc(turn->phases.count * sizeof *turn->by_phase);
    for (uint32_t p = 0; p < turn->phases.count; p++) {
        make_step(turn, p, options);
        turn->by_phase[p].goals = make_goals(turn, p, options);
    }
    measure(turn);
    return turn;
}

void turn_free(TurnNetworks *turn) {
    if (!turn)
        return;
    for (uint32_t p = 0; p < turn->phases.count; p++) {
        kernel_free(turn->by_phase[p].step);
        kernel_free(turn->by_phase[p].goals);
        vector_free(&turn->by_phase[p].open_moves);
    }
    vector_free(&turn->kept);
    phases_free(&turn->phases);
    memory_free(turn->by_phase, turn);
}
