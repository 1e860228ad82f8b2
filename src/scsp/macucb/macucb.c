/* The driver of the search. It divides the time among its activities: the one furthest behind its
 * share is next. If only a number of playouts is given, work is counted instead of time, so that
 * one seed gives one result. */
#include "scsp/macucb/macucb.h"

#include <math.h>
#include <string.h>

#include "analysis/facts/fragments.h"
#include "scsp/exact/belief_search.h"

/* Tuning constants. A pull is a playout through an action; a leaf is an unsolved end of a path. */
enum {
    TIGHTEN_EVERY = 16,  /* activities between two updates of the threshold (untuned) */
    FEW_SUCCESSORS = 16, /* with fewer successors the first path solves a node (untuned) */
    MAX_PATHS = 3,       /* paths to a node after which it is certainly solved (untuned) */
    PATHS_TO_PASS = 2,   /* paths to a node without a choice, if leaves are small (untuned) */
    SMALL_LEAF = 8,      /* pulls per leaf in games with chance (untuned) */
};
static const double EXPLORATION = 0.12;         /* UCB constant, evidence in paths (untuned) */
static const double EXPLORATION_BY_PULLS = 0.5; /* UCB constant, evidence in pulls (untuned) */
static const double DEFAULT_SOLVING = 0.75;     /* share of time for solving (untuned) */
static const double SYMMETRIC_SOLVING = 0.5; /* share for solving if nodes are analysed (untuned) */
static const double DEFAULT_SYMMETRY = 0.25; /* share for symmetries of nodes (untuned) */
static const double CAUTION = 0.5;           /* standard errors deducted from a mean (untuned) */
static const double WORK_OF_PULL = 0.125;    /* work of a pull; making a state is 1 (untuned) */
static const double PREPARATION = 2; /* CPU seconds before the first turn, at most (untuned) */
/* CPU seconds per node for its symmetries (untuned) */
static const double MAX_SYMMETRY_SECONDS = 0.05;

typedef enum { SOLVING, PULLING, ANALYSING, ACTIVITIES } Activity;

/* True if all players have the same information, so that they share one belief. */
static bool is_shared(Game *game) {
    Samples *samples =
        samples_take(game, &(SampleOptions){.matches = 100, .budget = cpu_budget_in(0.5)});
    Fragments fragments;
    fragments_find(&fragments, samples, cpu_budget_in(0.5));
    samples_free(samples);
    return fragments.sees != SEES_PRIVATE && fragments.moves_public;
}

/* Sets the pulls per leaf. In games with chance one outcome says little about its action, so that
 * many leaves get few pulls each. Without lanes no leaf is pulled. */
static void set_leaves(MacUcb *m) {
    bool has_chance = false;
    for (uint32_t r = 0; r < m->roles; r++)
        has_chance = has_chance || m->is_chance[r];
    m->leaf_pulls = has_chance && !m->is_hidden ? SMALL_LEAF : MACUCB_MIN_SOLVED_PULLS;
    if (m->options.leaf_playouts)
        m->leaf_pulls = m->options.leaf_playouts;
    if (!m->lanes || m->leaf_pulls > MACUCB_MIN_SOLVED_PULLS)
        m->leaf_pulls = MACUCB_MIN_SOLVED_PULLS;
    if (m->options.exploration <= 0)
        m->options.exploration = macucb_has_small_leaves(m) ? EXPLORATION_BY_PULLS : EXPLORATION;
}

static Search *create(const SearchMethod *method, Game *game, uint32_t role,
                      const SearchOptions *options) {
    if (options->threads > 1 || game->role_count > 64)
        return NULL;
    MacUcb *m = search_instance(method, game, role, sizeof *m);
    m->options = search_defaults(options);
    search_own_options(options, &m->own, sizeof m->own);
    m->roles = game->role_count;
    m->with_symmetries = method == &mac_ucb_sym_search;
    m->work = game_work_create(game, REASONER_AUTO);
    m->batch = batch_create(game, options->seed);
    m->lanes = game_has_circuit(game) ? lane_batch_create(game) : NULL;
    random_seed(&m->random, options->seed);
    m->is_hidden = game_hides(game);
    m->ranges = memory_zalloc(m->roles * sizeof *m->ranges);
    m->is_chance = memory_zalloc(m->roles);
    m->decides = memory_zalloc(m->roles);
    m->legal = memory_zalloc(m->roles * sizeof *m->legal);
    uint32_t players = 0;
    for (uint32_t r = 0; r < m->roles; r++) {
        m->ranges[r] = goal_range(game, r);
        m->is_chance[r] = game_is_chance(game, r);
        players += !m->is_chance[r];
    }
    m->others_are_chance = m->is_hidden && players > 1 && !is_shared(game);
    for (uint32_t r = 0; r < m->roles; r++)
        m->decides[r] = !m->is_chance[r] && (r == role || !m->others_are_chance);
    set_leaves(m);
    m->root = MAC_NONE;
    return &m->search;
}

