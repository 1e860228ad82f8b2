/* Makes pulls. A pull takes the action of the node with the highest upper confidence bound, then
 * the best known actions and drawn outcomes down to an unsolved node, and then makes a playout. The
 * playouts of all pulls run in one batch. */
#include <math.h>
#include <string.h>

#include "scsp/macucb/macucb.h"

/* Exploration constant of UCB1 (Auer and others 2002). */
static const double UCB1_EXPLORATION = 1.4142135623730951;

typedef struct {
    uint32_t node, edge; /* `edge` is MAC_NONE at a flat node */
    /* If several roles choose: index in Pulls.choices of their arms, one per role. */
    uint32_t first_choice;
} Step;

typedef struct {
    size_t first_step, end_step;
    uint32_t leaf;
    const State *state;  /* start of the playout; NULL if the value is known */
    uint32_t first_move; /* at a flat node: index in Pulls.moves of the first joint move */
    bool has_moves;
} Pull;

typedef struct {
    MacUcb *m;
    VECTOR(Step) steps;
    U32Vector choices, moves;
    VECTOR(Pull) pulls;
} Pulls;

/* Returns the role's arm with the best mean or bound. With bounds, arms never pulled come first. */
static uint32_t best_arm(MacUcb *m, const MacUcbNode *n, uint32_t role, bool with_bound) {
    if (!n->arm_count)
        return MAC_NONE;
    uint32_t best = MAC_NONE, at = (uint32_t)random_below(&m->random, n->arm_count);
    double best_rank = -INFINITY, log_pulls = with_bound ? log(n->pulls + 1) : 0;
    for (uint32_t i = 0; i < n->arm_count; i++, at = at + 1 < n->arm_count ? at + 1 : 0) {
        const MacUcbArm *arm = &m->arms.items[n->first_arm + at];
        if (arm->role != role)
            continue;
        if (with_bound && !arm->pulls)
            return n->first_arm + at;
        double rank = arm->pulls ? arm->sum / arm->pulls : -1;
        if (with_bound)
            rank += UCB1_EXPLORATION * sqrt(log_pulls / arm->pulls);
        if (rank > best_rank) {
            best_rank = rank;
            best = n->first_arm + at;
        }
    }
    return best;
}

int macucb_compare_joints(const MacUcb *m, const uint32_t *a, const uint32_t *b) {
    for (uint32_t r = 0; r < m->roles; r++)
        if (m->decides[r] && a[r] != b[r])
            return a[r] < b[r] ? -1 : 1;
    return 0;
}

/* A binary search: edges are sorted by joint action. */
uint32_t macucb_find_edge(const MacUcb *m, const MacUcbNode *n, const uint32_t *joint) {
    uint32_t low = n->first_edge, high = n->first_edge + n->edge_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const uint32_t *other = m->edge_joints.items + (size_t)middle * m->roles;
        int order = macucb_compare_joints(m, other, joint);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    assert(!"every joint action of a solved node has an edge");
    __builtin_unreachable();
}

/* Chooses an arm for every role that decides. */
static void choose_arms(Pulls *p, const MacUcbNode *n, bool with_bound, uint32_t *joint) {
    MacUcb *m = p->m;
    for (uint32_t r = 0; r < m->roles; r++) {
        uint32_t arm = m->decides[r] ? best_arm(m, n, r, with_bound) : MAC_NONE;
        vector_push(&p->choices, arm);
        joint[r] = arm == MAC_NONE ? MOVE_NONE : m->arms.items[arm].move;
        if (arm != MAC_NONE)
            m->arms.items[arm].pulls++;
    }
}

/* Returns the mean value of the edge's own pulls for the mover. */
static double mean_worth(MacUcb *m, uint32_t mover, uint32_t edge) {
    bool turned = m->own.is_paranoid && mover != m->search.role;
    const double *sums = macucb_edge_values(m, edge, MAC_SUM);
    double mean = sums[turned ? m->search.role : mover] / m->edges.items[edge].pulls;
    return turned ? 1 - mean : mean;
}

