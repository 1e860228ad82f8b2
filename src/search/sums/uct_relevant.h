/* Questions about a search of the method `uct-relevant`. The answer is false for other methods. */
#pragma once

#include "search/uct/uct.h"

/* Own options. They begin with those of `uct`, which reads only these. */
typedef struct {
    UctOptions uct;
    bool looks_again; /* look for a sum of games after every move, not only at the start */
} UctRelevantOptions;

#define UCT_RELEVANT_OPTIONS                                                                       \
    UCT_OPTIONS, {                                                                                 \
        "again", VALUE_FLAG, FLAG_RANGE, "look for a sum of games after every move",               \
            OWN_FIELD(UctRelevantOptions, looks_again)                                             \
    }

/* True if the search postpones some of the role's legal moves because they cannot influence its
 * result. Only then does the search differ from plain UCT. */
bool uct_relevant_postpones_moves(const Search *search, uint32_t role, const U32Vector *legal);
/* True if the search has found a sum of games or serial games and solves it, or tries to. The tree
 * then only chooses among moves of equal exact value. */
bool uct_relevant_solves_exactly(const Search *search);
