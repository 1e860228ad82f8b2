/* All three methods use one graph of states (state_graph.h). Alpha-beta asks yes-or-no questions,
 * "can the first role get at least v?", and keeps lower and upper bounds of the value with each
 * state. A question that the limit of depth leaves open has no answer. So bounds follow from
 * terminal states only: a proof holds for every depth, and cycles do no harm. */
#include "search/exact/exact.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "search/exact/state_graph.h"

enum {
    MAX_DEPTH = 4000,          /* turns that alpha-beta looks ahead (untuned) */
    NODES_BETWEEN_CHECKS = 64, /* nodes between two checks of the budget (untuned) */
    SAMPLED_MATCHES = 32,      /* random matches that tell how long matches are (untuned) */
    SAMPLED_TURNS = 1000,      /* turns of such a match at most (untuned) */
    FEW_NODES = 1000           /* number of nodes up to which the depth grows slowly (untuned) */
};

typedef struct {
    StateGraph graph;
    const ExactBudget *budget;
    ExactResult *result;
    ExactEnd end;   /* the first reason to stop; EXACT_SOLVED if there is none */
    uint32_t ticks; /* nodes since the last check of the budget */
    int sum;        /* sum of both goals in terminal states; -1 before the first */
    bool is_unfit;  /* alpha-beta met a terminal state with another sum */
} Exact;

static void stop(Exact *x, ExactEnd end) {
    if (x->end == EXACT_SOLVED)
        x->end = end;
}

static bool is_over(Exact *x) {
    if (x->graph.is_full)
        stop(x, EXACT_NO_MEMORY);
    if (x->end != EXACT_SOLVED || x->is_unfit)
        return true;
    if (++x->ticks < NODES_BETWEEN_CHECKS)
        return false;
    x->ticks = 0;
    if (interrupt_lacks_memory())
        stop(x, EXACT_NO_MEMORY);
    else if (flag_is_set(x->budget->stopped) && !interrupt_is_late())
        stop(x, EXACT_STOPPED);
    else if (deadline_passed(x->budget->deadline))
        stop(x, EXACT_NO_TIME);
    return x->end != EXACT_SOLVED;
}

static StateNode *node_at(Exact *x, uint32_t node) {
    assert(node < x->graph.nodes.count);
    return &x->graph.nodes.items[node];
}

static void add_to_line(Exact *x, uint32_t node, uint32_t edge) {
    uint32_t *joint = vector_extend(&x->result->line, x->graph.game->role_count);
    state_graph_joint_move(&x->graph, node, edge, joint);
}

/* ---- one role ---- */

/* The nodes of the graph are in the order in which they were found, that is, in order of depth. */
static void solve_breadth_first(Exact *x) {
    StateGraph *g = &x->graph;
    int greatest = greatest_goal_of(g->game, 0), best = -1;
    uint32_t best_node = STATE_NODE_NONE;
    x->result->method = "breadth-first";
    for (uint32_t i = 0; i < g->nodes.count && best < greatest && !is_over(x); i++) {
        state_graph_settle(g, i);
        const StateNode *n = node_at(x, i);
        if (is_end_of_match(n) && state_graph_goal(&x->graph, n, 0) > best) {
            best = state_graph_goal(&x->graph, n, 0);
            best_node = i;
        }
    }
    if (best < greatest && g->is_full)
        stop(x, EXACT_NO_MEMORY);
    if (best_node == STATE_NODE_NONE) {
        stop(x, EXACT_ENDLESS);
        return;
    }
    x->result->has_values = true;
    x->result->values[0] = best;
    state_graph_line_to(g, best_node, &x->result->line);
}

/* ---- two roles, constant sum ---- */

typedef enum { NO, YES, UNKNOWN } Answer;

static void settle_end_of_match(Exact *x, StateNode *n) {
    int first = state_graph_goal(&x->graph, n, 0), sum = first + state_graph_goal(&x->graph, n, 1);
    if (n->kind == NODE_TERMINAL && x->sum < 0)
        x->sum = sum;
    if (first > 100 || (n->kind == NODE_TERMINAL && sum != x->sum))
        x->is_unfit = true;
    n->low = n->high = (int16_t)first;
}

static void settle_if_end(Exact *x, uint32_t node) {
    StateNode *n = node_at(x, node);
    if (is_end_of_match(n) && n->low < n->high)
        settle_end_of_match(x, n);
}

