/* Parts of a state that symmetries of the game exchange, for tests. */
#ifndef MARELLE_TESTS_ANALYSIS_SYMMETRIC_PARTS_H
#define MARELLE_TESTS_ANALYSIS_SYMMETRIC_PARTS_H

#include "analysis/symmetry/symmetry.h"
#include "base/disjoint_sets.h"

/* Writes, for each part of the state, the lowest-numbered part that symmetries map onto it. A part
 * is a set of fluents; `part_of` has the part of each fluent, UINT32_MAX if it has none. */
static void symmetry_of_parts(const Symmetries *s, const uint32_t *part_of, uint32_t parts,
                              uint32_t *class_of) {
    sets_init(class_of, parts);
    for (size_t i = 0; i < s->generators.count; i++)
        for (uint32_t f = 0; f < s->fluent_count; f++) {
            uint32_t from = part_of[f], to = part_of[s->generators.items[i].fluents[f]];
            if (from != UINT32_MAX && to != UINT32_MAX)
                sets_join(class_of, from, to);
        }
    for (uint32_t p = 0; p < parts; p++)
        class_of[p] = sets_find(class_of, p);
}

#endif
