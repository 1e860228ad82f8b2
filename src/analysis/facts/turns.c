/* A turn marker is true whenever its role has a choice, and only while no other role has one.
 * Clocks that run in a cycle and that legality depends on are markers too, whatever they mark. In
 * an impartial game the other player would have the same options, up to the markers. */
#include "analysis/facts/turns.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"

enum {
    IMPARTIAL_STATES = 300, /* states in which options are compared (untuned) */
    MIN_IMPARTIAL = 10      /* comparisons required for an observation (untuned) */
};
#define ROLE_NOBODY (ROLE_NONE - 1) /* no marker has this role */

static Signal has_choice(Prover *p, const Circuit *c, uint32_t role) {
    assert(role < c->role_count);
    U32Vector legal = {0};
    for (uint32_t m = c->first_move[role]; m < c->first_move[role + 1]; m++)
        vector_push(&legal, prover_signal(p, c->legal[m]));
    Signal one, two;
    aig_count(prover_aig(p), legal.items, legal.count, &one, &two);
    vector_free(&legal);
    return two;
}

static bool prove_alternation(Prover *p, const Circuit *c) {
    U32Vector choices = {0};
    for (uint32_t r = 0; r < c->role_count; r++)
        vector_push(&choices, has_choice(p, c, r));
    Signal one, two;
    aig_count(prover_aig(p), choices.items, choices.count, &one, &two);
    vector_free(&choices);
    Claim claim = {.violated = two, .assumed = SIGNAL_TRUE, .holds = true};
    prover_check(p, &claim, 1, PROVER_LASTS);
    return claim.holds;
}

static void find_kind(Turns *t, const Samples *s, const Clocks *clocks, Prover *prover) {
    t->certainty = CERTAINTY_PROVED;
    if (s->role_count == 1) {
        t->kind = TURNS_SINGLE;
        return;
    }
    t->kind = TURNS_SIMULTANEOUS;
    uint32_t chooser;
    for (size_t i = 0; i < s->items.count; i++)
        if (samples_choosers(s, i, &chooser) > 1)
            return;
    t->kind = TURNS_ALTERNATING;
    bool proved = (clocks->certainty == CERTAINTY_PROVED && clocks->takes_turns) ||
                  (prover && prove_alternation(prover, s->game->circuit));
    t->certainty = proved ? CERTAINTY_PROVED : CERTAINTY_OBSERVED;
}

typedef struct {
    uint64_t *own;    /* bitset of samples in which the role has a choice */
    uint64_t *others; /* bitset of samples in which another role has one */
} Choices;

static void collect_choices(const Samples *s, uint32_t role, Choices *c) {
    memset(c->own, 0, s->column_size * sizeof *c->own);
    memset(c->others, 0, s->column_size * sizeof *c->others);
    for (size_t i = 0; i < s->items.count; i++)
        for (uint32_t r = 0; r < s->role_count; r++)
            if (samples_choices(s, i, r) > 1)
                bitset_set(r == role ? c->own : c->others, i);
}

static void add_control(Turns *t, uint32_t fluent, uint32_t role, Certainty certainty) {
    for (size_t i = 0; i < t->controls.count; i++)
        if (t->controls.items[i].fluent == fluent) {
            if (t->controls.items[i].role == ROLE_NONE)
                t->controls.items[i].role = role;
            return;
        }
    vector_push(&t->controls, ((Control){fluent, role, certainty}));
}

static void add_markers(Turns *t, const Samples *s, uint32_t role, const Choices *c) {
    if (!bitset_any(c->own, s->column_size))
        return;
    for (uint32_t f = 0; f < s->fluent_count; f++) {
        const uint64_t *column = samples_column(s, f);
        if (!bitset_overlaps(column, c->others, s->column_size) &&
            bitset_includes(column, c->own, s->column_size))
            add_control(t, f, role, CERTAINTY_OBSERVED);
    }
}

/* Returns the only role with a choice while the fluent is true; ROLE_NONE if none or several. */
static uint32_t role_of_cycle_fluent(const Samples *s, uint32_t fluent) {
    uint32_t role = ROLE_NONE;
    for (size_t i = 0; i < s->items.count; i++)
        for (uint32_t r = 0; samples_holds(s, i, fluent) && r < s->role_count; r++)
            if (samples_choices(s, i, r) > 1) {
                if (role != ROLE_NONE && role != r)
                    return ROLE_NONE;
                role = r;
            }
    return role;
}

