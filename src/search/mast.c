/* The move-average sampling technique (Bjornsson and Finnsson 2009): a move is worth the same
 * wherever it is played, so play-outs prefer moves with a good average over all matches so far.
 * They are drawn by a Gibbs distribution; play-outs are made one by one, since lanes choose
 * uniformly. */
#include <math.h>

#include "search/uct.h"

static const double TEMPERATURE = 0.1; /* values are 0..1 */

typedef struct {
    double total, weight; /* weight = exp(mean / TEMPERATURE) */
    uint64_t count;
} MoveAverage;

typedef struct {
    VECTOR(MoveAverage) moves;
} RoleAverages;

static void open_mast(Uct *uct) {
    uct->own = memory_zalloc((uct->search.game->role_count + 1) * sizeof(RoleAverages));
}

static void close_mast(Uct *uct) {
    RoleAverages *roles = uct->own;
    for (uint32_t r = 0; r < uct->search.game->role_count; r++)
        vector_free(&roles[r].moves);
    free(roles);
}

/* A move that was never played counts as a good one, so that it is tried. */
static MoveAverage *average_of(Uct *uct, uint32_t role, uint32_t move) {
    RoleAverages *averages = (RoleAverages *)uct->own + role;
    while (averages->moves.count <= move) {
        MoveAverage fresh = {.weight = exp(1 / TEMPERATURE)};
        vector_push(&averages->moves, fresh);
    }
    return &averages->moves.items[move];
}

static size_t choose(UctWorker *w, uint32_t role, const U32Vector *legal) {
    Uct *uct = w->uct;
    double sum = 0;
    if (legal->count == 1)
        return 0;
    for (size_t i = 0; i < legal->count; i++)
        sum += average_of(uct, role, legal->items[i])->weight;
    double left = random_double(&w->random) * sum;
    for (size_t i = 0; i + 1 < legal->count; i++) {
        left -= average_of(uct, role, legal->items[i])->weight;
        if (left < 0)
            return i;
    }
    return legal->count - 1;
}

static void learn_move(Uct *uct, uint32_t role, uint32_t move, double value) {
    MoveAverage *average = average_of(uct, role, move);
    average->total += value;
    average->count++;
    average->weight = exp(average->total / (double)average->count / TEMPERATURE);
}

static void learn(UctWorker *w, const UctLeaf *leaf, const double *values) {
    Uct *uct = w->uct;
    uint32_t roles = uct->search.game->role_count;
    for (size_t i = 0; i < leaf->path.arms.count; i++) {
        uint32_t role = (uint32_t)(i % roles);
        const TreeNode *node = leaf->path.nodes.items[i / roles];
        learn_move(uct, role, tree_arms(node, role)[leaf->path.arms.items[i]].move, values[role]);
    }
    for (size_t i = 0; i < w->record.count; i++)
        learn_move(uct, (uint32_t)(i % roles), w->record.items[i], values[i % roles]);
}

static const UctHooks hooks = {
    .open = open_mast, .close = close_mast, .choose = choose, .learn = learn};
extern const SearchMethod mast_search;

static Search *create(Game *game, uint32_t role, const SearchOptions *options) {
    return uct_create(&mast_search, &hooks, game, role, options);
}

const SearchMethod mast_search = {.name = "mast",
                                  .summary = "uct with play-outs that prefer good moves",
                                  .create = create,
                                  .free = uct_free,
                                  .set_state = uct_set_state,
                                  .advance = uct_advance,
                                  .run = uct_run,
                                  .result = uct_result};
