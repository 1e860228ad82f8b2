/* The move-average sampling technique (Björnsson and Finnsson 2009). A move is assumed to be worth
 * the same everywhere: playouts prefer moves with a good average over all matches, drawn by a Gibbs
 * distribution. Playouts are made one by one, since batches choose uniformly. */
#include <assert.h>
#include <math.h>

#include "search/hidden/infouct.h"
#include "search/uct/uct.h"

typedef struct {
    double total, weight; /* weight in the Gibbs distribution: exp(mean / temperature) */
    uint64_t count;
} MoveAverage;

typedef VECTOR(MoveAverage) RoleAverages; /* by move of the role */

static const double TEMPERATURE = 0.1; /* Gibbs temperature for values 0..1 (untuned) */

static void *open_mast(const Search *search, const SearchOptions *options) {
    (void)options;
    return memory_zalloc((search->game->role_count + 1) * sizeof(RoleAverages));
}

static void close_mast(void *own, const Search *search) {
    RoleAverages *roles = own;
    for (uint32_t r = 0; r < search->game->role_count; r++)
        vector_free(&roles[r]);
    free(roles);
}

/* A move that was never played starts with a good average, so that it is tried. */
static MoveAverage *average_of(RoleAverages *role, uint32_t move) {
    while (role->count <= move)
        vector_push(role, ((MoveAverage){.weight = exp(1 / TEMPERATURE)}));
    return &role->items[move];
}

/* Draws an index into the legal moves of a role; there must be one. */
static size_t averages_draw(RoleAverages *role, const U32Vector *legal, Random *random) {
    double sum = 0;
    assert(legal->count > 0);
    if (legal->count == 1)
        return 0;
    for (size_t i = 0; i < legal->count; i++)
        sum += average_of(role, legal->items[i])->weight;
    double left = random_double(random) * sum;
    for (size_t i = 0; i + 1 < legal->count; i++) {
        left -= average_of(role, legal->items[i])->weight;
        if (left < 0)
            return i;
    }
    return legal->count - 1;
}

/* Adds a playout in which the role made the move and got the value, 0..1. */
static void averages_learn(RoleAverages *role, uint32_t move, double value) {
    MoveAverage *average = average_of(role, move);
    average->total += value;
    average->count++;
    average->weight = exp(average->total / (double)average->count / TEMPERATURE);
}

/* Adds all moves of a playout: joint moves, role after role, and the values by role. */
static void averages_learn_playout(RoleAverages *roles, uint32_t role_count,
                                   const U32Vector *record, const double *values) {
    for (size_t i = 0; i < record->count; i++)
        averages_learn(&roles[i % role_count], record->items[i], values[i % role_count]);
}

/* ---- without hidden information ---- */

static size_t choose(UctWorker *w, uint32_t role, const U32Vector *legal) {
    return averages_draw((RoleAverages *)w->uct->own + role, legal, &w->random);
}

static void learn(UctWorker *w, const UctLeaf *leaf, const double *values) {
    RoleAverages *averages = w->uct->own;
    uint32_t roles = w->uct->search.game->role_count;
    for (size_t i = 0; i < leaf->path.arms.count; i++) {
        uint32_t role = (uint32_t)(i % roles);
        const TreeNode *node = leaf->path.nodes.items[i / roles];
        averages_learn(&averages[role], tree_arms(node, role)[leaf->path.arms.items[i]].move,
                       values[role]);
    }
    averages_learn_playout(averages, roles, &w->record, values);
}

static const UctHooks hooks = {
    .open = open_mast, .close = close_mast, .choose = choose, .learn = learn};

/* ---- with hidden information ---- */

static size_t choose_hidden(InfoUct *u, uint32_t role, const U32Vector *legal) {
    return averages_draw((RoleAverages *)u->own + role, legal, &u->random);
}

static void learn_hidden(InfoUct *u, const InfoLeaf *leaf, const double *values) {
    RoleAverages *averages = u->own;
    for (size_t i = 0; i < leaf->steps.count; i++) {
        const InfoSet *set = leaf->steps.items[i].set;
        averages_learn(&averages[set->role], set->arms[leaf->steps.items[i].arm].move,
                       values[set->role]);
    }
    averages_learn_playout(averages, u->search.game->role_count, &u->record, values);
}

static const InfoHooks hidden_hooks = {
    .open = open_mast, .close = close_mast, .choose = choose_hidden, .learn = learn_hidden};
static const SearchMethod hidden_mast = INFOUCT_METHOD("mast");

static Search *create(const SearchMethod *method, Game *game, uint32_t role,
                      const SearchOptions *options) {
    return game_hides(game) ? infouct_create(&hidden_mast, &hidden_hooks, game, role, options)
                            : uct_create(method, &hooks, game, role, options);
}

static const SearchOption options[] = {SEARCH_OPTION_C("0.4"),
                                       SEARCH_OPTION_LEAF("1"),
                                       SEARCH_OPTION_BATCH("1"),
                                       SEARCH_OPTIONS_COMMON,
                                       {0}};

const SearchMethod mast_search = {.name = "mast",
                                  .summary =
                                      "uct with playouts that prefer moves of good average results",
                                  .options = options,
                                  .takes_evaluation = true,
                                  .create = create,
                                  UCT_FUNCTIONS};
