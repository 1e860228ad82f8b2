/* Solves one turn. Successors are read from the solver before its assignment is undone. */
#include "scsp/exact/micro.h"

#include <assert.h>

#include "game/goal.h"
#include "scsp/network/unfold.h"

typedef struct {
    Micro *micro;
    MicroResult *result;
} Visit;

Micro *micro_create(const Template *t) {
    Micro *m = memory_zalloc(sizeof *m);
    m->template = t;
    unfold_state(&m->state_network, t);
    m->state_solver = solver_create(&m->state_network);
    m->solver = solver_create(&t->network);
    for (uint32_t r = 0; r < t->role_count; r++)
        if (r != t->chance && t->actions[r] != SCSP_NONE)
            vector_push(&m->decisions, t->actions[r]);
    m->percept_words = (uint32_t)bitset_words(t->percepts.count) + 1;
    return m;
}

void micro_free(Micro *m) {
    if (!m)
        return;
    solver_free(m->solver);
    solver_free(m->state_solver);
    scsp_free(&m->state_network);
    vector_free(&m->decisions);
    free(m);
}

static void clear(MicroResult *r) {
    r->is_impossible = r->is_terminal = false;
    vector_clear(&r->actions);
    vector_clear(&r->outcomes);
    vector_clear(&r->nexts);
    r->action_count = 0;
    arena_free(&r->arena);
    r->arena = (Arena){0};
}

static void add_outcome(Visit *v, uint32_t chance) {
    const Template *t = v->micro->template;
    const Solver *s = v->micro->solver;
    MicroResult *r = v->result;
    MicroOutcome outcome = {r->action_count, chance, (uint32_t)r->nexts.count, NULL};
    outcome.percepts = arena_zalloc(&r->arena, v->micro->percept_words * sizeof *outcome.percepts);
    for (size_t i = 0; i < t->groups.count; i++) {
        assert(solver_is_fixed(s, t->nexts[i]));
        vector_push(&r->nexts, (uint16_t)solver_value(s, t->nexts[i]));
    }
    for (size_t i = 0; i < t->percepts.count; i++) {
        assert(solver_is_fixed(s, t->percepts.items[i].variable));
        if (solver_value(s, t->percepts.items[i].variable))
            bitset_set(outcome.percepts, i);
    }
    vector_push(&r->outcomes, outcome);
}

/* Adds all chance outcomes of the joint action that the solver has assigned. */
static bool visit_action(Solver *s, void *context) {
    Visit *v = context;
    const Template *t = v->micro->template;
    uint32_t y = t->chance == SCSP_NONE ? SCSP_NONE : t->actions[t->chance];
    for (uint32_t r = 0; r < t->role_count; r++)
        vector_push(&v->result->actions, r == t->chance || t->actions[r] == SCSP_NONE
                                             ? MOVE_NONE
                                             : solver_value(s, t->actions[r]));
    if (y == SCSP_NONE) {
        add_outcome(v, SCSP_NONE);
    } else {
        uint32_t size = t->network.variables.items[y].size;
        for (uint32_t c = solver_value(s, y); c < size; c = solver_next_value(s, y, c + 1)) {
            SolverMark mark = solver_mark(s);
            if (solver_assign(s, y, c) && solver_propagate(s, PROPAGATE_FORWARD))
                add_outcome(v, c);
            else
                v->result->is_impossible = true;
            solver_undo(s, mark);
        }
    }
    v->result->action_count++;
    return !v->result->is_impossible;
}

static void read_goals(const Micro *m, MicroResult *r) {
    const Template *t = m->template;
    for (uint32_t role = 0; role < t->role_count; role++)
        r->goals[role] = GOAL_NONE;
    for (size_t i = 0; i < t->scores.count; i++)
        if (solver_value(m->state_solver, t->scores.items[i].variable) == 1) {
            int *goal = &r->goals[t->scores.items[i].role];
            *goal = goal_join_value(*goal, t->scores.items[i].value);
        }
}

static bool assign_state(const Template *t, Solver *s, const uint16_t *state) {
    bool holds = !s->is_failed;
    for (size_t i = 0; i < t->groups.count && holds; i++)
        holds = solver_assign(s, t->currents[i], state[i]);
    return solver_propagate(s, PROPAGATE_GAC) && holds;
}

static void find_end(Micro *m, const uint16_t *state, MicroResult *r) {
    SolverMark mark = solver_mark(m->state_solver);
    r->is_impossible = !assign_state(m->template, m->state_solver, state);
    r->is_terminal = !r->is_impossible && solver_value(m->state_solver, m->template->terminal) == 1;
    if (r->is_terminal)
        read_goals(m, r);
    solver_undo(m->state_solver, mark);
}

void micro_solve(Micro *m, const uint16_t *state, MicroResult *r) {
    Visit visit = {m, r};
    clear(r);
    if (!r->goals)
        r->goals = memory_zalloc((m->template->role_count + 1) * sizeof *r->goals);
    find_end(m, state, r);
    if (r->is_impossible || r->is_terminal)
        return;
    SolverMark mark = solver_mark(m->solver);
    if (assign_state(m->template, m->solver, state))
        solver_enumerate_solutions(m->solver, m->decisions.items, (uint32_t)m->decisions.count,
                                   visit_action, &visit);
    else
        r->is_impossible = true;
    solver_undo(m->solver, mark);
}

void micro_result_free(MicroResult *r) {
    free(r->goals);
    vectors_free(&r->actions, &r->outcomes, &r->nexts);
    arena_free(&r->arena);
    *r = (MicroResult){0};
}
