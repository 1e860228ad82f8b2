/* Root parallelism (Chaslot et al. 2008): one tree per thread, grown with its own random numbers.
 * The statistics of the roots are added up whenever the result is asked for, and a merge rule
 * chooses the best move. This works for every method that counts visits. After a move each tree
 * goes on from its own node. A tree that has proven its root ends the run of all others; therefore
 * only the first tree tries to solve the game by other means (skips_sums). */
#include <assert.h>
#include <stdlib.h>

#include "base/pool.h"
#include "search/search.h"

typedef struct {
    Search search;
    Pool *pool; /* NULL if no threads are available: the trees grow one after the other */
    Search **trees;
    uint32_t tree_count;
    RootMerge merge;
    const SearchBudget *budget; /* budget of the run in progress */
    bool is_prepared;           /* the trees are prepared, not run */
    double seconds;             /* CPU seconds per tree to prepare */
    bool is_over;               /* atomic: some tree is decided, so all runs end */
} Root;

static const SearchMethod root_search;

Search *search_create_root(const SearchMethod *method, Game *game, uint32_t role,
                           const SearchOptions *options) {
    assert(options->threads > 1 && options->threads <= SEARCH_MAX_THREADS);
    Root *root = search_instance(&root_search, game, role, sizeof *root);
    root->merge = options->merge;
    root->trees = memory_zalloc(options->threads * sizeof(Search *));
    for (uint32_t i = 0; i < options->threads; i++) {
        SearchOptions own = *options;
        own.threads = 1;
        own.skips_sums = own.skips_sums || i > 0;
        own.seed = search_seed_of_thread(options->seed, i);
        own.node_bytes = search_defaults(options).node_bytes / options->threads;
        root->trees[i] = method->create(method, game, role, &own);
        if (!root->trees[i]) {
            search_free(&root->search);
            return NULL;
        }
        root->tree_count++;
    }
    root->pool = pool_create(options->threads);
    return &root->search;
}

static void root_free(Search *search) {
    Root *root = (Root *)search;
    pool_free(root->pool);
    for (uint32_t i = 0; i < root->tree_count; i++)
        search_free(root->trees[i]);
    memory_free(root->trees, root);
}

static void root_set_state(Search *search, const State *state) {
    const Root *root = (Root *)search;
    for (uint32_t i = 0; i < root->tree_count; i++)
        search_set_state(root->trees[i], state);
}

static void root_advance(Search *search, const uint32_t *joint, const State *next) {
    const Root *root = (Root *)search;
    for (uint32_t i = 0; i < root->tree_count; i++)
        search_advance(root->trees[i], joint, next);
}

static void root_set_belief(Search *search, const Belief *belief) {
    const Root *root = (Root *)search;
    for (uint32_t i = 0; i < root->tree_count; i++)
        search_set_belief(root->trees[i], belief);
}

static void root_model(const Search *search, BeliefModel *model) {
    *model = search_model(((const Root *)search)->trees[0]);
}

/* Runs or prepares one tree with its share of the budget, if there is anything left for it. */
static void grow_tree(void *context, size_t number, unsigned thread) {
    Root *root = context;
    SearchResult result = {0};
    SearchBudget own = *root->budget;
    uint64_t all = own.playouts;
    (void)thread;
    own.outer_stopped = &root->is_over;
    own.playouts = all / root->tree_count + (number < all % root->tree_count);
    if (root->is_prepared && (own.playouts || !all))
        search_prepare(root->trees[number], &own, root->seconds);
    else if (own.playouts || !all)
        search_run(root->trees[number], &own);
    search_result(root->trees[number], &result);
    if (result.is_decided || (!root->is_prepared && !result.moves.count))
        __atomic_store_n(&root->is_over, true, __ATOMIC_RELAXED);
    search_result_free(&result);
}

static void grow_trees(Root *root, const SearchBudget *budget, bool is_prepared) {
    root->budget = budget;
    root->is_prepared = is_prepared;
    root->is_over = false;
    if (root->pool)
        pool_run(root->pool, root->tree_count, grow_tree, root);
    else
        for (uint32_t i = 0; i < root->tree_count; i++)
            grow_tree(root, i, 0);
}

static void root_run(Search *search, const SearchBudget *budget) {
    grow_trees((Root *)search, budget, false);
}

/* With a pool, each tree has all the seconds, since they run at the same time. */
static void root_prepare(Search *search, const SearchBudget *budget, double seconds) {
    Root *root = (Root *)search;
    if (!root->trees[0]->method->prepare)
        return;
    root->seconds = root->pool ? seconds : seconds / root->tree_count;
    grow_trees(root, budget, true);
}

/* Adds the statistics of a move. A proof is valid whatever the other trees expect. */
static void add_move(SearchMove *sum, const SearchMove *move) {
    uint64_t visits = sum->visits + move->visits;
    if (move->is_proven && !sum->is_proven)
        sum->value = move->value;
    else if (!sum->is_proven && visits)
        sum->value = (sum->value * (double)sum->visits + move->value * (double)move->visits) /
                     (double)visits;
    sum->visits = visits;
    sum->is_proven = sum->is_proven || move->is_proven;
}