static bool expand(Exact *x, uint32_t node) {
    if (node_at(x, node)->kind == NODE_NEW)
        state_graph_classify(&x->graph, node);
    if (node_at(x, node)->kind == NODE_OPEN) {
        state_graph_expand(&x->graph, node);
        const StateNode *n = node_at(x, node);
        if (n->kind == NODE_SIMULTANEOUS)
            stop(x, EXACT_SIMULTANEOUS);
        for (uint32_t e = 0; n->kind == NODE_EXPANDED && e < n->edge_count && !is_over(x); e++)
            settle_if_end(x, state_graph_child(&x->graph, n, e));
    }
    settle_if_end(x, node);
    return !is_over(x);
}

static Answer known_answer(const StateNode *n, int value) {
    return n->low >= value ? YES : n->high < value ? NO : UNKNOWN;
}

/* Tightens the bounds of a node by those of its successors. */
static void tighten(Exact *x, StateNode *n) {
    bool maximises = n->mover == 0;
    int low = maximises ? 0 : 100, high = low;
    for (uint32_t e = 0; e < n->edge_count; e++) {
        const StateNode *c = node_at(x, state_graph_child(&x->graph, n, e));
        if (maximises ? c->low > low : c->low < low)
            low = c->low;
        if (maximises ? c->high > high : c->high < high)
            high = c->high;
    }
    n->low = (int16_t)(low > n->low ? low : n->low);
    n->high = (int16_t)(high < n->high ? high : n->high);
}

/* The i-th edge to look at: the one that decided last time comes first. */
static uint32_t edge_in_order(const StateNode *n, uint32_t i) {
    return i == 0 ? n->best : i <= n->best ? i - 1 : i;
}

static Answer reaches(Exact *x, uint32_t node, int value, uint32_t depth);

/* Looks for an edge that decides the question: first without going deeper, then below. */
static void try_edges(Exact *x, uint32_t node, int value, uint32_t depth) {
    Answer wanted = node_at(x, node)->mover == 0 ? YES : NO;
    for (int deeper = 0; deeper < 2; deeper++) {
        for (uint32_t i = 0; i < node_at(x, node)->edge_count; i++) {
            uint32_t edge = edge_in_order(node_at(x, node), i);
            uint32_t child = state_graph_child(&x->graph, node_at(x, node), edge);
            Answer answer = deeper ? reaches(x, child, value, depth - 1)
                                   : known_answer(node_at(x, child), value);
            if (answer == wanted) {
                node_at(x, node)->best = (uint16_t)edge;
                return;
            }
            if (deeper && is_over(x))
                return;
        }
    }
}

static Answer reaches(Exact *x, uint32_t node, int value, uint32_t depth) {
    StateNode *n = node_at(x, node);
    Answer known = known_answer(n, value);
    if (known != UNKNOWN || depth == 0 || (n->open_value == value && n->open_depth >= depth))
        return known;
    if (!expand(x, node))
        return UNKNOWN;
    try_edges(x, node, value, depth);
    n = node_at(x, node);
    if (n->kind == NODE_EXPANDED)
        tighten(x, n);
    known = known_answer(n, value);
    if (known == UNKNOWN && x->end == EXACT_SOLVED && !x->is_unfit) {
        n->open_value = (int16_t)value;
        n->open_depth = (uint16_t)depth;
    }
    return known;
}

/* Builds the line. Each role can reach the value, so every step goes to a successor that has it. */
static void follow_bounds(Exact *x, int value) {
    uint32_t node = 0;
    for (uint32_t turns = 0; turns < MAX_DEPTH; turns++) {
        StateNode *n = node_at(x, node);
        uint32_t e = 0, child;
        if (n->kind != NODE_EXPANDED)
            return;
        for (;; e++) {
            assert(e < n->edge_count);
            uint32_t edge = edge_in_order(n, e);
            child = state_graph_child(&x->graph, n, edge);
            const StateNode *c = node_at(x, child);
            if (n->mover == 0 ? c->low >= value : c->high <= value) {
                add_to_line(x, node, edge);
                break;
            }
        }
        node = child;
    }
}

/* The length in turns of the longest of some random matches. */
static uint32_t longest_match(Exact *x) {
    StateGraph *g = &x->graph;
    State root = state_graph_state(g, 0), state = {0};
    Random random;
    uint32_t longest = 1, turns;
    random_seed(&random, 0);
    for (int i = 0; i < SAMPLED_MATCHES && !deadline_passed(x->budget->deadline); i++) {
        state_copy(&state, &root);
        game_play_randomly(g->work, &state, &random, SAMPLED_TURNS, &turns);
        longest = turns > longest ? turns : longest;
    }
    state_free(&state);
    return longest;
}

