/* Compares the next states of two moves in all lanes, and examines lanes in which they differ. */
#include "analysis/decompose/by_evidence/evidence.h"

#include <assert.h>
#include <string.h>

#include "analysis/circuit_index.h"
#include "base/bitset.h"

/* A move is credited with an effect, and the other moves of the joint move are not, if it is this
 * many times likelier to have the effect (phi of the thesis). */
#define CREDIT_RATIO 1.5
enum { CANDIDATES = 8 /* lanes per turn whose states may be sampled (untuned) */ };

Evidence *evidence_create(const Game *game, uint64_t seed) {
    const Circuit *c = game->circuit;
    Evidence *e = memory_zalloc(sizeof *e);
    e->fluent_count = c->fluent_count;
    e->move_count = c->move_count;
    e->role_count = c->role_count;
    e->changes = arena_zalloc(&e->arena, (2 * (size_t)c->fluent_count + 1) * sizeof *e->changes);
    e->trials = arena_zalloc(&e->arena, (c->move_count + 1) * sizeof *e->trials);
    e->is_played = arena_zalloc(&e->arena, c->move_count + 1);
    e->goes_on = arena_zalloc(&e->arena, c->move_count + 1);
    e->last_moves = arena_zalloc(&e->arena, LANES * (c->role_count + 1) * sizeof *e->last_moves);
    e->role_of = circuit_roles_of_moves(c);
    e->is_clock = arena_alloc(&e->arena, c->fluent_count + 1);
    memset(e->is_clock, true, c->fluent_count);
    random_seed(&e->random, seed);
    return e;
}

void evidence_free(Evidence *e) {
    if (!e)
        return;
    for (size_t t = 0; t < e->trajectory.count; t++)
        free(e->trajectory.items[t]);
    vector_free(&e->trajectory);
    for (size_t i = 0; i < e->samples.count; i++)
        state_free(&e->samples.items[i]);
    vectors_free(&e->samples, &e->causes, &e->witnesses);
    arena_free(&e->arena);
    table_free(&e->cause_table);
    memory_free(e->role_of, e);
}

static Cause *find_cause(const Evidence *e, uint32_t move, Effect effect) {
    uint32_t id;
    uint64_t hash = hash_finish(hash_mix(move, effect));
    for (TableProbe p = table_probe(&e->cause_table, hash); table_next(&e->cause_table, &p, &id);)
        if (e->causes.items[id].move == move && e->causes.items[id].effect == effect)
            return &e->causes.items[id];
    return NULL;
}

static Cause *add_cause(Evidence *e, uint32_t move, Effect effect) {
    assert(move < e->move_count && effect < 2 * e->fluent_count);
    Cause *cause = find_cause(e, move, effect);
    if (!cause) {
        table_insert(&e->cause_table, hash_finish(hash_mix(move, effect)),
                     (uint32_t)e->causes.count);
        vector_push(&e->causes, ((Cause){move, effect, 0, 0, UINT32_MAX}));
        cause = &vector_last(&e->causes);
    }
    return cause;
}

/* True if another role had a choice in the turn. */
static bool others_chose(const Evidence *e, const ObservedTurn *turn, size_t lane, uint32_t role) {
    bool chose = false;
    for (uint32_t r = 0; r < e->role_count; r++)
        chose |= r != role && turn->options[lane * e->role_count + r] > 1;
    return chose;
}

/* Stores the current joint move as the witness of the cause. */
static void add_witness(Evidence *e, Cause *cause, const ObservedTurn *turn, size_t lane,
                        uint32_t role) {
    cause->witness = (uint32_t)e->witnesses.count;
    for (uint32_t r = 0; r < e->role_count; r++)
        vector_push(&e->witnesses, r == role ? cause->move : turn->moves[lane * e->role_count + r]);
}

/* True if another move of the joint move is far likelier to have the effect. */
static bool is_outdone(const Evidence *e, const Cause *cause) {
    if (cause->witness == UINT32_MAX || cause->count == 0)
        return false;
    for (uint32_t r = 0; r < e->role_count; r++) {
        uint32_t beside = e->witnesses.items[cause->witness + r];
        const Cause *rival = beside == cause->move ? NULL : find_cause(e, beside, cause->effect);
        if (rival &&
            evidence_probability(e, rival) >= CREDIT_RATIO * evidence_probability(e, cause))
            return true;
    }
    return false;
}

void evidence_list_effects(const Evidence *e, ActionEffects *effects) {
    size_t keys = 2 * (size_t)e->fluent_count * e->role_count;
    bool *outdone = memory_zalloc(e->causes.count + 1), *any_outdone = memory_zalloc(keys + 1);
    for (size_t i = 0; i < e->causes.count; i++) {
        const Cause *cause = &e->causes.items[i];
        outdone[i] = is_outdone(e, cause);
        if (outdone[i])
            any_outdone[(size_t)cause->effect * e->role_count + e->role_of[cause->move]] = true;
    }
    for (size_t i = 0; i < e->causes.count; i++) {
        const Cause *cause = &e->causes.items[i];
        size_t key = (size_t)cause->effect * e->role_count + e->role_of[cause->move];
        uint32_t count = outdone[i] ? 0 : cause->count;
        if (count == 0 && any_outdone[key])
            count = cause->barred;
        if (count)
            vector_push(effects, ((ActionEffect){cause->move, cause->effect,
                                                 (double)count / (double)e->trials[cause->move]}));
    }
    memory_free(outdone, any_outdone);
}

static LaneMask changed_lanes(const Lanes *a, const Lanes *b, const LaneMask *among) {
    Lanes difference = *a ^ *b;
    LaneMask mask = mask_of(&difference);
    return mask_and(&mask, among);
}

