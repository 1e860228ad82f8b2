/* Ground rules in a normal form that treats symmetric things alike: constants put in, tautologies,
 * duplicates and subsumed rules dropped, atoms that only rename others replaced, conjunctions put
 * in where they are used, equal atoms merged, and what no output needs left out. So two
 * descriptions that differ in such noise alone have the same normal form, up to names. */
#pragma once

#include "analysis/certainty.h"
#include "circuit/ternary.h"

/* A literal of the normal form: a ground literal, or one of these. */
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
    uint32_t *conjunctions; /* by atom: its only rule, to be put in for it; UINT32_MAX if none is */
    uint8_t *is_output;     /* by atom: keeps its rules whatever its value */
    uint8_t *is_needed;     /* by atom: an output, or reached from one */
} CanonicalRules;

/* `constants` has one value a fluent (ternary_reachable). NULL when the budget is spent. */
CanonicalRules *canonical_rules_create(const Grounding *grounding, const Ternary *constants,
                                       CpuBudget budget);
void canonical_rules_free(CanonicalRules *normal);

/* What the literal stands for. */
GroundLiteral canonical_rules_value(const CanonicalRules *normal, GroundLiteral literal);
