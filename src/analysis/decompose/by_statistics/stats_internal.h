/* State and functions shared by the files of the statistical method. */
#pragma once

#include "analysis/decompose/by_statistics/statistics.h"
#include "analysis/decompose/by_statistics/stats_method.h"
#include "analysis/decompose/decompose_internal.h"

/* A literal is 2 * fluent + 1 if the fluent is true, 2 * fluent if it is false. */
typedef uint32_t FluentLiteral;

/* A literal that an autonomous fluent needs in order to appear or disappear. */
typedef struct {
    FluentLiteral premise, result; /* `result` is the literal after the change */
} Precondition;

/* A crossing point: literals that must be true together for the rest of a series to begin. */
typedef struct {
    U32Vector literals;
    U32Vector opens; /* what it leads to: literals of autonomous fluents, moves */
    U32Vector stops; /* literals of autonomous fluents that it stops */
} Crossing;

typedef struct {
    Decomposer *d;
    const StatsParameters *parameters;
    Statistics *statistics;
    bool *is_idle;        /* by fluent: seen to change, and no move is responsible */
    bool *is_spent;       /* by fluent: idle, and changes in the first turn or only once */
    bool *is_control;     /* by fluent: a turn marker, in a game of alternating moves */
    bool has_control;     /* some fluent is a turn marker */
    bool *comes_round;    /* by fluent: idle and cyclic */
    double *wait_weights; /* by fluent: probability of a change while a role waits */
    /* By fluent that changed: 4 * move, + 1 if its next value uses it plain, + 2 if negated. */
    U32Vector *move_uses;
    bool *is_studied;     /* by fluent: move_uses is filled */
    uint32_t unconfirmed; /* number of effects without enough observations to confirm them */
    VECTOR(Precondition) preconditions;
    VECTOR(Crossing) crossings;
    Arena arena; /* owns the arrays by fluent */
} StatsMethod;

/* stats_filter.c: finds which moves are responsible for which effects and fills in d->effects. */
void stats_filter(StatsMethod *stats);
/* True if the rules for next(f) allow a move to have the effect. This depends on how the move
 * occurs in them and on how many other moves of its role occur plain and negated. */
bool stats_rules_allow(bool appears, bool plain, bool negated, uint32_t other_plain,
                       uint32_t other_negated);
/* stats_control.c: cyclic fluents and turn markers. The weights must be found before the filters
 * reject the effects of waiting. The choice needs the preconditions. */
void stats_weigh_controls(StatsMethod *stats);
void stats_choose_controls(StatsMethod *stats);
/* stats_series.c: finds the crossing points of games in series. */
void stats_find_crossings(StatsMethod *stats, Deadline deadline);
void stats_clear_crossings(StatsMethod *stats);
void crossing_free(Crossing *crossing);
