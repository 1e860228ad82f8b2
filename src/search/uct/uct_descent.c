/* Selection by upper confidence bounds, expansion, and backup of the values of playouts. */
#include <assert.h>
#include <math.h>

#include "search/uct/uct.h"

enum {
    MANY_VISITS = 1u << 30
}; /* visits of a node before its statistics are halved; avoids overflow */
/* Share of choices that are uniformly random where several roles choose at once (untuned). By
 * bounds alone, roles change their choices in lockstep, and a move's mean then depends on which
 * moves of the others it happened to meet. */
static const double BLIND = 0.2;

bool uct_expand(UctWorker *w, TreeNode *node, uint32_t turn) {
    Uct *uct = w->uct;
    if (node->arms)
        return true;
    const State *state = uct_whole_state(w, node, turn);
    for (uint32_t r = 0; r < uct->search.game->role_count; r++)
        game_legal(w->work, state, r, &w->legal[r]);
    if (!tree_expand(&uct->tree, node, w->legal, node == uct->root))
        return false;
    uct_evaluate_moves(w, node, state);
    if (uct->hooks->expanded)
        uct->hooks->expanded(w, node, state);
    return true;
}

static inline double ucb1(const Arm *arm, double log_visits, double exploration) {
    if (!arm->visits)
        return INFINITY;
    double part = 1.0 / arm->visits;
    return arm->total * part + exploration * sqrt(log_visits * part);
}

static double bound_of(const UctWorker *w, uint32_t role, const Arm *arm, double log_visits) {
    const Uct *uct = w->uct;
    if (uct->hooks->bound)
        return uct->hooks->bound(w, role, arm, log_visits);
    if (uct->options.evaluation)
        return uct_bound_with_prior(uct, arm, log_visits);
    return ucb1(arm, log_visits, uct->options.exploration);
}

/* The unproven arm of the highest bound. If a proven one is worth more, `instead` is its child. */
static uint32_t choose_arm(UctWorker *w, const TreeNode *node, uint32_t turn, uint32_t role,
                           const TreeNode **instead) {
    const Uct *uct = w->uct;
    uint32_t count = tree_arm_count(node, role), best = count, closed = count;
    const Arm *arms = tree_arms(node, role);
    if (count == 1)
        return 0;
    uint32_t a = (uint32_t)random_below(&w->random, count);
    if (game_is_chance(uct->search.game, role) ||
        (node->mover == MOVER_SEVERAL && random_double(&w->random) < BLIND))
        return a;
    double log_visits = log(node->visits + 1.0), best_bound = -INFINITY;
    bool is_advised = uct_advises(uct), is_plain = !uct->hooks->bound && !uct->options.evaluation;
    double exploration = uct->options.exploration;
    UctWeighing weighing = {0};
    if (is_advised)
        weighing = uct_weigh(uct, node, role);
    for (uint32_t i = 0; i < count; i++, a = a + 1 == count ? 0 : a + 1) {
        if (arms[a].is_twin)
            continue;
        if (arms[a].is_proven) {
            if (closed == count || arms[a].exact > arms[closed].exact)
                closed = a;
            continue;
        }
        double bound = is_plain     ? ucb1(&arms[a], log_visits, exploration)
                       : is_advised ? uct_bound_with_share(&weighing, &arms[a])
                                    : bound_of(w, role, &arms[a], log_visits);
        if (best == count || bound > best_bound) {
            best_bound = bound;
            best = a;
        }
    }
    if (closed == count || (best < count && best_bound > arms[closed].exact))
        return best;
    const TreeNode *child = tree_child(&uct->tree, node, closed);
    if (best == count || !child || !uct_is_proven_at(uct, child, turn + 1))
        return closed;
    *instead = child;
    return best;
}

