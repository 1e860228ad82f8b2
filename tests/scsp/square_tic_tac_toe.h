/* The rules of a small game whose values are known exactly. */
#ifndef MARELLE_TESTS_SCSP_SQUARE_TIC_TAC_TOE_H
#define MARELLE_TESTS_SCSP_SQUARE_TIC_TAC_TOE_H

/* Tictactoe on four squares against a random player who has taken one of them. */
#define SQUARE_TIC_TAC_TOE_FROM(first)                                                             \
    "(role oplayer) (role random) (index 1) (index 2) (mark x) (mark o)"                           \
    "(init (cell 1 1 " first ")) (init (cell 1 2 b)) (init (cell 2 1 b)) (init (cell 2 2 b))"      \
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
#define SQUARE_TIC_TAC_TOE SQUARE_TIC_TAC_TOE_FROM("x")
#define EMPTY_SQUARE SQUARE_TIC_TAC_TOE_FROM("b")

#endif
