/* Selects the path to the node that is solved next. The value that the root can count on is a
 * threshold along the path; actions that cannot reach it are nogoods. */
#include <math.h>

#include "scsp/macucb/macucb.h"

static const double BLIND = 0.1; /* probability of a random arm if several roles choose (untuned) */
enum { MAX_CHOICES = 16 };       /* attempts to find an open joint action of a node (untuned) */

/* Returns the exploration term of UCB. Evidence and its total are counted in paths or in pulls. */
static double doubt(const MacUcb *m, double known, double log_all) {
    return m->options.exploration * sqrt(log_all / (known + 1));
}

static double edge_exploration(const MacUcb *m, uint32_t edge, double log_all) {
    bool by_pulls = macucb_has_small_leaves(m);
    return doubt(m, by_pulls ? macucb_edge_evidence(m, edge) : m->edges.items[edge].visits,
                 log_all);
}

static double arm_exploration(const MacUcb *m, const MacUcbArm *arm, double log_all) {
    bool by_pulls = macucb_has_small_leaves(m);
    return doubt(m, by_pulls ? macucb_pulls_of_paths(m, arm->weight) : arm->weight, log_all);
}

static double log_of_all(const MacUcb *m, const MacUcbNode *n) {
    bool by_pulls = macucb_has_small_leaves(m);
    return log((by_pulls ? n->pulls + macucb_pulls_of_paths(m, n->visits) : n->visits) + 1);
}

/* True if the edge cannot reach the threshold, or is not expected to. Only actions of the searching
 * role are nogoods, because thresholds of other roles are unknown. */
static bool is_nogood(MacUcb *m, const MacUcbNode *n, uint32_t edge, double threshold,
                      double log_all) {
    MacUcbEdge *e = &m->edges.items[edge];
    uint32_t role = m->search.role;
    if (n->mover != role || m->own.follows_hopeless)
        return false;
    double bound = INFINITY;
    if (e->is_known && macucb_edge_evidence(m, edge) >= MACUCB_MIN_VALUE_PULLS)
        bound = macucb_edge_values(m, edge, MAC_VALUE)[role] + edge_exploration(m, edge, log_all);
    bool was_proved = e->is_proved, was_predicted = e->is_predicted;
    e->is_proved = macucb_edge_values(m, edge, MAC_HIGHEST)[role] < threshold - 1e-9;
    e->is_predicted = !e->is_proved && bound < threshold;
    m->statistics.proved += e->is_proved && !was_proved;
    m->statistics.predicted += e->is_predicted && !was_predicted;
    return e->is_proved || e->is_predicted;
}

/* Returns the open edge with the highest bound; a nogood only if there is no other. */
static uint32_t select_edge(MacUcb *m, const MacUcbNode *n, double threshold) {
    uint32_t best = MAC_NONE;
    double best_rank = -INFINITY, log_all = log_of_all(m, n);
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
        const MacUcbEdge *edge = &m->edges.items[e];
        if (edge->twin != e || edge->is_spent)
            continue;
        double worth =
            edge->is_known && n->mover < m->roles
                ? macucb_value_for_mover(m, n->mover, macucb_edge_values(m, e, MAC_VALUE))
                : 0.5;
        double rank = worth + edge_exploration(m, e, log_all);
        if (is_nogood(m, n, e, threshold, log_all))
            rank -= edge->is_proved ? 2000 : 1000;
        if (rank > best_rank) {
            best_rank = rank;
            best = e;
        }
    }
    return best;
}

/* Returns a random arm of the role; the arms of a role are consecutive. */
static uint32_t any_arm(MacUcb *m, const MacUcbNode *n, uint32_t role) {
    uint32_t first = n->first_arm, count = 0;
    while (first < n->first_arm + n->arm_count && m->arms.items[first].role != role)
        first++;
    assert(first < n->first_arm + n->arm_count);
    while (first + count < n->first_arm + n->arm_count && m->arms.items[first + count].role == role)
        count++;
    return m->arms.items[first + random_below(&m->random, count)].move;
}