/* Small steps find short wins. Without bounds, a depth at which matches end soon serves better. */
static uint32_t next_depth(Exact *x, uint32_t depth, uint32_t longest) {
    uint32_t next = depth + 1 + depth / 4;
    if (x->graph.nodes.count > FEW_NODES)
        next = depth < longest ? longest : depth + depth / 2;
    return next < MAX_DEPTH ? next : MAX_DEPTH;
}

static void solve_alpha_beta(Exact *x) {
    uint32_t longest = longest_match(x);
    x->result->method = "alpha-beta";
    for (uint32_t depth = 1; !is_over(x);) {
        StateNode *root = node_at(x, 0);
        if (root->kind != NODE_NEW && root->low == root->high)
            break;
        Answer answer = reaches(x, 0, (root->low + root->high + 1) / 2, depth);
        if (answer != UNKNOWN || is_over(x))
            continue;
        /* A shortest proof repeats no state. */
        if (depth >= x->graph.nodes.count || depth >= MAX_DEPTH)
            stop(x, EXACT_ENDLESS);
        depth = next_depth(x, depth, longest);
    }
    if (x->end != EXACT_SOLVED || x->is_unfit)
        return;
    x->result->has_values = true;
    x->result->values[0] = node_at(x, 0)->low;
    x->result->values[1] = x->sum - x->result->values[0];
    follow_bounds(x, node_at(x, 0)->low);
}

/* ---- backward induction ---- */

typedef struct {
    uint32_t node, edge;
} Step;

typedef struct {
    double *values;   /* by node and role */
    uint8_t *state;   /* by node: 0 unseen, 1 on the path, 2 done */
    uint32_t *choice; /* by node: the first edge of the mover's best move */
    VECTOR(Step) path;
} Induction;

static void expand_everything(Exact *x) {
    StateGraph *g = &x->graph;
    for (uint32_t i = 0; i < g->nodes.count && !is_over(x); i++) {
        state_graph_settle(g, i);
        if (node_at(x, i)->kind == NODE_SIMULTANEOUS)
            stop(x, EXACT_SIMULTANEOUS);
    }
    if (g->is_full)
        stop(x, EXACT_NO_MEMORY);
}

/* The mean over the moves of chance for one move of the mover: edges first, first + stride, ... */
static void add_mean(Exact *x, const Induction *in, const StateNode *n, uint32_t first,
                     uint32_t stride, uint32_t count, double *mean) {
    uint32_t roles = x->graph.game->role_count;
    memset(mean, 0, roles * sizeof *mean);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t child = state_graph_child(&x->graph, n, first + i * stride);
        for (uint32_t r = 0; r < roles; r++)
            mean[r] += in->values[(size_t)child * roles + r] / count;
    }
}

static void value_of_choice(Exact *x, Induction *in, uint32_t node, double *mean) {
    StateGraph *g = &x->graph;
    uint32_t roles = g->game->role_count;
    const StateNode *n = node_at(x, node);
    double *value = in->values + (size_t)node * roles;
    uint32_t chance = g->game->chance_role;
    uint32_t chances = chance < roles ? state_graph_choices(g, node, chance) : 1;
    uint32_t choices = n->edge_count / chances;
    bool chance_is_fast = n->mover == MOVER_NONE || n->mover < chance;
    for (uint32_t c = 0; c < choices; c++) {
        uint32_t first = chance_is_fast ? c * chances : c;
        add_mean(x, in, n, first, chance_is_fast ? 1 : choices, chances, mean);
        if (c == 0 || mean[n->mover] > value[n->mover]) {
            memcpy(value, mean, roles * sizeof *value);
            in->choice[node] = first;
        }
    }
}

static void finish_node(Exact *x, Induction *in, uint32_t node, double *scratch) {
    uint32_t roles = x->graph.game->role_count;
    const StateNode *n = node_at(x, node);
    if (n->kind == NODE_EXPANDED)
        value_of_choice(x, in, node, scratch);
    else
        for (uint32_t r = 0; r < roles; r++)
            in->values[(size_t)node * roles + r] = state_graph_goal(&x->graph, n, r);
    in->state[node] = 2;
}

