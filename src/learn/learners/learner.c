/* The table of learners, with the defaults and ranges of their options. */
#include "learn/learners/learner.h"

#include <string.h>

extern const Learner mlp_learner, logistic_learner, linear_learner, cascade_learner, /* gradient */
    neat_learner, neat_taught_learner,                                               /* evolution */
    genetic_learner, genetic_published_learner;

const Learner *const learners[] = {
    &mlp_learner,  &logistic_learner,    &linear_learner,  &cascade_learner,
    &neat_learner, &neat_taught_learner, &genetic_learner, &genetic_published_learner,
    NULL};

const char learner_names[] = "mlp|logistic|linear|cascade|neat|neat-taught|ga|ga-published";

const Learner *learner_find(const char *name) {
    for (const Learner *const *l = learners; *l; l++)
        if (strcmp((*l)->name, name) == 0)
            return *l;
    return NULL;
}

const LearnerOption *learner_option(const Learner *learner, const char *key) {
    for (const LearnerOption *o = learner->options; o->key; o++)
        if (strcmp(o->key, key) == 0)
            return o;
    return NULL;
}

void learners_write(Text *out) {
    for (const Learner *const *l = learners; *l; l++) {
        text_printf(out, "  %-12s  %s\n", (*l)->name, (*l)->summary);
        for (const LearnerOption *o = (*l)->options; o->key; o++) {
            text_printf(out, "    --%s N  %s", o->key, o->meaning);
            if (o->most < UINT32_MAX)
                text_printf(out, ", %u to %u", o->least, o->most);
            if (o->default_value)
                text_printf(out, " (default %u)", o->default_value);
            text_add_char(out, '\n');
        }
    }
}

void learner_train(const Learner *learner, const Examples *examples, const LearnOptions *options,
                   Network *network) {
    LearnOptions all = *options;
    assert(learner);
    for (const LearnerOption *o = learner->options; o->key; o++) {
        uint32_t *value = (uint32_t *)((char *)&all + o->field);
        assert(!*value || (*value >= o->least && *value <= o->most));
        *value = *value ? *value : o->default_value;
    }
    learner->train(examples, &all, network);
    assert(network->outputs.count == examples->output_count);
}
