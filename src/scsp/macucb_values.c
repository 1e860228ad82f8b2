/* Values and bounds, carried up from child to parent. What is decided is closed at once: a node
 * whose mover can be sure of the most there is needs nothing more, or the time of the search would
 * go to what nobody asks any more. */
#include <math.h>

#include "scsp/macucb.h"

enum { MOST_UPDATES = 1 << 16 /* of one backup */ };
static const double NEGLIGIBLE = 5e-4; /* change of a value that nobody above needs to know of */

bool macucb_has_value(const MacNode *node) {
    return node->is_exact || node->status == MAC_JUDGED ||
           (node->status == MAC_FLAT && node->pulls >= MACUCB_ENOUGH);
}

/* What values are worth to a mover. Others than the searching role may be taken to want nothing
 * but its harm. */
double macucb_worth(const MacUcb *m, uint32_t mover, const double *values) {
    return m->options.mac.is_paranoid && mover != m->search.role ? 1 - values[m->search.role]
                                                                 : values[mover];
}

double macucb_edge_evidence(const MacUcb *m, uint32_t edge) {
    const MacEdge *e = &m->edges.items[m->edges.items[edge].twin];
    return e->pulls + (double)MACUCB_ENOUGH * e->visits;
}

/* Outcomes that have a value count with it, the others with the mean of the edge's own pulls. */
static void value_edge(MacUcb *m, uint32_t edge) {
    MacEdge *e = &m->edges.items[edge];
    double known = 0;
    e->is_closed = true;
    for (uint32_t i = 0; i < e->outcome_count; i++) {
        const MacOutcome *o = &m->outcomes.items[e->first_outcome + i];
        e->is_closed = e->is_closed && m->nodes.items[o->node].is_exact;
        known += macucb_has_value(&m->nodes.items[o->node]) ? o->p : 0;
    }
    e->is_known = e->pulls || known > 0;
    for (uint32_t r = 0; r < m->roles; r++) {
        double sum = 0, mean = e->pulls ? macucb_edge_values(m, edge, MAC_SUM)[r] / e->pulls : 0.5;
        for (uint32_t i = 0; i < e->outcome_count && known > 0; i++) {
            const MacOutcome *o = &m->outcomes.items[e->first_outcome + i];
            if (macucb_has_value(&m->nodes.items[o->node]))
                sum += o->p * macucb_node_values(m, o->node, MAC_VALUE)[r];
        }
        if (!e->pulls && known > 0)
            mean = sum / known;
        macucb_edge_values(m, edge, MAC_VALUE)[r] = sum + (known < 1 ? (1 - known) * mean : 0);
    }
}

static void bound_edge(MacUcb *m, uint32_t edge) {
    const MacEdge *e = &m->edges.items[edge];
    for (uint32_t which = MAC_LOWEST; which <= MAC_HIGHEST; which++)
        for (uint32_t r = 0; r < m->roles; r++) {
            double sum = 0;
            for (uint32_t i = 0; i < e->outcome_count; i++) {
                const MacOutcome *o = &m->outcomes.items[e->first_outcome + i];
                sum += o->p * macucb_node_values(m, o->node, which)[r];
            }
            macucb_edge_values(m, edge, which)[r] = sum;
        }
}

static void update_edge(MacUcb *m, uint32_t edge) {
    value_edge(m, edge);
    bound_edge(m, edge);
    m->edges.items[edge].is_stale = false;
}

static bool has_one_mover(const MacUcb *m, const MacNode *n) {
    return n->mover < m->roles;
}

/* The least and the most that an edge can be worth to the mover. */
static double least_worth(MacUcb *m, uint32_t edge, uint32_t mover) {
    bool turned = m->options.mac.is_paranoid && mover != m->search.role;
    return macucb_worth(m, mover, macucb_edge_values(m, edge, turned ? MAC_HIGHEST : MAC_LOWEST));
}

static double most_worth(MacUcb *m, uint32_t edge, uint32_t mover) {
    bool turned = m->options.mac.is_paranoid && mover != m->search.role;
    return macucb_worth(m, mover, macucb_edge_values(m, edge, turned ? MAC_LOWEST : MAC_HIGHEST));
}

