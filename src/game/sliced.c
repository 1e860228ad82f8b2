/* The states of all lanes are an array of Lanes, one row per kept fluent. Two such arrays alternate
 * as input and output of the step kernels. Behind the fluents, the input has the random bits and
 * the output the flags terminal and stuck. */
#include "game/sliced.h"

#include <assert.h>
#include <string.h>

#include "game/goal.h"
#include "game/turn_area.h"

/* When matches began, in the order of time: one entry for the matches that began in one turn. A
 * lane may be in several entries; its last one counts. */
typedef struct {
    uint64_t turns[2 * LANES];
    LaneMask lanes[2 * LANES];
    uint32_t first, count; /* entries first to count - 1 are in use */
    uint32_t exact;        /* the entries before this one had no lane in common when it was set */
    LaneMask since;        /* lanes in the entries from `exact` on */
} Beginnings;

struct Sliced {
    TurnArea area;
    RandomWide random;
    LaneMask alive; /* lanes with a match under way */
    Beginnings beginnings;
    uint64_t turn;
    uint64_t begun;
    uint32_t phase;
};

Sliced *sliced_create(const TurnNetworks *turn, uint64_t seed) {
    assert(turn);
    Sliced *s = memory_zalloc(sizeof *s);
    s->area = turn_area_create(turn);
    random_wide_seed(&s->random, seed);
    return s;
}

void sliced_free(Sliced *s) {
    if (!s)
        return;
    turn_area_free(&s->area);
    free(s);
}

/* Leaves every match that is under way in one entry, and no empty entry: LANES at most. */
static void make_exact(Beginnings *b, const LaneMask *alive) {
    LaneMask under_way = *alive;
    uint32_t to = b->count;
    for (uint32_t i = b->count; i-- > b->first;) {
        LaneMask lanes = mask_and(&b->lanes[i], &under_way);
        if (!mask_any(&lanes))
            continue;
        mask_remove(&under_way, &lanes);
        b->lanes[--to] = lanes;
        b->turns[to] = b->turns[i];
    }
    memmove(b->lanes, b->lanes + to, (b->count - to) * sizeof *b->lanes);
    memmove(b->turns, b->turns + to, (b->count - to) * sizeof *b->turns);
    b->exact = b->count -= to;
    b->first = 0;
    memset(&b->since, 0, sizeof b->since);
}

ALWAYS_INLINE void note_beginning(Sliced *s, const LaneMask *fresh) {
    Beginnings *b = &s->beginnings;
    if (b->count == 2 * LANES)
        make_exact(b, &s->alive);
    b->turns[b->count] = s->turn;
    b->lanes[b->count++] = *fresh;
    mask_add(&b->since, fresh);
}

ALWAYS_INLINE bool is_first_late(const Sliced *s, uint32_t step_limit) {
    const Beginnings *b = &s->beginnings;
    return step_limit && b->first < b->count && s->turn - b->turns[b->first] >= step_limit;
}

/* Gives up matches that have had `step_limit` turns; the next turn is not played any more. */
static void give_up_late(Sliced *s, uint32_t step_limit, PlayoutCounts *counts) {
    Beginnings *b = &s->beginnings;
    if (b->first >= b->exact)
        make_exact(b, &s->alive);
    if (!is_first_late(s, step_limit))
        return;
    LaneMask late = mask_and(&b->lanes[b->first++], &s->alive);
    mask_remove(&late, &b->since);
    counts->too_long += mask_count(&late);
    mask_remove(&s->alive, &late);
}

static void keep_first(LaneMask *lanes, uint64_t wanted) {
    FOR_LANES(lanes, lane)
    if (wanted)
        wanted--;
    else
        bitset_clear(lanes->words, lane);
}

