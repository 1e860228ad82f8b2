/* Tests the recognition of autonomous fluents that go through a cycle of phases. */
#include "circuit/phases.h"

#include "build_support.h"

static bool is_cycling(const Phases *p, uint32_t fluent) {
    for (size_t i = 0; i < p->fluents.count; i++)
        if (p->fluents.items[i] == fluent)
            return true;
    return false;
}

static bool value_in(const Phases *p, uint32_t phase, uint32_t fluent) {
    for (size_t i = 0; i < p->fluents.count; i++)
        if (p->fluents.items[i] == fluent)
            return p->values[phase * p->fluents.count + i];
    cr_assert_fail("the fluent does not cycle");
    return false;
}

Test(phases, whose_turn_it_is) {
    Built b = build(switch_game, true, true);
    Phases p = phases_find(b.circuit);
    cr_assert_eq(p.count, 3);
    static const char *const names[] = {"(turn 0)", "(turn 1)", "(turn 2)"};
    for (uint32_t t = 0; t < 3; t++)
        for (uint32_t phase = 0; phase < 3; phase++)
            cr_assert_eq(value_in(&p, phase, fluent_named(&b, names[t])), t == phase);
    cr_assert(!is_cycling(&p, fluent_named(&b, "(open 1)")));
    phases_free(&p);
    built_free(&b);
}

Test(phases, two_cycles_share_a_multiple) {
    Built b = build("(role a) (legal a m) (init (p 0)) (init (q 0))"
                    "(<= (next (p 1)) (true (p 0))) (<= (next (p 0)) (true (p 1)))"
                    "(<= (next (q 1)) (true (q 0))) (<= (next (q 2)) (true (q 1)))"
                    "(<= (next (q 0)) (true (q 2)))",
                    true, true);
    Phases p = phases_find(b.circuit);
    cr_assert_eq(p.count, 6);
    for (uint32_t phase = 0; phase < 6; phase++) {
        cr_assert_eq(value_in(&p, phase, fluent_named(&b, "(p 0)")), phase % 2 == 0);
        cr_assert_eq(value_in(&p, phase, fluent_named(&b, "(q 0)")), phase % 3 == 0);
    }
    phases_free(&p);
    built_free(&b);
}

Test(phases, long_cycles_and_chains_are_none) {
    Text game = {0};
    text_add(&game, "(role a) (legal a m) (init (p 0)) (init (step 0)) (<= (next (p ?y)) "
                    "(true (p ?x)) (s ?x ?y)) (<= (next (step ?y)) (true (step ?x)) (t ?x ?y))");
    for (int i = 0; i < 13; i++)
        text_printf(&game, "(s %d %d)", i, (i + 1) % 13);
    for (int i = 0; i < 5; i++)
        text_printf(&game, "(t %d %d)", i, i + 1);
    Built b = build(game.items, true, true);
    Phases p = phases_find(b.circuit);
    cr_assert_eq(p.count, 1);
    cr_assert(!is_cycling(&p, fluent_named(&b, "(p 0)")));
    cr_assert(!is_cycling(&p, fluent_named(&b, "(step 3)")));
    phases_free(&p);
    built_free(&b);
    vector_free(&game);
}

/* Sixteen fluents have next values with shared deep cones: evaluation must not follow every
 * path. */
Test(phases, shared_cones_take_no_time, .timeout = 20) {
    Text game = {0};
    text_add(&game, "(role a) (legal a m) (<= (bit 0) (true (f 0))) (<= (bit 1) (true (f 1)))");
    for (int i = 0; i + 2 <= 60; i++)
        text_printf(&game,
                    "(<= (bit %d) (bit %d) (not (bit %d))) (<= (bit %d) (not (bit %d)) (bit %d) "
                    "(true (f %d)))",
                    i + 2, i + 1, i, i + 2, i + 1, i, i % 14);
    for (int i = 0; i < 14; i++)
        text_printf(&game,
                    "(%s (f %d)) (<= (next (f %d)) (bit 60)) (<= (next (f %d)) (true (f %d)) "
                    "(not (bit 60)))",
                    i % 3 ? "init" : "unused", i, i, i, (i + 1) % 14);
    Built b = build(game.items, true, false);
    Phases p = phases_find(b.circuit);
    cr_assert_geq(p.count, 1);
    phases_free(&p);
    built_free(&b);
    vector_free(&game);
}
