/* A cone is simplified while it is copied with constants inserted. */
#include "circuit/cone.h"

#include <assert.h>
#include <string.h>

static void fix_moves(const Circuit *c, uint32_t role, const uint8_t *legality, Signal *map) {
    assert(role < c->role_count);
    uint32_t possible = 0;
    for (uint32_t m = c->first_move[role]; m < c->first_move[role + 1]; m++)
        possible += legality[m] != 0;
    for (uint32_t m = c->first_move[role]; m < c->first_move[role + 1]; m++) {
        if (!legality[m])
            map[signal_node(c->moves[m])] = SIGNAL_FALSE;
        else if (possible == 1)
            map[signal_node(c->moves[m])] = SIGNAL_TRUE;
    }
}

static void map_inputs(const Circuit *c, const ConeOptions *options, Aig *aig, Signal *map,
                       U32Vector *inputs) {
    for (uint32_t f = 0; f < c->fluent_count; f++) {
        map[signal_node(c->fluents[f])] = aig_input(aig);
        vector_push(inputs, signal_node(map[signal_node(c->fluents[f])]));
    }
    for (uint32_t m = 0; m < c->move_count; m++) {
        Signal input = options->with_moves ? aig_input(aig) : SIGNAL_FALSE;
        map[signal_node(c->moves[m])] = input;
        if (options->with_moves)
            vector_push(inputs, signal_node(input));
    }
    if (options->with_moves && options->legality)
        for (uint32_t r = 0; r < c->role_count; r++)
            fix_moves(c, r, options->legality, map);
    const Phases *p = options->phases;
    for (size_t i = 0; p && i < p->fluents.count; i++)
        map[signal_node(c->fluents[p->fluents.items[i]])] =
            p->values[options->phase * p->fluents.count + i] ? SIGNAL_TRUE : SIGNAL_FALSE;
}

LutNetwork *cone_network(const Circuit *c, const Signal *outputs, size_t output_count,
                         const ConeOptions *options, uint8_t *constants) {
    assert(!options->phases || options->phase < options->phases->count);
    Aig aig;
    aig_init(&aig);
    Signal *map = u32_none(c->aig.nodes.count);
    U32Vector inputs = {0}, kept = {0};
    map_inputs(c, options, &aig, map, &inputs);
    uint8_t *marks = memory_zalloc(c->aig.nodes.count);
    aig_mark_cone(&c->aig, outputs, output_count, marks);
    aig_copy_marked(&aig, &c->aig, marks, map);
    for (size_t i = 0; i < output_count; i++) {
        Signal s = signal_mapped(map, outputs[i]);
        if (constants)
            constants[i] = signal_node(s) ? 2 : (uint8_t)signal_is_complemented(s);
        if (!constants || constants[i] == 2)
            vector_push(&kept, s);
    }
    LutNetwork *network = lut_map(&aig, inputs.items, inputs.count, kept.items, kept.count,
                                  options->gates, options->stopped);
    aig_free(&aig);
    memory_free(map, marks);
    vectors_free(&inputs, &kept);
    return network;
}