/* Starts matches in up to `wanted` lanes that have none. */
ALWAYS_INLINE void begin_matches(Sliced *s, uint64_t wanted) {
    LaneMask fresh = mask_not(&s->alive);
    uint64_t count = mask_count(&fresh);
    if (count > wanted) {
        keep_first(&fresh, wanted);
        count = wanted;
    }
    const Circuit *c = s->area.turn->circuit;
    Lanes mask;
    memcpy(&mask, &fresh, sizeof mask);
    for (size_t i = 0; i < s->area.turn->kept.count; i++) {
        if (c->initial[s->area.turn->kept.items[i]])
            s->area.state[i] |= mask;
        else
            s->area.state[i] &= ~mask;
    }
    s->begun += count;
    note_beginning(s, &fresh);
    mask_add(&s->alive, &fresh);
}

/* Corrects the counts of a role in a lane in which several of its goals hold; they may have one
 * value. */
static void count_several(const Sliced *s, uint32_t role, size_t lane, PlayoutCounts *counts) {
    const CircuitOutputs *goals = &s->area.turn->circuit->goals;
    int value = GOAL_NONE;
    size_t last = 0;
    for (size_t i = 0; i < goals->count; i++) {
        if (goals->items[i].role != role || counts->goal_values[i] == GOAL_NONE ||
            !bitset_get((const uint64_t *)&s->area.goals[i], lane))
            continue;
        value = goal_join_value(value, counts->goal_values[i]);
        counts->goal_counts[i]--;
        last = i;
    }
    counts->goal_counts[last] += value != GOAL_SEVERAL && value != GOAL_NONE;
    counts->several[role] += value == GOAL_SEVERAL;
}

ALWAYS_INLINE void count_goals(Sliced *s, uint32_t phase, const Lanes *state, const LaneMask *ended,
                               PlayoutCounts *counts) {
    const TurnArea *area = &s->area;
    const CircuitOutputs *goals = &area->turn->circuit->goals;
    kernel_run(area->turn->by_phase[phase].goals, state, area->goals, area->scratch);
    Lanes among;
    memcpy(&among, ended, sizeof among);
    for (uint32_t r = 0; r < area->turn->circuit->role_count; r++) {
        Lanes one = {0}, many = {0}; /* lanes in which a goal holds, in which several do */
        for (size_t i = 0; i < goals->count; i++) {
            if (goals->items[i].role != r)
                continue;
            Lanes goal = area->goals[i] & among;
            many |= one & goal;
            one |= goal;
            LaneMask mask = mask_of(&goal);
            counts->goal_counts[i] += mask_count(&mask);
        }
        LaneMask several = mask_of(&many);
        if (mask_any(&several))
            FOR_LANES(&several, lane)
        count_several(s, r, lane, counts);
    }
    counts->playouts += mask_count(ended);
}

/* Counts the matches of a phase whose goals have not been read. */
ALWAYS_INLINE void count_waiting(Sliced *s, uint32_t phase, PlayoutCounts *counts) {
    LaneMask *waiting = &s->area.finals.waiting[phase];
    if (mask_any(waiting))
        count_goals(s, phase, final_states_of(&s->area.finals, phase), waiting, counts);
    memset(waiting, 0, sizeof *waiting);
}

ALWAYS_INLINE void end_matches(Sliced *s, const LaneMask *ended, PlayoutCounts *counts) {
    if (!s->area.finals.phases) {
        count_goals(s, s->phase, s->area.state, ended, counts);
    } else {
        if (final_states_clash(&s->area.finals, s->phase, ended))
            count_waiting(s, s->phase, counts);
        final_states_keep(&s->area.finals, s->phase, ended, s->area.state);
    }
    mask_remove(&s->alive, ended);
}

