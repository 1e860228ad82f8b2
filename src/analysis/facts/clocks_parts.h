/* Divides the fluents that run by themselves into single clocks and finds the kind of each. */
#pragma once

#include "analysis/facts/clocks.h"

/* Fills in the items of the clocks from their fluents and history. */
void clocks_divide(Clocks *clocks, const Samples *samples);
