/* Finds the largest set of fluents that determines itself. A candidate whose next value is
 * uncertain is dropped, and the proof starts again without it until no candidate is dropped. */
#include "analysis/facts/clocks.h"

#include <assert.h>
#include <string.h>

#include "analysis/circuit_index.h"
#include "base/bitset.h"
#include "circuit/ternary.h"

enum {
    MAX_TIMES = 4096, /* longest history; a proof that needs more rows gives up (untuned) */
    MIN_MATCHES = 10  /* matches required for an observation without a proof (untuned) */
};

typedef struct {
    const Circuit *c;
    Aig aig;         /* copy of the gates that terminal, legal and the candidates depend on */
    Signal *map;     /* by node of the circuit: signal of the copy; SIGNAL_NONE if left out */
    Ternary *values; /* by node of the copy */
    bool uses_moves; /* the next value of some candidate depends on moves */
} Proof;

static void set_input(Proof *p, Signal circuit_input, Ternary value) {
    Signal s = p->map[signal_node(circuit_input)];
    if (s != SIGNAL_NONE)
        p->values[signal_node(s)] = value;
}

static Ternary value_of(const Proof *p, Signal circuit_signal) {
    assert(p->map[signal_node(circuit_signal)] != SIGNAL_NONE);
    return ternary_of(p->values, signal_mapped(p->map, circuit_signal));
}

static void proof_open(Proof *p, const Circuit *c, const uint64_t *fluents, uint32_t words) {
    *p = (Proof){.c = c};
    uint8_t *depends = circuit_nodes_that_depend_on_moves(c);
    U32Vector outputs = {0};
    vector_push(&outputs, c->terminal);
    for (uint32_t m = 0; m < c->move_count; m++)
        vector_push(&outputs, c->legal[m]);
    bitset_each(f, fluents, words) {
        vector_push(&outputs, c->next[f]);
        p->uses_moves |= depends[signal_node(c->next[f])] != 0;
    }
    free(depends);
    uint8_t *marks = memory_zalloc(c->aig.nodes.count);
    aig_mark_cone(&c->aig, outputs.items, outputs.count, marks);
    vector_free(&outputs);
    aig_init(&p->aig);
    p->map = circuit_copy(c, marks, &p->aig);
    free(marks);
    p->values = memory_alloc(p->aig.nodes.count);
    memset(p->values, TERNARY_UNKNOWN, p->aig.nodes.count);
}

static void proof_close(Proof *p) {
    aig_free(&p->aig);
    memory_free(p->map, p->values);
}

/* Gives the role's moves their certain values. Returns how many may be legal. */
static uint32_t restrict_moves(Proof *p, uint32_t role) {
    const Circuit *c = p->c;
    uint32_t possible = 0, last = 0;
    for (uint32_t m = c->first_move[role]; m < c->first_move[role + 1]; m++) {
        bool may = value_of(p, c->legal[m]) != TERNARY_FALSE;
        set_input(p, c->moves[m], may ? TERNARY_UNKNOWN : TERNARY_FALSE);
        possible += may;
        last = may ? m : last;
    }
    if (possible == 1)
        set_input(p, c->moves[last], TERNARY_TRUE);
    return possible;
}

/* Evaluates the copy with the clocks of the row. Returns how many roles may have a choice. */
static uint32_t evaluate_time(Proof *p, const Clocks *k, const uint64_t *row) {
    const Circuit *c = p->c;
    bitset_each(f, k->fluents, k->words)
        set_input(p, c->fluents[f], bitset_get(row, f) ? TERNARY_TRUE : TERNARY_FALSE);
    ternary_evaluate(&p->aig, p->values);
    uint32_t choosers = 0;
    for (uint32_t r = 0; r < c->role_count; r++)
        choosers += restrict_moves(p, r) > 1;
    if (p->uses_moves)
        ternary_evaluate(&p->aig, p->values);
    return choosers;
}

/* Writes the next values into the row. Drops clocks whose next value is uncertain; false if any. */
static bool step(const Proof *p, Clocks *k, uint64_t *row) {
    bool certain = true;
    bitset_each(f, k->fluents, k->words) {
        Ternary value = value_of(p, p->c->next[f]);
        if (value == TERNARY_UNKNOWN) {
            bitset_clear(k->fluents, f);
            certain = false;
        } else if (value == TERNARY_TRUE) {
            bitset_set(row, f);
        }
    }
    return certain;
}

static uint64_t *add_row(Clocks *k) {
    k->history = memory_realloc(k->history, (k->times + 1) * (k->words + 1) * sizeof(uint64_t));
    uint64_t *row = k->history + (size_t)k->times++ * k->words;
    memset(row, 0, k->words * sizeof *row);
    return row;
}

/* True if the last row equals an earlier one; then the last row is removed. */
static bool repeats(Clocks *k) {
    assert(k->times > 0);
    const uint64_t *last = k->history + (size_t)(k->times - 1) * k->words;
    for (uint32_t t = 0; t + 1 < k->times; t++)
        if (bitset_equal(k->history + (size_t)t * k->words, last, k->words)) {
            k->repeats_from = t;
            k->times--;
            return true;
        }
    return false;
}

typedef enum { CERTAIN, UNCERTAIN, OUT_OF_BUDGET } Outcome;

