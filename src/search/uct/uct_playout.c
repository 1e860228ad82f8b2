/* Evaluates leaves by random play: a whole batch at once on the circuit; or one by one, if a hook
 * chooses or records moves, or the game has no circuit. An evaluation may evaluate a playout before
 * its end. */
#include "search/uct/uct.h"

/* Turns after which a playout is abandoned, or evaluated by the evaluation. */
static uint32_t longest_playout(const Uct *uct) {
    uint32_t limit = uct->options.step_limit;
    if (uct_uses_evaluation(uct) && uct->options.evaluation->playout_turns < limit)
        limit = uct->options.evaluation->playout_turns;
    return limit;
}

static void add_values(UctLeaf *leaf, const double *values, uint32_t roles) {
    for (uint32_t r = 0; r < roles; r++)
        leaf->values[r] += values[r];
}

static void evaluate_last_states(UctWorker *w, size_t count) {
    size_t evaluated = 0;
    for (size_t i = 0; i < count && uct_uses_evaluation(w->uct); i++)
        if (w->results[i].end == MATCH_TOO_LONG)
            w->evaluated[evaluated++] = w->results[i].last;
    uct_evaluate_states(w, evaluated);
}

static void play_batch(UctWorker *w, UctLeaf *leaves, size_t count) {
    const Uct *uct = w->uct;
    uint32_t each = uct->options.leaf_playouts, roles = uct->search.game->role_count;
    size_t starts = 0;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < each && !leaves[i].is_known; k++)
            w->starts[starts++] = (PlayoutStart){&leaves[i].state, NULL};
    if (!starts)
        return;
    batch_play(w->batch, w->starts, starts, longest_playout(uct), w->results);
    evaluate_last_states(w, starts);
    const PlayoutResult *result = w->results;
    const double *evaluated = w->evaluations;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < each && !leaves[i].is_known; k++, result++) {
            if (result->end == MATCH_TOO_LONG && uct_uses_evaluation(uct)) {
                add_values(&leaves[i], evaluated, roles);
                evaluated += roles;
                continue;
            }
            for (uint32_t r = 0; r < roles; r++)
                w->values[r] = goal_to_value(uct->ranges[r], result->goals[r]);
            add_values(&leaves[i], w->values, roles);
            for (uint32_t r = 0; uct->amaf_moves && r < roles; r++)
                leaves[i].amaf.values[k * roles + r] = (float)w->values[r];
            if (uct->amaf_moves && k + 1 == each)
                uct_amaf_add_playouts(uct, &leaves[i], result + 1 - each);
            if (result->end == MATCH_TERMINAL)
                uct_notice_end(w, w->values);
        }
}

/* Checked at every turn, since one interpreted playout may take longer than the clock allows. */
static bool is_out_of_time(const Uct *uct) {
    return !game_has_circuit(uct->search.game) && search_must_stop(uct->budget);
}

/* Works like game_play_randomly, but a hook may choose the moves. */
static MatchEnd play_one(UctWorker *w, State *state) {
    const Uct *uct = w->uct;
    uint32_t roles = uct->search.game->role_count, limit = longest_playout(uct);
    vector_clear(&w->record);
    for (uint32_t turn = 0; !game_is_terminal(w->work, state); turn++) {
        if (turn >= limit || is_out_of_time(uct))
            return MATCH_TOO_LONG;
        uint32_t *joint = vector_extend(&w->record, roles);
        for (uint32_t r = 0; r < roles; r++) {
            U32Vector *legal = &w->legal[r];
            game_legal(w->work, state, r, legal);
            if (!legal->count) {
                w->record.count -= roles;
                return MATCH_STUCK;
            }
            size_t chosen = uct->hooks->choose && !game_is_chance(uct->search.game, r)
                                ? uct->hooks->choose(w, r, legal)
                                : random_below(&w->random, legal->count);
            joint[r] = legal->items[chosen];
        }
        game_next(w->work, state, joint, state);
    }
    return MATCH_TERMINAL;
}

