/* Stochastic constraint networks (Walsh 2002), with several players and conditional tables (Koriche
 * and others 2016). Variables are ordered as they get their values. A stochastic variable is drawn;
 * any other is chosen by the role that owns it or follows from the constraints. Hard
 * constraints must be satisfied; soft constraints pay amounts to roles. A policy that violates a
 * hard constraint on one branch is infeasible. Uniform draws are an exception: they draw among the
 * values that the constraints leave. */
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
    VARIABLE_NEXT, /* a group of fluents in the next state; only in the network of a single turn */
    VARIABLE_PERCEPT
} VariableKind;

typedef struct {
    VariableKind kind;
    uint32_t role;           /* the role that acts or scores; SCSP_NONE for other kinds */
    uint32_t index_in_kind;  /* index within its kind, such as that of a group, score or percept */
    uint32_t turn;           /* number of the turn, from 0 on */
    uint32_t size;           /* values are 0 .. size - 1 */
    const uint64_t *allowed; /* bitset of possible values; NULL if all are possible */
    bool is_stochastic;
    bool is_uniform; /* stochastic, and all values that the constraints leave are equally likely */
} ScspVariable;

/* The rules that a constraint comes from. Hard constraints have three forms:
 *   tables     list the allowed rows; a row may leave a column open (VALUE_ANY)
 *   clauses    require one of their literals `x is v` or `x is not v`
 *   functions  are recursive rules: given the inputs, their least fixpoint is the output */
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
    uint16_t *values; /* by row and column */
    /* By column: index of its first value in `supports`; one more entry for the end. */
    uint32_t *first_column;
    /* By column and value: bitset of the rows that allow it, word_count words each. */
    uint64_t *supports;
} TableRows;

typedef struct {
    ConstraintKind kind;
    /* Index into Scsp.scopes of its first variable; one variable per column. */
    uint32_t first_scope;
    const TableRows *rows;
} ScspTable;

typedef struct {
    uint32_t variable;
    uint16_t value;
    bool is_equal;
} ScspLiteral;

typedef struct {
    ConstraintKind kind;
    uint32_t first, count; /* range of its literals in Scsp.literals */
} ScspClause;

/* A premise of a function's rule: an input and its value, or an output that must be true. */
typedef struct {
    uint32_t index;
    uint16_t value;
    bool is_equal, is_output;
} FunctionLiteral;

typedef struct {
    uint32_t head; /* index of an output */
    uint32_t first, count;
} FunctionRule;

typedef struct {
    uint32_t input_count, output_count;
    VECTOR(FunctionRule) rules;
    VECTOR(FunctionLiteral) literals;
} FunctionRules;

typedef struct {
    /* Index into Scsp.scopes: inputs, then outputs, whose values are 0 and 1. */
    uint32_t first_scope;
    uint32_t guard; /* the function is evaluated only if this variable is 0; SCSP_NONE for always */
    const FunctionRules *rules;
} ScspFunction;

typedef struct {
    uint32_t first_scope;
    const TableRows *rows;
    const int32_t *amounts; /* by row, in units of 1 / Scsp.unit */
    uint32_t player;
} ScspSoft;

/* The probabilities of the values of a stochastic variable, given the values of its parents. */
typedef struct {
    uint32_t variable;
    uint32_t first_scope, parent_count;
    /* By combination of the parents' values, then by value: relative probability. */
    const uint32_t *weights;
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
    Arena arena;                            /* owns rows, amounts, weights and allowed values */
    uint32_t player_count;
    uint32_t unit;       /* amount that stands for a value of 1 */
    int32_t least, most; /* bounds of the sum of all amounts of a player */
    bool is_cut_short;   /* an interrupt ended its making: constraints are missing */
} Scsp;

/* For those who make a network: false once an interrupt or the end of the time cuts it short. */
bool scsp_goes_on(Scsp *network);

void scsp_free(Scsp *network);

uint32_t scsp_add_variable(Scsp *network, ScspVariable variable);
/* Copies rows of values. `sizes` has the number of values of each column. */
TableRows *scsp_make_rows(Scsp *network, const uint16_t *values, uint32_t count,
                          const uint32_t *sizes, uint32_t arity);
void scsp_add_table(Scsp *network, ConstraintKind kind, const uint32_t *scope,
                    const TableRows *rows);
/* Makes rows whose columns have the sizes of the variables, and adds them as a table. */
void scsp_add_rows(Scsp *network, ConstraintKind kind, const uint32_t *scope, uint32_t arity,
                   const uint16_t *values, uint32_t count);
void scsp_add_clause(Scsp *network, ConstraintKind kind, const ScspLiteral *literals,
                     uint32_t count);
void scsp_add_function(Scsp *network, const uint32_t *scope, uint32_t guard,
                       const FunctionRules *rules);
/* Adds a soft constraint. It pays the amount of the first matching row; 0 if no row matches. */
void scsp_add_soft(Scsp *network, const uint32_t *scope, const TableRows *rows,
                   const int32_t *amounts, uint32_t player);
/* Adds weights of the variable's values for each combination of the parents' values; the last
 * parent varies fastest. All parents must come before the variable. */
void scsp_add_chances(Scsp *network, uint32_t variable, const uint32_t *parents,
                      uint32_t parent_count, const uint32_t *weights);
/* Returns NULL if the variable has no weights. */
const ScspChances *scsp_chances_of(const Scsp *network, uint32_t variable);

static inline const uint32_t *scsp_scope(const Scsp *network, uint32_t first) {
    return network->scopes.items + first;
}

static inline ScspLiteral scsp_literal(uint32_t variable, uint32_t value, bool is_equal) {
    assert(value < VALUE_ANY);
    return (ScspLiteral){variable, (uint16_t)value, is_equal};
}

/* Steps to the next combination of values of the columns from `first` on; the last column varies
 * fastest. After the last combination it returns false, and all columns are 0 again. */
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

/* Returns the number of rows after expanding open columns; `sizes` are those of the columns. */
double scsp_row_count(const TableRows *rows, const uint32_t *sizes);
const char *constraint_kind_name(ConstraintKind kind);