static void macucb_free(Search *search) {
    MacUcb *m = (MacUcb *)search;
    macucb_clear_nodes(m);
    for (size_t i = 0; i < m->successors.count; i++)
        state_free(&m->successors.items[i]);
    for (size_t i = 0; i < m->images.count; i++)
        state_free(&m->images.items[i]);
    for (uint32_t r = 0; r < m->roles; r++)
        vector_free(&m->legal[r]);
    vectors_free(&m->images, &m->worlds, &m->newest, &m->queue, &m->planned, &m->raws,
                 &m->successor_words, &m->joints, &m->successors, &m->settled);
    table_free(&m->table);
    table_free(&m->base);
    micro_result_free(&m->micro_result);
    micro_free(m->micro);
    belief_solver_free(m->solver);
    belief_clear(&m->belief);
    state_free(&m->state);
    state_free(&m->image);
    batch_free(m->batch);
    lane_batch_free(m->lanes);
    game_work_free(m->work);
    memory_free(m->ranges, m->is_chance, m->decides, m->legal, m);
}

/* Sets the belief of the root. Its node is looked up later, when symmetries may be known. */
static void set_belief(Search *search, const Belief *belief) {
    MacUcb *m = (MacUcb *)search;
    belief_copy(&m->belief, belief, search->game->role_count);
    m->root = MAC_NONE;
    m->threshold = 0;
    vector_clear(&m->settled);
    m->is_too_large = false;
    m->statistics = (MacUcbStatistics){0};
}

/* Makes the belief of the paper: each fluent that differs between worlds is true with probability
 * 1/2, independently of the others. The first world stays as it is. */
static void flip_what_is_unknown(MacUcb *m) {
    State first = m->worlds.items[0].state;
    uint64_t *unknown = memory_zalloc((first.word_count + 1) * sizeof *unknown);
    for (size_t i = 1; i < m->worlds.count; i++)
        for (uint32_t w = 0; w < first.word_count; w++)
            unknown[w] |= m->worlds.items[i].state.words[w] ^ first.words[w];
    vector_clear(&m->worlds);
    while (m->successors.count < MACUCB_MAX_WORLDS)
        vector_push(&m->successors, (State){0});
    for (uint32_t i = 0; i < MACUCB_MAX_WORLDS; i++) {
        State *flipped = &m->successors.items[i];
        state_copy(flipped, &first);
        for (uint32_t w = 0; w < first.word_count && i; w++)
            flipped->words[w] ^= unknown[w] & random_next(&m->random);
        vector_push(&m->worlds, ((MacUcbWorld){*flipped, 1}));
    }
    free(unknown);
}

static void find_root(MacUcb *m) {
    if (m->bytes > macucb_tree_bytes(m) / 2)
        macucb_clear_nodes(m);
    if (!m->belief.states.count)
        return;
    vector_clear(&m->worlds);
    for (size_t i = 0; i < m->belief.states.count; i++) {
        const BeliefState *b = &m->belief.states.items[i];
        vector_push(&m->worlds, ((MacUcbWorld){b->state, b->weight}));
    }
    if (m->own.halves_unknown_fluents && m->worlds.count > 1 && game_has_circuit(m->search.game))
        flip_what_is_unknown(m);
    uint32_t count = (uint32_t)m->worlds.count;
    m->root_is_drawn = m->belief.kind != BELIEF_EXACT || count > MACUCB_MAX_WORLDS ||
                       (m->own.halves_unknown_fluents && count > 1);
    macucb_thin(m, m->worlds.items, &count, MACUCB_MAX_WORLDS);
    bool is_symmetric = macucb_is_symmetric(m, m->worlds.items, count);
    m->uses_images = true;
    m->root = macucb_node(m, m->worlds.items, count, &m->root_element);
    m->uses_images = is_symmetric;
    macucb_stop_waiting(m);
    macucb_end_if_over(m, m->root);
    if (m->nodes.items[m->root].status == MAC_NEW) {
        macucb_plan(m, m->root);
        macucb_solve_planned(m);
        vector_push(&m->newest, m->root);
    }
    macucb_back_up(m, &m->root, 1);
}

