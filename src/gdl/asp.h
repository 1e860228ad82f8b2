/* A description as an answer set program, for gringo and clingo (Gebser et al. 2011): an
 * independent grounder whose reachable fluents and moves ours can be compared with. The text starts
 * with a comment that explains how names are written and how to use it. */
#pragma once

#include "base/text.h"
#include "gdl/rules.h"

void rules_write_asp(Text *out, const Rules *rules);

/* The same with the time in it: clingo finds joint moves that lead to a goal after so many turns.
 * With increasing numbers of turns that solves games of one role. */
void rules_write_plan(Text *out, const Rules *rules);
