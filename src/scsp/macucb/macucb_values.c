/* Backs values and bounds up from child to parent. A node whose mover has a proven best action is
 * closed at once, so that no more time is spent below it. */
#include <math.h>

#include "scsp/macucb/macucb.h"

enum { MAX_UPDATES = 1 << 16 }; /* greatest number of nodes updated by one backup (untuned) */
static const double NEGLIGIBLE = 5e-4; /* smaller changes of a value are not backed up (untuned) */
/* Number of pulls of an outcome at which its own mean and the mean of its edge weigh equally: the
 * variance of playouts divided by the variance between outcomes (untuned). */
static const double ALIKE = 12;

bool macucb_is_evaluated(const MacUcbNode *node) {
    return node->is_exact || node->is_spent || node->status == MAC_EVALUATED ||
           (node->status == MAC_FLAT && node->pulls >= MACUCB_MIN_VALUE_PULLS);
}

bool macucb_is_open(const MacUcbNode *node) {
    return macucb_is_evaluated(node) || (node->status == MAC_SOLVED && node->mover == MAC_NOBODY);
}

bool macucb_has_value(const MacUcbNode *node) {
    return node->is_sampled || macucb_is_evaluated(node);
}

/* If several roles choose, every pull counts for one arm of each. */
uint32_t macucb_lacking(const MacUcbNode *n) {
    if (n->mover == MAC_NOBODY)
        return 0;
    uint32_t arms = n->mover == MAC_SEVERAL ? n->arm_count : n->edge_count;
    uint32_t enough = 2 * arms > MACUCB_MIN_VALUE_PULLS ? 2 * arms : MACUCB_MIN_VALUE_PULLS;
    return n->pulls < enough ? enough - n->pulls : 0;
}

uint32_t macucb_wanted_pulls(const MacUcbNode *n) {
    uint32_t lacking = macucb_lacking(n);
    uint32_t wanted = n->waits_for ? n->waits_for : MACUCB_MIN_SOLVED_PULLS;
    return lacking > wanted ? lacking : wanted;
}

void macucb_wait(MacUcb *m, uint32_t node, uint32_t pulls) {
    m->nodes.items[node].waits_for += pulls;
    m->waiting += pulls;
}

/* With the paranoid option the other roles minimise the value of the searching role. */
double macucb_value_for_mover(const MacUcb *m, uint32_t mover, const double *values) {
    return m->own.is_paranoid && mover != m->search.role ? 1 - values[m->search.role]
                                                         : values[mover];
}

bool macucb_has_small_leaves(const MacUcb *m) {
    return m->leaf_pulls < MACUCB_MIN_SOLVED_PULLS;
}

double macucb_pulls_of_paths(const MacUcb *m, double ways) {
    return ways * (m->leaf_pulls < MACUCB_MIN_VALUE_PULLS ? m->leaf_pulls : MACUCB_MIN_VALUE_PULLS);
}

double macucb_edge_evidence(const MacUcb *m, uint32_t edge) {
    const MacUcbEdge *e = &m->edges.items[m->edges.items[edge].twin];
    return e->pulls + macucb_pulls_of_paths(m, e->visits);
}

/* Returns a lower bound of the pulls behind the value of a node. */
static double node_evidence(const MacUcb *m, const MacUcbNode *n) {
    double ways = n->status == MAC_NEW ? 0 : n->visits;
    return fmax(n->pulls + macucb_pulls_of_paths(m, ways), 1);
}

/* Returns the weight of an outcome's own value, 0 to 1; the rest is the mean of the edge. It is 1
 * if the outcome is exact or spent, and if leaves are not small. */
static double trust_in(const MacUcb *m, const MacUcbEdge *e, const MacUcbNode *child) {
    if (!macucb_has_value(child))
        return 0;
    if (child->is_exact || child->is_spent || !macucb_has_small_leaves(m))
        return 1;
    if (e->outcome_count == 1)
        return child->status != MAC_NEW && child->mover != MAC_NOBODY;
    double evidence = node_evidence(m, child);
    return evidence / (evidence + ALIKE);
}

