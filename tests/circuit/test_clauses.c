/* Compares the literals of a SAT solver with plain evaluation: a signal is satisfiable if some
 * input makes it true, and the model found makes it true. */
#include "circuit/clauses.h"

#include "random_aig.h"

enum { INPUTS = 8 };

static int never(void *context) {
    (void)context;
    return 0;
}

static bool can_be_true(const RandomAig *r, uint8_t *values, Signal signal) {
    for (uint32_t bits = 0; bits < 1u << INPUTS; bits++) {
        for (uint32_t i = 0; i < INPUTS; i++)
            values[r->inputs.items[i]] = bits >> i & 1;
        evaluate_plainly(&r->aig, values);
        if (value_of(values, signal))
            return true;
    }
    return false;
}

static void assert_found(const Clauses *clauses, const RandomAig *r, uint8_t *values,
                         Signal signal) {
    for (uint32_t i = 0; i < INPUTS; i++) {
        Signal input = 2 * r->inputs.items[i];
        bool has_literal = r->inputs.items[i] < clauses->variables.count &&
                           clauses->variables.items[r->inputs.items[i]];
        values[r->inputs.items[i]] = has_literal && clauses_is_true(clauses, input);
    }
    evaluate_plainly(&r->aig, values);
    cr_expect(value_of(values, signal));
}

Test(clauses, agree_with_evaluation) {
    Random random;
    random_seed(&random, 1);
    for (int round = 0; round < 50; round++) {
        RandomShape shape = {.inputs = INPUTS, .gates = 60, .outputs = 12};
        RandomAig r = random_aig(&random, &shape);
        uint8_t *values = memory_zalloc(r.aig.nodes.count);
        Clauses clauses;
        clauses_init(&clauses, &r.aig, never, NULL);
        for (size_t i = 0; i < r.outputs.count; i++) {
            Signal signal = r.outputs.items[i];
            clauses_assume(&clauses, clauses_literal(&clauses, signal));
            SatAnswer answer = clauses_solve(&clauses, 0);
            cr_expect_eq(answer, can_be_true(&r, values, signal) ? SAT_FOUND : SAT_REFUTED);
            if (answer == SAT_FOUND)
                assert_found(&clauses, &r, values, signal);
        }
        clauses_free(&clauses);
        free(values);
        random_aig_free(&r);
    }
}

/* With loops, a false signal may be satisfiable, but no true one is refuted. */
Test(clauses, loops_refute_nothing_true) {
    Random random;
    random_seed(&random, 2);
    for (int round = 0; round < 50; round++) {
        RandomShape shape = {.inputs = INPUTS,
                             .gates = 40,
                             .outputs = 12,
                             .loops = 2,
                             .loop_variables = 3,
                             .loop_gates = 8};
        RandomAig r = random_aig(&random, &shape);
        uint8_t *values = memory_zalloc(r.aig.nodes.count);
        Clauses clauses;
        clauses_init(&clauses, &r.aig, never, NULL);
        for (size_t i = 0; i < r.outputs.count; i++) {
            clauses_assume(&clauses, clauses_literal(&clauses, r.outputs.items[i]));
            if (clauses_solve(&clauses, 0) == SAT_REFUTED)
                cr_expect(!can_be_true(&r, values, r.outputs.items[i]));
        }
        clauses_free(&clauses);
        free(values);
        random_aig_free(&r);
    }
}
