/* Selection by upper confidence bounds, expansion, and backup of the values of playouts.
 *
 * The descents of a pass take their steps in turn: each makes its first step, then each its second,
 * and so on. Nodes are far apart in memory, so what a step will read is fetched while the others
 * make theirs. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "search/uct/uct.h"

enum {
    MANY_VISITS = 1u << 30
}; /* visits of a node before its statistics are halved; avoids overflow */
/* Share of choices that are uniformly random where several roles choose at once (untuned). By
 * bounds alone, roles change their choices in lockstep, and a move's mean then depends on which
 * moves of the others it happened to meet. */
static const double BLIND = 0.2;

/* An arm that may be chosen, and its bound. */
typedef struct {
    uint32_t arm; /* the number of arms: none */
    double bound;
} Choice;

/* The natural logarithm, with an error of 0.03 at most: enough for an exploration term. */
static inline float rough_log(float x) {
    static const float MEAN_ERROR = 0.043f, LOG_2 = 0.693147f;
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return ((float)bits * 0x1p-23f - 127 + MEAN_ERROR) * LOG_2;
}

/* The open arm of the highest UCB1. Looks at all arms from `first` on, the last before the first
 * one, so that ties are decided by chance. */
static Choice choose_by_rates(const Uct *uct, const TreeNode *node, uint32_t role, uint32_t first) {
    uint32_t count = tree_arm_count(node, role), best = count;
    const ArmRate *rates = node->rates + node->first_arm[role];
    float factor = (float)uct->options.exploration * sqrtf(rough_log((float)node->visits + 1));
    float best_bound = -INFINITY;
    for (uint32_t begin = first, end = count;; begin = 0, end = first) {
        for (uint32_t a = begin; a < end; a++) {
            float bound = rates[a].mean + factor * rates[a].spread;
            best = bound > best_bound ? a : best;
            best_bound = bound > best_bound ? bound : best_bound;
        }
        if (!begin)
            return (Choice){best, best_bound};
    }
}

/* The same with the means of the last node on the way that has a memory of moves. */
static Choice choose_by_amaf(const UctWorker *w, const TreeNode *node, uint32_t role,
                             uint32_t first) {
    const Uct *uct = w->uct;
    const Arm *arms = tree_arms(node, role);
    uint32_t count = tree_arm_count(node, role);
    float factor = (float)uct->options.exploration * sqrtf(rough_log((float)node->visits + 1));
    Choice best = {count, -INFINITY};
    for (uint32_t i = 0, a = first; i < count; i++, a = a + 1 == count ? 0 : a + 1) {
        if (arms[a].is_twin || arms[a].is_proven || arms[a].is_postponed)
            continue;
        double bound = (double)uct_amaf_bound(uct, w->reference, role, &arms[a], factor);
        if (bound > best.bound)
            best = (Choice){a, bound};
    }
    return best;
}

/* The same by the bounds of a hook or of an evaluation. */
static Choice choose_by_bounds(const UctWorker *w, const TreeNode *node, uint32_t role,
                               uint32_t first) {
    const Uct *uct = w->uct;
    const UctHooks *hooks = uct->hooks;
    const Arm *arms = tree_arms(node, role);
    uint32_t count = tree_arm_count(node, role);
    double log_visits = log(node->visits + 1.0);
    bool is_advised = uct_advises(uct);
    Choice best = {count, -INFINITY};
    UctWeighing weighing = {0};
    if (is_advised)
        weighing = uct_weigh(uct, node, role);
    for (uint32_t i = 0, a = first; i < count; i++, a = a + 1 == count ? 0 : a + 1) {
        if (arms[a].is_twin || arms[a].is_proven)
            continue;
        double bound = is_advised     ? uct_bound_with_share(&weighing, &arms[a])
                       : hooks->bound ? hooks->bound(w, role, &arms[a], log_visits)
                                      : uct_bound_with_prior(uct, &arms[a], log_visits);
        if (best.arm == count || bound > best.bound)
            best = (Choice){a, bound};
    }
    return best;
}

/* The first postponed arm that is not proven; the number of arms if there is none. */
static uint32_t find_postponed(const TreeNode *node, uint32_t role) {
    const Arm *arms = tree_arms(node, role);
    uint32_t count = tree_arm_count(node, role), a = 0;
    while (a < count && (!arms[a].is_postponed || arms[a].is_proven || arms[a].is_twin))
        a++;
    return a;
}

