#include "circuit/decisive.h"

#include <assert.h>
#include <string.h>

/* The circuit may become larger by this factor plus this number of gates; and so many nodes may be
 * visited to build it, since every move visits the whole circuit (untuned). */
enum { MAX_GROWTH = 3, GROWTH_FREE = 1000, MAX_VISITS = 40000000 };

typedef struct {
    Aig *aig;
    const TurnNetworks *turn;
    uint32_t phase, role;
    Signal goal;              /* the role's best goal, in the circuit */
    const Signal *now;        /* by node: its copy in the present state; NONE if it needs moves */
    uint8_t *needs_moves;     /* by node: in a cone of a next state, and not copied yet */
    uint8_t *decides;         /* by node: in the cone of terminal or of the goal */
    Signal *present, *future; /* by node: copies under the move, and in its successor */
} Lookahead;

/* The only role that can have more than one legal move; DECISIVE_NONE if there is no such role. */
static uint32_t only_mover(const Circuit *c, const Signal *legal) {
    uint32_t mover = DECISIVE_NONE;
    for (uint32_t r = 0; r < c->role_count; r++) {
        uint32_t possible = 0;
        for (uint32_t m = c->first_move[r]; m < c->first_move[r + 1]; m++)
            possible += legal[m] != SIGNAL_FALSE;
        if (possible == 0 || (possible > 1 && mover != DECISIVE_NONE))
            return DECISIVE_NONE;
        if (possible > 1)
            mover = r;
    }
    return mover;
}

static void open_lookahead(Lookahead *l, const TurnNetworks *turn) {
    const Circuit *c = turn->circuit;
    U32Vector next = {0};
    for (size_t i = 0; i < turn->kept.count; i++)
        vector_push(&next, c->next[turn->kept.items[i]]);
    l->needs_moves = memory_zalloc(c->aig.nodes.count);
    l->decides = memory_zalloc(c->aig.nodes.count);
    aig_mark_cone(&c->aig, next.items, next.count, l->needs_moves);
    aig_mark_cone(&c->aig, (const Signal[]){c->terminal, l->goal}, 2, l->decides);
    for (uint32_t i = 0; i < c->aig.nodes.count; i++)
        l->needs_moves[i] = l->needs_moves[i] && l->now[i] == SIGNAL_NONE;
    vector_free(&next);
    l->present = u32_none(c->aig.nodes.count);
    l->future = u32_none(c->aig.nodes.count);
}

static void close_lookahead(Lookahead *l) {
    memory_free(l->needs_moves, l->decides, l->present, l->future);
}

/* True if the successor by this move is terminal with the goal. */
static Signal wins(Lookahead *l, uint32_t move, const Signal *legal) {
    const TurnNetworks *turn = l->turn;
    const Circuit *c = turn->circuit;
    memcpy(l->present, l->now, c->aig.nodes.count * sizeof *l->present);
    memset(l->future, 0xff, c->aig.nodes.count * sizeof *l->future);
    for (uint32_t r = 0; r < c->role_count; r++)
        for (uint32_t m = c->first_move[r]; m < c->first_move[r + 1]; m++) {
            bool is_made = r == l->role ? m == move : legal[m] != SIGNAL_FALSE;
            l->present[signal_node(c->moves[m])] = is_made ? SIGNAL_TRUE : SIGNAL_FALSE;
            l->future[signal_node(c->moves[m])] = SIGNAL_FALSE;
        }
    aig_copy_marked(l->aig, &c->aig, l->needs_moves, l->present);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        l->future[signal_node(c->fluents[f])] = SIGNAL_FALSE;
    for (size_t i = 0; i < turn->kept.count; i++) {
        uint32_t f = turn->kept.items[i];
        l->future[signal_node(c->fluents[f])] = signal_mapped(l->present, c->next[f]);
    }
    const Phases *p = &turn->phases;
    uint32_t next_phase = l->phase + 1 == p->count ? 0 : l->phase + 1;
    for (size_t i = 0; i < p->fluents.count; i++)
        l->future[signal_node(c->fluents[p->fluents.items[i]])] =
            p->values[next_phase * p->fluents.count + i] ? SIGNAL_TRUE : SIGNAL_FALSE;
    aig_copy_marked(l->aig, &c->aig, l->decides, l->future);
    return aig_and(
        l->aig, legal[move],
        aig_and(l->aig, signal_mapped(l->future, c->terminal), signal_mapped(l->future, l->goal)));
}

void decisive_restrict(Aig *aig, const TurnNetworks *turn, uint32_t phase,
                       const uint32_t *best_goals, const Signal *map, Signal *legal) {
    const Circuit *c = turn->circuit;
    uint32_t mover = only_mover(c, legal);
    if (mover == DECISIVE_NONE || best_goals[mover] == DECISIVE_NONE || c->aig.loops.count)
        return;
    uint32_t first = c->first_move[mover], count = c->first_move[mover + 1] - first;
    size_t most = MAX_GROWTH * c->aig.and_count + GROWTH_FREE;
    if ((uint64_t)count * c->aig.nodes.count > MAX_VISITS)
        return;
    Lookahead l = {.aig = aig,
                   .turn = turn,
                   .phase = phase,
                   .role = mover,
                   .goal = c->goals.items[best_goals[mover]].signal,
                   .now = map};
    open_lookahead(&l, turn);
    Signal *winning = memory_zalloc((count + 1) * sizeof *winning);
    for (uint32_t m = 0; m < count && aig->and_count <= most; m++)
        winning[m] = legal[first + m] == SIGNAL_FALSE ? SIGNAL_FALSE : wins(&l, first + m, legal);
    if (aig->and_count <= most) {
        Signal *copy = memory_alloc((count + 1) * sizeof *copy);
        memcpy(copy, winning, count * sizeof *copy);
        Signal none = signal_not(aig_or_many(aig, copy, count)); /* overwrites the copy */
        for (uint32_t m = 0; m < count; m++)
            legal[first + m] = aig_or(aig, winning[m], aig_and(aig, legal[first + m], none));
        free(copy);
    }
    free(winning);
    close_lookahead(&l);
}
