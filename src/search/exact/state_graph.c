/* Joint moves are numbered in mixed radix, the last role fastest, so that an edge stores only the
 * successor. The rules are asked abreast (game/successors.h): all successors of a node in one pass,
 * and for nodes that are settled in order, those of several nodes. Answers that run ahead wait
 * until their node is settled, so nodes are numbered as if each had been settled alone. */
#include "search/exact/state_graph.h"

#include <string.h>

#include "game/goal.h"

enum {
    NODES_AHEAD = SUCCESSORS_LANES,    /* nodes of which the legal moves are asked together */
    MOVES_AHEAD = 4 * SUCCESSORS_LANES /* joint moves made together, at most after the last node
                                          (untuned) */
};

static bool find_or_add(StateGraph *g, const State *state, uint32_t parent, uint32_t *node);

void state_graph_init(StateGraph *g, Game *game, const State *root, size_t byte_limit) {
    *g = (StateGraph){.game = game, .byte_limit = byte_limit ? byte_limit : SIZE_MAX};
    g->work = game_work_create(game, REASONER_AUTO);
    g->asked = successors_create(game, REASONER_AUTO);
    g->made = successors_create(game, REASONER_AUTO);
    g->legal = memory_zalloc((game->role_count + 1) * sizeof *g->legal);
    g->joint = memory_zalloc((game->role_count + 1) * sizeof *g->joint);
    game_start(g->work, root, &g->state);
    uint32_t node;
    find_or_add(g, &g->state, STATE_NODE_NONE, &node);
    g->is_full = state_graph_bytes(g) > g->byte_limit;
}

void state_graph_free(StateGraph *g) {
    for (uint32_t r = 0; r < g->game->role_count; r++)
        vector_free(&g->legal[r]);
    successors_free(g->asked);
    successors_free(g->made);
    game_work_free(g->work);
    key_table_free(&g->keys);
    vectors_free(&g->nodes, &g->edges, &g->goals, &g->ahead.first_made);
    state_free(&g->state);
    memory_free(g->legal, g->joint);
}

size_t state_graph_bytes(const StateGraph *g) {
    return key_table_bytes(&g->keys) + g->nodes.capacity * sizeof *g->nodes.items +
           g->edges.capacity * sizeof *g->edges.items + g->goals.capacity * sizeof *g->goals.items;
}

/* Finds the node of a state or adds it. False if there is no room; the graph is then full. */
static bool find_or_add(StateGraph *g, const State *state, uint32_t parent, uint32_t *node) {
    g->is_full |= g->nodes.count >= STATE_NODE_NONE - 1;
    *node = g->is_full ? key_table_find_state(&g->keys, state) : key_table_state(&g->keys, state);
    if (*node < g->nodes.count || g->is_full)
        return *node != KEY_NONE;
    StateNode fresh = {.parent = parent,
                       .depth = parent == STATE_NODE_NONE ? 0 : g->nodes.items[parent].depth + 1,
                       .mover = MOVER_NONE,
                       .low = 0,
                       .high = 100};
    vector_push(&g->nodes, fresh);
    g->is_full = state_graph_bytes(g) > g->byte_limit;
    return true;
}

/* Notes what an answer tells of a new node. */
static void classify(StateGraph *g, uint32_t node, const Successors *answers, uint32_t question) {
    StateNode *n = &g->nodes.items[node];
    n->kind = NODE_OPEN;
    if (!successors_is_terminal(answers, question))
        return;
    n->kind = NODE_TERMINAL;
    n->first_edge = (uint32_t)g->goals.count;
    for (uint32_t r = 0; r < g->game->role_count; r++) {
        int goal = successors_goal(answers, question, r);
        vector_push(&g->goals, goal < 0 ? 0 : goal);
    }
}

