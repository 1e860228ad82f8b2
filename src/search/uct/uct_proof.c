/* Exact values (MCTS-Solver, Winands, Björnsson and Saito 2008). A terminal node is exact. Another
 * node is exact once its mover has an exact child with the best possible value, or once all its
 * children are exact. Nodes where several roles choose are never exact.
 *
 * If the mover is indifferent, the values of the others are only certain in zero-sum games of two
 * players or if there are no others. Elsewhere all children must be exact, and ties must agree. */
#include <math.h>
#include <string.h>

#include "search/uct/uct.h"

static const double TINY = 1e-9; /* rounding error of a value 0..1 */

void uct_notice_end(UctWorker *worker, const double *values) {
    const Uct *uct = worker->uct;
    double sum = 0;
    for (uint32_t r = 0; r < uct->search.game->role_count; r++)
        sum += game_is_chance(uct->search.game, r) ? 0 : values[r];
    if (fabs(sum - 1) > TINY)
        worker->saw_other_sum = true;
}

void uct_find_exact_values(UctWorker *worker, TreeNode *node, uint32_t turn) {
    Uct *uct = worker->uct;
    const State *state = uct_whole_state(worker, node, turn);
    node->is_terminal = game_is_terminal(worker->work, state);
    if (!node->is_terminal)
        return;
    node->is_proven = true;
    for (uint32_t r = 0; r < uct->search.game->role_count; r++)
        node->values[r] = goal_to_value(uct->ranges[r], game_goal(worker->work, state, r));
    uct_notice_end(worker, node->values);
}

static bool is_decided_by_one(const Uct *uct) {
    return game_count_players(uct->search.game) == 1 || uct->is_zero_sum;
}

static bool same_values(const Uct *uct, const double *a, const double *b) {
    for (uint32_t r = 0; r < uct->search.game->role_count; r++)
        if (fabs(a[r] - b[r]) > TINY)
            return false;
    return true;
}

static void conclude(Uct *uct, TreeNode *node, const double *values, uint32_t depth) {
    memmove(node->values, values, uct->search.game->role_count * sizeof *values);
    node->is_proven = true;
    node->proof_depth = depth < UINT16_MAX ? (uint16_t)depth : UINT16_MAX;
}

/* True if proof `a` is preferable: by its value, then as a quick win or else a late end. */
static bool is_better_proof(const Arm *a, const Arm *b) {
    if (!b || fabsf(a->exact - b->exact) > (float)TINY)
        return !b || a->exact > b->exact;
    return a->exact >= 1 ? a->proof_depth < b->proof_depth : a->proof_depth > b->proof_depth;
}

/* True if all best children exist and have the same values for the other roles. */
static bool ties_agree(const Uct *uct, const TreeNode *node, uint32_t turn, uint32_t role,
                       const Arm *best, const TreeNode *child) {
    const Arm *arms = tree_arms(node, role);
    for (uint32_t a = 0; a < tree_arm_count(node, role); a++) {
        const TreeNode *other = tree_child(&uct->tree, node, a);
        if (arms[a].is_twin || arms[a].exact < best->exact)
            continue;
        if (!other || !uct_is_proven_at(uct, other, turn + 1) ||
            !same_values(uct, other->values, child->values))
            return false;
    }
    return true;
}

static bool prove_choice(Uct *uct, TreeNode *node, uint32_t turn, uint32_t role) {
    const Arm *arms = tree_arms(node, role), *best = NULL;
    uint32_t count = tree_arm_count(node, role), settled = 0;
    for (uint32_t a = 0; a < count; a++) {
        settled += arms[a].is_proven || arms[a].is_twin;
        if (arms[a].is_proven && is_better_proof(&arms[a], best))
            best = &arms[a];
    }
    bool one_decides = is_decided_by_one(uct);
    if (!best || (settled < count && !(one_decides && best->exact >= 1)))
        return false;
    const TreeNode *child = tree_child(&uct->tree, node, (uint64_t)(best - arms));
    if (!child || !uct_is_proven_at(uct, child, turn + 1))
        return false;
    if (!one_decides && !ties_agree(uct, node, turn, role, best, child))
        return false;
    conclude(uct, node, child->values, best->proof_depth + 1u);
    return true;
}

static bool prove_chance(Uct *uct, TreeNode *node, uint32_t turn, uint32_t role) {
    uint32_t roles = uct->search.game->role_count, count = tree_arm_count(node, role), depth = 0;
    memset(node->values, 0, roles * sizeof *node->values);
    for (uint32_t a = 0; a < count; a++) {
        const TreeNode *child = tree_child(&uct->tree, node, a);
        if (!child || !uct_is_proven_at(uct, child, turn + 1))
            return false;
        for (uint32_t r = 0; r < roles; r++)
            node->values[r] += child->values[r] / count;
        depth = child->proof_depth > depth ? child->proof_depth : depth;
    }
    conclude(uct, node, node->values, depth + 1);
    return true;
}

bool uct_prove(Uct *uct, TreeNode *node, uint32_t turn, const uint32_t *chosen,
               const TreeNode *child) {
    if (node->is_proven || node->mover == MOVER_SEVERAL)
        return node->is_proven;
    if (node->mover == MOVER_NOBODY) {
        conclude(uct, node, child->values, child->proof_depth + 1u);
        return true;
    }
    uint32_t role = (uint32_t)node->mover;
    Arm *arm = tree_arms(node, role) + chosen[role];
    arm->is_proven = true;
    arm->exact = (float)child->values[role];
    arm->proof_depth = child->proof_depth;
    node->has_proven_arm = true;
    tree_rate(node, arm);
    return game_is_chance(uct->search.game, role) ? prove_chance(uct, node, turn, role)
                                                  : prove_choice(uct, node, turn, role);
}
