/* Tests that networks mapped to look-up tables compute the same values as the graphs, gate by gate.
 * Very deep graphs are included. */
#include "circuit/lut.h"

#include "random_aig.h"

static bool lut_result(const Lut *l, const uint8_t *v) {
    return l->table >> (v[l->a] << 2 | v[l->b] << 1 | v[l->c]) & 1;
}

static void run_luts(const LutNetwork *n, uint8_t *values, uint32_t first, uint32_t end) {
    for (uint32_t g = first; g < end; g++)
        values[lut_value(n, g)] = lut_result(&n->luts.items[g], values);
}

static void run_network(const LutNetwork *n, uint8_t *values) {
    uint32_t at = 0;
    for (size_t i = 0; i < n->loops.count; i++) {
        const LutLoop *loop = &n->loops.items[i];
        run_luts(n, values, at, loop->first);
        for (size_t v = 0; v < loop->variables.count; v++)
            values[loop->variables.items[v]] = 0;
        for (bool grown = true; grown;) {
            grown = false;
            run_luts(n, values, loop->first, loop->end);
            for (size_t v = 0; v < loop->variables.count; v++) {
                uint8_t *variable = &values[loop->variables.items[v]];
                grown |= values[loop->updates.items[v]] != *variable;
                *variable = values[loop->updates.items[v]];
            }
        }
        at = loop->end;
    }
    run_luts(n, values, at, (uint32_t)n->luts.count);
}

/* Asserts the invariants that evaluation relies on. */
static void check_form(const LutNetwork *n) {
    for (size_t g = 0; g < n->luts.count; g++) {
        const Lut *l = &n->luts.items[g];
        uint32_t value = lut_value(n, g);
        cr_assert(l->a < value && l->b < value && l->c < value);
    }
    for (size_t i = 0; i < n->loops.count; i++) {
        const LutLoop *loop = &n->loops.items[i];
        cr_assert_leq(loop->first, loop->end);
        for (size_t v = 0; v < loop->updates.count; v++) {
            uint32_t update = loop->updates.items[v];
            bool inside = update >= lut_value(n, loop->first) && update < lut_value(n, loop->end);
            cr_assert(update == 0 || inside, "an update is no gate of its loop");
        }
    }
}

/* Returns the number of gates. */
static size_t check_mapping_of(Random *random, const RandomAig *graph, const bool *stopped) {
    RandomAig r = *graph;
    LutNetwork *n = lut_map(&r.aig, r.inputs.items, r.inputs.count, r.outputs.items,
                            r.outputs.count, GATES_THREE, stopped);
    cr_assert_eq(n->outputs.count, r.outputs.count);
    check_form(n);
    uint8_t *values = memory_zalloc(r.aig.nodes.count);
    uint8_t *mapped = memory_zalloc(1 + n->input_count + n->luts.count);
    for (unsigned trial = 0; trial < 16; trial++) {
        for (size_t i = 0; i < r.inputs.count; i++)
            values[r.inputs.items[i]] = mapped[1 + i] = (uint8_t)random_below(random, 2);
        evaluate_plainly(&r.aig, values);
        run_network(n, mapped);
        for (size_t i = 0; i < r.outputs.count; i++)
            cr_assert_eq(mapped[n->outputs.items[i]], value_of(values, r.outputs.items[i]));
    }
    size_t gates = n->luts.count;
    free(values);
    free(mapped);
    lut_free(n);
    return gates;
}

/* A mapping that is stopped is right as well, but has a gate for each conjunction. */
static void check_mapping(Random *random, const RandomShape *shape) {
    const bool stopped = true;
    RandomAig r = random_aig(random, shape);
    uint8_t *marks = memory_zalloc(r.aig.nodes.count);
    aig_mark_cone(&r.aig, r.outputs.items, r.outputs.count, marks);
    size_t ands = 0;
    for (uint32_t i = 0; i < r.aig.nodes.count; i++)
        ands += marks[i] && aig_is_and(&r.aig, i);
    size_t gates = check_mapping_of(random, &r, NULL);
    size_t quick = check_mapping_of(random, &r, &stopped);
    cr_assert_geq(quick, ands);
    cr_assert_leq(gates, quick);
    free(marks);
    random_aig_free(&r);
}

Test(lut, random_graphs) {
    Random random;
    random_seed(&random, 11);
    for (uint32_t round = 0; round < 300; round++) {
        RandomShape shape = {1 + round % 30, round % 7 * 40, 1 + round % 20, 0, 0, 0};
        check_mapping(&random, &shape);
    }
}

Test(lut, random_graphs_with_loops) {
    Random random;
    random_seed(&random, 12);
    for (uint32_t round = 0; round < 300; round++) {
        RandomShape shape = {3 + round % 9, round % 5 * 20, 1 + round % 20,
                             1 + round % 3, 1 + round % 7,  round % 30};
        check_mapping(&random, &shape);
    }
}

