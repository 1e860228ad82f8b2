/* Positions without the time. Fluents that count turns make otherwise equal positions differ. Here
 * the tree's keys leave them out, and their values are stored by turn, beside the tree. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/bitset.h"
#include "search/uct/uct.h"

/* This is sound only for fluents whose next values depend on no others, and on which neither
 * legality nor other fluents depend; any other fluent asked for stays in the key. Then positions
 * that differ only in the time have the same moves and successors; only terminal and goals may
 * differ. So statistics are shared by all turns, but exact values belong to one turn: a node
 * visited at another turn discards its proofs and is evaluated again. A position that recurs on a
 * path ends the descent, and the playout starts there at the right time. */

/* True if the signal depends on fluents of the set alone. */
static bool moves_by_itself(const Circuit *c, Signal signal, const uint64_t *set, uint8_t *marks) {
    bool is_inside = true;
    memset(marks, 0, c->aig.nodes.count);
    aig_mark_cone(&c->aig, &signal, 1, marks);
    for (uint32_t f = 0; f < c->fluent_count && is_inside; f++)
        is_inside = !marks[signal_node(c->fluents[f])] || bitset_get(set, f);
    for (uint32_t m = 0; m < c->move_count && is_inside; m++)
        is_inside = !marks[signal_node(c->moves[m])];
    return is_inside;
}

/* Removes fluents that legality or a fluent outside the set depends on. True if there were any. */
static bool remove_depended_on(const Circuit *c, uint64_t *set, uint8_t *marks) {
    U32Vector signals = {0};
    bool found = false;
    for (uint32_t m = 0; m < c->move_count; m++)
        vector_push(&signals, c->legal[m]);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        if (!bitset_get(set, f))
            vector_push(&signals, c->next[f]);
    memset(marks, 0, c->aig.nodes.count);
    aig_mark_cone(&c->aig, signals.items, signals.count, marks);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        if (bitset_get(set, f) && marks[signal_node(c->fluents[f])]) {
            bitset_clear(set, f);
            found = true;
        }
    vector_free(&signals);
    return found;
}

/* Removes fluents whose next value depends on something outside the set. True if there were any. */
static bool remove_dependent(const Circuit *c, uint64_t *set, uint8_t *marks) {
    bool found = false;
    for (uint32_t f = 0; f < c->fluent_count; f++) {
        if (!bitset_get(set, f) || moves_by_itself(c, c->next[f], set, marks))
            continue;
        bitset_clear(set, f);
        found = true;
    }
    return found;
}

/* Removes all fluents that may not be left out of keys. Removing one may disqualify others, so this
 * goes on until nothing changes. Fluents that moves influence go first, all at once. */
static void remove_unsound(const Circuit *c, uint64_t *set) {
    uint8_t *marks = memory_zalloc(c->aig.nodes.count);
    uint8_t *is_moved = circuit_nodes_that_depend_on_moves(c);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        if (is_moved[signal_node(c->next[f])])
            bitset_clear(set, f);
    bool changed = true;
    while (changed) {
        changed = remove_depended_on(c, set, marks);
        changed = remove_dependent(c, set, marks) || changed;
    }
    memory_free(is_moved, marks);
}

void uct_open_clock(Uct *uct) {
    const Circuit *c = uct->search.game->circuit;
    const SearchOptions *o = &uct->options;
    if (!c || !o->ignored)
        return;
    size_t words = bitset_words(c->fluent_count);
    uct->clock.ignored = memory_zalloc((words + 1) * sizeof(uint64_t));
    uct->clock.words = (uint32_t)words;
    for (uint32_t f = 0; f < c->fluent_count; f++)
        if (f / 64 < o->ignored_words && bitset_get(o->ignored, f))
            bitset_set(uct->clock.ignored, f);
    remove_unsound(c, uct->clock.ignored);
    uct->clock.is_used = bitset_any(uct->clock.ignored, words);
}

void uct_close_clock(Uct *uct) {
    uct_restart_clock(uct);
    vector_free(&uct->clock.times);
    free(uct->clock.ignored);
}

void uct_forget_time(const Uct *uct, State *state) {
    for (uint32_t i = 0; uct->clock.is_used && i < state->word_count && i < uct->clock.words; i++)
        state->words[i] &= ~uct->clock.ignored[i];
}

void uct_restart_clock(Uct *uct) {
    for (size_t i = 0; i < uct->clock.times.count; i++)
        state_free(&uct->clock.times.items[i]);
    vector_clear(&uct->clock.times);
    uct->clock.turn = 0;
}

static void add_time(const State *time, State *state) {
    for (uint32_t i = 0; i < time->word_count; i++)
        if (time->words[i])
            state->words[i] |= time->words[i];
}

const State *uct_whole_state(UctWorker *w, const TreeNode *node, uint32_t turn) {
    const UctClock *clock = &w->uct->clock;
    if (!clock->is_used)
        return &node->state;
    state_copy(&w->whole, &node->state);
    add_time(&clock->times.items[turn], &w->whole);
    return &w->whole;
}

void uct_tell_time(const Uct *uct, uint32_t turn, State *state) {
    if (uct->clock.is_used)
        add_time(&uct->clock.times.items[turn], state);
}

bool uct_knows_time(const Uct *uct, uint32_t turn) {
    return !uct->clock.is_used || turn < uct->clock.times.count;
}

void uct_learn_time(Uct *uct, uint32_t turn, const State *state) {
    UctClock *clock = &uct->clock;
    State time = {0};
    if (uct_knows_time(uct, turn))
        return;
    assert(turn == clock->times.count);
    state_copy(&time, state);
    for (uint32_t i = 0; i < time.word_count; i++)
        time.words[i] &= i < clock->words ? clock->ignored[i] : 0;
    vector_push(&clock->times, time);
}

void uct_enter(UctWorker *w, TreeNode *node, uint32_t turn) {
    const Uct *uct = w->uct;
    if (!uct->clock.is_used || node->proof_turn == turn)
        return;
    node->proof_turn = turn;
    node->is_proven = false;
    node->ends = ENDS_UNKNOWN;
    for (uint32_t a = 0; node->arms && a < node->first_arm[uct->search.game->role_count]; a++)
        if (node->arms[a].is_proven) {
            node->arms[a].is_proven = false;
            node->arms[a].prior = ARM_NO_PRIOR;
            tree_rate(node, &node->arms[a]);
        }
    node->has_proven_arm = false;
    uct_find_exact_values(w, node, turn);
}

bool uct_is_proven_at(const Uct *uct, const TreeNode *node, uint32_t turn) {
    return node->is_proven && (!uct->clock.is_used || node->proof_turn == turn);
}
