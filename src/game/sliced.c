/* The states of all lanes are an array of Lanes, one row per kept fluent. Two such arrays alternate
 * as input and output of the step kernels. Behind the fluents, the input has the random bits and
 * the output the flags terminal and stuck. */
#include "game/sliced.h"

#include <assert.h>
#include <string.h>

#include "game/turn_area.h"

struct Sliced {
    TurnArea area;
    RandomWide random;
    LaneMask alive;     /* lanes with a match under way */
    LaneMask survivors; /* lanes whose match was under way at the last check of the step limit */
    uint64_t begun;
    uint32_t phase;
};

Sliced *sliced_create(const Turn *turn, uint64_t seed) {
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

/* Starts matches in up to `wanted` lanes that have none. */
ALWAYS_INLINE void begin_matches(Sliced *s, uint64_t wanted) {
    LaneMask fresh = {{0}};
    for (int w = 0; w < LANE_WORDS && wanted; w++) {
        uint64_t idle = ~s->alive.words[w];
        while (idle && wanted) {
            if (wanted >= (uint64_t)__builtin_popcountll(idle)) {
                fresh.words[w] |= idle;
                wanted -= (uint64_t)__builtin_popcountll(idle);
                break;
            }
            fresh.words[w] |= idle & -idle;
            idle &= idle - 1;
            wanted--;
        }
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
    s->begun += mask_count(&fresh);
    for (int w = 0; w < LANE_WORDS; w++) {
        s->alive.words[w] |= fresh.words[w];
        s->survivors.words[w] &= ~fresh.words[w];
    }
}

ALWAYS_INLINE void count_goals(Sliced *s, uint32_t phase, const Lanes *state, const LaneMask *ended,
                               PlayoutCounts *counts) {
    const TurnArea *area = &s->area;
    kernel_run(area->turn->by_phase[phase].goals, state, area->goals, area->scratch);
    for (size_t i = 0; i < area->turn->circuit->goals.count; i++) {
        LaneMask goal = mask_within(&area->goals[i], ended);
        counts->goal_counts[i] += mask_count(&goal);
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
ALWAYS_INLINE void play_turn(Sliced *s, PlayoutCounts *counts) {
    const TurnPhase *phase = &s->area.turn->by_phase[s->phase];
    size_t kept = s->area.turn->kept.count;
    random_wide_fill(&s->random, (uint64_t *)(s->area.state + kept),
                     phase->random_bits * LANE_WORDS);
    kernel_run(phase->step, s->area.state, s->area.other, s->area.scratch);
    LaneMask ended = mask_within(&s->area.other[kept], &s->alive);
    if (mask_any(&ended))
        end_matches(s, &ended, counts);
    for (uint32_t r = 0; r < s->area.turn->circuit->role_count; r++) {
        LaneMask stuck = mask_within(&s->area.other[kept + 1 + r], &s->alive);
        if (!mask_any(&stuck))
            continue;
        counts->stuck += mask_count(&stuck);
        mask_remove(&s->alive, &stuck);
    }
    counts->moves += mask_count(&s->alive);
    counts->passes++;
    Lanes *swap = s->area.state;
    s->area.state = s->area.other;
    s->area.other = swap;
    s->phase = s->phase + 1 == s->area.turn->phases.count ? 0 : s->phase + 1;
}

/* Called every `step_limit` turns: gives up matches that were already under way at the previous
 * check. */
ALWAYS_INLINE void enforce_step_limit(Sliced *s, PlayoutCounts *counts) {
    LaneMask late = mask_and(&s->survivors, &s->alive);
    counts->too_long += mask_count(&late);
    mask_remove(&s->alive, &late);
    s->survivors = s->alive;
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
    memset(&s->survivors, 0, sizeof s->survivors);
    for (;;) {
        if (pass % PASSES_BETWEEN_CHECKS == 0 && must_stop(budget)) {
            more = false;
            if (must_abandon(budget)) {
                counts->unfinished += mask_count(&s->alive);
                break;
            }
        }
        if (budget->playouts && s->begun >= budget->playouts)
            more = false;
        if (more && s->phase == 0 && is_worth_refilling(s))
            begin_matches(s, budget->playouts ? budget->playouts - s->begun : LANES);
        if (!more && !mask_any(&s->alive))
            break;
        play_turn(s, counts);
        pass++;
        if (budget->step_limit && pass % budget->step_limit == 0)
            enforce_step_limit(s, counts);
    }
    for (uint32_t p = 0; p < s->area.finals.phases; p++)
        count_waiting(s, p, counts);
}

CPU_DISPATCH(void, play, (Sliced * s, const PlayoutBudget *budget, PlayoutCounts *counts),
             (s, budget, counts))

void sliced_play(Sliced *s, const PlayoutBudget *budget, PlayoutCounts *counts) {
    assert(counts->goal_counts);
    play(s, budget, counts);
}