/* The best proven arm; the number of arms if there is none. */
static uint32_t find_best_proven(const TreeNode *node, uint32_t role) {
    const Arm *arms = tree_arms(node, role);
    uint32_t count = tree_arm_count(node, role), best = count;
    for (uint32_t a = 0; node->has_proven_arm && a < count; a++)
        if (arms[a].is_proven && (best == count || arms[a].exact > arms[best].exact))
            best = a;
    return best;
}

/* The unproven arm of the highest bound. If a proven one is worth more, `instead` is its child. */
static uint32_t choose_arm(UctWorker *w, const TreeNode *node, uint32_t turn, uint32_t role,
                           const TreeNode **instead) {
    const Uct *uct = w->uct;
    uint32_t count = tree_arm_count(node, role);
    if (count == 1)
        return 0;
    uint32_t first = (uint32_t)random_below(&w->random, count);
    if (game_is_chance(uct->search.game, role) ||
        (node->mover == MOVER_SEVERAL && random_double(&w->random) < BLIND))
        return first;
    bool is_plain = !uct->hooks->bound && !uct->options.evaluation;
    bool has_amaf = uct->amaf_moves && w->reference;
    Choice best = !is_plain  ? choose_by_bounds(w, node, role, first)
                  : has_amaf ? choose_by_amaf(w, node, role, first)
                             : choose_by_rates(uct, node, role, first);
    if (best.arm == count)
        best.arm = find_postponed(node, role);
    uint32_t closed = find_best_proven(node, role);
    if (closed == count)
        return best.arm;
    const Arm *proven = tree_arms(node, role) + closed;
    if (best.arm < count && (best.bound > proven->exact || uct->uct_options.keeps_means))
        return best.arm;
    const TreeNode *child = tree_child(&uct->tree, node, closed);
    if (best.arm == count || !child || !uct_is_proven_at(uct, child, turn + 1))
        return closed;
    *instead = child;
    return best.arm;
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
        tree_rate(node, &node->arms[a]);
    }
}

Arm *uct_arm_to(const Uct *uct, const TreeNode *node, uint32_t role, const TreeNode *child) {
    Arm *arms = tree_arms(node, role);
    for (uint32_t a = 0; a < tree_arm_count(node, role); a++)
        if (!arms[a].is_twin && (arms[a].visits || arms[a].is_proven) &&
            tree_child(&uct->tree, node, a) == child)
            return &arms[a];
    return NULL;
}

void uct_merge_twin(Uct *uct, TreeNode *node, const TreeNode *child, UctLeaf *leaf) {
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
    tree_rate(node, twin);
    tree_rate(node, leader);
    chosen[role] = (uint32_t)(leader - arms);
}

/* One step: chooses arms and counts their visits. The child becomes the end of the descent, which
 * waits if it is not known. */
static void step_down(UctWorker *w, TreeNode *node, uint32_t turn, UctLeaf *leaf) {
    Uct *uct = w->uct;
    uint32_t roles = uct->search.game->role_count;
    const TreeNode *instead = NULL;
    for (uint32_t r = 0; r < roles; r++) {
        uint32_t a = choose_arm(w, node, turn, r, &instead);
        Arm *arm = tree_arms(node, r) + a;
        arm->visits += uct->virtual_losses;
        if (tree_arm_count(node, r) > 1)
            tree_rate(node, arm);
        w->chosen[r] = a;
        w->joint[r] = arm->move;
        vector_push(&leaf->path.arms, a);
    }
    leaf->is_closed = node->mover >= 0 &&
                      tree_arms(node, (uint32_t)node->mover)[w->chosen[node->mover]].is_proven;
    vector_push(&leaf->path.nodes, node);
    vector_push(&leaf->path.proven_children, instead);
    leaf->is_numbered = tree_joint(&uct->tree, node, w->chosen, &leaf->joint);
    leaf->end = leaf->is_numbered ? tree_child(&uct->tree, node, leaf->joint) : NULL;
    if (leaf->end && uct_knows_time(uct, turn + 1))
        __builtin_prefetch(leaf->end);
    else
        uct_ask_for_child(w, leaf, node, turn);
}

/* The mean over all visits of a node that was proven after some; its exact value without visits. */
static double mean_of(const TreeNode *node, uint32_t role) {
    const Arm *arms = node->arms ? tree_arms(node, role) : NULL;
    double total = 0, visits = 0;
    for (uint32_t a = 0; arms && a < tree_arm_count(node, role); a++) {
        total += arms[a].total;
        visits += arms[a].visits;
    }
    return visits > 0 ? total / visits : node->values[role];
}

