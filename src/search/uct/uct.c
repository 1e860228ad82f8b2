/* A search of the UCT family: its options, its memory, and its position in the match. */
#include "search/uct/uct.h"

#include <assert.h>

#include "base/bitset.h"
#include "search/hidden/infouct.h"

/* The defaults of the options. */
enum {
    /* 64 leaves with 8 playouts each fill the 512 lanes of one pass (measured against 512 x 1,
     * 128 x 4, 32 x 16 and single playouts: docs/results/searches.md, "Playouts in batches"). */
    DEFAULT_BATCH = 64,
    DEFAULT_LEAF_PLAYOUTS = 8,
    /* On a GPU, where a warp has 32 lanes (untuned). */
    DEVICE_BATCH = 64,
    DEVICE_LEAF_PLAYOUTS = 32,
};
/* `c` of UCB1: a move is chosen by mean + c * sqrt(ln(visits of node) / visits of move), with means
 * in 0..1 (measured: 0.2 has 217 of 460 points against 0.4, docs/results/searches.md). */
static const double DEFAULT_EXPLORATION = 0.4;
/* The constant of PUCT, which a model's advice on moves asks for (Silver et al. 2017; untuned). */
static const double ADVISED_EXPLORATION = 1.25;

static void set_device_options(SearchOptions *o) {
    uint32_t lanes = o->device->lanes;
    if (!o->batch)
        o->batch = DEVICE_BATCH;
    if (!o->leaf_playouts)
        o->leaf_playouts = DEVICE_LEAF_PLAYOUTS;
    o->leaf_playouts = (o->leaf_playouts + lanes - 1) / lanes * lanes;
}

static void set_options(Uct *uct, const SearchOptions *given, bool one_by_one) {
    SearchOptions *o = &uct->options;
    *o = search_defaults(given);
    if (!uct->hooks->has_own_options)
        search_own_options(given, &uct->uct_options, sizeof uct->uct_options);
    if (o->device)
        set_device_options(o);
    if (o->exploration <= 0)
        o->exploration = uct_advises(uct) ? ADVISED_EXPLORATION : DEFAULT_EXPLORATION;
    if (!o->batch)
        o->batch =
            (one_by_one ? 1 : DEFAULT_BATCH) * (o->parallel == PARALLEL_LEAF ? o->threads : 1);
    if (!o->leaf_playouts)
        o->leaf_playouts = one_by_one ? 1 : DEFAULT_LEAF_PLAYOUTS;
    /* A device has many leaves in progress; each counts as many losses as on the processor. */
    uct->virtual_losses = uct->uct_options.no_virtual_losses ? 0
                          : o->device && o->leaf_playouts > DEFAULT_LEAF_PLAYOUTS
                              ? DEFAULT_LEAF_PLAYOUTS
                              : o->leaf_playouts;
}

/* In leaf mode the first worker gathers the leaves, and each one plays out its share. */
static void make_room_for_leaves(UctWorker *w, bool is_first) {
    const SearchOptions *o = &w->uct->options;
    size_t roles = w->uct->search.game->role_count;
    bool shares = o->parallel == PARALLEL_LEAF;
    w->leaf_count = shares && !is_first ? 0 : o->device ? o->batch * UCT_PASSES : o->batch;
    w->leaves = memory_zalloc((w->leaf_count + 1) * sizeof *w->leaves);
    for (size_t i = 0; i < w->leaf_count; i++) {
        w->leaves[i].values = memory_zalloc((roles + 1) * sizeof(double));
        w->leaves[i].goals = memory_zalloc((roles + 1) * sizeof(double));
        uct_amaf_open_leaf(w->uct, &w->leaves[i]);
    }
    if (!w->batch)
        return;
    size_t share = shares ? (o->batch + o->threads - 1) / o->threads : o->batch;
    w->playout_count = share * o->leaf_playouts;
    w->starts = memory_zalloc(w->playout_count * sizeof *w->starts);
    w->results = memory_zalloc(w->playout_count * sizeof *w->results);
    size_t moves = bitset_words(w->uct->amaf_moves);
    for (size_t i = 0; i < w->playout_count; i++) {
        w->results[i].goals = memory_zalloc((roles + 1) * sizeof(int));
        w->results[i].moves = moves ? memory_zalloc(moves * sizeof(uint64_t)) : NULL;
    }
}

