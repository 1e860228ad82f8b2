/* Clocks: fluents that change by themselves, such as step counters and turn markers. Whatever the
 * players do, such a fluent has the same value at the same time in every match. Candidates are
 * observed in random matches. The proof gives the candidates their values at one time, leaves all
 * else unknown, evaluates the circuit in three-valued logic and finds that their values at the next
 * time are certain. It does not matter whether a counter is written with one fluent per value, with
 * digits or with bits, nor whether moves that everybody is forced to make drive it. */
#pragma once

#include "analysis/samples.h"

typedef enum {
    CLOCK_STEPPER, /* never returns to an earlier value before matches end */
    CLOCK_CONTROL, /* runs in a cycle, and legality depends on it */
    CLOCK_CYCLE    /* runs in a cycle, and legality does not depend on it */
} ClockKind;

/* Fluents that depend on one another and, constants apart, on nothing else. */
typedef struct {
    ClockKind kind;
    U32Vector fluents;
    uint32_t lead;   /* times before the cycle begins */
    uint32_t period; /* times in the cycle, 1 if it stops; 0 if none was seen before the end */
} Clock;

typedef struct {
    Certainty certainty;
    VECTOR(Clock) items;
    uint64_t *fluents; /* bitset: all fluents of all clocks */
    uint32_t words;
    uint64_t *history;     /* row t of `words` words: the clocks' fluents at time t */
    uint32_t times;        /* rows of the history */
    uint32_t repeats_from; /* the row that follows the last one again; UINT32_MAX if unknown */
    bool is_bounded;       /* proved: every match is over by time `times` - 1 */
    bool takes_turns;      /* proved: at no time do two roles have a choice */
} Clocks;

Clocks *clocks_find(const Samples *samples, CpuBudget budget);
void clocks_free(Clocks *clocks);

/* The fluents' values at a time, after the end of the history by repeating its cycle. NULL where
 * they are not known. */
const uint64_t *clocks_at(const Clocks *clocks, uint32_t time);
