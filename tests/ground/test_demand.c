/* Tests the rewriting of rules with too many instances: it gives the same game with fewer
 * instances. */
#include "ground_support.h"

#define NUMBERS "(n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9) "

/* Numbers of rules with and without patience, which give the same moves and fluents. */
typedef struct {
    size_t patiently, rewritten;
} RuleCounts;

static RuleCounts same_game(const char *text, uint32_t patience) {
    Grounded plain = ground(text), other = ground_patiently(text, patience);
    cr_assert_eq(plain.g->moves.count, other.g->moves.count, "%zu and %zu moves",
                 plain.g->moves.count, other.g->moves.count);
    cr_assert_eq(plain.g->fluents.count, other.g->fluents.count);
    cr_assert_eq(plain.g->goals.count, other.g->goals.count);
    RuleCounts counts = {plain.g->rules.count, other.g->rules.count};
    grounded_free(&plain);
    grounded_free(&other);
    return counts;
}

/* Nine moves need nine of the 729 instances. */
Test(demand, negation_asks_for_its_instances) {
    RuleCounts counts = same_game("(role a) (init (at 1)) " NUMBERS
                                  "(<= (unsafe ?x ?y ?z) (n ?x) (n ?y) (n ?z) (true (at ?x)))"
                                  "(<= (legal a (m ?x)) (n ?x) (not (unsafe ?x 2 3)))"
                                  "(<= (next (at ?x)) (does a (m ?x)))",
                                  100);
    cr_assert_eq(counts.patiently, 729 + 9 + 9);
    cr_assert_eq(counts.rewritten, 9 + 9 + 9);
}

Test(demand, passes_through_recursion) {
    RuleCounts counts =
        same_game("(role a) (init (at 1)) " NUMBERS
                  "(e 1 2) (e 2 3) (e 3 4) (e 4 5) (e 5 6) (e 6 7) (e 7 8) (e 8 9)"
                  "(<= (path ?x ?y) (e ?x ?y) (not (true (at ?y))))"
                  "(<= (path ?x ?z) (e ?x ?y) (path ?y ?z) (not (true (at ?y))))"
                  "(<= (legal a (m ?y)) (path 6 ?y)) (<= (next (at ?x)) (does a (m ?x)))",
                  10);
    cr_assert_eq(counts.patiently, 36 + 3 + 3);
    cr_assert_eq(counts.rewritten, 6 + 3 + 3, "%zu", counts.rewritten);
}

/* A relation whose use restricts no argument stays as it is. */
Test(demand, asked_for_everything) {
    RuleCounts counts =
        same_game("(role a) (init (at 1)) " NUMBERS "(<= (p ?x ?y) (n ?x) (n ?y) (true (at ?x)))"
                  "(<= (legal a (m ?x ?y)) (p ?x ?y))"
                  "(<= (next (at ?x)) (does a (m ?x ?y)))",
                  5);
    cr_assert_eq(counts.patiently, counts.rewritten);
}

/* Static relations are rewritten as well, but not those on which the initial state depends. */
Test(demand, of_what_cannot_change) {
    same_game("(role a) " NUMBERS "(<= (triple ?x ?y ?z) (n ?x) (n ?y) (n ?z))"
              "(<= (legal a (m ?x)) (n ?x) (not (triple ?x 2 5))) (legal a stop)"
              "(<= (init (at ?x)) (triple ?x 1 1)) (<= (next (at ?x)) (does a (m ?x)))",
              20);
    RuleCounts counts = same_game("(role a) (init (at 1)) (legal a stop) " NUMBERS
                                  "(<= (triple ?x ?y ?z) (n ?x) (n ?y) (n ?z) (distinct ?x 4))"
                                  "(<= (legal a (m ?x)) (true (at ?x)) (triple ?x 2 5))"
                                  "(<= (next (at ?x)) (does a stop) (n ?x))",
                                  20);
    cr_assert_lt(counts.rewritten, 50);
}

