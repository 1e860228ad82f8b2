/* Measures trivial predictors. A predictor sorts the rows into boxes, one per value of the fact or
 * count; its best prediction for a box is the weighted median of the scores in it. Counts are also
 * compared in pairs, for groups of facts that differ in one word only. */
#include "learn/data/audit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "learn/data/factgroups.h"

enum {
    MAX_ROWS = 20000, /* rows that are examined (untuned) */
    MAX_PAIRS = 2000  /* pairs of groups that are compared (untuned) */
};

typedef struct {
    int32_t box;
    float score;
    float weight;
} Boxed;

typedef struct {
    const DataSet *set;
    size_t rows, step; /* examined rows, and their distance: every step-th row of the set */
    uint32_t role;
    Boxed *boxed;
    FactGroups groups;
    int32_t *sizes; /* by group and row: number of facts of the group that hold */
} Auditor;

static int compare_boxed(const void *a, const void *b) {
    const Boxed *x = a, *y = b;
    if (x->box != y->box)
        return x->box < y->box ? -1 : 1;
    return x->score < y->score ? -1 : x->score > y->score;
}

/* Returns the weighted sum of distances to the median score. */
static double error_of_box(const Boxed *boxed, size_t count) {
    double weight = 0, passed = 0, error = 0, median = boxed[0].score;
    for (size_t i = 0; i < count; i++)
        weight += boxed[i].weight;
    for (size_t i = 0; i < count && passed < weight / 2; i++) {
        median = boxed[i].score;
        passed += boxed[i].weight;
    }
    for (size_t i = 0; i < count; i++)
        error += boxed[i].weight * fabs(boxed[i].score - median);
    return error;
}

/* The fitness of a predictor whose boxes have been filled in. */
static double fitness_of_boxes(Auditor *a) {
    double error = 0, weight = 0;
    for (size_t i = 0; i < a->rows; i++) {
        size_t row = i * a->step;
        a->boxed[i].score = (float)dataset_scores(a->set, row)[a->role];
        a->boxed[i].weight = (float)a->set->counts.items[row];
        weight += a->boxed[i].weight;
    }
    qsort(a->boxed, a->rows, sizeof *a->boxed, compare_boxed);
    for (size_t first = 0, end; first < a->rows; first = end) {
        end = first + 1;
        while (end < a->rows && a->boxed[end].box == a->boxed[first].box)
            end++;
        error += error_of_box(a->boxed + first, end - first);
    }
    return weight > 0 ? 100 - error / weight : 0;
}

static void keep(Predictors *best, const char *text, double fitness) {
    if (best->count == AUDIT_KEPT && best->items[AUDIT_KEPT - 1].fitness >= fitness)
        return;
    if (best->count == AUDIT_KEPT)
        free(vector_pop(best).text);
    Predictor new = {memory_strdup(text), fitness};
    vector_push(best, new);
    for (size_t i = best->count - 1; i > 0 && best->items[i - 1].fitness < fitness; i--) {
        best->items[i] = best->items[i - 1];
        best->items[i - 1] = new;
    }
}

/* ---- counts of groups ---- */

static void count_groups(Auditor *a) {
    a->sizes = memory_zalloc((a->groups.items.count * a->rows + 1) * sizeof *a->sizes);
    for (size_t g = 0; g < a->groups.items.count; g++)
        for (size_t i = 0; i < a->rows; i++)
            for (size_t f = 0; f < a->groups.items.items[g].facts.count; f++)
                a->sizes[g * a->rows + i] +=
                    dataset_holds(a->set, i * a->step, a->groups.items.items[g].facts.items[f]);
}

static void try_counts(Auditor *a, size_t g, size_t h, Predictors *best) {
    Text text = {0};
    bool alone = g == h;
    for (size_t i = 0; i < a->rows; i++)
        a->boxed[i].box = a->sizes[g * a->rows + i] - (alone ? 0 : a->sizes[h * a->rows + i]);
    double fitness = fitness_of_boxes(a);
    text_add(&text, "count of ");
    fact_groups_write(&a->groups, g, &text);
    if (!alone) {
        text_add(&text, " less ");
        fact_groups_write(&a->groups, h, &text);
    }
    keep(best, text.items, fitness);
    vector_free(&text);
}

static void try_all_counts(Auditor *a, Predictors *best) {
    size_t pairs = 0;
    for (size_t g = 0; g < a->groups.items.count; g++) {
        if (a->groups.items.items[g].facts.count < 2)
            continue;
        try_counts(a, g, g, best);
        for (size_t h = g + 1; h < a->groups.items.count && pairs < MAX_PAIRS; h++)
            if (a->groups.items.items[h].name == a->groups.items.items[g].name &&
                a->groups.items.items[h].facts.count > 1) {
                try_counts(a, g, h, best);
                pairs++;
            }
    }
}

static void try_facts(Auditor *a, Predictors *best) {
    for (uint32_t f = 0; f < dataset_fact_count(a->set); f++) {
        for (size_t i = 0; i < a->rows; i++)
            a->boxed[i].box = dataset_holds(a->set, i * a->step, f);
        keep(best, symbols_name(&a->set->facts, f), fitness_of_boxes(a));
    }
}

/* ---- the audit ---- */

static uint32_t count_constant_facts(const DataSet *set) {
    uint32_t *holds = memory_zalloc((dataset_fact_count(set) + 1) * sizeof *holds), constant = 0;
    for (size_t i = 0; i < set->members.count; i++)
        holds[set->members.items[i]]++;
    for (uint32_t f = 0; f < dataset_fact_count(set); f++)
        constant += holds[f] == 0 || holds[f] == dataset_rows(set);
    free(holds);
    return constant;
}

static void audit_role(Auditor *a, RoleAudit *role) {
    for (size_t i = 0; i < a->rows; i++)
        a->boxed[i].box = 0;
    role->constant = fitness_of_boxes(a);
    try_facts(a, &role->facts);
    try_all_counts(a, &role->counts);
}

void audit_create(const DataSet *set, Audit *audit) {
    DataSet *distinct = dataset_distinct(set);
    Auditor a = {.set = distinct};
    *audit = (Audit){.role_count = set->role_count,
                     .rows = dataset_rows(set),
                     .distinct_rows = dataset_rows(distinct),
                     .facts = dataset_fact_count(set),
                     .constant_facts = count_constant_facts(distinct)};
    a.step = dataset_rows(distinct) / MAX_ROWS + 1;
    a.rows = (dataset_rows(distinct) + a.step - 1) / a.step;
    a.boxed = memory_alloc((a.rows + 1) * sizeof *a.boxed);
    fact_groups_create(&a.groups, &set->facts);
    count_groups(&a);
    audit->roles = memory_zalloc((set->role_count + 1) * sizeof *audit->roles);
    for (a.role = 0; a.role < set->role_count && a.rows; a.role++)
        audit_role(&a, &audit->roles[a.role]);
    fact_groups_free(&a.groups);
    memory_free(a.sizes, a.boxed);
    dataset_free(distinct);
}

void audit_free(Audit *audit) {
    for (uint32_t r = 0; r < 2 * audit->role_count; r++) {
        Predictors *best = r % 2 ? &audit->roles[r / 2].facts : &audit->roles[r / 2].counts;
        for (size_t i = 0; i < best->count; i++)
            free(best->items[i].text);
        vector_free(best);
    }
    free(audit->roles);
    *audit = (Audit){0};
}
