/* Tests the table of learners: names, options and their ranges. */
#include <criterion/criterion.h>
#include <string.h>

#include "learn/learners/learner.h"

Test(learner, names_are_those_of_the_table) {
    Text names = {0};
    for (const Learner *const *l = learners; *l; l++)
        text_printf(&names, "%s%s", names.count ? "|" : "", (*l)->name);
    cr_assert_str_eq(text_string(&names), learner_names);
    vector_free(&names);
}

Test(learner, every_one_has_effort_and_a_description) {
    Text text = {0};
    learners_write(&text);
    for (const Learner *const *l = learners; *l; l++) {
        cr_expect_eq(learner_find((*l)->name), *l);
        cr_expect_neq(learner_option(*l, "effort"), NULL);
        cr_expect_neq(strstr(text_string(&text), (*l)->summary), NULL);
        for (const LearnerOption *o = (*l)->options; o->key; o++) {
            cr_expect(o->least > 0 && o->least <= o->most);
            cr_expect(!o->default_value ||
                      (o->default_value >= o->least && o->default_value <= o->most));
        }
    }
    vector_free(&text);
}

Test(learner, options_of_one_are_not_those_of_another) {
    cr_expect_neq(learner_option(learner_find("mlp"), "hidden"), NULL);
    cr_expect_eq(learner_option(learner_find("logistic"), "hidden"), NULL);
    cr_expect_eq(learner_find("none"), NULL);
}
