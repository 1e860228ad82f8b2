/* Tests the translation of ground rules to gates: circuit and rules give the same answers, and so
 * do plain and factored circuits. */
#include "build_support.h"
#include "random_aig.h"

typedef struct {
    const Built *b;
    uint8_t *values;
} Situation;

static Situation situation(const Built *b) {
    return (Situation){b, memory_zalloc(b->circuit->aig.nodes.count)};
}

static void set_fluent(Situation *s, const char *name, bool value) {
    uint32_t f = fluent_named(s->b, name);
    cr_assert_neq(f, UINT32_MAX, "no fluent %s", name);
    s->values[signal_node(s->b->circuit->fluents[f])] = value;
}

static bool legal(const Situation *s, uint32_t role, const char *name) {
    uint32_t m = move_named(s->b, role, name);
    return m != UINT32_MAX && value_of(s->values, s->b->circuit->legal[m]);
}

Test(build, recursion_is_a_fixpoint) {
    for (int factor = 0; factor < 2; factor++) {
        Built b = build(switch_game, factor, factor);
        cr_assert_gt(b.circuit->aig.loops.count, 0);
        Situation s = situation(&b);
        set_fluent(&s, "(cell 1)", true);
        set_fluent(&s, "(open 1)", true);
        set_fluent(&s, "(open 2)", true);
        evaluate_plainly(&b.circuit->aig, s.values);
        cr_assert(legal(&s, 0, "(go 1)") && legal(&s, 0, "(go 2)") && legal(&s, 1, "(go 3)"));
        cr_assert(!legal(&s, 0, "(go 4)"));
        cr_assert(!value_of(s.values, b.circuit->terminal));
        set_fluent(&s, "(open 3)", true);
        evaluate_plainly(&b.circuit->aig, s.values);
        cr_assert(legal(&s, 0, "(go 4)"));
        cr_assert(value_of(s.values, b.circuit->terminal));
        set_fluent(&s, "(cell 1)", false); /* no cell of the cycle 1 2 3 supports itself */
        evaluate_plainly(&b.circuit->aig, s.values);
        cr_assert(!legal(&s, 0, "(go 1)") && !legal(&s, 0, "(go 3)"));
        free(s.values);
        built_free(&b);
    }
}

Test(build, constants_are_found) {
    Built plain = build(switch_game, false, false), optimised = build(switch_game, true, true);
    cr_assert_eq(plain.circuit->constant_fluents, 0);
    cr_assert_eq(optimised.circuit->constant_fluents, 1);
    uint32_t f = fluent_named(&optimised, "never_changes");
    cr_assert_eq(optimised.circuit->next[f], SIGNAL_TRUE);
    cr_assert_eq(plain.circuit->next[f], plain.circuit->fluents[f]);
    built_free(&plain);
    built_free(&optimised);
}

Test(build, moves_and_roles_are_in_order) {
    Built b = build(switch_game, true, true);
    cr_assert_eq(b.circuit->role_count, 2);
    cr_assert_eq(b.circuit->move_count, 10);
    cr_assert_eq(b.circuit->first_move[0], 0);
    cr_assert_eq(b.circuit->first_move[1], 5);
    cr_assert_eq(b.circuit->first_move[2], 10);
    U32Vector outputs = {0};
    circuit_outputs(b.circuit, &outputs);
    cr_assert_eq(outputs.count, b.circuit->fluent_count + 10 + 1 + b.circuit->goals.count);
    vector_free(&outputs);
    built_free(&b);
}

Test(build, a_role_without_moves) {
    Built b = build("(role a) (role b) (role c) (init f) (legal b m) (legal b n)"
                    "(<= (next f) (does b m)) (<= (next g) (does a m)) (<= terminal (true g))",
                    true, true);
    const uint32_t expected[] = {0, 0, 2, 2};
    for (int r = 0; r < 4; r++)
        cr_assert_eq(b.circuit->first_move[r], expected[r]);
    cr_assert_eq(fluent_named(&b, "g"), UINT32_MAX);
    built_free(&b);
}