/* Combines the arms with the highest bounds, and sometimes a random arm: with bounds alone all
 * roles would change their arms in step, and most joint actions would never be tried. */
static uint32_t choose_joint(MacUcb *m, const MacUcbNode *n) {
    uint32_t joint[64];
    double best_rank[64], log_all = log_of_all(m, n);
    for (uint32_t r = 0; r < m->roles; r++) {
        joint[r] = MOVE_NONE;
        best_rank[r] = -INFINITY;
    }
    for (uint32_t a = n->first_arm; a < n->first_arm + n->arm_count; a++) {
        const MacUcbArm *arm = &m->arms.items[a];
        double rank = (arm->weight > 0 ? arm->worth : 0.5) + arm_exploration(m, arm, log_all);
        if (rank > best_rank[arm->role]) {
            best_rank[arm->role] = rank;
            joint[arm->role] = arm->move;
        }
    }
    for (uint32_t r = 0; r < m->roles; r++)
        if (joint[r] != MOVE_NONE && random_double(&m->random) < BLIND)
            joint[r] = any_arm(m, n, r);
    return macucb_find_edge(m, n, joint);
}

/* Counts the choice of a joint action with nothing left to solve. Its value counts for its arms. */
static void count_choice(MacUcb *m, MacUcbNode *n, uint32_t edge) {
    n->visits++;
    m->edges.items[edge].visits++;
    for (uint32_t a = n->first_arm; a < n->first_arm + n->arm_count; a++) {
        MacUcbArm *arm = &m->arms.items[a];
        if (m->edge_joints.items[(size_t)edge * m->roles + arm->role] != arm->move)
            continue;
        double worth = macucb_value_for_mover(m, arm->role, macucb_edge_values(m, edge, MAC_VALUE));
        arm->weight++;
        arm->worth += (worth - arm->worth) / arm->weight;
    }
}

/* Chooses a joint action with something left to solve. A finished one only counts as chosen. */
static uint32_t select_joint(MacUcb *m, MacUcbNode *n) {
    for (int i = 0; i < MAX_CHOICES; i++) {
        uint32_t edge = choose_joint(m, n);
        if (!m->edges.items[edge].is_spent)
            return edge;
        count_choice(m, n, edge);
    }
    return MAC_NONE;
}

/* Returns the outcome with the fewest visits relative to its probability. Ties are broken at
 * random, because otherwise dice thrown in several turns would first show the same numbers. */
static uint32_t select_outcome(MacUcb *m, const MacUcbEdge *e) {
    uint32_t best = MAC_NONE;
    uint64_t ties = 0;
    double best_rank = -1;
    for (uint32_t i = 0; i < e->outcome_count; i++) {
        const MacUcbOutcome *o = &m->outcomes.items[e->first_outcome + i];
        const MacUcbNode *child = &m->nodes.items[o->node];
        double width = macucb_node_values(m, o->node, MAC_HIGHEST)[m->search.role] -
                       macucb_node_values(m, o->node, MAC_LOWEST)[m->search.role];
        double rank = o->probability * (width + 1e-3) / (1 + child->visits);
        if (child->is_exact || child->is_spent || rank < best_rank - 1e-12)
            continue;
        ties = rank > best_rank + 1e-12 ? 1 : ties + 1;
        if (ties == 1 || random_below(&m->random, ties) == 0)
            best = e->first_outcome + i;
        best_rank = ties == 1 ? rank : best_rank;
    }
    return best;
}

/* Returns the value that the outcome must have for its edge to reach the threshold. */
static double threshold_of(MacUcb *m, const MacUcbEdge *e, uint32_t edge, const MacUcbOutcome *o,
                           double threshold) {
    double most = macucb_edge_values(m, edge, MAC_HIGHEST)[m->search.role];
    double own = o->probability * macucb_node_values(m, o->node, MAC_HIGHEST)[m->search.role];
    return e->outcome_count == 1 ? threshold : (threshold - (most - own)) / o->probability;
}

