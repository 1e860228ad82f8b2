/* What others may ask a search of `parts`; all are false for searches of other methods. */
#pragma once

#include "search/uct/uct.h"

/* Own options; what is created by `uct` reads the first field. */
typedef struct {
    UctOptions uct;
    bool looks_again; /* looks for a sum of games after every move, not only at the start */
} PartwiseOptions;

#define PARTWISE_OPTIONS                                                                           \
    UCT_OPTIONS, {                                                                                 \
        "again", VALUE_FLAG, FLAG_RANGE, "look for a sum of games after every move",               \
            OWN_FIELD(PartwiseOptions, looks_again)                                                \
    }

/* Whether one of the role's moves has to wait because it never matters, so that the search differs
 * from plain UCT. */
bool partwise_lets_wait(const Search *search, uint32_t role, const U32Vector *legal);
/* Whether moves are computed, and the tree only says which of the best, or may be soon: a sum or a
 * series was found and is not given up. */
bool partwise_computes(const Search *search);
