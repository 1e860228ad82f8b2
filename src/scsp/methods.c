/* The list of all searches. It stands above the layers that they belong to, which therefore need
 * not know each other: search.h only says that there is a list. */
#include "search/methods.h"

#include "scsp/macucb/macucb.h"

const SearchMethod *const search_methods[] = {
    &auto_search,         &random_search,       &legal_search,
    &uct_search,          &grave_search,        &mast_search,
    &cfr_search,          &solo_search,         &mtmcts_search,
    &partwise_search,     &baseline_uct_search, &baseline_grave_search,
    &baseline_cfr_search, &mac_ucb_search,      &mac_ucb_sym_search,
    &roletrees_search,    &rivals_search,       NULL};
