/* `grave` for hidden information. An information set with enough visits stores the mean result of
 * matches in which its role made a move at any later time. These means guide the role there and in
 * its later sets, until those store means of their own. */
#include "search/hidden/infouct.h"
#include "search/uct/firstmoves.h"

typedef struct {
    GraveOptions options;
    uint32_t *seen; /* by move of the circuit: number of the match in which it was last seen */
    uint32_t match;
    U32Vector *moves; /* by role: its moves in the match, each once */
} Grave;

static uint32_t moves_of(const InfoUct *u, uint32_t role) {
    const Circuit *c = u->search.game->circuit;
    return c->first_move[role + 1] - c->first_move[role];
}

static void open_grave(InfoUct *u) {
    Grave *grave = memory_zalloc(sizeof *grave);
    const Circuit *c = u->search.game->circuit;
    grave->seen = memory_zalloc(((c ? c->move_count : 0) + 1) * sizeof *grave->seen);
    grave->moves = memory_zalloc((u->search.game->role_count + 1) * sizeof *grave->moves);
    u->own = grave;
}

static void close_grave(InfoUct *u) {
    Grave *grave = u->own;
    for (uint32_t r = 0; r < u->search.game->role_count; r++)
        vector_free(&grave->moves[r]);
    memory_free(grave->moves, grave->seen, grave);
}

static double bound(const InfoUct *u, const InfoSet *set, const InfoArm *arm, double log_visits) {
    const InfoSet *reference = u->reference[set->role];
    const FirstMove *first = reference ? (const FirstMove *)reference->extra + arm->move : NULL;
    const Grave *grave = u->own;
    return firstmove_bound(first, (double)arm->visits, arm->total, grave->options.bias,
                           u->options.exploration, log_visits);
}

static void see(InfoUct *u, uint32_t role, uint32_t move) {
    Grave *grave = u->own;
    uint32_t number = u->search.game->circuit->first_move[role] + move;
    if (grave->seen[number] == grave->match)
        return;
    grave->seen[number] = grave->match;
    vector_push(&grave->moves[role], move);
}

static void remember(InfoUct *u, InfoSet *set, double value) {
    const Grave *grave = u->own;
    const U32Vector *moves = &grave->moves[set->role];
    size_t bytes = moves_of(u, set->role) * sizeof(FirstMove);
    if (set->visits < grave->options.visits ||
        (!set->extra && !infosets_alloc_extra(&u->sets, set, bytes)))
        return;
    FirstMove *first = set->extra;
    for (size_t i = 0; i < moves->count; i++)
        firstmove_learn(&first[moves->items[i]], value);
}

/* Walks from the end upwards: the moves played after a decision are those seen before the walk
 * reaches it. */
static void learn(InfoUct *u, const InfoLeaf *leaf, const double *values) {
    Grave *grave = u->own;
    uint32_t roles = u->search.game->role_count;
    if (!game_has_circuit(u->search.game))
        return;
    grave->match++;
    for (uint32_t r = 0; r < roles; r++)
        vector_clear(&grave->moves[r]);
    for (size_t i = 0; i < u->record.count; i++)
        see(u, (uint32_t)(i % roles), u->record.items[i]);
    for (size_t i = leaf->steps.count; i-- > 0;) {
        InfoSet *set = leaf->steps.items[i].set;
        see(u, set->role, set->arms[leaf->steps.items[i].arm].move);
        remember(u, set, values[set->role]);
    }
}

static const InfoHooks hooks = {
    .open = open_grave, .close = close_grave, .bound = bound, .learn = learn};
static const SearchMethod hidden_grave = {.name = "grave",
                                          .free = infouct_free,
                                          .set_belief = infouct_set_belief,
                                          .run = infouct_run,
                                          .result = infouct_result};

Search *infouct_create_grave(Game *game, uint32_t role, const SearchOptions *options) {
    Search *search = infouct_create(&hidden_grave, &hooks, game, role, options);
    if (search)
        ((Grave *)((InfoUct *)search)->own)->options = grave_options(options);
    return search;
}