static void count_changes(Evidence *e, const ObservedTurn *turn) {
    for (uint32_t f = 0; f < e->fluent_count; f++) {
        LaneMask changed = changed_lanes(&turn->state[f], &turn->next[f], &turn->playing);
        if (!mask_any(&changed))
            continue;
        LaneMask appeared = mask_of(&turn->next[f]);
        appeared = mask_and(&appeared, &changed);
        uint64_t appearing = mask_count(&appeared);
        e->changes[effect_of(f, true)] += appearing;
        e->changes[effect_of(f, false)] += mask_count(&changed) - appearing;
    }
}

/* Drops clocks that differ after the same turn between lanes or from earlier matches. */
static void compare_clocks(Evidence *e, const ObservedTurn *turn) {
    size_t words = bitset_words(e->fluent_count);
    bool is_new = turn->turn >= e->trajectory.count;
    if (is_new)
        vector_push(&e->trajectory, memory_zalloc((words + 1) * sizeof(uint64_t)));
    uint64_t *known = e->trajectory.items[turn->turn];
    for (uint32_t f = 0; f < e->fluent_count; f++) {
        if (!e->is_clock[f])
            continue;
        LaneMask value = mask_of(&turn->next[f]), absent = turn->playing;
        value = mask_and(&value, &turn->playing);
        mask_remove(&absent, &value);
        bool holds = mask_any(&value);
        if (is_new && holds)
            bitset_set(known, f);
        if ((holds && mask_any(&absent)) || holds != bitset_get(known, f))
            e->is_clock[f] = false;
    }
}

static void compare_fluent(Evidence *e, const ObservedTurn *turn, const OtherTurn *other,
                           uint32_t role, uint32_t f) {
    LaneMask differ = changed_lanes(&turn->next[f], &other->next[f], &other->lanes);
    bitset_each(lane, differ.words, LANE_WORDS) {
        bool was = bitset_get((const uint64_t *)&turn->state[f], lane);
        bool is = bitset_get((const uint64_t *)&turn->next[f], lane);
        uint32_t made = turn->moves[lane * e->role_count + role], other_move = other->moves[lane];
        Effect effect = effect_of(f, !was);
        Cause *cause = add_cause(e, is != was ? made : other_move, effect);
        cause->count++;
        if (e->role_count < 2 || !others_chose(e, turn, lane, role))
            continue;
        if (cause->witness == UINT32_MAX)
            add_witness(e, cause, turn, lane, role);
        add_cause(e, is != was ? other_move : made, effect)->barred++;
    }
}

static void compare_with_other_moves(Evidence *e, Observer *observer, const ObservedTurn *turn,
                                     uint32_t role) {
    OtherTurn other = observer_other(observer, role);
    if (!mask_any(&other.lanes))
        return;
    bitset_each(lane, other.lanes.words, LANE_WORDS) {
        e->trials[turn->moves[lane * e->role_count + role]]++;
        e->trials[other.moves[lane]]++;
    }
    for (uint32_t f = 0; f < e->fluent_count; f++)
        compare_fluent(e, turn, &other, role, f);
}

static void read_lane(const Evidence *e, const Lanes *rows, size_t lane, State *state) {
    state_clear(state);
    for (uint32_t f = 0; f < e->fluent_count; f++)
        if (bitset_get((const uint64_t *)&rows[f], lane))
            state_set(state, f);
}

/* Reservoir sampling: all candidates, a few lanes per turn, are kept with equal probability. */
static void take_samples(Evidence *e, const ObservedTurn *turn) {
    for (int i = 0; i < CANDIDATES; i++) {
        size_t lane = bitset_next(turn->playing.words, LANE_WORDS, random_below(&e->random, LANES));
        if (lane == BITSET_END)
            continue;
        uint64_t place = e->met++;
        if (place < EVIDENCE_SAMPLES)
            vector_push(&e->samples, (State){0});
        else
            place = random_below(&e->random, e->met);
        if (place < EVIDENCE_SAMPLES)
            read_lane(e, turn->state, lane, &e->samples.items[place]);
    }
}

/* Marks the moves of the turn before in the lanes that are still playing. */
static void note_what_goes_on(Evidence *e, const ObservedTurn *turn) {
    bitset_each(lane, turn->playing.words, LANE_WORDS)
        for (uint32_t r = 0; r < e->role_count; r++) {
            uint32_t i = (uint32_t)lane * e->role_count + r;
            if (turn->turn)
                e->goes_on[e->last_moves[i]] = true;
            e->last_moves[i] = turn->moves[i];
        }
}

static void visit_turn(void *context, Observer *observer, const ObservedTurn *turn) {
    Evidence *e = context;
    count_changes(e, turn);
    compare_clocks(e, turn);
    take_samples(e, turn);
    note_what_goes_on(e, turn);
    bitset_each(lane, turn->playing.words, LANE_WORDS)
        for (uint32_t r = 0; r < e->role_count; r++)
            e->is_played[turn->moves[lane * e->role_count + r]] = true;
    for (uint32_t r = 0; r < e->role_count; r++)
        compare_with_other_moves(e, observer, turn, r);
}

void evidence_collect(Evidence *e, Observer *observer, const State *start, uint64_t matches,
                      uint32_t step_limit, Deadline deadline) {
    assert(e && observer);
    Visitor visitor = {visit_turn, e};
    while (matches && !deadline_passed(deadline)) {
        uint32_t round = matches < LANES ? (uint32_t)matches : LANES;
        observer_play(observer, start, round, step_limit, deadline, &visitor, &e->counts);
        matches -= round;
    }
}
