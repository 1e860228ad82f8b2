/* Generalised rapid action value estimation (Cazenave 2015). A node with enough visits stores, for
 * every move, the mean result of matches in which the move was made at any time below the node (all
 * moves as first). This value is known long before the move itself was tried often. It guides the
 * choice in the node, and in the nodes below it until they store values of their own. With hidden
 * information, the nodes are the information sets of the role that moves. */
#include <math.h>

#include "search/hidden/infouct.h"
#include "search/uct/uct.h"

enum { GRAVE_VISITS = 50 };             /* Cazenave 2015 */
static const double GRAVE_BIAS = 1e-3;  /* measured: docs/results/searches.md */
static const double LEFT_OF_UCT = 0.25; /* share of UCT's exploration that is left (untuned) */

typedef struct {
    float total;
    uint32_t count;
} FirstMove;

static void firstmove_learn(FirstMove *first, double value) {
    first->total += (float)value;
    first->count++;
}

/* Returns the own options with defaults filled in. */
static GraveOptions grave_options(const SearchOptions *given) {
    GraveOptions own;
    search_own_options(given, &own, sizeof own);
    return (GraveOptions){.bias = own.bias > 0 ? own.bias : GRAVE_BIAS,
                          .visits = own.visits ? own.visits : GRAVE_VISITS};
}

/* The means are weighted by their expected squared errors (Gelly and Silver 2011). */
static double firstmove_bound(const FirstMove *first, double visits, double total, double bias,
                              double exploration, double log_visits) {
    double mean = visits > 0 ? total / visits : 0;
    if (first && first->count) {
        double count = first->count;
        double weight = count / (count + visits + bias * count * visits);
        mean = (1 - weight) * mean + weight * (double)first->total / count;
    } else if (visits <= 0) {
        return INFINITY;
    }
    return mean + LEFT_OF_UCT * exploration * sqrt(log_visits / (visits + 1));
}

typedef struct {
    GraveOptions options;
    uint32_t *seen; /* by move of the circuit: number of the match in which it was last seen */
    uint32_t match;
    U32Vector moves; /* moves of the match, each once, with their role */
} Grave;

static uint32_t move_count(const Game *game) {
    return game_has_circuit(game) ? game->circuit->move_count : 0;
}

static void *open_grave(const Search *search, const SearchOptions *options) {
    Grave *grave = memory_zalloc(sizeof *grave);
    grave->options = grave_options(options);
    grave->seen = memory_zalloc((move_count(search->game) + 1) * sizeof *grave->seen);
    return grave;
}

static void close_grave(void *own, const Search *search) {
    Grave *grave = own;
    (void)search;
    vector_free(&grave->moves);
    memory_free(grave->seen, grave);
}

static void see(Grave *grave, const Game *game, uint32_t role, uint32_t move) {
    uint32_t number = game->circuit->first_move[role] + move;
    if (grave->seen[number] == grave->match)
        return;
    grave->seen[number] = grave->match;
    vector_push(&grave->moves, number);
    vector_push(&grave->moves, role);
}

/* Begins with the moves of a playout. The caller adds those of its path from the end upwards: the
 * moves played below a node are those seen before the walk reaches it. */
static void see_playout(Grave *grave, const Game *game, const U32Vector *record) {
    grave->match++;
    vector_clear(&grave->moves);
    for (size_t i = 0; i < record->count; i++)
        see(grave, game, (uint32_t)(i % game->role_count), record->items[i]);
}

/* ---- without hidden information ---- */

static double bound(const UctWorker *w, uint32_t role, const Arm *arm, double log_visits) {
    const Uct *uct = w->uct;
    const FirstMove *first = w->reference ? w->reference->extra : NULL;
    const Grave *grave = uct->own;
    if (first)
        first += uct->search.game->circuit->first_move[role] + arm->move;
    return firstmove_bound(first, arm->visits, arm->total, grave->options.bias,
                           uct->options.exploration, log_visits);
}

