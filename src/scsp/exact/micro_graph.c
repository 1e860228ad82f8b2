/* States are expanded in the order of discovery; value iteration sweeps in reverse order. */
#include "scsp/exact/micro_graph.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"

enum { MAX_SWEEPS = 100000 }; /* greatest number of sweeps of value iteration (untuned) */
/* Value iteration ends when no value changes by more (untuned). */
static const double CLOSE_ENOUGH = 1e-13;

typedef struct {
    MicroGraph *graph;
    const SymmetryGroup *group;
    Micro *micro;
    MicroResult result;
    State state, canonical; /* scratch for states and their canonical images */
    uint16_t *values;
    size_t most;
} Explorer;

static uint64_t hash_values(const uint16_t *values, size_t count) {
    return hash_bytes(values, count * sizeof *values);
}

uint32_t micro_graph_find(const MicroGraph *g, const uint16_t *values) {
    size_t groups = g->template->groups.count;
    uint32_t id;
    for (TableProbe p = table_probe(&g->table, hash_values(values, groups));
         table_next(&g->table, &p, &id);)
        if (memcmp(g->values.items + id * groups, values, groups * sizeof *values) == 0)
            return id;
    return SCSP_NONE;
}

/* Returns the number of the state, or of the representative of its orbit. Adds it if it is new. */
static uint32_t add_state(Explorer *e, const uint16_t *values) {
    MicroGraph *g = e->graph;
    size_t groups = g->template->groups.count;
    memcpy(e->values, values, groups * sizeof *values);
    if (e->group) {
        template_write_state(g->template, values, &e->state);
        symmetry_canonical(e->group, &e->state, &e->canonical);
        template_read_state(g->template, &e->canonical, e->values);
    }
    uint32_t found = micro_graph_find(g, e->values);
    if (found != SCSP_NONE)
        return found;
    found = (uint32_t)g->states.count;
    table_insert(&g->table, hash_values(e->values, groups), found);
    vector_append(&g->values, e->values, groups);
    vector_push(&g->states, (MicroState){0});
    return found;
}

static void expand(Explorer *e, uint32_t number) {
    MicroGraph *g = e->graph;
    const Template *t = g->template;
    micro_solve(e->micro, g->values.items + number * t->groups.count, &e->result);
    MicroState *state = &g->states.items[number];
    state->is_terminal = e->result.is_terminal || e->result.is_impossible;
    if (state->is_terminal) {
        state->first_action = (uint32_t)g->goals.count;
        for (uint32_t r = 0; r < t->role_count; r++)
            vector_push(&g->goals, e->result.is_impossible ? 0 : e->result.goals[r]);
        return;
    }
    state->first_action = (uint32_t)g->actions.count;
    state->action_count = e->result.action_count;
    vector_append(&g->joints, e->result.actions.items, e->result.actions.count);
    uint32_t first = (uint32_t)g->actions.count;
    for (size_t i = 0; i < e->result.outcomes.count; i++) {
        const MicroOutcome *o = &e->result.outcomes.items[i];
        if (first + o->action == g->actions.count)
            vector_push(&g->actions, ((MicroAction){(uint32_t)g->outcomes.count, 0}));
        uint32_t next = add_state(e, e->result.nexts.items + o->first_next);
        vector_push(&g->outcomes, next);
        vector_last(&g->actions).outcome_count++;
    }
}

MicroGraph *micro_graph_create(const Template *t, const SymmetryGroup *group, size_t max_states,
                               Deadline deadline, const bool *stopped) {
    MicroGraph *g = memory_zalloc(sizeof *g);
    Explorer e = {.graph = g, .group = group, .micro = micro_create(t), .most = max_states};
    e.values = memory_zalloc((t->groups.count + 1) * sizeof *e.values);
    g->template = t;
    add_state(&e, t->initial);
    size_t i = 0;
    for (;
         i < g->states.count && g->states.count <= max_states && !work_must_end(deadline, stopped);
         i++)
        expand(&e, (uint32_t)i);
    g->is_complete = i == g->states.count;
    micro_result_free(&e.result);
    micro_free(e.micro);
    state_free(&e.state);
    state_free(&e.canonical);
    free(e.values);
    return g;
}

