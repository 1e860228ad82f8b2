/* Questions about a search of the method `uct-relevant`. The answer is false for other methods. */
#pragma once

#include "search/search.h"

/* True if the search postpones some of the role's legal moves because they cannot influence its
 * result. Only then does the search differ from plain UCT. */
bool uct_relevant_postpones_moves(const Search *search, uint32_t role, const U32Vector *legal);
/* True if the search has found a sum of games or serial games and solves it, or tries to. The tree
 * then only chooses among moves of equal exact value. */
bool uct_relevant_solves_exactly(const Search *search);
