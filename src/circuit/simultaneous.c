/* The gates that moves can influence are copied for every move. */
#include "circuit/simultaneous.h"

#include <assert.h>
#include <string.h>

enum {
    MAX_COPIED = 6000000, /* nodes copied for all moves together (untuned) */
    MAX_EFFECTS = 2000000 /* pairs of a move and an affected fluent (untuned) */
};

typedef struct {
    SimultaneousTurn *to;
    const Circuit *from;
    uint8_t *moved;     /* by node: 1 if it is in the cone of `next` and moves can influence it */
    U32Vector affected; /* fluents whose next value moves can influence */
    Signal *effects;    /* by move and affected fluent: its next value if only this move is made */
} Builder;

static void copy_inputs(SimultaneousTurn *t, const Circuit *c, Signal *map) {
    t->fluents = memory_alloc((c->fluent_count + 1) * sizeof *t->fluents);
    t->moves = memory_alloc((c->move_count + 1) * sizeof *t->moves);
    t->next = memory_alloc((c->fluent_count + 1) * sizeof *t->next);
    for (uint32_t f = 0; f < c->fluent_count; f++)
        map[signal_node(c->fluents[f])] = t->fluents[f] = aig_input(&t->aig);
    for (uint32_t m = 0; m < c->move_count; m++) {
        map[signal_node(c->moves[m])] = SIGNAL_FALSE;
        t->moves[m] = aig_input(&t->aig);
    }
}

/* Copies the gates that no move influences once, and the others once per move. */
static void copy_effects(Builder *b) {
    const Circuit *c = b->from;
    size_t nodes = c->aig.nodes.count;
    uint8_t *still = memory_zalloc(nodes);
    Signal *common = u32_none(nodes);
    Signal *map = memory_alloc(nodes * sizeof *map);
    aig_mark_cone(&c->aig, c->next, c->fluent_count, still);
    for (size_t n = 0; n < nodes; n++) {
        b->moved[n] = b->moved[n] && still[n];
        still[n] = still[n] && !b->moved[n];
    }
    copy_inputs(b->to, c, common);
    aig_copy_marked(&b->to->aig, &c->aig, still, common);
    for (uint32_t m = 0; m < c->move_count; m++) {
        memcpy(map, common, nodes * sizeof *map);
        map[signal_node(c->moves[m])] = SIGNAL_TRUE;
        aig_copy_marked(&b->to->aig, &c->aig, b->moved, map);
        for (size_t i = 0; i < b->affected.count; i++)
            b->effects[m * b->affected.count + i] =
                signal_mapped(map, c->next[b->affected.items[i]]);
    }
    for (uint32_t f = 0; f < c->fluent_count; f++)
        if (!b->moved[signal_node(c->next[f])])
            b->to->next[f] = signal_mapped(common, c->next[f]);
    memory_free(still, common, map);
}

/* The effect that the majority of moves has on the fluent, if there is one (Boyer and Moore 1981).
 * Usually it is no change. */
static Signal usual_effect(const Builder *b, size_t fluent) {
    Signal usual = SIGNAL_NONE;
    uint32_t lead = 0;
    for (uint32_t m = 0; m < b->from->move_count; m++) {
        Signal effect = b->effects[m * b->affected.count + fluent];
        if (lead == 0)
            usual = effect;
        lead += effect == usual ? 1 : -1;
    }
    return usual;
}

static void join_effects(Builder *b, size_t fluent) {
    Aig *aig = &b->to->aig;
    Signal usual = usual_effect(b, fluent);
    U32Vector sets = {0}, clears = {0};
    for (uint32_t m = 0; m < b->from->move_count; m++) {
        Signal effect = b->effects[m * b->affected.count + fluent];
        if (effect == usual)
            continue;
        vector_push(&sets, aig_and(aig, b->to->moves[m], effect));
        vector_push(&clears, aig_and(aig, b->to->moves[m], signal_not(effect)));
    }
    Signal set = aig_or_many(aig, sets.items, sets.count);
    Signal clear = aig_or_many(aig, clears.items, clears.count);
    b->to->next[b->affected.items[fluent]] =
        aig_or(aig, set, aig_and(aig, usual, signal_not(clear)));
    vectors_free(&sets, &clears);
}

bool simultaneous_build(SimultaneousTurn *t, const Circuit *c) {
    assert(c->role_count == 1);
    if ((uint64_t)c->move_count * c->aig.nodes.count > MAX_COPIED)
        return false;
    Builder b = {.to = t, .from = c, .moved = circuit_nodes_that_depend_on_moves(c)};
    for (uint32_t f = 0; f < c->fluent_count; f++)
        if (b.moved[signal_node(c->next[f])])
            vector_push(&b.affected, f);
    bool fits = (uint64_t)c->move_count * b.affected.count <= MAX_EFFECTS;
    if (fits) {
        b.effects = memory_alloc((c->move_count * b.affected.count + 1) * sizeof *b.effects);
        aig_init(&t->aig);
        copy_effects(&b);
        for (size_t i = 0; i < b.affected.count; i++)
            join_effects(&b, i);
    }
    memory_free(b.effects, b.moved);
    vector_free(&b.affected);
    return fits;
}

void simultaneous_free(SimultaneousTurn *t) {
    aig_free(&t->aig);
    memory_free(t->fluents, t->moves, t->next);
}