/* Asks whether the nodes first to end - 1 are terminal, for their goals and legal moves. */
static void ask(StateGraph *g, uint32_t first, uint32_t end) {
    successors_clear(g->asked);
    for (uint32_t node = first; node < end; node++) {
        State state = state_graph_state(g, node);
        successors_from(g->asked, &state);
        successors_add(g->asked, NULL);
    }
    successors_evaluate(g->asked, SUCCESSORS_GOALS | SUCCESSORS_LEGAL);
    g->ahead.first = first;
    g->ahead.end = first;
    vector_clear(&g->ahead.first_made);
}

void state_graph_classify(StateGraph *g, uint32_t node) {
    assert(g->nodes.items[node].kind == NODE_NEW);
    ask(g, node, node + 1);
    classify(g, node, g->asked, 0);
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

static void copy_legal(StateGraph *g, uint32_t question) {
    for (uint32_t r = 0; r < g->game->role_count; r++) {
        uint32_t count;
        const uint32_t *moves = successors_legal(g->asked, question, r, &count);
        vector_clear(&g->legal[r]);
        vector_append(&g->legal[r], moves, count);
    }
}

static void decode_joint_move(const StateGraph *g, uint32_t edge, uint32_t *joint) {
    for (uint32_t r = g->game->role_count; r-- > 0;) {
        uint32_t count = (uint32_t)g->legal[r].count;
        joint[r] = g->legal[r].items[edge % count];
        edge /= count;
    }
}

/* Makes all joint moves of nodes that were asked for, from ahead.first on, until there are many. */
static void make_moves(StateGraph *g, SuccessorsWanted wanted) {
    successors_clear(g->made);
    for (uint32_t i = 0; i < successors_count(g->asked); i++) {
        uint32_t count = 0;
        uint8_t mover;
        vector_push(&g->ahead.first_made, successors_count(g->made));
        if (successors_count(g->made) >= MOVES_AHEAD)
            break;
        g->ahead.end++;
        if (successors_is_terminal(g->asked, i))
            continue;
        copy_legal(g, i);
        if (count_choices(g, &mover, &count) != NODE_EXPANDED)
            continue;
        State state = successors_state(g->asked, i);
        successors_from(g->made, &state);
        successors_add_all(g->made, g->legal);
    }
    successors_evaluate(g->made, wanted);
}

/* Adds the successors of an open node, whose moves were made ahead. New ones are classified if that
 * was wanted. */
static void add_successors(StateGraph *g, uint32_t node, SuccessorsWanted wanted) {
    uint32_t question = node - g->ahead.first, count = 0;
    uint8_t mover;
    assert(g->nodes.items[node].kind == NODE_OPEN && node < g->ahead.end);
    copy_legal(g, question);
    NodeKind kind = count_choices(g, &mover, &count);
    if (kind == NODE_EXPANDED) {
        size_t first = g->edges.count;
        for (uint32_t e = 0; e < count; e++) {
            uint32_t child, made = g->ahead.first_made.items[question] + e;
            State state = successors_state(g->made, made);
            if (!find_or_add(g, &state, node, &child)) {
                g->edges.count = first;
                return;
            }
            if (wanted != SUCCESSORS_STATES && g->nodes.items[child].kind == NODE_NEW)
                classify(g, child, g->made, made);
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

void state_graph_expand(StateGraph *g, uint32_t node) {
    ask(g, node, node + 1);
    make_moves(g, SUCCESSORS_GOALS);
    add_successors(g, node, SUCCESSORS_GOALS);
}

void state_graph_settle(StateGraph *g, uint32_t node) {
    if (node < g->ahead.first || node >= g->ahead.end) {
        size_t left = g->nodes.count - node;
        uint32_t most = successors_are_abreast(g->asked) ? NODES_AHEAD : 1;
        ask(g, node, node + (left < most ? (uint32_t)left : most));
        make_moves(g, SUCCESSORS_STATES);
    }
    if (g->nodes.items[node].kind == NODE_NEW)
        classify(g, node, g->asked, node - g->ahead.first);
    if (g->nodes.items[node].kind == NODE_OPEN)
        add_successors(g, node, SUCCESSORS_STATES);
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
    for (; node != STATE_NODE_NONE; node = g->nodes.items[node].parent)
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
