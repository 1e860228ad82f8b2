/* Ways down: which node is solved next. The threshold that the root is sure of goes down with the
 * way and tells which actions need not be followed. */
#include <math.h>

#include "scsp/macucb.h"

static double width(MacUcb *m, uint32_t node) {
    return macucb_node_values(m, node, MAC_HIGHEST)[m->search.role] -
           macucb_node_values(m, node, MAC_LOWEST)[m->search.role];
}

/* How far the value of something that was followed so often may be off. */
static double doubt(const MacUcb *m, double visits, double all) {
    return m->options.exploration * sqrt(log(all + 1) / (visits + 1));
}

/* Whether the edge cannot be, or is not expected to be, worth the threshold. Only actions of the
 * searching role are nogoods: of others nobody knows what they are sure of. */
static bool is_nogood(MacUcb *m, const MacNode *n, uint32_t edge, double threshold) {
    MacEdge *e = &m->edges.items[edge];
    uint32_t role = m->search.role;
    if (n->mover != role || m->options.mac.is_unpruned)
        return false;
    double bound = INFINITY;
    if (e->is_known && macucb_edge_evidence(m, edge) >= MACUCB_ENOUGH)
        bound = macucb_edge_values(m, edge, MAC_VALUE)[role] + doubt(m, e->visits, n->visits);
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
    double best_rank = -INFINITY;
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
        const MacEdge *edge = &m->edges.items[e];
        if (edge->twin != e || edge->is_closed)
            continue;
        double worth = edge->is_known && n->mover < m->roles
                           ? macucb_worth(m, n->mover, macucb_edge_values(m, e, MAC_VALUE))
                           : 0.5;
        double rank = worth + doubt(m, edge->visits, n->visits);
        if (is_nogood(m, n, e, threshold))
            rank -= edge->is_proved ? 2000 : 1000;
        if (rank > best_rank) {
            best_rank = rank;
            best = e;
        }
    }
    return best;
}

/* Each role's arm with the highest bound; an open edge in its place if that joint action is known
 * to the end. */
static uint32_t select_joint(MacUcb *m, const MacNode *n, double threshold) {
    uint32_t joint[64];
    for (uint32_t r = 0; r < m->roles; r++)
        joint[r] = MOVE_NONE;
    double best_rank[64];
    for (uint32_t r = 0; r < m->roles; r++)
        best_rank[r] = -INFINITY;
    for (uint32_t a = n->first_arm; a < n->first_arm + n->arm_count; a++) {
        const MacArm *arm = &m->arms.items[a];
        double rank = (arm->weight > 0 ? arm->worth : 0.5) + doubt(m, arm->weight, n->visits);
        if (rank > best_rank[arm->role]) {
            best_rank[arm->role] = rank;
            joint[arm->role] = arm->move;
        }
    }
    uint32_t edge = macucb_find_edge(m, n, joint);
    return m->edges.items[edge].is_closed ? select_edge(m, n, threshold) : edge;
}

static uint32_t select_outcome(MacUcb *m, const MacEdge *e) {
    uint32_t best = MAC_NOBODY;
    double best_rank = -1;
    for (uint32_t i = 0; i < e->outcome_count; i++) {
        const MacOutcome *o = &m->outcomes.items[e->first_outcome + i];
        const MacNode *child = &m->nodes.items[o->node];
        double rank = o->p * (width(m, o->node) + 1e-3) / (1 + child->visits);
        if (!child->is_exact && rank > best_rank) {
            best_rank = rank;
            best = e->first_outcome + i;
        }
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

/* Not further than one turn below a node that has no value yet: nothing is known there of what
 * promises anything. That node is the next to be pulled. */
uint32_t macucb_select(MacUcb *m, uint32_t *last) {
    uint32_t node = m->root, depth = 0;
    double threshold = m->threshold;
    bool is_judged = true;
    *last = MAC_NOBODY;
    while (depth++ < MACUCB_DEEPEST) {
        MacNode *n = &m->nodes.items[node];
        n->visits++;
        m->depth = depth > m->depth ? depth : m->depth;
        if (is_judged && !macucb_has_value(n))
            vector_push(&m->newest, node);
        if (n->status == MAC_NEW)
            return node;
        *last = node;
        if (n->status == MAC_FLAT || n->is_exact || !is_judged)
            return MAC_NOBODY;
        is_judged = macucb_has_value(n);
        uint32_t edge =
            n->mover == MAC_SEVERAL ? select_joint(m, n, threshold) : select_edge(m, n, threshold);
        uint32_t outcome =
            edge == MAC_NOBODY ? MAC_NOBODY : select_outcome(m, &m->edges.items[edge]);
        if (outcome == MAC_NOBODY)
            return MAC_NOBODY;
        m->edges.items[edge].visits++;
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
                         doubt(m, e->visits, m->nodes.items[m->root].visits));
}

void macucb_tighten(MacUcb *m) {
    const MacNode *root = &m->nodes.items[m->root];
    if ((root->status != MAC_SOLVED && root->status != MAC_JUDGED) || root->mover != m->search.role)
        return;
    m->threshold = 0;
    for (uint32_t e = root->first_edge; e < root->first_edge + root->edge_count; e++)
        m->threshold = fmax(m->threshold, sure_value(m, e));
}
