/* Baselines of a data set: the fitness of trivial predictors, namely a constant, one fact, one
 * count and the difference of two counts. A learner that does not beat them has learnt nothing. A
 * fact that alone predicts the score of finished matches, such as the role in control, is a leak:
 * it does not help before the end. */
#pragma once

#include "learn/data/dataset.h"

typedef struct {
    char *text;     /* the fact; or "count of ..."; or "count of ... less ..." */
    double fitness; /* 100 times (1 - mean absolute error), 0..100 */
} Predictor;

typedef VECTOR(Predictor) Predictors;

typedef struct {
    double constant;  /* fitness of the best constant */
    Predictors facts; /* best first, at most AUDIT_KEPT */
    /* Best first, at most AUDIT_KEPT: counts of groups of facts (factgroups.h). */
    Predictors counts;
} RoleAudit;

enum { AUDIT_KEPT = 10 };
/* Predictors above this fitness are leaks (untuned). */
#define AUDIT_LEAK 95.0

typedef struct {
    RoleAudit *roles;
    uint32_t role_count;
    size_t rows, distinct_rows;
    uint32_t facts, constant_facts; /* constant_facts: those that are the same in all rows */
} Audit;

void audit_create(const DataSet *set, Audit *audit);
void audit_free(Audit *audit);
