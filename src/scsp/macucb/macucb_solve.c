/* Solves the network of one turn: finds every joint action with its outcomes. The reasoner gives
 * the same answers as the constraint network, but faster; an option chooses between them. Several
 * nodes are solved together, and their successors are evaluated in one pass. */
#include <math.h>
#include <string.h>

#include "base/bitset.h"
#include "scsp/macucb/macucb.h"

enum {
    /* Joint moves per state of roles that do not decide; more are sampled (untuned). */
    MAX_OTHERS = 512,
    SAMPLED = 64,        /* size of the sample if there are more joint moves (untuned) */
    MAX_WHOLE = 1 << 15, /* all successors of a state are made if there are no more (untuned) */
    /* Successors of a belief, or of one action. If there are more, worlds and moves of others are
     * sampled down to about this number (untuned). */
    MAX_SUCCESSORS = 8192,
    MIN_WORLDS = 8, /* least number of worlds to which a belief is sampled (untuned) */
    FEW = 8,        /* so few successors are made faster one by one than in lanes (untuned) */
};

/* Adds an outcome of a joint action, whose successor is made later. */
static MacUcbRaw *add_raw(MacUcb *m, State from, const uint32_t *joint, double p) {
    if (m->successor_count == m->successors.count)
        vector_push(&m->successors, (State){0});
    MacUcbRaw raw = {.joint = (uint32_t)m->joints.count,
                     .state = m->successor_count++,
                     .from = from,
                     .probability = p};
    vector_append(&m->joints, joint, m->roles);
    vector_push(&m->raws, raw);
    return &vector_last(&m->raws);
}

/* Returns the number of joint moves of the roles that do not decide. */
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

static void add_successor(MacUcb *m, const MacUcbWorld *world, const uint32_t *at, double p) {
    uint32_t joint[64];
    for (uint32_t r = 0; r < m->roles; r++)
        joint[r] = m->legal[r].items[at[r]];
    add_raw(m, world->state, joint, p);
}

/* Adds all joint moves of the others, or a sample, for given moves of the roles that decide. */
static void add_draws(MacUcb *m, const MacUcbWorld *world, uint32_t *at, uint32_t most) {
    double drawn = count_drawn(m);
    uint32_t samples = most < SAMPLED ? most : SAMPLED;
    for (uint32_t r = 0; r < m->roles; r++)
        at[r] = m->decides[r] ? at[r] : 0;
    if (drawn <= most) {
        do
            add_successor(m, world, at, world->weight / drawn);
        while (next_joint(m, at, false));
        return;
    }
    for (uint32_t i = 0; i < samples; i++) {
        for (uint32_t r = 0; r < m->roles; r++)
            if (!m->decides[r])
                at[r] = (uint32_t)random_below(&m->random, m->legal[r].count);
        add_successor(m, world, at, world->weight / samples);
    }
}

static void ask_reasoner(MacUcb *m, const MacUcbWorld *world, uint32_t most) {
    uint32_t at[64] = {0};
    do
        add_draws(m, world, at, most);
    while (next_joint(m, at, true));
}

static void ask_network(MacUcb *m, const MacUcbWorld *world) {
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
        MacUcbRaw *raw = add_raw(m, (State){0}, joint, world->weight / drawn);
        State *next = &m->successors.items[raw->state];
        template_write_state(t, result->nexts.items + o->first_next, next);
        raw->percept = percept;
        raw->is_made = true;
        raw->is_over = game_is_terminal(m->work, next);
    }
    free(values);
}

static const uint32_t *joint_of(const MacUcb *m, const MacUcbRaw *raw) {
    return m->joints.items + raw->joint;
}

static void make_successor(MacUcb *m, MacUcbRaw *raw) {
    State *next = &m->successors.items[raw->state];
    uint64_t keys[64] = {0};
    game_next(m->work, &raw->from, joint_of(m, raw), next);
    if (m->is_hidden)
        game_percept_keys(m->work, &raw->from, joint_of(m, raw), keys);
    raw->percept = keys[m->search.role];
    raw->is_over = game_is_terminal(m->work, next);
}

