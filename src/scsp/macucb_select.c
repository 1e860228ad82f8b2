/* Ways down: which node is solved next. The threshold that the root is sure of goes down with the
 * way and tells which actions need not be followed. */
#include <math.h>

#include "scsp/macucb.h"

static const double BLIND = 0.1; /* part of the choices where several choose */

enum { MOST_CHOICES = 16 /* of a node where several choose, before the way ends there */ };

static double width(MacUcb *m, uint32_t node) {
    return macucb_node_values(m, node, MAC_HIGHEST)[m->search.role] -
           macucb_node_values(m, node, MAC_LOWEST)[m->search.role];
}

/* How far the value of something that was followed so often may be off, given the logarithm of all
 * visits. */
static double doubt(const MacUcb *m, double visits, double log_all) {
    return m->options.exploration * sqrt(log_all / (visits + 1));
}

/* Whether the edge cannot be, or is not expected to be, worth the threshold. Only actions of the
 * searching role are nogoods: of others nobody knows what they are sure of. */
static bool is_nogood(MacUcb *m, const MacNode *n, uint32_t edge, double threshold,
                      double log_visits) {
    MacEdge *e = &m->edges.items[edge];
    uint32_t role = m->search.role;
    if (n->mover != role || m->options.mac.is_unpruned)
        return false;
    double bound = INFINITY;
    if (e->is_known && macucb_edge_evidence(m, edge) >= MACUCB_ENOUGH)
        bound = macucb_edge_values(m, edge, MAC_VALUE)[role] + doubt(m, e->visits, log_visits);
    bool was_proved = e->is_proved, was_predicted = e->is_predicted;
    e->is_proved = macucb_edge_values(m, edge, MAC_HIGHEST)[role] < threshold - 1e-9;
    e->is_predicted = !e->is_proved && bound < threshold;
    m->statistics.proved += e->is_proved && !was_proved;
    m->statistics.predicted += e->is_predicted && !was_predicted;
    return e->is_proved || e->is_predicted;
}

/* The open edge with the highest bound; nogoods only where there is nothing else. */
static uint32_t select_edge(MacUcb *m, const MacNode *n, double threshold) {
    uint32_t best = MAC_NOBODY;
    double best_rank = -INFINITY, log_visits = log(n->visits + 1.0);
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
        const MacEdge *edge = &m->edges.items[e];
        if (edge->twin != e || edge->is_spent)
            continue;
        double worth = edge->is_known && n->mover < m->roles
                           ? macucb_worth(m, n->mover, macucb_edge_values(m, e, MAC_VALUE))
                           : 0.5;
        double rank = worth + doubt(m, edge->visits, log_visits);
        if (is_nogood(m, n, e, threshold, log_visits))
            rank -= edge->is_proved ? 2000 : 1000;
        if (rank > best_rank) {
            best_rank = rank;
            best = e;
        }
    }
    return best;
}

/* The arms of a role stand together. */
static uint32_t any_arm(MacUcb *m, const MacNode *n, uint32_t role) {
    uint32_t first = n->first_arm, count = 0;
    while (m->arms.items[first].role != role)
        first++;
    while (first + count < n->first_arm + n->arm_count && m->arms.items[first + count].role == role)
        count++;
    return m->arms.items[first + random_below(&m->random, count)].move;
}

/* Each role's arm with the highest bound, or now and then any: bounds alone would let all roles
 * change their arms in step, and most joint actions would never be looked at. */
