/* Finds fluents that change at most once: seen to change in one direction only, then proved. */
#include "analysis/facts/latches.h"

#include <assert.h>

static void observe(Latches *l, const Samples *s) {
    uint8_t *turned_on = memory_zalloc(l->fluent_count + 1);
    uint8_t *turned_off = memory_zalloc(l->fluent_count + 1);
    for (size_t i = 0; i < s->items.count; i++) {
        if (!s->items.items[i].has_next)
            continue;
        const State *a = &s->items.items[i].state, *b = &s->items.items[i + 1].state;
        for (uint32_t w = 0; w < a->word_count || w < b->word_count; w++) {
            uint64_t before = w < a->word_count ? a->words[w] : 0;
            uint64_t after = w < b->word_count ? b->words[w] : 0;
            for (uint64_t on = after & ~before; on; on &= on - 1)
                turned_on[w * 64 + (uint32_t)__builtin_ctzll(on)] = 1;
            for (uint64_t off = before & ~after; off; off &= off - 1)
                turned_off[w * 64 + (uint32_t)__builtin_ctzll(off)] = 1;
        }
    }
    for (uint32_t f = 0; f < l->fluent_count; f++) {
        if (turned_on[f] && !turned_off[f])
            l->once_true[f] = CERTAINTY_OBSERVED;
        if (turned_off[f] && !turned_on[f])
            l->once_false[f] = CERTAINTY_OBSERVED;
    }
    memory_free(turned_on, turned_off);
}

static void prove(Latches *l, const Circuit *c, Prover *p) {
    Claims claims = {0};
    U32Vector of = {0}; /* by claim: 2 * fluent for once_true, 2 * fluent + 1 for once_false */
    for (uint32_t f = 0; f < l->fluent_count; f++) {
        bool to_false = l->once_false[f]; /* never both are set */
        Signal now = prover_signal(p, c->fluents[f]) ^ to_false;
        Signal then = prover_signal(p, c->next[f]) ^ to_false;
        if (!l->once_true[f] && !to_false)
            continue;
        Claim claim = {aig_and(prover_aig(p), now, signal_not(then)), SIGNAL_TRUE, true};
        vector_push(&claims, claim);
        vector_push(&of, 2 * f + to_false);
    }
    prover_check(p, claims.items, claims.count, PROVER_MOVES);
    for (size_t i = 0; i < claims.count; i++) {
        uint8_t *certainty = of.items[i] % 2 ? l->once_false : l->once_true;
        if (claims.items[i].holds)
            certainty[of.items[i] / 2] = CERTAINTY_PROVED;
    }
    vectors_free(&claims, &of);
}

void latches_find(Latches *l, const Samples *s, Prover *prover) {
    assert(!prover || s->game->circuit);
    l->fluent_count = s->fluent_count;
    l->once_true = memory_zalloc(s->fluent_count + 1);
    l->once_false = memory_zalloc(s->fluent_count + 1);
    observe(l, s);
    if (prover)
        prove(l, s->game->circuit, prover);
}

void latches_free(Latches *l) {
    memory_free(l->once_true, l->once_false);
    *l = (Latches){0};
}