/* Loads states and moves into lanes. Neighbouring outcomes mostly start from the same state. */
static void load_lanes(MacUcb *m, const MacUcbRaw *raws, uint32_t count) {
    lane_batch_clear(m->lanes);
    for (uint32_t lane = 0; lane < count;) {
        uint32_t first = lane;
        while (lane < count && raws[lane].from.words == raws[first].from.words)
            lane++;
        lane_batch_fill(m->lanes, first, lane, &raws[first].from);
    }
    for (uint32_t lane = 0; lane < count; lane++)
        lane_batch_set_moves(m->lanes, lane, joint_of(m, &raws[lane]));
}

static void make_successors_in_lanes(MacUcb *m, MacUcbRaw *raws, uint32_t count) {
    uint32_t words = (uint32_t)bitset_words(m->search.game->circuit->fluent_count);
    uint64_t keys[64];
    vector_clear(&m->successor_words);
    uint64_t *made = vector_extend(&m->successor_words, (size_t)count * words);
    load_lanes(m, raws, count);
    lane_batch_evaluate_next(m->lanes);
    lane_batch_next_words(m->lanes, count, made);
    for (uint32_t i = 0; i < count; i++) {
        State view = {made + (size_t)i * words, words};
        state_copy(&m->successors.items[raws[i].state], &view);
    }
    if (m->is_hidden)
        lane_batch_evaluate_percepts(m->lanes);
    for (uint32_t i = 0; i < count && m->is_hidden; i++) {
        lane_batch_percept_keys(m->lanes, i, keys);
        raws[i].percept = keys[m->search.role];
    }
    lane_batch_advance(m->lanes);
    lane_batch_evaluate_answers(m->lanes);
    for (uint32_t i = 0; i < count; i++)
        raws[i].is_over = lane_batch_is_terminal(m->lanes, i);
}