/* Adds a tree's result. A tree that has not run yet may list moves that the others have merged. */
static void add_result(SearchResult *sum, const SearchResult *tree) {
    for (size_t i = 0; i < tree->moves.count; i++) {
        const SearchMove *move = &tree->moves.items[i];
        SearchMove *known = search_find_move(sum, move->move);
        if (known)
            add_move(known, move);
        else
            vector_push(&sum->moves, *move);
    }
    sum->is_decided = sum->is_decided || tree->is_decided;
    sum->playouts += tree->playouts;
    sum->nodes += tree->nodes;
    sum->depth = tree->depth > sum->depth ? tree->depth : sum->depth;
    sum->cpu_seconds += tree->cpu_seconds;
}

/* Sums the visits of a move over the trees that have it among their ten most visited moves. */
static uint64_t visits_among_ten(const SearchResult *results, size_t count, uint32_t number) {
    enum { TEN = 10 };
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const SearchMove *move = search_find_move(&results[i], number);
        size_t above = 0;
        for (size_t k = 0; move && k < results[i].moves.count; k++)
            above += results[i].moves.items[k].visits > move->visits;
        sum += move && above < TEN ? move->visits : 0;
    }
    return sum;
}

/* The weight of an unproven move by the merge rule; the move with the highest weight wins. */
static double weight_of(const SearchResult *results, size_t count, RootMerge merge,
                        const SearchMove *move) {
    double best = -1, votes = 0;
    for (size_t i = 0; i < count; i++) {
        const SearchMove *own = search_find_move(&results[i], move->move);
        if (results[i].best != move->move || !own)
            continue;
        votes++;
        best = own->value > best ? own->value : best;
    }
    switch (merge) {
    case MERGE_SUM10:
        return (double)visits_among_ten(results, count, move->move);
    case MERGE_BEST:
        return best;
    case MERGE_RAW:
        return move->visits ? move->value : -1;
    case MERGE_VOTE:
        return votes;
    case MERGE_SUM:
        break;
    }
    return (double)move->visits;
}

/* The best proven move if it is worth at least the unproven move of the greatest weight, or if the
 * sum is decided; else that unproven move. */
static uint32_t best_move(const SearchResult *results, size_t count, RootMerge merge,
                          const SearchResult *sum) {
    const SearchMove *proven = NULL, *chosen = NULL;
    double most = 0;
    for (size_t i = 0; i < sum->moves.count; i++) {
        const SearchMove *move = &sum->moves.items[i];
        if (move->is_proven) {
            if (!proven || move->value > proven->value)
                proven = move;
            continue;
        }
        double weight = weight_of(results, count, merge, move);
        if (!chosen || weight > most || (weight == most && move->visits > chosen->visits)) {
            chosen = move;
            most = weight;
        }
    }
    if (proven && chosen && !sum->is_decided)
        return (proven->value >= chosen->value ? proven : chosen)->move;
    return proven ? proven->move : chosen ? chosen->move : MOVE_NONE;
}

/* The principal variation of a result with this best move, preferably of a decided one. */
static const U32Vector *line_of(const SearchResult *results, size_t count, uint32_t best) {
    const SearchResult *found = NULL;
    for (size_t i = 0; i < count; i++)
        if (results[i].best == best && (!found || (results[i].is_decided && !found->is_decided)))
            found = &results[i];
    return found ? &found->line : &results[0].line;
}

void search_add_results(const SearchResult *results, size_t count, bool is_mixed, RootMerge merge,
                        SearchResult *sum) {
    assert(count > 0);
    const SearchResult *first = &results[0];
    uint64_t visits = 0;
    search_result_free(sum);
    sum->best = first->best;
    for (size_t i = 0; i < count; i++)
        add_result(sum, &results[i]);
    for (size_t i = 0; i < sum->moves.count; i++)
        visits += sum->moves.items[i].visits;
    /* with a mixture, the move that the first tree drew is kept */
    if ((visits || sum->is_decided) && !is_mixed)
        sum->best = best_move(results, count, merge, sum);
    u32_copy(&sum->line, line_of(results, count, sum->best));
    search_sort_moves(sum);
}

static void root_result(Search *search, SearchResult *result) {
    const Root *root = (Root *)search;
    SearchResult *results = memory_zalloc(root->tree_count * sizeof *results);
    for (uint32_t i = 0; i < root->tree_count; i++)
        search_result(root->trees[i], &results[i]);
    search_add_results(results, root->tree_count, root->trees[0]->method->is_mixed, root->merge,
                       result);
    for (uint32_t i = 0; i < root->tree_count; i++)
        search_result_free(&results[i]);
    free(results);
}

static const SearchMethod root_search = {.name = "root",
                                         .summary = "several trees, added up at their roots",
                                         .free = root_free,
                                         .set_state = root_set_state,
                                         .advance = root_advance,
                                         .prepare = root_prepare,
                                         .run = root_run,
                                         .result = root_result,
                                         .set_belief = root_set_belief,
                                         .model = root_model};
