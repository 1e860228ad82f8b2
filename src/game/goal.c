/* GDL has no arithmetic: an integer is only a name, so its text is read here. */
#include "game/goal.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_GOAL = 1000000 /* larger numbers are no goal values; GDL allows up to 100 (untuned) */
};

int goal_of_name(const char *name) {
    size_t digits = strspn(name, "0123456789");
    long value = digits && !name[digits] ? strtol(name, NULL, 10) : -1;
    return value < 0 || value > MAX_GOAL ? GOAL_NONE : (int)value;
}

int goal_join(int found, const Terms *terms, Term term) {
    const char *name = symbols_name(terms->symbols, term_symbol(terms, term));
    return term_arity(terms, term) ? found : goal_join_value(found, goal_of_name(name));
}

int goal_join_value(int found, int value) {
    if (value == GOAL_NONE)
        return found;
    return found == GOAL_NONE || found == value ? value : GOAL_SEVERAL;
}
