/* Grounds texts and counts the results. */
#ifndef MARELLE_TESTS_GROUND_SUPPORT_H
#define MARELLE_TESTS_GROUND_SUPPORT_H

#include "ground/ground.h"
#include "support.h"

typedef struct {
    Rules *rules;
    Grounding *g;
} Grounded;

/* With little patience, even clauses with few instances are rewritten. */
__attribute__((unused)) static Grounded ground_patiently(const char *text, uint32_t patience) {
    Report report = {0};
    GroundBudget budget = {.rewrite_threshold = patience};
    Grounded d = {.rules = rules_of(text)};
    d.g = ground_rules(d.rules, &budget, &report);
    cr_assert_not_null(d.g, "`%.60s`: %s", text, first_problem(&report));
    report_free(&report);
    return d;
}

__attribute__((unused)) static Grounded ground(const char *text) {
    return ground_patiently(text, 0);
}

__attribute__((unused)) static void grounded_free(Grounded *d) {
    grounding_free(d->g);
    rules_free(d->rules);
}

/* Returns the code of the error that ends grounding, "" if there is none. */
__attribute__((unused)) static const char *ground_problem(const char *text,
                                                          const GroundBudget *budget) {
    static char code[60];
    Report report = {0};
    Rules *rules = rules_of(text);
    Grounding *g = ground_rules(rules, budget, &report);
    cr_assert_eq(g == NULL, report_failed(&report));
    snprintf(code, sizeof code, "%s", report.items.count ? report.items.items[0].code : "");
    grounding_free(g);
    rules_free(rules);
    report_free(&report);
    return code;
}

/* Counts all rules except those of `next`: the instances of a clause under test and of its
 * auxiliaries. */
__attribute__((unused)) static size_t count_rules(const Grounding *g, Symbol except) {
    size_t count = 0;
    for (size_t i = 0; i < g->rules.count; i++) {
        RelationId relation = g->atom_relations.items[g->rules.items[i].head];
        count += g->program->relations.items[relation].keyword != except;
    }
    return count;
}

__attribute__((unused)) static bool has_term(const Grounding *g, Term term, const char *text) {
    Text written = {0};
    write_term_lower(&written, grounding_terms(g), term);
    bool same = strcmp(text_string(&written), text) == 0;
    vector_free(&written);
    return same;
}

__attribute__((unused)) static const Fluent *find_fluent(const Grounding *g, const char *text) {
    for (size_t i = 0; i < g->fluents.count; i++)
        if (has_term(g, g->fluents.items[i].term, text))
            return &g->fluents.items[i];
    return NULL;
}

__attribute__((unused)) static const Move *find_move(const Grounding *g, const char *text) {
    for (size_t i = 0; i < g->moves.count; i++)
        if (has_term(g, g->moves.items[i].term, text))
            return &g->moves.items[i];
    return NULL;
}

#endif