/* The mover takes what is best for it; the others get what one of its possible choices gives. */
static void bound_node(MacUcb *m, uint32_t node) {
    const MacNode *n = &m->nodes.items[node];
    double *lowest = macucb_node_values(m, node, MAC_LOWEST);
    double *highest = macucb_node_values(m, node, MAC_HIGHEST);
    bool has_mover = has_one_mover(m, n);
    double sure = 0;
    for (uint32_t e = n->first_edge; has_mover && e < n->first_edge + n->edge_count; e++)
        sure = fmax(sure, least_worth(m, e, n->mover));
    for (uint32_t r = 0; r < m->roles; r++) {
        double low = 1, high = 0;
        for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
            bool is_chosen = !has_mover || most_worth(m, e, n->mover) >= sure - 1e-12;
            if (!is_chosen)
                continue;
            low = fmin(low, macucb_edge_values(m, e, MAC_LOWEST)[r]);
            high = fmax(high, macucb_edge_values(m, e, MAC_HIGHEST)[r]);
        }
        bool takes =
            has_mover && r == n->mover && !(m->options.mac.is_paranoid && r != m->search.role);
        lowest[r] = takes ? sure : low;
        highest[r] = high;
    }
}

/* The edge known to the end that is best for the mover; MAC_NOBODY if there is none. */
static uint32_t best_closed(MacUcb *m, const MacNode *n) {
    uint32_t best = MAC_NOBODY;
    double most = -1;
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
        double worth = least_worth(m, e, n->mover);
        if (m->edges.items[e].is_closed && worth > most) {
            most = worth;
            best = e;
        }
    }
    return best;
}

/* A mover that can be sure of the most there is for it need not know what else would give as much:
 * it takes what is known. Of equal actions of others the one that is worst for the searching role
 * counts, so that must be known to be no worse. */
static void take_sure_action(MacUcb *m, uint32_t node) {
    const MacNode *n = &m->nodes.items[node];
    uint32_t role = m->search.role, sure = best_closed(m, n);
    if (sure == MAC_NOBODY)
        return;
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++)
        if (most_worth(m, e, n->mover) > least_worth(m, sure, n->mover) + 1e-9)
            return;
    double lowest = macucb_node_values(m, node, MAC_LOWEST)[role];
    if (n->mover != role && lowest < macucb_edge_values(m, sure, MAC_LOWEST)[role] - 1e-9)
        return;
    for (uint32_t which = MAC_LOWEST; which <= MAC_HIGHEST; which++)
        for (uint32_t r = 0; r < m->roles; r++)
            macucb_node_values(m, node, which)[r] = macucb_edge_values(m, sure, MAC_LOWEST)[r];
}

/* How much an edge says about its node: how often it was followed, its first pulls together for
 * one. Evidence below it does not count, since nodes may be reached in many ways. */
static double weight_of(const MacNode *n, const MacEdge *e) {
    return !e->is_known ? 0 : e->visits + (n->pulls ? (double)e->pulls / n->pulls : 0.01);
}

/* Actions known to the end are not followed any more; the mover takes one all the same if it is
 * worth more than what the others are expected to be. */
static void prefer_what_is_sure(MacUcb *m, const MacNode *n, double *values) {
    uint32_t sure = best_closed(m, n);
    if (sure == MAC_NOBODY || least_worth(m, sure, n->mover) < macucb_worth(m, n->mover, values))
        return;
    for (uint32_t r = 0; r < m->roles; r++)
        values[r] = macucb_edge_values(m, sure, MAC_LOWEST)[r];
}

/* The mean of the edges by how often they were followed, which the best ones are most: the value of
 * the best alone would be too good for the mover while values are estimates. */
static void average_edges(MacUcb *m, uint32_t node) {
    MacNode *n = &m->nodes.items[node];
    double *values = macucb_node_values(m, node, MAC_VALUE);
    for (uint32_t r = 0; r < m->roles; r++) {
        double sum = 0, all = 0;
        for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
            const MacEdge *edge = &m->edges.items[e];
            if (edge->twin != e)
                continue;
            sum += weight_of(n, edge) * macucb_edge_values(m, e, MAC_VALUE)[r];
            all += weight_of(n, edge);
        }
        if (all > 0)
            values[r] = sum / all;
    }
    if (has_one_mover(m, n))
        prefer_what_is_sure(m, n, values);
}

static MacArm *arm_of(MacUcb *m, const MacNode *n, uint32_t role, uint32_t move) {
    for (uint32_t a = n->first_arm; a < n->first_arm + n->arm_count; a++)
        if (m->arms.items[a].role == role && m->arms.items[a].move == move)
            return &m->arms.items[a];
    return NULL;
}

