/* Technology mapping for area: every node keeps its few best cuts of at most three leaves, judged
 * by area flow, then the cover is improved by exact local area (Mishchenko, Cho, Chatterjee and
 * Brayton 2007). A node chosen for the cover becomes a gate; if some output wants its complement,
 * the gate computes the complement and its readers absorb the sign. */
#include "circuit/lut.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"

enum {
    CUTS = 6,         /* cuts kept per node (untuned) */
    EXACT_PASSES = 2, /* passes of exact local area (untuned) */
    MAX_TRAIL =
        100, /* changes of readers with which an exchange of cuts is still tried (untuned) */
};

/* Added to the flow of a cut whose function no gate computes. It comes after all others and never
 * becomes a gate, but cuts of its readers are made from it. */
#define UNUSABLE 1e6f

typedef struct {
    uint32_t leaves[3];
    uint8_t count;
    uint8_t table; /* over the leaves: bit 4x+2y+z */
    float flow;
} Cut;

typedef struct {
    Cut cuts[CUTS];
    uint8_t count;
    uint8_t best;
} CutSet;

typedef struct {
    const Aig *aig;
    const uint8_t *marks;
    const bool *stopped;  /* as for lut_map */
    unsigned max_leaves;  /* most leaves of a cut */
    bool is_allowed[256]; /* by table: a gate can compute a cut with three leaves */
    uint32_t *slot;       /* by node: number of its cut set, for marked conjunctions */
    CutSet *sets;
    float *flow;       /* by node: area of its best cover, shared among readers */
    uint32_t *readers; /* by node: number of readers, estimated first, then counted in the cover */
    U32Vector trail; /* changes by an exchange of cuts: twice the node, plus 1 for a reader lost */
} Mapper;

static const uint8_t leaf_tables[3] = {0xf0, 0xcc, 0xaa};

uint8_t lut_permuted_table(uint8_t table, const uint8_t *places, size_t count) {
    if (count == 3 && places[0] == 0 && places[1] == 1 && places[2] == 2)
        return table;
    uint8_t permuted = 0;
    for (unsigned row = 0; row < 8; row++) {
        unsigned source = 0;
        for (size_t i = 0; i < count; i++)
            source |= (row >> (2 - places[i]) & 1) << (2 - i);
        permuted |= (uint8_t)((table >> source & 1) << row);
    }
    return permuted;
}

uint8_t lut_flipped_table(uint8_t table, unsigned flips) {
    uint8_t flipped = 0;
    for (unsigned row = 0; row < 8; row++)
        flipped |= (uint8_t)((table >> (row ^ flips) & 1) << row);
    return flipped;
}

/* Allows a function with its operands in any order, all of them and the result complemented or
 * not. */
