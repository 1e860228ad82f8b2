/* Calls through the tables of methods, and the code that all methods share. */
#include "search/search.h"

#include <assert.h>
#include <math.h>
#include <string.h>

uint64_t search_seed_of_thread(uint64_t seed, uint32_t thread) {
    return seed + thread * 0x9e3779b97f4a7c15ull;
}

/* True if several threads are to work on one tree. */
static bool shares_its_tree(const SearchOptions *options) {
    return options->threads > 1 &&
           (options->parallel == PARALLEL_LEAF || options->parallel == PARALLEL_TREE);
}

/* Why the playouts cannot be made on a device; NULL if they can. */
static const char *why_not_on_device(const SearchMethod *method, const Game *game,
                                     const SearchOptions *options) {
    if (!method->takes_device)
        return "it plays its matches move by move";
    if (game_hides(game))
        return "the game hides something";
    if (!game_has_circuit(game))
        return "the game has no circuit";
    if (options->evaluation && options->evaluation->evaluate)
        return "a model judges its positions";
    return shares_its_tree(options) ? "its threads need trees of their own" : NULL;
}

static Search *create(const SearchMethod *method, Game *game, uint32_t role,
                      const SearchOptions *options, Report *report) {
    SearchOptions own = *options;
    own.report = report;
    bool has_roots =
        options->threads > 1 && !shares_its_tree(options) && !method->deals_out_threads;
    Search *search = has_roots ? search_create_root(method, game, role, &own)
                               : method->create(method, game, role, &own);
    if (search && game_hides(game) && !search->method->set_belief) {
        search_free(search);
        search = NULL;
    }
    return search;
}

static void tell_why(const char *method, const SearchOptions *options, const Report *refusal,
                     Report *report) {
    if (report_failed(refusal))
        report_error(report, "unfit-search", "%s", refusal->items.items[0].message);
    else if (shares_its_tree(options))
        report_error(report, "unfit-search", "the threads of `%s` cannot share a tree", method);
    else
        report_error(report, "unfit-search", "`%s` cannot play this game", method);
}

Search *search_create(const SearchMethod *method, Game *game, uint32_t role,
                      const SearchOptions *options, Report *report) {
    assert(method && game && role < game->role_count);
    assert(options->threads <= SEARCH_MAX_THREADS && (method->own_size || !options->own));
    const char *why_not = options->device ? why_not_on_device(method, game, options) : NULL;
    if (why_not) {
        report_error(report, "unfit-search", "`%s` cannot play out its leaves on a GPU: %s",
                     method->name, why_not);
        return NULL;
    }
    Report refusal = {0};
    Search *search = create(method, game, role, options, &refusal);
    if (!search)
        tell_why(method->name, options, &refusal, report);
    report_free(&refusal);
    return search;
}

void *search_instance(const SearchMethod *method, Game *game, uint32_t role, size_t bytes) {
    Search *search = memory_zalloc(bytes);
    *search = (Search){.method = method, .game = game, .role = role};
    return search;
}

SearchOptions search_defaults(const SearchOptions *given) {
    SearchOptions o = *given;
    o.own = NULL;
    o.node_bytes = o.node_bytes ? o.node_bytes : SEARCH_DEFAULT_NODE_BYTES;
    o.threads = o.threads ? o.threads : 1;
    o.step_limit = o.step_limit ? o.step_limit : DEFAULT_STEP_LIMIT;
    return o;
}

void search_own_options(const SearchOptions *options, void *own, size_t size) {
    if (options->own)
        memcpy(own, options->own, size);
    else
        memset(own, 0, size);
}

void search_free(Search *search) {
    if (search)
        search->method->free(search);
}

static void count_from_zero(Search *search) {
    search->playouts = search->depth = 0;
    search->cpu_seconds = 0;
}

/* The caller knows the state, even if roles of the game may not. */
static void set_known_state(Search *search, const State *state) {
    Belief belief = {0};
    belief_set_state(&belief, state, search->game->role_count);
    search->method->set_belief(search, &belief);
    belief_clear(&belief);
}

void search_set_state(Search *search, const State *state) {
    count_from_zero(search);
    if (search->method->set_state)
        search->method->set_state(search, state);
    else
        set_known_state(search, state);
}

void search_advance(Search *search, const uint32_t *joint, const State *next) {
    count_from_zero(search);
    if (search->method->advance)
        search->method->advance(search, joint, next);
    else
        search_set_state(search, next);
}

