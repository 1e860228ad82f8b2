/* `mast` for hidden information: playouts prefer moves with good average results (averages.h). */
#include "search/hidden/infouct.h"
#include "search/uct/averages.h"

static void open_mast(InfoUct *u) {
    u->own = memory_zalloc((u->search.game->role_count + 1) * sizeof(RoleAverages));
}

static void close_mast(InfoUct *u) {
    averages_free(u->own, u->search.game->role_count);
    free(u->own);
}

static size_t choose(InfoUct *u, uint32_t role, const U32Vector *legal) {
    return averages_draw((RoleAverages *)u->own + role, legal, &u->random);
}

static void learn(InfoUct *u, const InfoLeaf *leaf, const double *values) {
    RoleAverages *roles = u->own;
    uint32_t role_count = u->search.game->role_count;
    for (size_t i = 0; i < leaf->steps.count; i++) {
        const InfoSet *set = leaf->steps.items[i].set;
        averages_learn(&roles[set->role], set->arms[leaf->steps.items[i].arm].move,
                       values[set->role]);
    }
    for (size_t i = 0; i < u->record.count; i++)
        averages_learn(&roles[i % role_count], u->record.items[i], values[i % role_count]);
}

static const InfoHooks hooks = {
    .open = open_mast, .close = close_mast, .choose = choose, .learn = learn};
static const SearchMethod hidden_mast = {.name = "mast",
                                         .free = infouct_free,
                                         .set_belief = infouct_set_belief,
                                         .run = infouct_run,
                                         .result = infouct_result};

Search *infouct_create_mast(Game *game, uint32_t role, const SearchOptions *options) {
    return infouct_create(&hidden_mast, &hooks, game, role, options);
}
