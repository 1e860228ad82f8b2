/* Ground rules in a canonical form that treats symmetric things alike. Constants are inserted.
 * Tautologies, duplicates and subsumed rules are dropped. Atoms that only rename others are
 * replaced, conjunctions are expanded where they are used, and equal atoms are merged. Atoms that
 * no output needs are marked. Descriptions that differ only in this have one canonical form. */
#pragma once

#include "analysis/certainty.h"
#include "circuit/ternary.h"

/* A literal of the canonical form is a ground literal or one of these two values. */
#define CANONICAL_FALSE (UINT32_MAX - 1)
#define CANONICAL_TRUE UINT32_MAX

typedef struct {
    U32Vector literals; /* ascending, without duplicates */
    bool is_dropped;
} CanonicalRule;

typedef struct {
    const Grounding *grounding;  /* not owned */
    VECTOR(CanonicalRule) rules; /* in the order of the grounding */
    uint32_t *rule_starts;       /* by atom: its first rule in rule_order, dropped ones too */
    uint32_t *rule_order;
    GroundLiteral *values;  /* by atom: the literal that replaces it; itself if it stays */
    uint32_t *conjunctions; /* by atom: its only rule, which replaces it, or UINT32_MAX */
    uint8_t *is_output;     /* by atom: it is an output, which keeps its rules whatever its value */
    uint8_t *is_needed;     /* by atom: it is an output, or some output depends on it */
} CanonicalRules;

/* Computes the canonical form. `constants` is by fluent. NULL if the budget ran out. */
CanonicalRules *canonical_rules_create(const Grounding *grounding, const Ternary *constants,
                                       CpuBudget budget);
void canonical_rules_free(CanonicalRules *rules);

/* Returns the literal that replaces the given one; itself if it stays. */
GroundLiteral canonical_rules_value(const CanonicalRules *rules, GroundLiteral literal);
