/* Values and bounds: carried up from child to parent, and thresholds down from the root. */
#include <math.h>

#include "scsp/macucb.h"

enum {
    ENOUGH_PULLS = 30,   /* of a node, or of an edge before it is predicted to be bad */
    TIGHTENED_TURNS = 3, /* below the root, in which nogoods are marked */
};

bool macucb_has_value(const MacNode *node) {
    return node->is_exact || node->status == MAC_JUDGED || node->status == MAC_TERMINAL;
}

/* Outcomes that have a value count with it, the others with what pulls of the edge gave; those
 * count beside the pulls below. Nothing but exact values counts if there are no others. */
bool macucb_edge_value(MacUcb *m, uint32_t edge, uint32_t role, double *value) {
    edge = m->edges.items[edge].twin;
    const MacEdge *e = &m->edges.items[edge];
    double own = macucb_edge_values(m, edge, MAC_VALUE)[role],
           mean = e->pulls ? own / e->pulls : 0.5;
    double sum = 0, known = 0, weight = 0;
    bool is_exact = true;
    for (uint32_t i = 0; i < e->outcome_count; i++) {
        const MacOutcome *o = &m->outcomes.items[e->first_outcome + i];
        const MacNode *child = &m->nodes.items[o->node];
        is_exact = is_exact && child->is_exact;
        if (!macucb_has_value(child))
            continue;
        sum += o->p * macucb_node_values(m, o->node, MAC_VALUE)[role];
        known += o->p;
        weight += child->evidence;
    }
    if (!e->pulls && known > 0)
        mean = sum / known;
    double below = sum + (known < 1 ? (1 - known) * mean : 0);
    *value = is_exact ? sum : weight > 0 ? (own + weight * below) / (e->pulls + weight) : mean;
    return is_exact || weight > 0 || e->pulls;
}

/* As many pulls as would be as sure: variances of the outcomes add up. */
double macucb_edge_evidence(const MacUcb *m, uint32_t edge) {
    const MacEdge *e = &m->edges.items[m->edges.items[edge].twin];
    double variance = 0, known = 0;
    for (uint32_t i = 0; i < e->outcome_count; i++) {
        const MacOutcome *o = &m->outcomes.items[e->first_outcome + i];
        const MacNode *child = &m->nodes.items[o->node];
        if (!macucb_has_value(child) || child->evidence <= 0)
            continue;
        variance += o->p * o->p / child->evidence;
        known += o->p;
    }
    return e->pulls + (variance > 0 ? known * known / variance : 0);
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

/* The mover takes what is best for it; the others get what one of its possible choices gives. */
static void bound_node(MacUcb *m, uint32_t node) {
    const MacNode *n = &m->nodes.items[node];
    double *lowest = macucb_node_values(m, node, MAC_LOWEST);
    double *highest = macucb_node_values(m, node, MAC_HIGHEST);
    bool has_mover = n->mover != MAC_NOBODY && n->mover != MAC_SEVERAL;
    double sure = 0;
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
        bound_edge(m, e);
        if (has_mover)
            sure = fmax(sure, macucb_edge_values(m, e, MAC_LOWEST)[n->mover]);
    }
    for (uint32_t r = 0; r < m->roles; r++) {
        double low = 1, high = 0;
        for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
            bool is_chosen =
                !has_mover || macucb_edge_values(m, e, MAC_HIGHEST)[n->mover] >= sure - 1e-12;
            if (!is_chosen)
                continue;
            low = fmin(low, macucb_edge_values(m, e, MAC_LOWEST)[r]);
            high = fmax(high, macucb_edge_values(m, e, MAC_HIGHEST)[r]);
        }
        lowest[r] = has_mover && r == n->mover ? sure : low;
        highest[r] = high;
    }
}

/* The mean of the edges by how often they were followed, which the best ones are most: the value of
 * the best alone would be too good while values are estimates. Nodes may be shared by many ways, so
 * that there is never more evidence than all pulls together. */
