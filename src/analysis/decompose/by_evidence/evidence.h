/* Evidence about causes from random play. In every turn, for each role with a choice, another of
 * its legal moves is tried with everything else equal. Every difference is an effect of one of the
 * two moves. Changes for which the choice of move never makes a difference happen by themselves. */
#pragma once

#include "game/observer.h"

enum { EVIDENCE_SAMPLES = 512 /* states kept by reservoir sampling (untuned) */ };

/* An effect is a change of a fluent: 2 * fluent + 1 if it appears, 2 * fluent if it disappears. */
typedef uint32_t Effect;
static inline Effect effect_of(uint32_t fluent, bool appears) {
    return 2 * fluent + appears;
}
static inline uint32_t effect_fluent(Effect effect) {
    return effect / 2;
}

typedef struct {
    uint32_t move; /* move of the circuit */
    Effect effect;
    uint32_t count;   /* comparisons in which this move had the effect and the other move did not */
    uint32_t barred;  /* only the other move had the effect while others had a choice */
    uint32_t witness; /* index of a joint move with choices of others, or UINT32_MAX */
} Cause;

/* An effect of a move. */
typedef struct {
    uint32_t move;
    Effect effect;
    double probability; /* estimated probability that the move has the effect, 0 to 1 */
} ActionEffect;

typedef VECTOR(ActionEffect) ActionEffects;

typedef struct {
    uint32_t fluent_count, move_count, role_count;
    ObservedCounts counts;
    uint64_t *changes;             /* by effect: turns in which it occurred */
    uint64_t *trials;              /* by move: comparisons it took part in */
    bool *is_played;               /* by move: it was played in some match */
    bool *goes_on;                 /* by move: some match went on after it */
    uint32_t *last_moves;          /* by lane and role: the moves of the turn before */
    uint32_t *role_of;             /* by move: its role */
    bool *is_clock;                /* by fluent: so far equal at the same turn of all matches */
    VECTOR(uint64_t *) trajectory; /* by turn: bitset of the clocks that are true after it */
    VECTOR(State) samples;         /* at most EVIDENCE_SAMPLES random states of the matches */
    uint64_t met;                  /* number of states that were candidates for `samples` */
    Random random;
    VECTOR(Cause) causes;
    Table cause_table;   /* maps a move and an effect to the index of their cause */
    U32Vector witnesses; /* joint moves, role_count entries per witness */
    Arena arena;         /* owns all arrays except role_of */
} Evidence;

Evidence *evidence_create(const Game *game, uint64_t seed);
void evidence_free(Evidence *evidence);

/* Plays more matches from the state (NULL for the initial state) and adds their evidence. */
void evidence_collect(Evidence *evidence, Observer *observer, const State *start, uint64_t matches,
                      uint32_t step_limit, Deadline deadline);

/* Lists the effects of the moves. If several roles act at once, the move of one may only permit
 * what the move of another causes. A cause is therefore left out if the move of another role in the
 * same turn is far likelier to have the effect. */
void evidence_list_effects(const Evidence *evidence, ActionEffects *effects);

static inline bool evidence_changed(const Evidence *evidence, uint32_t fluent) {
    return evidence->changes[2 * fluent] || evidence->changes[2 * fluent + 1];
}
/* Returns the share of the comparisons of a move in which it had the effect, 0 to 1. */
static inline double evidence_probability(const Evidence *evidence, const Cause *cause) {
    return (double)cause->count / (double)evidence->trials[cause->move];
}
