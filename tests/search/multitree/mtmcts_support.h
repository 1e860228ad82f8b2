/* Shared by the tests of the trees of MT-MCTS: games, ways to cut them into parts, and a check of
 * the trees. */
#ifndef MARELLE_TESTS_SEARCH_MTMCTS_SUPPORT_H
#define MARELLE_TESTS_SEARCH_MTMCTS_SUPPORT_H

#include "search/multitree/mtmcts.h"
#include "search/trees.h"

/* Returns trees over the parts of the fixture whose nodes are told apart by depth. */
__attribute__((unused)) static MtmctsTrees *trees_of(Fixture *f, uint64_t seed) {
    TreesOptions options = by_depth();
    options.seed = seed;
    MtmctsTrees *trees = mtmcts_trees_create(f->game, &f->parts, &options);
    cr_assert_not_null(trees);
    return trees;
}

__attribute__((unused)) static void run(MtmctsTrees *trees, uint64_t playouts) {
    SearchBudget budget = {.deadline = deadline_in(60), .playouts = playouts};
    mtmcts_trees_run(trees, &budget);
}

__attribute__((unused)) static bool is_same_part(const MtmctsTrees *t, const PartNode *a,
                                                 const PartNode *b) {
    return a->part == b->part && a->row == b->row &&
           memcmp(a->words, b->words, t->word_count * sizeof(uint64_t)) == 0;
}

/* Asserts that the transitions of a node have different moves, that children are one deeper by
 * depth, and that no two nodes are the same. */
__attribute__((unused)) static void check_shape(const MtmctsTrees *t) {
    for (uint32_t node = 0; node < t->nodes.count; node++) {
        uint64_t *seen = memory_zalloc((t->set_words + 1) * sizeof *seen);
        for (uint32_t id = t->nodes.items[node].first_transition; id != TREES_NONE;
             id = t->transitions.items[id].next) {
            const PartNode *child = &t->nodes.items[t->transitions.items[id].child];
            cr_assert_eq(child->row,
                         t->options.keys == KEYS_DEPTH ? t->nodes.items[node].row + 1 : 0);
            cr_assert_eq(child->part, t->nodes.items[node].part);
            for (uint32_t i = 0; i < t->set_words; i++) {
                cr_assert_eq(seen[i] & transition_moves(t, id)[i], 0);
                seen[i] |= transition_moves(t, id)[i];
            }
        }
        cr_assert(bitset_equal(seen, tested_moves(t, node), t->set_words));
        free(seen);
        for (uint32_t other = 0; other < node && node < 300; other++)
            cr_assert_not(is_same_part(t, &t->nodes.items[node], &t->nodes.items[other]));
    }
}

/* The games of one role in games/ that have a circuit; NULL at the end. */
__attribute__((unused)) static const char *const solitaires[] = {"asteroids",
                                                                 "asteroids_parallel",
                                                                 "asteroids_serial",
                                                                 "best_buttons_and_lights",
                                                                 "blocks_world",
                                                                 "blocks_world_parallel",
                                                                 "blocks_world_serial",
                                                                 "buttons_and_lights",
                                                                 "eight_puzzle",
                                                                 "futoshiki_4",
                                                                 "hamilton",
                                                                 "hunter",
                                                                 "incredible",
                                                                 "joint_buttons_and_lights",
                                                                 "knights_tour",
                                                                 "lights_on",
                                                                 "lights_on_parallel",
                                                                 "lights_on_simultaneous",
                                                                 "lights_out",
                                                                 "maze",
                                                                 "multiple_buttons_and_lights",
                                                                 "multiple_hamilton",
                                                                 "nonogram_box",
                                                                 "nonogram_chequers",
                                                                 "nonogram_closed_chequers",
                                                                 "nonogram_cube",
                                                                 "nonogram_dog",
                                                                 "nonogram_g",
                                                                 "nonogram_g_negative",
                                                                 "nonogram_tetris",
                                                                 "queens_guided",
                                                                 "queens_unguided",
                                                                 "selective_sukoshi",
                                                                 "sudoku",
                                                                 "turtle_brain_easy",
                                                                 NULL};

enum { RIGHT, FINEST, BY_CHANCE, MERGED, PARTIAL, WAYS };

/* Assigns fluents to parts: as decomposition finds them, each fluent alone, at random, as found but
 * with the first two parts merged, or at random with a third of the fluents in no part. */
__attribute__((unused)) static void deal_out(Fixture *f, int way) {
    uint32_t fluents = f->game->circuit->fluent_count;
    Random random;
    random_seed(&random, 3);
    if (way == RIGHT || way == MERGED) {
        DecomposeOptions how = {.playouts = way == RIGHT ? 2000 : 500,
                                .deadline = deadline_never()};
        Decomposition *d = decompose(f->game, &how);
        free(f->subgame_of);
        f->parts = mtmcts_parts(f->game, d);
        f->subgame_of = (uint32_t *)f->parts.subgame_of;
        decomposition_free(d);
        bool merges = way == MERGED && f->parts.count > 1;
        for (uint32_t i = 0; i < fluents && merges; i++)
            if (f->subgame_of[i] > 0 && f->subgame_of[i] < f->parts.count)
                f->subgame_of[i]--;
        f->parts.count -= merges;
        return;
    }
    f->parts.count = way == FINEST ? fluents : way == PARTIAL ? 2 : 3;
    for (uint32_t i = 0; i < fluents; i++) {
        uint32_t drawn = (uint32_t)random_below(&random, 3);
        f->subgame_of[i] = way == FINEST ? i : way == PARTIAL && drawn == 2 ? PARTS_NOWHERE : drawn;
    }
}

#endif
