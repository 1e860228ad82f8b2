/* Shared by the tests of the reasoners: opening games from games/ or from a string, counting their
 * trees, and playing at random. */
#ifndef MARELLE_TESTS_GAME_PLAY_H
#define MARELLE_TESTS_GAME_PLAY_H

#include <stdio.h>

#include "game/game.h"
#include "support.h"

static const Reasoner single_reasoners[] = {REASONER_INTERPRETER, REASONER_SCALAR,
                                            REASONER_INCREMENTAL};
enum { SINGLE_REASONERS = sizeof single_reasoners / sizeof *single_reasoners };

__attribute__((unused)) static Game *game_of_text(const char *text, const GameOptions *options) {
    Report report = {0};
    Game *game = game_create(rules_of(text), options, &report);
    cr_assert_not_null(game, "%s", report.items.count ? report.items.items[0].message : "");
    report_free(&report);
    return game;
}

/* Returns the message with which the text, which must be invalid, is refused. */
__attribute__((unused)) static const char *failure_of_text(const char *text) {
    Report report = {0};
    Game *game = game_create(rules_of(text), NULL, &report);
    cr_assert_null(game);
    const char *problem = first_problem(&report);
    report_free(&report);
    return problem;
}

__attribute__((unused)) static Game *game_named(const char *name, const GameOptions *options) {
    char path[1000];
    snprintf(path, sizeof path, "%s/../games/%s.kif", MARELLE_TESTS, name);
    Report report = {0};
    Game *game = game_open(path, options, &report);
    cr_assert_not_null(game, "%s: %s", path,
                       report.items.count ? report.items.items[0].message : "");
    report_free(&report);
    return game;
}

/* Returns the whole text of one of our games. The caller frees it. */
__attribute__((unused)) static char *text_of_game(const char *name) {
    char path[1000];
    snprintf(path, sizeof path, "%s/../games/%s.kif", MARELLE_TESTS, name);
    Report report = {0};
    Source *source = source_read(path, &report);
    cr_assert_not_null(source);
    char *text = memory_strdup(source->text);
    source_free(source);
    return text;
}

/* Chooses a random joint move. False if a role has no legal move. */
__attribute__((unused)) static bool random_moves(const Game *game, GameWork *work,
                                                 const State *state, Random *random,
                                                 uint32_t *joint) {
    U32Vector legal = {0};
    bool complete = true;
    for (uint32_t r = 0; r < game->role_count && complete; r++) {
        game_legal(work, state, r, &legal);
        complete = legal.count > 0;
        if (complete)
            joint[r] = legal.items[random_below(random, legal.count)];
    }
    vector_free(&legal);
    return complete;
}

typedef struct {
    uint64_t nodes, ends;
} TreeCount;

/* Counts the tree of a game of two roles below this state. */
__attribute__((unused)) static void count_tree(const Game *game, GameWork *work, const State *state,
                                               TreeCount *count) {
    cr_assert_eq(game->role_count, 2);
    count->nodes++;
    if (game_is_terminal(work, state)) {
        count->ends++;
        return;
    }
    U32Vector first = {0}, second = {0};
    State next = {0};
    game_legal(work, state, 0, &first);
    game_legal(work, state, 1, &second);
    for (size_t i = 0; i < first.count; i++)
        for (size_t j = 0; j < second.count; j++) {
            uint32_t joint[2] = {first.items[i], second.items[j]};
            game_next(work, state, joint, &next);
            count_tree(game, work, &next, count);
        }
    state_free(&next);
    vector_free(&first);
    vector_free(&second);
}

__attribute__((unused)) static TreeCount whole_tree(Game *game, Reasoner reasoner) {
    GameWork *work = game_work_create(game, reasoner);
    cr_assert_not_null(work);
    cr_assert_eq(game_work_reasoner(work), reasoner);
    State state = {0};
    TreeCount count = {0};
    game_initial(work, &state);
    count_tree(game, work, &state, &count);
    state_free(&state);
    game_work_free(work);
    return count;
}

/* Returns the same description with other names: all words except keywords, variables and goal
 * values are replaced, so that their alphabetical order changes as well. The caller frees it. */
__attribute__((unused)) static char *obfuscated(const char *text) {
    static const char *const kept = " <= not or and distinct role base input init true does next "
                                    "legal goal terminal sees random 0 50 100 ";
    Text out = {0};
    VECTOR(char *) words = {0};
    for (const char *c = text; *c;) {
        size_t length = strcspn(c, " \t\r\n();");
        if (*c == ';') {
            c += strcspn(c, "\n");
        } else if (length == 0) {
            text_add_char(&out, *c++);
        } else {
            char word[100];
            snprintf(word, sizeof word, " %.*s ", (int)length, c);
            size_t number = 0;
            while (number < words.count && strcmp(words.items[number], word) != 0)
                number++;
            if (*c == '?' || strstr(kept, word)) {
                text_add_bytes(&out, c, length);
            } else {
                if (number == words.count)
                    vector_push(&words, memory_strdup(word));
                text_printf(&out, "w%zu", (number * 7919 + 13) % 10007);
            }
            c += length;
        }
    }
    for (size_t i = 0; i < words.count; i++)
        free(words.items[i]);
    vector_free(&words);
    return out.items;
}

/* Each role has two turns, with a choice in each of them. */
static const char coins_text[] __attribute__((unused)) =
    "(role a) (role b)\n"
    "(init (turn 0)) (succ 0 1) (succ 1 2)\n"
    "(<= (legal ?r heads) (role ?r)) (<= (legal ?r tails) (role ?r))\n"
    "(<= (next (turn ?m)) (true (turn ?n)) (succ ?n ?m))\n"
    "(<= (next same) (does a ?x) (does b ?x))\n"
    "(<= (goal ?r 100) (role ?r) (true same)) (<= (goal ?r 0) (role ?r) (not (true same)))\n"
    "(<= terminal (true (turn 2)))\n";

static const char endless_text[] __attribute__((unused)) =
    "(role you) (init (at 1)) (<= (legal you stay) (true (at ?x)))\n"
    "(<= (next (at 1)) (true (at 1))) (goal you 100) (<= terminal (not (true (at 1))))\n";

/* Black has no move in the second state. */
static const char stuck_text[] __attribute__((unused)) =
    "(role white) (role black) (init (step 1)) (succ 1 2) (succ 2 3)\n"
    "(<= (legal ?r go) (role ?r) (true (step 1)))\n"
    "(<= (legal white go) (true (step 2)))\n"
    "(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))\n"
    "(<= (goal ?r 50) (role ?r)) (<= terminal (true (step 3)))\n";

static const char over_text[] __attribute__((unused)) =
    "(role you) (init over) (legal you noop) (<= (goal you 100) (true over))\n"
    "(<= terminal (true over))\n";

/* At the end, white has two goal values, black has none, and grey has one that is too large. */
static const char goals_text[] __attribute__((unused)) =
    "(role white) (role black) (role grey) (init (step 1)) (<= (legal ?r go) (role ?r))\n"
    "(<= (next (step 2)) (true (step 1)))\n"
    "(<= (goal white 50) (true (step 2))) (<= (goal white 60) (true (step 2)))\n"
    "(<= (goal black 10) (true (step 1))) (score 170) (<= (goal grey ?n) (score ?n))\n"
    "(<= terminal (true (step 2)))\n";

#endif
