/* Going down the tree, and back up with what play-outs found. */
#include "search/uct.h"

#include <math.h>
#include <string.h>

#include "game/goal.h"

enum {
    DEFAULT_NODE_BYTES = 1 << 30,
    DEFAULT_STEP_LIMIT = 10000,
    DEFAULT_BATCH = 64, /* by measurement: docs/search.md */
    DEFAULT_LEAF_PLAYOUTS = 8,
    LONGEST_LINE = 500,
    MANY_VISITS = 1u << 30,
};
static const double DEFAULT_EXPLORATION = 0.4;
/* Where several roles choose at once, this part of their choices is made blindly: bounds alone make
 * them change their minds in step, and then a move looks as good as its luck with the other's. */
static const double BLIND = 0.2;

double uct_value(const Uct *uct, uint32_t role, int goal) {
    if (goal < 0)
        return 0;
    return uct->span[role] > 0 ? (goal - uct->lowest[role]) / uct->span[role] : 0.5;
}

static double goal_of(const Uct *uct, uint32_t role, double value) {
    return uct->span[role] > 0 ? uct->lowest[role] + value * uct->span[role] : uct->lowest[role];
}

/* Goals that an interpreted game may give are not known in advance: 0..100. */
static void find_goal_ranges(Uct *uct) {
    const Game *game = uct->search.game;
    for (uint32_t r = 0; r < game->role_count; r++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; game->circuit && i < game->circuit->goals.count; i++) {
            const CircuitOutput *goal = &game->circuit->goals.items[i];
            int value = goal_join(GOAL_NONE, grounding_terms(game->grounding), goal->term);
            if (goal->role != r || value < 0)
                continue;
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        uct->lowest[r] = isfinite(low) ? low : 0;
        uct->span[r] = isfinite(low) ? high - low : 100;
    }
}

static void find_chance(Uct *uct) {
    Text name = {0};
    for (uint32_t r = 0; r < uct->search.game->role_count; r++) {
        text_clear(&name);
        game_role_text(uct->search.game, r, &name);
        uct->is_chance[r] = strcmp(name.items, "random") == 0;
        uct->players += !uct->is_chance[r];
    }
    uct->is_zero_sum = uct->players == 2;
    vector_free(&name);
}

static void set_options(Uct *uct, const SearchOptions *given) {
    SearchOptions *o = &uct->options;
    bool one_by_one = !uct->batch;
    *o = *given;
    if (o->exploration <= 0)
        o->exploration = DEFAULT_EXPLORATION;
    if (!o->node_bytes)
        o->node_bytes = DEFAULT_NODE_BYTES;
    if (!o->batch)
        o->batch = one_by_one ? 1 : DEFAULT_BATCH;
    if (!o->leaf_playouts)
        o->leaf_playouts = one_by_one ? 1 : DEFAULT_LEAF_PLAYOUTS;
    if (!o->step_limit)
        o->step_limit = DEFAULT_STEP_LIMIT;
}

static void make_room_for_leaves(Uct *uct) {
    size_t roles = uct->search.game->role_count, batch = uct->options.batch;
    size_t playouts = batch * uct->options.leaf_playouts;
    uct->leaves = memory_zalloc(batch * sizeof *uct->leaves);
    for (size_t i = 0; i < batch; i++)
        uct->leaves[i].values = memory_zalloc((roles + 1) * sizeof(double));
    if (!uct->batch)
        return;
    uct->starts = memory_zalloc(playouts * sizeof *uct->starts);
    uct->results = memory_zalloc(playouts * sizeof *uct->results);
    for (size_t i = 0; i < playouts; i++)
        uct->results[i].goals = memory_zalloc((roles + 1) * sizeof(int));
}

Search *uct_create(const SearchMethod *method, const UctHooks *hooks, Game *game, uint32_t role,
                   const SearchOptions *options) {
    Uct *uct = memory_zalloc(sizeof *uct);
    size_t roles = game->role_count + 1;
    uct->search = (Search){method, game, role};
    uct->hooks = hooks;
    uct->work = game_work(game, REASONER_AUTO);
    random_seed(&uct->random, options->seed);
    bool singly = options->batch == 1 && options->leaf_playouts == 1;
    if (game_has_circuit(game) && !singly && !hooks->choose && !hooks->learn)
        uct->batch = batch_create(game, options->seed);
    set_options(uct, options);
    tree_init(&uct->tree, game->role_count, uct->options.node_bytes);
    uct->lowest = memory_zalloc(roles * sizeof *uct->lowest);
    uct->span = memory_zalloc(roles * sizeof *uct->span);
    uct->is_chance = memory_zalloc(roles * sizeof *uct->is_chance);
    uct->legal = memory_zalloc(roles * sizeof *uct->legal);
    uct->joint = memory_zalloc(roles * sizeof *uct->joint);
    uct->values = memory_zalloc(roles * sizeof *uct->values);
    uct->chosen = memory_zalloc(roles * sizeof *uct->chosen);
    find_goal_ranges(uct);
    find_chance(uct);
    make_room_for_leaves(uct);
    if (hooks->open)
        hooks->open(uct);
    return &uct->search;
}

