/* Tests the recognition of fragments of GDL-II: chance that no player influences, and information
 * that all players share. */
#include "analysis/facts/fragments.h"

#include "../games.h"

static Fragments find_in(Game *game) {
    SampleOptions options = {.matches = 50, .seed = 5, .budget = cpu_budget_in(10)};
    Samples *samples = samples_take(game, &options);
    Fragments fragments;
    fragments_find(&fragments, samples, cpu_budget_in(10));
    samples_free(samples);
    game_free(game);
    return fragments;
}

static Fragments find(const char *text) {
    return find_in(game_of_text(text));
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

/* Known properties of our games of chance and hidden information. Games with 0 twins have too many
 * moves. */
Test(fragments, our_games) {
    static const struct {
        const char *name;
        Oblivious oblivious;
        Sees sees;
        uint32_t twin_moves;
    } games[] = {
        {"orchard_light", OBLIVIOUS_SYNTACTIC, SEES_NONE, 4},
        {"orchard", OBLIVIOUS_SYNTACTIC, SEES_NONE, 6},
        {"guess_dice", OBLIVIOUS_SYNTACTIC, SEES_SOLO, 6},
        {"backgammon", OBLIVIOUS_NOT, SEES_NONE, 6},
        {"cant_stop", OBLIVIOUS_NOT, SEES_NONE, 6},
        {"yahtzee", OBLIVIOUS_NOT, SEES_NONE, 6},
        {"pickomino", OBLIVIOUS_NOT, SEES_NONE, 6},
        {"kaeseklau", OBLIVIOUS_NOT, SEES_NONE, 0},
        {"mastermind", OBLIVIOUS_NOT, SEES_SOLO, 4},
        {"vacuum_cleaner", OBLIVIOUS_NOT, SEES_SOLO, 4},
        {"monty_hall", OBLIVIOUS_NOT, SEES_SOLO, 6},
        {"wumpus", OBLIVIOUS_NOT, SEES_SOLO, 15},
        {"pacman", OBLIVIOUS_NOT, SEES_SHARED_SH1, 4},
        {"schnappt_hubi", OBLIVIOUS_NOT, SEES_SHARED_SH1, 240},
        {"sheep_and_wolf", OBLIVIOUS_NOT, SEES_SHARED_SH1, 12},
        {"latent_tic_tac_toe", OBLIVIOUS_NOT, SEES_SHARED_SH1, 0},
        {"war", OBLIVIOUS_NOT, SEES_SHARED_SH1, 0},
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        Fragments f = find_in(game_named(games[i].name));
        cr_expect_eq(f.oblivious, games[i].oblivious, "%s: %s", games[i].name,
                     oblivious_name(f.oblivious));
        cr_expect_eq(f.sees, games[i].sees, "%s: %s", games[i].name, sees_name(f.sees));
        cr_expect_eq(f.twin_moves, games[i].twin_moves, "%s: %u", games[i].name, f.twin_moves);
        cr_expect(f.moves_public && f.legal_known, "%s", games[i].name);
    }
}

/* Finds the fragments of the game's text with the first occurrence of `words` replaced. */
static Fragments find_changed(const char *name, const char *words, const char *others) {
    Report report = {0};
    Text path = {0}, text = {0};
    text_printf(&path, MARELLE_TESTS "/../games/%s.kif", name);
    Source *source = source_read(path.items, &report);
    const char *at = source ? strstr(source->text, words) : NULL;
    cr_assert_not_null(at);
    text_add_bytes(&text, source->text, (size_t)(at - source->text));
    text_add(&text, others);
    text_add(&text, at + strlen(words));
    Fragments fragments = find(text.items);
    source_free(source);
    vector_free(&path);
    vector_free(&text);
    report_free(&report);
    return fragments;
}

Test(fragments, changed_games_leave_them) {
    Fragments f =
        find_changed("orchard_light", "(<= (legal random (roll ?face))\n    (face ?face))",
                     "(<= (legal random (roll ?face)) (true (control random))"
                     " (face ?face)) (<= (legal random noop) (true (control bob)))");
    cr_expect_eq(f.oblivious, OBLIVIOUS_NOT);
    cr_expect_eq(f.all_states, 25);
    cr_expect_eq(f.twin_moves, 4);
    f = find_changed("latent_tic_tac_toe",
                     "(<= (sees ?role (latent ?row ?column ?symbol))\n"
                     "    (role ?role)",
                     "(<= (sees x (latent ?row ?column ?symbol))\n");
    cr_expect_eq(f.sees, SEES_PRIVATE);
    cr_expect(f.moves_public);
}

/* One of two keys opens the door, and no role learns which one. */
Test(fragments, legal_moves_that_nobody_can_know) {
    Fragments f = find("(role x) (role random) (init start) (legal random 1) (legal random 2)"
                       "(<= (legal x noop) (true start)) (<= (legal x ?n) (true (key ?n)))"
                       "(<= (next (key ?n)) (true start) (does random ?n))"
                       "(<= (next end) (true (key ?n))) (<= terminal (true end))"
                       "(<= (sees x waiting) (true start)) (goal x 50) (goal random 0)");
    cr_expect(!f.legal_known);
    cr_expect_eq(f.oblivious, OBLIVIOUS_SYNTACTIC);
    cr_expect_eq(f.all_states, 4);
}