void macucb_forget_path(MacUcb *m, const MacUcbPath *path) {
    for (uint32_t i = 0; i < path->length; i++) {
        m->nodes.items[path->nodes[i]].visits--;
        if (i + 1 < path->length)
            m->edges.items[path->edges[i]].visits--;
    }
}

/* Chooses the next node of the path; MAC_NONE if nothing is left to solve. */
static uint32_t leave(MacUcb *m, MacUcbPath *path) {
    MacUcbNode *n = &m->nodes.items[path->nodes[path->length - 1]];
    uint32_t edge =
        n->mover == MAC_SEVERAL ? select_joint(m, n) : select_edge(m, n, path->threshold);
    uint32_t outcome = edge == MAC_NONE ? MAC_NONE : select_outcome(m, &m->edges.items[edge]);
    if (outcome == MAC_NONE)
        return MAC_NONE;
    m->edges.items[edge].visits++;
    path->edges[path->length - 1] = edge;
    const MacUcbOutcome *o = &m->outcomes.items[outcome];
    path->threshold = threshold_of(m, &m->edges.items[edge], edge, o, path->threshold);
    return o->node;
}

/* Walks down until the path ends. A path ends at a node without a value, which is pulled next,
 * because nothing guides the path further. With small leaves the node gets pulls for this path,
 * too. Without lanes pulls are expensive, so that one more turn below it is allowed. */
static uint32_t walk(MacUcb *m, MacUcbPath *path, uint32_t node) {
    bool is_open = true;
    while (node != MAC_NONE && path->length < MACUCB_MAX_DEPTH) {
        MacUcbNode *n = &m->nodes.items[node];
        n->visits++;
        path->nodes[path->length++] = node;
        m->search.depth = path->length > m->search.depth ? path->length : m->search.depth;
        if (is_open && !macucb_is_open(n))
            vector_push(&m->newest, node);
        if (n->waits_for ? is_open && macucb_has_small_leaves(m) : n->status == MAC_NEW)
            return node;
        path->last = node;
        if (n->status == MAC_FLAT || n->is_exact || !is_open)
            return MAC_NONE;
        is_open = macucb_is_open(n);
        if (!is_open && m->lanes) {
            macucb_forget_path(m, path);
            return MAC_NONE;
        }
        node = leave(m, path);
    }
    return MAC_NONE;
}

uint32_t macucb_select(MacUcb *m, MacUcbPath *path) {
    path->length = 0;
    path->last = MAC_NONE;
    path->threshold = m->threshold;
    return walk(m, path, m->root);
}

uint32_t macucb_go_on(MacUcb *m, MacUcbPath *path) {
    return walk(m, path, leave(m, path));
}

/* Returns the value that the mover of the root can count on. */
static double sure_value(MacUcb *m, uint32_t edge) {
    const MacUcbEdge *e = &m->edges.items[edge];
    double low = macucb_edge_values(m, edge, MAC_LOWEST)[m->search.role];
    if (!e->is_known || macucb_edge_evidence(m, edge) < MACUCB_MIN_VALUE_PULLS)
        return low;
    return fmax(low, macucb_edge_values(m, edge, MAC_VALUE)[m->search.role] -
                         edge_exploration(m, edge, log_of_all(m, &m->nodes.items[m->root])));
}

void macucb_tighten(MacUcb *m) {
    const MacUcbNode *root = &m->nodes.items[m->root];
    if ((root->status != MAC_SOLVED && root->status != MAC_EVALUATED) ||
        root->mover != m->search.role)
        return;
    m->threshold = 0;
    for (uint32_t e = root->first_edge; e < root->first_edge + root->edge_count; e++)
        m->threshold = fmax(m->threshold, sure_value(m, e));
}
