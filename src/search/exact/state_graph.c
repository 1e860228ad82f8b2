/* Joint moves are numbered in mixed radix, the last role fastest, so that an edge stores only the
 * successor. States are evaluated one by one: moving 512 of them into lanes and the successors out
 * again was measured at half the speed, in games of up to 1000 gates. */
#include "search/exact/state_graph.h"

#include <string.h>

#include "game/goal.h"

static bool find_or_add(StateGraph *g, const State *state, uint32_t parent, uint32_t *node);

void state_graph_init(StateGraph *g, Game *game, const State *root, size_t byte_limit) {
    *g = (StateGraph){.game = game, .byte_limit = byte_limit ? byte_limit : SIZE_MAX};
    g->work = game_work(game, REASONER_AUTO);
    g->legal = memory_zalloc((game->role_count + 1) * sizeof *g->legal);
    g->joint = memory_zalloc((game->role_count + 1) * sizeof *g->joint);
    game_start(g->work, root, &g->state);
    uint32_t node;
    find_or_add(g, &g->state, NODE_NONE, &node);
    g->is_full = state_graph_bytes(g) > g->byte_limit;
}

void state_graph_free(StateGraph *g) {
    for (uint32_t r = 0; r < g->game->role_count; r++)
        vector_free(&g->legal[r]);
    game_work_free(g->work);
    key_table_free(&g->keys);
    vectors_free(&g->nodes, &g->edges, &g->goals);
    states_free(&g->state, &g->next);
    memory_free(g->legal, g->joint);
}

size_t state_graph_bytes(const StateGraph *g) {
    return key_table_bytes(&g->keys) + g->nodes.capacity * sizeof *g->nodes.items +
           g->edges.capacity * sizeof *g->edges.items + g->goals.capacity * sizeof *g->goals.items;
}

/* Finds the node of a state or adds it. False if there is no room; the graph is then full. */
static bool find_or_add(StateGraph *g, const State *state, uint32_t parent, uint32_t *node) {
    g->is_full |= g->nodes.count >= NODE_NONE - 1;
    *node = g->is_full ? key_table_find_state(&g->keys, state) : key_table_state(&g->keys, state);
    if (*node < g->nodes.count || g->is_full)
        return *node != KEY_NONE;
    StateNode fresh = {.parent = parent,
                       .depth = parent == NODE_NONE ? 0 : g->nodes.items[parent].depth + 1,
                       .mover = MOVER_NONE,
                       .low = 0,
                       .high = 100};
    vector_push(&g->nodes, fresh);
    g->is_full = state_graph_bytes(g) > g->byte_limit;
    return true;
}

static void become_terminal(StateGraph *g, uint32_t node) {
    StateNode *n = &g->nodes.items[node];
    State state = state_graph_state(g, node);
    n->kind = NODE_TERMINAL;
    n->first_edge = (uint32_t)g->goals.count;
    for (uint32_t r = 0; r < g->game->role_count; r++) {
        int goal = game_goal(g->work, &state, r);
        vector_push(&g->goals, goal < 0 ? 0 : goal);
    }
}

void state_graph_classify(StateGraph *g, uint32_t node) {
    assert(g->nodes.items[node].kind == NODE_NEW);
    State state = state_graph_state(g, node);
    if (game_is_terminal(g->work, &state))
        become_terminal(g, node);
    else
        g->nodes.items[node].kind = NODE_OPEN;
}

/* Finds the role with a choice and the number of joint moves; NODE_OPEN if they are too many. */
static NodeKind count_choices(const StateGraph *g, uint8_t *mover, uint32_t *joint_moves) {
    size_t product = 1;
    *mover = MOVER_NONE;
    for (uint32_t r = 0; r < g->game->role_count; r++) {
        size_t count = g->legal[r].count;
        if (count == 0)
            return NODE_STUCK;
        product *= count;
        if (product >= UINT16_MAX)
            return NODE_OPEN;
        if (count == 1 || game_is_chance(g->game, r))
            continue;
        if (*mover != MOVER_NONE || r >= MOVER_NONE)
            return NODE_SIMULTANEOUS;
        *mover = (uint8_t)r;
    }
    *joint_moves = (uint32_t)product;
    return NODE_EXPANDED;
}