/* Makes the template and finds symmetries, if they are wanted. */
static void find_symmetries(MacUcb *m, double seconds) {
    if (!m->is_prepared && (m->with_symmetries || m->own.solves_by_constraints))
        macucb_prepare(m, fmin(PREPARATION, seconds));
}

static void prepare(Search *search, const SearchBudget *budget, double seconds) {
    MacUcb *m = (MacUcb *)search;
    double started = clock_thread_cpu_seconds();
    if (search_must_stop(budget))
        return;
    find_symmetries(m, fmin(seconds, deadline_left(budget->deadline)));
    macucb_prepare_exact(m, budget, seconds - (clock_thread_cpu_seconds() - started));
}

static double share_of(const MacUcb *m, Activity activity) {
    double symmetry = 0, solving = m->own.solve_share;
    if (m->with_symmetries && m->own.uses_nogood_symmetries)
        symmetry = m->own.symmetry_share > 0 ? m->own.symmetry_share : DEFAULT_SYMMETRY;
    if (solving <= 0)
        solving = symmetry > 0 ? SYMMETRIC_SOLVING : DEFAULT_SOLVING;
    return activity == SOLVING     ? solving
           : activity == ANALYSING ? symmetry
                                   : fmax(1 - solving - symmetry, 0.01);
}

/* Returns the number of paths that must lead to a node before it is solved. Solving makes a node
 * for each successor, most of which are never visited again. A node with a choice has about as many
 * successors as its parent. With small leaves a path is cheap, and their number does not matter. */
static uint32_t paths_to_solve(MacUcb *m, uint32_t node) {
    const MacUcbNode *n = &m->nodes.items[node];
    double successors = 0;
    if (macucb_has_small_leaves(m))
        return macucb_has_no_choice(m, node) ? PATHS_TO_PASS : MAX_PATHS;
    if (macucb_has_no_choice(m, node)) {
        successors = macucb_draws(m, node);
    } else if (n->parent != MAC_NONE) {
        const MacUcbNode *above = &m->nodes.items[m->edges.items[n->parent].node];
        const MacUcbEdge *first = &m->edges.items[above->first_edge],
                         *last = first + above->edge_count - 1;
        successors = last->first_outcome + last->outcome_count - first->first_outcome;
    }
    return (uint32_t)fmin(1 + successors / FEW_SUCCESSORS, MAX_PATHS);
}

/* Solves a node where no role has a choice, together with the nodes planned before. Nothing has to
 * be estimated there: the path continues at once to the next decision. Returns the work done. */
static double pass_node(MacUcb *m, uint32_t node) {
    macucb_plan(m, node);
    double work = 1 + (double)m->raws.count;
    macucb_solve_planned(m);
    macucb_back_up(m, &node, 1);
    return work;
}

/* True if a path that has reached the node continues below it. */
static bool is_passed(MacUcb *m, uint32_t node) {
    const MacUcbNode *n = &m->nodes.items[node];
    return n->status == MAC_NEW && !n->waits_for && macucb_has_no_choice(m, node) &&
           (!m->lanes || n->visits >= paths_to_solve(m, node));
}

/* True if the pulls that nodes wait for, and that many nodes to be solved, leave lanes for another
 * node. Without lanes nodes are solved one by one. */
static bool has_room(const MacUcb *m, uint32_t count) {
    return m->lanes ? m->waiting + count * MACUCB_MIN_SOLVED_PULLS < MACUCB_LANES : count == 0;
}

/* Continues a path below nodes without a choice. Returns the node that it reaches, or MAC_NONE. A
 * path that makes as many states as there are lanes, or exhausts memory or time, is abandoned; the
 * next path uses its nodes. */