static void end_leaf(UctWorker *w, UctLeaf *leaf, TreeNode *node, uint64_t descent) {
    Uct *uct = w->uct;
    uint32_t turn = uct->clock.turn + (uint32_t)leaf->path.nodes.count;
    uint32_t roles = uct->search.game->role_count;
    bool is_exact = node && uct_is_proven_at(uct, node, turn);
    leaf->end = node;
    leaf->is_advised = false;
    if (uct->amaf_moves)
        uct_amaf_clear(uct, leaf);
    for (size_t i = 0; i < leaf->path.nodes.count; i++)
        leaf->path.nodes.items[i]->descents &= ~descent;
    if (node) {
        count_visits(uct, node);
        state_copy(&leaf->state, &node->state);
    }
    uct_tell_time(uct, turn, &leaf->state);
    leaf->is_known = is_exact || (node && node->is_stuck);
    for (uint32_t r = 0; r < roles; r++) {
        double known = !is_exact                      ? 0
                       : uct->uct_options.keeps_means ? mean_of(node, r)
                                                      : node->values[r];
        leaf->values[r] = known * uct->options.leaf_playouts;
    }
    if (leaf->path.nodes.count > uct->search.depth)
        uct->search.depth = (uint32_t)leaf->path.nodes.count;
}

/* A node at which a descent has ended may have been proven since. */
static void take_proof(const Uct *uct, UctLeaf *leaf) {
    const TreeNode *node = leaf->end;
    uint32_t turn = uct->clock.turn + (uint32_t)leaf->path.nodes.count;
    if (leaf->is_known || !node || !uct_is_proven_at(uct, node, turn))
        return;
    leaf->is_known = true;
    for (uint32_t r = 0; r < uct->search.game->role_count; r++)
        leaf->values[r] = node->values[r] * uct->options.leaf_playouts;
}

/* Whether the descent ends at the node that it has reached. If the node has arms, they are to be
 * chosen among otherwise. */
static bool ends_here(UctWorker *w, TreeNode *node, const UctLeaf *leaf, uint64_t descent) {
    if (!node || node->descents & descent)
        return true;
    uct_enter(w, node, w->uct->clock.turn + (uint32_t)leaf->path.nodes.count);
    return node->is_proven || !node->visits || leaf->lacks_room || node->is_stuck ||
           leaf->path.nodes.count >= w->uct->options.step_limit;
}

/* A descent that has come to a proven node proves the arm that led there and goes on from the node
 * before, where its mover now has one choice less: a value that the mover can avoid is no sample of
 * what the position is worth. False if the descent ends here: in the root, after chance or several
 * roles have chosen, or because the arm was proven before and there was no other. */
static bool steps_back(UctWorker *w, UctLeaf *leaf, uint64_t descent) {
    Uct *uct = w->uct;
    UctPath *path = &leaf->path;
    uint32_t roles = uct->search.game->role_count;
    uint32_t turn = uct->clock.turn + (uint32_t)path->nodes.count;
    const TreeNode *child = leaf->end;
    if (!uct->looks_ahead || !path->nodes.count || !child || child->descents & descent ||
        !uct_is_proven_at(uct, child, turn))
        return false;
    TreeNode *node = vector_last(&path->nodes);
    const uint32_t *chosen = path->arms.items + path->arms.count - roles;
    if (node->mover == MOVER_SEVERAL || (uct->clock.is_used && node->proof_turn != turn - 1))
        return false;
    if (leaf->is_closed ||
        (node->mover >= 0 && game_is_chance(uct->search.game, (uint32_t)node->mover)))
        return false;
    for (uint32_t r = 0; r < roles; r++) {
        Arm *arm = tree_arms(node, r) + chosen[r];
        arm->visits -= arm->visits < uct->virtual_losses ? arm->visits : uct->virtual_losses;
        if (tree_arm_count(node, r) > 1)
            tree_rate(node, arm);
    }
    uct_prove(uct, node, turn - 1, chosen, child);
    node->visits -= uct->options.leaf_playouts;
    node->descents &= ~descent;
    path->nodes.count--;
    path->proven_children.count--;
    path->arms.count -= roles;
    leaf->end = node;
    return true;
}

/* True if the arms of a node are needed where the descent ends. */
static bool needs_arms_at_end(const UctWorker *w, const UctLeaf *leaf) {
    return uct_advises(w->uct) && leaf->end && !leaf->end->is_proven && !leaf->end->arms &&
           !leaf->lacks_room;
}

