/* Statistics of random play: which effects occur, together with which others, in which joint moves,
 * and which roles had to wait. No move is tried out for comparison. The filters (stats_filter.c)
 * decide what is cause and what is coincidence. Later playouts add to the counts of earlier ones;
 * the sets of effects that always occur together only shrink. */
#pragma once

#include "analysis/decompose/by_evidence/evidence.h"

typedef struct {
    uint32_t count;     /* transitions in which the effect occurred */
    U32Vector together; /* the effects that occurred in all of them, ascending; itself included */
} Companions;

/* A move and an effect that occurred when it was played. */
typedef struct {
    uint32_t move;
    Effect effect;
    Companions companions;
    double probability; /* mean over distinct joint moves; 0 once a filter rejects the pair */
} EffectPair;

typedef struct {
    uint32_t joint; /* its moves are in Statistics.joint_moves from joint * role_count on */
    Effect effect;
    uint32_t count; /* times that the joint move had the effect */
    uint32_t next;  /* index of the next effect of the joint move; UINT32_MAX for none */
} JointEffect;

typedef struct {
    uint32_t fluent_count, move_count, role_count;
    ObservedCounts counts;
    uint64_t transitions, first_transitions;
    Companions *of_effect; /* by effect */
    uint32_t *first_count; /* by effect: first transitions of a match in which it occurred */
    VECTOR(EffectPair) pairs;
    VECTOR(JointEffect) joint_effects;
    U32Vector joint_pairs;  /* by joint effect and role: index of the pair of its move */
    U32Vector joint_moves;  /* by joint move and role: the move */
    U32Vector joint_counts; /* by joint move: how often it was played */
    U32Vector joint_first;  /* by joint move: index of its first effect; UINT32_MAX for none */
    U32Vector joint_last;   /* by joint move: index of its last effect; UINT32_MAX for none */
    Table pair_table, joint_table, joint_effect_table;
    bool *is_played;    /* by move */
    bool *has_chosen;   /* by role */
    uint32_t *wait;     /* by role: its only move while another chose; UINT32_MAX if not seen yet */
    bool alternates;    /* so far at most one role had a choice, and each waits with one move */
    U32Vector *effects; /* by lane: effects of the present transition */
    Arena arena;        /* owns the arrays but `wait` */
} Statistics;

Statistics *statistics_create(const Game *game);
void statistics_free(Statistics *statistics);

/* Plays more matches from the state (NULL for the initial one) and adds what they show. */
void statistics_collect(Statistics *statistics, Observer *observer, const State *start,
                        uint64_t matches, Deadline deadline);

/* NULL if the effect never occurred with the move. */
EffectPair *statistics_pair(const Statistics *statistics, uint32_t move, Effect effect);
static inline double statistics_probability(const Statistics *statistics, uint32_t move,
                                            Effect effect) {
    const EffectPair *pair = statistics_pair(statistics, move, effect);
    return pair ? pair->probability : 0;
}
/* True if moves alternate in the whole game: each role has a choice at times, and no role ever
 * chooses the move with which it waits. */
bool statistics_alternates(const Statistics *statistics);
/* Fills in the probabilities of the pairs, as means over the distinct joint moves with the move. */
void statistics_weigh(Statistics *statistics);