/* Makes all successors that the network has not made. */
static void make_successors(MacUcb *m) {
    size_t count = m->raws.count;
    if (m->lanes && count > FEW && !m->raws.items[0].is_made) {
        for (size_t first = 0; first < count; first += LANES) {
            size_t some = count - first < LANES ? count - first : LANES;
            make_successors_in_lanes(m, m->raws.items + first, (uint32_t)some);
        }
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (!m->raws.items[i].is_made)
            make_successor(m, &m->raws.items[i]);
}

/* Orders outcomes by the moves of the roles that decide, then by percepts. */
static int compare_raws(const void *a, const void *b, void *context) {
    const MacUcb *m = context;
    const MacUcbRaw *x = a, *y = b;
    int order = macucb_compare_joints(m, joint_of(m, x), joint_of(m, y));
    if (order)
        return order;
    if (m->is_hidden && x->is_over != y->is_over)
        return x->is_over ? 1 : -1;
    if (m->is_hidden && !x->is_over && x->percept != y->percept)
        return x->percept < y->percept ? -1 : 1;
    return x->joint < y->joint ? -1 : x->joint > y->joint;
}

static void add_world(MacUcb *m, const State *state, double weight) {
    for (size_t i = 0; i < m->worlds.count; i++)
        if (state_equal(&m->worlds.items[i].state, state)) {
            m->worlds.items[i].weight += weight;
            return;
        }
    vector_push(&m->worlds, ((MacUcbWorld){*state, weight}));
}

static void add_outcome(MacUcb *m, uint32_t edge, uint32_t child, double p) {
    MacUcbEdge *e = &m->edges.items[edge];
    for (uint32_t i = 0; i < e->outcome_count; i++)
        if (m->outcomes.items[e->first_outcome + i].node == child) {
            m->outcomes.items[e->first_outcome + i].probability += p;
            return;
        }
    vector_push(&m->outcomes, ((MacUcbOutcome){child, p}));
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

void macucb_end_if_over(MacUcb *m, uint32_t node) {
    const State *state = &m->nodes.items[node].worlds[0].state;
    if (m->nodes.items[node].status == MAC_NEW && game_is_terminal(m->work, state))
        end_node(m, node, state);
}

/* Adds a child for each set of outcomes with equal percepts. Terminal outcomes, and all outcomes in
 * games without hidden information, have their own. */
static void add_children(MacUcb *m, uint32_t edge, size_t from, size_t end) {
    while (from < end) {
        const MacUcbRaw *first = &m->raws.items[from];
        size_t to = from + 1;
        bool is_over = first->is_over;
        bool alone = !m->is_hidden || first->is_over;
        while (!alone && to < end && !m->raws.items[to].is_over &&
               m->raws.items[to].percept == first->percept)
            to++;
        double p = 0;
        vector_clear(&m->worlds);
        for (size_t i = from; i < to; i++) {
            const MacUcbRaw *raw = &m->raws.items[i];
            add_world(m, &m->successors.items[raw->state], raw->probability);
            p += raw->probability;
        }
        uint32_t count = (uint32_t)m->worlds.count;
        if (count > MACUCB_MAX_WORLDS)
            m->edges.items[edge].is_drawn = true;
        macucb_thin(m, m->worlds.items, &count, MACUCB_MAX_WORLDS);
        uint32_t child = macucb_node(m, m->worlds.items, count, NULL);
        if (is_over && m->nodes.items[child].status == MAC_NEW)
            end_node(m, child, &m->nodes.items[child].worlds[0].state);
        add_outcome(m, edge, child, p);
        from = to;
    }
}

static uint32_t add_edge(MacUcb *m, uint32_t node, const MacUcbRaw *raw) {
    MacUcbEdge edge = {.node = node,
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
    const MacUcbNode *n = &m->nodes.items[node];
    for (uint32_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
        const MacUcbEdge *edge = &m->edges.items[e];
        m->bytes += edge->outcome_count * sizeof(MacUcbOutcome);
        for (uint32_t i = 0; i < edge->outcome_count; i++) {
            MacUcbNode *child = &m->nodes.items[m->outcomes.items[edge->first_outcome + i].node];
            if (child->parent == MAC_NONE)
                child->parent = e;
            else
                vector_push(&child->more_parents, e);
        }
    }
}

static void add_arms(MacUcb *m, uint32_t node) {
    MacUcbNode *n = &m->nodes.items[node];
    n->first_arm = (uint32_t)m->arms.count;
    for (uint32_t r = 0; r < m->roles; r++)
        for (size_t i = 0; m->decides[r] && i < m->legal[r].count; i++) {
            vector_push(&m->arms, ((MacUcbArm){.role = r, .move = m->legal[r].items[i]}));
        }
    n->arm_count = (uint32_t)m->arms.count - n->first_arm;
    m->bytes += n->arm_count * sizeof(MacUcbArm);
}

/* Finds the moves of deciding roles that are legal in all worlds. False if a role has none. */
static bool find_choices(MacUcb *m, const MacUcbNode *n) {
    Belief belief = {0};
    bool can_move = true;
    for (uint32_t i = 0; i < n->world_count && n->world_count > 1; i++)
        vector_push(&belief.states, ((BeliefState){.state = n->worlds[i].state}));
    for (uint32_t r = 0; r < m->roles && can_move; r++) {
        if (!m->decides[r])
            continue;
        if (n->world_count > 1)
            belief_legal(&belief, m->work, r, &m->legal[r]);
        else
            game_legal(m->work, &n->worlds[0].state, r, &m->legal[r]);
        can_move = m->legal[r].count > 0;
    }
    vector_free(&belief.states);
    return can_move;
}

/* Finds the legal moves of the other roles in one world. False if a role has none. */
static bool find_others(MacUcb *m, const MacUcbWorld *world) {
    for (uint32_t r = 0; r < m->roles; r++) {
        if (m->decides[r])
            continue;
        game_legal(m->work, &world->state, r, &m->legal[r]);
        if (!m->legal[r].count)
            return false;
    }
    return true;
}

/* Finds the mover. Returns the number of joint actions. */
static double find_mover(MacUcb *m, MacUcbNode *n) {
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

/* The selection of a node's successors that are made. */
typedef struct {
    bool is_drawn;       /* only a sample is made */
    uint32_t max_worlds; /* number of worlds, among MacUcb.worlds, in which all roles can move */
    uint32_t max_others; /* number of joint moves of roles that do not decide, per world */
} Extent;

/* Decides which successors are made. Worlds in which a role has no move are left out; the node then
 * counts as a sample, so that nothing is proven from the other worlds. */
static Extent find_extent(MacUcb *m, const MacUcbNode *n, double actions) {
    double all = 0, most = 1, most_whole = n->world_count > 1 ? MAX_SUCCESSORS : MAX_WHOLE;
    vector_clear(&m->worlds);
    for (uint32_t i = 0; i < n->world_count; i++) {
        if (!find_others(m, &n->worlds[i]))
            continue;
        double drawn = count_drawn(m);
        vector_push(&m->worlds, n->worlds[i]);
        all += drawn;
        most = drawn > most ? drawn : most;
    }
    uint32_t count = (uint32_t)m->worlds.count;
    Extent extent = {count < n->world_count, count, MAX_OTHERS};
    bool is_whole = all <= MAX_SUCCESSORS && all * actions <= most_whole;
    extent.is_drawn = extent.is_drawn || !is_whole || most > MAX_OTHERS;
    if (is_whole || !count)
        return extent;
    double worlds = fmax(MAX_SUCCESSORS / actions, MIN_WORLDS);
    extent.max_worlds = count > worlds ? (uint32_t)worlds : count;
    double others = MAX_SUCCESSORS / (actions * extent.max_worlds);
    extent.max_others = (uint32_t)fmin(fmax(others, 1), MAX_OTHERS);
    return extent;
}

/* Collects the outcomes of the worlds that find_extent chose. */
static void collect_raws(MacUcb *m, const Extent *extent) {
    uint32_t count = (uint32_t)m->worlds.count;
    if (extent->is_drawn)
        macucb_thin(m, m->worlds.items, &count, extent->max_worlds);
    for (size_t i = 0; i < count; i++) {
        const MacUcbWorld *world = &m->worlds.items[i];
        find_others(m, world);
        if (m->micro && m->own.solves_by_constraints)
            ask_network(m, world);
        else
            ask_reasoner(m, world, extent->max_others);
    }
}

static bool leads_to_the_same(const MacUcb *m, const MacUcbEdge *a, const MacUcbEdge *b) {
    if (a->outcome_count != b->outcome_count)
        return false;
    for (uint32_t i = 0; i < a->outcome_count; i++) {
        const MacUcbOutcome *x = &m->outcomes.items[a->first_outcome + i];
        bool found = false;
        for (uint32_t j = 0; j < b->outcome_count && !found; j++) {
            const MacUcbOutcome *y = &m->outcomes.items[b->first_outcome + j];
            found = x->node == y->node && x->probability - y->probability < 1e-9 &&
                    y->probability - x->probability < 1e-9;
        }
        if (!found)
            return false;
    }
    return true;
}

/* Finds an earlier edge with the same outcomes, such as that of a symmetric action. */
static void find_twin(MacUcb *m, uint32_t first_edge, uint32_t edge) {
    for (uint32_t e = first_edge; e < edge; e++)
        if (m->edges.items[e].twin == e && !m->edges.items[e].is_drawn &&
            leads_to_the_same(m, &m->edges.items[e], &m->edges.items[edge])) {
            m->edges.items[edge].twin = e;
            return;
        }
}

static void add_edges(MacUcb *m, const MacUcbPlanned *planned) {
    uint32_t node = planned->node, first_edge = (uint32_t)m->edges.count;
    size_t from = planned->first_raw, end_of_node = planned->end_raw;
    while (from < end_of_node) {
        size_t end = from + 1;
        while (end < end_of_node && macucb_compare_joints(m, joint_of(m, &m->raws.items[from]),
                                                          joint_of(m, &m->raws.items[end])) == 0)
            end++;
        uint32_t edge = add_edge(m, node, &m->raws.items[from]);
        m->edges.items[edge].is_drawn = planned->is_drawn;
        add_children(m, edge, from, end);
        if (m->nodes.items[node].mover != MAC_SEVERAL && !m->edges.items[edge].is_drawn)
            find_twin(m, first_edge, edge);
        from = end;
    }
    m->nodes.items[node].first_edge = first_edge;
    m->nodes.items[node].edge_count = (uint32_t)m->edges.count - first_edge;
}

bool macucb_has_no_choice(MacUcb *m, uint32_t node) {
    MacUcbNode *n = &m->nodes.items[node];
    if (n->mover == MAC_UNKNOWN && find_choices(m, n))
        find_mover(m, n);
    return n->mover == MAC_NOBODY;
}

double macucb_draws(MacUcb *m, uint32_t node) {
    const MacUcbNode *n = &m->nodes.items[node];
    return find_others(m, &n->worlds[0]) ? n->world_count * count_drawn(m) : 0;
}

void macucb_plan(MacUcb *m, uint32_t node) {
    MacUcbNode *n = &m->nodes.items[node];
    assert(n->status == MAC_NEW);
    uint32_t sampled = n->pulls;
    m->statistics.solved++;
    n->pulls = 0; /* pulls of its actions count from now on */
    if (!find_choices(m, n)) {
        end_node(m, node, NULL);
        return;
    }
    double actions = find_mover(m, n);
    Extent extent = find_extent(m, n, actions);
    if (!m->worlds.count) {
        end_node(m, node, NULL);
        return;
    }
    if (n->mover == MAC_SEVERAL)
        add_arms(m, node);
    if (actions > MACUCB_MAX_JOINT_MOVES) {
        if (n->mover != MAC_SEVERAL)
            add_arms(m, node);
        n->status = MAC_FLAT;
        n->rewards = sampled; /* earlier playouts still count in its mean */
        return;
    }
    n->status = MAC_PLANNED;
    MacUcbPlanned planned = {
        .node = node, .sampled = sampled, .first_raw = m->raws.count, .is_drawn = extent.is_drawn};
    collect_raws(m, &extent);
    planned.end_raw = m->raws.count;
    vector_push(&m->planned, planned);
}

/* If no role has a choice, earlier playouts from the node become pulls of its only edge. */
static void keep_samples(MacUcb *m, const MacUcbPlanned *planned) {
    const MacUcbNode *n = &m->nodes.items[planned->node];
    if (n->mover != MAC_NOBODY || n->edge_count != 1)
        return;
    m->edges.items[n->first_edge].pulls = planned->sampled;
    for (uint32_t r = 0; r < m->roles; r++)
        macucb_edge_values(m, n->first_edge, MAC_SUM)[r] =
            planned->sampled * macucb_node_values(m, planned->node, MAC_VALUE)[r];
}

void macucb_solve_planned(MacUcb *m) {
    make_successors(m);
    for (size_t i = 0; i < m->planned.count; i++) {
        const MacUcbPlanned *p = &m->planned.items[i];
        if (p->end_raw > p->first_raw + 1)
            qsort_r(m->raws.items + p->first_raw, p->end_raw - p->first_raw, sizeof(MacUcbRaw),
                    compare_raws, m);
        add_edges(m, p);
        keep_samples(m, p);
        add_parents(m, p->node);
        m->nodes.items[p->node].status = MAC_SOLVED;
        bool waits = m->nodes.items[p->node].mover != MAC_NOBODY;
        macucb_wait(m, p->node, waits ? MACUCB_MIN_SOLVED_PULLS : 0);
    }
    vector_clear(&m->planned);
    vector_clear(&m->raws);
    vector_clear(&m->joints);
    m->successor_count = 0;
}