/* Plays one match from the leaf and sets w->values to its values. */
static void play_and_value(UctWorker *w, const UctLeaf *leaf) {
    const Uct *uct = w->uct;
    state_copy(&w->next, &leaf->state);
    MatchEnd end = play_one(w, &w->next);
    if (end == MATCH_TOO_LONG && uct_uses_evaluation(uct)) {
        w->evaluated[0] = &w->next;
        uct_evaluate_states(w, 1);
    }
    for (uint32_t r = 0; r < uct->search.game->role_count; r++) {
        int goal = end == MATCH_TERMINAL ? game_goal(w->work, &w->next, r) : GOAL_NONE;
        w->values[r] = end == MATCH_TOO_LONG && uct_uses_evaluation(uct)
                           ? w->evaluations[r]
                           : goal_to_value(uct->ranges[r], goal);
    }
    if (end == MATCH_TERMINAL)
        uct_notice_end(w, w->values);
}

static void play_singly(UctWorker *w, UctLeaf *leaf) {
    const Uct *uct = w->uct;
    uint32_t roles = uct->search.game->role_count;
    double known = uct->options.leaf_playouts;
    for (uint32_t k = 0; k < uct->options.leaf_playouts; k++) {
        vector_clear(&w->record);
        if (leaf->is_known) {
            for (uint32_t r = 0; r < roles; r++)
                w->values[r] = leaf->values[r] / known;
        } else {
            play_and_value(w, leaf);
            add_values(leaf, w->values, roles);
        }
        if (uct->hooks->learn)
            uct->hooks->learn(w, leaf, w->values);
    }
}

/* True if the leaf has a node that is not known to be terminal; only such leaves can be evaluated.
 */
static bool needs_evaluation(const UctLeaf *leaf) {
    return leaf->end && !leaf->is_known;
}

/* Evaluates those leaves that can be evaluated. Returns their values, one leaf after the other. */
static const double *evaluations_of(UctWorker *w, const UctLeaf *leaves, size_t count) {
    size_t evaluated = 0;
    for (size_t i = 0; i < count; i++)
        if (needs_evaluation(&leaves[i]))
            w->evaluated[evaluated++] = &leaves[i].state;
    uct_evaluate_states(w, evaluated);
    return w->evaluations;
}

/* Asks the evaluation for advice on all leaves. Leaves without room in the tree are played out. */
static void advise_leaves(UctWorker *w, UctLeaf *leaves, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!leaves[i].is_known && !uct_needs_advice(w->uct, &leaves[i]))
            play_singly(w, &leaves[i]);
    uct_advise_leaves(w, leaves, count);
}

/* Evaluates each leaf once, for all of its playouts. A leaf without a node is played out. */
static void evaluate_leaves(UctWorker *w, UctLeaf *leaves, size_t count) {
    uint32_t each = w->uct->options.leaf_playouts, roles = w->uct->search.game->role_count;
    for (size_t i = 0; i < count; i++)
        if (!leaves[i].end)
            play_singly(w, &leaves[i]);
    const double *values = evaluations_of(w, leaves, count);
    for (size_t i = 0; i < count; i++)
        if (needs_evaluation(&leaves[i])) {
            for (uint32_t k = 0; k < each; k++)
                add_values(&leaves[i], values, roles);
            values += roles;
        }
}

/* Mixes the evaluation's evaluations of the leaves into the values of their playouts. */
static void mix_evaluations(UctWorker *w, UctLeaf *leaves, size_t count) {
    const Uct *uct = w->uct;
    uint32_t each = uct->options.leaf_playouts, roles = uct->search.game->role_count;
    double share = uct_uses_evaluation(uct) ? uct->options.evaluation->leaf_share : 0;
    if (share <= 0)
        return;
    const double *values = evaluations_of(w, leaves, count);
    for (size_t i = 0; i < count; i++)
        for (uint32_t r = 0; r < roles && needs_evaluation(&leaves[i]); r++, values++)
            leaves[i].values[r] = (1 - share) * leaves[i].values[r] + share * each * *values;
}

static void play_and_mix(UctWorker *w, UctLeaf *leaves, size_t count) {
    if (w->batch)
        play_batch(w, leaves, count);
    else
        play_singly(w, leaves);
    mix_evaluations(w, leaves, count);
}

void uct_play_out(UctWorker *w, UctLeaf *leaves, size_t count) {
    if (uct_advises(w->uct))
        advise_leaves(w, leaves, count);
    else if (w->batch && uct_uses_evaluation(w->uct) && !w->uct->options.evaluation->playout_turns)
        evaluate_leaves(w, leaves, count);
    else if (w->batch)
        play_and_mix(w, leaves, count);
    else
        for (size_t i = 0; i < count; i++)
            play_and_mix(w, &leaves[i], 1);
}
