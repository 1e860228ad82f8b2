/* The shortest way from the present state to a move that some tree has not tried, for searches in
 * which matches all come out the same: values then say nothing, and descents that follow them go to
 * and fro. Every node knows a number of moves within which nothing untried can be reached. Depth
 * first from the present state, only to where each move brings the untried nearer by one; where it
 * does not, the number was too small, grows, and another way is taken (learning real-time A*, Korf
 * 1990, with steps back). So nodes are met in order of their distance, as breadth-first. */
#include <assert.h>
#include <string.h>

#include "search/multitree/multitree_internal.h"

enum { MOST_STEPS = 1000 }; /* of one search; the next goes on with what was learnt */

static const Position *last_position(const MultiTree *t) {
    return &t->positions.items[vector_last(&t->way_positions)];
}

/* Of the position where the way ends: by subgame, first passages. */
static const uint32_t *last_nodes(const MultiTree *t) {
    return t->way_nodes.items + t->way_nodes.count - t->parts.count;
}

static bool has_untried(const MultiTree *t) {
    const Position *position = last_position(t);
    for (uint32_t k = 0; k < t->parts.count; k++) {
        const uint64_t *tested = tested_moves(t, last_nodes(t)[k]);
        for (uint32_t i = 0; i < t->set_words; i++)
            if (position->legal[i] & ~tested[i])
                return true;
    }
    return false;
}

static bool is_open(const MultiTree *t, const Position *position, uint32_t transition) {
    const uint64_t *moves = transition_moves(t, transition);
    uint64_t common = 0;
    for (uint32_t i = 0; i < t->set_words; i++)
        common |= moves[i] & position->open[i];
    return common != 0;
}

/* What the node's successors say of its distance. */
static uint32_t learn_distance(MultiTree *t, const Position *position, uint32_t node) {
    uint32_t nearest = NONE - 1;
    for (uint32_t id = t->nodes.items[node].first_transition; id != NONE;
         id = t->transitions.items[id].next) {
        uint32_t distance = t->nodes.items[t->transitions.items[id].child].distance;
        if (distance < nearest && is_open(t, position, id))
            nearest = distance;
    }
    uint32_t *known = &t->nodes.items[node].distance;
    *known = nearest + 1 > *known ? nearest + 1 : *known;
    return *known;
}

/* From the end of the way, over all trees. */
static uint32_t distance_left(MultiTree *t) {
    uint32_t least = NONE;
    for (uint32_t k = 0; k < t->parts.count; k++) {
        uint32_t distance = learn_distance(t, last_position(t), last_nodes(t)[k]);
        least = distance < least ? distance : least;
    }
    return least;
}

static void add_to_way(MultiTree *t, uint32_t index, uint32_t limit) {
    uint32_t id = vector_last(&t->way_positions);
    uint32_t move = t->positions.items[id].moves[index];
    size_t from = t->way_nodes.count - t->parts.count;
    for (uint32_t k = 0; k < t->parts.count; k++) {
        uint32_t transition = multitree_transition(t, t->way_nodes.items[from + k], move);
        vector_push(&t->way_nodes, t->transitions.items[transition].child);
    }
    vector_push(&t->way, index);
    vector_push(&t->way_limits, limit);
    vector_push(&t->played, move);
    vector_push(&t->way_positions, multitree_position_after(t, id, index));
}

static void step_back(MultiTree *t) {
    t->way_nodes.count -= t->parts.count;
    t->way_positions.count--;
    t->way_limits.count--;
    t->way.count--;
    t->played.count--;
}

/* A move that brings some tree nearer to what it has not tried. */
static void step_forth(MultiTree *t, uint32_t distance) {
    const Position *position = last_position(t);
    memset(t->candidates, 0, t->set_words * sizeof *t->candidates);
    for (uint32_t k = 0; k < t->parts.count; k++)
        for (uint32_t id = t->nodes.items[last_nodes(t)[k]].first_transition; id != NONE;
             id = t->transitions.items[id].next)
            if (t->nodes.items[t->transitions.items[id].child].distance < distance)
                bitset_or(t->candidates, transition_moves(t, id), t->set_words);
    bitset_and(t->candidates, position->open, t->set_words);
    uint64_t drawn = random_below(&t->random, bitset_count(t->candidates, t->set_words));
    size_t move = bitset_next(t->candidates, t->set_words, 0);
    while (drawn--)
        move = bitset_next(t->candidates, t->set_words, move + 1);
    add_to_way(t, multitree_index_of(position, (uint32_t)move), distance - 1);
}

/* All moves from the end of the way are closed, so the one that led there is. */
static void close_last_move(MultiTree *t) {
    if (!t->way.count) {
        t->is_exhausted = true;
        return;
    }
    uint32_t move = vector_last(&t->played);
    step_back(t);
    bitset_clear(last_position(t)->open, move);
}

static void begin_way(MultiTree *t) {
    uint32_t id = multitree_position(t, t->root_depth, t->root.words);
    t->way.count = t->way_nodes.count = t->way_positions.count = t->played.count = 0;
    t->way_limits.count = 0;
    vector_push(&t->way_limits, t->deepest); /* every node was once reached in that many moves */
    vector_push(&t->way_positions, id);
    for (uint32_t k = 0; k < t->parts.count; k++)
        vector_push(&t->way_nodes,
                    multitree_node(t, k, t->root_depth, t->positions.items[id].words));
}

bool multitree_find_untried(MultiTree *t) {
    begin_way(t);
    for (int step = 0; step < MOST_STEPS && !t->is_exhausted; step++) {
        multitree_look_at(t, vector_last(&t->way_positions));
        t->counts.work += t->parts.count;
        const Position *position = last_position(t);
        if (position->winning != NONE || has_untried(t))
            return true;
        if (!bitset_any(position->open, t->set_words)) {
            close_last_move(t);
            continue;
        }
        uint32_t distance = distance_left(t);
        if (distance <= vector_last(&t->way_limits)) {
            step_forth(t, distance);
        } else if (t->way.count) {
            step_back(t);
        } else {
            t->knows_all = true;
            return false;
        }
    }
    return false;
}
