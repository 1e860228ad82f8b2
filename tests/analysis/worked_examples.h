/* Small games from the worked examples of the literature, and helpers to inspect decompositions. */
#ifndef MARELLE_TESTS_ANALYSIS_WORKED_EXAMPLES_H
#define MARELLE_TESTS_ANALYSIS_WORKED_EXAMPLES_H

#include "analysis/decompose/decompose.h"
#include "game/play.h"

static const char lamps[] = "(role p) (lamp stop) (lamp left) (lamp right) (lamp decoy)"
                            "(<= (legal p (press ?l)) (lamp ?l) (not (true (lit ?l))))"
                            "(<= (next (lit ?l)) (does p (press ?l)))"
                            "(<= (next (lit ?l)) (true (lit ?l)))"
                            "(<= terminal (true (lit stop)))"
                            "(<= (goal p 0)   (not (true (lit left))) (not (true (lit right))))"
                            "(<= (goal p 30)  (true (lit left))       (not (true (lit right))))"
                            "(<= (goal p 70)  (not (true (lit left))) (true (lit right)))"
                            "(<= (goal p 100) (true (lit left))       (true (lit right)))";

static const char dials[] =
    "(role p) (init (da 0)) (init (db 0)) (init (turn 1))"
    "(legal p uu) (legal p ud) (legal p uk) (legal p du) (legal p dd) (legal p dk) (legal p ku)"
    "(legal p kd) (legal p kk)"
    "(<= (next (da ?y)) (does p ?m) (first ?m u)  (true (da ?x)) (up ?x ?y))"
    "(<= (next (da ?y)) (does p ?m) (first ?m d)  (true (da ?x)) (up ?y ?x))"
    "(<= (next (da ?x)) (does p ?m) (first ?m k)  (true (da ?x)))"
    "(<= (next (db ?y)) (does p ?m) (second ?m u) (true (db ?x)) (up ?x ?y))"
    "(<= (next (db ?y)) (does p ?m) (second ?m d) (true (db ?x)) (up ?y ?x))"
    "(<= (next (db ?x)) (does p ?m) (second ?m k) (true (db ?x)))"
    "(<= (next (turn ?y)) (true (turn ?x)) (succ ?x ?y))"
    "(<= terminal (true (turn 6)))"
    "(<= (goal p 100) (true (da 2)) (true (db 3)))"
    "(<= (goal p 50)  (true (da 2)) (not (true (db 3))))"
    "(<= (goal p 50)  (not (true (da 2))) (true (db 3)))"
    "(<= (goal p 0)   (not (true (da 2))) (not (true (db 3))))"
    "(first uu u) (first ud u) (first uk u) (first du d) (first dd d) (first dk d) (first ku k)"
    "(first kd k) (first kk k) (second uu u) (second du u) (second ku u) (second ud d)"
    "(second dd d) (second kd d) (second uk k) (second dk k) (second kk k)"
    "(up 0 1) (up 1 2) (up 2 3) (up 3 0)"
    "(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)";

static const char serial_dials[] =
    "(role p) (init (da 0)) (init (db 0)) (init (dc 0)) (init (turn 1)) (way left) (way right)"
    "(<= door (true (da 2)) (true (db 1)))"
    "(<= (legal p spina) (not door))  (<= (legal p spinb) (not door))"
    "(<= (legal p (spinc ?w)) (way ?w) door)"
    "(<= (next (da ?y)) (does p spina) (true (da ?x)) (up ?x ?y))"
    "(<= (next (da ?x)) (true (da ?x)) (not (does p spina)))"
    "(<= (next (db ?y)) (does p spinb) (true (db ?x)) (up ?x ?y))"
    "(<= (next (db ?x)) (true (db ?x)) (not (does p spinb)))"
    "(<= (next (dc ?y)) (does p (spinc left)) (true (dc ?x)) (up ?x ?y))"
    "(<= (next (dc ?y)) (does p (spinc right)) (true (dc ?x)) (up ?y ?x))"
    "(<= (next (dc ?x)) (true (dc ?x)) (not door))"
    "(<= (next (turn ?y)) (true (turn ?x)) (succ ?x ?y))  (<= terminal (true (turn 12)))"
    "(<= (goal p 100) door (true (dc 1)))  (<= (goal p 50) door (not (true (dc 1))))"
    "(<= (goal p 0) (not door))"
    "(up 0 1) (up 1 2) (up 2 0) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)"
    "(succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12)";

__attribute__((unused)) static void expect_counts(const char *what, const Decomposition *d,
                                                  const char *expected) {
    DecompositionCounts c = decomposition_counts(d);
    char found[64];
    snprintf(found, sizeof found, "%u %u %u %u", c.with_actions, c.useless_with_actions,
             c.autonomous, c.useless_autonomous);
    cr_expect_str_eq(found, expected, "%s: %s instead of %s", what, found, expected);
}

__attribute__((unused)) static uint32_t subgame_with(GameWork *work, const Decomposition *d,
                                                     const char *fluent) {
    uint32_t f = game_find_fluent(work, fluent, strlen(fluent));
    cr_assert_neq(f, MOVE_NONE, "%s", fluent);
    return d->subgame_of[f];
}

#endif
