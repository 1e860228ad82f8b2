/* What random play shows about causes. In every turn each role with a choice is asked what another
 * of its legal moves would have done, everything else being equal: what differs is the doing of one
 * of the two moves. Effects that no move ever makes a difference to happen by themselves. */
#pragma once

#include "game/observer.h"

enum { EVIDENCE_SAMPLES = 512 };

/* An effect is a change of a fluent: 2 * fluent + 1 when it appears, 2 * fluent when it disappears.
 */
typedef uint32_t Effect;
static inline Effect effect_of(uint32_t fluent, bool appears) {
    return 2 * fluent + appears;
}
static inline uint32_t effect_fluent(Effect effect) {
    return effect / 2;
}

typedef struct {
    uint32_t move; /* of the circuit */
    Effect effect;
    uint32_t count;   /* turns in which the move had the effect and another move had not */
    uint32_t barred;  /* the reverse, where other roles had a choice as well */
    uint32_t witness; /* into Evidence.witnesses: what all roles did in a turn in which others had a
                         choice as well; UINT32_MAX: there was none */
} Cause;

/* A move that has an effect, and how probably. */
typedef struct {
    uint32_t move;
    Effect effect;
    double probability;
} ActionEffect;

typedef VECTOR(ActionEffect) ActionEffects;

typedef struct {
    uint32_t fluent_count, move_count, role_count;
    ObservedCounts counts;
    uint64_t *changes;             /* by effect: turns in which it occurred */
    uint64_t *trials;              /* by move: comparisons it took part in */
    bool *is_played;               /* by move */
    uint32_t *role_of;             /* by move */
    bool *is_clock;                /* by fluent: so far the same at the same turn of all matches */
    VECTOR(uint64_t *) trajectory; /* by turn: the state after it, as far as clocks are concerned */
    VECTOR(State) samples; /* positions that were met, at most EVIDENCE_SAMPLES, at random */
    uint64_t met;          /* positions that could have been among them */
    Random random;
    VECTOR(Cause) causes;
    Table cause_table;
    U32Vector witnesses;
} Evidence;

Evidence *evidence_create(const Game *game, uint64_t seed);
void evidence_free(Evidence *evidence);

/* Plays so many more matches from the state (NULL: the initial one) and adds what they show. */
void evidence_collect(Evidence *evidence, Observer *observer, const State *start, uint64_t matches,
                      uint32_t step_limit, Deadline deadline);

/* Adds what the moves were seen to do. Where several roles act at once, what one of them lets
 * happen by doing nothing against it is the doing of another, so a cause is left out if another
 * role's move in the same turn is far more likely to have the effect. */
void evidence_list_effects(const Evidence *evidence, ActionEffects *effects);

static inline bool evidence_changed(const Evidence *evidence, uint32_t fluent) {
    return evidence->changes[2 * fluent] || evidence->changes[2 * fluent + 1];
}
/* The part of the comparisons of a move in which it had the effect. */
static inline double evidence_probability(const Evidence *evidence, const Cause *cause) {
    return (double)cause->count / (double)evidence->trials[cause->move];
}
