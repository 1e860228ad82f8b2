/* The move-average sampling technique (Björnsson and Finnsson 2009). A move is assumed to be worth
 * the same wherever it is played, so playouts prefer moves with a good average over all matches so
 * far, drawn by a Gibbs distribution. Playouts are made one by one, since the lanes of a batch
 * choose uniformly. */
#include "search/hidden/infouct.h"
#include "search/methods.h"
#include "search/uct/averages.h"
#include "search/uct/uct.h"

static void open_mast(Uct *uct) {
    uct->own = memory_zalloc((uct->search.game->role_count + 1) * sizeof(RoleAverages));
}

static void close_mast(Uct *uct) {
    averages_free(uct->own, uct->search.game->role_count);
    free(uct->own);
}

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
    for (size_t i = 0; i < w->record.count; i++)
        averages_learn(&averages[i % roles], w->record.items[i], values[i % roles]);
}

static const UctHooks hooks = {
    .open = open_mast, .close = close_mast, .choose = choose, .learn = learn};
static Search *create(Game *game, uint32_t role, const SearchOptions *options) {
    if (game_hides(game))
        return infouct_create_mast(game, role, options);
    return uct_create(&mast_search, &hooks, game, role, options);
}

static const SearchOption options[] = {SEARCH_OPTION_C("0.4"),
                                       SEARCH_OPTION_LEAF("1"),
                                       SEARCH_OPTION_BATCH("1"),
                                       SEARCH_OPTION_STEPS,
                                       SEARCH_OPTION_MEMORY("1024"),
                                       SEARCH_OPTIONS_THREADS,
                                       {0}};

const SearchMethod mast_search = {.name = "mast",
                                  .summary =
                                      "uct with playouts that prefer moves of good average results",
                                  .options = options,
                                  .takes_evaluation = true,
                                  .create = create,
                                  .free = uct_free,
                                  .set_state = uct_set_state,
                                  .advance = uct_advance,
                                  .run = uct_run,
                                  .result = uct_result};
