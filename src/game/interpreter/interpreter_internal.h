/* Shared by the files of the interpreter: relations and their sizes, compiled plans, the
 * components of the rules in order of evaluation, and the memory of one thread. */
#pragma once

#include "base/tuples.h"
#include "game/interpreter/interpreter.h"
#include "game/interpreter/interpreter_store.h"
#include "gdl/predicates.h"

#define STEP_NONE UINT32_MAX
#define INTERPRETER_RELATION_NONE UINT32_MAX

/* How to treat a column of a row, or an argument of a term, that is not in the key: bind a
 * register, compare with a register, or match a pattern. */
typedef enum { ACTION_BIND, ACTION_CHECK, ACTION_MATCH } ColumnActionKind;

typedef struct {
    uint16_t kind, column;
    uint32_t target; /* a register; for ACTION_MATCH a pattern */
} ColumnAction;

typedef VECTOR(ColumnAction) ColumnActions;

/* A term that contains variables. */
typedef struct {
    Symbol symbol;
    uint32_t arity;
    uint32_t first_action, action_count;
} TermPattern;

typedef enum {
    STEP_SCAN,     /* loop over all rows */
    STEP_PROBE,    /* loop over the rows with a key */
    STEP_TEST,     /* a row must exist */
    STEP_ABSENT,   /* no row may match */
    STEP_DISTINCT, /* two registers must differ */
    STEP_BUILD,    /* store a term in a register */
    STEP_KNOWN,    /* the conclusion must be new */
    STEP_EMIT,     /* add the conclusion */
} StepKind;

/* When a step fails, the run goes back to the step `back`, a scan or probe, and tries its next row.
 * A scan or probe that finds no row at all goes to `back_if_empty`, because other rows of the steps
 * in between would not help. */
typedef struct {
    StepKind kind;
    uint32_t relation, index;
    uint32_t first_operand, operand_count; /* registers: the key, the row, the arguments */
    uint32_t first_action, action_count;
    uint32_t target; /* STEP_BUILD: the register that receives the term */
    Symbol symbol;
    uint32_t back, back_if_empty;
} Step;

typedef struct {
    uint32_t relation, index;
} IndexUse;

/* A compiled clause, with its premises in the order of evaluation. */
typedef struct {
    uint32_t first_step, step_count;
    uint32_t head;  /* relation of the conclusion */
    uint32_t delta; /* relation whose newest rows the first step scans; INTERPRETER_RELATION_NONE:
                       all rows */
    uint32_t first_use, use_count;
} Plan;

typedef struct {
    VECTOR(Step) steps;
    U32Vector operands;
    ColumnActions actions;
    VECTOR(TermPattern) patterns;
    VECTOR(IndexUse) uses; /* indexes to bring up to date before a run */
    VECTOR(Plan) plans;
    U32Vector registers; /* initial values; constants have registers too */
    Table constants;     /* register by value */
    uint32_t longest;    /* steps of the longest plan */
    uint32_t widest;     /* operands of the widest step */
} Program;

typedef enum { DEPENDS_ON_NOTHING, DEPENDS_ON_STATE, DEPENDS_ON_MOVES } Dependence;

typedef struct {
    uint32_t arity;
    Dependence depends;
    double rows;      /* number of rows, known or typical */
    double *distinct; /* by column: number of different values, known or typical */
    TupleSet content; /* the rows if static; else an empty model with the indexes to keep */
} InterpretedRelation;

/* Clauses evaluated together. */
typedef struct {
    uint32_t first_plan, plan_count; /* plans of clauses that do not depend on the layer */
    uint32_t first_recursive, recursive_count; /* one per premise that the layer concludes */
} Layer;

/* Predicates that depend on one another. Usually one layer; more if an inner negation is harmless
 * because it is about other facts, as in (<= (goal r 100) (not (goal r 0))). */
typedef struct {
    Dependence depends;
    bool needed;
    bool has_inner_negation;
    bool was_sampled;  /* evaluated in the sample match */
    U32Vector members; /* relations, which are predicates */
    VECTOR(Layer) layers;
} Component;

typedef enum {
    ANSWER_ROLE,
    ANSWER_INIT,
    ANSWER_LEGAL,
    ANSWER_TERMINAL,
    ANSWER_GOAL,
    ANSWER_NEXT,
    ANSWER_SEES,
    ANSWER_COUNT
} Answer;

struct Interpreter {
    const Rules *rules; /* the caller's, or our own rewritten ones */
    Rules *rewritten;   /* owned; NULL if the rules are used as they are */
    Predicates predicates;
    VECTOR(InterpretedRelation) relations; /* predicates first, then the flat ones */
    /* The fluents or moves with one functor: (true (cell ?x ?y)) is a row x y of a relation of its
     * own, so that arguments can be indexed. */
    TupleSet flats;           /* keyword, symbol, arity */
    U32Vector flat_relations; /* by flat */
    uint32_t whole_true,
        whole_does; /* relations of (true ?x), (does ?r ?m) or INTERPRETER_RELATION_NONE */
    VECTOR(Component) components;
    U32Vector cones[ANSWER_COUNT];  /* components to evaluate, in order; static ones left out */
    uint32_t answers[ANSWER_COUNT]; /* relations; INTERPRETER_RELATION_NONE if no rule concludes the
                                       answer */
    Program program;
    TermStore store;
    U32Vector roles;
    InterpreterLimits limits;
    double cost; /* rows visited per move of the sample match; infinite if it exceeded the limit */
};

#define FLAT_UNKNOWN (INTERPRETER_RELATION_NONE - 1)

struct InterpreterWork {
    Interpreter *interpreter;
    const Program *program;
    TupleSet *own;        /* by relation; unused for static ones */
    TupleSet **relations; /* by relation */
    Value *registers;
    uint32_t *cursors, *ends; /* by step of the running plan */
    Value *row;               /* scratch: a row or a list of arguments */
    Table mirror;
    NumberSet state;
    U32Vector moves;
    U32Vector flat_of_fluent, flat_of_move; /* by number: its flat relation, or FLAT_UNKNOWN */
    bool state_known, moves_known;
    uint64_t epoch, state_epoch, moves_epoch;
    uint64_t *evaluated; /* by component: epoch of its last evaluation */
    uint64_t facts, visits;
    uint64_t next_look; /* visits at which the run looks whether it has to end */
    InterpreterLimits limits;
    bool failed;
};

/* interpreter_plan.c */
void program_free(Program *program);
/* Adds the plan of a clause. With a literal number, the plan starts from the newest rows of that
 * literal. False with an error in the report if a variable is bound by no premise. */
#define LITERAL_NONE UINT32_MAX
bool plan_clause(Interpreter *interpreter, Program *program, uint32_t clause,
                 uint32_t delta_literal, Report *report);
/* The relation of an atom of the rules. Appends the terms of its columns. */
uint32_t atom_relation(const Interpreter *interpreter, Term atom, U32Vector *columns);
uint32_t flat_relation(const Interpreter *interpreter, Keyword keyword, Symbol symbol,
                       uint32_t arity);
Value value_of_term(Interpreter *interpreter, const Terms *terms, Term term);

/* interpreter_layers.c */
bool plan_component(Interpreter *interpreter, Program *program, uint32_t component, Report *report);

/* interpreter_run.c */
void evaluate_component(InterpreterWork *work, uint32_t number);

/* interpreter_work.c */
InterpreterWork *work_create(Interpreter *interpreter, const Program *program, bool is_static);