/* Returns the number of pulls of the edge that the value of an outcome counts for. A single outcome
 * counts fully; one of several counts at most ALIKE pulls, because the others may differ. If leaves
 * are not small, an edge has many pulls of its own, and outcomes count only if it has none. */
static double weight_of_outcome(const MacUcb *m, const MacUcbEdge *e, const MacUcbOutcome *o) {
    const MacUcbNode *child = &m->nodes.items[o->node];
    if (!macucb_has_value(child))
        return 0;
    if (!macucb_has_small_leaves(m))
        return e->pulls ? 0 : o->probability;
    if (e->outcome_count == 1)
        return node_evidence(m, child);
    return e->outcome_count * o->probability * ALIKE * trust_in(m, e, child);
}

/* Computes the weighted mean of the edge's own pulls and its outcomes; false without evidence. */
static bool average_outcomes(MacUcb *m, uint32_t edge, double *means) {
    const MacUcbEdge *e = &m->edges.items[edge];
    const double *sums = macucb_edge_values(m, edge, MAC_SUM);
    double all = e->pulls;
    for (uint32_t r = 0; r < m->roles; r++)
        means[r] = sums[r];
    for (uint32_t i = 0; i < e->outcome_count; i++) {
        const MacUcbOutcome *o = &m->outcomes.items[e->first_outcome + i];
        double weight = weight_of_outcome(m, e, o);
        all += weight;
        for (uint32_t r = 0; r < m->roles && weight > 0; r++)
            means[r] += weight * macucb_node_values(m, o->node, MAC_VALUE)[r];
    }
    for (uint32_t r = 0; r < m->roles; r++)
        means[r] = all > 0 ? means[r] / all : 0.5;
    return all > 0;
}

/* Computes the value of an edge. Outcomes with little evidence are assumed to be like the mean of
 * the edge, which reduces the noise of single pulls (shrinkage). */
static void value_edge(MacUcb *m, uint32_t edge) {
    MacUcbEdge *e = &m->edges.items[edge];
    double *values = macucb_edge_values(m, edge, MAC_VALUE), means[64];
    e->is_known = average_outcomes(m, edge, means);
    e->is_closed = !e->is_drawn;
    e->is_spent = true;
    for (uint32_t r = 0; r < m->roles; r++)
        values[r] = 0;
    for (uint32_t i = 0; i < e->outcome_count; i++) {
        const MacUcbOutcome *o = &m->outcomes.items[e->first_outcome + i];
        const MacUcbNode *child = &m->nodes.items[o->node];
        double trust = trust_in(m, e, child);
        e->is_closed = e->is_closed && child->is_exact;
        e->is_spent = e->is_spent && (child->is_exact || child->is_spent);
        for (uint32_t r = 0; r < m->roles; r++)
            values[r] += o->probability * (trust * macucb_node_values(m, o->node, MAC_VALUE)[r] +
                                           (1 - trust) * means[r]);
    }
}

/* Updates the bounds of an edge. True if a bound changed. */
static bool bound_edge(MacUcb *m, uint32_t edge) {
    const MacUcbEdge *e = &m->edges.items[edge];
    bool has_changed = false;
    if (e->is_drawn)
        return false;
    for (uint32_t which = MAC_LOWEST; which <= MAC_HIGHEST; which++)
        for (uint32_t r = 0; r < m->roles; r++) {
            double *bound = &macucb_edge_values(m, edge, which)[r], sum = 0;
            for (uint32_t i = 0; i < e->outcome_count; i++) {
                const MacUcbOutcome *o = &m->outcomes.items[e->first_outcome + i];
                sum += o->probability * macucb_node_values(m, o->node, which)[r];
            }
            has_changed = has_changed || *bound != sum;
            *bound = sum;
        }
    return has_changed;
}

/* Updates an edge. True if something proven about it changed. */
static bool update_edge(MacUcb *m, uint32_t edge) {
    MacUcbEdge *e = &m->edges.items[edge];
    bool was_closed = e->is_closed, was_spent = e->is_spent;
    value_edge(m, edge);
    e->is_stale = false;
    return bound_edge(m, edge) || e->is_closed != was_closed || e->is_spent != was_spent;
}

