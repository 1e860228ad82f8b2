/* Generalised rapid action value estimation (Cazenave 2015). A node with enough visits stores, for
 * every move, the mean result of matches in which the move was made at any time below the node (all
 * moves as first). This value is known long before the move itself was tried often. It guides the
 * choice in the node, and in the nodes below it until they store values of their own. */
#include "search/hidden/infouct.h"
#include "search/methods.h"
#include "search/uct/firstmoves.h"
#include "search/uct/uct.h"

typedef struct {
    GraveOptions options;
    uint32_t *seen; /* by move of the circuit: number of the match in which it was last seen */
    uint32_t match;
    U32Vector moves; /* moves of the match, each once, with their role */
} Grave;

static uint32_t move_count(const Uct *uct) {
    return game_has_circuit(uct->search.game) ? uct->search.game->circuit->move_count : 0;
}

static void open_grave(Uct *uct) {
    Grave *grave = memory_zalloc(sizeof *grave);
    grave->seen = memory_zalloc((move_count(uct) + 1) * sizeof *grave->seen);
    uct->own = grave;
}

static void close_grave(Uct *uct) {
    Grave *grave = uct->own;
    vector_free(&grave->moves);
    memory_free(grave->seen, grave);
}

static double bound(const UctWorker *w, uint32_t role, const Arm *arm, double log_visits) {
    const Uct *uct = w->uct;
    const Circuit *circuit = uct->search.game->circuit;
    const FirstMove *first = w->reference ? (const FirstMove *)w->reference->extra +
                                                circuit->first_move[role] + arm->move
                                          : NULL;
    const Grave *grave = uct->own;
    return firstmove_bound(first, arm->visits, arm->total, grave->options.bias,
                           uct->options.exploration, log_visits);
}

static void see(Uct *uct, uint32_t role, uint32_t move) {
    Grave *grave = uct->own;
    uint32_t number = uct->search.game->circuit->first_move[role] + move;
    if (grave->seen[number] == grave->match)
        return;
    grave->seen[number] = grave->match;
    vector_push(&grave->moves, number);
    vector_push(&grave->moves, role);
}

static void remember(Uct *uct, TreeNode *node, const double *values) {
    const Grave *grave = uct->own;
    if (node->visits < grave->options.visits)
        return;
    if (!node->extra && !tree_alloc_extra(&uct->tree, node, move_count(uct) * sizeof(FirstMove)))
        return;
    FirstMove *first = node->extra;
    for (size_t i = 0; i < grave->moves.count; i += 2)
        firstmove_learn(&first[grave->moves.items[i]], values[grave->moves.items[i + 1]]);
}

/* Walks from the end upwards: the moves played below a node are those seen before the walk reaches
 * it. */
static void learn(UctWorker *w, const UctLeaf *leaf, const double *values) {
    Uct *uct = w->uct;
    Grave *grave = uct->own;
    uint32_t roles = uct->search.game->role_count;
    if (!move_count(uct))
        return;
    grave->match++;
    vector_clear(&grave->moves);
    for (size_t i = 0; i < w->record.count; i++)
        see(uct, (uint32_t)(i % roles), w->record.items[i]);
    for (size_t i = leaf->path.nodes.count; i-- > 0;) {
        TreeNode *node = leaf->path.nodes.items[i];
        for (uint32_t r = 0; r < roles; r++)
            see(uct, r, tree_arms(node, r)[leaf->path.arms.items[i * roles + r]].move);
        remember(uct, node, values);
    }
}

static const UctHooks hooks = {
    .open = open_grave, .close = close_grave, .bound = bound, .learn = learn};
static Search *create(Game *game, uint32_t role, const SearchOptions *options) {
    if (game_hides(game))
        return infouct_create_grave(game, role, options);
    SearchOptions plain = *options;
    plain.own = NULL;
    Search *search = uct_create(&grave_search, &hooks, game, role, &plain);
    if (search)
        ((Grave *)((Uct *)search)->own)->options = grave_options(options);
    return search;
}

static const SearchOption options[] = {
    SEARCH_OPTION_C("0.4, of which a quarter is used"),
    SEARCH_OPTION_LEAF("1"),
    SEARCH_OPTION_BATCH("1"),
    SEARCH_OPTION_STEPS,
    SEARCH_OPTION_MEMORY("1024"),
    SEARCH_OPTIONS_THREADS,
    {"ref", VALUE_SMALL, COUNT_RANGE("50", UINT32_MAX),
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
    .free = uct_free,
    .set_state = uct_set_state,
    .advance = uct_advance,
    .run = uct_run,
    .result = uct_result};
