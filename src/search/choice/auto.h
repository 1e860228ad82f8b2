/* `auto`: the method that suits a game, by what is known of it before the first move. A table of
 * conditions, the first that holds decides; each says why in words. */
#pragma once

#include "search/search.h"

typedef struct {
    const char *method;
    const char *reason; /* a sentence without its full stop */
} AutoChoice;

AutoChoice auto_choose(Game *game);
