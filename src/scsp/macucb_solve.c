/* Solving the network of one turn: every joint action with what it may lead to. The reasoner gives
 * the same answers as the network when nothing but the rules is asked, and faster; which of them is
 * asked is an option. */
#include <string.h>

#include "scsp/macucb.h"

enum {
    MOST_OTHERS = 512, /* moves of chance and of others in one state */
    SAMPLED = 64,      /* drawn where there are more */
};

static void push_joint(MacUcb *m, const uint32_t *joint) {
    for (uint32_t r = 0; r < m->roles; r++)
        vector_push(&m->joints, joint[r]);
}

/* A state to be filled, at the end of the list of successors. */
static State *new_successor(MacUcb *m) {
    if (m->successor_count == m->successors.count)
        vector_push(&m->successors, (State){0});
    return &m->successors.items[m->successor_count++];
}

static void add_raw(MacUcb *m, const uint32_t *joint, uint64_t percept, double p) {
    uint32_t successor = m->successor_count - 1;
    const State *state = &m->successors.items[successor];
    MacRaw raw = {(uint32_t)m->joints.count, successor, percept, p, false};
    raw.is_over = m->is_hidden && game_is_terminal(m->work, state);
    push_joint(m, joint);
    vector_push(&m->raws, raw);
}

/* Whether the role's move is the solver's to enumerate, or somebody's to draw. */
static double count_drawn(const MacUcb *m) {
    double count = 1;
    for (uint32_t r = 0; r < m->roles; r++)
        if (!m->decides[r])
            count *= (double)m->legal[r].count;
    return count;
}

static bool next_joint(const MacUcb *m, uint32_t *at, bool deciders) {
    for (uint32_t r = m->roles; r-- > 0;) {
        if (m->decides[r] != deciders)
            continue;
        if (++at[r] < m->legal[r].count)
            return true;
        at[r] = 0;
    }
    return false;
}

static void add_successor(MacUcb *m, const MacWorld *world, const uint32_t *at, double p) {
    uint32_t joint[64];
    uint64_t keys[64] = {0};
    for (uint32_t r = 0; r < m->roles; r++)
        joint[r] = m->legal[r].items[at[r]];
    State *next = new_successor(m);
    game_next(m->work, &world->state, joint, next);
    if (m->is_hidden)
        game_percept_keys(m->work, &world->state, joint, keys);
    add_raw(m, joint, keys[m->search.role], p);
}

/* What the others do after the moves of those who decide: all of it, or a sample. */
static void add_draws(MacUcb *m, const MacWorld *world, uint32_t *at) {
    double drawn = count_drawn(m);
    for (uint32_t r = 0; r < m->roles; r++)
        at[r] = m->decides[r] ? at[r] : 0;
    if (drawn <= MOST_OTHERS) {
        do
            add_successor(m, world, at, world->weight / drawn);
        while (next_joint(m, at, false));
        return;
    }
    for (uint32_t i = 0; i < SAMPLED; i++) {
        for (uint32_t r = 0; r < m->roles; r++)
            if (!m->decides[r])
                at[r] = (uint32_t)random_below(&m->random, m->legal[r].count);
        add_successor(m, world, at, world->weight / SAMPLED);
    }
}

static void ask_reasoner(MacUcb *m, const MacWorld *world) {
    uint32_t at[64] = {0};
    do
        add_draws(m, world, at);
    while (next_joint(m, at, true));
}

static void ask_network(MacUcb *m, const MacWorld *world) {
    const Template *t = m->template;
    uint16_t *values = memory_alloc((t->groups.count + 1) * sizeof *values);
    uint32_t joint[64];
    template_read_state(t, &world->state, values);
    micro_solve(m->micro, values, &m->micro_result);
    const MicroResult *result = &m->micro_result;
    double drawn = count_drawn(m);
    for (size_t i = 0; i < result->outcomes.count; i++) {
        const MicroOutcome *o = &result->outcomes.items[i];
        memcpy(joint, result->actions.items + (size_t)o->action * m->roles,
               m->roles * sizeof *joint);
        if (t->chance != SCSP_NONE)
            joint[t->chance] = o->chance;
        uint64_t percept = m->search.role;
        for (size_t k = 0; k < t->percepts.count; k++)
            if (t->percepts.items[k].role == m->search.role && bitset_get(o->percepts, k))
                percept = hash_mix(percept, k);
        template_write_state(t, result->nexts.items + o->first_next, new_successor(m));
        add_raw(m, joint, percept, world->weight / drawn);
    }
    free(values);
}

static const uint32_t *joint_of(const MacUcb *m, const MacRaw *raw) {
    return m->joints.items + raw->joint;
}

/* By the moves of those who decide, then by what is perceived. */
static int compare_raws(const void *a, const void *b, void *context) {
    const MacUcb *m = context;
    const MacRaw *x = a, *y = b;
    for (uint32_t r = 0; r < m->roles; r++) {
        uint32_t p = joint_of(m, x)[r], q = joint_of(m, y)[r];
        if (m->decides[r] && p != q)
            return p < q ? -1 : 1;
    }
    if (x->is_over != y->is_over)
        return x->is_over ? 1 : -1;
    if (m->is_hidden && !x->is_over && x->percept != y->percept)
        return x->percept < y->percept ? -1 : 1;
    return x->joint < y->joint ? -1 : x->joint > y->joint;
}

