/* A decomposition put to the test: two positions that were met are crossed, one subgame of the
 * first replaced by that of the second. What the other subgames do under the same moves must not
 * change, nor which of their own moves are legal. Subgames that fail are one. */
#include <string.h>

#include "analysis/decompose_internal.h"
#include "base/bitset.h"
#include "game/lanes.h"

enum { CROSSINGS = LANES / 2, PAIRS_AT_MOST = 2000 };

typedef struct {
    Decomposer *d;
    LaneBatch *batch;
    Random random;
    State crossed;
    bool *is_own; /* by move: it acts in the first subgame of the pair and in no other */
} Verifier;

static bool holds(const State *state, uint32_t f) {
    return f / 64 < state->word_count && bitset_get(state->words, f);
}

/* Even lanes hold positions, the lane after each the same position with the fluents of one subgame
 * taken from another. */
static void load_crossings(Verifier *v, const Subgame *replaced) {
    const Evidence *e = v->d->evidence;
    lanes_clear(v->batch);
    for (uint32_t i = 0; i < CROSSINGS; i++) {
        const State *s = &e->samples.items[random_below(&v->random, e->samples.count)];
        const State *t = &e->samples.items[random_below(&v->random, e->samples.count)];
        state_copy(&v->crossed, s);
        for (size_t k = 0; k < replaced->fluents.count; k++) {
            uint32_t f = replaced->fluents.items[k];
            state_set(&v->crossed, f);
            bitset_assign(v->crossed.words, f, holds(t, f));
        }
        lanes_set(v->batch, 2 * i, s, NULL);
        lanes_set(v->batch, 2 * i + 1, &v->crossed, NULL);
    }
}

/* Whether a row of lanes has the same value in both lanes of every pair that counts. */
static bool pairs_agree(const Lanes *row, const LaneMask *counts) {
    const uint64_t even = 0x5555555555555555;
    for (int w = 0; w < LANE_WORDS; w++)
        if (((*row)[w] ^ (*row)[w] >> 1) & even & counts->words[w])
            return false;
    return true;
}

/* Gives every pair of lanes the same random moves, legal in both; the pairs that have some. */
static LaneMask choose_moves(Verifier *v) {
    const Circuit *c = v->d->circuit;
    LaneMask ready = {{0}};
    Lanes *rows = lanes_move_rows(v->batch);
    const Lanes *legal = lanes_legal_rows(v->batch);
    for (uint32_t lane = 0; lane < LANES; lane += 2) {
        uint32_t chosen[2][64];
        bool complete = c->role_count <= 64;
        for (uint32_t r = 0; r < c->role_count && complete; r++) {
            uint32_t seen = 0;
            for (uint32_t m = c->first_move[r]; m < c->first_move[r + 1]; m++)
                if ((legal[m][lane / 64] >> (lane % 64) & 3) == 3 &&
                    random_below(&v->random, ++seen) == 0)
                    chosen[0][r] = m;
            complete = seen > 0;
        }
        for (uint32_t r = 0; r < c->role_count && complete; r++)
            rows[chosen[0][r]][lane / 64] |= UINT64_C(3) << (lane % 64);
        if (complete)
            bitset_set(ready.words, lane);
    }
    return ready;
}

static bool is_independent(Verifier *v, const Subgame *kept, const Subgame *replaced) {
    const Circuit *c = v->d->circuit;
    load_crossings(v, replaced);
    lanes_evaluate_answers(v->batch);
    LaneMask all;
    memset(&all, 0xff, sizeof all);
    for (uint32_t m = 0; m < c->move_count; m++)
        if (v->is_own[m] && !pairs_agree(&lanes_legal_rows(v->batch)[m], &all))
            return false;
    LaneMask ready = choose_moves(v);
    lanes_evaluate_next(v->batch);
    for (size_t k = 0; k < kept->fluents.count; k++)
        if (!pairs_agree(&lanes_next_rows(v->batch)[kept->fluents.items[k]], &ready))
            return false;
    return true;
}

/* Moves that act in this subgame and nowhere else. */
static void mark_own_moves(Verifier *v, uint32_t subgame) {
    const Decomposition *r = v->d->result;
    memset(v->is_own, false, v->d->circuit->move_count);
    for (int own = 1; own >= 0; own--)
        for (size_t i = 0; i < r->actions.count; i++) {
            const MetaAction *m = &r->actions.items[i];
            if ((m->subgame == subgame) != own)
                continue;
            for (size_t k = 0; k < m->moves.count; k++)
                v->is_own[m->moves.items[k]] = own;
        }
}

bool decompose_verify(Decomposer *d) {
    Decomposition *r = d->result;
    Verifier v = {.d = d};
    bool agreed = true;
    uint32_t pairs = 0;
    if (!d->evidence->samples.count)
        return false;
    random_seed(&v.random, d->options->seed);
    v.batch = lanes_create(d->game);
    v.is_own = memory_zalloc(d->circuit->move_count + 1);
    for (uint32_t i = 0; i < r->subgames.count && r->subgames.items[i].has_actions; i++) {
        mark_own_moves(&v, i);
        for (uint32_t j = 0; j < r->subgames.count && r->subgames.items[j].has_actions; j++) {
            const Subgame *kept = &r->subgames.items[i], *replaced = &r->subgames.items[j];
            bool in_series = kept->order && replaced->order && kept->order != replaced->order;
            if (i == j || in_series || pairs++ >= PAIRS_AT_MOST ||
                is_independent(&v, kept, replaced))
                continue;
            agreed = false;
            decompose_add_link(d, kept->fluents.items[0], replaced->fluents.items[0], LINK_CHOICE,
                               1);
        }
    }
    state_free(&v.crossed);
    free(v.is_own);
    lanes_free(v.batch);
    return agreed;
}
