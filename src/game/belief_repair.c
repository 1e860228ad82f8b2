/* A percept that no sampled match explains is often the result of one early move: a card dealt, a
 * hidden mark. Chronological backtracking would try all later turns first. Here any earlier turn is
 * changed directly, and the turns after it are repeated. */
#include <string.h>

#include "game/belief_internal.h"

enum {
    MAX_CHANGES = 2048, /* most changes tried for one percept (untuned) */
    MAX_RESTARTS = 8    /* most attempts from the start of the match (untuned) */
};

/* A match as far as it is explained: the states before its turns, and their joint moves. */
typedef struct {
    BeliefFilter *f;
    BeliefStates states; /* one more than turns */
    U32Vector joints;    /* one move per role for each turn */
} Match;

/* Removes the last states until `count` are left. */
static void shorten(Match *m, size_t count) {
    while (m->states.count > count)
        belief_state_free(&vector_pop(&m->states));
}

/* Appends the state after scratch->joint if that joint move explains the percept. */
static bool follow(BeliefFilter *f, const BeliefState *from, BeliefTurn *turn, BeliefStates *list) {
    size_t before = list->count;
    if (belief_explains(f, &from->state, turn))
        belief_add_successor(f, from, turn, 1, list);
    return list->count > before;
}

/* Draws a joint move of the turn that explains the percept, by its probability. */
static bool draw_turn(BeliefFilter *f, const BeliefState *from, BeliefTurn *turn,
                      const BeliefModel *model, uint32_t *joint, BeliefStates *list) {
    struct BeliefScratch *s = f->scratch;
    uint32_t roles = f->game->role_count;
    uint64_t joints = belief_list_joints(f, &from->state, turn, BELIEF_MAX_WIDTH + 1);
    double all = 0;
    for (uint32_t i = 0; joints > BELIEF_MAX_WIDTH && i < BELIEF_MAX_WIDTH; i++) {
        belief_draw_joint(f, from, model);
        memcpy(joint, s->joint, roles * sizeof *joint);
        if (follow(f, from, turn, list))
            return true;
    }
    if (!joints || joints > BELIEF_MAX_WIDTH)
        return false;
    memset(s->index, 0, roles * sizeof *s->index);
    do {
        double weight = 1;
        for (uint32_t r = 0; r < roles; r++) {
            s->joint[r] = s->legal[r].items[s->index[r]];
            weight *= belief_move_probability(f, from, model, r, s->index[r]);
        }
        if (weight <= 0 || !belief_explains(f, &from->state, turn))
            continue;
        all += weight;
        if (random_double(&f->random) * all < weight)
            memcpy(joint, s->joint, roles * sizeof *joint);
    } while (belief_next_joint(f));
    memcpy(s->joint, joint, roles * sizeof *joint);
    return all > 0 && follow(f, from, turn, list);
}

static bool is_legal(const BeliefFilter *f, const uint32_t *joint) {
    for (uint32_t r = 0; r < f->game->role_count; r++)
        if (!u32_contains(&f->scratch->legal[r], joint[r]))
            return false;
    return true;
}

/* Plays the turns from `first` on with their moves unchanged, from the last state of the list. */
static bool play_again(const Match *m, size_t first, size_t end, BeliefStates *list) {
    BeliefFilter *f = m->f;
    uint32_t roles = f->game->role_count;
    for (size_t t = first; t < end; t++) {
        BeliefState from = vector_last(list);
        BeliefTurn *turn = &f->history.items[t];
        const uint32_t *joint = m->joints.items + t * roles;
        if (!belief_list_joints(f, &from.state, turn, UINT64_MAX) || !is_legal(f, joint))
            return false;
        memcpy(f->scratch->joint, joint, roles * sizeof *joint);
        if (!follow(f, &from, turn, list))
            return false;
    }
    return true;
}

/* Changes one turn at random, in such a way that the turn at the end of the match is explained
 * too. */
static bool change_one(Match *m, const BeliefModel *model, size_t end, uint32_t *joint) {
    BeliefFilter *f = m->f;
    uint32_t roles = f->game->role_count;
    size_t at = random_below(&f->random, end);
    BeliefStates list = {0};
    const BeliefState *from = &m->states.items[at];
    if (belief_list_joints(f, &from->state, &f->history.items[at], 2) < 2)
        return false;
    belief_draw_joint(f, from, model);
    memcpy(joint, f->scratch->joint, roles * sizeof *joint);
    bool ok = follow(f, from, &f->history.items[at], &list) && play_again(m, at + 1, end, &list);
    uint32_t *last = m->joints.items + end * roles;
    if (ok) {
        BeliefState before = vector_last(&list);
        ok = draw_turn(f, &before, &f->history.items[end], model, last, &list);
    }
    if (ok) {
        memcpy(m->joints.items + at * roles, joint, roles * sizeof *joint);
        shorten(m, at + 1);
        for (size_t i = 0; i < list.count; i++)
            vector_push(&m->states, list.items[i]);
        vector_clear(&list);
    }
    belief_states_free(&list);
    return ok;
}

/* Continues until all turns are explained. False if time or attempts run out. */
static bool explain_all(Match *m, const BeliefModel *model, Deadline deadline, uint32_t *joint) {
    BeliefFilter *f = m->f;
    uint32_t roles = f->game->role_count;
    for (size_t t = 0; t < f->history.count; t++) {
        BeliefState from = vector_last(&m->states);
        bool ok = draw_turn(f, &from, &f->history.items[t], model, m->joints.items + t * roles,
                            &m->states);
        for (uint32_t i = 0; !ok && t && i < MAX_CHANGES && !deadline_passed(deadline); i++)
            ok = change_one(m, model, t, joint);
        if (!ok)
            return false;
    }
    return true;
}

bool belief_repair(BeliefFilter *f, const BeliefModel *model, Deadline deadline,
                   BeliefState *found) {
    uint32_t roles = f->game->role_count;
    uint32_t *joint = memory_alloc((roles + 1) * sizeof *joint);
    Match m = {.f = f};
    bool ok = false;
    for (size_t i = 0; i < f->history.count * roles; i++)
        vector_push(&m.joints, 0);
    for (int i = 0; i < MAX_RESTARTS && !ok && !deadline_passed(deadline); i++) {
        shorten(&m, 0);
        BeliefState start = belief_state_copy(&f->start, roles);
        start.weight = 1;
        vector_push(&m.states, start);
        ok = explain_all(&m, model, deadline, joint);
    }
    if (ok)
        *found = vector_pop(&m.states);
    belief_states_free(&m.states);
    vector_free(&m.joints);
    free(joint);
    return ok;
}