Test(lut, three_inputs_make_one_gate) {
    Aig aig;
    aig_init(&aig);
    Signal a = aig_input(&aig), b = aig_input(&aig), c = aig_input(&aig);
    Signal outputs[] = {
        signal_not(aig_xor(&aig, aig_xor(&aig, a, b), c)),
        aig_or(&aig, aig_and(&aig, a, b), aig_and(&aig, signal_not(a), signal_not(c)))};
    uint32_t inputs[] = {signal_node(a), signal_node(b), signal_node(c)};
    LutNetwork *n = lut_map(&aig, inputs, 3, outputs, 2, GATES_THREE, NULL);
    cr_assert_eq(n->luts.count, 2);
    lut_free(n);
    aig_free(&aig);
}

Test(lut, outputs_that_are_no_gates) {
    Aig aig;
    aig_init(&aig);
    Signal a = aig_input(&aig);
    Signal outputs[] = {a, signal_not(a), SIGNAL_FALSE, SIGNAL_TRUE, a};
    uint32_t inputs[] = {signal_node(a)};
    LutNetwork *n = lut_map(&aig, inputs, 1, outputs, 5, GATES_THREE, NULL);
    for (uint8_t value = 0; value < 2; value++) {
        uint8_t values[16] = {0, value};
        run_network(n, values);
        const uint8_t expected[] = {value, !value, 0, 1, value};
        for (int i = 0; i < 5; i++)
            cr_assert_eq(values[n->outputs.items[i]], expected[i]);
    }
    lut_free(n);
    aig_free(&aig);
}

Test(lut, nothing_to_map) {
    Aig aig;
    aig_init(&aig);
    LutNetwork *n = lut_map(&aig, NULL, 0, NULL, 0, GATES_THREE, NULL);
    cr_assert_eq(n->luts.count + n->outputs.count + n->input_count, 0);
    lut_free(n);
    aig_free(&aig);
}

Test(lut, very_deep_graphs) {
    enum { DEEP = 30000 };
    Aig aig;
    aig_init(&aig);
    Signal inputs[3] = {aig_input(&aig), aig_input(&aig), aig_input(&aig)};
    uint32_t nodes[3] = {signal_node(inputs[0]), signal_node(inputs[1]), signal_node(inputs[2])};
    Signal chain = inputs[0];
    for (uint32_t i = 0; i < DEEP; i++)
        chain = aig_xor(&aig, chain, aig_and(&aig, inputs[i % 3], chain ^ (i & 1)));
    LutNetwork *n = lut_map(&aig, nodes, 3, &chain, 1, GATES_THREE, NULL);
    uint8_t *plain = memory_zalloc(aig.nodes.count);
    uint8_t *mapped = memory_zalloc(4 + n->luts.count);
    for (unsigned row = 0; row < 8; row++) {
        for (unsigned i = 0; i < 3; i++)
            plain[nodes[i]] = mapped[1 + i] = row >> i & 1;
        evaluate_plainly(&aig, plain);
        run_network(n, mapped);
        cr_assert_eq(mapped[n->outputs.items[0]], value_of(plain, chain));
    }
    free(plain);
    free(mapped);
    lut_free(n);
    aig_free(&aig);
}

/* For each set of gates, the numbers of gates for a selection, a sum of three bits and a
 * majority. */
Test(lut, sets_of_gates) {
    static const size_t expected[3][GATES_SELECT_XOR + 1] = {
        {[GATES_TWO] = 3, [GATES_THREE] = 1, [GATES_SELECT] = 1, [GATES_SELECT_XOR] = 1},
        {[GATES_TWO] = 2, [GATES_THREE] = 1, [GATES_SELECT] = 2, [GATES_SELECT_XOR] = 1},
        {[GATES_TWO] = 4, [GATES_THREE] = 1, [GATES_SELECT] = 4, [GATES_SELECT_XOR] = 4}};
    Aig aig;
    aig_init(&aig);
    Signal x = aig_input(&aig), y = aig_input(&aig), z = aig_input(&aig);
    uint32_t inputs[] = {signal_node(x), signal_node(y), signal_node(z)};
    Signal either = aig_or(&aig, y, z), both = aig_and(&aig, y, z);
    Signal functions[] = {
        aig_or(&aig, aig_and(&aig, x, y), aig_and(&aig, signal_not(x), z)),
        aig_xor(&aig, aig_xor(&aig, x, y), z),
        aig_or(&aig, both, aig_and(&aig, x, either)),
    };
    for (unsigned f = 0; f < 3; f++)
        for (GateSet gates = GATES_TWO; gates <= GATES_SELECT_XOR; gates++) {
            LutNetwork *n = lut_map(&aig, inputs, 3, &functions[f], 1, gates, NULL);
            cr_expect_eq(n->luts.count, expected[f][gates], "function %u, set %d: %zu gates", f,
                         (int)gates, n->luts.count);
            lut_free(n);
        }
    aig_free(&aig);
}
