/* Permutations of fluents and of roles, from analysis/. */
#include "learn/mirror.h"

#include "analysis/symmetry.h"

static void add_image(const DataSet *from, size_t row, const GamePermutation *p, DataSet *to) {
    double scores[DATASET_MOST_ROLES];
    U32Vector facts = {0};
    for (uint32_t k = 0; k < dataset_size(from, row); k++)
        vector_push(&facts,
                    p ? p->fluents[dataset_facts(from, row)[k]] : dataset_facts(from, row)[k]);
    for (uint32_t r = 0; r < from->role_count; r++)
        scores[p ? p->roles[r] : r] = dataset_scores(from, row)[r];
    dataset_add(to, &(DataRow){facts.items, facts.count, scores, from->counts.items[row],
                               from->matches.items[row], from->ends.items[row]});
    vector_free(&facts);
}

DataSet *mirror_data(Game *game, const DataSet *set, size_t most, double seconds) {
    Symmetries *symmetries =
        symmetry_find(game, &(SymmetryOptions){.seconds = seconds, .swap_roles = true});
    SymmetryGroup *group = symmetries ? symmetry_some_elements(symmetries, most) : NULL;
    DataSet *all = dataset_create(set->role_count);
    for (uint32_t f = 0; f < dataset_fact_count(set); f++)
        symbols_intern(&all->facts, symbols_name(&set->facts, f), symbols_length(&set->facts, f));
    for (size_t i = 0; i < dataset_rows(set); i++) {
        add_image(set, i, NULL, all);
        for (size_t g = 1; group && g < group->items.count; g++)
            add_image(set, i, &group->items.items[g], all);
    }
    if (group)
        symmetry_group_free(group);
    if (symmetries)
        symmetry_free(symmetries);
    return all;
}
