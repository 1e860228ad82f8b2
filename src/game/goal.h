/* Goal values: numbers from terms, and the result if several goals hold at once. */
#pragma once

#include "game/interpreter/interpreter.h"
#include "gdl/terms.h"

/* Returns the number with this name; GOAL_NONE if the name is no number. */
int goal_of_name(const char *name);
/* Adds the term of one more goal that holds to the value found so far (or GOAL_NONE). Returns
 * GOAL_SEVERAL if they differ. A term that is no number changes nothing. */
int goal_join(int found, const Terms *terms, Term term);
/* Adds one more value, or GOAL_NONE. */
int goal_join_value(int found, int value);
