/* Finds the kind of each fluent. A clock has the same value at the same turn of every sampled
 * match, or provably depends on nothing but itself. A fluent is derived if it changes although no
 * choice of move ever makes a difference at once. */
#include <assert.h>

#include "analysis/decompose/decompose_internal.h"
#include "base/bitset.h"
#include "gdl/keywords.h"
#include "gdl/predicates.h"
#include "gdl/unify.h"

/* Limit on pairs of fluents and moves that are stored in advance: 16 million entries take 64 MiB.
 * With more pairs the moves of a fluent are looked up when they are asked for. */
enum { MOVES_KEPT = 1 << 24 };

const U32Vector *decompose_moves_under(Decomposer *d, uint32_t f) {
    assert(f < d->circuit->fluent_count);
    if (d->is_moved[f] && !d->moves_under[f].count) {
        influence_list(d->influence, &d->circuit->next[f], 1);
        u32_append(&d->moves_under[f], influence_moves(d->influence));
    }
    return &d->moves_under[f];
}

static void list_premises(Decomposer *d, uint32_t f) {
    influence_list(d->influence, &d->circuit->next[f], 1);
    d->is_moved[f] = influence_moves(d->influence)->count > 0;
    u32_append(&d->premises[f], influence_fluents(d->influence));
    if ((size_t)d->circuit->fluent_count * d->circuit->move_count <= MOVES_KEPT)
        u32_append(&d->moves_under[f], influence_moves(d->influence));
}

/* Lists the fluents, with variables, of the rules for `next` whose bodies depend on moves. */
static void list_moved_heads(const Rules *rules, U32Vector *heads) {
    Predicates predicates = {0};
    predicates_collect(&predicates, rules);
    for (size_t i = 0; i < rules->clauses.count; i++) {
        const Clause *clause = &rules->clauses.items[i];
        if (term_symbol(&rules->terms, clause->head) != KEYWORD_NEXT ||
            term_arity(&rules->terms, clause->head) != 1)
            continue;
        bool moved = false;
        for (uint32_t k = 0; k < clause->literal_count; k++) {
            Term atom = clause_literals(rules, clause)[k].atom;
            uint32_t predicate = predicate_of_atom(&predicates, &rules->terms, atom);
            moved |= term_symbol(&rules->terms, atom) == KEYWORD_DOES;
            moved |=
                predicate != PREDICATE_NONE && predicates.items.items[predicate].depends_on_does;
        }
        if (moved)
            vector_push(heads, term_argument(&rules->terms, clause->head, 0));
    }
    predicates_free(&predicates);
}

/* Marks the fluents whose rules mention moves. The choice of move may make no difference to such a
 * fluent, but its author still means it as something that players do. */
static void find_mentioned(Decomposer *d) {
    const Terms *terms = grounding_terms(d->game->grounding);
    U32Vector heads = {0};
    list_moved_heads(d->game->rules, &heads);
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++)
        for (size_t i = 0; i < heads.count && !d->is_mentioned[f]; i++)
            d->is_mentioned[f] =
                terms_may_match(terms, heads.items[i], d->game->grounding->fluents.items[f].term);
    vector_free(&heads);
}

/* Finds the largest set of fluents that depend on no move and on no fluent outside the set. */
static void find_autonomous(Decomposer *d) {
    uint32_t count = d->circuit->fluent_count;
    for (uint32_t f = 0; f < count; f++)
        d->is_autonomous[f] = !d->is_moved[f];
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t f = 0; f < count; f++)
            for (size_t i = 0; i < d->premises[f].count && d->is_autonomous[f]; i++)
                if (!d->is_autonomous[d->premises[f].items[i]]) {
                    d->is_autonomous[f] = false;
                    changed = true;
                }
    }
}

static void find_lasting(Decomposer *d) {
    for (uint32_t f = 0; f < d->circuit->fluent_count; f++) {
        if (!d->is_autonomous[f] || !u32_contains(&d->premises[f], f))
            continue;
        influence_focus(d->influence, &d->circuit->next[f], 1);
        influence_give(d->influence, 0, signal_node(d->circuit->fluents[f]), true);
        influence_evaluate(d->influence);
        LaneMask may_end = influence_may_be(d->influence, d->circuit->next[f], false);
        d->is_lasting[f] = !bitset_get(may_end.words, 0);
    }
}

static void mark_premises(Decomposer *d, const Signal *outputs, size_t count, bool *marks) {
    influence_list(d->influence, outputs, count);
    const U32Vector *fluents = influence_fluents(d->influence);
    for (size_t i = 0; i < fluents->count; i++)
        marks[fluents->items[i]] = true;
}

