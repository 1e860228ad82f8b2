/* Finds moves that do nothing. Candidates come from the samples and from trying all moves of a role
 * in sampled states. The prover then confirms or refutes them. */
#include "analysis/facts/noops.h"

#include <assert.h>

#include "base/bitset.h"

enum {
    MIN_IDLE = 5, /* transitions without effect that an unproved idle move must have (untuned) */
    PROBED_STATES = 400 /* states in which every legal move is tried (untuned) */
};

typedef struct {
    Noops *noops;
    const Samples *s;
    const Circuit *c;
    Prover *p;
    CpuBudget budget;           /* CPU budget for trying moves */
    const uint64_t *autonomous; /* bitset of fluents that no move changes */
    uint8_t *passive;           /* by move index: it waits, or has seemed idle so far */
    uint32_t *idle_seen;        /* by move index: idle transitions; UINT32_MAX: has an effect */
} Search;

/* Marks the moves with which roles wait. A role that never has a choice does not wait. */
static void observe_waits(Search *n) {
    const Samples *s = n->s;
    uint32_t moves = samples_move_count(s);
    uint8_t *alone = memory_zalloc(moves + 1), *among = memory_zalloc(moves + 1);
    uint8_t *chooses = memory_zalloc(s->role_count + 1);
    for (size_t i = 0; i < s->items.count; i++) {
        uint32_t chooser, choosers = samples_choosers(s, i, &chooser);
        for (uint32_t r = 0; r < s->role_count; r++) {
            uint32_t count = samples_choices(s, i, r);
            const uint32_t *legal = samples_legal(s, i, r);
            chooses[r] |= count > 1;
            for (uint32_t j = 0; j < count; j++)
                if (count > 1)
                    among[samples_move_index(s, r, legal[j])] = 1;
                else
                    alone[samples_move_index(s, r, legal[j])] |= choosers > 0;
        }
    }
    for (uint32_t r = 0; r < s->role_count; r++)
        for (uint32_t m = s->first_move[r]; m < s->first_move[r + 1]; m++)
            if (chooses[r] && alone[m] && !among[m]) {
                vector_push(n->noops,
                            ((Noop){r, m - s->first_move[r], NOOP_WAITS, CERTAINTY_OBSERVED}));
                n->passive[m] = 1;
            }
    memory_free(alone, among, chooses);
}

static bool has_effect(const Search *n, const State *before, const State *after) {
    for (uint32_t w = 0; w < bitset_words(n->s->fluent_count); w++) {
        uint64_t a = w < before->word_count ? before->words[w] : 0;
        uint64_t b = w < after->word_count ? after->words[w] : 0;
        if ((a ^ b) & ~n->autonomous[w])
            return true;
    }
    return false;
}

/* Tries all moves of the role that has a choice in the state, if it is the only one. */
static void probe(Search *n, size_t sample, State *next) {
    const Samples *s = n->s;
    assert(s->items.items[sample].has_next);
    uint32_t chooser;
    if (samples_choosers(s, sample, &chooser) != 1)
        return;
    uint32_t *moves = memory_alloc((s->role_count + 1) * sizeof *moves);
    for (uint32_t r = 0; r < s->role_count; r++)
        moves[r] = samples_legal(s, sample, r)[0];
    for (uint32_t j = 0; j < samples_choices(s, sample, chooser); j++) {
        moves[chooser] = samples_legal(s, sample, chooser)[j];
        uint32_t *seen = &n->idle_seen[samples_move_index(s, chooser, moves[chooser])];
        if (*seen == UINT32_MAX)
            continue;
        game_next(s->work, &s->items.items[sample].state, moves, next);
        *seen = has_effect(n, &s->items.items[sample].state, next) ? UINT32_MAX : *seen + 1;
    }
    free(moves);
}

static void observe_idle(Search *n) {
    const Samples *s = n->s;
    State next = {0};
    size_t stride = s->items.count / PROBED_STATES + 1;
    for (size_t i = 0; i < s->items.count && !cpu_budget_spent(n->budget); i += stride)
        if (s->items.items[i].has_next)
            probe(n, i, &next);
    state_free(&next);
    for (uint32_t r = 0; r < s->role_count; r++)
        for (uint32_t m = s->first_move[r]; m < s->first_move[r + 1]; m++) {
            uint32_t seen = n->idle_seen[m];
            if (seen == UINT32_MAX || seen == 0 || n->passive[m])
                continue;
            n->passive[m] = 1;
            Noop noop = {r, m - s->first_move[r], NOOP_IDLES,
                         seen < MIN_IDLE ? CERTAINTY_NONE : CERTAINTY_OBSERVED};
            vector_push(n->noops, noop);
        }
}

