/* Clocks: fluents that change by themselves, such as step counters and turn markers. Whatever the
 * players do, such a fluent has the same value at the same time in every match. Candidates are
 * observed in random matches. The proof evaluates the circuit in three-valued logic with only the
 * candidates' values known, and shows that their next values are certain. A counter may be written
 * with one fluent per value, with digits or with bits, and forced moves may drive it. */
#pragma once

#include "analysis/samples.h"

typedef enum {
    CLOCK_STEPPER, /* never returns to an earlier value before matches end */
    CLOCK_CONTROL, /* runs in a cycle, and legality depends on it */
    CLOCK_CYCLE    /* runs in a cycle, and legality does not depend on it */
} ClockKind;

/* Fluents that depend on one another and, except for constants, on nothing else. */
typedef struct {
    ClockKind kind;
    U32Vector fluents;
    uint32_t lead;   /* turns before the cycle begins */
    uint32_t period; /* turns per cycle; 1 if it stops; 0 if no cycle was seen */
} Clock;

typedef struct {
    Certainty certainty;
    VECTOR(Clock) items;
    uint64_t *fluents; /* bitset of all fluents of all clocks */
    uint32_t words;
    uint64_t *history;     /* row t has `words` 64-bit words: the fluents of the clocks at time t */
    uint32_t times;        /* number of rows of the history */
    uint32_t repeats_from; /* the row that follows the last one, or UINT32_MAX */
    bool is_bounded;       /* proved: every match is over by time `times` - 1 */
    bool takes_turns;      /* proved: at no time do two roles have a choice */
} Clocks;

Clocks *clocks_find(const Samples *samples, CpuBudget budget);
void clocks_free(Clocks *clocks);
/* The step of clocks_find that divides the fluents into single clocks and finds their kinds. */
void clocks_divide(Clocks *clocks, const Samples *samples);

/* Returns the fluents' values at a time, also in later cycles of the history; NULL if unknown. */
const uint64_t *clocks_at(const Clocks *clocks, uint32_t time);