/* Follows the clocks from the initial state until they repeat or the game is certainly over. */
static Outcome follow(Proof *p, Clocks *k, CpuBudget budget) {
    k->times = 0;
    k->takes_turns = true;
    uint64_t *row = add_row(k);
    bitset_each(f, k->fluents, k->words)
        bitset_assign(row, f, p->c->initial[f]);
    for (uint32_t t = 0; t < MAX_TIMES; t++) {
        if (cpu_budget_spent(budget))
            return OUT_OF_BUDGET;
        uint32_t choosers = evaluate_time(p, k, k->history + (size_t)t * k->words);
        if (value_of(p, p->c->terminal) == TERNARY_TRUE) {
            k->is_bounded = true;
            return CERTAIN;
        }
        k->takes_turns &= choosers <= 1;
        if (!step(p, k, add_row(k)))
            return UNCERTAIN;
        if (repeats(k))
            return CERTAIN;
    }
    return OUT_OF_BUDGET;
}

static void prove(Clocks *k, const Circuit *c, CpuBudget budget) {
    Proof p;
    proof_open(&p, c, k->fluents, k->words);
    Outcome outcome;
    do {
        memset(p.values, TERNARY_UNKNOWN, p.aig.nodes.count);
        outcome = follow(&p, k, budget);
    } while (outcome == UNCERTAIN);
    proof_close(&p);
    if (outcome == CERTAIN)
        k->certainty = CERTAINTY_PROVED;
    else
        k->takes_turns = false;
}

/* Marks candidates: fluents that change and never differ between two matches at the same time. */
static void observe(Clocks *k, const Samples *s) {
    uint32_t times = 0;
    for (size_t i = 0; i < s->items.count; i++)
        if (s->items.items[i].time >= times)
            times = s->items.items[i].time + 1;
    size_t size = (size_t)times * k->words + 1;
    uint64_t *some = memory_zalloc(size * sizeof *some), *all = memory_alloc(size * sizeof *all);
    memset(all, 0xff, size * sizeof *all);
    for (size_t i = 0; i < s->items.count; i++) {
        const State *state = &s->items.items[i].state;
        size_t row = (size_t)s->items.items[i].time * k->words;
        for (uint32_t w = 0; w < k->words; w++) {
            uint64_t word = w < state->word_count ? state->words[w] : 0;
            some[row + w] |= word;
            all[row + w] &= word;
        }
    }
    for (uint32_t w = 0; w < k->words; w++) {
        uint64_t differs = 0, ever = 0, always = ~UINT64_C(0);
        for (uint32_t t = 0; t < times; t++) {
            differs |= some[(size_t)t * k->words + w] & ~all[(size_t)t * k->words + w];
            ever |= some[(size_t)t * k->words + w];
            always &= all[(size_t)t * k->words + w];
        }
        k->fluents[w] = ever & ~always & ~differs;
    }
    k->history = some;
    k->times = times;
    free(all);
}

static void keep_only_clocks_in_history(Clocks *k) {
    for (uint32_t t = 0; t < k->times; t++)
        for (uint32_t w = 0; w < k->words; w++)
            k->history[(size_t)t * k->words + w] &= k->fluents[w];
}

Clocks *clocks_find(const Samples *s, CpuBudget budget) {
    assert(s->items.count > 0);
    Clocks *k = memory_zalloc(sizeof *k);
    k->words = (uint32_t)bitset_words(s->fluent_count);
    k->fluents = memory_zalloc((k->words + 1) * sizeof *k->fluents);
    k->repeats_from = UINT32_MAX;
    observe(k, s);
    Clocks observed = *k;
    if (game_has_circuit(s->game)) {
        k->history = NULL;
        k->fluents = memory_alloc((k->words + 1) * sizeof *k->fluents);
        memcpy(k->fluents, observed.fluents, (k->words + 1) * sizeof *k->fluents);
        prove(k, s->game->circuit, budget);
        Clocks *loser = k->certainty == CERTAINTY_PROVED ? &observed : k;
        memory_free(loser->history, loser->fluents);
        if (loser == k)
            *k = observed;
    }
    if (k->certainty == CERTAINTY_NONE && s->matches < MIN_MATCHES)
        memset(k->fluents, 0, k->words * sizeof *k->fluents);
    if (k->certainty == CERTAINTY_NONE)
        k->certainty = CERTAINTY_OBSERVED;
    keep_only_clocks_in_history(k);
    clocks_divide(k, s);
    return k;
}

void clocks_free(Clocks *clocks) {
    if (!clocks)
        return;
    for (size_t i = 0; i < clocks->items.count; i++)
        vector_free(&clocks->items.items[i].fluents);
    vector_free(&clocks->items);
    memory_free(clocks->fluents, clocks->history, clocks);
}

const uint64_t *clocks_at(const Clocks *clocks, uint32_t time) {
    assert(clocks->repeats_from == UINT32_MAX || clocks->repeats_from < clocks->times);
    if (time >= clocks->times && clocks->repeats_from != UINT32_MAX)
        time = clocks->repeats_from +
               (time - clocks->repeats_from) % (clocks->times - clocks->repeats_from);
    return time < clocks->times ? clocks->history + (size_t)time * clocks->words : NULL;
}
