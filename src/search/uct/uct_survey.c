/* Lists what a search expects in the positions of its tree. This is a by-product of every search,
 * and training data for learners. */
#include "search/uct/uct.h"

/* The value that the role expects: that of its most visited arm. */
static double expectation(const TreeNode *node, uint32_t role) {
    const Arm *best = tree_arms(node, role);
    for (uint32_t a = 1; a < tree_arm_count(node, role); a++)
        if (tree_arms(node, role)[a].visits > best->visits)
            best = &tree_arms(node, role)[a];
    return best->is_proven ? (double)best->exact : best->visits ? best->total / best->visits : 0.5;
}

/* For a role without a choice, the expectation would be the mean over all moves tried by the
 * others, bad ones included, which is too optimistic. In zero-sum games the mover's counts for
 * both. */
static void expect_goals(const Uct *uct, const TreeNode *node, double *goals) {
    uint32_t roles = uct->search.game->role_count;
    bool mover_knows = uct->is_zero_sum && node->mover >= 0 &&
                       !game_is_chance(uct->search.game, (uint32_t)node->mover);
    double known = mover_knows ? expectation(node, (uint32_t)node->mover) : 0;
    for (uint32_t r = 0; r < roles; r++) {
        double value = node->is_proven              ? node->values[r]
                       : !mover_knows               ? expectation(node, r)
                       : (uint32_t)node->mover == r ? known
                                                    : 1 - known;
        goals[r] = uct_goal(uct, r, value);
    }
}

void uct_survey(const Search *search, uint32_t fewest_visits, UctNote note, void *context) {
    const Uct *uct = (const Uct *)search;
    double *goals = memory_zalloc((search->game->role_count + 1) * sizeof *goals);
    for (size_t i = 0; i < uct->tree.nodes.count; i++) {
        const TreeNode *node = uct->tree.nodes.items[i];
        if (!node || !node->arms || node->is_terminal || node->is_stuck ||
            node->visits < fewest_visits)
            continue;
        expect_goals(uct, node, goals);
        note(context, &node->state, goals);
    }
    free(goals);
}
