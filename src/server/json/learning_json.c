/* Data sets and learners as JSON. */
#include "server/json/learning_json.h"

#include "learn/learners/learner.h"
#include "server/json/json.h"

static json_t *predictors_json(const Predictors *predictors) {
    json_t *array = json_array();
    for (size_t i = 0; i < predictors->count; i++)
        array_push(array,
                   json_pack("{s:o,s:f,s:b}", "predictor", text_json(predictors->items[i].text),
                             "fitness", predictors->items[i].fitness, "leak",
                             predictors->items[i].fitness > AUDIT_LEAK));
    return array;
}

json_t *audit_json(const Audit *audit, const Game *game) {
    json_t *roles = json_array();
    for (uint32_t r = 0; r < audit->role_count; r++)
        array_push(roles, json_pack("{s:s*,s:f,s:o,s:o}", "role", game ? game->roles[r] : NULL,
                                    "constant", audit->roles[r].constant, "facts",
                                    predictors_json(&audit->roles[r].facts), "counts",
                                    predictors_json(&audit->roles[r].counts)));
    return json_pack("{s:I,s:I,s:I,s:I,s:o}", "rows", (json_int_t)audit->rows, "distinct",
                     (json_int_t)audit->distinct_rows, "facts", (json_int_t)audit->facts,
                     "constant_facts", (json_int_t)audit->constant_facts, "baselines", roles);
}

json_t *learners_json(void) {
    json_t *all = json_array();
    for (const Learner *const *l = learners; *l; l++) {
        json_t *options = json_array();
        for (const LearnerOption *o = (*l)->options; o->key; o++)
            array_push(options,
                       object_of("key", text_json(o->key), "least", count_json(o->least), "most",
                                 count_json(o->most), "default", count_json(o->default_value),
                                 "meaning", text_json(o->meaning)));
        array_push(all, object_of("name", text_json((*l)->name), "summary",
                                  text_json((*l)->summary), "options", options));
    }
    return object_of("learners", all);
}

static json_t *spread_json(const Spread *s) {
    return object_of("lowest", json_real(s->lowest), "highest", json_real(s->highest), "mean",
                     json_real(s->mean));
}

json_t *genetic_runs_json(const GeneticRun *runs, size_t count, size_t best) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        const GeneticRun *r = &runs[i];
        array_push(array,
                   object_of("crossover", json_real(r->crossover), "mutation",
                             json_real(r->mutation), "start", spread_json(&r->start), "end",
                             spread_json(&r->end), "best", json_real(r->best), "best_generation",
                             count_json(r->best_generation), "near_generation",
                             count_json(r->near_generation), "evaluations",
                             count_json(r->evaluations), "cpu_seconds", json_real(r->cpu_seconds)));
    }
    return object_of("runs", array, "best", count_json(best));
}

json_t *neat_result_json(const NeatResult *r) {
    return object_of("solved", json_boolean(r->is_solved), "fitness", json_real(r->fitness),
                     "evaluations", count_json(r->evaluations), "generation",
                     count_json(r->generation), "hidden", count_json(r->hidden), "links",
                     count_json(r->links), "trials", count_json(r->trials), "species",
                     count_json(r->species), "cpu_seconds", json_real(r->cpu_seconds));
}
