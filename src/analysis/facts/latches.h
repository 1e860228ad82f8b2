/* Fluents that change once at most: "once true, true for ever", or the reverse. */
#pragma once

#include "analysis/facts/prover.h"
#include "analysis/samples.h"

typedef struct {
    uint8_t *once_true;  /* by fluent, an Certainty: it stays true; only of fluents that change */
    uint8_t *once_false; /* it stays false */
    uint32_t fluent_count;
} Latches;

/* The prover may be NULL. */
void latches_find(Latches *latches, const Samples *samples, Prover *prover);
void latches_free(Latches *latches);
