/* Evaluates one clause: finds every match of its premises by nested index look-ups. A clause is
 * compiled once, and its variables become slots. The order of its premises is planned from the
 * sizes of the relations, again for every round and delta. */
#pragma once

#include "ground/flat.h"
#include "ground/relation.h"

/* A column of a premise or head: a ground term, a slot, or a compound with slots inside. */
typedef struct {
    enum { PATTERN_TERM, PATTERN_SLOT, PATTERN_COMPOUND } kind;
    uint32_t value;    /* term, slot, or functor symbol */
    uint32_t arity;    /* arguments of a compound */
    uint32_t children; /* index of its first argument in the clause's list of patterns */
} Pattern;

typedef struct {
    LiteralKind kind;
    RelationId relation;
    uint32_t first_pattern, arity;
    bool is_delta;   /* its relation grows while this clause is evaluated */
    bool is_dynamic; /* it becomes a literal of the ground rule, because it can change */
} JoinPremise;

typedef struct {
    RelationId head;
    uint32_t head_patterns;
    uint32_t slot_count;
    VECTOR(Pattern) patterns;
    VECTOR(JoinPremise) premises;
} JoinClause;

typedef struct {
    Terms *terms;
    GroundRelations *relations; /* by RelationId */
    /* Polled even while nothing matches. False stops the evaluation. May be NULL. */
    bool (*may_go_on)(void *context);
} JoinData;

/* One match: the value of every slot, and the tuple that each positive premise matched (by premise
 * number). A visitor returns false to stop the evaluation. */
typedef struct {
    const Term *slots;
    const uint32_t *tuples;
} JoinMatch;
typedef bool (*JoinVisitor)(void *context, const JoinClause *clause, const JoinMatch *match);

/* `grows` has one flag per relation: true if it may grow during the evaluation. */
JoinClause join_compile(const FlatProgram *program, const ProgramClause *source, const bool *grows);
void join_clause_free(JoinClause *clause);

/* Visits all matches in which the tuple of premise `delta` is in the delta of its relation
 * (JOIN_NO_DELTA: all matches). Growing premises before it use only old tuples, those after it old
 * and new ones. False if a visitor stopped the evaluation. */
#define JOIN_NO_DELTA UINT32_MAX
bool join_run(const JoinClause *clause, uint32_t delta, JoinData *data, JoinVisitor visit,
              void *context);

/* Returns the ground term of a pattern with these slots. Without `create`, TERM_NONE if new. */
Term join_instantiate(const JoinClause *clause, const Pattern *pattern, Terms *terms,
                      const Term *slots, bool create);