static uint32_t pass_nodes(MacUcb *m, MacUcbPath *path, uint32_t node, const SearchBudget *budget,
                           double *work) {
    /* Planned nodes are solved together with the first one. */
    double before = *work + (double)m->raws.count;
    while (node != MAC_NONE && is_passed(m, node)) {
        if (*work - before >= LANES || m->bytes > macucb_tree_bytes(m) ||
            search_must_stop(budget)) {
            macucb_forget_path(m, path);
            return MAC_NONE;
        }
        *work += pass_node(m, node);
        node = macucb_go_on(m, path);
    }
    return node;
}

/* Solves the most promising nodes, as many as one batch of pulls can estimate, because a node
 * without estimates does not guide the next path. A node reached by few paths is not solved yet but
 * gets a value from playouts. The work is the number of successors. */
static bool solve_next(MacUcb *m, const SearchBudget *budget, double *work) {
    uint32_t nodes[MACUCB_NODES_PER_BATCH], count = 0;
    MacUcbPath path;
    uint32_t sampled = 0;
    *work = 0;
    while (has_room(m, count) && m->raws.count + *work < LANES &&
           m->bytes <= macucb_tree_bytes(m)) {
        uint32_t node = pass_nodes(m, &path, macucb_select(m, &path), budget, work);
        if (node == MAC_NONE)
            break;
        MacUcbNode *n = &m->nodes.items[node];
        if (n->waits_for || (m->lanes && n->visits < paths_to_solve(m, node))) {
            macucb_wait(m, node, m->leaf_pulls);
            sampled++;
            continue;
        }
        macucb_plan(m, node);
        nodes[count++] = node;
    }
    *work += sampled + count + (double)m->raws.count;
    macucb_solve_planned(m);
    macucb_back_up(m, nodes, count);
    return *work > 0;
}

/* Takes nodes that need pulls, the newest first, as many as one batch can serve. */
static uint32_t gather_newest(MacUcb *m, uint32_t *nodes, uint32_t most) {
    uint32_t count = 0, lacking = 0;
    while (m->newest.count && count < most && lacking < MACUCB_LANES) {
        uint32_t node = vector_pop(&m->newest);
        MacUcbNode *n = &m->nodes.items[node];
        if (n->is_queued || macucb_is_open(n) || (n->status == MAC_NEW && !n->waits_for))
            continue;
        n->is_queued = true;
        nodes[count++] = node;
        lacking += macucb_wanted_pulls(n);
    }
    for (uint32_t i = 0; i < count; i++)
        m->nodes.items[nodes[i]].is_queued = false;
    return count;
}

/* Pulls the nodes that need it; if there are none, the last node of the most promising path. */
static bool pull_next(MacUcb *m, double *work) {
    uint32_t nodes[MACUCB_LANES];
    uint32_t count = gather_newest(m, nodes, m->batch ? MACUCB_LANES : 1);
    if (!count) {
        MacUcbPath path;
        macucb_select(m, &path);
        nodes[0] = path.last;
        if (nodes[0] == MAC_NONE)
            return false;
        count = 1;
    }
    *work = macucb_pull(m, nodes, count) * WORK_OF_PULL;
    macucb_back_up(m, nodes, count);
    for (uint32_t i = 0; i < count; i++) {
        const MacUcbNode *n = &m->nodes.items[nodes[i]];
        if (n->waits_for || (n->status != MAC_NEW && !macucb_is_open(n)))
            vector_push(&m->newest, nodes[i]);
    }
    return true;
}

/* Performs one activity. False if there was nothing to do. */
static bool act(MacUcb *m, Activity activity, const SearchBudget *budget, double *work) {
    *work = 1;
    if (activity == SOLVING)
        return solve_next(m, budget, work);
    if (activity == PULLING)
        return pull_next(m, work);
    return macucb_analyse(m, fmin(MAX_SYMMETRY_SECONDS, deadline_left(budget->deadline)));
}

/* Returns the activity furthest behind its share, among those that are not idle. */
static Activity choose_activity(const MacUcb *m, const bool *is_idle) {
    Activity best = ACTIVITIES;
    double most = -INFINITY, all = 0;
    for (int a = 0; a < ACTIVITIES; a++)
        all += m->statistics.used[a];
    for (int a = 0; a < ACTIVITIES; a++) {
        double behind = share_of(m, (Activity)a) * all - m->statistics.used[a];
        if (!is_idle[a] && share_of(m, (Activity)a) > 0 && behind > most) {
            most = behind;
            best = (Activity)a;
        }
    }
    return best;
}