/* Marks the fluents that goals depend on when `terminal` is given. */
static void mark_deciders(Decomposer *d, U32Vector *goals) {
    const Circuit *c = d->circuit;
    vector_push(goals, c->terminal);
    influence_focus(d->influence, goals->items, goals->count);
    influence_give(d->influence, 0, signal_node(c->terminal), !(c->terminal & 1));
    influence_evaluate(d->influence);
    influence_trace(d->influence);
    const U32Vector *fluents = influence_fluents(d->influence);
    for (size_t i = 0; i < fluents->count; i++) {
        LaneMask used = influence_uses(d->influence, fluents->items[i]);
        d->decides_score[fluents->items[i]] = bitset_get(used.words, 0);
    }
}

bool decompose_study_premises(Decomposer *d) {
    const Circuit *c = d->circuit;
    d->premises = memory_zalloc((c->fluent_count + 1) * sizeof *d->premises);
    d->moves_under = memory_zalloc((c->fluent_count + 1) * sizeof *d->moves_under);
    d->stage = arena_zalloc(&d->arena, (c->fluent_count + 1) * sizeof *d->stage);
    bool **const flags[] = {&d->is_moved, &d->is_mentioned,  &d->is_autonomous, &d->is_lasting,
                            &d->ignored,  &d->is_clock,      &d->is_cyclic,     &d->in_terminal,
                            &d->in_goal,  &d->decides_score, &d->leads_on,      &d->is_recorded};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        *flags[i] = arena_zalloc(&d->arena, c->fluent_count + 1);
    mark_premises(d, &c->terminal, 1, d->in_terminal);
    U32Vector goals = {0};
    for (size_t i = 0; i < c->goals.count; i++)
        vector_push(&goals, c->goals.items[i].signal);
    mark_premises(d, goals.items, goals.count, d->in_goal);
    mark_deciders(d, &goals);
    vector_free(&goals);
    for (uint32_t f = 0; f < c->fluent_count; f++) {
        if (deadline_passed(d->deadline))
            return false;
        list_premises(d, f);
    }
    find_mentioned(d);
    find_autonomous(d);
    find_lasting(d);
    return true;
}

/* True if the clock is cyclic: it becomes true a second time. */
static bool is_cyclic(const Decomposer *d, uint32_t f) {
    assert(f < d->circuit->fluent_count);
    const Evidence *e = d->evidence;
    bool before = d->start ? bitset_get(d->start, f) : d->circuit->initial[f];
    uint32_t appearances = before;
    for (size_t t = 0; t < e->trajectory.count; t++) {
        bool now = bitset_get(e->trajectory.items[t], f);
        appearances += now && !before;
        before = now;
    }
    return appearances > 1;
}

/* True if the fluent depends on a move that has effects of its own, or on a fluent that moves
 * change. Moves of roles that wait have no effects. */
static bool is_driven(Decomposer *d, uint32_t f, const bool *acts) {
    for (size_t i = 0; i < d->premises[f].count; i++)
        if (d->result->kinds[d->premises[f].items[i]] == FLUENT_ACTED)
            return true;
    const U32Vector *moves = decompose_moves_under(d, f);
    for (size_t i = 0; i < moves->count; i++)
        if (acts[moves->items[i]])
            return true;
    return false;
}

static FluentKind kind_of_changing(Decomposer *d, uint32_t f, const bool *acts) {
    if (d->circuit->next[f] == SIGNAL_FALSE)
        return FLUENT_DERIVED; /* it is true at the start and never again */
    if (d->is_autonomous[f] && !d->is_mentioned[f])
        return FLUENT_CLOCK;
    bool may_be_clock = d->is_autonomous[f] || (d->evidence->is_clock[f] && !is_driven(d, f, acts));
    return may_be_clock && is_cyclic(d, f) ? FLUENT_CLOCK : FLUENT_DERIVED;
}

/* Spreads the kind "clock" among autonomous fluents. A fluent that a clock depends on is a clock.
 * So is a fluent that depends on a clock and was never seen to change, such as a high count. */
static void spread_clocks(Decomposer *d) {
    FluentKind *kinds = d->result->kinds;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t f = 0; f < d->circuit->fluent_count; f++) {
            if (!d->is_autonomous[f] || d->is_mentioned[f])
                continue;
            for (size_t i = 0; i < d->premises[f].count; i++) {
                uint32_t g = d->premises[f].items[i];
                bool backwards = kinds[f] == FLUENT_CLOCK && kinds[g] == FLUENT_DERIVED;
                bool forwards = kinds[f] == FLUENT_UNSEEN && kinds[g] == FLUENT_CLOCK;
                if (!backwards && !forwards)
                    continue;
                kinds[backwards ? g : f] = FLUENT_CLOCK;
                changed = true;
            }
        }
    }
}

