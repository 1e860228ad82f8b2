/* Searches to compare with, whose parameters never change: what later versions of `uct`, `grave`
 * and `cfr` gain or lose is seen against these. They are those of the literature
 * (docs/how-it-works/searches.md), not what was found best here. Seeds and the memory for nodes are
 * the caller's. */
#include "search/methods.h"
#include "search/search.h"

enum {
    FROZEN_STEP_LIMIT = 10000,
    FROZEN_BATCH = 64,
    FROZEN_LEAF_PLAYOUTS = 8,
    FROZEN_HIDDEN_BATCH = 128,
    FROZEN_HIDDEN_LEAF_PLAYOUTS = 2,
    FROZEN_GRAVE_VISITS = 50,
};
static const double FROZEN_EXPLORATION = 0.7;
static const double NO_EXPLORATION = 1e-9; /* 0 would stand for the default */
static const double FROZEN_GRAVE_BIAS = 1e-10;

static Search *create_frozen(const char *method, double exploration, Game *game, uint32_t role,
                             const SearchOptions *given) {
    bool hides = game_hides(game), in_batches = game_has_circuit(game);
    SearchOptions frozen = {
        .seed = given->seed,
        .node_bytes = given->node_bytes,
        .threads = 1,
        .exploration = exploration,
        .batch = !in_batches ? 1 : (hides ? FROZEN_HIDDEN_BATCH : FROZEN_BATCH),
        .leaf_playouts =
            !in_batches ? 1 : (hides ? FROZEN_HIDDEN_LEAF_PLAYOUTS : FROZEN_LEAF_PLAYOUTS),
        .step_limit = FROZEN_STEP_LIMIT,
        .grave_bias = FROZEN_GRAVE_BIAS,
        .grave_visits = FROZEN_GRAVE_VISITS,
    };
    return given->threads > 1 ? NULL : search_method(method)->create(game, role, &frozen);
}

static Search *create_uct(Game *game, uint32_t role, const SearchOptions *options) {
    return create_frozen("uct", FROZEN_EXPLORATION, game, role, options);
}

static Search *create_grave(Game *game, uint32_t role, const SearchOptions *options) {
    return create_frozen("grave", NO_EXPLORATION, game, role, options);
}

static Search *create_cfr(Game *game, uint32_t role, const SearchOptions *options) {
    return create_frozen("cfr", FROZEN_EXPLORATION, game, role, options);
}

/* The search that is made is one of the method it freezes: the other functions are never called. */
const SearchMethod baseline_uct_search = {
    .name = "baseline-uct", .summary = "uct to compare with, never changed", .create = create_uct};
const SearchMethod baseline_grave_search = {.name = "baseline-grave",
                                            .summary = "grave to compare with, never changed",
                                            .create = create_grave};
const SearchMethod baseline_cfr_search = {
    .name = "baseline-cfr", .summary = "cfr to compare with, never changed", .create = create_cfr};
