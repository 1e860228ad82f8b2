/* Creates models, and turns data sets into their inputs. */
#include "learn/play/model.h"

static const double DEFAULT_PRIOR = 10; /* visits that the prior counts for (untuned) */

static void copy_facts(Symbols *to, const Symbols *from) {
    for (uint32_t f = 0; f < from->names.count; f++)
        symbols_intern(to, symbols_name(from, f), symbols_length(from, f));
}

Model *model_create(const char *learner, const DataSet *set) {
    assert(set->role_count <= DATASET_MAX_ROLES);
    Model *m = memory_zalloc(sizeof *m);
    m->learner = memory_strdup(learner);
    m->role_count = set->role_count;
    m->use.prior_visits = DEFAULT_PRIOR;
    copy_facts(&m->facts, &set->facts);
    for (uint32_t r = 0; r < set->role_count; r++) {
        ScoreRange *range = &m->ranges[r];
        *range = (ScoreRange){0, 100};
        for (size_t i = 0; i < dataset_rows(set); i++) {
            double score = dataset_scores(set, i)[r];
            range->highest = score > range->highest ? score : range->highest;
        }
    }
    return m;
}

void model_free(Model *m) {
    if (!m)
        return;
    free(m->learner);
    symbols_free(&m->facts);
    features_free(&m->features);
    network_free(&m->network);
    dense_free(m->dense);
    for (uint32_t r = 0; r < DATASET_MAX_ROLES; r++)
        symbols_free(&m->moves[r]);
    free(m);
}

Examples *model_examples(const Model *m, Game *game, const DataSet *set, Weighing weighing) {
    Symbols facts = {0}; /* the model's first; other facts matter for legal moves */
    copy_facts(&facts, &m->facts);
    if (m->features.groups.count)
        copy_facts(&facts, &set->facts);
    DataSet *own = dataset_renumbered(set, &facts);
    Examples *examples = examples_of_features(&m->features, game, own, m->ranges, weighing);
    dataset_free(own);
    symbols_free(&facts);
    return examples;
}

Errors model_errors(const Model *model, Game *game, const DataSet *set, Weighing weighing) {
    Examples *examples = model_examples(model, game, set, weighing);
    Matrix *matrix = matrix_create(examples);
    Errors errors = network_errors(&model->network, matrix);
    matrix_free(matrix);
    examples_free(examples);
    return errors;
}
