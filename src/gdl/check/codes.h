/* Every code a diagnostic about a description can carry: its name, how bad it is, what it means.
 * This table is the authority; docs/reference/diagnostics.md explains the same list with examples.
 */
#pragma once

#include "base/report.h"

typedef enum {
    /* of the readers */
    CODE_UNREADABLE,
    CODE_TOO_LARGE,
    CODE_BAD_BYTE,
    CODE_UNCLOSED_PAREN,
    CODE_STRAY_CLOSE,
    CODE_TOO_DEEP,
    CODE_SYNTAX,
    CODE_UNCLOSED_COMMENT,
    CODE_UNCLOSED_QUOTE,
    CODE_BAD_NAME,
    CODE_EMPTY_LIST,
    CODE_BAD_TERM,
    CODE_BAD_ATOM,
    CODE_BAD_HEAD,
    CODE_BAD_RULE,
    CODE_BAD_PREMISE,
    CODE_STRAY_ATOM,
    CODE_TOO_MANY_ALTERNATIVES,
    /* errors of the checker */
    CODE_EMPTY_DESCRIPTION,
    CODE_MISSING_ROLE,
    CODE_MISSING_LEGAL,
    CODE_MISSING_GOAL,
    CODE_MISSING_TERMINAL,
    CODE_MISSING_STATE,
    CODE_KEYWORD_ARITY,
    CODE_KEYWORD_HEAD,
    CODE_ROLE_RULE,
    CODE_ARITY_MISMATCH,
    CODE_FACT_VARIABLE,
    CODE_UNSAFE_VARIABLE,
    CODE_UNSAFE_NEGATION,
    CODE_UNSTRATIFIED,
    CODE_UNBOUNDED_RECURSION,
    CODE_FORBIDDEN_DEPENDENCY,
    CODE_GOAL_VALUE,
    /* warnings */
    CODE_MISSING_INIT,
    CODE_MISSING_NEXT,
    CODE_GOAL_RANGE,
    CODE_UNDEFINED_PREDICATE,
    CODE_NEVER_FIRES,
    CODE_UNUSED_PREDICATE,
    CODE_UNKNOWN_ROLE,
    CODE_ROLE_WITHOUT_LEGAL,
    CODE_ROLE_WITHOUT_GOAL,
    CODE_UNKNOWN_FLUENT,
    CODE_UNKNOWN_MOVE,
    CODE_UNKNOWN_VALUE,
    CODE_FUNCTION_ARITY,
    CODE_GROWING_FLUENT,
    CODE_LOOSE_RECURSION,
    CODE_LOOSE_NEGATION,
    CODE_CONSTANT_DISTINCT,
    CODE_CONTRADICTION,
    CODE_DUPLICATE_RULE,
    CODE_DUPLICATE_PREMISE,
    CODE_DUPLICATE_ROLE,
    CODE_KEYWORD_AS_FUNCTION,
    CODE_KEYWORD_BODY,
    CODE_SPELLING_CASE,
    CODE_PROBABLE_TYPO,
    /* notes */
    CODE_SINGLETON_VARIABLE,
    CODE_OR_DROPPED,
    CODE_KEYWORD_PREMISE,
    CODE_UNUSED_FLUENT,
    CODE_IDLE_DISTINCT,
    CODE_GDL_II,
    /* of random matches */
    CODE_NO_LEGAL_MOVE,
    CODE_NO_GOAL,
    CODE_SEVERAL_GOALS,
    CODE_LONG_MATCH,
    CODE_HEAVY_STATE,
    CODE_UNDECLARED_FLUENT,
    CODE_UNDECLARED_MOVE,
    CODE_COUNT
} Code;

typedef struct {
    const char *name;
    Severity severity;
    const char *summary; /* one line, no full stop */
} CodeInfo;

const CodeInfo *code_info(Code code);
/* By name; NULL if there is no such code. */
const CodeInfo *code_find(const char *name);