static bool has_one_mover(const MacUcb *m, const MacUcbNode *n) {
    return n->mover < m->roles;
}

/* The lower (MAC_LOWEST) or upper (MAC_HIGHEST) bound of the value of an edge for the mover. */
static double bound_of(MacUcb *m, uint32_t edge, uint32_t mover, uint32_t which) {
    bool turned = m->own.is_paranoid && mover != m->search.role;
    uint32_t own = turned ? MAC_LOWEST + MAC_HIGHEST - which : which;
    return macucb_value_for_mover(m, mover, macucb_edge_values(m, edge, own));
}

/* Updates the bounds of a node. The mover maximises; bounds of the others cover all its choices. */
static void bound_node(MacUcb *m, uint32_t node) {
    const MacUcbNode *n = &m->nodes.items[node];
    double *lowest = macucb_node_values(m, node, MAC_LOWEST);
    double *highest = macucb_node_values(m, node, MAC_HIGHEST);
    bool has_mover = has_one_mover(m, n);
    double sure = 0;
    for (uint32_t e = n->first_edge; has_mover && e < n->first_edge + n->edge_count; e++)
        sure = fmax(sure, bound_of(m, e, n->mover, MAC_LOWEST));
    for (uint32_t r = 0; r < m->roles; r++) {
        double low = 1, high = 0;
        for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
            bool is_chosen = !has_mover || bound_of(m, e, n->mover, MAC_HIGHEST) >= sure - 1e-12;
            if (!is_chosen)
                continue;
            low = fmin(low, macucb_edge_values(m, e, MAC_LOWEST)[r]);
            high = fmax(high, macucb_edge_values(m, e, MAC_HIGHEST)[r]);
        }
        bool takes = has_mover && r == n->mover && !(m->own.is_paranoid && r != m->search.role);
        lowest[r] = takes ? sure : low;
        highest[r] = high;
    }
}

/* Returns the closed edge that is best for the mover; MAC_NOBODY if there is none. */
static uint32_t best_closed(MacUcb *m, const MacUcbNode *n) {
    uint32_t best = MAC_NONE;
    double most = -1;
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
        double worth = bound_of(m, e, n->mover, MAC_LOWEST);
        if (m->edges.items[e].is_closed && worth > most) {
            most = worth;
            best = e;
        }
    }
    return best;
}

/* If a closed action is proven best for the mover, the node takes its values. If the mover is
 * another role, ties are assumed to be resolved against the searching role, so that no equally good
 * action may be worse for that role. */
static void take_sure_action(MacUcb *m, uint32_t node) {
    const MacUcbNode *n = &m->nodes.items[node];
    uint32_t role = m->search.role, sure = best_closed(m, n);
    if (sure == MAC_NONE)
        return;
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++)
        if (bound_of(m, e, n->mover, MAC_HIGHEST) > bound_of(m, sure, n->mover, MAC_LOWEST) + 1e-9)
            return;
    double lowest = macucb_node_values(m, node, MAC_LOWEST)[role];
    if (n->mover != role && lowest < macucb_edge_values(m, sure, MAC_LOWEST)[role] - 1e-9)
        return;
    for (uint32_t which = MAC_LOWEST; which <= MAC_HIGHEST; which++)
        for (uint32_t r = 0; r < m->roles; r++)
            macucb_node_values(m, node, which)[r] = macucb_edge_values(m, sure, MAC_LOWEST)[r];
}

/* Returns the weight of an edge in the value of its node: its visits, plus one for its own pulls
 * together. Evidence below it does not count, because nodes may have several parents. */
static double weight_of(const MacUcbEdge *e, double part_of_pull) {
    return !e->is_known ? 0 : e->visits + (part_of_pull > 0 ? e->pulls * part_of_pull : 0.01);
}

static double part_of_pull(const MacUcbNode *n) {
    return n->pulls ? 1.0 / n->pulls : 0;
}

