/* Searches with fixed parameters, against which later versions of `uct`, `grave` and `cfr` are
 * measured. The parameters are those of the literature (docs/how-it-works/searches.md), not the
 * best ones found here. The caller sets only seed and memory. */
#include "search/uct/uct.h"

enum {
    FROZEN_STEP_LIMIT = 10000,
    FROZEN_BATCH = 64,
    FROZEN_LEAF_PLAYOUTS = 8,
    FROZEN_HIDDEN_BATCH = 128,
    FROZEN_HIDDEN_LEAF_PLAYOUTS = 2,
    FROZEN_GRAVE_VISITS = 50,
};
static const double FROZEN_EXPLORATION = 0.7;
static const double NO_EXPLORATION = 1e-9; /* practically none; 0 would mean the default */
#define FROZEN_GRAVE_BIAS 1e-10

static Search *create(const SearchMethod *baseline, Game *game, uint32_t role,
                      const SearchOptions *given) {
    const SearchMethod *method = baseline == &baseline_grave_search ? &grave_search
                                 : baseline == &baseline_cfr_search ? &cfr_search
                                                                    : &uct_search;
    static const GraveOptions grave = {.bias = FROZEN_GRAVE_BIAS, .visits = FROZEN_GRAVE_VISITS};
    bool hides = game_hides(game), in_batches = game_has_circuit(game);
    SearchOptions frozen = {
        .seed = given->seed,
        .node_bytes = given->node_bytes,
        .threads = 1,
        .exploration = method == &grave_search ? NO_EXPLORATION : FROZEN_EXPLORATION,
        .batch = !in_batches ? 1 : (hides ? FROZEN_HIDDEN_BATCH : FROZEN_BATCH),
        .leaf_playouts =
            !in_batches ? 1 : (hides ? FROZEN_HIDDEN_LEAF_PLAYOUTS : FROZEN_LEAF_PLAYOUTS),
        .step_limit = FROZEN_STEP_LIMIT,
        .own = method == &grave_search ? &grave : NULL,
    };
    return given->threads > 1 ? NULL : method->create(method, game, role, &frozen);
}

static const SearchOption options[] = {SEARCH_OPTION_MEMORY, {0}};

/* The search that is created belongs to the frozen method: the other functions are never called. */
#define BASELINE(method)                                                                           \
    {                                                                                              \
        .name = "baseline-" method,                                                                \
        .summary =                                                                                 \
            method " with the parameters of the literature, never changed, to compare with",       \
        .options = options, .create = create                                                       \
    }

const SearchMethod baseline_uct_search = BASELINE("uct");
const SearchMethod baseline_grave_search = BASELINE("grave");
const SearchMethod baseline_cfr_search = BASELINE("cfr");
