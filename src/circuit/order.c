/* Depth-first search with an explicit stack, because networks can be deeper than the C stack. */
#include "circuit/order.h"

#include <assert.h>

typedef struct {
    const LutNetwork *network;
    uint32_t *order;
    uint32_t placed;
    uint8_t *is_placed; /* by gate */
    U32Vector stack;
} Ordering;

/* By gate of the segment: 1 if another gate of the segment reads it. */
static uint8_t *find_read_gates(const LutNetwork *n, uint32_t first, uint32_t end) {
    uint8_t *read = memory_zalloc(end - first + 1);
    uint32_t base = lut_value(n, first), limit = lut_value(n, end);
    for (uint32_t g = first; g < end; g++) {
        const uint32_t operands[3] = {n->luts.items[g].a, n->luts.items[g].b, n->luts.items[g].c};
        for (int i = 0; i < 3; i++)
            if (operands[i] >= base && operands[i] < limit)
                read[operands[i] - base] = 1;
    }
    return read;
}

/* Pushes the operands of a gate that are not placed yet. True if there are none. */
static bool is_ready(Ordering *o, uint32_t gate, uint32_t first, uint32_t end) {
    const Lut *lut = &o->network->luts.items[gate];
    const uint32_t operands[3] = {lut->c, lut->b, lut->a};
    uint32_t base = lut_value(o->network, first), limit = lut_value(o->network, end);
    bool ready = true;
    for (int i = 0; i < 3; i++)
        if (operands[i] >= base && operands[i] < limit &&
            !o->is_placed[operands[i] - base + first]) {
            vector_push(&o->stack, operands[i] - base + first);
            ready = false;
        }
    return ready;
}

static void order_segment(Ordering *o, uint32_t first, uint32_t end) {
    uint8_t *read = find_read_gates(o->network, first, end);
    for (uint32_t root = first; root < end; root++) {
        if (read[root - first])
            continue;
        vector_push(&o->stack, root);
        while (o->stack.count) {
            uint32_t gate = vector_last(&o->stack);
            if (!o->is_placed[gate] && !is_ready(o, gate, first, end))
                continue;
            o->stack.count--;
            if (!o->is_placed[gate]) {
                o->is_placed[gate] = 1;
                o->order[o->placed++] = gate;
            }
        }
    }
    free(read);
}

uint32_t *order_gates(const LutNetwork *network) {
    Ordering o = {.network = network,
                  .order = memory_alloc((network->luts.count + 1) * sizeof *o.order),
                  .is_placed = memory_zalloc(network->luts.count + 1)};
    uint32_t segment = 0;
    for (size_t i = 0; i < network->loops.count; i++) {
        const LutLoop *loop = &network->loops.items[i];
        order_segment(&o, segment, loop->first);
        for (uint32_t g = loop->first; g < loop->end; g++)
            o.order[o.placed++] = g;
        segment = loop->end;
    }
    order_segment(&o, segment, (uint32_t)network->luts.count);
    assert(o.placed == network->luts.count);
    free(o.is_placed);
    vector_free(&o.stack);
    return o.order;
}