/* True if the budget is spent. A run with any time makes at least some playouts. */
static bool is_over(const MacUcb *m, const SearchBudget *budget, uint64_t before, bool had_time) {
    return search_is_stopped(budget) ||
           (deadline_passed(budget->deadline) && (m->search.playouts > before || !had_time)) ||
           (budget->playouts && m->search.playouts - before >= budget->playouts);
}

static void run(Search *search, const SearchBudget *budget) {
    MacUcb *m = (MacUcb *)search;
    double cpu_started = clock_thread_cpu_seconds();
    uint64_t before = m->search.playouts, rounds = 0;
    bool by_work = budget->playouts != 0, had_time = !deadline_passed(budget->deadline);
    find_symmetries(m, by_work ? PREPARATION : deadline_left(budget->deadline) * DEFAULT_SYMMETRY);
    macucb_settle_root(m, budget);
    if (m->root == MAC_NONE && !m->settled.count)
        find_root(m);
    bool is_idle[ACTIVITIES] = {false};
    while (m->root != MAC_NONE && !m->settled.count && !m->nodes.items[m->root].is_exact &&
           !is_over(m, budget, before, had_time)) {
        Activity activity = choose_activity(m, is_idle);
        if (activity == ACTIVITIES)
            break;
        double started = clock_thread_cpu_seconds(), work;
        bool is_done = act(m, activity, budget, &work);
        if (is_done && activity != ANALYSING)
            memset(is_idle, 0, sizeof is_idle);
        is_idle[activity] = !is_done;
        m->statistics.used[activity] += by_work ? work : clock_thread_cpu_seconds() - started;
        if (++rounds % TIGHTEN_EVERY == 0)
            macucb_tighten(m);
    }
    m->search.cpu_seconds += clock_thread_cpu_seconds() - cpu_started;
}

/* Returns the entry for a move in the node of the root, which may be an image of the real state.
 * Adds the entry, for the real move, if it is new. */
static SearchMove *move_in(const MacUcb *m, SearchResult *result, uint32_t move) {
    move = symmetry_real_move(m->search.game, m->group, m->root_element, m->search.role, move);
    SearchMove *known = search_find_move(result, move);
    if (known)
        return known;
    vector_push(&result->moves, (SearchMove){.move = move});
    return &vector_last(&result->moves);
}

/* Lists the arms of the role, if several roles choose. */
static void list_arms(MacUcb *m, const MacUcbNode *root, SearchResult *result) {
    uint32_t role = m->search.role;
    for (uint32_t a = root->first_arm; a < root->first_arm + root->arm_count; a++) {
        const MacUcbArm *arm = &m->arms.items[a];
        if (arm->role != role)
            continue;
        bool is_flat = root->status == MAC_FLAT;
        double mean = arm->pulls ? arm->sum / arm->pulls : 0;
        SearchMove *move = move_in(m, result, arm->move);
        move->visits = is_flat ? arm->pulls : (uint64_t)macucb_pulls_of_paths(m, arm->weight);
        move->value = goal_of_value(m->ranges[role], is_flat ? mean : arm->worth);
    }
}

static void list_moves(MacUcb *m, SearchResult *result) {
    const MacUcbNode *root = &m->nodes.items[m->root];
    uint32_t role = m->search.role;
    list_arms(m, root, result);
    for (uint32_t e = root->first_edge; !root->arm_count && e < root->first_edge + root->edge_count;
         e++) {
        SearchMove *move = move_in(m, result, m->edge_joints.items[(size_t)e * m->roles + role]);
        uint32_t twin = m->edges.items[e].twin;
        double low = macucb_edge_values(m, twin, MAC_LOWEST)[role];
        move->is_proven = macucb_edge_values(m, twin, MAC_HIGHEST)[role] - low < 1e-9;
        move->visits += (uint64_t)macucb_edge_evidence(m, e);
        move->value = goal_of_value(
            m->ranges[role], move->is_proven ? low : macucb_edge_values(m, twin, MAC_VALUE)[role]);
    }
}

/* Returns a lower confidence bound of the value, not below the worst goal. Among equal bounds the
 * higher value wins: an uncertain bad move is better than a proven bad one. */