void uct_free(Search *search) {
    Uct *uct = (Uct *)search;
    if (uct->hooks->close)
        uct->hooks->close(uct);
    for (uint32_t i = 0; i < uct->options.batch; i++) {
        vector_free(&uct->leaves[i].path.nodes);
        vector_free(&uct->leaves[i].path.arms);
        vector_free(&uct->leaves[i].path.instead);
        state_free(&uct->leaves[i].state);
        free(uct->leaves[i].values);
    }
    for (size_t i = 0; uct->results && i < (size_t)uct->options.batch * uct->options.leaf_playouts;
         i++)
        free(uct->results[i].goals);
    for (uint32_t r = 0; r < search->game->role_count; r++)
        vector_free(&uct->legal[r]);
    tree_free(&uct->tree);
    game_work_free(uct->work);
    batch_free(uct->batch);
    state_free(&uct->next);
    vector_free(&uct->record);
    free(uct->leaves);
    free(uct->starts);
    free(uct->results);
    free(uct->lowest);
    free(uct->span);
    free(uct->is_chance);
    free(uct->legal);
    free(uct->joint);
    free(uct->chosen);
    free(uct->values);
    free(uct);
}

static void set_root(Uct *uct, const State *state) {
    uct->root = tree_find(&uct->tree, state);
    if (!uct->root) {
        uct->root = tree_add(&uct->tree, state, true);
        uct_judge(uct, uct->root);
    }
    uct->playouts = 0;
    uct->depth = 0;
    uct->cpu_seconds = 0;
}

void uct_set_state(Search *search, const State *state) {
    Uct *uct = (Uct *)search;
    tree_clear(&uct->tree);
    set_root(uct, state);
}

void uct_advance(Search *search, const uint32_t *joint, const State *next) {
    Uct *uct = (Uct *)search;
    (void)joint; /* the state says it all */
    if (uct->root)
        set_root(uct, next);
    else
        uct_set_state(search, next);
}

static bool expand(Uct *uct, TreeNode *node) {
    if (node->arms)
        return true;
    for (uint32_t r = 0; r < uct->search.game->role_count; r++)
        game_legal(uct->work, &node->state, r, &uct->legal[r]);
    return tree_expand(&uct->tree, node, uct->legal, node == uct->root);
}

static double bound_of(const Uct *uct, uint32_t role, const Arm *arm, double log_visits) {
    if (uct->hooks->bound)
        return uct->hooks->bound(uct, role, arm, log_visits);
    if (!arm->visits)
        return INFINITY;
    return arm->total / arm->visits + uct->options.exploration * sqrt(log_visits / arm->visits);
}

/* The arm with the highest bound among those not proven; and the child of a proven one if that is
 * worth more than the bound. */
static uint32_t choose_arm(Uct *uct, const TreeNode *node, uint32_t role,
                           const TreeNode **instead) {
    uint32_t count = tree_arm_count(node, role), best = count, closed = count;
    const Arm *arms = tree_arms(node, role);
    if (count == 1)
        return 0;
    uint32_t a = (uint32_t)random_below(&uct->random, count);
    if (uct->is_chance[role] ||
        (node->mover == MOVER_SEVERAL && random_double(&uct->random) < BLIND))
        return a;
    double log_visits = log(node->visits + 1.0), best_bound = -INFINITY;
    for (uint32_t i = 0; i < count; i++, a = a + 1 == count ? 0 : a + 1) {
        if (arms[a].is_proven) {
            if (closed == count || arms[a].exact > arms[closed].exact)
                closed = a;
            continue;
        }
        double bound = bound_of(uct, role, &arms[a], log_visits);
        if (best == count || bound > best_bound) {
            best_bound = bound;
            best = a;
        }
    }
    if (closed == count || (best < count && best_bound > arms[closed].exact))
        return best;
    const TreeNode *child = tree_child(&uct->tree, node, closed);
    if (best == count || !child || !child->is_proven)
        return closed;
    *instead = child;
    return best;
}

/* Statistics of a node that is visited for hours are halved before they overflow. */
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