/* Each of 45 relations has 2^n instances, and one or two of them are needed. */
Test(demand, exponentially_many_instances) {
    enum { DEPTH = 45 };
    Text game = {0};
    text_add(&game, "(role a) (init (at 1)) (bit 0) (bit 1) (legal a stop)"
                    "(<= (legal a go) (p1 0)) (<= (next (at 2)) (does a go))");
    for (int n = 1; n <= DEPTH; n++) {
        text_printf(&game, "(<= (p%d", n);
        for (int i = 0; i < n; i++)
            text_printf(&game, " ?b%d", i);
        text_add(&game, ")");
        for (int i = 0; i < n; i++)
            text_printf(&game, " (bit ?b%d)", i);
        text_add(&game, n < DEPTH ? " (not (true (at 2)))" : " (true (at 1)))");
        if (n < DEPTH) {
            text_printf(&game, " (p%d", n + 1);
            for (int i = 0; i < n; i++)
                text_printf(&game, " ?b%d", i);
            text_add(&game, " 1))");
        }
    }
    Grounded d = ground_patiently(game.items, 1000);
    cr_assert_eq(d.g->moves.count, 2);
    cr_assert_leq(d.g->rules.count, DEPTH + 10);
    grounded_free(&d);
    vector_free(&game);
}

/* h <= p, r and h <= q, r become one clause: 9 + 9 + 729 instances instead of 2 * 729. */
Test(alternatives, are_merged) {
    RuleCounts counts = same_game("(role a) " NUMBERS "(init (p 1)) (init (q 1)) (init (r 1 1))"
                                  "(<= (next (p ?x)) (n ?x)) (<= (next (q ?x)) (n ?x))"
                                  "(<= (next (r ?x ?y)) (n ?x) (n ?y))"
                                  "(<= (legal a (m ?x ?y ?z)) (or (true (p ?z)) (true (q ?z)))"
                                  "    (true (r ?x ?y)))",
                                  100);
    cr_assert_eq(counts.patiently, 9 + 9 + 81 + 2 * 729);
    cr_assert_eq(counts.rewritten, 9 + 9 + 81 + 729 + 18);
}

/* `not t(X,K)` leaves X unbound, so only demand lets K be eliminated: 9*9 instances for the pairs,
 * and 9*9 for the moves, instead of 9*9*9. */
Test(split, harder_with_questions) {
    RuleCounts counts =
        same_game("(role a) " NUMBERS "(init (king 1)) (init (at 1 1)) (init (t 1 1))"
                  "(<= (next (king ?x)) (n ?x)) (<= (next (at ?x ?y)) (n ?x) (n ?y))"
                  "(<= (next (t ?x ?y)) (n ?x) (n ?y))"
                  "(<= (legal a (m ?x ?y)) (true (at ?x ?y)) (true (king ?k))"
                  "    (not (true (t ?x ?k))))",
                  200);
    cr_assert_eq(counts.patiently, 9 + 81 + 81 + 729);
    cr_assert_eq(counts.rewritten, 9 + 81 + 81 + 81 + 81);
}

/* Two eliminations that each need the bindings of the other must not both happen. */
Test(split, harder_without_circles) {
    same_game("(role a) " NUMBERS "(init (k 1)) (init (l 1)) (init (t 1 1)) (init (at 1))"
              "(<= (next (k ?x)) (n ?x)) (<= (next (l ?x)) (n ?x)) (<= (next (at ?x)) (n ?x))"
              "(<= (next (t ?x ?y)) (n ?x) (n ?y))"
              "(<= (legal a (m ?x ?y)) (true (at ?x)) (true (at ?y)) (true (k ?k)) (true (l ?l))"
              "    (not (true (t ?x ?k))) (not (true (t ?y ?l))) (not (true (t ?k ?l)))"
              "    (distinct ?x ?y) (not (true (t ?l ?x))))",
              1);
}