static void find_controls(Turns *t, const Samples *s, const Clocks *clocks) {
    for (size_t i = 0; i < clocks->items.count; i++) {
        const Clock *clock = &clocks->items.items[i];
        for (size_t f = 0; clock->kind == CLOCK_CONTROL && f < clock->fluents.count; f++)
            add_control(t, clock->fluents.items[f],
                        role_of_cycle_fluent(s, clock->fluents.items[f]), clocks->certainty);
    }
    if (t->kind != TURNS_ALTERNATING)
        return;
    size_t words = s->column_size + 1;
    Choices c = {memory_zalloc(words * sizeof(uint64_t)), memory_zalloc(words * sizeof(uint64_t))};
    for (uint32_t r = 0; r < s->role_count; r++) {
        collect_choices(s, r, &c);
        if (bitset_any(c.others, s->column_size))
            add_markers(t, s, r, &c);
    }
    memory_free(c.own, c.others);
}

typedef VECTOR(uint64_t) Hashes;

/* Sets the turn markers of the state so that it is the role's turn. */
static void set_turn(const Turns *t, State *state, uint32_t role) {
    for (size_t i = 0; i < t->controls.count; i++) {
        uint32_t f = t->controls.items[i].fluent;
        if (t->controls.items[i].role == role)
            state_set(state, f);
        else if (f / 64 < state->word_count)
            bitset_clear(state->words, f);
    }
}

/* Lists hashes of the role's next states without turn markers. False if another role can choose. */
static bool options_of(const Turns *t, const Samples *s, const State *state, uint32_t role,
                       Hashes *hashes) {
    U32Vector legal = {0}, own = {0};
    State next = {0};
    uint32_t *moves = memory_zalloc((s->role_count + 1) * sizeof *moves);
    bool fits = true;
    vector_clear(hashes);
    for (uint32_t r = 0; r < s->role_count && fits; r++) {
        game_legal(s->work, state, r, r == role ? &own : &legal);
        fits = r == role ? own.count > 0 : legal.count == 1;
        moves[r] = fits && r != role ? legal.items[0] : 0;
    }
    for (size_t i = 0; fits && i < own.count; i++) {
        moves[role] = own.items[i];
        game_next(s->work, state, moves, &next);
        set_turn(t, &next, ROLE_NOBODY);
        vector_push(hashes, state_hash(&next));
    }
    vector_sort(hashes, u64_compare);
    free(moves);
    vectors_free(&legal, &own);
    state_free(&next);
    return fits;
}

static bool same_options(const Turns *t, const Samples *s, size_t sample, uint32_t role,
                         uint32_t other) {
    assert(sample < s->items.count && role != other);
    Hashes mine = {0}, theirs = {0};
    State turned = {0};
    const State *state = &s->items.items[sample].state;
    state_copy(&turned, state);
    set_turn(t, &turned, other);
    bool same =
        !game_is_terminal(s->work, &turned) && options_of(t, s, state, role, &mine) &&
        options_of(t, s, &turned, other, &theirs) && mine.count == theirs.count &&
        (!mine.count || memcmp(mine.items, theirs.items, mine.count * sizeof *mine.items) == 0);
    vectors_free(&mine, &theirs);
    state_free(&turned);
    return same;
}

static bool has_marker(const Turns *t, uint32_t role) {
    for (size_t i = 0; i < t->controls.count; i++)
        if (t->controls.items[i].role == role)
            return true;
    return false;
}

static Certainty observe_impartiality(const Turns *t, const Samples *s, CpuBudget budget) {
    if (t->kind != TURNS_ALTERNATING || s->role_count != 2 || !has_marker(t, 0) ||
        !has_marker(t, 1))
        return CERTAINTY_NONE;
    size_t stride = s->items.count / IMPARTIAL_STATES + 1, compared = 0;
    for (size_t i = 0; i < s->items.count && !cpu_budget_spent(budget); i += stride) {
        uint32_t role = samples_choices(s, i, 1) > 1;
        if (samples_choices(s, i, role) < 2)
            continue;
        if (!same_options(t, s, i, role, 1 - role))
            return CERTAINTY_NONE;
        compared++;
    }
    return compared >= MIN_IMPARTIAL ? CERTAINTY_OBSERVED : CERTAINTY_NONE;
}

void turns_find(Turns *t, const Samples *s, const Clocks *clocks, Prover *prover,
                CpuBudget budget) {
    assert(!prover || s->game->circuit);
    *t = (Turns){0};
    find_kind(t, s, clocks, prover);
    find_controls(t, s, clocks);
    t->impartial = observe_impartiality(t, s, budget);
}

const char *turn_kind_name(TurnKind kind) {
    static const char *const names[] = {"single", "alternating", "simultaneous"};
    assert(kind < sizeof names / sizeof *names);
    return names[kind];
}
