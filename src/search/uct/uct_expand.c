/* New nodes and their arms. What the descents of a round have to know is asked at once and answered
 * in one pass over the networks (game/successors.h): the state after a move that was never made,
 * whether the match ends there, and the legal moves of a node that is visited again. A second pass
 * looks one turn ahead from these nodes: where the match ends after them, arms are proven, often
 * the node itself, and nothing has to be played out. */
#include "search/uct/uct.h"

/* Moves of a node beyond which nobody looks ahead: a pass for one leaf would cost as much as its
 * playouts (untuned). */
enum { MAX_LOOKS = SUCCESSORS_LANES };
/* Where less than one of so many new nodes of a turn has ends after it, only every eighth is looked
 * at before its second visit (untuned). */
enum { RARE = 64, SAMPLE = 8, MANY_LOOKS = 4096 };

void uct_ask_for_arms(UctWorker *w, UctLeaf *leaf, uint32_t turn) {
    successors_from(w->questions, uct_whole_state(w, leaf->end, turn));
    leaf->question = successors_add(w->questions, NULL);
    leaf->wait = WAITS_FOR_ARMS;
}

void uct_ask_for_child(UctWorker *w, UctLeaf *leaf, const TreeNode *node, uint32_t turn) {
    successors_from(w->questions, uct_whole_state(w, node, turn));
    leaf->question = successors_add(w->questions, w->joint);
    leaf->wait = WAITS_FOR_CHILD;
}

/* Copies the legal moves of the answer into worker->legal. */
static void take_legal(UctWorker *w, uint32_t question) {
    for (uint32_t r = 0; r < w->uct->search.game->role_count; r++) {
        uint32_t count;
        const uint32_t *moves = successors_legal(w->questions, question, r, &count);
        vector_clear(&w->legal[r]);
        vector_append(&w->legal[r], moves, count);
    }
}

/* Gives the node the moves in worker->legal. */
static bool add_arms(UctWorker *w, TreeNode *node, uint32_t turn) {
    Uct *uct = w->uct;
    if (!tree_expand(&uct->tree, node, w->legal, node == uct->root))
        return false;
    const State *state = uct_whole_state(w, node, turn);
    uct_evaluate_moves(w, node, state);
    if (uct->hooks->expanded)
        uct->hooks->expanded(w, node, state);
    return true;
}

/* The only role with a choice in worker->legal. MOVER_SEVERAL also if a role has no move. */
static int find_mover(const UctWorker *w) {
    int mover = MOVER_NOBODY;
    for (uint32_t r = 0; r < w->uct->search.game->role_count; r++) {
        if (w->legal[r].count == 0)
            return MOVER_SEVERAL;
        if (w->legal[r].count > 1)
            mover = mover == MOVER_NOBODY ? (int)r : MOVER_SEVERAL;
    }
    return mover;
}

static UctLookRate *rate_of(Uct *uct, uint32_t turn) {
    while (uct->look_rates.count <= turn)
        vector_push(&uct->look_rates, (UctLookRate){0});
    return &uct->look_rates.items[turn];
}

/* Whether a new node is worth a look: not where ends are rare. */
static bool may_have_ends(Uct *uct, uint32_t turn) {
    UctLookRate *rate = rate_of(uct, turn);
    return (rate->ends + 1) * RARE > rate->looks || rate->skipped++ % SAMPLE == 0;
}

static void count_look(Uct *uct, uint32_t turn, bool has_ends) {
    UctLookRate *rate = rate_of(uct, turn);
    rate->looks++;
    rate->ends += has_ends;
    if (rate->looks < MANY_LOOKS)
        return;
    rate->looks /= 2;
    rate->ends /= 2;
}

/* Asks for the successors of a node with the moves in worker->legal. */
static void look_ahead(UctWorker *w, TreeNode *node, uint32_t turn) {
    int mover = find_mover(w);
    uint32_t count = mover < 0 ? 1 : (uint32_t)w->legal[mover].count;
    bool is_wanted = node->ends == ENDS_SOME || (node->ends == ENDS_UNKNOWN && count <= MAX_LOOKS);
    if (!w->uct->looks_ahead || mover == MOVER_SEVERAL || !is_wanted)
        return;
    successors_from(w->ahead, uct_whole_state(w, node, turn));
    vector_push(&w->looks,
                ((UctLook){node, turn, mover, successors_add_all(w->ahead, w->legal), count}));
}

