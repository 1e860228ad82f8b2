/* Subgames in which a role can wait. Neither the end nor the score depends on them, but a role that
 * moves there need not move elsewhere. They matter if time or another role brings the end
 * meanwhile, and if a role can run out of moves there and must then make a move that counts. They
 * are found by an experiment: a state in which a role cannot wait is given the subgame of a state
 * in which it can, and then the role can wait. */
#include "analysis/decompose/decompose_internal.h"
#include "base/bitset.h"

enum {
    MAX_FORCED = 16, /* tested states in which a role cannot wait, per role and subgame (untuned) */
    MAX_CROSSED = 16 /* states whose subgame is transplanted into each of them (untuned) */
};

typedef struct {
    Decomposer *d;
    GameWork *work;
    bool *counts; /* by move: true if it acts in a useful subgame */
    U32Vector legal;
    State crossed;
} Waiting;

/* Returns, by move, true if it acts in a useful subgame. The caller frees the array. */
static bool *moves_that_count(const Decomposer *d) {
    const Decomposition *r = d->result;
    bool *counts = memory_zalloc(d->circuit->move_count + 1);
    for (size_t i = 0; i < r->actions.count; i++) {
        const MetaAction *action = &r->actions.items[i];
        bool is_useful =
            action->subgame != SUBGAME_NONE && r->subgames.items[action->subgame].is_useful;
        for (size_t k = 0; is_useful && k < action->moves.count; k++)
            counts[action->moves.items[k]] = true;
    }
    return counts;
}

/* Returns, by move, true if it acts in the subgame. The caller frees the array. */
static bool *moves_of(const Decomposer *d, const Subgame *subgame) {
    bool *moves = memory_zalloc(d->circuit->move_count + 1);
    for (size_t i = 0; i < subgame->actions.count; i++) {
        const MetaAction *action = &d->result->actions.items[subgame->actions.items[i]];
        for (size_t k = 0; k < action->moves.count; k++)
            moves[action->moves.items[k]] = true;
    }
    return moves;
}

/* True if the role has a legal move that counts in no subgame and, unless `wanted` is NULL, is
 * marked in `wanted`. */
static bool can_wait(Waiting *w, const State *state, uint32_t role, const bool *wanted) {
    uint32_t first = w->d->circuit->first_move[role];
    game_legal(w->work, state, role, &w->legal);
    for (size_t i = 0; i < w->legal.count; i++) {
        uint32_t move = first + w->legal.items[i];
        if (!w->counts[move] && (!wanted || wanted[move]))
            return true;
    }
    return false;
}

/* True if the role could wait in this state with the subgame of some other state. */
static bool would_help(Waiting *w, const State *forced, uint32_t role, const Subgame *subgame,
                       const bool *moves) {
    const Evidence *e = w->d->evidence;
    uint32_t crossed = 0;
    for (size_t i = 0; i < e->samples.count && crossed < MAX_CROSSED; i++) {
        if (!can_wait(w, &e->samples.items[i], role, moves))
            continue;
        decompose_cross(&w->crossed, forced, subgame, &e->samples.items[i], NULL);
        if (can_wait(w, &w->crossed, role, moves))
            return true;
        crossed++;
    }
    return false;
}

static bool lets_roles_wait(Waiting *w, const Subgame *subgame) {
    const Evidence *e = w->d->evidence;
    bool *moves = moves_of(w->d, subgame), helps = false;
    for (uint32_t role = 0; role < w->d->circuit->role_count && !helps; role++) {
        uint32_t forced = 0;
        for (size_t i = 0; i < e->samples.count && forced < MAX_FORCED && !helps; i++) {
            if (decomposer_is_late(w->d) || can_wait(w, &e->samples.items[i], role, NULL))
                continue;
            helps = would_help(w, &e->samples.items[i], role, subgame, moves);
            forced++;
        }
    }
    free(moves);
    return helps;
}

/* True if waiting can be worth something. It is not for a single role in a game without useful
 * clocks, because it finds everything unchanged afterwards. */
static bool may_pay_to_wait(const Decomposer *d, DecompositionCounts counts) {
    bool something_happens =
        d->circuit->role_count > 1 || counts.autonomous > counts.useless_autonomous;
    return something_happens && counts.useless_with_actions &&
           counts.useless_with_actions < counts.with_actions;
}

void decompose_find_waiting(Decomposer *d) {
    Decomposition *r = d->result;
    if (!may_pay_to_wait(d, decomposition_counts(r)) || !d->evidence || !d->evidence->samples.count)
        return;
    Waiting w = {
        .d = d, .work = game_work_create(d->game, REASONER_AUTO), .counts = moves_that_count(d)};
    for (size_t i = 0; i < r->subgames.count && !decomposer_is_late(d); i++) {
        Subgame *s = &r->subgames.items[i];
        if (s->has_actions && !s->is_useful)
            s->is_useful = lets_roles_wait(&w, s);
    }
    game_work_free(w.work);
    free(w.counts);
    vector_free(&w.legal);
    state_free(&w.crossed);
}
