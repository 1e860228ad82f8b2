/* The interpreter: a reasoner that works on the rules as they are written, without grounding them.
 * Predicates are evaluated bottom-up, stratum by stratum, over indexed relations; what no move can
 * change is evaluated once, when the interpreter is created. It needs milliseconds to start, plays
 * what cannot be grounded, and is the independent witness the circuit is tested against. */
#pragma once

#include "base/text.h"
#include "gdl/rules.h"

/* An Interpreter is shared by all threads; each thread asks through an InterpreterWork of its own,
 * which caches what it derived for the state it was asked about last. States are sorted sets of
 * fluent numbers, and moves are numbers as well. Both are assigned at first use; their texts are
 * made on demand. With one thread the numbers are the same in every run. */

typedef struct Interpreter Interpreter;
typedef struct InterpreterWork InterpreterWork;

/* Numbers in ascending order, each once. */
typedef U32Vector NumberSet;

#define INTERPRETER_NONE UINT32_MAX
enum { GOAL_NONE = -1, GOAL_SEVERAL = -2 };

/* NULL and an error in the report if the rules cannot be evaluated: a conclusion with a variable
 * that nothing binds, negation through recursion, or static rules that never stop deriving. The
 * rules must outlive the interpreter. */
Interpreter *interpreter_create(const Rules *rules, Report *report);
void interpreter_free(Interpreter *interpreter);
InterpreterWork *interpreter_work(Interpreter *interpreter);
void interpreter_work_free(InterpreterWork *work);

/* An evaluation that derives more facts or visits more rows than this gives up. */
typedef struct {
    uint64_t facts, visits;
} InterpreterLimits;

extern const InterpreterLimits interpreter_default_limits;
void interpreter_set_limits(InterpreterWork *work, InterpreterLimits limits);
/* True if the last question ran into a limit; its answer was then incomplete. */
bool interpreter_failed(const InterpreterWork *work);

/* Roles in order of declaration. */
uint32_t interpreter_role_count(const Interpreter *interpreter);
void interpreter_role_text(const Interpreter *interpreter, uint32_t role, Text *out);

/* Answers replace the contents of the set. A game without `init` starts from the empty state. */
void interpreter_initial(InterpreterWork *work, NumberSet *state);
bool interpreter_is_terminal(InterpreterWork *work, const NumberSet *state);
void interpreter_legal(InterpreterWork *work, const NumberSet *state, uint32_t role,
                       NumberSet *moves);
void interpreter_next(InterpreterWork *work, const NumberSet *state, const uint32_t *moves_by_role,
                      NumberSet *next);
/* The value, or GOAL_NONE, or GOAL_SEVERAL if the rules give different ones. */
int interpreter_goal(InterpreterWork *work, const NumberSet *state, uint32_t role);
/* The percepts of the role when the moves are made, as numbers. */
void interpreter_sees(InterpreterWork *work, const NumberSet *state, const uint32_t *moves_by_role,
                      uint32_t role, NumberSet *percepts);

/* Appends the text in lower case with single blanks. */
void interpreter_fluent_text(const Interpreter *interpreter, uint32_t fluent, Text *out);
void interpreter_move_text(const Interpreter *interpreter, uint32_t move, Text *out);
void interpreter_percept_text(const Interpreter *interpreter, uint32_t percept, Text *out);
/* The number of a fluent or move written in prefix notation, in any case; INTERPRETER_NONE if the
 * text is no ground term made of the description's words. */
uint32_t interpreter_find_fluent(Interpreter *interpreter, const char *text, size_t length);
uint32_t interpreter_find_move(Interpreter *interpreter, const char *text, size_t length);
/* The number of fluents or moves met so far; all their numbers are below it. */
uint32_t interpreter_fluent_count(Interpreter *interpreter);
uint32_t interpreter_move_count(Interpreter *interpreter);

/* Visits the rows of all relations of this arity, at most INTERPRETER_VISITED_ARITY, that no move
 * can change and that some answer needs. Relations with more rows than `max_rows` are left out. */
enum { INTERPRETER_VISITED_ARITY = 8 };
typedef void StaticRowVisitor(void *context, uint32_t relation, const char *const *texts);
void interpreter_visit_static_rows(const Interpreter *interpreter, uint32_t arity,
                                   uint32_t max_rows, StaticRowVisitor *visit, void *context);
