/* Gates with three inputs are counted in one network that computes all outputs together. */
#include "circuit/measure.h"

#include <assert.h>

#include "circuit/lut.h"
#include "circuit/phases.h"

static void list_inputs(const Circuit *c, U32Vector *inputs) {
    for (uint32_t f = 0; f < c->fluent_count; f++)
        if (signal_node(c->fluents[f]))
            vector_push(inputs, signal_node(c->fluents[f]));
    for (uint32_t i = 0; i < c->move_count; i++)
        if (signal_node(c->moves[i]))
            vector_push(inputs, signal_node(c->moves[i]));
}

CircuitMeasures circuit_measure(const Circuit *circuit, const bool *stopped) {
    assert(circuit);
    CircuitMeasures m = {0};
    U32Vector outputs = {0}, inputs = {0};
    circuit_outputs(circuit, &outputs);
    list_inputs(circuit, &inputs);
    m.depth = aig_depth(&circuit->aig, outputs.items, outputs.count);
    LutNetwork *network = lut_map(&circuit->aig, inputs.items, inputs.count, outputs.items,
                                  outputs.count, GATES_THREE, stopped);
    m.luts = network->luts.count;
    lut_free(network);
    Phases phases = phases_find(circuit);
    m.phases = phases.count;
    phases_free(&phases);
    vectors_free(&outputs, &inputs);
    return m;
}
