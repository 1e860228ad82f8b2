/* Tests the splitting of rule bodies: it gives fewer instances with the same meaning. */
#include "ground_support.h"

/* p(x,z) <= q(x,y), r(y), s(z): X*Y*Z instances become X*Y + X*Z. */
Test(split, meets_in_one_variable) {
    enum { X = 7, Y = 11, Z = 13 };
    Text game = {0};
    text_add(&game, "(role a) (legal a m) (<= (next ?f) (true ?f))"
                    "(<= (next (p ?x ?z)) (true (q ?x ?y)) (true (r ?y)) (true (s ?z)))");
    for (int x = 0; x < X; x++)
        for (int y = 0; y < Y; y++)
            text_printf(&game, "(init (q %d %d))", x, y);
    for (int y = 0; y < Y; y++)
        text_printf(&game, "(init (r %d))", y);
    for (int z = 0; z < Z; z++)
        text_printf(&game, "(init (s %d))", z);
    Grounded d = ground(game.items);
    size_t frame = d.g->fluents.count, move = 1;
    cr_assert_eq(frame, X * Y + Y + Z + X * Z);
    cr_assert_eq(d.g->rules.count, frame + move + X * Y + X * Z);
    grounded_free(&d);
    vector_free(&game);
}

/* Two compound marks have 240 instances each, as in Blocker Parallel: 57,600 instances without
 * splitting. */
Test(split, frame_rule_of_blocker_parallel) {
    Text game = {0};
    text_add(&game, "(role crosser) (role blocker) (init (cell 1 1 b))"
                    "(<= (cell ?x ?y) (index ?x) (index ?y))"
                    "(<= (apart ?x ?y ?u ?v) (cell ?x ?y) (cell ?u ?v) (or (distinct ?x ?u) "
                    "(distinct ?y ?v)))"
                    "(<= (legal ?r (mark ?x ?y ?u ?v)) (role ?r) (cell ?x ?y) (cell ?u ?v))"
                    "(<= (next (cell 1 1 b)) (true (cell 1 1 b))"
                    "    (does blocker (mark ?xb ?yb ?xb2 ?yb2))"
                    "    (does crosser (mark ?xc ?yc ?xc2 ?yc2))"
                    "    (apart 1 1 ?xb ?yb) (apart 1 1 ?xc ?yc))");
    for (int i = 1; i <= 4; i++)
        text_printf(&game, "(index %d)", i);
    Grounded d = ground(game.items);
    cr_assert_eq(d.g->moves.count, 512);
    size_t instances = count_rules(d.g, KEYWORD_LEGAL);
    cr_assert_leq(instances, 481, "%zu instances", instances);
    grounded_free(&d);
    vector_free(&game);
}

/* Asserts that with and without splitting the same atoms are derived. */
static void same_moves(const char *text, size_t expected) {
    Grounded d = ground(text);
    cr_assert_eq(d.g->moves.count, expected, "%zu moves, expected %zu: %s", d.g->moves.count,
                 expected, text);
    grounded_free(&d);
}

#define FACTS "(role a) (init f) (e 1 2) (e 2 3) (e 3 4) (e 1 3) (n 1) (n 2) (n 3) (n 4) (lone 9) "

Test(split, keeps_the_meaning) {
    same_moves(FACTS "(<= (legal a (m ?x)) (e ?x ?y) (e ?y ?z) (e ?z ?w))", 1);
    same_moves(FACTS "(<= (legal a (m ?x)) (e ?x ?y) (e ?y ?z))", 2);
    same_moves(FACTS "(<= (legal a (m ?x)) (e ?x ?y) (not (e ?y 4)))", 2);
    same_moves(FACTS "(<= (legal a (m ?x)) (n ?x) (e ?y ?z) (distinct ?y ?x) (distinct ?z ?x))", 4);
    same_moves(FACTS "(<= (legal a (m ?x)) (n ?x) (e ?y ?z) (e ?z ?y))", 0);
    same_moves(FACTS "(<= (legal a m) (lone ?x) (e ?y ?z) (n ?w) (distinct ?w ?x))", 1);
    same_moves(FACTS "(<= (legal a (m ?x)) (e ?x ?y) (n ?u) (not (e ?y ?u)) (distinct ?u ?y))", 3);
}

/* A negated premise stays with the premises that bind its variables. */
Test(split, negations_stay_safe) {
    Grounded d = ground("(role a) (legal a m) (init (p 1 2)) (init (q 2)) (n 1) (n 2) (n 3)"
                        "(<= (next (p ?x ?z)) (true (p ?x ?y)) (not (true (q ?y))) (n ?z)"
                        "    (not (true (p ?y ?z))))"
                        "(<= (next (q ?x)) (n ?x) (true (p ?y ?x)))");
    cr_assert_eq(d.g->fluents.count, 6);
    grounded_free(&d);
}
