/* The value of leaves by random play: all of a batch abreast on the circuit; or one after the
 * other, with the moves chosen by a hook and recorded, or by the interpreter. */
#include "search/uct.h"

static void play_batch(UctWorker *w, UctLeaf *leaves, size_t count) {
    const Uct *uct = w->uct;
    uint32_t each = uct->options.leaf_playouts, roles = uct->search.game->role_count;
    size_t starts = 0;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < each && !leaves[i].is_known; k++)
            w->starts[starts++] = (PlayoutStart){&leaves[i].state, NULL};
    if (!starts)
        return;
    batch_play(w->batch, w->starts, starts, uct->options.step_limit, w->results);
    const PlayoutResult *result = w->results;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < each && !leaves[i].is_known; k++, result++) {
            for (uint32_t r = 0; r < roles; r++) {
                w->values[r] = uct_value(uct, r, result->goals[r]);
                leaves[i].values[r] += w->values[r];
            }
            if (result->end == MATCH_TERMINAL)
                uct_notice_end(w, w->values);
        }
}

/* Like game_play_randomly, with moves that a hook may choose. False if it reached no end. */
static bool play_one(UctWorker *w, State *state) {
    const Uct *uct = w->uct;
    uint32_t roles = uct->search.game->role_count;
    vector_clear(&w->record);
    for (uint32_t turn = 0; !game_is_terminal(w->work, state); turn++) {
        uint32_t *joint = vector_extend(&w->record, roles);
        for (uint32_t r = 0; r < roles; r++) {
            U32Vector *legal = &w->legal[r];
            game_legal(w->work, state, r, legal);
            if (!legal->count || turn >= uct->options.step_limit) {
                w->record.count -= roles;
                return false;
            }
            size_t chosen = uct->hooks->choose && !uct->is_chance[r]
                                ? uct->hooks->choose(w, r, legal)
                                : random_below(&w->random, legal->count);
            joint[r] = legal->items[chosen];
        }
        game_next(w->work, state, joint, state);
    }
    return true;
}

static void play_singly(UctWorker *w, UctLeaf *leaf) {
    const Uct *uct = w->uct;
    uint32_t roles = uct->search.game->role_count;
    double *values = w->values;
    for (uint32_t k = 0; k < uct->options.leaf_playouts; k++) {
        bool ended = true;
        vector_clear(&w->record);
        if (leaf->is_known) {
            for (uint32_t r = 0; r < roles; r++)
                values[r] = leaf->values[r] / uct->options.leaf_playouts;
        } else {
            state_copy(&w->next, &leaf->state);
            ended = play_one(w, &w->next);
            for (uint32_t r = 0; r < roles; r++) {
                int goal = ended ? game_goal(w->work, &w->next, r) : GOAL_NONE;
                values[r] = uct_value(uct, r, goal);
                leaf->values[r] += values[r];
            }
            if (ended)
                uct_notice_end(w, values);
        }
        if (uct->hooks->learn)
            uct->hooks->learn(w, leaf, values);
    }
}

void uct_play_out(UctWorker *w, UctLeaf *leaves, size_t count) {
    if (w->batch) {
        play_batch(w, leaves, count);
        return;
    }
    for (size_t i = 0; i < count; i++)
        play_singly(w, &leaves[i]);
}