static void answer_looks(UctWorker *w) {
    if (!w->looks.count)
        return;
    successors_evaluate(w->ahead, SUCCESSORS_GOALS);
    for (size_t i = 0; i < w->looks.count; i++) {
        const UctLook *look = &w->looks.items[i];
        uct_learn_ends(w, look);
        if (!look->node->arms)
            count_look(w->uct, look->turn, look->node->ends == ENDS_SOME);
    }
    vector_clear(&w->looks);
    successors_clear(w->ahead);
}

static void take_arms(UctWorker *w, UctLeaf *leaf, uint32_t turn) {
    if (leaf->end->arms) /* another descent of the round has got them */
        return;
    take_legal(w, leaf->question);
    leaf->lacks_room = !add_arms(w, leaf->end, turn);
    if (!leaf->lacks_room)
        look_ahead(w, leaf->end, turn);
}

/* Finds or adds the node of the state that was asked about. NULL if there is no room. */
static TreeNode *find_child(UctWorker *w, uint32_t question, uint32_t turn) {
    Tree *tree = &w->uct->tree;
    State state = successors_state(w->questions, question);
    state_copy(&w->next, &state);
    uct_forget_time(w->uct, &w->next);
    TreeNode *child = tree_find(tree, &w->next);
    if (child || !(child = tree_add(tree, &w->next, false)))
        return child;
    child->proof_turn = turn;
    if (successors_is_terminal(w->questions, question)) {
        uct_take_end(w, child, w->questions, question);
    } else if (w->uct->looks_ahead && may_have_ends(w->uct, turn)) {
        take_legal(w, question);
        look_ahead(w, child, turn);
    }
    return child;
}

static void take_child(UctWorker *w, UctLeaf *leaf, uint32_t turn) {
    Uct *uct = w->uct;
    TreeNode *node = vector_last(&leaf->path.nodes);
    State state = successors_state(w->questions, leaf->question);
    uct_learn_time(uct, turn, &state);
    leaf->end = leaf->is_numbered ? tree_child(&uct->tree, node, leaf->joint) : NULL;
    if (leaf->end)
        return;
    leaf->end = find_child(w, leaf->question, turn);
    if (!leaf->end)
        state_copy(&leaf->state, &state);
    if (leaf->end && uct->uct_options.merges_twins)
        uct_merge_twin(uct, node, leaf->end, leaf);
    if (leaf->end && leaf->is_numbered)
        tree_link(&uct->tree, node, leaf->joint, leaf->end);
}

void uct_answer(UctWorker *w, UctLeaf *leaves, const uint32_t *open, uint32_t count) {
    bool wants_legal = w->uct->looks_ahead;
    for (uint32_t i = 0; i < count; i++)
        wants_legal |= leaves[open[i]].wait == WAITS_FOR_ARMS;
    successors_evaluate(w->questions,
                        wants_legal ? SUCCESSORS_GOALS | SUCCESSORS_LEGAL : SUCCESSORS_GOALS);
    for (uint32_t i = 0; i < count; i++) {
        UctLeaf *leaf = &leaves[open[i]];
        uint32_t turn = w->uct->clock.turn + (uint32_t)leaf->path.nodes.count;
        if (leaf->wait == WAITS_FOR_ARMS)
            take_arms(w, leaf, turn);
        else
            take_child(w, leaf, turn);
        leaf->wait = WAITS_FOR_NOTHING;
    }
    successors_clear(w->questions);
    answer_looks(w);
}

bool uct_expand(UctWorker *w, TreeNode *node, uint32_t turn) {
    if (node->arms)
        return true;
    successors_from(w->questions, uct_whole_state(w, node, turn));
    uint32_t question = successors_add(w->questions, NULL);
    successors_evaluate(w->questions, SUCCESSORS_LEGAL);
    take_legal(w, question);
    successors_clear(w->questions);
    bool has_room = add_arms(w, node, turn);
    if (has_room)
        look_ahead(w, node, turn);
    answer_looks(w);
    return has_room;
}
