/* Shared by the files of the interpreter: relations and their sizes, compiled plans, the
 * components of the rules in order of evaluation, and the memory of one thread. */
#pragma once

#include "base/tuples.h"
#include "game/interpreter/interpreter.h"
#include "game/interpreter/interpreter_store.h"
#include "gdl/predicates.h"

#define STEP_NONE UINT32_MAX
#define RELATION_NONE UINT32_MAX

/* What to do with the columns of a row, or the arguments of a term, that are no part of a key. */
typedef enum { ACTION_BIND, ACTION_CHECK, ACTION_MATCH } ActionKind;

typedef struct {
    uint16_t kind, column;
    uint32_t target; /* a register; for ACTION_MATCH a pattern */
} Action;

typedef VECTOR(Action) Actions;

/* A term with variables in it. */
typedef struct {
    Symbol symbol;
    uint32_t arity;
    uint32_t first_action, action_count;
} Pattern;

typedef enum {
    STEP_SCAN,     /* all rows, one after the other */
    STEP_PROBE,    /* the rows with a key */
    STEP_TEST,     /* one row is there */
    STEP_ABSENT,   /* no row matches */
    STEP_DISTINCT, /* two registers differ */
    STEP_BUILD,    /* a register becomes a term */
    STEP_KNOWN,    /* the conclusion is not there yet */
    STEP_EMIT,     /* add the conclusion */
} StepKind;

/* When a step fails, the run goes back to the step `back`, a scan or probe, and tries its next row.
 * A scan or probe without any row goes to `back_if_empty`: rows of steps between are no remedy. */
typedef struct {
    StepKind kind;
    uint32_t relation, index;
    uint32_t first_operand, operand_count; /* registers: the key, the row, the arguments */
    uint32_t first_action, action_count;
    uint32_t target; /* of STEP_BUILD: the register */
    Symbol symbol;
    uint32_t back, back_if_empty;
} Step;

typedef struct {
    uint32_t relation, index;
} IndexUse;

/* A compiled clause: its premises in a good order. */
typedef struct {
    uint32_t first_step, step_count;
    uint32_t head;  /* relation */
    uint32_t delta; /* relation whose newest rows the first step scans; RELATION_NONE: all rows */
    uint32_t first_use, use_count;
} Plan;

typedef struct {
    VECTOR(Step) steps;
    U32Vector operands;
    Actions actions;
    VECTOR(Pattern) patterns;
    VECTOR(IndexUse) uses; /* indexes to bring up to date before a run */
    VECTOR(Plan) plans;
    U32Vector registers; /* initial values: constants stand in registers too */
    Table constants;     /* register by value */
    uint32_t longest;    /* steps of the longest plan */
    uint32_t widest;     /* operands of the widest step */
} Program;

typedef enum { DEPENDS_ON_NOTHING, DEPENDS_ON_STATE, DEPENDS_ON_MOVES } Dependence;

typedef struct {
    uint32_t arity;
    Dependence depends;
    double rows;      /* known or typical number */
    double *distinct; /* values by column, likewise */
    TupleSet content; /* the rows if static; else an empty model with the indexes to keep */
} InterpretedRelation;

/* Clauses evaluated together. */
typedef struct {
    uint32_t first_plan, plan_count;           /* of clauses that do not use the layer */
    uint32_t first_recursive, recursive_count; /* one plan for each premise out of the layer */
} Layer;

/* Predicates that depend on one another. One layer, as a rule; more if a negation inside is
 * harmless because it speaks about other facts, as in (<= (goal r 100) (not (goal r 0))). */
typedef struct {
    Dependence depends;
    bool needed;
    bool has_inner_negation;
    bool was_sampled;  /* evaluated in the sample match */
    U32Vector members; /* relations, which are predicates */
    VECTOR(Layer) layers;
} Component;

/* A part of `true` or `does` with one functor: (true (cell ?x ?y)) is a row x y of its own
 * relation, so that arguments can be indexed. */
typedef struct {
    Keyword keyword;
    Symbol symbol;
    uint32_t arity, relation;
} Flat;

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
    VECTOR(Flat) flats;
    Table flat_table;
    uint32_t whole_true, whole_does; /* relations of (true ?x), (does ?r ?m) or RELATION_NONE */
    VECTOR(Component) components;
    U32Vector cones[ANSWER_COUNT];  /* components to evaluate, in order; static ones left out */
    uint32_t answers[ANSWER_COUNT]; /* relations, RELATION_NONE if no rule gives one */
    Program program;
    Store store;
    U32Vector roles;
    InterpreterLimits limits;
    double cost; /* rows visited for one move of the sample match, infinite if it was too much */
};

struct InterpreterWork {
    Interpreter *interpreter;
    const Program *program;
    TupleSet *own;        /* by relation; unused for static ones */
    TupleSet **relations; /* by relation */
    Value *registers;
    uint32_t *cursors, *ends; /* by step of the running plan */
    Value *row;               /* one row or list of arguments in the making */
    Table mirror;
    FactSet state;
    U32Vector moves;
    bool state_known, moves_known;
    uint64_t epoch, state_epoch, moves_epoch;
    uint64_t *evaluated; /* by component: the epoch it was evaluated in */
    uint64_t facts, visits;
    InterpreterLimits limits;
    bool failed;
};

/* interpreter_plan.c */
void program_free(Program *program);
/* Adds the plan of a clause; with a literal number, the one that starts from that literal's newest
 * rows. False and an error in the report if a variable is bound by nothing. */
#define LITERAL_NONE UINT32_MAX
bool plan_clause(Interpreter *interpreter, Program *program, uint32_t clause,
                 uint32_t delta_literal, Report *report);
/* The relation of an atom of the rules, its columns appended as terms of the rules. */
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
