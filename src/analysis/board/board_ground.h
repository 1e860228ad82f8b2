/* What never changes on a board. */
#pragma once

#include "analysis/board/recogniser.h"
#include "gdl/predicates.h"

typedef struct {
    Recogniser *recogniser;
    const Rules *rules;
    Predicates predicates; /* of the rules */
} Ground;

/* Finds clues and signs, and turns their grids as they stand on paper; before pieces are listed. */
void ground_find_clues(const Ground *ground);
/* Finds colours of squares, owners of edges, and points that lines join. */
void ground_find(const Ground *ground);
