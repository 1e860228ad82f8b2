/* Plain statistics of random play: which effects occur, together with which others, in which joint
 * moves, and which roles had to wait. Nothing is asked twice and nothing is tried out; what is
 * cause and what coincidence is for the filters to say (stats_filter.c). Counters of later
 * playouts add up with earlier ones; what always occurs together only shrinks. */
#pragma once

#include "analysis/decompose/by_evidence/evidence.h"

typedef struct {
    uint32_t count;     /* transitions in which the effect occurred */
    U32Vector together; /* what occurred in all of them, ascending, the effect itself included */
} Companions;

/* A move and an effect that occurred when it was played. */
typedef struct {
    uint32_t move;
    Effect effect;
    Companions companions;
    double probability; /* the mean over distinct joint moves; 0 once it is known to be idle */
} EffectPair;

typedef struct {
    uint32_t joint; /* Statistics.joint_moves, from joint * role_count on */
    Effect effect;
    uint32_t count, next; /* the next effect of the joint move; UINT32_MAX: none */
} JointEffect;

typedef struct {
    uint32_t fluent_count, move_count, role_count;
    ObservedCounts counts;
    uint64_t transitions, first_transitions;
    Companions *of_effect; /* by effect */
    uint32_t *first_count; /* by effect: first transitions of a match in which it occurred */
    VECTOR(EffectPair) pairs;
    VECTOR(JointEffect) joint_effects;
    U32Vector joint_pairs;               /* by joint effect: the pairs of its moves, a role each */
    U32Vector joint_moves, joint_counts; /* by joint move: its moves, how often it was played */
    U32Vector joint_first, joint_last;   /* by joint move: into joint_effects; UINT32_MAX: none */
    Table pair_table, joint_table, joint_effect_table;
    bool *is_played;    /* by move */
    bool *has_chosen;   /* by role */
    uint32_t *wait;     /* by role: its one option while another role chose; UINT32_MAX: none yet */
    bool alternates;    /* so far: at most one role had a choice, and those who wait do one thing */
    U32Vector *effects; /* by lane: those of the present transition */
} Statistics;

Statistics *statistics_create(const Game *game);
void statistics_free(Statistics *statistics);

/* Plays so many more matches from the state (NULL: the initial one) and adds what they show. */
void statistics_collect(Statistics *statistics, Observer *observer, const State *start,
                        uint64_t matches, Deadline deadline);

/* NULL if the effect never occurred with the move. */
EffectPair *statistics_pair(const Statistics *statistics, uint32_t move, Effect effect);
static inline double statistics_probability(const Statistics *statistics, uint32_t move,
                                            Effect effect) {
    const EffectPair *pair = statistics_pair(statistics, move, effect);
    return pair ? pair->probability : 0;
}
/* Whether the game as a whole is one of alternating moves: each role is sometimes the one to
 * choose, and nobody ever chooses to wait. */
bool statistics_alternates(const Statistics *statistics);
/* Fills in the probabilities: means over the distinct joint moves that contain the move. */
void statistics_weigh(Statistics *statistics);