void search_set_belief(Search *search, const Belief *belief) {
    assert(search->method->set_belief);
    count_from_zero(search);
    search->method->set_belief(search, belief);
}

BeliefModel search_model(const Search *search) {
    BeliefModel model = {0};
    if (search->method->model)
        search->method->model(search, &model);
    return model;
}

bool search_describe(const Search *search, SearchChoice *choice) {
    if (search->method->describe)
        search->method->describe(search, choice);
    return search->method->describe != NULL;
}

void search_prepare(Search *search, const SearchBudget *budget, double seconds) {
    if (search->method->prepare)
        search->method->prepare(search, budget, seconds);
}

void search_run(Search *search, const SearchBudget *budget) {
    assert(budget->start_clock >= 0);
    if (search->method->run)
        search->method->run(search, budget);
}

static bool is_useless(const SearchResult *result) {
    return !result->playouts || !result->moves.count || result->is_decided;
}

/* A deadline is wall-clock time, so the CPU time is checked between short slices. When most of it
 * is spent, no further slice is begun, since it would take too long. */
void search_think(Search *search, const SearchBudget *budget, double seconds,
                  SearchResult *result) {
    static const double SLICE = 0.125, SPENT = 0.95; /* shares of the time (untuned) */
    double started = clock_thread_cpu_seconds(), spent = 0;
    SearchBudget part = *budget;
    search_result(search, result);
    uint64_t before = result->playouts, done = 0;
    do {
        double slice =
            fmin(fmin(seconds - spent, seconds * SLICE), deadline_left(budget->deadline));
        part.deadline = deadline_in(slice);
        part.playouts = budget->playouts ? budget->playouts - done : 0;
        search_run(search, &part);
        search_result(search, result);
        done = result->playouts > before ? result->playouts - before : 0;
        spent = clock_thread_cpu_seconds() - started;
    } while (spent < SPENT * seconds && !is_useless(result) && !search_is_stopped(budget) &&
             !deadline_passed(budget->deadline) && (!budget->playouts || done < budget->playouts));
}

void search_result(Search *search, SearchResult *result) {
    search_result_free(result);
    *result = (SearchResult){.best = MOVE_NONE,
                             .playouts = search->playouts,
                             .depth = search->depth,
                             .cpu_seconds = search->cpu_seconds};
    search->method->result(search, result);
}

void search_result_free(SearchResult *result) {
    vectors_free(&result->moves, &result->line);
    *result = (SearchResult){0};
}

static int compare_moves(const void *a, const void *b) {
    const SearchMove *x = a, *y = b;
    if (x->visits != y->visits)
        return x->visits > y->visits ? -1 : 1;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return x->move < y->move ? -1 : x->move > y->move;
}

size_t search_leaves_allowed(const SearchOptions *o, const SearchBudget *budget, uint64_t done) {
    uint64_t each = o->leaf_playouts, most = budget->playouts;
    uint64_t leaves = !most ? o->batch : done < most ? (most - done + each - 1) / each : 0;
    return leaves < o->batch ? (size_t)leaves : o->batch;
}

void search_list_legal(const Search *search, GameWork *work, const State *state,
                       SearchResult *result) {
    U32Vector legal = {0};
    game_legal(work, state, search->role, &legal);
    for (size_t i = 0; i < legal.count; i++)
        vector_push(&result->moves, ((SearchMove){.move = legal.items[i]}));
    vector_free(&legal);
}

SearchMove *search_find_move(const SearchResult *result, uint32_t move) {
    for (size_t i = 0; i < result->moves.count; i++)
        if (result->moves.items[i].move == move)
            return &result->moves.items[i];
    return NULL;
}

void search_put_first(SearchResult *result, uint32_t move) {
    SearchMove *found = search_find_move(result, move), *moves = result->moves.items;
    if (!found)
        return;
    SearchMove first = *found;
    memmove(moves + 1, moves, (size_t)(found - moves) * sizeof first);
    moves[0] = first;
}

bool search_knows_no_better(const SearchResult *result, double goal) {
    bool is_best_proven = false;
    for (size_t i = 0; i < result->moves.count; i++) {
        const SearchMove *move = &result->moves.items[i];
        if (move->is_proven && move->value > goal + 1e-6)
            return false;
        is_best_proven |= move->is_proven && move->move == result->best;
    }
    return result->is_decided && is_best_proven;
}

void search_sort_moves(SearchResult *result) {
    vector_sort(&result->moves, compare_moves);
    search_put_first(result, result->best);
}