void micro_graph_free(MicroGraph *g) {
    if (!g)
        return;
    vectors_free(&g->states, &g->actions, &g->joints, &g->outcomes, &g->goals, &g->values);
    table_free(&g->table);
    free(g);
}

double micro_graph_action_value(const MicroGraph *g, const double *values, uint32_t state,
                                uint32_t action) {
    assert(state < g->states.count && action < g->states.items[state].action_count);
    const MicroAction *a = &g->actions.items[g->states.items[state].first_action + action];
    double sum = 0;
    uint32_t others = 0;
    for (uint32_t i = 0; i < a->outcome_count; i++) {
        uint32_t next = g->outcomes.items[a->first_outcome + i];
        sum += next == state ? 0 : values[next];
        others += next != state;
    }
    return others ? sum / others : 0;
}

static double best_of(const MicroGraph *g, const double *values, uint32_t number, PlayRule rule) {
    const MicroState *s = &g->states.items[number];
    double best = 0;
    for (uint32_t a = 0; a < s->action_count; a++) {
        double value = micro_graph_action_value(g, values, number, a);
        bool improves = a == 0 || (rule == PLAY_WORST ? value < best : value > best);
        best = improves ? value : best;
    }
    return best;
}

/* Returns the mean over all actions, equally likely, without loops to the state itself. */
static double mean_of(const MicroGraph *g, const double *values, uint32_t number) {
    const MicroState *s = &g->states.items[number];
    double sum = 0, leaves = 0;
    for (uint32_t i = 0; i < s->action_count; i++) {
        const MicroAction *a = &g->actions.items[s->first_action + i];
        for (uint32_t o = 0; o < a->outcome_count; o++) {
            uint32_t next = g->outcomes.items[a->first_outcome + o];
            sum += next == number ? 0 : values[next] / a->outcome_count;
            leaves += next == number ? 0 : 1.0 / a->outcome_count;
        }
    }
    return leaves > 0 ? sum / leaves : 0;
}

/* Returns the maximum over the role's own moves of the minimum over the moves of the others. */
static double best_against(const MicroGraph *g, const double *values, uint32_t number,
                           uint32_t role) {
    const MicroState *s = &g->states.items[number];
    uint32_t roles = g->template->role_count;
    const uint32_t *joints = g->joints.items + (size_t)s->first_action * roles;
    double best = 0;
    for (uint32_t own = 0; own < s->action_count; own++) {
        double least = 1;
        for (uint32_t a = 0; a < s->action_count; a++)
            if (joints[a * roles + role] == joints[own * roles + role])
                least = fmin(least, micro_graph_action_value(g, values, number, a));
        best = fmax(best, least);
    }
    return best;
}

double *micro_graph_values(const MicroGraph *g, uint32_t role, PlayRule rule) {
    assert(role < g->template->role_count);
    double *values = memory_zalloc((g->states.count + 1) * sizeof *values);
    for (size_t i = 0; i < g->states.count; i++)
        if (g->states.items[i].is_terminal) {
            int goal = g->goals.items[g->states.items[i].first_action + role];
            values[i] = goal < 0 ? 0 : goal / 100.0;
        }
    double change = 1;
    for (int sweep = 0; sweep < MAX_SWEEPS && change > CLOSE_ENOUGH; sweep++) {
        change = 0;
        for (uint32_t i = (uint32_t)g->states.count; i-- > 0;) {
            if (g->states.items[i].is_terminal)
                continue;
            double value = rule == PLAY_UNIFORM   ? mean_of(g, values, i)
                           : rule == PLAY_AGAINST ? best_against(g, values, i, role)
                                                  : best_of(g, values, i, rule);
            change = fmax(change, fabs(value - values[i]));
            values[i] = value;
        }
    }
    return values;
}