static void open_worker(Uct *uct, uint32_t number, bool one_by_one) {
    UctWorker *w = &uct->workers[number];
    Game *game = uct->search.game;
    size_t roles = game->role_count + 1;
    uint64_t seed = search_seed_of_thread(uct->options.seed, number);
    w->uct = uct;
    w->work = game_work_create(game, REASONER_AUTO);
    w->questions = successors_create(game, REASONER_AUTO);
    w->ahead = successors_create(game, REASONER_AUTO);
    random_seed(&w->random, seed);
    if (!one_by_one) {
        const TurnNetworks *turn = uct->uct_options.is_decisive ? game_decisive_networks(game)
                                   : uct->amaf_moves            ? game_shown_turn(game)
                                                                : game_turn_networks(game);
        w->batch = batch_create_on(game, turn, seed);
    }
    w->legal = memory_zalloc(roles * sizeof *w->legal);
    w->joint = memory_zalloc(roles * sizeof *w->joint);
    w->values = memory_zalloc(roles * sizeof *w->values);
    w->chosen = memory_zalloc(roles * sizeof *w->chosen);
    make_room_for_leaves(w, number == 0);
    const SearchEvaluation *evaluation = uct->options.evaluation;
    if (!evaluation)
        return;
    w->evaluation =
        evaluation->open ? evaluation->open(evaluation->context, game) : evaluation->context;
    w->evaluated = memory_zalloc((w->playout_count + 1) * sizeof *w->evaluated);
    w->evaluations = memory_zalloc((w->playout_count + 1) * roles * sizeof *w->evaluations);
    w->asked = memory_zalloc(((size_t)uct->options.batch + 1) * sizeof *w->asked);
    for (size_t i = 0; i < w->playout_count && evaluation->evaluate; i++)
        w->results[i].last = memory_zalloc(sizeof(State));
}

static void close_worker(UctWorker *w) {
    for (uint32_t i = 0; i < w->leaf_count; i++) {
        vectors_free(&w->leaves[i].path.nodes, &w->leaves[i].path.arms,
                     &w->leaves[i].path.proven_children, &w->leaves[i].moves, &w->leaves[i].shares);
        state_free(&w->leaves[i].state);
        memory_free(w->leaves[i].values, w->leaves[i].goals);
        uct_amaf_close_leaf(&w->leaves[i]);
    }
    for (size_t i = 0; i < w->playout_count; i++) {
        if (w->results[i].last)
            state_free(w->results[i].last);
        memory_free(w->results[i].last, w->results[i].goals, w->results[i].moves);
    }
    if (w->uct->options.evaluation && w->uct->options.evaluation->close)
        w->uct->options.evaluation->close(w->evaluation);
    memory_free(w->evaluated, w->evaluations, w->asked);
    for (uint32_t r = 0; r < w->uct->search.game->role_count; r++)
        vector_free(&w->legal[r]);
    game_work_free(w->work);
    successors_free(w->questions);
    successors_free(w->ahead);
    vector_free(&w->looks);
    batch_free(w->batch);
    vector_free(&w->record);
    states_free(&w->next, &w->whole);
    memory_free(w->leaves, w->starts, w->results, w->legal, w->joint, w->chosen, w->values);
}

/* Hooks learn from every playout and are not thread-safe. */
static bool can_share_its_tree(const UctHooks *hooks) {
    return !hooks->choose && !hooks->learn;
}