/* Returns a signal that is true if the move and another move of its role are legal. */
static Signal legal_with_others(Search *n, const Noop *noop) {
    const Circuit *c = n->c;
    U32Vector others = {0};
    for (uint32_t m = c->first_move[noop->role]; m < c->first_move[noop->role + 1]; m++)
        if (m != c->first_move[noop->role] + noop->move)
            vector_push(&others, prover_signal(n->p, c->legal[m]));
    Signal any = aig_or_many(prover_aig(n->p), others.items, others.count);
    vector_free(&others);
    Signal own = prover_signal(n->p, c->legal[c->first_move[noop->role] + noop->move]);
    return aig_and(prover_aig(n->p), own, any);
}

/* Returns a signal that is true if some fluent that is not autonomous changes. */
static Signal state_changes(Search *n) {
    U32Vector changes = {0};
    for (uint32_t f = 0; f < n->c->fluent_count; f++)
        if (!bitset_get(n->autonomous, f))
            vector_push(&changes, aig_xor(prover_aig(n->p), prover_signal(n->p, n->c->fluents[f]),
                                          prover_signal(n->p, n->c->next[f])));
    Signal any = aig_or_many(prover_aig(n->p), changes.items, changes.count);
    vector_free(&changes);
    return any;
}

/* Returns a signal: the role makes the move and all others wait or idle, if they ever can. */
static Signal does_alone(Search *n, const Noop *noop) {
    const Circuit *c = n->c;
    U32Vector parts = {0}, waits = {0};
    vector_push(&parts, prover_signal(n->p, c->moves[c->first_move[noop->role] + noop->move]));
    for (uint32_t r = 0; r < c->role_count; r++) {
        vector_clear(&waits);
        for (uint32_t m = c->first_move[r]; m < c->first_move[r + 1]; m++)
            if (n->passive[m])
                vector_push(&waits, prover_signal(n->p, c->moves[m]));
        if (r != noop->role)
            vector_push(&parts, aig_or_many(prover_aig(n->p), waits.items, waits.count));
    }
    Signal all = aig_and_many(prover_aig(n->p), parts.items, parts.count);
    vectors_free(&parts, &waits);
    return all;
}

static void prove(Search *n, NoopKind kind) {
    Claims claims = {0};
    U32Vector of = {0};
    Signal changes = SIGNAL_FALSE;
    for (size_t i = 0; i < n->noops->count; i++) {
        const Noop *noop = &n->noops->items[i];
        if (noop->kind != kind)
            continue;
        if (kind == NOOP_IDLES && changes == SIGNAL_FALSE)
            changes = state_changes(n);
        Claim claim = {.assumed = SIGNAL_TRUE, .holds = true};
        if (kind == NOOP_WAITS) {
            claim.violated = legal_with_others(n, noop);
        } else {
            Signal alone = does_alone(n, noop);
            if (alone == SIGNAL_FALSE)
                continue;
            claim.violated = aig_and(prover_aig(n->p), alone, changes);
        }
        vector_push(&claims, claim);
        vector_push(&of, (uint32_t)i);
    }
    bool decided = prover_check(n->p, claims.items, claims.count,
                                kind == NOOP_WAITS ? PROVER_LASTS : PROVER_MOVES);
    for (size_t i = 0; i < claims.count; i++)
        if (claims.items[i].holds)
            n->noops->items[of.items[i]].certainty = CERTAINTY_PROVED;
        else if (decided && kind == NOOP_IDLES) /* some state shows an effect, though a rare one */
            n->noops->items[of.items[i]].certainty = CERTAINTY_NONE;
    vectors_free(&claims, &of);
}

static void drop_unfounded(Noops *noops) {
    size_t kept = 0;
    for (size_t i = 0; i < noops->count; i++)
        if (noops->items[i].certainty != CERTAINTY_NONE)
            noops->items[kept++] = noops->items[i];
    noops->count = kept;
}

void noops_find(Noops *noops, const Samples *s, const uint64_t *autonomous, Prover *prover,
                CpuBudget budget) {
    assert(!prover || s->game->circuit);
    Search n = {.noops = noops,
                .s = s,
                .c = s->game->circuit,
                .p = prover,
                .budget = budget,
                .autonomous = autonomous};
    n.passive = memory_zalloc(samples_move_count(s) + 1);
    n.idle_seen = memory_zalloc((samples_move_count(s) + 1) * sizeof *n.idle_seen);
    observe_waits(&n);
    observe_idle(&n);
    if (prover) {
        prove(&n, NOOP_WAITS);
        prove(&n, NOOP_IDLES);
    }
    drop_unfounded(noops);
    memory_free(n.passive, n.idle_seen);
}

const char *noop_kind_name(NoopKind kind) {
    static const char *const names[] = {"waits", "idles"};
    assert(kind < sizeof names / sizeof *names);
    return names[kind];
}