/* Adds visits to a node. Its statistics are halved before they overflow, after hours. */
static void count_visits(Uct *uct, TreeNode *node) {
    node->visits += uct->options.leaf_playouts;
    if (node->visits < MANY_VISITS || !node->arms)
        return;
    node->visits /= 2;
    for (uint32_t a = 0; a < node->first_arm[uct->search.game->role_count]; a++) {
        node->arms[a].visits /= 2;
        node->arms[a].total /= 2;
    }
}

Arm *uct_arm_to(const Uct *uct, const TreeNode *node, uint32_t role, const TreeNode *child) {
    Arm *arms = tree_arms(node, role);
    for (uint32_t a = 0; a < tree_arm_count(node, role); a++)
        if (!arms[a].is_twin && arms[a].visits && tree_child(&uct->tree, node, a) == child)
            return &arms[a];
    return NULL;
}

/* Called when a move was tried for the first time. If another move of the mover leads to the same
 * child, that move takes over the visit and stands for both from now on. */
static void merge_twin(Uct *uct, TreeNode *node, const TreeNode *child, UctLeaf *leaf) {
    if (node->mover < 0 || game_is_chance(uct->search.game, (uint32_t)node->mover))
        return;
    uint32_t role = (uint32_t)node->mover;
    uint32_t *chosen = leaf->path.arms.items + leaf->path.arms.count - uct->search.game->role_count;
    Arm *arms = tree_arms(node, role), *twin = &arms[chosen[role]];
    Arm *leader = uct_arm_to(uct, node, role, child);
    if (!leader || leader == twin)
        return;
    leader->visits += twin->visits;
    leader->total += twin->total;
    twin->visits = 0;
    twin->total = 0;
    twin->is_twin = true;
    chosen[role] = (uint32_t)(leader - arms);
}

/* Finds or adds the node of the state. Returns NULL if there is no room. */
static TreeNode *child_of_state(UctWorker *w, uint32_t turn, State *state) {
    Tree *tree = &w->uct->tree;
    uct_forget_time(w->uct, state);
    TreeNode *child = tree_find(tree, state);
    if (child || !(child = tree_add(tree, state, false)))
        return child;
    child->proof_turn = turn;
    uct_find_exact_values(w, child, turn);
    return child;
}

/* One step: chooses arms and counts their visits. Returns the child, or NULL if there is no room
 * for it; then the leaf's state is the successor. */
static TreeNode *step_down(UctWorker *w, TreeNode *node, uint32_t turn, UctLeaf *leaf) {
    Uct *uct = w->uct;
    uint32_t roles = uct->search.game->role_count;
    uint64_t joint;
    const TreeNode *instead = NULL;
    for (uint32_t r = 0; r < roles; r++) {
        uint32_t a = choose_arm(w, node, turn, r, &instead);
        Arm *arm = tree_arms(node, r) + a;
        arm->visits += uct->virtual_visits;
        w->chosen[r] = a;
        w->joint[r] = arm->move;
        vector_push(&leaf->path.arms, a);
    }
    vector_push(&leaf->path.nodes, node);
    vector_push(&leaf->path.instead, instead);
    bool is_numbered = tree_joint(&uct->tree, node, w->chosen, &joint);
    TreeNode *child = is_numbered ? tree_child(&uct->tree, node, joint) : NULL;
    if (child && uct_knows_time(uct, turn + 1))
        return child;
    game_next(w->work, uct_whole_state(w, node, turn), w->joint, &leaf->state);
    uct_learn_time(uct, turn + 1, &leaf->state);
    if (child)
        return child;
    child = child_of_state(w, turn + 1, &leaf->state);
    if (child && uct->uct_options.merges_twins)
        merge_twin(uct, node, child, leaf);
    if (child && is_numbered)
        tree_link(&uct->tree, node, joint, child);
    return child;
}

