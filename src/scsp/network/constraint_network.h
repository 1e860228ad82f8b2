/* Stochastic constraint networks (Walsh 2002; several players and conditional tables as in Koriche
 * and others 2016). Variables stand in the order in which they get their values. A stochastic one
 * is drawn, the others are chosen by the role that owns them or follow from the constraints.
 *
 * Hard constraints say what is possible, in three forms:
 *   tables     the rows that are allowed; a row may leave a column open (VALUE_ANY)
 *   clauses    one of the literals `x is v` or `x is not v` holds
 *   functions  rules with recursion: when the inputs are known, the least fixpoint gives the
 * outputs Soft ones pay amounts to roles. A violated hard constraint on one branch makes a whole
 * policy worthless, but for the support of a uniform draw, which is what the constraints leave of
 * it. */
#pragma once

#include <stdbool.h>

#include "base/text.h"

#define VALUE_ANY UINT16_MAX
#define SCSP_NONE UINT32_MAX

typedef enum {
    VARIABLE_FLUENT,    /* a group of fluents that exclude each other, now */
    VARIABLE_AUXILIARY, /* a derived atom, or the body of a rule */
    VARIABLE_TERMINAL,
    VARIABLE_SCORE, /* the goal of a role */
    VARIABLE_ACTION,
    VARIABLE_CHANCE,
    VARIABLE_NEXT, /* the group after the moves; only in the network of a single turn */
    VARIABLE_PERCEPT
} VariableKind;

typedef struct {
    VariableKind kind;
    uint32_t role;           /* who acts or scores; SCSP_NONE otherwise */
    uint32_t thing;          /* which one of its kind */
    uint32_t level;          /* turn */
    uint32_t size;           /* values are 0 .. size - 1 */
    const uint64_t *allowed; /* bitset of them; NULL: all */
    bool is_stochastic;
    bool is_uniform; /* of a stochastic one: what the constraints leave is equally likely */
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

/* The rows of a table, shared by the turns in which it is used. */
typedef struct {
    uint32_t arity, count, word_count;
    uint16_t *values;       /* row after row */
    uint32_t *first_column; /* by column: its first value in `supports`; the number of all at the
                               end */
    uint64_t *supports;     /* by column and value: the rows that have it, word_count words each */
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

/* A premise of a rule of a function: an input with a value, or an output that must hold. */
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
    uint32_t guard;       /* evaluated only where this variable is 0; SCSP_NONE: always */
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
    VECTOR(TableRows *) all_rows;           /* owned */
    VECTOR(FunctionRules *) function_rules; /* owned */
    VECTOR(int32_t *) amounts;              /* owned */
    VECTOR(uint32_t *) weights;             /* owned */
    VECTOR(uint64_t *) allowed;             /* owned */
    uint32_t player_count;
    uint32_t unit;       /* amounts are so many parts of 1 */
    int32_t least, most; /* bounds of what a player may be paid in all; as amounts */
} Scsp;

void scsp_free(Scsp *network);

uint32_t scsp_add_variable(Scsp *network, ScspVariable variable);
/* Takes copies of rows of values; `sizes` has the number of values of each column. */
TableRows *scsp_make_rows(Scsp *network, const uint16_t *values, uint32_t count,
                          const uint32_t *sizes, uint32_t arity);
void scsp_add_table(Scsp *network, ConstraintKind kind, const uint32_t *scope,
                    const TableRows *rows);
void scsp_add_clause(Scsp *network, ConstraintKind kind, const ScspLiteral *literals,
                     uint32_t count);
void scsp_add_function(Scsp *network, const uint32_t *scope, uint32_t guard,
                       const FunctionRules *rules);
/* Rows with their amounts; the amount is 0 where no row fits. */
void scsp_add_soft(Scsp *network, const uint32_t *scope, const TableRows *rows,
                   const int32_t *amounts, uint32_t player);
/* Weights of the variable's values for each combination of the parents' values, the last parent
 * fastest. */
void scsp_add_chances(Scsp *network, uint32_t variable, const uint32_t *parents,
                      uint32_t parent_count, const uint32_t *weights);
const ScspChances *scsp_chances_of(const Scsp *network, uint32_t variable);

static inline const uint32_t *scsp_scope(const Scsp *network, uint32_t first) {
    return network->scopes.items + first;
}

/* From the start the variable has only these values, of which a copy is taken. */
void scsp_allow(Scsp *network, uint32_t variable, const uint64_t *values);

/* The number of rows a table really has, open columns counted out. */
double scsp_row_count(const Scsp *network, const ScspTable *table);
const char *constraint_kind_name(ConstraintKind kind);
