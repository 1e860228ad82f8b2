/* The completion (Clark 1978) of the rules for one variable, as constraints of a network: a table
 * over all variables of the rules if it is small, else clauses (Tseitin 1970) with a new variable
 * for each body that has several premises and alternatives. The order of rules and premises does
 * not matter, so that symmetric rules give symmetric constraints. */
#pragma once

#include "scsp/network/constraint_network.h"

typedef struct {
    uint16_t value; /* value that the rule gives to the head */
    uint32_t first, count;
} CompletionRule;

/* Rules for one variable, the head, filled by completion_rule and completion_premise. */
typedef struct {
    uint32_t head;
    ConstraintKind kind;
    /* True: the head may take any value of a rule that fires. False: it takes the only such value,
     * or 0. */
    bool is_choice;
    VECTOR(CompletionRule) rules;
    VECTOR(ScspLiteral) literals;
} Completion;

typedef struct {
    uint32_t max_variables, max_rows; /* greatest numbers of variables and rows of a table */
} CompletionLimits;

/* Adds a variable to the columns, ascending after the head; false if there are `most` already. */
bool scope_add(uint32_t *scope, uint32_t *arity, uint32_t most, uint32_t variable);
/* Returns the column of a variable, which must be there behind the head. */
uint32_t scope_column(const uint32_t *scope, uint32_t arity, uint32_t variable);

void completion_clear(Completion *completion, uint32_t head, ConstraintKind kind, bool is_choice);
void completion_rule(Completion *completion, uint32_t value);
/* Adds a premise to the last rule. */
void completion_premise(Completion *completion, ScspLiteral literal);
/* Adds the constraints to the network, with variables for bodies where needed. These variables are
 * numbered, in `index_in_kind`, from *body_count on. */
void completion_add(Completion *completion, Scsp *network, const CompletionLimits *limits,
                    uint32_t *body_count);
