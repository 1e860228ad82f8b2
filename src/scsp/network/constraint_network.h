/* Stochastic constraint networks (Walsh 2002), with several players and conditional tables (Koriche
 * and others 2016). Variables are ordered as they get their values. A stochastic variable is drawn;
 * any other is chosen by the role that owns it or follows from the constraints.
 *
 * Hard constraints have three forms:
 *   tables     list the allowed rows; a row may leave a column open (VALUE_ANY)
 *   clauses    require one of their literals `x is v` or `x is not v`
 *   functions  are recursive rules: once the inputs are known, their least fixpoint is the output
 * Soft constraints pay amounts to roles. A policy that violates a hard constraint on one branch is
 * infeasible. Uniform draws are an exception: their support is what the constraints leave. */
#pragma once

#include <assert.h>
#include <stdbool.h>

#include "base/text.h"

#define VALUE_ANY UINT16_MAX
#define SCSP_NONE UINT32_MAX

typedef enum {
    VARIABLE_FLUENT,    /* a group of mutually exclusive fluents, in the current state */
    VARIABLE_AUXILIARY, /* a derived atom, or the body of a rule */
    VARIABLE_TERMINAL,
    VARIABLE_SCORE, /* the goal of a role */
    VARIABLE_ACTION,
    VARIABLE_CHANCE,
    VARIABLE_NEXT, /* such a group in the next state; only in the network of a single turn */
    VARIABLE_PERCEPT
} VariableKind;

typedef struct {
    VariableKind kind;
    uint32_t role;           /* the role that acts or scores; else SCSP_NONE */
    uint32_t thing;          /* number within its kind */
    uint32_t level;          /* turn, from 0 */
    uint32_t size;           /* values are 0 .. size - 1 */
    const uint64_t *allowed; /* bitset of possible values; NULL: all */
    bool is_stochastic;
    bool is_uniform; /* stochastic, and all values that the constraints leave are equally likely */
} ScspVariable;

typedef enum {
    CONSTRAINT_LEGAL,
    CONSTRAINT_NEXT,
    CONSTRAINT_TERMINAL,
    CONSTRAINT_SCORE,
    CONSTRAINT_SEES,
    CONSTRAINT_AUXILIARY,
    CONSTRAINT_NOGOOD,
    CONSTRAINT_OTHER
} ConstraintKind;

/* The rows of a table, shared by all turns. */
typedef struct {
    uint32_t arity, count, word_count;
    uint16_t *values;       /* by row and column */
    uint32_t *first_column; /* by column: its first value in `supports`; one more for the end */
    uint64_t *supports;     /* by column and value: bitset of its rows, word_count words each */
} TableRows;

typedef struct {
    ConstraintKind kind;
    uint32_t first_scope; /* into Scsp.scopes; as many as the rows have columns */
    const TableRows *rows;
} ScspTable;

typedef struct {
    uint32_t variable;
    uint16_t value;
    bool is_equal;
} ScspLiteral;

typedef struct {
    ConstraintKind kind;
    uint32_t first, count; /* into Scsp.literals */
} ScspClause;

/* A premise of a rule of a function: an input and its value, or an output that must be true. */
typedef struct {
    uint32_t index;
    uint16_t value;
    bool is_equal, is_output;
} FunctionLiteral;

typedef struct {
    uint32_t head; /* an output */
    uint32_t first, count;
} FunctionRule;

typedef struct {
    uint32_t input_count, output_count;
    VECTOR(FunctionRule) rules;
    VECTOR(FunctionLiteral) literals;
} FunctionRules;

typedef struct {
    uint32_t first_scope; /* inputs, then outputs, whose values are 0 and 1 */
    uint32_t guard;       /* evaluated only if this variable is 0; SCSP_NONE: always */
    const FunctionRules *rules;
} ScspFunction;

typedef struct {
    uint32_t first_scope;
    const TableRows *rows;
    const int32_t *amounts; /* by row, in units of 1 / Scsp.unit */
    uint32_t player;
} ScspSoft;

/* How likely the values of a stochastic variable are, given earlier ones. */
typedef struct {
    uint32_t variable;
    uint32_t first_scope, parent_count;
    const uint32_t *weights; /* a row of them for each combination of the parents' values */
} ScspChances;

typedef struct {
    VECTOR(ScspVariable) variables;
    U32Vector scopes;
    VECTOR(ScspTable) tables;
    VECTOR(ScspClause) clauses;
    VECTOR(ScspLiteral) literals;
    VECTOR(ScspFunction) functions;
    VECTOR(ScspSoft) softs;
    VECTOR(ScspChances) chances;
    VECTOR(FunctionRules *) function_rules; /* owned */
    Arena arena;                            /* rows, amounts, weights and allowed values */
    uint32_t player_count;
    uint32_t unit;       /* an amount of `unit` is a value of 1 */
    int32_t least, most; /* bounds of the total amount of a player */
} Scsp;

void scsp_free(Scsp *network);

uint32_t scsp_add_variable(Scsp *network, ScspVariable variable);
/* Copies rows of values; `sizes` has the number of values of each column. */
TableRows *scsp_make_rows(Scsp *network, const uint16_t *values, uint32_t count,
                          const uint32_t *sizes, uint32_t arity);
void scsp_add_table(Scsp *network, ConstraintKind kind, const uint32_t *scope,
                    const TableRows *rows);
/* Makes rows whose columns have the sizes of the variables, and adds the table. */
void scsp_add_rows(Scsp *network, ConstraintKind kind, const uint32_t *scope, uint32_t arity,
                   const uint16_t *values, uint32_t count);
void scsp_add_clause(Scsp *network, ConstraintKind kind, const ScspLiteral *literals,
                     uint32_t count);
void scsp_add_function(Scsp *network, const uint32_t *scope, uint32_t guard,
                       const FunctionRules *rules);
/* Pays the amount of the first row that fits; 0 if none does. */
void scsp_add_soft(Scsp *network, const uint32_t *scope, const TableRows *rows,
                   const int32_t *amounts, uint32_t player);
/* Weights of the variable's values for each combination of the parents' values; the last parent
 * varies fastest. All parents come before the variable. */
void scsp_add_chances(Scsp *network, uint32_t variable, const uint32_t *parents,
                      uint32_t parent_count, const uint32_t *weights);
/* NULL if the variable has none. */
const ScspChances *scsp_chances_of(const Scsp *network, uint32_t variable);

static inline const uint32_t *scsp_scope(const Scsp *network, uint32_t first) {
    return network->scopes.items + first;
}

static inline ScspLiteral scsp_literal(uint32_t variable, uint32_t value, bool is_equal) {
    assert(value < VALUE_ANY);
    return (ScspLiteral){variable, (uint16_t)value, is_equal};
}

/* Steps to the next combination of values of the columns from `first` on, the last one fastest;
 * false after the last combination, when all of them are 0 again. */
static inline bool scsp_next_row(uint16_t *row, const uint32_t *sizes, uint32_t first,
                                 uint32_t arity) {
    for (uint32_t k = arity; k-- > first;) {
        if (++row[k] < sizes[k])
            return true;
        row[k] = 0;
    }
    return false;
}

/* Restricts the variable to a bitset of values, which is copied. */
void scsp_allow(Scsp *network, uint32_t variable, const uint64_t *values);

/* The number of rows of a table after expanding open columns. */
double scsp_row_count(const Scsp *network, const ScspTable *table);
const char *constraint_kind_name(ConstraintKind kind);
