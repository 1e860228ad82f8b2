/* The value of leaves by random play: all of a batch abreast on the circuit; or one after the
 * other, with the moves chosen by a hook and recorded, or by the interpreter. */
#include "search/uct.h"

static void play_batch(Uct *uct, UctLeaf *leaves, size_t count) {
    uint32_t each = uct->options.leaf_playouts, roles = uct->search.game->role_count;
    size_t starts = 0;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < each && !leaves[i].is_known; k++)
            uct->starts[starts++] = (PlayoutStart){&leaves[i].state, NULL};
    if (!starts)
        return;
    batch_play(uct->batch, uct->starts, starts, uct->options.step_limit, uct->results);
    const PlayoutResult *result = uct->results;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < each && !leaves[i].is_known; k++, result++) {
            for (uint32_t r = 0; r < roles; r++) {
                uct->values[r] = uct_value(uct, r, result->goals[r]);
                leaves[i].values[r] += uct->values[r];
            }
            if (result->end == MATCH_TERMINAL)
                uct_notice_end(uct, uct->values);
        }
}

/* Like game_play_randomly, with moves that a hook may choose. False if it reached no end. */
static bool play_one(Uct *uct, State *state) {
    uint32_t roles = uct->search.game->role_count;
    vector_clear(&uct->record);
    for (uint32_t turn = 0; !game_is_terminal(uct->work, state); turn++) {
        uint32_t *joint = vector_extend(&uct->record, roles);
        for (uint32_t r = 0; r < roles; r++) {
            U32Vector *legal = &uct->legal[r];
            game_legal(uct->work, state, r, legal);
            if (!legal->count || turn >= uct->options.step_limit) {
                uct->record.count -= roles;
                return false;
            }
            size_t chosen = uct->hooks->choose && !uct->is_chance[r]
                                ? uct->hooks->choose(uct, r, legal)
                                : random_below(&uct->random, legal->count);
            joint[r] = legal->items[chosen];
        }
        game_next(uct->work, state, joint, state);
    }
    return true;
}

static void play_singly(Uct *uct, UctLeaf *leaf) {
    uint32_t roles = uct->search.game->role_count;
    double *values = uct->values;
    for (uint32_t k = 0; k < uct->options.leaf_playouts; k++) {
        bool ended = true;
        vector_clear(&uct->record);
        if (leaf->is_known) {
            for (uint32_t r = 0; r < roles; r++)
                values[r] = leaf->values[r] / uct->options.leaf_playouts;
        } else {
            state_copy(&uct->next, &leaf->state);
            ended = play_one(uct, &uct->next);
            for (uint32_t r = 0; r < roles; r++) {
                int goal = ended ? game_goal(uct->work, &uct->next, r) : GOAL_NONE;
                values[r] = uct_value(uct, r, goal);
                leaf->values[r] += values[r];
            }
            if (ended)
                uct_notice_end(uct, values);
        }
        if (uct->hooks->learn)
            uct->hooks->learn(uct, leaf, values);
    }
}

void uct_play_out(Uct *uct, UctLeaf *leaves, size_t count) {
    if (uct->batch) {
        play_batch(uct, leaves, count);
        return;
    }
    for (size_t i = 0; i < count; i++)
        play_singly(uct, &leaves[i]);
}
