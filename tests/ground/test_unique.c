/* Tests sets of fluents of which at most one holds, and the simpler negations that follow. */
#include "ground/exclusive.h"
#include "ground_support.h"

#define PLACES "(n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (e 1 2) (e 2 3) (e 3 4) (e 4 5) (e 5 6) (e 6 1)"
#define TURNS                                                                                      \
    "(role a) (role b) (init (control a)) (<= (next (control a)) (true (control b)))"              \
    "(<= (next (control b)) (true (control a))) (<= (legal a noop) (true (control b)))"            \
    "(<= (legal b noop) (true (control a))) "
#define KING                                                                                       \
    "(<= (legal ?r (walk ?x ?y)) (role ?r) (true (control ?r)) (true (king ?r ?x)) (e ?x ?y))"     \
    "(<= (next (king ?r ?y)) (does ?r (walk ?x ?y)))"                                              \
    "(<= (next (king ?r ?x)) (true (king ?r ?x)) (does ?r noop)) "

/* True if at most one tuple of `at` holds for each value of the key columns. */
static bool is_unique(const char *text, uint32_t arity, uint64_t keys) {
    Grounded d = ground(text);
    const FlatProgram *program = d.g->program;
    Symbol name = symbols_find(program->terms->symbols, "at", 2);
    RelationId at = flat_find_relation(program, SYMBOL_NONE, name, arity, false);
    Exclusion *x = exclusion_create(d.g);
    bool unique = exclusion_is_unique(x, at, keys);
    exclusion_free(x);
    grounded_free(&d);
    return unique;
}

#define USE "(<= (at ?r ?x) (true (king ?r ?x))) (<= (goal ?r 1) (at ?r 1)) "

Test(exclusive, a_piece_that_walks) {
    cr_assert(is_unique(PLACES TURNS KING USE "(init (king a 1)) (init (king b 4))", 2, 1));
    cr_assert(!is_unique(PLACES TURNS KING USE "(init (king a 1)) (init (king b 4))", 2, 0));
    cr_assert(!is_unique(PLACES TURNS KING USE "(init (king a 1)) (init (king a 4))", 2, 1));
}

Test(exclusive, a_piece_that_multiplies) {
    cr_assert(!is_unique(PLACES TURNS KING USE
                         "(init (king a 1)) (<= (next (king a 2)) (does b (walk 1 2)))"
                         "(init (king b 4))",
                         2, 1));
    cr_assert(!is_unique(PLACES TURNS KING USE
                         "(init (king a 1)) (init (king b 4))"
                         "(<= (next (king ?r ?x)) (does ?r (walk ?x ?y)) (true (king b 1)))",
                         2, 1));
}

/* One role moves while the other has to wait. To prove that these moves go together, the proof uses
 * the control fluents. */
Test(exclusive, what_legality_implies) {
    const char *text = PLACES TURNS USE
        "(init (king a 1)) (init (king b 4)) (init (sleep c))"
        "(<= (legal ?r (walk ?x ?y)) (true (control ?r)) (true (king ?r ?x)) (e ?x ?y))"
        "(<= (moves ?r ?x) (does ?r (walk ?x ?y))) (other a b) (other b a)"
        "(<= (next (king ?r ?y)) (does ?r (walk ?x ?y)))"
        "(<= (next (king ?r ?x)) (true (king ?r ?x)) (other ?r ?s) (moves ?s ?z))";
    cr_assert(is_unique(text, 2, 1));
}

Test(exclusive, two_that_take_turns) {
    const char *text =
        "(role a) (legal a m) (init (at1 1)) (n 1) (n 2) (n 3) (e 1 2) (e 2 3) (e 3 1)"
        "(<= (next (at1 ?y)) (true (at1 ?x)) (e ?x ?y))"
        "(<= (at ?x) (true (at1 ?x))) (<= terminal (at 2))";
    cr_assert(is_unique(text, 1, 0));
    const char *stays = "(role a) (legal a m) (init (at1 1)) (n 1) (n 2) (n 3) (e 1 2) (e 2 3)"
                        "(<= (next (at1 ?y)) (true (at1 ?x)) (e ?x ?y))"
                        "(<= (next (at1 ?x)) (true (at1 ?x)))"
                        "(<= (at ?x) (true (at1 ?x))) (<= terminal (at 2))";
    cr_assert(!is_unique(stays, 1, 0));
}

/* A role may walk where its king is not seen; the predicate `seen` has three places. */
#define WATCHED                                                                                    \
    "(init (king a 1)) (init (king b 4)) (init (light 2))"                                         \
    "(<= (legal ?r (look ?x ?y)) (role ?r) (true (control ?r)) (n ?x) (n ?y)"                      \
    "    (true (king ?r ?k)) (not (seen ?x ?y ?k)))"                                               \
    "(<= (seen ?x ?y ?k) (n ?x) (n ?y) (n ?k) (true (light ?z)) (lit ?x ?z ?k) (distinct ?y ?z))"  \
    "(<= (lit ?x ?z ?k) (n ?x) (e ?z ?k) (distinct ?x ?k))"                                        \
    "(<= (lit ?x ?z ?k) (n ?x) (e ?k ?z) (not (true (light ?k))))"                                 \
    "(<= (next (light ?y)) (does ?r (look ?x ?y))) (<= (next (light ?x)) (does ?r (walk ?x ?y))) "

Test(unique, negation_under_a_piece_that_exists_once) {
    Grounded plain = ground(PLACES TURNS KING WATCHED);
    Grounded other = ground_patiently(PLACES TURNS KING WATCHED, 50);
    cr_assert_eq(plain.g->moves.count, other.g->moves.count);
    cr_assert_eq(plain.g->fluents.count, other.g->fluents.count);
    cr_assert_lt(other.g->rules.count, plain.g->rules.count);
    Symbol seen = symbols_find(other.g->program->terms->symbols, "seen", 4);
    RelationId id = flat_find_relation(other.g->program, SYMBOL_NONE, seen, 3, false);
    cr_assert_eq(other.g->relations.items[id]->tuples.count, 0, "its clauses stand elsewhere now");
    grounded_free(&plain);
    grounded_free(&other);
}
