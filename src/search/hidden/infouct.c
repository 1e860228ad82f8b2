/* Descents with one sampled state each, and backup of the values of playouts. Leaves are evaluated
 * by random play: a whole batch at once on the circuit; or one playout after the other, if a hook
 * chooses or records moves, or the game has no circuit. */
#include "search/hidden/infouct.h"

#include <math.h>
#include <string.h>

enum {
    DEFAULT_BATCH = 128,
    DEFAULT_LEAF_PLAYOUTS = 2, /* all of them start in the same sampled state (untuned) */
};
static const double DEFAULT_EXPLORATION = 0.4;
/* Share of random choices where several roles choose at once, as in uct_descent.c (untuned). */
static const double BLIND = 0.2;

static void set_options(InfoUct *u, const SearchOptions *given) {
    SearchOptions *o = &u->options;
    bool one_by_one = !u->batch;
    *o = search_defaults(given);
    if (o->exploration <= 0)
        o->exploration = DEFAULT_EXPLORATION;
    if (!o->batch)
        o->batch = one_by_one ? 1 : DEFAULT_BATCH;
    if (!o->leaf_playouts)
        o->leaf_playouts = one_by_one ? 1 : DEFAULT_LEAF_PLAYOUTS;
}

static void make_room_for_leaves(InfoUct *u) {
    size_t roles = u->search.game->role_count + 1, batch = u->options.batch;
    size_t playouts = batch * u->options.leaf_playouts;
    u->leaves = memory_zalloc(batch * sizeof *u->leaves);
    for (size_t i = 0; i < batch; i++)
        u->leaves[i].values = memory_zalloc(roles * sizeof(double));
    if (!u->batch)
        return;
    u->starts = memory_zalloc(playouts * sizeof *u->starts);
    u->results = memory_zalloc(playouts * sizeof *u->results);
    for (size_t i = 0; i < playouts; i++)
        u->results[i].goals = memory_zalloc(roles * sizeof(int));
}

Search *infouct_create(const SearchMethod *method, const InfoHooks *hooks, Game *game,
                       uint32_t role, const SearchOptions *options) {
    if (options->threads > 1)
        return NULL;
    InfoUct *u = search_instance(method, game, role, sizeof *u);
    size_t roles = game->role_count + 1;
    u->hooks = hooks;
    u->work = game_work_create(game, REASONER_AUTO);
    random_seed(&u->random, options->seed);
    bool singly = options->batch == 1 && options->leaf_playouts == 1;
    if (game_has_circuit(game) && !singly && !hooks->choose && !hooks->learn)
        u->batch = batch_create(game, options->seed);
    set_options(u, options);
    u->sets.max_bytes = u->options.node_bytes;
    u->ranges = goal_ranges(game);
    u->legal = memory_zalloc(roles * sizeof *u->legal);
    u->deciding = memory_zalloc(roles * sizeof *u->deciding);
    u->reference = memory_zalloc(roles * sizeof *u->reference);
    u->knowledge = memory_zalloc(roles * sizeof *u->knowledge);
    u->keys = memory_zalloc(roles * sizeof *u->keys);
    u->joint = memory_zalloc(roles * sizeof *u->joint);
    u->values = memory_zalloc(roles * sizeof *u->values);
    make_room_for_leaves(u);
    if (hooks->open)
        u->own = hooks->open(&u->search, options);
    return &u->search;
}

void infouct_free(Search *search) {
    InfoUct *u = (InfoUct *)search;
    if (u->hooks->close)
        u->hooks->close(u->own, search);
    for (uint32_t i = 0; i < u->options.batch; i++) {
        vector_free(&u->leaves[i].steps);
        state_free(&u->leaves[i].state);
        free(u->leaves[i].values);
    }
    for (size_t i = 0; u->results && i < (size_t)u->options.batch * u->options.leaf_playouts; i++)
        free(u->results[i].goals);
    for (uint32_t r = 0; r < search->game->role_count; r++)
        vector_free(&u->legal[r]);
    infosets_free(&u->sets);
    belief_clear(&u->belief);
    game_work_free(u->work);
    batch_free(u->batch);
    vectors_free(&u->record, &u->root_moves);
    state_free(&u->next);
    memory_free(u->leaves, u->starts, u->results, u->ranges, u->legal, u->deciding, u->reference,
                u->knowledge, u->keys, u->joint, u->values, u);
}

/* A set is found by all that was done and perceived in the match, so it stays valid. */
void infouct_set_belief(Search *search, const Belief *belief) {
    InfoUct *u = (InfoUct *)search;
    belief_copy(&u->belief, belief, search->game->role_count);
    belief_legal(&u->belief, u->work, search->role, &u->root_moves);
    if (u->sets.bytes > u->sets.max_bytes / 2)
        infosets_clear(&u->sets);
}

static double bound_of(const InfoUct *u, const InfoSet *set, const InfoArm *arm,
                       double log_visits) {
    double visits = (double)arm->visits;
    if (u->hooks->bound)
        return u->hooks->bound(u, set, arm, log_visits);
    if (!arm->visits)
        return INFINITY;
    return arm->total / visits + u->options.exploration * sqrt(log_visits / visits);
}

