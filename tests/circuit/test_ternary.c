/* Compares three-valued evaluation with all assignments of the unknown values, and tests
 * reachability. */
#include "circuit/ternary.h"

#include "build_support.h"
#include "random_aig.h"

Test(ternary, negation) {
    cr_assert_eq(ternary_not(TERNARY_FALSE), TERNARY_TRUE);
    cr_assert_eq(ternary_not(TERNARY_TRUE), TERNARY_FALSE);
    cr_assert_eq(ternary_not(TERNARY_UNKNOWN), TERNARY_UNKNOWN);
}

/* A value that is certain holds for every completion; without unknown inputs all values are
 * certain. */
Test(ternary, certain_is_certain) {
    enum { INPUTS = 8, COMPLETIONS = 40 };
    Random random;
    random_seed(&random, 31);
    for (uint32_t round = 0; round < 200; round++) {
        RandomShape shape = {INPUTS, 60, 10, round % 3, 4, 12};
        RandomAig r = random_aig(&random, &shape);
        size_t nodes = r.aig.nodes.count;
        Ternary *ternary = memory_zalloc(nodes);
        uint8_t *values = memory_zalloc(nodes);
        uint32_t known_of_four = round % 5;
        for (size_t i = 0; i < INPUTS; i++)
            ternary[r.inputs.items[i]] = random_below(&random, 4) < known_of_four
                                             ? (Ternary)(1 + random_below(&random, 2))
                                             : TERNARY_UNKNOWN;
        ternary_evaluate(&r.aig, ternary);
        for (unsigned n = 0; n < COMPLETIONS; n++) {
            for (size_t i = 0; i < INPUTS; i++) {
                Ternary t = ternary[r.inputs.items[i]];
                values[r.inputs.items[i]] =
                    t == TERNARY_UNKNOWN ? (uint8_t)random_below(&random, 2) : t == TERNARY_TRUE;
            }
            evaluate_plainly(&r.aig, values);
            for (size_t i = 0; i < r.outputs.count; i++) {
                Ternary t = ternary_of(ternary, r.outputs.items[i]);
                bool value = value_of(values, r.outputs.items[i]);
                cr_assert(t & (value ? TERNARY_TRUE : TERNARY_FALSE));
                if (known_of_four == 4)
                    cr_assert_neq(t, TERNARY_UNKNOWN);
            }
        }
        free(ternary);
        free(values);
        random_aig_free(&r);
    }
}

Test(ternary, what_is_reachable) {
    Built b = build(switch_game, false, false);
    Ternary *state = ternary_reachable(b.circuit);
    cr_assert_eq(state[fluent_named(&b, "never_changes")], TERNARY_TRUE);
    cr_assert_eq(state[fluent_named(&b, "(open 1)")], TERNARY_UNKNOWN);
    cr_assert_eq(state[fluent_named(&b, "(turn 0)")], TERNARY_UNKNOWN);
    free(state);
    built_free(&b);
}

Test(ternary, a_chain_of_consequences) {
    Built b = build("(role a) (legal a m) (init (p 0)) (init q)"
                    "(<= (next (p 1)) (true (p 0))) (<= (next (p 2)) (true (p 1)))"
                    "(<= (next q) (true q) (not (true (p 2))))"
                    "(<= (next z) (true z)) (<= (next z) (true (p 0)) (true (p 1)) (true z))",
                    false, false);
    Ternary *state = ternary_reachable(b.circuit);
    cr_assert_eq(state[fluent_named(&b, "q")], TERNARY_UNKNOWN);
    cr_assert_eq(state[fluent_named(&b, "(p 2)")], TERNARY_UNKNOWN);
    cr_assert_eq(fluent_named(&b, "z"), UINT32_MAX);
    free(state);
    built_free(&b);
}
