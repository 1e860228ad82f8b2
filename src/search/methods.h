/* The searches of this layer, each defined in the file of its method. */
#pragma once

#include "search/search.h"

extern const SearchMethod random_search, legal_search, uct_search, grave_search, mast_search,
    single_player_search, cfr_search, mtmcts_search, uct_relevant_search, baseline_uct_search,
    baseline_grave_search, baseline_cfr_search, multirole_search, challenge_search;