/* One step: arms are chosen and counted. The child, or NULL if there is no room for it: then the
 * leaf's state is what the step leads to. */
static TreeNode *step_down(Uct *uct, TreeNode *node, UctLeaf *leaf) {
    uint32_t roles = uct->search.game->role_count;
    uint64_t joint;
    const TreeNode *instead = NULL;
    for (uint32_t r = 0; r < roles; r++) {
        uint32_t a = choose_arm(uct, node, r, &instead);
        Arm *arm = tree_arms(node, r) + a;
        arm->visits += uct->options.leaf_playouts;
        uct->chosen[r] = a;
        uct->joint[r] = arm->move;
        vector_push(&leaf->path.arms, a);
    }
    vector_push(&leaf->path.nodes, node);
    vector_push(&leaf->path.instead, instead);
    bool is_numbered = tree_joint(&uct->tree, node, uct->chosen, &joint);
    TreeNode *child = is_numbered ? tree_child(&uct->tree, node, joint) : NULL;
    if (child)
        return child;
    game_next(uct->work, &node->state, uct->joint, &leaf->state);
    child = tree_find(&uct->tree, &leaf->state);
    if (!child && (child = tree_add(&uct->tree, &leaf->state, false)))
        uct_judge(uct, child);
    if (child && is_numbered)
        tree_link(&uct->tree, node, joint, child);
    return child;
}

static void end_leaf(Uct *uct, UctLeaf *leaf, TreeNode *node) {
    uint32_t roles = uct->search.game->role_count;
    leaf->end = node;
    for (size_t i = 0; i < leaf->path.nodes.count; i++)
        leaf->path.nodes.items[i]->is_on_path = false;
    if (node) {
        count_visits(uct, node);
        leaf->is_known = node->is_proven || node->is_stuck;
        if (!leaf->is_known)
            state_copy(&leaf->state, &node->state);
    } else {
        leaf->is_known = false;
    }
    for (uint32_t r = 0; r < roles; r++)
        leaf->values[r] =
            node && node->is_proven ? node->values[r] * uct->options.leaf_playouts : 0;
    if (leaf->path.nodes.count > uct->depth)
        uct->depth = (uint32_t)leaf->path.nodes.count;
}

static void descend(Uct *uct, UctLeaf *leaf) {
    TreeNode *node = uct->root;
    uct->reference = NULL;
    vector_clear(&leaf->path.nodes);
    vector_clear(&leaf->path.arms);
    vector_clear(&leaf->path.instead);
    while (node && !node->is_proven && !node->is_on_path && node->visits && expand(uct, node) &&
           !node->is_stuck && leaf->path.nodes.count < uct->options.step_limit) {
        count_visits(uct, node);
        node->is_on_path = true;
        if (node->extra)
            uct->reference = node;
        node = step_down(uct, node, leaf);
    }
    end_leaf(uct, leaf, node);
}

static void back_up(Uct *uct, UctLeaf *leaf) {
    uint32_t roles = uct->search.game->role_count;
    const TreeNode *below = leaf->end;
    bool is_exact = below && below->is_proven;
    for (size_t i = leaf->path.nodes.count; i-- > 0;) {
        TreeNode *node = leaf->path.nodes.items[i];
        const uint32_t *chosen = leaf->path.arms.items + i * roles;
        for (uint32_t r = 0; r < roles; r++)
            tree_arms(node, r)[chosen[r]].total += leaf->values[r];
        const TreeNode *instead = leaf->path.instead.items[i];
        for (uint32_t r = 0; instead && r < roles; r++)
            leaf->values[r] = instead->values[r] * uct->options.leaf_playouts;
        is_exact = is_exact && uct_prove(uct, node, chosen, below);
        below = node;
    }
}

static void run_batch(Uct *uct, size_t leaves) {
    for (size_t i = 0; i < leaves; i++)
        descend(uct, &uct->leaves[i]);
    uct_play_out(uct, uct->leaves, leaves);
    for (size_t i = 0; i < leaves; i++)
        back_up(uct, &uct->leaves[i]);
    uct->playouts += leaves * uct->options.leaf_playouts;
    if (uct->tree.is_full)
        tree_collect(&uct->tree, uct->root);
}

static size_t leaves_allowed(const Uct *uct, const SearchBudget *budget, uint64_t done) {
    uint64_t each = uct->options.leaf_playouts;
    if (!budget->playouts)
        return uct->options.batch;
    uint64_t leaves = done < budget->playouts ? (budget->playouts - done + each - 1) / each : 0;
    return leaves < uct->options.batch ? (size_t)leaves : uct->options.batch;
}