/* Returns the edge with the highest bound; edges that were never pulled come first. */
static uint32_t edge_to_pull(MacUcb *m, const MacUcbNode *n) {
    uint32_t best = n->first_edge, at = (uint32_t)random_below(&m->random, n->edge_count);
    double best_rank = -INFINITY, log_pulls = log(n->pulls + 1);
    for (uint32_t i = 0; i < n->edge_count; i++, at = at + 1 < n->edge_count ? at + 1 : 0) {
        uint32_t e = n->first_edge + at;
        const MacUcbEdge *edge = &m->edges.items[e];
        if (edge->twin != e)
            continue;
        if (!edge->pulls)
            return e;
        double rank = mean_worth(m, n->mover, e) + UCB1_EXPLORATION * sqrt(log_pulls / edge->pulls);
        if (rank > best_rank) {
            best_rank = rank;
            best = e;
        }
    }
    return best;
}

static uint32_t best_known_edge(MacUcb *m, const MacUcbNode *n) {
    uint32_t best = n->first_edge;
    double most = -INFINITY;
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
        const MacUcbEdge *edge = &m->edges.items[e];
        if (edge->twin != e)
            continue;
        double worth = edge->is_known ? macucb_value_for_mover(m, n->mover,
                                                               macucb_edge_values(m, e, MAC_VALUE))
                                      : -1;
        if (worth > most) {
            most = worth;
            best = e;
        }
    }
    return best;
}

static uint32_t choose_edge(MacUcb *m, const MacUcbNode *n, bool with_bound) {
    if (n->mover == MAC_NOBODY)
        return n->first_edge;
    return with_bound ? edge_to_pull(m, n) : best_known_edge(m, n);
}

static uint32_t draw_outcome(MacUcb *m, const MacUcbEdge *e) {
    double left = random_double(&m->random);
    uint32_t i = 0;
    while (i + 1 < e->outcome_count &&
           (left -= m->outcomes.items[e->first_outcome + i].probability) >= 0)
        i++;
    return m->outcomes.items[e->first_outcome + i].node;
}

static const State *draw_world(MacUcb *m, const MacUcbNode *n) {
    double left = random_double(&m->random);
    uint32_t i = 0;
    while (i + 1 < n->world_count && (left -= n->worlds[i].weight) >= 0)
        i++;
    return &n->worlds[i].state;
}

/* Completes a joint move with random moves of roles that do not decide; false if one has none. */
static bool push_first_moves(Pulls *p, const uint32_t *joint, const State *state) {
    MacUcb *m = p->m;
    for (uint32_t r = 0; r < m->roles; r++) {
        uint32_t move = joint[r];
        if (move == MOVE_NONE) {
            game_legal(m->work, state, r, &m->legal[r]);
            if (!m->legal[r].count)
                return false;
            move = m->legal[r].items[random_below(&m->random, m->legal[r].count)];
        }
        vector_push(&p->moves, move);
    }
    return true;
}

static void descend(Pulls *p, uint32_t start) {
    MacUcb *m = p->m;
    Pull pull = {.first_step = p->steps.count, .leaf = start};
    uint32_t joint[64];
    for (uint32_t depth = 0; depth < MACUCB_MAX_DEPTH; depth++) {
        MacUcbNode *n = &m->nodes.items[pull.leaf];
        bool is_start = depth == 0;
        Step step = {pull.leaf, MAC_NONE, (uint32_t)p->choices.count};
        if (n->status == MAC_NEW || n->is_exact || n->status == MAC_TERMINAL)
            break;
        if (n->mover == MAC_SEVERAL || n->status == MAC_FLAT)
            choose_arms(p, n, is_start, joint);
        n->pulls++;
        if (n->status == MAC_FLAT) {
            vector_push(&p->steps, step);
            pull.state = draw_world(m, n);
            pull.first_move = (uint32_t)p->moves.count;
            pull.has_moves = push_first_moves(p, joint, pull.state);
            break;
        }
        step.edge =
            n->mover == MAC_SEVERAL ? macucb_find_edge(m, n, joint) : choose_edge(m, n, is_start);
        m->edges.items[step.edge].pulls++;
        vector_push(&p->steps, step);
        pull.leaf = draw_outcome(m, &m->edges.items[step.edge]);
    }
    const MacUcbNode *leaf = &m->nodes.items[pull.leaf];
    if (!pull.state && !leaf->is_exact)
        pull.state = draw_world(m, leaf);
    pull.end_step = p->steps.count;
    vector_push(&p->pulls, pull);
}

/* Updates the mean of a node with the values of its pull number `count`. */
static void add_to_mean(MacUcb *m, uint32_t node, uint32_t count, const double *values) {
    double *means = macucb_node_values(m, node, MAC_VALUE);
    for (uint32_t r = 0; r < m->roles; r++)
        means[r] += (values[r] - means[r]) / count;
}