static void allow_function(Mapper *m, uint8_t table) {
    static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                         {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (unsigned order = 0; order < 6; order++) {
        uint8_t permuted = lut_permuted_table(table, orders[order], 3);
        for (unsigned flips = 0; flips < 8; flips++) {
            uint8_t flipped = lut_flipped_table(permuted, flips);
            m->is_allowed[flipped] = m->is_allowed[(uint8_t)~flipped] = true;
        }
    }
}

static void allow_gates(Mapper *m, GateSet gates) {
    enum { SELECT = 0xca, XOR3 = 0x96, XOR_AND = 0x78 };
    m->max_leaves = gates == GATES_TWO ? 2 : 3;
    memset(m->is_allowed, gates == GATES_THREE, sizeof m->is_allowed);
    if (gates == GATES_SELECT || gates == GATES_SELECT_XOR)
        allow_function(m, SELECT);
    if (gates == GATES_SELECT_XOR) {
        allow_function(m, XOR3);
        allow_function(m, XOR_AND);
    }
}

static bool is_stopped(const Mapper *m) {
    return work_must_end((Deadline){0}, m->stopped);
}

static bool is_gate(const Mapper *m, uint32_t node) {
    return m->marks[node] && aig_is_and(m->aig, node);
}

static bool is_usable(const Mapper *m, const Cut *cut) {
    return cut->count < 3 || m->is_allowed[cut->table];
}

static Cut trivial_cut(uint32_t node) {
    Cut cut = {{node, 0, 0}, 1, leaf_tables[0], 0};
    return cut;
}

/* The table of a function of two operands with another operand, which it ignores, in front of them
 * or between them. */
static uint8_t insert_in_front(uint8_t table) {
    unsigned rows = (table & 1) | (table >> 1 & 2) | (table >> 2 & 4) | (table >> 3 & 8);
    return (uint8_t)(rows | rows << 4);
}

static uint8_t insert_between(uint8_t table) {
    unsigned rows = (table & 0x11) | (table >> 1 & 0x22);
    return (uint8_t)(rows | rows << 2);
}

/* The table of a cut's function over the leaves of a larger cut; the leaves of both are sorted. */
static uint8_t expand_table(const Cut *cut, const Cut *into) {
    uint8_t table = cut->table;
    for (uint8_t j = 0, i = 0; j < into->count && j < 2; j++) {
        if (i < cut->count && cut->leaves[i] == into->leaves[j])
            i++;
        else
            table = j == 0 ? insert_in_front(table) : insert_between(table);
    }
    return table;
}

static bool merge_leaves(const Cut *a, const Cut *b, unsigned most, Cut *merged) {
    uint8_t i = 0, j = 0, n = 0;
    while (i < a->count || j < b->count) {
        if (n == most)
            return false;
        if (j == b->count || (i < a->count && a->leaves[i] < b->leaves[j]))
            merged->leaves[n++] = a->leaves[i++];
        else if (i == a->count || b->leaves[j] < a->leaves[i])
            merged->leaves[n++] = b->leaves[j++];
        else
            merged->leaves[n++] = a->leaves[i++], j++;
    }
    merged->count = n;
    return true;
}

static void keep_cut(CutSet *set, const Cut *cut) {
    for (uint8_t i = 0; i < set->count; i++)
        if (set->cuts[i].count == cut->count &&
            memcmp(set->cuts[i].leaves, cut->leaves, cut->count * sizeof *cut->leaves) == 0)
            return;
    uint8_t at = set->count;
    while (at > 0 && set->cuts[at - 1].flow > cut->flow)
        at--;
    if (at == CUTS)
        return;
    if (set->count < CUTS)
        set->count++;
    for (uint8_t i = (uint8_t)(set->count - 1); i > at; i--)
        set->cuts[i] = set->cuts[i - 1];
    set->cuts[at] = *cut;
}

static void complete_cut(const Mapper *m, const Cut *a, const Cut *b, Signal sa, Signal sb,
                         Cut *cut) {
    uint8_t ta = expand_table(a, cut), tb = expand_table(b, cut);
    cut->table = (uint8_t)((signal_is_complemented(sa) ? ~ta : ta) &
                           (signal_is_complemented(sb) ? ~tb : tb));
    cut->flow = 1;
    for (uint8_t i = 0; i < cut->count; i++)
        cut->flow += m->flow[cut->leaves[i]];
}

static void find_cuts(Mapper *m, uint32_t node) {
    assert(is_gate(m, node));
    const AigNode *n = &m->aig->nodes.items[node];
    CutSet *set = &m->sets[m->slot[node]];
    Cut own_a = trivial_cut(signal_node(n->a)), own_b = trivial_cut(signal_node(n->b));
    const CutSet *sa = is_gate(m, signal_node(n->a)) ? &m->sets[m->slot[signal_node(n->a)]] : NULL;
    const CutSet *sb = is_gate(m, signal_node(n->b)) ? &m->sets[m->slot[signal_node(n->b)]] : NULL;
    if (is_stopped(m))
        sa = sb = NULL; /* only the cut with both operands as leaves */
    set->count = set->best = 0;
    for (int i = -1; i < (sa ? sa->count : 0); i++)
        for (int j = -1; j < (sb ? sb->count : 0); j++) {
            const Cut *a = i < 0 ? &own_a : &sa->cuts[i], *b = j < 0 ? &own_b : &sb->cuts[j];
            Cut cut;
            if (!merge_leaves(a, b, m->max_leaves, &cut))
                continue;
            complete_cut(m, a, b, n->a, n->b, &cut);
            if (!is_usable(m, &cut))
                cut.flow += UNUSABLE;
            keep_cut(set, &cut);
        }
    m->flow[node] = set->cuts[0].flow / (float)(m->readers[node] ? m->readers[node] : 1);
}

static void estimate_readers(Mapper *m) {
    for (uint32_t i = 0; i < m->aig->nodes.count; i++)
        if (is_gate(m, i)) {
            m->readers[signal_node(m->aig->nodes.items[i].a)]++;
            m->readers[signal_node(m->aig->nodes.items[i].b)]++;
        }
}

/* Adds (+1) or removes (-1) a reader of the node, and of what its gate reads if that brings the
 * gate into the cover or takes it out. The trail lists every node whose readers changed. Gives up
 * with the trail incomplete once it has MAX_TRAIL entries. */
static void change_readers(Mapper *m, uint32_t node, int change, int *area) {
    if (!is_gate(m, node) || m->trail.count >= MAX_TRAIL)
        return;
    uint32_t before = m->readers[node];
    assert(before > 0 || change > 0);
    m->readers[node] += (uint32_t)change;
    vector_push(&m->trail, change > 0 ? node << 1 : node << 1 | 1);
    if (before > 0 && m->readers[node] > 0)
        return;
    *area += change;
    const CutSet *set = &m->sets[m->slot[node]];
    const Cut *cut = &set->cuts[set->best];
    for (uint8_t i = 0; i < cut->count; i++)
        change_readers(m, cut->leaves[i], change, area);
}

/* Replaces the node's cut `from` by `to` in the counts of readers. The new leaves gain their reader
 * before the old ones lose theirs, so that only gates in which the two covers differ are visited.
 * Returns the number of gates that this adds to the cover. */
static int exchange_cuts(Mapper *m, const Cut *from, const Cut *to) {
    int area = 0;
    m->trail.count = 0;
    for (uint8_t i = 0; i < to->count; i++)
        change_readers(m, to->leaves[i], 1, &area);
    for (uint8_t i = 0; i < from->count; i++)
        change_readers(m, from->leaves[i], -1, &area);
    return area;
}

static void undo_exchange(Mapper *m) {
    for (size_t i = 0; i < m->trail.count; i++)
        m->readers[m->trail.items[i] >> 1] += m->trail.items[i] & 1 ? 1u : -1u;
}

/* Gives the node the cut with which the whole cover has the fewest gates. */
static void choose_exactly(Mapper *m, uint32_t node) {
    CutSet *set = &m->sets[m->slot[node]];
    if (!m->readers[node] || is_stopped(m))
        return;
    uint8_t old = set->best, best = old;
    int best_area = 0;
    for (uint8_t i = 0; i < set->count; i++) {
        if (i == old || !is_usable(m, &set->cuts[i]))
            continue;
        int area = exchange_cuts(m, &set->cuts[old], &set->cuts[i]);
        bool is_complete = m->trail.count < MAX_TRAIL;
        undo_exchange(m);
        if (is_complete && (area < best_area || (area == best_area && i < best))) {
            best_area = area;
            best = i;
        }
    }
    if (best != old)
        exchange_cuts(m, &set->cuts[old], &set->cuts[best]);
    set->best = best;
}

typedef struct {
    Mapper m;
    LutNetwork *network;
    uint32_t *value;    /* by node */
    bool *complemented; /* by node: the gate computes the complement */
    U32Vector roots;    /* signals that must be available: outputs and loop updates */
} Cover;

static void choose_cover(Mapper *m, const U32Vector *roots) {
    uint32_t nodes = (uint32_t)m->aig->nodes.count;
    estimate_readers(m);
    for (uint32_t i = 0; i < nodes; i++)
        if (is_gate(m, i))
            find_cuts(m, i);
    memset(m->readers, 0, nodes * sizeof *m->readers);
    for (size_t i = 0; i < roots->count; i++)
        m->readers[signal_node(roots->items[i])]++;
    for (uint32_t i = nodes; i-- > 1;) /* readers come after what they read */
        if (is_gate(m, i) && m->readers[i])
            for (uint8_t k = 0; k < m->sets[m->slot[i]].cuts[0].count; k++)
                m->readers[m->sets[m->slot[i]].cuts[0].leaves[k]]++;
    for (unsigned pass = 0; pass < EXACT_PASSES; pass++)
        for (uint32_t i = 0; i < nodes; i++)
            if (is_gate(m, i))
                choose_exactly(m, i);
}

static void emit_gate(Cover *c, uint32_t node) {
    assert(is_gate(&c->m, node) && c->m.readers[node] > 0);
    const CutSet *set = &c->m.sets[c->m.slot[node]];
    const Cut *cut = &set->cuts[set->best];
    unsigned flips = 0;
    for (uint8_t i = 0; i < cut->count; i++)
        if (c->complemented[cut->leaves[i]])
            flips |= 4u >> i;
    uint8_t table = lut_flipped_table(cut->table, flips);
    if (c->complemented[node])
        table = (uint8_t)~table;
    Lut lut = {c->value[cut->leaves[0]], c->value[cut->leaves[cut->count > 1]],
               c->value[cut->leaves[cut->count > 2 ? 2 : cut->count > 1]], table};
    /* Operands may be repeated; the rows of the table in which the copies differ are never used. */
    c->value[node] = lut_value(c->network, c->network->luts.count);
    vector_push(&c->network->luts, lut);
}

/* Adds a gate that copies or negates a value, for outputs that no gate computes with the right
 * sign. */
static uint32_t emit_copy(Cover *c, uint32_t value, bool negate) {
    Lut lut = {value, value, value, negate ? 0x0f : 0xf0};
    vector_push(&c->network->luts, lut);
    return lut_value(c->network, c->network->luts.count - 1);
}

static uint32_t root_value(Cover *c, Signal s) {
    uint32_t node = signal_node(s);
    bool wrong_sign = signal_is_complemented(s) != c->complemented[node];
    return wrong_sign ? emit_copy(c, c->value[node], true) : c->value[node];
}

/* If an output is needed only complemented, its gate computes the complement. */
static void choose_signs(Cover *c) {
    for (size_t i = 0; i < c->roots.count; i++) {
        Signal s = c->roots.items[i];
        if (is_gate(&c->m, signal_node(s)) && signal_is_complemented(s))
            c->complemented[signal_node(s)] = true;
    }
    for (size_t i = 0; i < c->roots.count; i++)
        if (!signal_is_complemented(c->roots.items[i]))
            c->complemented[signal_node(c->roots.items[i])] = false;
}

static void emit_range(Cover *c, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++)
        if (is_gate(&c->m, i) && c->m.readers[i])
            emit_gate(c, i);
}

