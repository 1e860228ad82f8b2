/* Small games whose values are known exactly, as texts. */
#ifndef MARELLE_TESTS_SCSP_FIXTURES_H
#define MARELLE_TESTS_SCSP_FIXTURES_H

#include "../analysis/games.h"
#include "scsp/template.h"

/* The orchard with two trees of two fruits, a raven of one piece and a die with four faces. */
#define LIGHT_ORCHARD                                                                              \
    "(role bob) (role random) (tree r) (tree v) (face r) (face v) (face p) (face c)"               \
    "(succ 0 0) (succ 0 1) (succ 1 2) (init (state 2 2 1)) (init (control random))"                \
    "(<= (legal random (roll ?d)) (face ?d))"                                                      \
    "(<= (legal bob noop) (true (control random)))"                                                \
    "(<= (legal bob (choice ?a ?b)) (true (control bob)) (tree ?a) (tree ?b))"                     \
    "(<= (next (control bob)) (true (control random)) (does random (roll p)))"                     \
    "(<= (next (control random)) (true (control random)) (does random (roll ?d)) (distinct ?d p))" \
    "(<= (next (control random)) (true (control bob)))"                                            \
    "(<= (next (state ?x ?v ?c)) (true (control random)) (does random (roll r))"                   \
    "    (true (state ?r ?v ?c)) (succ ?x ?r))"                                                    \
    "(<= (next (state ?r ?x ?c)) (true (control random)) (does random (roll v))"                   \
    "    (true (state ?r ?v ?c)) (succ ?x ?v))"                                                    \
    "(<= (next (state ?r ?v ?x)) (true (control random)) (does random (roll c))"                   \
    "    (true (state ?r ?v ?c)) (succ ?x ?c))"                                                    \
    "(<= (next (state ?r ?v ?c)) (true (control random)) (does random (roll p))"                   \
    "    (true (state ?r ?v ?c)))"                                                                 \
    "(<= (next (state ?y ?v ?c)) (does bob (choice r r)) (true (state ?r ?v ?c))"                  \
    "    (succ ?x ?r) (succ ?y ?x))"                                                               \
    "(<= (next (state ?r ?y ?c)) (does bob (choice v v)) (true (state ?r ?v ?c))"                  \
    "    (succ ?x ?v) (succ ?y ?x))"                                                               \
    "(<= (next (state ?x ?y ?c)) (does bob (choice r v)) (true (state ?r ?v ?c))"                  \
    "    (succ ?x ?r) (succ ?y ?v))"                                                               \
    "(<= (next (state ?x ?y ?c)) (does bob (choice v r)) (true (state ?r ?v ?c))"                  \
    "    (succ ?x ?r) (succ ?y ?v))"                                                               \
    "(<= emptied (true (state 0 0 ?c)))"                                                           \
    "(<= (goal bob 100) emptied) (<= (goal bob 0) (not emptied)) (goal random 0)"                  \
    "(<= terminal emptied) (<= terminal (true (state ?r ?v 0)))"

/* Tictactoe on four squares against a random player who has taken one of them. */
#define SQUARE_TIC_TAC_TOE                                                                         \
    "(role oplayer) (role random) (index 1) (index 2) (mark x) (mark o)"                           \
    "(init (cell 1 1 x)) (init (cell 1 2 b)) (init (cell 2 1 b)) (init (cell 2 2 b))"              \
    "(init (control oplayer)) (sign oplayer o) (sign random x)"                                    \
    "(other oplayer random) (other random oplayer)"                                                \
    "(<= (legal ?p (mark ?i ?j)) (true (control ?p)) (true (cell ?i ?j b)))"                       \
    "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))"                                     \
    "(<= (next (cell ?i ?j ?s)) (does ?p (mark ?i ?j)) (sign ?p ?s))"                              \
    "(<= (next (cell ?i ?j ?s)) (true (cell ?i ?j ?s)) (not (touched ?i ?j)))"                     \
    "(<= (touched ?i ?j) (does ?p (mark ?i ?j)))"                                                  \
    "(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))"                                   \
    "(<= (line ?s) (mark ?s) (index ?i) (true (cell ?i 1 ?s)) (true (cell ?i 2 ?s)))"              \
    "(<= (line ?s) (mark ?s) (index ?j) (true (cell 1 ?j ?s)) (true (cell 2 ?j ?s)))"              \
    "(<= open (true (cell ?i ?j b)))"                                                              \
    "(<= terminal (line ?s)) (<= terminal (not open))"                                             \
    "(<= (goal oplayer 100) (line o)) (<= (goal oplayer 0) (line x))"                              \
    "(<= (goal oplayer 50) (not (line x)) (not (line o))) (goal random 0)"

__attribute__((unused)) static Template *template_of(Game *game) {
    Report report = {0};
    TemplateOptions options = {0};
    Template *t = template_create(game, &options, &report);
    cr_assert_not_null(t, "%s", first_problem(&report));
    report_free(&report);
    return t;
}

#endif
