/* Fragments of GDL-II: chance that nobody influences, information that everybody shares. */
#include "analysis/fragments.h"

#include "games.h"

static Fragments find(const char *text) {
    Game *game = game_of_text(text);
    SampleOptions options = {.matches = 50, .seed = 5, .budget = cpu_budget_in(10)};
    Samples *samples = samples_take(game, &options);
    Fragments fragments;
    fragments_find(&fragments, samples, cpu_budget_in(10));
    samples_free(samples);
    game_free(game);
    return fragments;
}

#define DICE                                                                                       \
    "(role player) (role random) (face 1) (face 2) (face 3) (init (phase roll))"                   \
    "(<= (legal player noop) (true (phase roll)))"                                                 \
    "(<= (legal player (guess ?d)) (true (phase guess)) (face ?d))"                                \
    "(<= (next (die ?d)) (true (phase roll)) (does random (roll ?d)))"                             \
    "(<= (next (die ?d)) (true (die ?d)))"                                                         \
    "(<= (next (phase guess)) (true (phase roll)))"                                                \
    "(<= (next (phase done)) (true (phase guess))) (<= (next (guessed ?d)) (does player (guess "   \
    "?d)))"                                                                                        \
    "(<= terminal (true (phase done))) (<= hit (true (guessed ?d)) (true (die ?d)))"               \
    "(<= (goal player 100) hit) (<= (goal player 0) (not hit)) (goal random 0)"

Test(fragments, chance) {
    Fragments f = find(DICE "(<= (legal random (roll ?d)) (face ?d))"
                            "(<= (sees player (die ?d)) (true (phase guess)) (true (die ?d)))");
    cr_assert_eq(f.oblivious, OBLIVIOUS_SYNTACTIC);
    cr_assert_eq(f.sees, SEES_SOLO);
    cr_assert(f.moves_public);
    f = find(DICE "(<= (legal random (roll ?d)) (face ?d) (not (true (phase done))))");
    cr_assert_eq(f.oblivious, OBLIVIOUS_SEMANTIC);
    cr_assert_eq(f.sees, SEES_NONE);
    f = find(DICE "(<= (legal random (roll ?d)) (true (phase roll)) (face ?d))"
                  "(<= (legal random (rest ?d)) (true (phase guess)) (face ?d))");
    cr_assert_eq(f.oblivious, OBLIVIOUS_WEAK);
    f = find(DICE "(<= (legal random (roll ?d)) (true (phase roll)) (face ?d))"
                  "(<= (legal random noop) (true (phase guess)))");
    cr_assert_eq(f.oblivious, OBLIVIOUS_NOT);
}

/* Two players show one or two fingers at once, three times. */
#define FINGERS                                                                                    \
    "(role x) (role y) (legal x 1) (legal x 2) (legal y 1) (legal y 2) (init (step 0)) (succ 0 1)" \
    "(succ 1 2) (succ 2 3) (<= (next (step ?b)) (true (step ?a)) (succ ?a ?b))"                    \
    "(<= (next same) (does x ?n) (does y ?n)) (<= terminal (true (step 3)))"                       \
    "(<= (goal ?r 100) (role ?r) (true same)) (<= (goal ?r 0) (role ?r) (not (true same)))"

Test(fragments, percepts) {
    Fragments f = find(FINGERS);
    cr_assert_eq(f.oblivious, OBLIVIOUS_NO_CHANCE);
    cr_assert_eq(f.sees, SEES_NONE);
    f = find(FINGERS "(<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m))");
    cr_assert_eq(f.sees, SEES_SHARED_SH1);
    cr_assert(f.moves_public);
    f = find(FINGERS "(<= (sees x (did ?a ?b)) (does ?a ?b) (true (step ?c)))"
                     "(<= (sees y (did ?u ?v)) (true (step ?w)) (does ?u ?v))");
    cr_assert_eq(f.sees, SEES_SHARED_SH2);
    cr_assert(f.moves_public);
    f = find(FINGERS "(<= (sees x equal) (does x ?n) (does y ?n))"
                     "(<= (sees y equal) (does y ?n) (does x ?n) (role x))");
    cr_assert_eq(f.sees, SEES_SHARED_SEM);
    cr_assert(f.moves_public, "one's own move and the percept tell the other's");
    f = find(FINGERS "(<= (sees x (did y ?m)) (does y ?m))");
    cr_assert_eq(f.sees, SEES_PRIVATE);
    cr_assert(!f.moves_public);
}