Search *uct_create(const SearchMethod *method, const UctHooks *hooks, Game *game, uint32_t role,
                   const SearchOptions *options) {
    assert(method && hooks && role < game->role_count);
    assert(options->threads <= SEARCH_MAX_THREADS && options->exploration >= 0);
    if (options->threads > 1 && (!can_share_its_tree(hooks) || options->device))
        return NULL;
    Uct *uct = search_instance(method, game, role, sizeof *uct);
    bool singly = options->batch == 1 && options->leaf_playouts == 1;
    bool one_by_one =
        !game_has_circuit(game) || (singly && !options->device) || hooks->choose || hooks->learn;
    uct->hooks = hooks;
    set_options(uct, options, one_by_one);
    uct_open_amaf(uct, one_by_one);
    if (uct->options.threads > 1 && !(uct->pool = pool_create(uct->options.threads)))
        uct->options.threads = 1;
    pthread_mutex_init(&uct->lock, NULL);
    tree_init(&uct->tree, game->role_count, uct->options.node_bytes);
    uct->ranges = goal_ranges(game);
    uct->is_zero_sum = game_count_players(game) == 2;
    uct_open_clock(uct);
    uct->looks_ahead = game_has_circuit(game) && !hooks->learn && !uct_advises(uct);
    uct->worker_count = uct->options.threads;
    uct->workers = memory_zalloc(uct->worker_count * sizeof *uct->workers);
    for (uint32_t i = 0; i < uct->worker_count; i++)
        open_worker(uct, i, one_by_one);
    if (hooks->open)
        uct->own = hooks->open(&uct->search, options);
    if (uct_open_device(uct))
        return &uct->search;
    uct_free(&uct->search);
    return NULL;
}

void uct_free(Search *search) {
    Uct *uct = (Uct *)search;
    if (uct->hooks->close)
        uct->hooks->close(uct->own, search);
    pool_free(uct->pool);
    uct_close_device(uct);
    for (uint32_t i = 0; i < uct->worker_count; i++)
        close_worker(&uct->workers[i]);
    tree_free(&uct->tree);
    uct_close_clock(uct);
    vector_free(&uct->look_rates);
    pthread_mutex_destroy(&uct->lock);
    memory_free(uct->workers, uct->ranges, uct);
}

static void set_root(Uct *uct, const State *state) {
    UctWorker *w = &uct->workers[0];
    uint32_t turn = uct->clock.turn;
    state_copy(&w->next, state);
    uct_learn_time(uct, turn, state);
    uct_forget_time(uct, &w->next);
    uct->root = tree_find(&uct->tree, &w->next);
    if (uct->root) {
        uct_enter(w, uct->root, turn);
    } else {
        uct->root = tree_add(&uct->tree, &w->next, true);
        uct->root->proof_turn = turn;
        uct_find_exact_values(w, uct->root, turn);
    }
}

void uct_set_state(Search *search, const State *state) {
    Uct *uct = (Uct *)search;
    tree_clear(&uct->tree);
    uct_restart_clock(uct);
    vector_clear(&uct->look_rates);
    set_root(uct, state);
    assert(uct->root && !uct->search.playouts);
}

void uct_advance(Search *search, const uint32_t *joint, const State *next) {
    Uct *uct = (Uct *)search;
    (void)joint; /* the state is enough */
    if (!uct->root) {
        uct_set_state(search, next);
        return;
    }
    uct->clock.turn++;
    uct->has_moved = true;
    set_root(uct, next);
}

static const UctHooks no_hooks;

static Search *create(const SearchMethod *method, Game *game, uint32_t role,
                      const SearchOptions *options) {
    if (game_hides(game))
        return infouct_create_plain(game, role, options);
    return uct_create(method, &no_hooks, game, role, options);
}

static const SearchOption options[] = {UCT_OPTIONS, {0}};

const SearchMethod uct_search = {.name = "uct",
                                 .summary = "Monte Carlo tree search by upper confidence bounds, "
                                            "with playouts in batches",
                                 .options = options,
                                 .own_size = sizeof(UctOptions),
                                 .takes_evaluation = true,
                                 .create = create,
                                 UCT_FUNCTIONS,
                                 .takes_device = true};
