/* Every code a diagnostic about a description can carry: its severity, its name and its meaning in
 * one line. This table is the authority; docs/reference/diagnostics.md explains the same list with
 * examples.
 */
#pragma once

#include "base/report.h"

/* clang-format off */
#define CODES(X) \
    /* errors of the readers */ \
    X(UNREADABLE, ERROR, "unreadable", "the file cannot be opened or read") \
    X(TOO_LARGE, ERROR, "too-large", "the text is larger than the reader accepts") \
    X(NOT_TEXT, ERROR, "not-text", "the file is an archive, a program or the like") \
    X(CUT_SHORT, ERROR, "cut-short", "an interrupt or the end of the time ended the reading") \
    X(BAD_BYTE, ERROR, "bad-byte", "a control character stands in the text") \
    X(UNCLOSED_PAREN, ERROR, "unclosed-paren", "an opening parenthesis is never closed") \
    X(STRAY_CLOSE, ERROR, "stray-close", "a closing parenthesis closes nothing") \
    X(TOO_DEEP, ERROR, "too-deep", "an expression is nested too deeply, or a term is too long") \
    X(SYNTAX, ERROR, "syntax", "the infix text is not a clause here") \
    X(UNCLOSED_COMMENT, ERROR, "unclosed-comment", "a `/*` has no `*/`") \
    X(UNCLOSED_QUOTE, ERROR, "unclosed-quote", "a quoted name does not end on its line") \
    X(BAD_NAME, ERROR, "bad-name", "a quoted name holds what no KIF name can hold") \
    X(EMPTY_LIST, ERROR, "empty-list", "`()` stands where a term or a premise should") \
    X(BAD_TERM, ERROR, "bad-term", "a list or a variable stands where a name should") \
    X(BAD_ATOM, ERROR, "bad-atom", "a variable stands where an atom should") \
    X(BAD_HEAD, ERROR, "bad-head", "a connective is concluded or stated") \
    X(BAD_RULE, ERROR, "bad-rule", "a rule has no conclusion") \
    X(BAD_PREMISE, ERROR, "bad-premise", "a rule or an empty connective stands as a premise") \
    X(STRAY_ATOM, ERROR, "stray-atom", "a word outside every expression is no fact") \
    X(TOO_MANY_ALTERNATIVES, ERROR, "too-many-alternatives", "the disjunctions of a rule multiply to too many clauses") \
    /* errors of the checker */ \
    X(EMPTY_DESCRIPTION, ERROR, "empty-description", "the file states no rule at all") \
    X(MISSING_ROLE, ERROR, "missing-role", "no role is declared") \
    X(MISSING_LEGAL, ERROR, "missing-legal", "no rule concludes `legal`") \
    X(MISSING_GOAL, ERROR, "missing-goal", "no rule concludes `goal`") \
    X(MISSING_TERMINAL, ERROR, "missing-terminal", "no rule concludes `terminal`") \
    X(MISSING_STATE, ERROR, "missing-state", "neither `init` nor `next` is concluded") \
    X(KEYWORD_ARITY, ERROR, "keyword-arity", "a keyword has the wrong number of arguments") \
    X(KEYWORD_HEAD, ERROR, "keyword-head", "`true` or `does` is concluded") \
    X(ROLE_RULE, ERROR, "role-rule", "`role` is concluded by a rule instead of stated") \
    X(ARITY_MISMATCH, ERROR, "arity-mismatch", "one relation has two numbers of arguments") \
    X(FACT_VARIABLE, ERROR, "fact-variable", "a fact contains a variable") \
    X(UNSAFE_VARIABLE, ERROR, "unsafe-variable", "no positive premise binds a variable of the conclusion or of `distinct`") \
    X(UNSAFE_NEGATION, ERROR, "unsafe-negation", "no positive premise binds a variable of a negated premise") \
    X(UNSTRATIFIED, ERROR, "unstratified", "a relation depends on its own negation") \
    X(UNBOUNDED_RECURSION, ERROR, "unbounded-recursion", "a recursive rule can build ever larger terms") \
    X(FORBIDDEN_DEPENDENCY, ERROR, "forbidden-dependency", "a keyword depends on `true` or `does` where it may not") \
    X(GOAL_VALUE, ERROR, "goal-value", "a goal value is not an integer") \
    /* warnings of the checker */ \
    X(MISSING_INIT, WARNING, "missing-init", "nothing holds in the initial state") \
    X(MISSING_NEXT, WARNING, "missing-next", "every state after the first is empty") \
    X(GOAL_RANGE, WARNING, "goal-range", "a goal value lies outside 0..100") \
    X(UNDEFINED_PREDICATE, WARNING, "undefined-predicate", "a premise uses a relation that nothing concludes") \
    X(NEVER_FIRES, WARNING, "never-fires", "what a rule concludes can never hold") \
    X(UNUSED_PREDICATE, WARNING, "unused-predicate", "no keyword relation needs a relation") \
    X(UNKNOWN_ROLE, WARNING, "unknown-role", "a constant stands for a role that is not declared") \
    X(ROLE_WITHOUT_LEGAL, WARNING, "role-without-legal", "no rule gives a role a legal move") \
    X(ROLE_WITHOUT_GOAL, WARNING, "role-without-goal", "no rule gives a role a goal value") \
    X(UNKNOWN_FLUENT, WARNING, "unknown-fluent", "`true` asks for what nothing makes true") \
    X(UNKNOWN_MOVE, WARNING, "unknown-move", "`does` asks for a move that is never legal") \
    X(UNKNOWN_VALUE, WARNING, "unknown-value", "a premise asks for a value that its argument can never have") \
    X(FUNCTION_ARITY, WARNING, "function-arity", "one function has two numbers of arguments") \
    X(GROWING_FLUENT, WARNING, "growing-fluent", "fluents or moves can grow without end") \
    X(LOOSE_RECURSION, WARNING, "loose-recursion", "a recursive rule breaks GDL's recursion restriction, without harm") \
    X(LOOSE_NEGATION, WARNING, "loose-negation", "a relation depends on its own negation, with other arguments") \
    X(CONSTANT_DISTINCT, WARNING, "constant-distinct", "both terms of `distinct` are the same") \
    X(CONTRADICTION, WARNING, "contradiction", "a rule needs a premise and its negation") \
    X(DUPLICATE_RULE, WARNING, "duplicate-rule", "a rule or fact is stated twice") \
    X(DUPLICATE_PREMISE, WARNING, "duplicate-premise", "a rule has the same premise twice") \
    X(DUPLICATE_ROLE, WARNING, "duplicate-role", "a role is declared twice") \
    X(KEYWORD_AS_FUNCTION, WARNING, "keyword-as-function", "a keyword is applied to arguments inside a term") \
    X(KEYWORD_BODY, WARNING, "keyword-body", "a keyword meant to be concluded is a premise") \
    X(SPELLING_CASE, WARNING, "spelling-case", "one name is spelled in two cases") \
    X(PROBABLE_TYPO, WARNING, "probable-typo", "a name is probably a misspelled variable") \
    /* notes of the checker */ \
    X(SINGLETON_VARIABLE, NOTE, "singleton-variable", "a variable occurs once in its rule") \
    X(OR_DROPPED, NOTE, "or-dropped", "`or` was dropped from GDL") \
    X(KEYWORD_PREMISE, NOTE, "keyword-premise", "`legal`, `goal` or `terminal` is a premise") \
    X(UNUSED_FLUENT, NOTE, "unused-fluent", "nothing ever reads a fluent") \
    X(IDLE_DISTINCT, NOTE, "idle-distinct", "the terms of `distinct` can never be equal") \
    X(GDL_II, NOTE, "gdl-ii", "the game has hidden information or chance") \
    /* found in random matches */ \
    X(NO_LEGAL_MOVE, ERROR, "no-legal-move", "a role has no legal move in a state that is not terminal") \
    X(NO_GOAL, ERROR, "no-goal", "a role has no goal value in a terminal state") \
    X(SEVERAL_GOALS, ERROR, "several-goals", "a role has several goal values in a terminal state") \
    X(LONG_MATCH, WARNING, "long-match", "a random match does not end") \
    X(HEAVY_STATE, WARNING, "heavy-state", "a state takes more work than the interpreter allows") \
    X(UNDECLARED_FLUENT, WARNING, "undeclared-fluent", "a fluent holds that `base` does not declare") \
    X(UNDECLARED_MOVE, WARNING, "undeclared-move", "a move is legal that `input` does not declare")
/* clang-format on */

#define CODE_ENUM(id, severity, name, summary) CODE_##id,
typedef enum { CODES(CODE_ENUM) CODE_COUNT } DiagnosticCode;
#undef CODE_ENUM

typedef struct {
    const char *name;
    Severity severity;
    const char *summary; /* one line, no full stop */
} CodeInfo;

const CodeInfo *code_info(DiagnosticCode code);
