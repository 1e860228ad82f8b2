/* What others may ask a search of `parts`; all are false for searches of other methods. */
#pragma once

#include "search/search.h"

/* Whether one of the role's moves has to wait because it never matters, so that the search differs
 * from plain UCT. */
bool uct_relevant_postpones_moves(const Search *search, uint32_t role, const U32Vector *legal);
/* Whether moves are computed, and the tree only says which of the best, or may be soon: a sum or a
 * series was found and is not given up. */
bool uct_relevant_solves_exactly(const Search *search);
