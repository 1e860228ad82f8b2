/* Candidates that are constant false are left out first. Numbers are vectors of signals, least
 * significant bit first, just wide enough for the largest count. */
#include "circuit/choice.h"

#include <assert.h>

#include "base/memory.h"

enum { MAX_WIDTH = 32 }; /* most bits of a number */

typedef struct {
    Signal bits[MAX_WIDTH];
    uint32_t width;
} Number;

typedef struct {
    Aig *aig;
    const Signal *candidates; /* candidates that are not constant false */
    Number *counts;           /* by tree node, heap order */
} Tree;

static uint32_t bits_for(size_t largest) {
    uint32_t bits = 0;
    while (largest >> bits)
        bits++;
    return bits;
}

static size_t possible(const Signal *candidates, size_t count) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        n += candidates[i] != SIGNAL_FALSE;
    return n;
}

uint32_t choice_random_bits(const Signal *candidates, size_t count) {
    size_t n = possible(candidates, count);
    return n < 2 ? 0 : bits_for(n) + CHOICE_EXTRA_BITS;
}

static Signal bit(const Number *n, uint32_t i) {
    return i < n->width ? n->bits[i] : SIGNAL_FALSE;
}

static Signal majority(Aig *aig, Signal a, Signal b, Signal c) {
    return aig_or(aig, aig_and(aig, a, b), aig_and(aig, c, aig_or(aig, a, b)));
}

static Number add(Aig *aig, const Number *a, const Number *b, size_t largest) {
    assert(bits_for(largest) <= MAX_WIDTH);
    Number sum = {.width = bits_for(largest)};
    Signal carry = SIGNAL_FALSE;
    for (uint32_t i = 0; i < sum.width; i++) {
        Signal x = bit(a, i), y = bit(b, i);
        sum.bits[i] = aig_xor(aig, aig_xor(aig, x, y), carry);
        carry = majority(aig, x, y, carry);
    }
    return sum;
}

/* a - b modulo 2^width; *borrow tells whether a < b. */
static Number subtract(Aig *aig, const Number *a, const Number *b, uint32_t width, Signal *borrow) {
    Number difference = {.width = width};
    *borrow = SIGNAL_FALSE;
    uint32_t all = a->width > b->width ? a->width : b->width;
    for (uint32_t i = 0; i < all; i++) {
        Signal x = bit(a, i), y = bit(b, i);
        if (i < width)
            difference.bits[i] = aig_xor(aig, aig_xor(aig, x, y), *borrow);
        *borrow = majority(aig, signal_not(x), y, *borrow);
    }
    return difference;
}

static void count_node(Tree *t, size_t node, size_t first, size_t count) {
    if (count == 1) {
        t->counts[node] = (Number){.bits = {t->candidates[first]}, .width = 1};
        return;
    }
    size_t left = count / 2;
    count_node(t, 2 * node, first, left);
    count_node(t, 2 * node + 1, first + left, count - left);
    t->counts[node] = add(t->aig, &t->counts[2 * node], &t->counts[2 * node + 1], count);
}

/* floor(random * count / 2^bits), by adding and halving from the lowest random bit on. */
static Number scale(Aig *aig, const Number *count, const Signal *random, uint32_t bits) {
    Number result = {.width = count->width};
    for (uint32_t i = 0; i < result.width; i++)
        result.bits[i] = SIGNAL_FALSE;
    for (uint32_t r = 0; r < bits; r++) {
        Signal carry = SIGNAL_FALSE;
        Number sum = {.width = result.width + 1};
        for (uint32_t i = 0; i < result.width; i++) {
            Signal x = result.bits[i], y = aig_and(aig, random[r], count->bits[i]);
            sum.bits[i] = aig_xor(aig, aig_xor(aig, x, y), carry);
            carry = majority(aig, x, y, carry);
        }
        sum.bits[result.width] = carry;
        for (uint32_t i = 0; i < result.width; i++)
            result.bits[i] = sum.bits[i + 1];
    }
    return result;
}

/* `active` is true if the rank is to be found below this node. */
static void pick(Tree *t, size_t node, size_t first, size_t count, Signal active,
                 const Number *rank, Signal *picked) {
    if (count == 1) {
        picked[first] = active;
        return;
    }
    size_t left = count / 2;
    Signal go_left;
    Number rest =
        subtract(t->aig, rank, &t->counts[2 * node], bits_for(count - left - 1), &go_left);
    Number same = *rank;
    if (same.width > bits_for(left - 1))
        same.width = bits_for(left - 1);
    pick(t, 2 * node, first, left, aig_and(t->aig, active, go_left), &same, picked);
    pick(t, 2 * node + 1, first + left, count - left, aig_and(t->aig, active, signal_not(go_left)),
         &rest, picked);
}

void choice_build(Aig *aig, const Signal *candidates, size_t count, const Signal *random,
                  Signal *chosen) {
    assert(count == 0 || (candidates && chosen));
    size_t n = possible(candidates, count);
    Signal *compact = memory_alloc((n + 1) * sizeof *compact);
    Signal *picked = memory_alloc((n + 1) * sizeof *picked);
    size_t at = 0;
    for (size_t i = 0; i < count; i++)
        if (candidates[i] != SIGNAL_FALSE)
            compact[at++] = candidates[i];
    if (n == 1) {
        picked[0] = compact[0];
    } else if (n > 1) {
        size_t nodes = 1;
        while (nodes < n)
            nodes *= 2;
        Tree t = {aig, compact, memory_alloc(2 * nodes * sizeof *t.counts)};
        count_node(&t, 1, 0, n);
        Number rank = scale(aig, &t.counts[1], random, bits_for(n) + CHOICE_EXTRA_BITS);
        rank.width = bits_for(n - 1);
        Signal any = SIGNAL_FALSE;
        for (uint32_t i = 0; i < t.counts[1].width; i++)
            any = aig_or(aig, any, t.counts[1].bits[i]);
        pick(&t, 1, 0, n, any, &rank, picked);
        free(t.counts);
    }
    at = 0;
    for (size_t i = 0; i < count; i++)
        chosen[i] = candidates[i] != SIGNAL_FALSE ? picked[at++] : SIGNAL_FALSE;
    memory_free(compact, picked);
}
