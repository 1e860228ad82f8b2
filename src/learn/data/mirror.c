/* Makes images of states by the permutations of fluents and roles that analysis/symmetry found. */
#include "learn/data/mirror.h"

static void add_image(const DataSet *from, size_t row, const GamePermutation *p, DataSet *to) {
    double scores[DATASET_MAX_ROLES];
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

Mirror *mirror_create(Game *game, size_t most, double seconds) {
    Mirror *mirror = memory_zalloc(sizeof *mirror);
    mirror->symmetries =
        symmetry_find(game, &(SymmetryOptions){.seconds = seconds, .swap_roles = true});
    mirror->group = mirror->symmetries ? symmetry_some_elements(mirror->symmetries, most) : NULL;
    return mirror;
}

void mirror_free(Mirror *mirror) {
    if (!mirror)
        return;
    symmetry_group_free(mirror->group);
    symmetry_free(mirror->symmetries);
    free(mirror);
}

DataSet *mirror_data(const Mirror *mirror, const DataSet *set) {
    DataSet *all = dataset_like(set);
    for (size_t i = 0; i < dataset_rows(set); i++)
        for (size_t image = 0; image < mirror_images(mirror); image++)
            add_image(set, i, mirror_image(mirror, image), all);
    return all;
}