static void end_leaf(UctWorker *w, UctLeaf *leaf, TreeNode *node, uint32_t turn) {
    Uct *uct = w->uct;
    uint32_t roles = uct->search.game->role_count;
    bool is_exact = node && uct_is_proven_at(uct, node, turn);
    leaf->end = node;
    leaf->is_advised = false;
    if (node && !is_exact && uct_advises(uct))
        uct_expand(w, node, turn);
    for (size_t i = 0; i < leaf->path.nodes.count; i++)
        leaf->path.nodes.items[i]->is_on_path = false;
    if (node) {
        count_visits(uct, node);
        state_copy(&leaf->state, &node->state);
    }
    uct_tell_time(uct, turn, &leaf->state);
    leaf->is_known = is_exact || (node && node->is_stuck);
    for (uint32_t r = 0; r < roles; r++)
        leaf->values[r] = is_exact ? node->values[r] * uct->options.leaf_playouts : 0;
    if (leaf->path.nodes.count > uct->search.depth)
        uct->search.depth = (uint32_t)leaf->path.nodes.count;
}

static bool goes_on(UctWorker *w, TreeNode *node, uint32_t turn, const UctLeaf *leaf) {
    if (node->is_on_path)
        return false;
    uct_enter(w, node, turn);
    return !node->is_proven && node->visits && uct_expand(w, node, turn) && !node->is_proven &&
           !node->is_stuck && leaf->path.nodes.count < w->uct->options.step_limit;
}

void uct_descend(UctWorker *w, UctLeaf *leaf) {
    Uct *uct = w->uct;
    TreeNode *node = uct->root;
    assert(node); /* the caller has set a state */
    w->reference = NULL;
    vector_clear(&leaf->path.nodes);
    vector_clear(&leaf->path.arms);
    vector_clear(&leaf->path.instead);
    uint32_t turn = uct->clock.turn;
    while (node && goes_on(w, node, turn, leaf)) {
        count_visits(uct, node);
        node->is_on_path = true;
        if (node->extra)
            w->reference = node;
        node = step_down(w, node, turn++, leaf);
    }
    end_leaf(w, leaf, node, turn);
}

static void show_path(const PathWatcher *watcher, const UctLeaf *leaf) {
    VECTOR(uint64_t) keys = {0};
    U32Vector visits = {0};
    for (size_t i = 0; i < leaf->path.nodes.count; i++) {
        vector_push(&keys, leaf->path.nodes.items[i]->hash);
        vector_push(&visits, leaf->path.nodes.items[i]->visits);
    }
    if (leaf->end) {
        vector_push(&keys, leaf->end->hash);
        vector_push(&visits, leaf->end->visits);
    }
    watcher->path(watcher->context, keys.items, visits.items, keys.count);
    vectors_free(&keys, &visits);
}

void uct_back_up(Uct *uct, UctLeaf *leaf) {
    if (uct->uct_options.paths)
        show_path(uct->uct_options.paths, leaf);
    uct_note_advice(uct, leaf);
    uint32_t roles = uct->search.game->role_count;
    assert(leaf->path.arms.count == leaf->path.nodes.count * roles);
    const TreeNode *below = leaf->end;
    uint32_t turn = uct->clock.turn + (uint32_t)leaf->path.nodes.count;
    bool is_exact = below && uct_is_proven_at(uct, below, turn);
    for (size_t i = leaf->path.nodes.count; i-- > 0;) {
        TreeNode *node = leaf->path.nodes.items[i];
        const uint32_t *chosen = leaf->path.arms.items + i * roles;
        for (uint32_t r = 0; r < roles; r++) {
            Arm *arm = tree_arms(node, r) + chosen[r];
            arm->total += leaf->values[r];
            arm->visits += uct->options.leaf_playouts - uct->virtual_visits;
        }
        const TreeNode *instead = leaf->path.instead.items[i];
        if (instead && !uct_is_proven_at(uct, instead, turn))
            instead = NULL;
        turn--;
        for (uint32_t r = 0; instead && r < roles; r++)
            leaf->values[r] = instead->values[r] * uct->options.leaf_playouts;
        is_exact = is_exact && (!uct->clock.is_used || node->proof_turn == turn) &&
                   uct_prove(uct, node, turn, chosen, below);
        below = node;
    }
}