/* The update of a loop variable is always a gate of the loop (or constant false). Then any change
 * of the loop changes an operand of one of its gates, which is what the incremental evaluator
 * watches. */
static uint32_t update_value(Cover *c, Signal update, uint32_t first_gate) {
    uint32_t value = root_value(c, update);
    bool is_outside = value != 0 && value < lut_value(c->network, first_gate);
    return is_outside ? emit_copy(c, value, false) : value;
}

static void emit_loop(Cover *c, const AigLoop *loop) {
    LutLoop mapped = {.first = (uint32_t)c->network->luts.count};
    emit_range(c, loop->first_node, loop->end_node);
    for (size_t v = 0; v < loop->variables.count; v++) {
        if (!c->m.marks[loop->variables.items[v]])
            continue;
        vector_push(&mapped.variables, c->value[loop->variables.items[v]]);
        vector_push(&mapped.updates, update_value(c, loop->updates.items[v], mapped.first));
    }
    mapped.end = (uint32_t)c->network->luts.count;
    if (mapped.variables.count) {
        vector_push(&c->network->loops, mapped);
    } else {
        vectors_free(&mapped.variables, &mapped.updates);
    }
}

static void number_inputs(Cover *c, const uint32_t *inputs, size_t count) {
    uint32_t next = 1;
    for (size_t i = 0; i < count; i++)
        c->value[inputs[i]] = next++;
    for (size_t i = 0; i < c->m.aig->loops.count; i++) {
        const AigLoop *loop = &c->m.aig->loops.items[i];
        for (size_t v = 0; v < loop->variables.count; v++)
            if (c->m.marks[loop->variables.items[v]])
                c->value[loop->variables.items[v]] = next++;
    }
    c->network->input_count = next - 1;
}

