/* Games cut into parts by hand, for tests of the search over several trees. */
#ifndef MARELLE_TESTS_SEARCH_TREES_H
#define MARELLE_TESTS_SEARCH_TREES_H

#include "search/multitree/mtmcts_internal.h"

#include "support.h"

typedef struct {
    Game *game;
    GameWork *work;
    uint32_t *subgame_of;
    GameParts parts;
} Fixture;

static inline Fixture open_text(const char *text) {
    Report report = {0};
    Fixture f = {.game = game_create(rules_of(text), NULL, &report)};
    cr_assert_not_null(f.game);
    report_free(&report);
    f.work = game_work_create(f.game, REASONER_SCALAR);
    uint32_t fluents = f.game->circuit->fluent_count;
    f.subgame_of = memory_alloc((fluents + 1) * sizeof *f.subgame_of);
    for (uint32_t i = 0; i < fluents; i++)
        f.subgame_of[i] = PARTS_NOWHERE;
    f.parts.subgame_of = f.subgame_of;
    return f;
}

/* Assigns every fluent whose text starts with `start` to the subgame. */
static inline void put(Fixture *f, const char *start, uint32_t subgame) {
    Text text = {0};
    bool found = false;
    for (uint32_t i = 0; i < f->game->circuit->fluent_count; i++) {
        text_clear(&text);
        game_fluent_text(f->work, i, &text);
        if (strncmp(text_string(&text), start, strlen(start)) == 0) {
            f->subgame_of[i] = subgame;
            found = true;
        }
    }
    cr_assert(found, "%s", start);
    vector_free(&text);
    if (subgame < PARTS_NOWHERE && subgame >= f->parts.count)
        f->parts.count = subgame + 1;
}

static inline uint32_t move_of(Fixture *f, const char *text) {
    uint32_t move = game_find_move(f->work, 0, text, strlen(text));
    cr_assert_lt(move, f->game->circuit->move_count, "%s", text);
    return move;
}

static inline const TreesPosition *root_of(MtmctsTrees *trees) {
    uint32_t id = mtmcts_trees_position(trees, trees->root_depth, trees->root.words);
    return &trees->positions.items[id];
}

/* Options as published: nodes are told apart by depth. */
__attribute__((unused)) static TreesOptions by_depth(void) {
    TreesOptions options = mtmcts_trees_default_options();
    options.keys = KEYS_DEPTH;
    return options;
}

__attribute__((unused)) static TreesOptions by_passage(void) {
    TreesOptions options = mtmcts_trees_default_options();
    options.keys = KEYS_PASSAGE;
    return options;
}

static inline void fixture_free(Fixture *f) {
    game_work_free(f->work);
    game_free(f->game);
    free(f->subgame_of);
}

static inline void open_file(Fixture *f, const char *name) {
    Report report = {0};
    char path[500];
    snprintf(path, sizeof path, "%s/../games/%s.kif", MARELLE_TESTS, name);
    f->game = game_open(path, NULL, &report);
    cr_assert_not_null(f->game);
    report_free(&report);
    f->work = game_work_create(f->game, REASONER_SCALAR);
    f->subgame_of = memory_zalloc((f->game->circuit->fluent_count + 1) * sizeof *f->subgame_of);
    f->parts = (GameParts){.count = 1, .subgame_of = f->subgame_of};
}

/* Returns the goal at the end of a line from the initial state; GOAL_NONE if the match is not over
 * there. Asserts that every move is legal. */
__attribute__((unused)) static int replay_score(Fixture *f, const U32Vector *line) {
    State state = {0}, next = {0};
    U32Vector legal = {0};
    game_initial(f->work, &state);
    for (size_t i = 0; i < line->count; i++) {
        cr_assert(!game_is_terminal(f->work, &state));
        game_legal(f->work, &state, 0, &legal);
        bool is_legal = false;
        for (size_t k = 0; k < legal.count; k++)
            is_legal |= legal.items[k] == line->items[i];
        cr_assert(is_legal);
        game_next(f->work, &state, &line->items[i], &next);
        state_copy(&state, &next);
    }
    int score = game_is_terminal(f->work, &state) ? game_goal(f->work, &state, 0) : GOAL_NONE;
    state_free(&state);
    state_free(&next);
    vector_free(&legal);
    return score;
}

#define STEPS                                                                                      \
    "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)"                            \
    "(init (step 0)) (<= (next (step ?n)) (true (step ?s)) (succ ?s ?n))"

/* Move a acts in the first subgame, b in the second, and c in both. */
#define TWO_PARTS                                                                                  \
    "(role r)" STEPS "(legal r a) (legal r b) (legal r c)"                                         \
    "(<= (next one) (does r a)) (<= (next one) (does r c)) (<= (next one) (true one))"             \
    "(<= (next two) (does r b)) (<= (next two) (does r c)) (<= (next two) (true two))"             \
    "(<= terminal (true (step 6))) (goal r 0) (<= (goal r 100) (true (step 3)))"

#endif
