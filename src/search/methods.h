/* The searches of this layer, each defined in the file of its method. */
#pragma once

#include "search/search.h"

extern const SearchMethod random_search, legal_search, uct_search, grave_search, mast_search,
    solo_search, cfr_search, mtmcts_search, partwise_search, baseline_uct_search,
    baseline_grave_search, baseline_cfr_search, roletrees_search, challenge_search;