/* Takes the values of the best spent action if it is better for the mover than the mean of all: it
 * is not visited any more, but the mover would still choose it. */
static void prefer_what_is_spent(MacUcb *m, const MacUcbNode *n, double *values) {
    uint32_t best = MAC_NONE;
    double most = -1;
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
        double worth = macucb_value_for_mover(m, n->mover, macucb_edge_values(m, e, MAC_VALUE));
        if (m->edges.items[e].is_spent && worth > most) {
            most = worth;
            best = e;
        }
    }
    if (most < macucb_value_for_mover(m, n->mover, values))
        return;
    for (uint32_t r = 0; r < m->roles && best != MAC_NONE; r++)
        values[r] = macucb_edge_values(m, best, MAC_VALUE)[r];
}

/* Computes the mean weighted by visits, as in UCT: a maximum of estimates is biased upwards. */
static void average_edges(MacUcb *m, uint32_t node) {
    const MacUcbNode *n = &m->nodes.items[node];
    double *values = macucb_node_values(m, node, MAC_VALUE);
    double sums[64] = {0}, all = 0, part = part_of_pull(n);
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
        const MacUcbEdge *edge = &m->edges.items[e];
        double weight = edge->twin == e ? weight_of(edge, part) : 0;
        const double *worth = macucb_edge_values(m, e, MAC_VALUE);
        all += weight;
        for (uint32_t r = 0; r < m->roles && weight > 0; r++)
            sums[r] += weight * worth[r];
    }
    for (uint32_t r = 0; r < m->roles && all > 0; r++)
        values[r] = sums[r] / all;
}

static MacUcbArm *arm_of(MacUcb *m, const MacUcbNode *n, uint32_t role, uint32_t move) {
    for (uint32_t a = n->first_arm; a < n->first_arm + n->arm_count; a++)
        if (m->arms.items[a].role == role && m->arms.items[a].move == move)
            return &m->arms.items[a];
    return NULL;
}

/* Computes the value of each arm: the mean of its joint actions. */
static void average_arms(MacUcb *m, const MacUcbNode *n) {
    double part = part_of_pull(n);
    for (uint32_t a = n->first_arm; a < n->first_arm + n->arm_count; a++) {
        m->arms.items[a].weight = 0;
        m->arms.items[a].worth = 0;
    }
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
        const MacUcbEdge *edge = &m->edges.items[e];
        double weight = weight_of(edge, part);
        for (uint32_t r = 0; r < m->roles && weight > 0; r++) {
            uint32_t move = m->edge_joints.items[(size_t)e * m->roles + r];
            MacUcbArm *arm = move == MOVE_NONE ? NULL : arm_of(m, n, r, move);
            if (!arm)
                continue;
            double worth = macucb_value_for_mover(m, r, macucb_edge_values(m, e, MAC_VALUE));
            arm->weight += weight;
            arm->worth += weight / arm->weight * (worth - arm->worth);
        }
    }
}

/* True if all actions are spent. Always false if several roles choose, because the value of such a
 * node depends on the frequencies of its actions, which are still being learnt. */
static bool has_only_spent_edges(const MacUcb *m, const MacUcbNode *n) {
    if (n->mover == MAC_SEVERAL)
        return false;
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++)
        if (!m->edges.items[e].is_spent)
            return false;
    return true;
}

/* True if playouts are still the best estimate: of a new node only immediate ends are known. */
static bool rests_on_samples(const MacUcbNode *n) {
    return n->is_sampled && n->pulls < MACUCB_MIN_VALUE_PULLS && !n->is_spent &&
           n->mover != MAC_NOBODY;
}

static void stop_waiting(MacUcb *m, MacUcbNode *n) {
    m->waiting -= n->waits_for;
    n->waits_for = 0;
}

/* True if an unsolved node has enough playouts for a value now. */
static bool end_sampling(MacUcb *m, uint32_t node) {
    MacUcbNode *n = &m->nodes.items[node];
    if (n->pulls < MACUCB_MIN_VALUE_PULLS && n->pulls < m->leaf_pulls)
        return false;
    n->is_sampled = true;
    n->reported_value = macucb_node_values(m, node, MAC_VALUE)[m->search.role];
    stop_waiting(m, n);
    return true;
}

