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

/* The values of the end that the question is about. */
static void read_end(UctWorker *w, const Successors *answers, uint32_t question, double *values) {
    for (uint32_t r = 0; r < w->uct->search.game->role_count; r++)
        values[r] = goal_to_value(w->uct->ranges[r], successors_goal(answers, question, r));
    uct_notice_end(w, values);
}

void uct_take_end(UctWorker *worker, TreeNode *node, const Successors *answers, uint32_t question) {
    node->is_terminal = node->is_proven = true;
    read_end(worker, answers, question, node->values);
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

static void conclude(const Uct *uct, TreeNode *node, const double *values, uint32_t depth) {
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

static void prove_arm(TreeNode *node, Arm *arm, const TreeNode *child) {
    arm->is_proven = true;
    arm->exact = (float)child->values[node->mover];
    arm->proof_depth = child->proof_depth;
    node->has_proven_arm = true;
    tree_rate(node, arm);
}

static bool prove_node(Uct *uct, TreeNode *node, uint32_t turn) {
    uint32_t role = (uint32_t)node->mover;
    return game_is_chance(uct->search.game, role) ? prove_chance(uct, node, turn, role)
                                                  : prove_choice(uct, node, turn, role);
}

bool uct_prove(Uct *uct, TreeNode *node, uint32_t turn, const uint32_t *chosen,
               const TreeNode *child) {
    if (node->is_proven || node->mover == MOVER_SEVERAL)
        return node->is_proven;
    if (node->mover == MOVER_NOBODY) {
        conclude(uct, node, child->values, child->proof_depth + 1u);
        return true;
    }
    prove_arm(node, tree_arms(node, (uint32_t)node->mover) + chosen[node->mover], child);
    return prove_node(uct, node, turn);
}

/* ---- ends one turn ahead ---- */

/* The node of an end after the node; NULL if there is no room. */
static TreeNode *add_end(UctWorker *w, const UctLook *look, uint32_t question) {
    Uct *uct = w->uct;
    State state = successors_state(w->ahead, question);
    state_copy(&w->next, &state);
    uct_learn_time(uct, look->turn + 1, &state);
    uct_forget_time(uct, &w->next);
    TreeNode *end = tree_find(&uct->tree, &w->next);
    if (!end && !(end = tree_add(&uct->tree, &w->next, look->node == uct->root)))
        return NULL;
    end->proof_turn = look->turn + 1;
    uct_take_end(w, end, w->ahead, question);
    return end;
}

/* Adds the ends to the tree and proves the arms that lead to them. */
static void prove_arms(UctWorker *w, const UctLook *look) {
    Uct *uct = w->uct;
    TreeNode *node = look->node, *end;
    for (uint32_t i = 0; i < look->count; i++) {
        if (!successors_is_terminal(w->ahead, look->first + i) ||
            !(end = add_end(w, look, look->first + i)))
            continue;
        tree_link(&uct->tree, node, i, end);
        if (look->mover >= 0)
            prove_arm(node, tree_arms(node, (uint32_t)look->mover) + i, end);
        else if (!node->is_proven)
            conclude(uct, node, end->values, 1);
    }
    if (look->mover >= 0 && !node->is_proven)
        prove_node(uct, node, look->turn);
}

/* Finds the values of the mover's best end. True if they are the same at all its best ends. */
static bool find_best_end(UctWorker *w, const UctLook *look, uint32_t role, double *best) {
    bool has_best = false, agree = true;
    for (uint32_t i = 0; i < look->count; i++) {
        if (!successors_is_terminal(w->ahead, look->first + i))
            continue;
        read_end(w, w->ahead, look->first + i, w->values);
        if (!has_best || w->values[role] > best[role]) {
            memcpy(best, w->values, w->uct->search.game->role_count * sizeof *best);
            has_best = agree = true;
        } else if (w->values[role] >= best[role]) {
            agree = agree && same_values(w->uct, w->values, best);
        }
    }
    return agree;
}

/* Finds the mean of the values of the ends. */
static void find_mean_end(UctWorker *w, const UctLook *look, double *mean) {
    uint32_t roles = w->uct->search.game->role_count;
    memset(mean, 0, roles * sizeof *mean);
    for (uint32_t i = 0; i < look->count; i++) {
        read_end(w, w->ahead, look->first + i, w->values);
        for (uint32_t r = 0; r < roles; r++)
            mean[r] += w->values[r] / look->count;
    }
}

/* Proves a node without arms if its ends suffice: all moves end the match, or the mover can end it
 * with the best value. */
static void prove_by_ends(UctWorker *w, const UctLook *look, uint32_t ends) {
    const Uct *uct = w->uct;
    TreeNode *node = look->node;
    uint32_t role = look->mover < 0 ? 0 : (uint32_t)look->mover;
    bool is_chance = look->mover >= 0 && game_is_chance(uct->search.game, role);
    bool one_decides = is_decided_by_one(uct) && !is_chance;
    if (ends < look->count && !one_decides)
        return;
    bool agree = true;
    if (is_chance)
        find_mean_end(w, look, node->values);
    else
        agree = find_best_end(w, look, role, node->values) || one_decides;
    if (ends == look->count ? agree : node->values[role] >= 1)
        conclude(uct, node, node->values, 1);
}

void uct_learn_ends(UctWorker *w, const UctLook *look) {
    TreeNode *node = look->node;
    uint32_t ends = 0;
    for (uint32_t i = 0; i < look->count; i++)
        if (successors_is_terminal(w->ahead, look->first + i)) {
            read_end(w, w->ahead, look->first + i, w->values);
            ends++;
        }
    node->ends = ends ? ENDS_SOME : ENDS_NONE;
    w->uct->is_zero_sum = w->uct->is_zero_sum && !w->saw_other_sum;
    if (ends && node->arms)
        prove_arms(w, look);
    else if (ends && !node->is_proven)
        prove_by_ends(w, look, ends);
}
