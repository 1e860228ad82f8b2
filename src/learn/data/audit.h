/* What trivial predictors reach on a data set: a constant, one fact, one count, the difference of
 * two counts. A learner that does not beat them has learnt nothing, and a fact that alone tells the
 * score of finished games, such as whose turn it is, is a leak: it will not help before the end. */
#pragma once

#include "learn/data/dataset.h"

typedef struct {
    char *text;     /* the fact; or "count of ..."; or "count of ... less ..." */
    double fitness; /* 0..100 as (4.3), of the best value for each value of the predictor */
} Predictor;

typedef VECTOR(Predictor) Predictors;

typedef struct {
    double constant;   /* fitness of the best constant */
    Predictors facts;  /* best first, at most AUDIT_KEPT */
    Predictors counts; /* likewise: of facts that share a relation and one argument */
} RoleAudit;

enum { AUDIT_KEPT = 10 };
/* Predictors above this fitness are leaks. */
#define AUDIT_LEAK 95.0

typedef struct {
    RoleAudit *roles;
    uint32_t role_count;
    size_t rows, distinct_rows;
    uint32_t facts, constant_facts; /* constant: the same in all rows */
} Audit;

void audit_make(const DataSet *set, Audit *audit);
void audit_free(Audit *audit);
