/* Tests that simplification preserves functions: functions of three inputs are built at random and
 * compared with their truth tables. */
#include "circuit/aig.h"

#include "random_aig.h"

Test(aig, constants_and_copies_vanish) {
    Aig aig;
    aig_init(&aig);
    Signal a = aig_input(&aig), b = aig_input(&aig);
    cr_assert_eq(aig_and(&aig, a, SIGNAL_FALSE), SIGNAL_FALSE);
    cr_assert_eq(aig_and(&aig, SIGNAL_TRUE, a), a);
    cr_assert_eq(aig_and(&aig, a, a), a);
    cr_assert_eq(aig_and(&aig, a, signal_not(a)), SIGNAL_FALSE);
    cr_assert_eq(aig_or(&aig, a, signal_not(a)), SIGNAL_TRUE);
    Signal ab = aig_and(&aig, a, b);
    cr_assert_eq(aig_and(&aig, b, a), ab);
    cr_assert_eq(aig_and(&aig, a, ab), ab);
    cr_assert_eq(aig_and(&aig, signal_not(a), ab), SIGNAL_FALSE);
    cr_assert_eq(aig_or(&aig, a, ab), a);
    cr_assert_eq(aig_and(&aig, a, signal_not(ab)), aig_and(&aig, a, signal_not(b)));
    cr_assert_eq(aig_and_many(&aig, NULL, 0), SIGNAL_TRUE);
    cr_assert_eq(aig_or_many(&aig, NULL, 0), SIGNAL_FALSE);
    aig_free(&aig);
}

Test(aig, simplification_keeps_the_function) {
    enum { INPUTS = 3, ROWS = 8, SIGNALS = 400 };
    static const uint8_t input_tables[INPUTS] = {0xf0, 0xcc, 0xaa};
    Random random;
    random_seed(&random, 1);
    for (unsigned round = 0; round < 200; round++) {
        Aig aig;
        aig_init(&aig);
        Signal signals[SIGNALS] = {SIGNAL_FALSE};
        uint8_t tables[SIGNALS] = {0};
        for (unsigned i = 0; i < INPUTS; i++) {
            signals[1 + i] = aig_input(&aig);
            tables[1 + i] = input_tables[i];
        }
        for (size_t n = 1 + INPUTS; n < SIGNALS; n++) {
            size_t operands[4];
            Signal given[4];
            uint8_t table[4];
            for (int i = 0; i < 4; i++) {
                operands[i] = random_below(&random, n);
                bool negated = random_below(&random, 2);
                given[i] = signals[operands[i]] ^ negated;
                table[i] = negated ? (uint8_t)~tables[operands[i]] : tables[operands[i]];
            }
            switch (random_below(&random, 5)) {
            case 0:
                signals[n] = aig_and(&aig, given[0], given[1]);
                tables[n] = table[0] & table[1];
                break;
            case 1:
                signals[n] = aig_xor(&aig, given[0], given[1]);
                tables[n] = table[0] ^ table[1];
                break;
            case 2:
                signals[n] = aig_or(&aig, aig_and(&aig, given[0], given[1]),
                                    aig_and(&aig, signal_not(given[0]), given[2]));
                tables[n] = (uint8_t)((table[0] & table[1]) | (~table[0] & table[2]));
                break;
            case 3:
                signals[n] = aig_and_many(&aig, given, 4);
                tables[n] = table[0] & table[1] & table[2] & table[3];
                break;
            default:
                signals[n] = aig_or_many(&aig, given, 4);
                tables[n] = table[0] | table[1] | table[2] | table[3];
            }
        }
        uint8_t *values = memory_zalloc(aig.nodes.count);
        for (unsigned row = 0; row < ROWS; row++) {
            for (unsigned i = 0; i < INPUTS; i++)
                values[1 + i] = row >> (2 - i) & 1;
            evaluate_plainly(&aig, values);
            for (size_t n = 0; n < SIGNALS; n++)
                cr_assert_eq(value_of(values, signals[n]), tables[n] >> row & 1);
        }
        free(values);
        aig_free(&aig);
    }
}

Test(aig, equal_sets_give_equal_trees) {
    Aig aig;
    aig_init(&aig);
    Signal signals[40], shuffled[40];
    for (int i = 0; i < 40; i++)
        signals[i] = aig_input(&aig);
    for (int i = 0; i < 40; i++)
        shuffled[i] = signals[i * 7 % 40];
    cr_assert_eq(aig_and_many(&aig, signals, 40), aig_and_many(&aig, shuffled, 40));
    aig_free(&aig);
}

Test(aig, depth_counts_the_longest_path) {
    Aig aig;
    aig_init(&aig);
    Signal chain = aig_input(&aig);
    for (int i = 0; i < 10; i++)
        chain = aig_and(&aig, chain, aig_input(&aig));
    cr_assert_eq(aig_depth(&aig, &chain, 1), 10);
    Signal input = SIGNAL_TRUE;
    cr_assert_eq(aig_depth(&aig, &input, 1), 0);
    aig_free(&aig);
}

Test(aig, cones_reach_through_loops) {
    Aig aig;
    aig_init(&aig);
    Signal a = aig_input(&aig), unused = aig_input(&aig);
    AigLoop loop = {.first_node = (uint32_t)aig.nodes.count};
    Signal variable = aig_input(&aig);
    vector_push(&loop.variables, signal_node(variable));
    vector_push(&loop.updates, aig_or(&aig, a, variable));
    loop.end_node = (uint32_t)aig.nodes.count;
    vector_push(&aig.loops, loop);
    uint8_t marks[16] = {0};
    aig_mark_cone(&aig, &variable, 1, marks);
    cr_assert(marks[signal_node(a)] && !marks[signal_node(unused)]);
    aig_free(&aig);
}

Test(aig, copies_behave_alike) {
    Random random;
    random_seed(&random, 5);
    for (uint32_t round = 0; round < 60; round++) {
        RandomShape shape = {10, 80, 12, round % 4, 1 + round % 5, round % 17};
        RandomAig r = random_aig(&random, &shape);
        size_t nodes = r.aig.nodes.count;
        uint8_t *marks = memory_zalloc(nodes);
        Signal *map = memory_alloc(nodes * sizeof *map);
        memset(map, 0xff, nodes * sizeof *map);
        aig_mark_cone(&r.aig, r.outputs.items, r.outputs.count, marks);
        Aig copy;
        aig_init(&copy);
        for (size_t i = 0; i < r.inputs.count; i++)
            map[r.inputs.items[i]] = aig_input(&copy);
        aig_copy_marked(&copy, &r.aig, marks, map);
        uint8_t *values = memory_zalloc(nodes), *copied = memory_zalloc(copy.nodes.count);
        for (unsigned trial = 0; trial < 20; trial++) {
            for (size_t i = 0; i < r.inputs.count; i++)
                values[r.inputs.items[i]] = copied[1 + i] = (uint8_t)random_below(&random, 2);
            evaluate_plainly(&r.aig, values);
            evaluate_plainly(&copy, copied);
            for (size_t i = 0; i < r.outputs.count; i++)
                cr_assert_eq(value_of(values, r.outputs.items[i]),
                             value_of(copied, signal_mapped(map, r.outputs.items[i])));
        }
        free(values);
        free(copied);
        free(marks);
        free(map);
        aig_free(&copy);
        random_aig_free(&r);
    }
}
