/* The move-average sampling technique (Björnsson and Finnsson 2009). A move is assumed to be
 * worth the same wherever it is played, so playouts prefer moves with a good average over all
 * matches so far, drawn by a Gibbs distribution. Playouts are made one by one, since batches
 * choose uniformly. */
#include "search/hidden/infouct.h"
#include "search/uct/averages.h"
#include "search/uct/uct.h"

static void open_mast(Uct *uct) {
    uct->own = averages_create(uct->search.game->role_count);
}

static void close_mast(Uct *uct) {
    averages_free(uct->own, uct->search.game->role_count);
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
    averages_learn_playout(averages, roles, &w->record, values);
}

static const UctHooks hooks = {
    .open = open_mast, .close = close_mast, .choose = choose, .learn = learn};

/* ---- with hidden information ---- */

static void open_hidden(InfoUct *u) {
    u->own = averages_create(u->search.game->role_count);
}

static void close_hidden(InfoUct *u) {
    averages_free(u->own, u->search.game->role_count);
}

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
    .open = open_hidden, .close = close_hidden, .choose = choose_hidden, .learn = learn_hidden};
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
