/* Goal values: the numbers behind the terms, and what several of them at once mean. */
#pragma once

#include "game/interpreter/interpreter.h"
#include "gdl/terms.h"

/* The value found so far (or GOAL_NONE) joined with one more goal that holds; terms that are no
 * number count as none. */
int goal_join(int found, const Terms *terms, Term term);
/* The same for a value, or GOAL_NONE. */
int goal_join_value(int found, int value);