static void collect_roots(Cover *c, const Signal *outputs, size_t count) {
    vector_append(&c->roots, outputs, count);
    for (size_t i = 0; i < c->m.aig->loops.count; i++) {
        const AigLoop *loop = &c->m.aig->loops.items[i];
        for (size_t v = 0; v < loop->variables.count; v++)
            if (c->m.marks[loop->variables.items[v]])
                vector_push(&c->roots, loop->updates.items[v]);
    }
}

static void cover_init(Cover *c, const Aig *aig, const uint8_t *marks) {
    size_t nodes = aig->nodes.count;
    c->m = (Mapper){.aig = aig, .marks = marks};
    c->m.slot = memory_alloc(nodes * sizeof *c->m.slot);
    c->m.flow = memory_zalloc(nodes * sizeof *c->m.flow);
    c->m.readers = memory_zalloc(nodes * sizeof *c->m.readers);
    uint32_t gates = 0;
    for (uint32_t i = 0; i < nodes; i++)
        if (is_gate(&c->m, i))
            c->m.slot[i] = gates++;
    c->m.sets = memory_alloc((gates + 1) * sizeof *c->m.sets);
    c->value = memory_zalloc(nodes * sizeof *c->value);
    c->complemented = memory_zalloc(nodes);
    c->network = memory_zalloc(sizeof *c->network);
}