static void average_edges(MacUcb *m, uint32_t node) {
    MacNode *n = &m->nodes.items[node];
    double *values = macucb_node_values(m, node, MAC_VALUE);
    double all = 0, evidence = 0;
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++)
        if (m->edges.items[e].twin == e) {
            evidence += macucb_edge_evidence(m, e);
            all += m->edges.items[e].pulls + m->edges.items[e].visits;
        }
    n->evidence = fmin(evidence, (double)m->statistics.pulls + 1);
    for (uint32_t r = 0; r < m->roles && all > 0; r++) {
        double sum = 0, weight = 0, value;
        for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
            const MacEdge *edge = &m->edges.items[e];
            if (edge->twin != e || !macucb_edge_value(m, e, r, &value))
                continue;
            sum += (edge->pulls + edge->visits) * value;
            weight += edge->pulls + edge->visits;
        }
        if (weight > 0)
            values[r] = sum / weight;
    }
}

/* Answers whether something changed. */
static bool update(MacUcb *m, uint32_t node) {
    MacNode *n = &m->nodes.items[node];
    if (n->status != MAC_SOLVED && n->status != MAC_JUDGED)
        return n->status == MAC_TERMINAL || n->status == MAC_FLAT;
    double *values = macucb_node_values(m, node, MAC_VALUE);
    double before = values[m->search.role], gap = 0;
    bool was_exact = n->is_exact, was_judged = n->status == MAC_JUDGED;
    double low_before = macucb_node_values(m, node, MAC_LOWEST)[m->search.role];
    double high_before = macucb_node_values(m, node, MAC_HIGHEST)[m->search.role];
    bound_node(m, node);
    average_edges(m, node);
    for (uint32_t r = 0; r < m->roles; r++) {
        double low = macucb_node_values(m, node, MAC_LOWEST)[r];
        double high = macucb_node_values(m, node, MAC_HIGHEST)[r];
        values[r] = fmin(fmax(values[r], low), high);
        gap = fmax(gap, high - low);
    }
    n->is_exact = gap < 1e-9;
    uint32_t arms = n->edge_count;
    if (n->pulls >= (2 * arms > ENOUGH_PULLS ? 2 * arms : ENOUGH_PULLS))
        n->status = MAC_JUDGED;
    return n->is_exact != was_exact || (n->status == MAC_JUDGED) != was_judged ||
           fabs(values[m->search.role] - before) > 1e-9 ||
           macucb_node_values(m, node, MAC_LOWEST)[m->search.role] != low_before ||
           macucb_node_values(m, node, MAC_HIGHEST)[m->search.role] != high_before;
}

/* Every node at most once, so that ways that lead back end. */
void macucb_back_up(MacUcb *m, uint32_t node) {
    vector_clear(&m->queue);
    vector_push(&m->queue, node);
    m->nodes.items[node].is_queued = true;
    for (size_t i = 0; i < m->queue.count; i++) {
        uint32_t at = m->queue.items[i];
        if (!update(m, at))
            continue;
        const U32Vector *parents = &m->nodes.items[at].parents;
        for (size_t p = 0; p < parents->count; p++)
            if (!m->nodes.items[parents->items[p]].is_queued) {
                m->nodes.items[parents->items[p]].is_queued = true;
                vector_push(&m->queue, parents->items[p]);
            }
    }
    for (size_t i = 0; i < m->queue.count; i++)
        m->nodes.items[m->queue.items[i]].is_queued = false;
}

static double width(MacUcb *m, uint32_t node) {
    return macucb_node_values(m, node, MAC_HIGHEST)[m->search.role] -
           macucb_node_values(m, node, MAC_LOWEST)[m->search.role];
}

/* Whether everything below the edge is known. */
static bool is_closed(MacUcb *m, uint32_t edge) {
    const MacEdge *e = &m->edges.items[edge];
    for (uint32_t i = 0; i < e->outcome_count; i++)
        if (!m->nodes.items[m->outcomes.items[e->first_outcome + i].node].is_exact)
            return false;
    return true;
}

static uint32_t select_edge(MacUcb *m, const MacNode *n) {
    uint32_t best = MAC_NOBODY;
    double best_rank = -INFINITY;
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
        const MacEdge *edge = &m->edges.items[e];
        double value = 0.5;
        if (edge->is_proved || edge->is_predicted || edge->twin != e || is_closed(m, e))
            continue;
        if (n->mover < m->roles)
            macucb_edge_value(m, e, n->mover, &value);
        double rank = edge->visits
                          ? value + m->options.exploration * sqrt(log(n->visits + 1) / edge->visits)
                          : 1000 + value;
        if (rank > best_rank) {
            best_rank = rank;
            best = e;
        }
    }
    return best;
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
            best = o->node;
        }
    }
    return best;
}