static void remember(Uct *uct, TreeNode *node, const double *values) {
    const Grave *grave = uct->own;
    size_t bytes = move_count(uct->search.game) * sizeof(FirstMove);
    if (node->visits < grave->options.visits ||
        (!node->extra && !tree_alloc_extra(&uct->tree, node, bytes)))
        return;
    FirstMove *first = node->extra;
    for (size_t i = 0; i < grave->moves.count; i += 2)
        firstmove_learn(&first[grave->moves.items[i]], values[grave->moves.items[i + 1]]);
}

static void learn(UctWorker *w, const UctLeaf *leaf, const double *values) {
    Uct *uct = w->uct;
    const Game *game = uct->search.game;
    uint32_t roles = game->role_count;
    if (!move_count(game))
        return;
    see_playout(uct->own, game, &w->record);
    for (size_t i = leaf->path.nodes.count; i-- > 0;) {
        TreeNode *node = leaf->path.nodes.items[i];
        for (uint32_t r = 0; r < roles; r++)
            see(uct->own, game, r, tree_arms(node, r)[leaf->path.arms.items[i * roles + r]].move);
        remember(uct, node, values);
    }
}

static const UctHooks hooks = {.open = open_grave,
                               .close = close_grave,
                               .has_own_options = true,
                               .bound = bound,
                               .learn = learn};

/* ---- with hidden information ---- */

static double bound_hidden(const InfoUct *u, const InfoSet *set, const InfoArm *arm,
                           double log_visits) {
    const InfoSet *reference = u->reference[set->role];
    const FirstMove *first = reference ? (const FirstMove *)reference->extra + arm->move : NULL;
    const Grave *grave = u->own;
    return firstmove_bound(first, (double)arm->visits, arm->total, grave->options.bias,
                           u->options.exploration, log_visits);
}

/* A set remembers the moves of its own role only. */
static void remember_hidden(InfoUct *u, InfoSet *set, double value) {
    const Grave *grave = u->own;
    const uint32_t *first_move = u->search.game->circuit->first_move + set->role;
    size_t bytes = (first_move[1] - first_move[0]) * sizeof(FirstMove);
    if (set->visits < grave->options.visits ||
        (!set->extra && !infosets_alloc_extra(&u->sets, set, bytes)))
        return;
    FirstMove *first = set->extra;
    for (size_t i = 0; i < grave->moves.count; i += 2)
        if (grave->moves.items[i + 1] == set->role)
            firstmove_learn(&first[grave->moves.items[i] - first_move[0]], value);
}

static void learn_hidden(InfoUct *u, const InfoLeaf *leaf, const double *values) {
    const Game *game = u->search.game;
    if (!move_count(game))
        return;
    see_playout(u->own, game, &u->record);
    for (size_t i = leaf->steps.count; i-- > 0;) {
        InfoSet *set = leaf->steps.items[i].set;
        see(u->own, game, set->role, set->arms[leaf->steps.items[i].arm].move);
        remember_hidden(u, set, values[set->role]);
    }
}

static const InfoHooks hidden_hooks = {
    .open = open_grave, .close = close_grave, .bound = bound_hidden, .learn = learn_hidden};
static const SearchMethod hidden_grave = INFOUCT_METHOD("grave");

/* ---- the method ---- */

static Search *create(const SearchMethod *method, Game *game, uint32_t role,
                      const SearchOptions *options) {
    return game_hides(game) ? infouct_create(&hidden_grave, &hidden_hooks, game, role, options)
                            : uct_create(method, &hooks, game, role, options);
}

static const SearchOption options[] = {
    SEARCH_OPTION_C("0.4, of which a quarter is used"),
    SEARCH_OPTION_LEAF("1"),
    SEARCH_OPTION_BATCH("1"),
    SEARCH_OPTIONS_COMMON,
    {"ref", VALUE_UINT32, COUNT_RANGE("50", UINT32_MAX),
     "visits of a node before its memory of moves is used", OWN_FIELD(GraveOptions, visits)},
    {"rave", VALUE_REAL, "0.001", 0, 1000, NULL, "how soon a move's own mean takes over",
     OWN_FIELD(GraveOptions, bias)},
    {0}};

const SearchMethod grave_search = {
    .name = "grave",
    .summary = "uct guided by the results of moves made anywhere below a node",
    .options = options,
    .own_size = sizeof(GraveOptions),
    .takes_evaluation = true,
    .create = create,
    UCT_FUNCTIONS};