static void cover_free(Cover *c) {
    vectors_free(&c->m.trail, &c->roots);
    memory_free(c->m.slot, c->m.flow, c->m.readers, c->m.sets, c->value, c->complemented);
}

LutNetwork *lut_map(const Aig *aig, const uint32_t *inputs, size_t input_count,
                    const Signal *outputs, size_t output_count, GateSet gates,
                    const bool *stopped) {
    assert((inputs || input_count == 0) && (outputs || output_count == 0));
    assert(gates >= GATES_TWO && gates <= GATES_SELECT_XOR);
    uint8_t *marks = memory_zalloc(aig->nodes.count);
    aig_mark_cone(aig, outputs, output_count, marks);
    Cover c = {0};
    cover_init(&c, aig, marks);
    c.m.stopped = stopped;
    allow_gates(&c.m, gates);
    number_inputs(&c, inputs, input_count);
    collect_roots(&c, outputs, output_count);
    choose_cover(&c.m, &c.roots);
    choose_signs(&c);
    uint32_t at = 1;
    for (size_t i = 0; i < aig->loops.count; i++) {
        emit_range(&c, at, aig->loops.items[i].first_node);
        emit_loop(&c, &aig->loops.items[i]);
        at = aig->loops.items[i].end_node;
    }
    emit_range(&c, at, (uint32_t)aig->nodes.count);
    for (size_t i = 0; i < output_count; i++)
        vector_push(&c.network->outputs, root_value(&c, outputs[i]));
    LutNetwork *network = c.network;
    cover_free(&c);
    free(marks);
    return network;
}

void lut_free(LutNetwork *network) {
    if (!network)
        return;
    for (size_t i = 0; i < network->loops.count; i++)
        vectors_free(&network->loops.items[i].variables, &network->loops.items[i].updates);
    vectors_free(&network->loops, &network->luts, &network->outputs);
    free(network);
}
