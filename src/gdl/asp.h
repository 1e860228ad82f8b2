/* A description as an answer set program, for gringo and clingo (Gebser et al. 2011): an
 * independent grounder whose reachable fluents and moves ours can be compared with. The text starts
 * with a comment that explains how names are written and how to use it. */
#pragma once

#include "base/text.h"
#include "gdl/rules.h"

void rules_write_asp(Text *out, const Rules *rules);

/* Writes a planning problem: every changing atom has the time as its last argument, and clingo
 * finds joint moves that reach a goal after a given number of turns. Increasing that number solves
 * games of one role. */
void rules_write_plan(Text *out, const Rules *rules);