static bool same_action(const MacUcb *m, const MacRaw *a, const MacRaw *b) {
    for (uint32_t r = 0; r < m->roles; r++)
        if (m->decides[r] && joint_of(m, a)[r] != joint_of(m, b)[r])
            return false;
    return true;
}

static void add_world(MacWorld *worlds, uint32_t *count, const State *state, double weight) {
    for (uint32_t i = 0; i < *count; i++)
        if (state_equal(&worlds[i].state, state)) {
            worlds[i].weight += weight;
            return;
        }
    worlds[*count] = (MacWorld){.weight = weight};
    state_copy(&worlds[(*count)++].state, state);
}

static void add_outcome(MacUcb *m, uint32_t edge, uint32_t child, double p) {
    MacEdge *e = &m->edges.items[edge];
    for (uint32_t i = 0; i < e->outcome_count; i++)
        if (m->outcomes.items[e->first_outcome + i].node == child) {
            m->outcomes.items[e->first_outcome + i].p += p;
            return;
        }
    MacOutcome outcome = {child, p};
    vector_push(&m->outcomes, outcome);
    e->outcome_count++;
}

static void end_node(MacUcb *m, uint32_t node, const State *state) {
    for (uint32_t r = 0; r < m->roles; r++) {
        int goal = state ? game_goal(m->work, state, r) : GOAL_NONE;
        double value = goal_to_value(m->ranges[r], goal);
        for (uint32_t which = MAC_VALUE; which <= MAC_HIGHEST; which++)
            macucb_node_values(m, node, which)[r] = value;
    }
    m->nodes.items[node].status = MAC_TERMINAL;
    m->nodes.items[node].is_exact = true;
}

/* What a turn leads to is known with it: actions that win at once are proven to. */
static void end_if_over(MacUcb *m, uint32_t node) {
    const MacNode *n = &m->nodes.items[node];
    if (n->status == MAC_NEW && game_is_terminal(m->work, &n->worlds[0].state))
        end_node(m, node, &n->worlds[0].state);
}

/* States that cannot be told apart become one belief; without anything hidden each is alone, and so
 * is one in which the match is over. */
static void add_children(MacUcb *m, uint32_t edge, size_t from, size_t end) {
    while (from < end) {
        const MacRaw *first = &m->raws.items[from];
        size_t to = from + 1;
        bool alone = !m->is_hidden || first->is_over;
        while (!alone && to < end && !m->raws.items[to].is_over &&
               m->raws.items[to].percept == first->percept)
            to++;
        MacWorld *worlds = memory_zalloc((to - from) * sizeof *worlds);
        uint32_t count = 0;
        double p = 0;
        for (size_t i = from; i < to; i++) {
            const MacRaw *raw = &m->raws.items[i];
            add_world(worlds, &count, &m->successors.items[raw->state], raw->p);
            p += raw->p;
        }
        macucb_thin(m, worlds, &count, MACUCB_MOST_WORLDS);
        uint32_t child = macucb_node(m, worlds, count, NULL);
        end_if_over(m, child);
        add_outcome(m, edge, child, p);
        from = to;
    }
}

static uint32_t add_edge(MacUcb *m, uint32_t node, const MacRaw *raw) {
    MacEdge edge = {.node = node,
                    .first_outcome = (uint32_t)m->outcomes.count,
                    .twin = (uint32_t)m->edges.count,
                    .is_stale = true};
    double *values = vector_extend(&m->edge_values, (size_t)MAC_FIGURES * m->roles);
    for (uint32_t i = 0; i < MAC_FIGURES * m->roles; i++)
        values[i] = i / m->roles == MAC_HIGHEST;
    for (uint32_t r = 0; r < m->roles; r++)
        vector_push(&m->edge_joints, m->decides[r] ? joint_of(m, raw)[r] : MOVE_NONE);
    vector_push(&m->edges, edge);
    m->bytes += sizeof edge + MAC_FIGURES * m->roles * sizeof *values + m->roles * sizeof(uint32_t);
    return (uint32_t)m->edges.count - 1;
}

static void add_parents(MacUcb *m, uint32_t node) {
    const MacNode *n = &m->nodes.items[node];
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
        const MacEdge *edge = &m->edges.items[e];
        m->bytes += edge->outcome_count * sizeof(MacOutcome);
        for (uint32_t i = 0; i < edge->outcome_count; i++)
            vector_push(&m->nodes.items[m->outcomes.items[edge->first_outcome + i].node].parents,
                        e);
    }
}