/* A batch is not begun if the last one took longer than there is time left. */
void uct_run(Search *search, const SearchBudget *budget) {
    Uct *uct = (Uct *)search;
    uint64_t before = uct->playouts;
    double cpu_started = clock_thread_cpu_seconds(), longest = 0;
    for (size_t leaves; uct->root && !uct->root->is_proven &&
                        (leaves = leaves_allowed(uct, budget, uct->playouts - before)) &&
                        deadline_left(budget->deadline) > longest &&
                        !(budget->stopped && __atomic_load_n(budget->stopped, __ATOMIC_RELAXED));) {
        double started = clock_wall_seconds();
        run_batch(uct, leaves);
        double taken = clock_wall_seconds() - started;
        longest = taken > longest / 2 ? taken : longest / 2;
        if (uct->root->is_stuck)
            break;
    }
    uct->cpu_seconds += clock_thread_cpu_seconds() - cpu_started;
}

/* Moves by what is known of them: the exact value if it is at least as good as what the most
 * visited move promises, else by visits. */
static double mean_of(const Arm *arm) {
    return arm->visits ? arm->total / arm->visits : 0;
}

static double worth(const Arm *arm) {
    return arm->is_proven ? arm->exact : mean_of(arm);
}

static const Arm *best_arm(const TreeNode *node, uint32_t role) {
    const Arm *arms = tree_arms(node, role), *visited = NULL, *proven = NULL;
    for (uint32_t a = 0; a < tree_arm_count(node, role); a++) {
        const Arm *arm = &arms[a];
        if (!arm->is_proven) {
            if (!visited || arm->visits > visited->visits)
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

static void add_line(Uct *uct, U32Vector *line) {
    uint32_t roles = uct->search.game->role_count;
    const TreeNode *node = uct->root;
    for (size_t turn = 0; node && node->arms && !node->is_stuck && turn < LONGEST_LINE; turn++) {
        uint64_t joint;
        for (uint32_t r = 0; r < roles; r++) {
            const Arm *arm = best_arm(node, r);
            if (turn && !arm->visits)
                return;
            uct->chosen[r] = (uint32_t)(arm - tree_arms(node, r));
            uct->joint[r] = arm->move;
        }
        for (uint32_t r = 0; r < roles; r++)
            vector_push(line, uct->joint[r]);
        node = tree_joint(&uct->tree, node, uct->chosen, &joint)
                   ? tree_child(&uct->tree, node, joint)
                   : NULL;
    }
}

static int compare_moves(const void *a, const void *b) {
    const SearchMove *x = a, *y = b;
    if (x->visits != y->visits)
        return x->visits > y->visits ? -1 : 1;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return x->move < y->move ? -1 : x->move > y->move;
}

static void put_first(SearchResult *result) {
    for (size_t i = 0; i < result->moves.count; i++)
        if (result->moves.items[i].move == result->best) {
            SearchMove best = result->moves.items[i];
            memmove(result->moves.items + 1, result->moves.items, i * sizeof best);
            result->moves.items[0] = best;
            return;
        }
}

void uct_result(Search *search, SearchResult *result) {
    Uct *uct = (Uct *)search;
    uint32_t role = search->role;
    search_result_free(result);
    result->best = MOVE_NONE;
    result->playouts = uct->playouts;
    result->nodes = uct->tree.count;
    result->depth = uct->depth;
    result->cpu_seconds = uct->cpu_seconds;
    TreeNode *root = uct->root;
    if (!root || root->is_terminal || !expand(uct, root) || !tree_arm_count(root, role))
        return;
    for (uint32_t a = 0; a < tree_arm_count(root, role); a++) {
        const Arm *arm = tree_arms(root, role) + a;
        bool is_only = root->mover != (int)role && root->is_proven;
        double value = is_only ? root->values[role] : worth(arm);
        SearchMove move = {arm->move, goal_of(uct, role, value), arm->visits,
                           arm->is_proven || is_only};
        vector_push(&result->moves, move);
    }
    result->best = best_arm(root, role)->move;
    qsort(result->moves.items, result->moves.count, sizeof *result->moves.items, compare_moves);
    put_first(result);
    add_line(uct, &result->line);
}

static const UctHooks no_hooks;
extern const SearchMethod uct_search;

static Search *create(Game *game, uint32_t role, const SearchOptions *options) {
    return uct_create(&uct_search, &no_hooks, game, role, options);
}

const SearchMethod uct_search = {
    "uct",         "tree search by upper confidence bounds, play-outs in batches",
    create,        uct_free,
    uct_set_state, uct_advance,
    uct_run,       uct_result};