uint32_t macucb_select(MacUcb *m, uint32_t *last) {
    uint32_t node = m->root, depth = 0;
    *last = MAC_NOBODY;
    while (node != MAC_NOBODY && depth++ < MACUCB_DEEPEST) {
        MacNode *n = &m->nodes.items[node];
        n->visits++;
        m->depth = depth > m->depth ? depth : m->depth;
        if (n->status == MAC_NEW)
            return node;
        *last = node;
        if (n->status == MAC_FLAT || n->is_exact)
            return MAC_NOBODY;
        uint32_t edge = select_edge(m, n);
        if (edge == MAC_NOBODY)
            return MAC_NOBODY;
        m->edges.items[edge].visits++;
        node = select_outcome(m, &m->edges.items[edge]);
    }
    return MAC_NOBODY;
}

/* What the mover of the root is sure of, or can count on. */
static double sure_value(MacUcb *m, uint32_t edge) {
    const MacEdge *e = &m->edges.items[edge];
    double low = macucb_edge_values(m, edge, MAC_LOWEST)[m->search.role], value;
    if (e->pulls < ENOUGH_PULLS || !macucb_edge_value(m, edge, m->search.role, &value))
        return low;
    uint32_t all = m->nodes.items[m->root].pulls;
    return fmax(low, value - sqrt(log(all + 1) / e->pulls));
}

static void mark_edges(MacUcb *m, uint32_t node, double threshold, uint32_t turns);

/* What each outcome has to be worth for the edge to reach the threshold. */
static void mark_below(MacUcb *m, const MacEdge *e, double threshold, uint32_t turns) {
    double most = 0;
    for (uint32_t i = 0; i < e->outcome_count; i++) {
        const MacOutcome *o = &m->outcomes.items[e->first_outcome + i];
        most += o->p * macucb_node_values(m, o->node, MAC_HIGHEST)[m->search.role];
    }
    for (uint32_t i = 0; i < e->outcome_count; i++) {
        const MacOutcome *o = &m->outcomes.items[e->first_outcome + i];
        double own = o->p * macucb_node_values(m, o->node, MAC_HIGHEST)[m->search.role];
        mark_edges(m, o->node, (threshold - (most - own)) / o->p, turns);
    }
}

/* Only actions of the searching role are nogoods: of others nobody knows what they are sure of. */
static void mark_edges(MacUcb *m, uint32_t node, double threshold, uint32_t turns) {
    const MacNode *n = &m->nodes.items[node];
    if ((n->status != MAC_SOLVED && n->status != MAC_JUDGED) || !turns || n->is_exact)
        return;
    bool is_own = n->mover == m->search.role;
    uint32_t first = n->first_edge, end = first + n->edge_count, pulls = n->pulls;
    for (uint32_t i = first; i < end; i++) {
        MacEdge *e = &m->edges.items[i];
        double value = 0, bound = 1;
        if (is_own && e->pulls >= ENOUGH_PULLS && macucb_edge_value(m, i, m->search.role, &value))
            bound = value + m->options.exploration * sqrt(log(pulls + 1) / e->pulls);
        bool was_proved = e->is_proved, was_predicted = e->is_predicted;
        e->is_proved =
            is_own && macucb_edge_values(m, i, MAC_HIGHEST)[m->search.role] < threshold - 1e-9;
        e->is_predicted = is_own && !e->is_proved && bound < threshold;
        m->statistics.proved += e->is_proved && !was_proved;
        m->statistics.predicted += e->is_predicted && !was_predicted;
        if (!e->is_proved && !e->is_predicted)
            mark_below(m, e, threshold, turns - 1);
    }
}

void macucb_tighten(MacUcb *m) {
    const MacNode *root = &m->nodes.items[m->root];
    if ((root->status != MAC_SOLVED && root->status != MAC_JUDGED) || root->mover != m->search.role)
        return;
    double threshold = 0;
    for (uint32_t e = root->first_edge; e < root->first_edge + root->edge_count; e++)
        threshold = fmax(threshold, sure_value(m, e));
    if (fabs(threshold - m->threshold) < 1e-6)
        return;
    m->threshold = threshold;
    mark_edges(m, m->root, threshold, TIGHTENED_TURNS);
}