/* Marks the turn markers, which tie no fluents together. A turn marker is cyclic and lets at most
 * one role act. A fluent that counts, that lets several roles act, or that lets one role act
 * whether it is true or false, belongs to the game proper. */
static void ignore_turns(Decomposer *d, const bool *acts) {
    enum { NOBODY = -1, SEVERAL = -2 };
    const Circuit *c = d->circuit;
    /* By fluent: the only role that acts while it is false, and while it is true. */
    int *served[2];
    for (int sign = 0; sign < 2; sign++) {
        served[sign] = memory_alloc((c->fluent_count + 1) * sizeof *served[sign]);
        for (uint32_t f = 0; f < c->fluent_count; f++)
            served[sign][f] = NOBODY;
    }
    for (uint32_t r = 0; r < c->role_count; r++)
        for (uint32_t m = c->first_move[r]; m < c->first_move[r + 1]; m++)
            for (size_t i = 0; acts[m] && i < d->legality.premises[m].count; i++) {
                uint32_t literal = d->legality.premises[m].items[i];
                int *role = &served[literal & 1][literal / 2];
                *role = *role == NOBODY || *role == (int)r ? (int)r : SEVERAL;
            }
    for (uint32_t f = 0; f < c->fluent_count; f++)
        d->ignored[f] = d->is_cyclic[f] && c->role_count > 1 && served[1][f] >= 0 &&
                        served[0][f] != served[1][f];
    memory_free(served[0], served[1]);
}

/* Adds the effects of a role that never has a choice. It gives no comparisons, so its effects come
 * from the rules: a fluent that changed although no choice made a difference, and that depends on
 * the role's moves, is an effect of the moves that the role made. */
static void add_forced_effects(Decomposer *d, uint32_t role) {
    const Evidence *e = d->evidence;
    uint32_t first = d->circuit->first_move[role], end = d->circuit->first_move[role + 1];
    bool has_choice = end - first < 2; /* a single move cannot be compared with another */
    for (uint32_t m = first; m < end; m++)
        has_choice |= e->trials[m] > 0;
    for (uint32_t f = 0; f < e->fluent_count && !has_choice; f++) {
        if (!evidence_changed(e, f) || d->result->kinds[f] == FLUENT_ACTED)
            continue;
        const U32Vector *moves = decompose_moves_under(d, f);
        for (size_t i = 0; i < moves->count; i++)
            for (uint32_t appears = 0; appears < 2; appears++)
                if (moves->items[i] >= first && moves->items[i] < end &&
                    e->is_played[moves->items[i]] && e->changes[2 * f + appears])
                    vector_push(&d->effects,
                                ((ActionEffect){moves->items[i], effect_of(f, appears), 1}));
    }
}

/* Marks the moves and fluents of the effects from `first` on. */
static void mark_effects(Decomposer *d, size_t first, bool *acts) {
    for (size_t i = first; i < d->effects.count; i++) {
        acts[d->effects.items[i].move] = true;
        d->result->kinds[effect_fluent(d->effects.items[i].effect)] = FLUENT_ACTED;
    }
}

void decompose_classify(Decomposer *d) {
    assert(d->evidence && d->is_studied);
    const Evidence *e = d->evidence;
    FluentKind *kinds = d->result->kinds;
    bool *acts = memory_zalloc(e->move_count + 1); /* by move: it has an effect */
    for (uint32_t f = 0; f < e->fluent_count; f++)
        kinds[f] = FLUENT_UNSEEN;
    mark_effects(d, 0, acts);
    size_t chosen = d->effects.count;
    for (uint32_t r = 0; r < e->role_count; r++)
        add_forced_effects(d, r);
    mark_effects(d, chosen, acts);
    for (uint32_t f = 0; f < e->fluent_count; f++)
        if (kinds[f] != FLUENT_ACTED && evidence_changed(e, f))
            kinds[f] = kind_of_changing(d, f, acts);
    spread_clocks(d);
    for (uint32_t f = 0; f < e->fluent_count; f++) {
        d->is_clock[f] = kinds[f] == FLUENT_CLOCK;
        d->is_cyclic[f] = d->is_clock[f] && is_cyclic(d, f);
    }
    ignore_turns(d, acts);
    free(acts);
}
