/* The result of a search: value and visits of the root's moves, and the principal variation. */
#include "search/uct/uct.h"

enum { MAX_LINE_LENGTH = 500 }; /* joint moves of the principal variation (untuned) */

static double mean_of(const Arm *arm) {
    return arm->visits ? arm->total / arm->visits : 0;
}

static double worth(const Arm *arm) {
    return arm->is_proven ? arm->exact : mean_of(arm);
}

/* The best proven arm, unless the most visited of the other arms has a higher mean. */
static const Arm *best_arm(const TreeNode *node, uint32_t role) {
    const Arm *arms = tree_arms(node, role), *visited = NULL, *proven = NULL;
    for (uint32_t a = 0; a < tree_arm_count(node, role); a++) {
        const Arm *arm = &arms[a];
        if (arm->is_twin)
            continue;
        if (!arm->is_proven) {
            if (!visited || arm->visits > visited->visits ||
                (arm->visits == visited->visits && mean_of(arm) > mean_of(visited)))
                visited = arm;
        } else if (!proven || arm->exact > proven->exact ||
                   (arm->exact == proven->exact &&
                    (arm->exact >= 1 ? arm->proof_depth < proven->proof_depth
                                     : mean_of(arm) > mean_of(proven)))) {
            proven = arm;
        }
    }
    if (!proven || !visited)
        return proven ? proven : visited;
    return proven->exact >= worth(visited) ? proven : visited;
}

static void add_line(UctWorker *w, U32Vector *line) {
    const Uct *uct = w->uct;
    uint32_t roles = uct->search.game->role_count;
    TreeNode *node = uct->root;
    for (uint32_t turn = 0; node && node->arms && !node->is_stuck && turn < MAX_LINE_LENGTH;
         turn++) {
        uint64_t joint;
        for (uint32_t r = 0; r < roles; r++) {
            const Arm *arm = best_arm(node, r);
            if (turn && !arm->visits && !arm->is_proven)
                return;
            w->chosen[r] = (uint32_t)(arm - tree_arms(node, r));
            w->joint[r] = arm->move;
        }
        for (uint32_t r = 0; r < roles; r++)
            vector_push(line, w->joint[r]);
        node = tree_joint(&uct->tree, node, w->chosen, &joint) ? tree_child(&uct->tree, node, joint)
                                                               : NULL;
        /* The last move to a proven end: nobody has needed it so far. */
        if (node && uct_is_proven_at(uct, node, uct->clock.turn + turn + 1) && !node->is_terminal)
            uct_expand(w, node, uct->clock.turn + turn + 1);
    }
}

/* The arm that stands for this twin; the twin itself if the link to their child was dropped. */
static const Arm *leader_of(const Uct *uct, const TreeNode *node, uint32_t role, uint32_t arm) {
    const Arm *arms = tree_arms(node, role);
    const TreeNode *child = arms[arm].is_twin ? tree_child(&uct->tree, node, arm) : NULL;
    const Arm *leader = child ? uct_arm_to(uct, node, role, child) : NULL;
    return leader ? leader : &arms[arm];
}

void uct_result(Search *search, SearchResult *result) {
    Uct *uct = (Uct *)search;
    UctWorker *w = &uct->workers[0];
    uint32_t role = search->role;
    result->nodes = uct->tree.count;
    TreeNode *root = uct->root;
    if (!root || root->is_terminal || !uct_expand(w, root, uct->clock.turn) ||
        !tree_arm_count(root, role))
        return;
    for (uint32_t a = 0; a < tree_arm_count(root, role); a++) {
        const Arm *arm = tree_arms(root, role) + a;
        bool is_only = root->mover != (int)role && root->is_proven;
        const Arm *leader = leader_of(uct, root, role, a);
        double value = is_only ? root->values[role] : worth(leader);
        SearchMove move = {arm->move, goal_of_value(uct->ranges[role], value), arm->visits,
                           leader->is_proven || is_only};
        vector_push(&result->moves, move);
    }
    result->best = best_arm(root, role)->move;
    result->is_decided = root->is_proven;
    search_sort_moves(result);
    add_line(w, &result->line);
}

/* ---- all positions of the tree, for learners ---- */

/* The value that the role expects: that of its most visited arm. */
static double expectation(const TreeNode *node, uint32_t role) {
    const Arm *best = tree_arms(node, role);
    for (uint32_t a = 1; a < tree_arm_count(node, role); a++)
        if (tree_arms(node, role)[a].visits > best->visits)
            best = &tree_arms(node, role)[a];
    return best->is_proven ? (double)best->exact : best->visits ? best->total / best->visits : 0.5;
}

/* For a role without a choice, the mean over all moves tried by the others, bad ones included, is
 * too optimistic. In zero-sum games the mover's expectation counts for both. */
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
        goals[r] = goal_of_value(uct->ranges[r], value);
    }
}

void uct_visit_nodes(const Search *search, uint32_t min_visits, UctNote note, void *context) {
    const Uct *uct = (const Uct *)search;
    double *goals = memory_zalloc((search->game->role_count + 1) * sizeof *goals);
    for (size_t i = 0; i < uct->tree.nodes.count; i++) {
        const TreeNode *node = uct->tree.nodes.items[i];
        if (!node || !node->arms || node->is_terminal || node->is_stuck ||
            node->visits < min_visits)
            continue;
        expect_goals(uct, node, goals);
        note(context, &node->state, goals);
    }
    free(goals);
}