static void read_legal(StateGraph *g, uint32_t node) {
    State state = state_graph_state(g, node);
    for (uint32_t r = 0; r < g->game->role_count; r++)
        game_legal(g->work, &state, r, &g->legal[r]);
}

static void decode_joint_move(const StateGraph *g, uint32_t edge, uint32_t *joint) {
    for (uint32_t r = g->game->role_count; r-- > 0;) {
        uint32_t count = (uint32_t)g->legal[r].count;
        joint[r] = g->legal[r].items[edge % count];
        edge /= count;
    }
}

void state_graph_expand(StateGraph *g, uint32_t node) {
    uint32_t count = 0;
    uint8_t mover;
    assert(g->nodes.items[node].kind == NODE_OPEN);
    read_legal(g, node);
    NodeKind kind = count_choices(g, &mover, &count);
    if (kind == NODE_EXPANDED) {
        size_t first = g->edges.count;
        State state = state_graph_state(g, node);
        for (uint32_t e = 0; e < count; e++) {
            uint32_t child;
            decode_joint_move(g, e, g->joint);
            game_next(g->work, &state, g->joint, &g->next);
            if (!find_or_add(g, &g->next, node, &child)) {
                g->edges.count = first;
                return;
            }
            vector_push(&g->edges, child);
        }
        g->nodes.items[node].first_edge = (uint32_t)first;
        g->nodes.items[node].edge_count = count;
        g->is_full |= g->edges.count >= UINT32_MAX - UINT16_MAX;
    }
    g->is_full |= kind == NODE_OPEN;
    g->nodes.items[node].kind = (uint8_t)kind;
    g->nodes.items[node].mover = mover;
}

void state_graph_settle(StateGraph *g, uint32_t node) {
    if (g->nodes.items[node].kind == NODE_NEW)
        state_graph_classify(g, node);
    if (g->nodes.items[node].kind == NODE_OPEN)
        state_graph_expand(g, node);
}

void state_graph_joint_move(StateGraph *g, uint32_t node, uint32_t edge, uint32_t *joint) {
    read_legal(g, node);
    decode_joint_move(g, edge, joint);
}

static uint32_t edge_to(const StateGraph *g, uint32_t parent, uint32_t child) {
    const StateNode *n = &g->nodes.items[parent];
    uint32_t e = 0;
    while (state_graph_child(g, n, e) != child)
        e++;
    return e;
}

void state_graph_line_to(StateGraph *g, uint32_t node, U32Vector *line) {
    U32Vector path = {0};
    for (; node != NODE_NONE; node = g->nodes.items[node].parent)
        vector_push(&path, node);
    vector_clear(line);
    for (size_t i = path.count; i-- > 1;)
        state_graph_joint_move(g, path.items[i], edge_to(g, path.items[i], path.items[i - 1]),
                               vector_extend(line, g->game->role_count));
    vector_free(&path);
}

uint32_t state_graph_choices(StateGraph *g, uint32_t node, uint32_t role) {
    assert(role < g->game->role_count);
    State state = state_graph_state(g, node);
    game_legal(g->work, &state, role, &g->legal[role]);
    return (uint32_t)g->legal[role].count;
}

int greatest_goal_of(const Game *game, uint32_t role) {
    const Circuit *c = game->circuit;
    int greatest = -1;
    assert(role < game->role_count);
    for (size_t i = 0; c && i < c->goals.count; i++) {
        const CircuitOutput *goal = &c->goals.items[i];
        if (goal->role != role || goal->signal == SIGNAL_FALSE)
            continue;
        int value = goal_join(GOAL_NONE, grounding_terms(game->grounding), goal->term);
        greatest = value > greatest ? value : greatest;
    }
    return greatest >= 0 ? greatest : 100;
}
