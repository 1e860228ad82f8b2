/* Telling the clocks of a game apart and what each of them is. */
#ifndef MARELLE_ANALYSIS_FACTS_CLOCKS_PARTS_H
#define MARELLE_ANALYSIS_FACTS_CLOCKS_PARTS_H

#include "analysis/facts/clocks.h"

/* Fills in the items from the fluents and their history. */
void clocks_take_apart(Clocks *clocks, const Samples *samples);

#endif