/* Updates a node. True if the change must be backed up. */
static bool update(MacUcb *m, uint32_t node) {
    MacUcbNode *n = &m->nodes.items[node];
    if (n->status == MAC_NEW)
        return end_sampling(m, node);
    if (n->status != MAC_SOLVED && n->status != MAC_EVALUATED)
        return n->status == MAC_TERMINAL || n->status == MAC_FLAT;
    double *values = macucb_node_values(m, node, MAC_VALUE), gap = 0;
    bool was_exact = n->is_exact, was_judged = n->status == MAC_EVALUATED;
    double low_before = macucb_node_values(m, node, MAC_LOWEST)[m->search.role];
    double high_before = macucb_node_values(m, node, MAC_HIGHEST)[m->search.role];
    bool was_spent = n->is_spent, is_proof = false;
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++)
        if (m->edges.items[e].is_stale)
            is_proof = update_edge(m, e) || is_proof;
    n->has_proofs = n->has_proofs || is_proof;
    n->is_spent = has_only_spent_edges(m, n);
    if (is_proof)
        bound_node(m, node);
    if (is_proof && has_one_mover(m, n))
        take_sure_action(m, node);
    if (!rests_on_samples(n))
        average_edges(m, node);
    if (n->has_proofs && has_one_mover(m, n))
        prefer_what_is_spent(m, n, values);
    if (n->mover == MAC_SEVERAL)
        average_arms(m, n);
    for (uint32_t r = 0; r < m->roles; r++) {
        double low = macucb_node_values(m, node, MAC_LOWEST)[r];
        double high = macucb_node_values(m, node, MAC_HIGHEST)[r];
        values[r] = fmin(fmax(values[r], low), high);
        gap = fmax(gap, high - low);
    }
    n->is_exact = gap < 1e-9;
    if (!macucb_lacking(n) && (n->mover != MAC_NOBODY || m->edges.items[n->first_edge].is_known))
        n->status = MAC_EVALUATED;
    if (macucb_is_evaluated(n))
        stop_waiting(m, n);
    bool is_news = n->is_exact != was_exact || n->is_spent != was_spent ||
                   (n->status == MAC_EVALUATED) != was_judged ||
                   fabs(values[m->search.role] - n->reported_value) > NEGLIGIBLE ||
                   macucb_node_values(m, node, MAC_LOWEST)[m->search.role] != low_before ||
                   macucb_node_values(m, node, MAC_HIGHEST)[m->search.role] != high_before;
    if (is_news)
        n->reported_value = values[m->search.role];
    return is_news;
}

static void enqueue(MacUcb *m, uint32_t node) {
    if (m->nodes.items[node].is_queued)
        return;
    m->nodes.items[node].is_queued = true;
    vector_push(&m->queue, node);
}

/* Marks an edge whose outcome has changed and queues its node. */
static void tell(MacUcb *m, uint32_t edge) {
    m->edges.items[edge].is_stale = true;
    if (m->queue.count < MAX_UPDATES)
        enqueue(m, m->edges.items[edge].node);
}

/* Backs up until the queue is empty. A node may be updated several times, because paths of
 * different lengths lead to it. Cycles end when changes become negligible, or by MAX_UPDATES. */
void macucb_back_up(MacUcb *m, const uint32_t *nodes, uint32_t count) {
    vector_clear(&m->queue);
    for (uint32_t i = 0; i < count; i++)
        enqueue(m, nodes[i]);
    for (size_t i = 0; i < m->queue.count; i++) {
        uint32_t at = m->queue.items[i];
        m->nodes.items[at].is_queued = false;
        if (!update(m, at))
            continue;
        const MacUcbNode *n = &m->nodes.items[at];
        if (n->parent != MAC_NONE)
            tell(m, n->parent);
        for (size_t p = 0; p < n->more_parents.count; p++)
            tell(m, n->more_parents.items[p]);
    }
}