/* A step from leaf->end to one of its children. False if the descent has ended there. */
static bool go_down(UctWorker *w, UctLeaf *leaf, uint64_t descent) {
    TreeNode *node = leaf->end;
    uint32_t turn = w->uct->clock.turn + (uint32_t)leaf->path.nodes.count;
    bool ends = ends_here(w, node, leaf, descent);
    if (ends && steps_back(w, leaf, descent))
        return true;
    if (ends ? needs_arms_at_end(w, leaf) : !node->arms) {
        uct_ask_for_arms(w, leaf, turn);
        return true;
    }
    if (ends) {
        end_leaf(w, leaf, node, descent);
        return false;
    }
    count_visits(w->uct, node);
    node->descents |= descent;
    if (node->extra)
        leaf->reference = node;
    w->reference = leaf->reference;
    step_down(w, node, turn, leaf);
    return true;
}

/* Fetches the rates of the nodes from which the next steps are made. */
static void fetch_rates(const UctLeaf *leaves, const uint32_t *open, uint32_t count) {
    enum { CACHE_LINE = 64, LINES = 4 };
    for (uint32_t i = 0; i < count; i++) {
        const TreeNode *node = leaves[open[i]].end;
        const char *block = node ? (const char *)node->first_arm : NULL;
        for (size_t line = 0; block && line < LINES; line++)
            __builtin_prefetch(block + line * CACHE_LINE);
    }
}

enum { MAX_DESCENTS = 64 }; /* one for each bit of TreeNode.descents */

static void begin_descent(const Uct *uct, UctLeaf *leaf) {
    vector_clear(&leaf->path.nodes);
    vector_clear(&leaf->path.arms);
    vector_clear(&leaf->path.proven_children);
    leaf->end = uct->root;
    leaf->reference = NULL;
    leaf->wait = WAITS_FOR_NOTHING;
    leaf->lacks_room = false;
}

/* Steps are made in turn until each descent waits or has ended. Returns the number of those that
 * wait, which become the first ones of `open`. */
static uint32_t go_on(UctWorker *w, UctLeaf *leaves, uint32_t *open, uint32_t count) {
    uint32_t going[MAX_DESCENTS], waiting = 0;
    memcpy(going, open, count * sizeof *going);
    for (uint32_t left = count; left;) {
        uint32_t before = left;
        fetch_rates(leaves, going, before);
        left = 0;
        for (uint32_t i = 0; i < before; i++) {
            UctLeaf *leaf = &leaves[going[i]];
            if (!go_down(w, leaf, UINT64_C(1) << going[i]))
                continue;
            if (leaf->wait)
                open[waiting++] = going[i];
            else
                going[left++] = going[i];
        }
    }
    return waiting;
}

static void descend_together(UctWorker *w, UctLeaf *leaves, uint32_t count) {
    uint32_t open[MAX_DESCENTS];
    assert(w->uct->root && count <= MAX_DESCENTS); /* the caller has set a state */
    for (uint32_t i = 0; i < count; i++) {
        begin_descent(w->uct, &leaves[i]);
        open[i] = i;
    }
    for (uint32_t left = count; (left = go_on(w, leaves, open, left));)
        uct_answer(w, leaves, open, left);
    for (uint32_t i = 0; i < count; i++)
        take_proof(w->uct, &leaves[i]);
}

void uct_descend(UctWorker *w, UctLeaf *leaves, size_t count) {
    for (size_t done = 0; done < count; done += MAX_DESCENTS) {
        size_t left = count - done;
        descend_together(w, leaves + done, left < MAX_DESCENTS ? (uint32_t)left : MAX_DESCENTS);
    }
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
            arm->visits += uct->options.leaf_playouts - uct->virtual_losses;
            if (tree_arm_count(node, r) > 1)
                tree_rate(node, arm);
        }
        const TreeNode *instead = leaf->path.proven_children.items[i];
        if (instead && !uct_is_proven_at(uct, instead, turn))
            instead = NULL;
        turn--;
        for (uint32_t r = 0; instead && r < roles; r++)
            leaf->values[r] = instead->values[r] * uct->options.leaf_playouts;
        if (uct->amaf_moves) {
            uct_amaf_add_step(uct, leaf, node, chosen);
            uct_amaf_remember(uct, node, leaf);
        }
        is_exact = is_exact && (!uct->clock.is_used || node->proof_turn == turn) &&
                   uct_prove(uct, node, turn, chosen, below);
        below = node;
    }
}
