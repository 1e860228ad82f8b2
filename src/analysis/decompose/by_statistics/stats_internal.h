/* What the files of the statistical method share: statistics, what they amount to, and the graph.
 */
#pragma once

#include "analysis/decompose/by_statistics/statistics.h"
#include "analysis/decompose/by_statistics/stats_method.h"
#include "analysis/decompose/decompose_internal.h"

/* A literal is 2 * fluent + 1 if the fluent holds, 2 * fluent if it does not. */
typedef uint32_t FluentLiteral;

/* An action-independent fluent and what makes it appear or vanish. */
typedef struct {
    FluentLiteral premise, result;
} Precondition;

/* Literals that must hold together for the rest of a series to begin. */
typedef struct {
    U32Vector literals;
    U32Vector opens; /* vertices behind it: literals of self-running fluents; moves, after all
                        literals */
    U32Vector stops; /* literals of self-running fluents that depend on it and rest behind it */
} Crossing;

typedef struct {
    Decomposer *d;
    const StatsParameters *parameters;
    Statistics *statistics;
    bool *is_idle;    /* by fluent: seen to change, no move is responsible */
    bool *is_spent;   /* by fluent: idle, and gone after the first turn or after once */
    bool *is_control; /* by fluent: says whose turn it is, in a game of alternating moves */
    bool has_control;
    bool *comes_round;    /* by fluent: idle, and holds again and again, or is on the way there */
    double *wait_weights; /* by fluent: how often it changes while someone waits; 0 if moves do not
                             alternate */
    U32Vector *move_uses; /* by fluent: 4 * move + 1 if its next value uses the move plain, + 2 if
                             negated; studied when it is first seen to change */
    bool *is_studied;     /* by fluent */
    uint32_t unconfirmed; /* links that too few observations speak for */
    VECTOR(Precondition) preconditions;
    VECTOR(Crossing) crossings;
} Stats;

/* stats_filter.c: which moves are responsible for which effects; fills in d->effects. */
void stats_filter(Stats *stats);
/* Whether the rules of next(f) let a move have the effect, from how it and the other moves of its
 * role occur in them. */
bool stats_rules_allow(bool appears, bool plain, bool negated, uint32_t other_plain,
                       uint32_t other_negated);
/* stats_control.c: what comes round, and whose turn it is. The weights are of effects as they were
 * seen, so they must be asked for before waiting loses its own; the choice needs the preconditions.
 */
void stats_weigh_controls(Stats *stats);
void stats_choose_controls(Stats *stats);
/* stats_series.c: crossing points of games in series. */
void stats_find_crossings(Stats *stats, Deadline deadline);
void stats_clear_crossings(Stats *stats);
void crossing_free(Crossing *crossing);
