/* Statistics of random play: which effects occur, together with which others, in which joint moves,
 * and which roles had to wait. No move is tried out for comparison. The filters (stats_filter.c)
 * decide what is cause and what is coincidence. Later playouts add to the counts of earlier ones;
 * the sets of effects that always occur together only shrink. */
#pragma once

#include "analysis/decompose/by_evidence/evidence.h"

typedef struct {
    uint32_t count;     /* transitions in which the effect occurred */
    U32Vector together; /* effects that occurred in all of them, ascending */
} Companions;

/* A move and an effect that occurred in a turn in which the move was played. */
typedef struct {
    uint32_t move;
    Effect effect;
    Companions companions;
    double probability; /* mean over joint moves; 0 once a filter rejects the pair */
} EffectPair;

/* A joint move. */
typedef struct {
    uint32_t count;       /* number of times it was played */
    uint32_t first, last; /* indices of its first and last effect; UINT32_MAX if it has none */
} Joint;

typedef struct {
    uint32_t joint; /* number of the joint move */
    Effect effect;
    uint32_t count; /* number of times that the joint move had the effect */
    uint32_t next;  /* index of the joint move's next effect; UINT32_MAX if it is the last */
} JointEffect;

typedef struct {
    uint32_t fluent_count, move_count, role_count;
    ObservedCounts counts;
    uint64_t transitions, first_transitions;
    Companions *of_effect; /* by effect: the effects that always occur together with it */
    uint32_t *first_count; /* by effect: number of matches in whose first transition it occurred */
    VECTOR(EffectPair) pairs;
    VECTOR(JointEffect) joint_effects;
    U32Vector joint_pairs; /* by joint effect and role: index of their pair */
    U32Vector joint_moves; /* by joint move and role: the move */
    VECTOR(Joint) joints;
    Table pair_table, joint_table, joint_effect_table;
    bool *is_played;    /* by move: it was played in some match */
    bool *has_chosen;   /* by role: it had a choice in some state */
    uint32_t *wait;     /* by role: its only move while another chose, or UINT32_MAX */
    bool alternates;    /* so far one role chose at a time and others had one move */
    U32Vector *effects; /* by lane: effects of the current transition */
    Arena arena;        /* owns all arrays except `wait` and `effects` */
    Deadline deadline;  /* deadline of the collecting in progress */
} Statistics;

Statistics *statistics_create(const Game *game);
void statistics_free(Statistics *statistics);

/* Plays more matches from the state (NULL for the initial state) and adds their counts. */
void statistics_collect(Statistics *statistics, Observer *observer, const State *start,
                        uint64_t matches, Deadline deadline);

/* Returns NULL if the effect never occurred together with the move. */
EffectPair *statistics_pair(const Statistics *statistics, uint32_t move, Effect effect);
static inline double statistics_probability(const Statistics *statistics, uint32_t move,
                                            Effect effect) {
    const EffectPair *pair = statistics_pair(statistics, move, effect);
    return pair ? pair->probability : 0;
}
static inline bool statistics_changed(const Statistics *statistics, uint32_t fluent) {
    return statistics->of_effect[2 * fluent].count || statistics->of_effect[2 * fluent + 1].count;
}
/* True if moves alternate in the whole game: each role has a choice at some time, and no role ever
 * has a choice that includes the move with which it waits. */
bool statistics_alternates(const Statistics *statistics);
/* Fills in the probabilities of the pairs, as means over the distinct joint moves with the move. */
void statistics_weigh(Statistics *statistics);
