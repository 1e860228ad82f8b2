/* GDL has no arithmetic: an integer is only a name, so its text is read here. */
#include "game/goal.h"

#include <stdlib.h>

enum {
    LARGEST_GOAL = 1000000 /* larger numbers are no goal values; GDL allows up to 100 (guess) */
};

static bool goal_value(const Terms *terms, Term term, int *value) {
    const char *name = symbols_name(terms->symbols, term_symbol(terms, term));
    char *end;
    long number = strtol(name, &end, 10);
    *value = (int)number;
    return end != name && *end == '\0' && term_arity(terms, term) == 0 && number >= 0 &&
           number <= LARGEST_GOAL;
}

int goal_join(int found, const Terms *terms, Term term) {
    int value;
    return goal_value(terms, term, &value) ? goal_join_value(found, value) : found;
}

int goal_join_value(int found, int value) {
    if (value == GOAL_NONE)
        return found;
    return found == GOAL_NONE || found == value ? value : GOAL_SEVERAL;
}