/* Chooses an arm of the set among those that are legal in the sampled state. */
static uint32_t choose_arm(InfoUct *u, InfoSet *set, bool blindly) {
    const U32Vector *legal = &u->legal[set->role];
    uint32_t i = (uint32_t)random_below(&u->random, legal->count), best = 0;
    if (blindly && random_double(&u->random) < BLIND)
        return infoset_arm(&u->sets, set, legal->items[i], i);
    double log_visits = log((double)set->visits + 1), best_bound = -INFINITY;
    for (size_t n = 0; n < legal->count; n++, i = i + 1 == legal->count ? 0 : i + 1) {
        uint32_t a = infoset_arm(&u->sets, set, legal->items[i], i);
        double bound = bound_of(u, set, &set->arms[a], log_visits);
        if (bound > best_bound) {
            best_bound = bound;
            best = a;
        }
    }
    return best;
}

/* Lists the moves of all roles. False if a role has none. */
static bool list_legal(InfoUct *u, const State *state) {
    for (uint32_t r = 0; r < u->search.game->role_count; r++) {
        game_legal(u->work, state, r, &u->legal[r]);
        if (!u->legal[r].count)
            return false;
    }
    return true;
}

/* Finds the sets of the roles that have a choice, and counts these roles. False where the tree
 * ends: a new set was added, or there is no room for one. */
static bool find_sets(InfoUct *u, uint32_t *choosers) {
    bool is_inside = true;
    *choosers = 0;
    for (uint32_t r = 0; r < u->search.game->role_count; r++) {
        u->deciding[r] = NULL;
        if (game_is_chance(u->search.game, r) || u->legal[r].count == 1)
            continue;
        ++*choosers;
        u->deciding[r] = infosets_find(&u->sets, r, u->knowledge[r]);
        if (!u->deciding[r]) {
            infosets_add(&u->sets, r, u->knowledge[r], &u->legal[r]);
            is_inside = false;
        }
    }
    return is_inside;
}

static void choose_joint(InfoUct *u, InfoLeaf *leaf, uint32_t choosers) {
    uint32_t visits = u->options.leaf_playouts;
    for (uint32_t r = 0; r < u->search.game->role_count; r++) {
        InfoSet *set = u->deciding[r];
        const U32Vector *legal = &u->legal[r];
        if (!set) {
            u->joint[r] = legal->items[random_below(&u->random, legal->count)];
            continue;
        }
        if (set->extra)
            u->reference[r] = set;
        InfoStep step = {set, choose_arm(u, set, choosers > 1)};
        set->visits += visits;
        set->arms[step.arm].visits += visits;
        u->joint[r] = set->arms[step.arm].move;
        vector_push(&leaf->steps, step);
    }
}

static void know_values(InfoUct *u, InfoLeaf *leaf, bool is_terminal) {
    leaf->is_known = true;
    for (uint32_t r = 0; r < u->search.game->role_count && is_terminal; r++)
        leaf->values[r] = goal_to_value(u->ranges[r], game_goal(u->work, &leaf->state, r)) *
                          u->options.leaf_playouts;
}

/* Descends from a sampled state to a leaf. Returns the leaf's depth in turns. */
static uint32_t descend(InfoUct *u, InfoLeaf *leaf) {
    const BeliefState *start = &u->belief.states.items[belief_draw(&u->belief, &u->random)];
    uint32_t roles = u->search.game->role_count, turn = 0, choosers;
    vector_clear(&leaf->steps);
    leaf->is_known = false;
    memset(leaf->values, 0, roles * sizeof *leaf->values);
    memset(u->reference, 0, roles * sizeof *u->reference);
    memcpy(u->knowledge, start->knowledge, roles * sizeof *u->knowledge);
    state_copy(&leaf->state, &start->state);
    for (;; turn++) {
        bool is_terminal = game_is_terminal(u->work, &leaf->state);
        if (is_terminal || turn == u->options.step_limit || !list_legal(u, &leaf->state)) {
            know_values(u, leaf, is_terminal);
            return turn;
        }
        if (!find_sets(u, &choosers))
            return turn;
        choose_joint(u, leaf, choosers);
        game_percept_keys(u->work, &leaf->state, u->joint, u->keys);
        for (uint32_t r = 0; r < roles; r++)
            u->knowledge[r] = belief_knowledge(u->knowledge[r], u->joint[r], u->keys[r]);
        game_next(u->work, &leaf->state, u->joint, &leaf->state);
    }
}

/* ---- playouts ---- */

static void play_batch(InfoUct *u, InfoLeaf *leaves, size_t count) {
    uint32_t each = u->options.leaf_playouts, roles = u->search.game->role_count;
    size_t starts = 0;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < each && !leaves[i].is_known; k++)
            u->starts[starts++] = (PlayoutStart){&leaves[i].state, NULL};
    if (!starts)
        return;
    batch_play(u->batch, u->starts, starts, u->options.step_limit, u->results);
    const PlayoutResult *result = u->results;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < each && !leaves[i].is_known; k++, result++)
            for (uint32_t r = 0; r < roles; r++)
                leaves[i].values[r] += goal_to_value(u->ranges[r], result->goals[r]);
}

