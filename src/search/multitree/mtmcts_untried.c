/* The shortest route from the present state to a move that some tree has not tried. It is used when
 * all playouts have the same result, so that values give no direction. Every node has a lower bound
 * of its distance to an untried move. The search is depth-first and makes only moves that reduce
 * the bound by one. Where none does, the bound was too small: it is raised, and the search steps
 * back (learning real-time A*, Korf 1990). So nodes are reached in order of their distance. */
#include <assert.h>
#include <string.h>

#include "search/multitree/mtmcts_internal.h"

enum { MAX_STEPS = 1000 }; /* steps per call; bounds are kept for the next call (untuned) */

static const TreesPosition *last_position(const MtmctsTrees *t) {
    return &t->positions.items[vector_last(&t->route_positions)];
}

/* By subgame: the node of the first passage where the route ends. */
static const uint32_t *last_nodes(const MtmctsTrees *t) {
    return t->route_nodes.items + t->route_nodes.count - t->parts.count;
}

static bool has_untried(const MtmctsTrees *t) {
    const TreesPosition *position = last_position(t);
    for (uint32_t k = 0; k < t->parts.count; k++)
        if (!bitset_includes(tested_moves(t, last_nodes(t)[k]), position->legal, t->set_words))
            return true;
    return false;
}

/* Raises the node's bound to what its successors imply, and returns it. */
static uint32_t learn_distance(MtmctsTrees *t, const TreesPosition *position, uint32_t node) {
    uint32_t nearest = TREES_NONE - 1;
    for (uint32_t id = t->nodes.items[node].first_transition; id != TREES_NONE;
         id = t->transitions.items[id].next) {
        uint32_t distance = t->nodes.items[t->transitions.items[id].child].distance;
        if (distance < nearest &&
            bitset_overlaps(transition_moves(t, id), position->open, t->set_words))
            nearest = distance;
    }
    uint32_t *known = &t->nodes.items[node].distance;
    *known = nearest + 1 > *known ? nearest + 1 : *known;
    return *known;
}

/* The least bound over all trees at the end of the route. */
static uint32_t distance_left(MtmctsTrees *t) {
    uint32_t least = TREES_NONE;
    for (uint32_t k = 0; k < t->parts.count; k++) {
        uint32_t distance = learn_distance(t, last_position(t), last_nodes(t)[k]);
        least = distance < least ? distance : least;
    }
    return least;
}

static void add_to_route(MtmctsTrees *t, uint32_t index, uint32_t limit) {
    uint32_t id = vector_last(&t->route_positions);
    uint32_t move = t->positions.items[id].moves[index];
    size_t from = t->route_nodes.count - t->parts.count;
    for (uint32_t k = 0; k < t->parts.count; k++) {
        uint32_t transition = mtmcts_trees_transition(t, t->route_nodes.items[from + k], move);
        vector_push(&t->route_nodes, t->transitions.items[transition].child);
    }
    vector_push(&t->route, index);
    vector_push(&t->route_limits, limit);
    vector_push(&t->played, move);
    vector_push(&t->route_positions, mtmcts_trees_position_after(t, id, index));
}

static void step_back(MtmctsTrees *t) {
    t->route_nodes.count -= t->parts.count;
    t->route_positions.count--;
    t->route_limits.count--;
    t->route.count--;
    t->played.count--;
}

/* Makes a move that reduces the distance in some tree. */
static void step_forth(MtmctsTrees *t, uint32_t distance) {
    const TreesPosition *position = last_position(t);
    memset(t->candidates, 0, t->set_words * sizeof *t->candidates);
    for (uint32_t k = 0; k < t->parts.count; k++)
        for (uint32_t id = t->nodes.items[last_nodes(t)[k]].first_transition; id != TREES_NONE;
             id = t->transitions.items[id].next)
            if (t->nodes.items[t->transitions.items[id].child].distance < distance)
                bitset_or(t->candidates, transition_moves(t, id), t->set_words);
    bitset_and(t->candidates, position->open, t->set_words);
    uint64_t drawn = random_below(&t->random, bitset_count(t->candidates, t->set_words));
    size_t move = bitset_next(t->candidates, t->set_words, 0);
    while (drawn--)
        move = bitset_next(t->candidates, t->set_words, move + 1);
    add_to_route(t, mtmcts_trees_index_of(position, (uint32_t)move), distance - 1);
}

/* All moves at the end of the route are closed, so the move that led there is closed too. */
static void close_last_move(MtmctsTrees *t) {
    if (!t->route.count) {
        t->is_exhausted = true;
        return;
    }
    uint32_t move = vector_last(&t->played);
    step_back(t);
    bitset_clear(last_position(t)->open, move);
}

static void begin_route(MtmctsTrees *t) {
    uint32_t id = mtmcts_trees_position(t, t->root_depth, t->root.words);
    t->route.count = t->route_nodes.count = t->route_positions.count = t->played.count = 0;
    t->route_limits.count = 0;
    vector_push(&t->route_limits, t->deepest); /* every node was reached in so many moves */
    vector_push(&t->route_positions, id);
    for (uint32_t k = 0; k < t->parts.count; k++)
        vector_push(&t->route_nodes,
                    mtmcts_trees_node(t, k, t->root_depth, t->positions.items[id].words));
}

bool mtmcts_trees_find_untried(MtmctsTrees *t) {
    begin_route(t);
    for (int step = 0; step < MAX_STEPS && !t->is_exhausted; step++) {
        mtmcts_trees_look_at(t, vector_last(&t->route_positions));
        t->counts.work += t->parts.count;
        const TreesPosition *position = last_position(t);
        if (position->winning != TREES_NONE || has_untried(t))
            return true;
        if (!bitset_any(position->open, t->set_words)) {
            close_last_move(t);
            continue;
        }
        uint32_t distance = distance_left(t);
        if (distance <= vector_last(&t->route_limits)) {
            step_forth(t, distance);
        } else if (t->route.count) {
            step_back(t);
        } else {
            t->has_no_untried = true;
            return false;
        }
    }
    return false;
}
