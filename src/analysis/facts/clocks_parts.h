/* Telling the clocks of a game apart and what each of them is. */
#pragma once

#include "analysis/facts/clocks.h"

/* Fills in the items from the fluents and their history. */
void clocks_take_apart(Clocks *clocks, const Samples *samples);