/* Exactly one move is made, so "any other move" costs no more than "this move". */
Test(build, large_sets_of_moves_are_complements) {
    Text game = {0};
    text_add(&game, "(role a) (init (p 1)) (<= (next (p 1)) (does a (m ?x)) (distinct ?x 7))");
    for (int i = 0; i < 50; i++)
        text_printf(&game, "(legal a (m %d))", i);
    Built plain = build(game.items, false, false), factored = build(game.items, true, false);
    cr_assert_eq(plain.circuit->aig.and_count, 48);
    cr_assert_eq(factored.circuit->aig.and_count, 0);
    uint32_t seven = move_named(&factored, 0, "(m 7)");
    cr_assert_eq(factored.circuit->next[0], signal_not(factored.circuit->moves[seven]));
    built_free(&plain);
    built_free(&factored);
    vector_free(&game);
}

Test(build, negation_round_a_cycle_is_an_error) {
    Report report = {0};
    GroundBudget budget = {0};
    CircuitOptions options = {.factors = true, .finds_constants = true};
    Rules *rules = rules_of("(role a) (init f) (legal a m) (<= p (true f) (not q)) "
                            "(<= q (true f) (not p)) (<= terminal p)");
    Grounding *g = ground_rules(rules, &budget, &report);
    cr_assert_not_null(g);
    cr_assert_null(circuit_build(g, &options, &report));
    cr_assert_str_eq(report.items.items[0].code, "unstratified");
    grounding_free(g);
    rules_free(rules);
    report_free(&report);
}

Test(build, no_fluents_no_moves) {
    Built b = build("(role a) (init f) terminal (goal a 100)", true, true);
    cr_assert_eq(b.circuit->terminal, SIGNAL_TRUE);
    cr_assert_eq(b.circuit->goals.count, 1);
    cr_assert_eq(b.circuit->goals.items[0].signal, SIGNAL_TRUE);
    cr_assert_eq(b.circuit->move_count, 0);
    built_free(&b);
}

/* Plain and factored circuits agree in all states of a few fluents, with one move per role. */
Test(build, factoring_keeps_the_meaning) {
    Built plain = build(switch_game, false, false), factored = build(switch_game, true, false);
    U32Vector left = {0}, right = {0};
    circuit_outputs(plain.circuit, &left);
    circuit_outputs(factored.circuit, &right);
    cr_assert_eq(left.count, right.count);
    uint8_t *a = memory_zalloc(plain.circuit->aig.nodes.count);
    uint8_t *b = memory_zalloc(factored.circuit->aig.nodes.count);
    const Circuit *c = plain.circuit, *d = factored.circuit;
    Random random;
    random_seed(&random, 3);
    for (unsigned trial = 0; trial < 3000; trial++) {
        for (uint32_t f = 0; f < c->fluent_count; f++)
            a[signal_node(c->fluents[f])] = b[signal_node(d->fluents[f])] =
                (uint8_t)random_below(&random, 2);
        for (uint32_t r = 0; r < c->role_count; r++) {
            uint32_t first = c->first_move[r], count = c->first_move[r + 1] - first;
            uint32_t done = first + (uint32_t)random_below(&random, count);
            for (uint32_t m = first; m < first + count; m++)
                a[signal_node(c->moves[m])] = b[signal_node(d->moves[m])] = m == done;
        }
        evaluate_plainly(&c->aig, a);
        evaluate_plainly(&d->aig, b);
        for (size_t i = 0; i < left.count; i++)
            cr_assert_eq(value_of(a, left.items[i]), value_of(b, right.items[i]));
    }
    free(a);
    free(b);
    vector_free(&left);
    vector_free(&right);
    built_free(&plain);
    built_free(&factored);
}
