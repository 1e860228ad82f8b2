/* Evaluates leaves by random play: a whole batch at once on the circuit; or one playout after the
 * other, if a hook chooses or records moves, or the game has no circuit. */
#include "search/hidden/infouct.h"

static void play_batch(InfoUct *u, InfoLeaf *leaves, size_t count) {
    uint32_t each = u->options.leaf_playouts, roles = u->search.game->role_count;
    size_t starts = 0;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < each && !leaves[i].is_known; k++)
            u->starts[starts++] = (PlayoutStart){&leaves[i].state, NULL};
    if (!starts)
        return;
    batch_play(u->batch, u->starts, starts, u->options.step_limit, u->results);
    const PlayoutResult *result = u->results;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < each && !leaves[i].is_known; k++, result++)
            for (uint32_t r = 0; r < roles; r++)
                leaves[i].values[r] += goal_to_value(u->ranges[r], result->goals[r]);
}

/* Plays one match to its end. False if it reached none. */
static bool play_one(InfoUct *u, State *state) {
    uint32_t roles = u->search.game->role_count;
    for (uint32_t turn = 0; !game_is_terminal(u->work, state); turn++) {
        if (turn >= u->options.step_limit)
            return false;
        for (uint32_t r = 0; r < roles; r++) {
            U32Vector *legal = &u->legal[r];
            game_legal(u->work, state, r, legal);
            if (!legal->count)
                return false;
            size_t chosen = u->hooks->choose && !u->is_chance[r]
                                ? u->hooks->choose(u, r, legal)
                                : random_below(&u->random, legal->count);
            u->joint[r] = legal->items[chosen];
        }
        for (uint32_t r = 0; r < roles; r++)
            vector_push(&u->record, u->joint[r]);
        game_next(u->work, state, u->joint, state);
    }
    return true;
}

static void play_singly(InfoUct *u, InfoLeaf *leaf) {
    uint32_t roles = u->search.game->role_count, each = u->options.leaf_playouts;
    for (uint32_t k = 0; k < each; k++) {
        vector_clear(&u->record);
        if (leaf->is_known) {
            for (uint32_t r = 0; r < roles; r++)
                u->values[r] = leaf->values[r] / each;
        } else {
            state_copy(&u->next, &leaf->state);
            bool ended = play_one(u, &u->next);
            for (uint32_t r = 0; r < roles; r++) {
                int goal = ended ? game_goal(u->work, &u->next, r) : GOAL_NONE;
                u->values[r] = goal_to_value(u->ranges[r], goal);
                leaf->values[r] += u->values[r];
            }
        }
        if (u->hooks->learn)
            u->hooks->learn(u, leaf, u->values);
    }
}

void infouct_play_out(InfoUct *u, InfoLeaf *leaves, size_t count) {
    if (u->batch) {
        play_batch(u, leaves, count);
        return;
    }
    for (size_t i = 0; i < count; i++)
        play_singly(u, &leaves[i]);
}