/* Depth-first search over the whole graph. An edge back to the path means an endless match. */
static void induce(Exact *x, Induction *in, double *scratch) {
    vector_push(&in->path, ((Step){0, 0}));
    in->state[0] = 1;
    while (in->path.count && !is_over(x)) {
        Step *top = &vector_last(&in->path);
        const StateNode *n = node_at(x, top->node);
        if (n->kind != NODE_EXPANDED || top->edge == n->edge_count) {
            finish_node(x, in, top->node, scratch);
            (void)vector_pop(&in->path);
            continue;
        }
        uint32_t child = state_graph_child(&x->graph, n, top->edge++);
        if (in->state[child] == 1)
            stop(x, EXACT_ENDLESS);
        if (in->state[child] != 0)
            continue;
        in->state[child] = 1;
        vector_push(&in->path, ((Step){child, 0}));
    }
}

static void solve_backward(Exact *x) {
    StateGraph *g = &x->graph;
    uint32_t roles = g->game->role_count;
    x->result->method = "backward induction";
    expand_everything(x);
    size_t bytes = g->nodes.count * (roles * sizeof(double) + sizeof(uint32_t) + 1);
    if (state_graph_bytes(g) + bytes > g->byte_limit)
        stop(x, EXACT_NO_MEMORY);
    if (x->end != EXACT_SOLVED)
        return;
    Induction in = {.values = memory_alloc(g->nodes.count * roles * sizeof *in.values),
                    .state = memory_zalloc(g->nodes.count),
                    .choice = memory_zalloc(g->nodes.count * sizeof *in.choice)};
    double *scratch = memory_zalloc((roles + 1) * sizeof *scratch);
    induce(x, &in, scratch);
    if (x->end == EXACT_SOLVED) {
        x->result->has_values = true;
        memcpy(x->result->values, in.values, roles * sizeof *in.values);
        for (uint32_t node = 0; node_at(x, node)->kind == NODE_EXPANDED;) {
            add_to_line(x, node, in.choice[node]);
            node = state_graph_child(g, node_at(x, node), in.choice[node]);
        }
    }
    vector_free(&in.path);
    memory_free(in.values, in.state, in.choice, scratch);
}

/* ---- the choice of a method ---- */

static void choose_and_solve(Exact *x) {
    Game *game = x->graph.game;
    uint32_t players = game_count_players(game);
    bool has_chance = players < game->role_count;
    if (game->rules->has_sees && (has_chance || players > 1)) {
        stop(x, EXACT_HIDDEN);
        return;
    }
    if (players == 1 && !has_chance) {
        solve_breadth_first(x);
        return;
    }
    if (players == 2 && !has_chance) {
        solve_alpha_beta(x);
        if (!x->is_unfit)
            return;
        x->is_unfit = false;
    }
    solve_backward(x);
}

void exact_solve(Game *game, const State *from, const ExactBudget *budget, ExactResult *result) {
    assert(game && budget && result);
    double started = clock_thread_cpu_seconds();
    *result = (ExactResult){.method = "none"};
    result->values = memory_zalloc((game->role_count + 1) * sizeof *result->values);
    Exact x = {.budget = budget, .result = result, .sum = -1, .ticks = NODES_BETWEEN_CHECKS};
    state_graph_init(&x.graph, game, from, budget->bytes);
    choose_and_solve(&x);
    result->end = x.end;
    result->states = x.graph.nodes.count;
    result->terminal_states = x.graph.goals.count / (game->role_count ? game->role_count : 1);
    state_graph_free(&x.graph);
    result->cpu_seconds = clock_thread_cpu_seconds() - started;
}

void exact_result_free(ExactResult *result) {
    free(result->values);
    vector_free(&result->line);
    *result = (ExactResult){0};
}

const char *exact_end_text(ExactEnd end) {
    static const char *const texts[] = {
        [EXACT_SOLVED] = "solved",
        [EXACT_NO_TIME] = "the time is spent",
        [EXACT_NO_MEMORY] = "the states need more memory than allowed",
        [EXACT_STOPPED] = "stopped",
        [EXACT_SIMULTANEOUS] = "not solvable exactly: simultaneous moves",
        [EXACT_HIDDEN] = "not solvable exactly: hidden information",
        [EXACT_ENDLESS] = "not solvable exactly: a match need not end",
    };
    assert(end < sizeof texts / sizeof *texts);
    return texts[end];
}
