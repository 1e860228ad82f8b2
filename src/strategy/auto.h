/* `auto`: chooses the search method that suits a game, by what is known before the first move. */
#pragma once

#include "search/search.h"

typedef struct {
    const SearchMethod *method;
    const char *reason; /* reason for the choice, a clause without a full stop */
} AutoChoice;

AutoChoice auto_choose(const Game *game);

extern const SearchMethod auto_search;