/* Backs the values of a pull up along its path. */
static void reward(Pulls *p, const Pull *pull, const double *values) {
    MacUcb *m = p->m;
    for (size_t i = pull->first_step; i < pull->end_step; i++) {
        const Step *step = &p->steps.items[i];
        MacUcbNode *n = &m->nodes.items[step->node];
        for (uint32_t r = 0; r < m->roles && step->edge != MAC_NONE; r++)
            macucb_edge_values(m, step->edge, MAC_SUM)[r] += values[r];
        if (step->edge != MAC_NONE)
            m->edges.items[step->edge].is_stale = true;
        if (n->mover != MAC_SEVERAL && n->status != MAC_FLAT)
            continue;
        for (uint32_t r = 0; r < m->roles; r++) {
            uint32_t arm = p->choices.items[step->first_choice + r];
            if (arm != MAC_NONE)
                m->arms.items[arm].sum += values[r];
        }
        if (n->status == MAC_FLAT)
            add_to_mean(m, step->node, ++n->rewards, values);
    }
}

/* Adds a playout to the mean of an unsolved node. */
static void sample(MacUcb *m, uint32_t node, const double *values) {
    MacUcbNode *n = &m->nodes.items[node];
    if (n->status == MAC_NEW)
        add_to_mean(m, node, ++n->pulls, values);
}

static void play_abreast(Pulls *p, int *goals) {
    MacUcb *m = p->m;
    PlayoutStart starts[MACUCB_LANES];
    PlayoutResult results[MACUCB_LANES];
    size_t count = 0;
    for (size_t i = 0; i < p->pulls.count; i++) {
        const Pull *pull = &p->pulls.items[i];
        if (!pull->state)
            continue;
        starts[count] =
            (PlayoutStart){pull->state, pull->has_moves ? p->moves.items + pull->first_move : NULL};
        results[count++] = (PlayoutResult){.goals = goals + i * m->roles};
    }
    if (count)
        batch_play(m->batch, starts, count, m->options.step_limit, results);
    for (size_t i = 0; i < count; i++)
        for (uint32_t r = 0; r < m->roles && results[i].end != MATCH_TERMINAL; r++)
            results[i].goals[r] = GOAL_NONE;
}

static void play_singly(Pulls *p, int *goals) {
    MacUcb *m = p->m;
    for (size_t i = 0; i < p->pulls.count; i++) {
        const Pull *pull = &p->pulls.items[i];
        uint32_t steps;
        if (!pull->state)
            continue;
        state_copy(&m->state, pull->state);
        if (pull->has_moves)
            game_next(m->work, pull->state, p->moves.items + pull->first_move, &m->state);
        MatchEnd end =
            game_play_randomly(m->work, &m->state, &m->random, m->options.step_limit, &steps);
        for (uint32_t r = 0; r < m->roles; r++)
            goals[i * m->roles + r] =
                end == MATCH_TERMINAL ? game_goal(m->work, &m->state, r) : GOAL_NONE;
    }
}

uint32_t macucb_pull(MacUcb *m, const uint32_t *nodes, uint32_t count) {
    Pulls p = {.m = m};
    double values[64];
    uint32_t pulls = 0, most = m->batch ? MACUCB_LANES : MACUCB_MIN_VALUE_PULLS / 2;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t wanted = macucb_wanted_pulls(&m->nodes.items[nodes[i]]);
             wanted && pulls < most; wanted--, pulls++)
            descend(&p, nodes[i]);
    for (; pulls < most; pulls++)
        descend(&p, nodes[pulls % count]);
    int *goals = memory_alloc((p.pulls.count * m->roles + 1) * sizeof *goals);
    if (m->batch)
        play_abreast(&p, goals);
    else
        play_singly(&p, goals);
    for (size_t i = 0; i < p.pulls.count; i++) {
        const Pull *pull = &p.pulls.items[i];
        for (uint32_t r = 0; r < m->roles; r++)
            values[r] = pull->state ? goal_to_value(m->ranges[r], goals[i * m->roles + r])
                                    : macucb_node_values(m, pull->leaf, MAC_VALUE)[r];
        reward(&p, pull, values);
        if (pull->first_step == pull->end_step)
            sample(m, pull->leaf, values);
        m->search.playouts++;
    }
    free(goals);
    vectors_free(&p.steps, &p.choices, &p.moves, &p.pulls);
    return pulls;
}