/* One turn in every lane: matches that have ended are counted, the others move on. */
ALWAYS_INLINE void play_turn(Sliced *s, uint32_t step_limit, PlayoutCounts *counts) {
    const TurnPhase *phase = &s->area.turn->by_phase[s->phase];
    size_t kept = s->area.turn->kept.count;
    random_wide_fill(&s->random, (uint64_t *)(s->area.state + kept),
                     phase->random_bits * LANE_WORDS);
    kernel_run(phase->step, s->area.state, s->area.other, s->area.scratch);
    LaneMask ended = mask_within(&s->area.other[kept], &s->alive);
    if (mask_any(&ended))
        end_matches(s, &ended, counts);
    if (is_first_late(s, step_limit))
        give_up_late(s, step_limit, counts);
    for (uint32_t r = 0; r < s->area.turn->circuit->role_count; r++) {
        LaneMask stuck = mask_within(&s->area.other[kept + 1 + r], &s->alive);
        if (!mask_any(&stuck))
            continue;
        counts->stuck += mask_count(&stuck);
        mask_remove(&s->alive, &stuck);
    }
    counts->turns += mask_count(&s->alive);
    counts->passes++;
    s->turn++;
    Lanes *swap = s->area.state;
    s->area.state = s->area.other;
    s->area.other = swap;
    s->phase = s->phase + 1 == s->area.turn->phases.count ? 0 : s->phase + 1;
}

/* Refilling costs a pass over the state, idle lanes cost their share of a pass over the gates. The
 * factor was measured on four games (docs/results/speed.md). */
ALWAYS_INLINE bool is_worth_refilling(const Sliced *s) {
    uint64_t idle = LANES - mask_count(&s->alive);
    if (idle == LANES)
        return true;
    return idle * (s->area.turn->ands / s->area.turn->phases.count + 1) >=
           96 * (s->area.turn->kept.count + 1);
}

/* Takes the matches that are under way out of the counts. */
static void abandon(Sliced *s, PlayoutCounts *counts) {
    Beginnings *b = &s->beginnings;
    make_exact(b, &s->alive);
    for (uint32_t i = 0; i < b->count; i++) {
        uint64_t lanes = mask_count(&b->lanes[i]);
        uint64_t turns = lanes * (s->turn - b->turns[i]);
        counts->unfinished += lanes;
        counts->unfinished_turns += turns;
        counts->turns -= turns;
    }
}

static bool must_abandon(const PlayoutBudget *budget) {
    return budget->grace > 0 && clock_wall_seconds() > budget->deadline.at + budget->grace;
}

static bool must_stop(const PlayoutBudget *budget) {
    return deadline_passed(budget->deadline) ||
           (budget->stopped && budget->stopped(budget->context));
}

ALWAYS_INLINE void play_generic(Sliced *s, const PlayoutBudget *budget, PlayoutCounts *counts) {
    enum { PASSES_BETWEEN_CHECKS = 64 };
    uint64_t pass = 0;
    bool more = true;
    s->begun = 0;
    s->phase = 0;
    memset(&s->alive, 0, sizeof s->alive);
    s->beginnings.first = s->beginnings.count = s->beginnings.exact = 0;
    for (;;) {
        if (pass % PASSES_BETWEEN_CHECKS == 0 && must_stop(budget)) {
            more = false;
            if (must_abandon(budget)) {
                abandon(s, counts);
                break;
            }
        }
        if (budget->playouts && s->begun >= budget->playouts)
            more = false;
        if (more && s->phase == 0 && is_worth_refilling(s))
            begin_matches(s, budget->playouts ? budget->playouts - s->begun : LANES);
        if (!more && !mask_any(&s->alive))
            break;
        play_turn(s, budget->step_limit, counts);
        pass++;
    }
    for (uint32_t p = 0; p < s->area.finals.phases; p++)
        count_waiting(s, p, counts);
}

CPU_DISPATCH(void, play, (Sliced * s, const PlayoutBudget *budget, PlayoutCounts *counts),
             (s, budget, counts))

void sliced_play(Sliced *s, const PlayoutBudget *budget, PlayoutCounts *counts) {
    assert(counts->goal_counts && counts->goal_values && counts->several);
    play(s, budget, counts);
}