static double cautious_value(const MacUcb *m, const SearchMove *move) {
    static const double LITTLE = 1e-4;
    double doubt = move->is_proven ? 0 : 100 * CAUTION / sqrt((double)move->visits + 1);
    double worst = goal_of_value(m->ranges[m->search.role], 0);
    return fmax(move->value - doubt, worst) + LITTLE * move->value;
}

/* Returns the best move; ties are broken at random. */
static uint32_t choose(MacUcb *m, const SearchResult *result) {
    uint64_t ties = 0;
    uint32_t best = MOVE_NONE;
    double best_value = -INFINITY;
    for (size_t i = 0; i < result->moves.count; i++) {
        const SearchMove *move = &result->moves.items[i];
        double value = cautious_value(m, move);
        if (value > best_value + 1e-7) {
            best_value = value;
            ties = 0;
        }
        if (value > best_value - 1e-7 && random_below(&m->random, ++ties) == 0)
            best = move->move;
    }
    return best;
}

/* Lists the solved moves: the best one, and others if they were solved too. */
static void list_settled(MacUcb *m, SearchResult *result) {
    vector_append(&result->moves, m->settled.items, m->settled.count);
    result->best = choose(m, result);
    search_sort_moves(result);
    result->is_decided = result->moves.items[0].is_proven;
}

static void result(Search *search, SearchResult *result) {
    MacUcb *m = (MacUcb *)search;
    result->nodes = m->nodes.count;
    if (macucb_find_solved_root(m)) {
        list_settled(m, result);
        return;
    }
    if (m->root == MAC_NONE)
        find_root(m);
    if (m->root == MAC_NONE)
        return;
    list_moves(m, result);
    result->best = choose(m, result);
    for (size_t i = 0; i < result->moves.count && m->root_is_drawn; i++)
        result->moves.items[i].is_proven = false;
    search_sort_moves(result);
    result->is_decided =
        m->nodes.items[m->root].is_exact && result->moves.count && result->moves.items[0].is_proven;
}

#define MACUCB_SHARE(key, initial, meaning, member)                                                \
    { key, VALUE_REAL, COUNT_RANGE(initial, 1), meaning, OWN_FIELD(MacUcbOptions, member) }
#define MACUCB_FLAG(key, meaning, member)                                                          \
    { key, VALUE_FLAG, FLAG_RANGE, meaning, OWN_FIELD(MacUcbOptions, member) }

static const SearchOption options[] = {
    SEARCH_OPTION_C("chosen by the kind of game"),
    SEARCH_OPTION_LEAF("chosen by the kind of game"),
    SEARCH_OPTIONS_COMMON,
    MACUCB_SHARE("solving", "0.75, or 0.5 beside symmetries", "share of the time for solving turns",
                 solve_share),
    MACUCB_SHARE("symmetry", "0.25", "share of the time for symmetries, with nogoods=1",
                 symmetry_share),
    MACUCB_FLAG("nogoods", "find symmetries by nogoods, as the paper does; they need not hold",
                uses_nogood_symmetries),
    MACUCB_FLAG("network", "solve turns by constraints instead of the reasoner",
                solves_by_constraints),
    MACUCB_FLAG("tree", "do not merge equal states that are reached by different paths", is_tree),
    MACUCB_FLAG("paranoid", "the others want to harm the role, not to gain", is_paranoid),
    MACUCB_FLAG("unpruned", "follow actions even if they cannot be good enough", follows_hopeless),
    MACUCB_FLAG("halves", "beliefs of the paper: an unknown fluent is true with probability 1/2",
                halves_unknown_fluents),
    MACUCB_FLAG("estimated", "solve nothing to the end of the match", never_solves_match),
    {0}};

#define MACUCB_METHOD(title, meaning)                                                              \
    {                                                                                              \
        .name = title, .summary = meaning, .options = options, .own_size = sizeof(MacUcbOptions),  \
        .create = create, .free = macucb_free, .set_belief = set_belief, .prepare = prepare,       \
        .run = run, .result = result                                                               \
    }

const SearchMethod mac_ucb_search =
    MACUCB_METHOD("mac-ucb", "solves the constraint network of each turn; values by upper "
                             "confidence bounds");
const SearchMethod mac_ucb_sym_search =
    MACUCB_METHOD("mac-ucb-sym", "mac-ucb that treats symmetric states as one");
