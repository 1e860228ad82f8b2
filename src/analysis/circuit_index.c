/* The tables are plain arrays, filled once by a pass over the inputs and the loops. */
#include "analysis/circuit_index.h"

#include <assert.h>
#include <string.h>

CircuitIndex circuit_index_create(const Circuit *c) {
    size_t nodes = c->aig.nodes.count;
    CircuitIndex index = {u32_none(nodes), u32_none(nodes), u32_none(nodes)};
    for (uint32_t f = 0; f < c->fluent_count; f++)
        index.fluent_of[signal_node(c->fluents[f])] = f;
    for (uint32_t m = 0; m < c->move_count; m++)
        index.move_of[signal_node(c->moves[m])] = m;
    for (size_t l = 0; l < c->aig.loops.count; l++) {
        const AigLoop *loop = &c->aig.loops.items[l];
        assert(loop->variables.count == loop->updates.count);
        for (size_t v = 0; v < loop->variables.count; v++)
            index.update_of[loop->variables.items[v]] = loop->updates.items[v];
    }
    return index;
}

void circuit_index_free(CircuitIndex *index) {
    memory_free(index->fluent_of, index->move_of, index->update_of);
}

uint32_t *circuit_roles_of_moves(const Circuit *c) {
    uint32_t *role_of = memory_alloc((c->move_count + 1) * sizeof *role_of);
    assert(c->first_move[c->role_count] == c->move_count);
    for (uint32_t r = 0; r < c->role_count; r++)
        for (uint32_t m = c->first_move[r]; m < c->first_move[r + 1]; m++)
            role_of[m] = r;
    return role_of;
}

Signal *circuit_copy(const Circuit *c, const uint8_t *marks, Aig *copy) {
    Signal *map = u32_none(c->aig.nodes.count);
    uint8_t *all = NULL;
    if (!marks) {
        marks = all = memory_alloc(c->aig.nodes.count);
        memset(all, 1, c->aig.nodes.count);
    }
    for (uint32_t f = 0; f < c->fluent_count; f++)
        map[signal_node(c->fluents[f])] = aig_input(copy);
    for (uint32_t m = 0; m < c->move_count; m++)
        map[signal_node(c->moves[m])] = aig_input(copy);
    aig_copy_marked(copy, &c->aig, marks, map);
    free(all);
    return map;
}