/* Plays one match to its end. False if it reached none. */
static bool play_one(InfoUct *u, State *state) {
    uint32_t roles = u->search.game->role_count;
    for (uint32_t turn = 0; !game_is_terminal(u->work, state); turn++) {
        if (turn >= u->options.step_limit)
            return false;
        for (uint32_t r = 0; r < roles; r++) {
            U32Vector *legal = &u->legal[r];
            game_legal(u->work, state, r, legal);
            if (!legal->count)
                return false;
            size_t chosen = u->hooks->choose && !game_is_chance(u->search.game, r)
                                ? u->hooks->choose(u, r, legal)
                                : random_below(&u->random, legal->count);
            u->joint[r] = legal->items[chosen];
        }
        for (uint32_t r = 0; r < roles; r++)
            vector_push(&u->record, u->joint[r]);
        game_next(u->work, state, u->joint, state);
    }
    return true;
}

static void play_singly(InfoUct *u, InfoLeaf *leaf) {
    uint32_t roles = u->search.game->role_count, each = u->options.leaf_playouts;
    for (uint32_t k = 0; k < each; k++) {
        vector_clear(&u->record);
        if (leaf->is_known) {
            for (uint32_t r = 0; r < roles; r++)
                u->values[r] = leaf->values[r] / each;
        } else {
            state_copy(&u->next, &leaf->state);
            bool ended = play_one(u, &u->next);
            for (uint32_t r = 0; r < roles; r++) {
                int goal = ended ? game_goal(u->work, &u->next, r) : GOAL_NONE;
                u->values[r] = goal_to_value(u->ranges[r], goal);
                leaf->values[r] += u->values[r];
            }
        }
        if (u->hooks->learn)
            u->hooks->learn(u, leaf, u->values);
    }
}

static void play_out(InfoUct *u, InfoLeaf *leaves, size_t count) {
    if (u->batch) {
        play_batch(u, leaves, count);
        return;
    }
    for (size_t i = 0; i < count; i++)
        play_singly(u, &leaves[i]);
}

/* ---- runs ---- */

static void run_batch(InfoUct *u, size_t leaves) {
    for (size_t i = 0; i < leaves; i++) {
        uint32_t depth = descend(u, &u->leaves[i]);
        u->search.depth = depth > u->search.depth ? depth : u->search.depth;
    }
    play_out(u, u->leaves, leaves);
    for (size_t i = 0; i < leaves; i++)
        for (size_t k = 0; k < u->leaves[i].steps.count; k++) {
            const InfoStep *step = &u->leaves[i].steps.items[k];
            step->set->arms[step->arm].total += u->leaves[i].values[step->set->role];
        }
    u->search.playouts += leaves * u->options.leaf_playouts;
}

/* A batch is not begun if the last one took longer than the time left. */
void infouct_run(Search *search, const SearchBudget *budget) {
    InfoUct *u = (InfoUct *)search;
    uint64_t before = u->search.playouts;
    double cpu_started = clock_thread_cpu_seconds(), longest = 0;
    for (size_t leaves;
         u->belief.states.count &&
         (leaves = search_leaves_allowed(&u->options, budget, u->search.playouts - before)) &&
         deadline_left(budget->deadline) > longest && !search_is_stopped(budget);) {
        double started = clock_wall_seconds();
        run_batch(u, leaves);
        double taken = clock_wall_seconds() - started;
        longest = taken > longest / 2 ? taken : longest / 2;
    }
    u->search.cpu_seconds += clock_thread_cpu_seconds() - cpu_started;
}

void infouct_result(Search *search, SearchResult *result) {
    InfoUct *u = (InfoUct *)search;
    uint32_t role = search->role;
    result->nodes = u->sets.sets.count;
    if (!u->belief.states.count || !u->root_moves.count)
        return;
    InfoSet *root = infosets_find(&u->sets, role, u->belief.states.items[0].knowledge[role]);
    for (uint32_t i = 0; i < u->root_moves.count; i++) {
        SearchMove move = {.move = u->root_moves.items[i]};
        if (root) {
            uint32_t a = infoset_arm(&u->sets, root, move.move, i);
            const InfoArm *arm = &root->arms[a];
            double mean = arm->visits ? arm->total / (double)arm->visits : 0;
            move.visits = arm->visits;
            move.value = goal_of_value(u->ranges[role], mean);
        }
        vector_push(&result->moves, move);
    }
    search_sort_moves(result);
    result->best = result->moves.items[0].move;
}

static const InfoHooks no_hooks;
static const SearchMethod hidden_uct = INFOUCT_METHOD("uct");

Search *infouct_create_plain(Game *game, uint32_t role, const SearchOptions *options) {
    return infouct_create(&hidden_uct, &no_hooks, game, role, options);
}
