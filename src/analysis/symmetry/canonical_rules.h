/* Ground rules in a canonical form that treats symmetric things alike. Constants are inserted.
 * Tautologies, duplicates and subsumed rules are dropped. Atoms that only rename others are
 * replaced, conjunctions are expanded where they are used, and equal atoms are merged. Atoms that
 * no output needs are marked. Two descriptions that differ only in these respects have the same
 * canonical form, up to names. */
#pragma once

#include "analysis/certainty.h"
#include "circuit/ternary.h"

/* A literal of the canonical form is a ground literal or one of these. */
#define CANONICAL_FALSE (UINT32_MAX - 1)
#define CANONICAL_TRUE UINT32_MAX

typedef struct {
    U32Vector literals; /* ascending, each once */
    bool is_dropped;
} CanonicalRule;

typedef struct {
    const Grounding *grounding;  /* not owned */
    VECTOR(CanonicalRule) rules; /* in the order of the grounding */
    uint32_t *rule_starts; /* rules of atom a: rule_order[rule_starts[a]] ..., dropped ones too */
    uint32_t *rule_order;
    GroundLiteral *values;  /* by atom: what it is replaced by; itself if it stays */
    uint32_t *conjunctions; /* by atom: its only rule, which replaces it; UINT32_MAX for none */
    uint8_t *is_output;     /* by atom: it keeps its rules whatever its value */
    uint8_t *is_needed;     /* by atom: some output depends on it, or it is one */
} CanonicalRules;

/* `constants` has the value of each fluent (ternary_reachable). NULL if the budget is spent. */
CanonicalRules *canonical_rules_create(const Grounding *grounding, const Ternary *constants,
                                       CpuBudget budget);
void canonical_rules_free(CanonicalRules *rules);

/* What the literal is replaced by. */
GroundLiteral canonical_rules_value(const CanonicalRules *rules, GroundLiteral literal);