/* Where several choose, each arm is worth the mean of the joint actions it is part of. */
static void average_arms(MacUcb *m, const MacNode *n) {
    for (uint32_t a = n->first_arm; a < n->first_arm + n->arm_count; a++) {
        m->arms.items[a].weight = 0;
        m->arms.items[a].worth = 0;
    }
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
        const MacEdge *edge = &m->edges.items[e];
        double weight = weight_of(n, edge);
        for (uint32_t r = 0; r < m->roles && weight > 0; r++) {
            uint32_t move = m->edge_joints.items[(size_t)e * m->roles + r];
            MacArm *arm = move == MOVE_NONE ? NULL : arm_of(m, n, r, move);
            if (!arm)
                continue;
            double worth = macucb_worth(m, r, macucb_edge_values(m, e, MAC_VALUE));
            arm->weight += weight;
            arm->worth += weight / arm->weight * (worth - arm->worth);
        }
    }
}

/* Where several choose, every pull is one of an arm of each. */
static bool is_enough(const MacNode *n) {
    uint32_t arms = n->mover == MAC_SEVERAL ? n->arm_count : n->edge_count;
    return n->pulls >= (2 * arms > MACUCB_ENOUGH ? 2 * arms : MACUCB_ENOUGH);
}

/* Answers whether those above should know of the change. */
static bool update(MacUcb *m, uint32_t node) {
    MacNode *n = &m->nodes.items[node];
    if (n->status != MAC_SOLVED && n->status != MAC_JUDGED)
        return n->status == MAC_TERMINAL || n->status == MAC_FLAT;
    double *values = macucb_node_values(m, node, MAC_VALUE), gap = 0;
    bool was_exact = n->is_exact, was_judged = n->status == MAC_JUDGED;
    double low_before = macucb_node_values(m, node, MAC_LOWEST)[m->search.role];
    double high_before = macucb_node_values(m, node, MAC_HIGHEST)[m->search.role];
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++)
        if (m->edges.items[e].is_stale)
            update_edge(m, e);
    bound_node(m, node);
    if (has_one_mover(m, n))
        take_sure_action(m, node);
    average_edges(m, node);
    if (n->mover == MAC_SEVERAL)
        average_arms(m, n);
    for (uint32_t r = 0; r < m->roles; r++) {
        double low = macucb_node_values(m, node, MAC_LOWEST)[r];
        double high = macucb_node_values(m, node, MAC_HIGHEST)[r];
        values[r] = fmin(fmax(values[r], low), high);
        gap = fmax(gap, high - low);
    }
    n->is_exact = gap < 1e-9;
    if (is_enough(n))
        n->status = MAC_JUDGED;
    bool is_news = n->is_exact != was_exact || (n->status == MAC_JUDGED) != was_judged ||
                   fabs(values[m->search.role] - n->told) > NEGLIGIBLE ||
                   macucb_node_values(m, node, MAC_LOWEST)[m->search.role] != low_before ||
                   macucb_node_values(m, node, MAC_HIGHEST)[m->search.role] != high_before;
    if (is_news)
        n->told = values[m->search.role];
    return is_news;
}

static void enqueue(MacUcb *m, uint32_t node) {
    if (m->nodes.items[node].is_queued)
        return;
    m->nodes.items[node].is_queued = true;
    vector_push(&m->queue, node);
}

/* A node is looked at again whenever something below it changed, since ways of different lengths
 * lead up to it; ways that lead back end because changes become negligible, or by the bound. */
void macucb_back_up(MacUcb *m, const uint32_t *nodes, uint32_t count) {
    vector_clear(&m->queue);
    for (uint32_t i = 0; i < count; i++)
        enqueue(m, nodes[i]);
    for (size_t i = 0; i < m->queue.count; i++) {
        uint32_t at = m->queue.items[i];
        m->nodes.items[at].is_queued = false;
        if (!update(m, at))
            continue;
        const U32Vector *parents = &m->nodes.items[at].parents;
        for (size_t p = 0; p < parents->count; p++) {
            m->edges.items[parents->items[p]].is_stale = true;
            if (m->queue.count < MOST_UPDATES)
                enqueue(m, m->edges.items[parents->items[p]].node);
        }
    }
}
