/* Fluents that move by themselves: step counters and turn markers. Whatever the players do, such a
 * fluent has the same value at the same time, in every match. That is how candidates are observed;
 * the proof puts their values at one time into the circuit, leaves everything else unknown, and
 * finds that their values at the next time are certain. Nothing depends on how a counter is
 * written: one fluent a value, digits, or bits; moves that everybody is forced to make may drive
 * it.
 */
#pragma once

#include "analysis/samples.h"

typedef enum {
    CLOCK_STEPPER, /* does not come back to a former value before matches end */
    CLOCK_CONTROL, /* turns in a cycle, and what is legal depends on it */
    CLOCK_CYCLE    /* turns in a cycle otherwise */
} ClockKind;

/* Fluents that depend on one another and on no others, but for constants. */
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
    uint64_t *history;     /* rows of so many words: the clocks' fluents at times 0, 1, ... */
    uint32_t times;        /* rows */
    uint32_t repeats_from; /* the row after the last is this one again; UINT32_MAX: not known */
    bool is_bounded;       /* proved: every match is over by time `times` - 1 */
    bool takes_turns;      /* proved: at no time do two roles have a choice */
} Clocks;

Clocks *clocks_find(const Samples *samples, CpuBudget budget);
void clocks_free(Clocks *clocks);

/* The fluents' values at a time, beyond the history by repeating its cycle; NULL where it is not
 * known. */
const uint64_t *clocks_at(const Clocks *clocks, uint32_t time);
