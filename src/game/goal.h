/* Goal values: the numbers that terms spell, and what several goals at once mean. */
#pragma once

#include "game/interpreter/interpreter.h"
#include "gdl/terms.h"

/* Joins the value found so far (or GOAL_NONE) with the term of one more goal that holds:
 * GOAL_SEVERAL if they differ. A term that is no number changes nothing. */
int goal_join(int found, const Terms *terms, Term term);
/* Joins with a value or GOAL_NONE. */
int goal_join_value(int found, int value);
