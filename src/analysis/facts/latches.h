/* Latches: fluents that change at most once in a match. */
#pragma once

#include "analysis/facts/prover.h"
#include "analysis/samples.h"

typedef struct {
    uint8_t *once_true;  /* by fluent, a Certainty: once true it stays true; NONE for constants */
    uint8_t *once_false; /* by fluent, a Certainty: once false it stays false; NONE for constants */
    uint32_t fluent_count;
} Latches;

/* Finds latches. The prover may be NULL. */
void latches_find(Latches *latches, const Samples *samples, Prover *prover);
void latches_free(Latches *latches);