static void add_arms(MacUcb *m, uint32_t node) {
    MacNode *n = &m->nodes.items[node];
    n->first_arm = (uint32_t)m->arms.count;
    for (uint32_t r = 0; r < m->roles; r++)
        for (size_t i = 0; m->decides[r] && i < m->legal[r].count; i++) {
            MacArm arm = {.role = r, .move = m->legal[r].items[i]};
            vector_push(&m->arms, arm);
        }
    n->arm_count = (uint32_t)m->arms.count - n->first_arm;
    m->bytes += n->arm_count * sizeof(MacArm);
}

/* Legal moves of all roles in the world; those of deciders in all worlds of the node. */
static bool find_legal(MacUcb *m, const MacNode *n, const MacWorld *world) {
    Belief belief = {0};
    for (uint32_t r = 0; r < m->roles; r++) {
        if (m->decides[r] && n->world_count > 1) {
            if (world != n->worlds)
                continue;
            for (uint32_t i = 0; i < n->world_count; i++) {
                BeliefState copy = {.state = n->worlds[i].state, .weight = n->worlds[i].weight};
                vector_push(&belief.states, copy);
            }
            belief_legal(&belief, m->work, r, &m->legal[r]);
            vector_free(&belief.states);
        } else {
            game_legal(m->work, &world->state, r, &m->legal[r]);
        }
        if (!m->legal[r].count)
            return false;
    }
    return true;
}

/* Who decides here, and between how many joint actions. */
static double find_mover(MacUcb *m, MacNode *n) {
    double actions = 1;
    n->mover = MAC_NOBODY;
    for (uint32_t r = 0; r < m->roles; r++) {
        if (!m->decides[r])
            continue;
        actions *= (double)m->legal[r].count;
        if (m->legal[r].count > 1)
            n->mover = n->mover == MAC_NOBODY ? r : MAC_SEVERAL;
    }
    return actions;
}

static void collect_raws(MacUcb *m, uint32_t node) {
    vector_clear(&m->raws);
    vector_clear(&m->joints);
    m->successor_count = 0;
    for (uint32_t i = 0; i < m->nodes.items[node].world_count; i++) {
        const MacWorld *world = &m->nodes.items[node].worlds[i];
        if (!find_legal(m, &m->nodes.items[node], world))
            continue;
        if (m->micro && m->options.mac.by_network)
            ask_network(m, world);
        else
            ask_reasoner(m, world);
    }
    if (m->raws.count > 1)
        qsort_r(m->raws.items, m->raws.count, sizeof *m->raws.items, compare_raws, m);
}

static bool leads_to_the_same(const MacUcb *m, const MacEdge *a, const MacEdge *b) {
    if (a->outcome_count != b->outcome_count)
        return false;
    for (uint32_t i = 0; i < a->outcome_count; i++) {
        const MacOutcome *x = &m->outcomes.items[a->first_outcome + i];
        bool found = false;
        for (uint32_t j = 0; j < b->outcome_count && !found; j++) {
            const MacOutcome *y = &m->outcomes.items[b->first_outcome + j];
            found = x->node == y->node && x->p - y->p < 1e-9 && y->p - x->p < 1e-9;
        }
        if (!found)
            return false;
    }
    return true;
}

/* Actions that a symmetry of the state exchanges lead to the same nodes: one stands for all. */
static void find_twin(MacUcb *m, uint32_t first_edge, uint32_t edge) {
    for (uint32_t e = first_edge; e < edge; e++)
        if (m->edges.items[e].twin == e &&
            leads_to_the_same(m, &m->edges.items[e], &m->edges.items[edge])) {
            m->edges.items[edge].twin = e;
            return;
        }
}

static void add_edges(MacUcb *m, uint32_t node) {
    uint32_t first_edge = (uint32_t)m->edges.count;
    for (size_t from = 0; from < m->raws.count;) {
        size_t end = from + 1;
        while (end < m->raws.count && same_action(m, &m->raws.items[from], &m->raws.items[end]))
            end++;
        uint32_t edge = add_edge(m, node, &m->raws.items[from]);
        add_children(m, edge, from, end);
        if (m->nodes.items[node].mover != MAC_SEVERAL)
            find_twin(m, first_edge, edge);
        from = end;
    }
    m->nodes.items[node].first_edge = first_edge;
    m->nodes.items[node].edge_count = (uint32_t)m->edges.count - first_edge;
}

void macucb_solve(MacUcb *m, uint32_t node) {
    MacNode *n = &m->nodes.items[node];
    m->statistics.solved++;
    if (game_is_terminal(m->work, &n->worlds[0].state)) {
        end_node(m, node, &n->worlds[0].state);
        return;
    }
    if (!find_legal(m, n, &n->worlds[0])) {
        end_node(m, node, NULL);
        return;
    }
    double actions = find_mover(m, n);
    if (n->mover == MAC_SEVERAL)
        add_arms(m, node);
    if (actions > MACUCB_MOST_JOINT) {
        if (n->mover != MAC_SEVERAL)
            add_arms(m, node);
        n->status = MAC_FLAT;
        return;
    }
    collect_raws(m, node);
    add_edges(m, node);
    add_parents(m, node);
    m->nodes.items[node].status = MAC_SOLVED;
}