static uint32_t choose_joint(MacUcb *m, const MacNode *n) {
    uint32_t joint[64];
    for (uint32_t r = 0; r < m->roles; r++)
        joint[r] = MOVE_NONE;
    double best_rank[64], log_visits = log(n->visits + 1.0);
    for (uint32_t r = 0; r < m->roles; r++)
        best_rank[r] = -INFINITY;
    for (uint32_t a = n->first_arm; a < n->first_arm + n->arm_count; a++) {
        const MacArm *arm = &m->arms.items[a];
        double rank = (arm->weight > 0 ? arm->worth : 0.5) + doubt(m, arm->weight, log_visits);
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

/* That the joint action was chosen, though there is nothing to solve below it: it says what its
 * arms are worth all the same. */
static void count_choice(MacUcb *m, MacNode *n, uint32_t edge) {
    n->visits++;
    m->edges.items[edge].visits++;
    for (uint32_t a = n->first_arm; a < n->first_arm + n->arm_count; a++) {
        MacArm *arm = &m->arms.items[a];
        if (m->edge_joints.items[(size_t)edge * m->roles + arm->role] != arm->move)
            continue;
        double worth = macucb_worth(m, arm->role, macucb_edge_values(m, edge, MAC_VALUE));
        arm->weight++;
        arm->worth += (worth - arm->worth) / arm->weight;
    }
}

/* The joint action that the roles choose, if there is something to solve below it. One that is
 * known to the end counts as chosen, and they choose again, as those do who learn from it. */
static uint32_t select_joint(MacUcb *m, MacNode *n) {
    for (int i = 0; i < MOST_CHOICES; i++) {
        uint32_t edge = choose_joint(m, n);
        if (!m->edges.items[edge].is_spent)
            return edge;
        count_choice(m, n, edge);
    }
    return MAC_NOBODY;
}

/* The outcome that was followed least for its probability; of several any, by lot, or chance that
 * is drawn in several turns, as dice one after the other, would first be seen with all later draws
 * alike. */
static uint32_t select_outcome(MacUcb *m, const MacEdge *e) {
    uint32_t best = MAC_NOBODY;
    uint64_t ties = 0;
    double best_rank = -1;
    for (uint32_t i = 0; i < e->outcome_count; i++) {
        const MacOutcome *o = &m->outcomes.items[e->first_outcome + i];
        const MacNode *child = &m->nodes.items[o->node];
        double rank = o->p * (width(m, o->node) + 1e-3) / (1 + child->visits);
        if (child->is_exact || child->is_spent || rank < best_rank - 1e-12)
            continue;
        ties = rank > best_rank + 1e-12 ? 1 : ties + 1;
        if (ties == 1 || random_below(&m->random, ties) == 0)
            best = e->first_outcome + i;
        best_rank = ties == 1 ? rank : best_rank;
    }
    return best;
}

/* What the outcome has to be worth for its edge to reach the threshold. */
static double threshold_of(MacUcb *m, const MacEdge *e, uint32_t edge, const MacOutcome *o,
                           double threshold) {
    double most = macucb_edge_values(m, edge, MAC_HIGHEST)[m->search.role];
    double own = o->p * macucb_node_values(m, o->node, MAC_HIGHEST)[m->search.role];
    return e->outcome_count == 1 ? threshold : (threshold - (most - own)) / o->p;
}

/* A way down that only has to wait does not count: it will be gone again. */
static void forget_way(MacUcb *m, const uint32_t *nodes, const uint32_t *edges, uint32_t length) {
    for (uint32_t i = 0; i < length; i++) {
        m->nodes.items[nodes[i]].visits--;
        if (i + 1 < length)
            m->edges.items[edges[i]].visits--;
    }
}

/* Not below a node that has no value yet: nothing is known there of what promises anything. That
 * node is the next to be pulled. Without lanes pulls are dear: one turn below it is allowed. */
uint32_t macucb_select(MacUcb *m, uint32_t *last) {
    uint32_t nodes[MACUCB_DEEPEST], edges[MACUCB_DEEPEST], node = m->root;
    double threshold = m->threshold;
    bool is_open = true;
    *last = MAC_NOBODY;
    for (uint32_t depth = 0; depth < MACUCB_DEEPEST; depth++) {
        MacNode *n = &m->nodes.items[node];
        n->visits++;
        nodes[depth] = node;
        m->depth = depth + 1 > m->depth ? depth + 1 : m->depth;
        if (is_open && !macucb_is_open(n))
            vector_push(&m->newest, node);
        if (n->status == MAC_NEW && !n->is_waiting)
            return node;
        *last = node;
        if (n->status == MAC_FLAT || n->is_exact || !is_open)
            return MAC_NOBODY;
        is_open = macucb_is_open(n);
        if (!is_open && m->lanes) {
            forget_way(m, nodes, edges, depth + 1);
            return MAC_NOBODY;
        }
        uint32_t edge = n->mover == MAC_SEVERAL ? select_joint(m, n) : select_edge(m, n, threshold);
        uint32_t outcome =
            edge == MAC_NOBODY ? MAC_NOBODY : select_outcome(m, &m->edges.items[edge]);
        if (outcome == MAC_NOBODY)
            return MAC_NOBODY;
        m->edges.items[edge].visits++;
        edges[depth] = edge;
        const MacOutcome *o = &m->outcomes.items[outcome];
        threshold = threshold_of(m, &m->edges.items[edge], edge, o, threshold);
        node = o->node;
    }
    return MAC_NOBODY;
}

/* What the mover of the root is sure of, or can count on. */
static double sure_value(MacUcb *m, uint32_t edge) {
    const MacEdge *e = &m->edges.items[edge];
    double low = macucb_edge_values(m, edge, MAC_LOWEST)[m->search.role];
    if (!e->is_known || macucb_edge_evidence(m, edge) < MACUCB_ENOUGH)
        return low;
    return fmax(low, macucb_edge_values(m, edge, MAC_VALUE)[m->search.role] -
                         doubt(m, e->visits, log(m->nodes.items[m->root].visits + 1.0)));
}

void macucb_tighten(MacUcb *m) {
    const MacNode *root = &m->nodes.items[m->root];
    if ((root->status != MAC_SOLVED && root->status != MAC_JUDGED) || root->mover != m->search.role)
        return;
    m->threshold = 0;
    for (uint32_t e = root->first_edge; e < root->first_edge + root->edge_count; e++)
        m->threshold = fmax(m->threshold, sure_value(m, e));
}
