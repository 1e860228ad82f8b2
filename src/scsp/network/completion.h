/* The completion of the rules that conclude one variable, as constraints of a network: a table over
 * all variables they speak of where that is small, else clauses (Tseitin 1970) with a variable for
 * every body that has several premises and alternatives. Neither depends on an order of rules or
 * premises, so that symmetric rules give symmetric constraints. */
#pragma once

#include "scsp/network/constraint_network.h"

typedef struct {
    uint16_t value; /* that the rule gives to the head */
    uint32_t first, count;
} CompletionRule;

/* Fill it by completion_rule and completion_premise; reuse it after completion_clear. */
typedef struct {
    uint32_t head;
    ConstraintKind kind;
    bool is_choice; /* the head may take any value that a rule gives; else the one, or 0 */
    VECTOR(CompletionRule) rules;
    VECTOR(ScspLiteral) literals;
} Completion;

typedef struct {
    uint32_t most_variables, most_rows; /* of a table */
} CompletionLimits;

void completion_clear(Completion *completion, uint32_t head, ConstraintKind kind, bool is_choice);
void completion_free(Completion *completion);
void completion_rule(Completion *completion, uint32_t value);
/* A premise of the rule added last. */
void completion_premise(Completion *completion, ScspLiteral literal);
/* Adds the constraints, and variables for bodies as needed: their `thing` counts from
 * *body_count. */
void completion_add(Completion *completion, Scsp *network, const CompletionLimits *limits,
                    uint32_t *body_count);
