/* One line a code, grouped by severity; those of random matches come last. */
#include "gdl/check/codes.h"

#include <assert.h>
#include <string.h>

#define ERROR(code, name, summary) [code] = {name, SEVERITY_ERROR, summary}
#define WARNING(code, name, summary) [code] = {name, SEVERITY_WARNING, summary}
#define NOTE(code, name, summary) [code] = {name, SEVERITY_NOTE, summary}

/* clang-format off */
static const CodeInfo codes[CODE_COUNT] = {
    ERROR(CODE_UNREADABLE, "unreadable", "the file cannot be opened or read"),
    ERROR(CODE_TOO_LARGE, "too-large", "the text is larger than the reader accepts"),
    ERROR(CODE_BAD_BYTE, "bad-byte", "a control character stands in the text"),
    ERROR(CODE_UNCLOSED_PAREN, "unclosed-paren", "an opening parenthesis is never closed"),
    ERROR(CODE_STRAY_CLOSE, "stray-close", "a closing parenthesis closes nothing"),
    ERROR(CODE_TOO_DEEP, "too-deep", "an expression is nested too deeply"),
    ERROR(CODE_SYNTAX, "syntax", "the infix text is not a clause here"),
    ERROR(CODE_UNCLOSED_COMMENT, "unclosed-comment", "a `/*` has no `*/`"),
    ERROR(CODE_UNCLOSED_QUOTE, "unclosed-quote", "a quoted name does not end on its line"),
    ERROR(CODE_BAD_NAME, "bad-name", "a quoted name holds what no KIF name can hold"),
    ERROR(CODE_EMPTY_LIST, "empty-list", "`()` stands where a term or a premise should"),
    ERROR(CODE_BAD_TERM, "bad-term", "a list or a variable stands where a name should"),
    ERROR(CODE_BAD_ATOM, "bad-atom", "a variable stands where an atom should"),
    ERROR(CODE_BAD_HEAD, "bad-head", "a connective is concluded or stated"),
    ERROR(CODE_BAD_RULE, "bad-rule", "a rule has no conclusion"),
    ERROR(CODE_BAD_PREMISE, "bad-premise", "a rule or an empty connective stands as a premise"),
    ERROR(CODE_STRAY_ATOM, "stray-atom", "a word outside every expression is no fact"),
    ERROR(CODE_TOO_MANY_ALTERNATIVES, "too-many-alternatives",
          "the disjunctions of a rule multiply to too many clauses"),

    ERROR(CODE_EMPTY_DESCRIPTION, "empty-description", "the file states no rule at all"),
    ERROR(CODE_MISSING_ROLE, "missing-role", "no role is declared"),
    ERROR(CODE_MISSING_LEGAL, "missing-legal", "no rule concludes `legal`"),
    ERROR(CODE_MISSING_GOAL, "missing-goal", "no rule concludes `goal`"),
    ERROR(CODE_MISSING_TERMINAL, "missing-terminal", "no rule concludes `terminal`"),
    ERROR(CODE_MISSING_STATE, "missing-state", "neither `init` nor `next` is concluded"),
    ERROR(CODE_KEYWORD_ARITY, "keyword-arity", "a keyword has the wrong number of arguments"),
    ERROR(CODE_KEYWORD_HEAD, "keyword-head", "`true` or `does` is concluded"),
    ERROR(CODE_ROLE_RULE, "role-rule", "`role` is concluded by a rule instead of stated"),
    ERROR(CODE_ARITY_MISMATCH, "arity-mismatch", "one relation has two numbers of arguments"),
    ERROR(CODE_FACT_VARIABLE, "fact-variable", "a fact contains a variable"),
    ERROR(CODE_UNSAFE_VARIABLE, "unsafe-variable",
          "no positive premise binds a variable of the conclusion or of `distinct`"),
    ERROR(CODE_UNSAFE_NEGATION, "unsafe-negation",
          "no positive premise binds a variable of a negated premise"),
    ERROR(CODE_UNSTRATIFIED, "unstratified", "a relation depends on its own negation"),
    ERROR(CODE_UNBOUNDED_RECURSION, "unbounded-recursion",
          "a recursive rule can build ever larger terms"),
    ERROR(CODE_FORBIDDEN_DEPENDENCY, "forbidden-dependency",
          "a keyword depends on `true` or `does` where it may not"),
    ERROR(CODE_GOAL_VALUE, "goal-value", "a goal value is not an integer"),

    WARNING(CODE_MISSING_INIT, "missing-init", "nothing holds in the initial state"),
    WARNING(CODE_MISSING_NEXT, "missing-next", "every state after the first is empty"),
    WARNING(CODE_GOAL_RANGE, "goal-range", "a goal value lies outside 0..100"),
    WARNING(CODE_UNDEFINED_PREDICATE, "undefined-predicate",
            "a premise uses a relation that nothing concludes"),
    WARNING(CODE_NEVER_FIRES, "never-fires", "what a rule concludes can never hold"),
    WARNING(CODE_UNUSED_PREDICATE, "unused-predicate", "no keyword relation needs a relation"),
    WARNING(CODE_UNKNOWN_ROLE, "unknown-role", "a constant stands for a role that is not declared"),
    WARNING(CODE_ROLE_WITHOUT_LEGAL, "role-without-legal", "no rule gives a role a legal move"),
    WARNING(CODE_ROLE_WITHOUT_GOAL, "role-without-goal", "no rule gives a role a goal value"),
    WARNING(CODE_UNKNOWN_FLUENT, "unknown-fluent", "`true` asks for what nothing makes true"),
    WARNING(CODE_UNKNOWN_MOVE, "unknown-move", "`does` asks for a move that is never legal"),
    WARNING(CODE_UNKNOWN_VALUE, "unknown-value",
            "a premise asks for a value that its argument can never have"),
    WARNING(CODE_FUNCTION_ARITY, "function-arity", "one function has two numbers of arguments"),
    WARNING(CODE_GROWING_FLUENT, "growing-fluent", "fluents or moves can grow without end"),
    WARNING(CODE_LOOSE_RECURSION, "loose-recursion",
            "a recursive rule breaks GDL's recursion restriction, without harm"),
    WARNING(CODE_LOOSE_NEGATION, "loose-negation",
            "a relation depends on its own negation, with other arguments"),
    WARNING(CODE_CONSTANT_DISTINCT, "constant-distinct", "both terms of `distinct` are the same"),
    WARNING(CODE_CONTRADICTION, "contradiction", "a rule needs a premise and its negation"),
    WARNING(CODE_DUPLICATE_RULE, "duplicate-rule", "a rule or fact is stated twice"),
    WARNING(CODE_DUPLICATE_PREMISE, "duplicate-premise", "a rule has the same premise twice"),
    WARNING(CODE_DUPLICATE_ROLE, "duplicate-role", "a role is declared twice"),
    WARNING(CODE_KEYWORD_AS_FUNCTION, "keyword-as-function",
            "a keyword is applied to arguments inside a term"),
    WARNING(CODE_KEYWORD_BODY, "keyword-body", "a keyword meant to be concluded is a premise"),
    WARNING(CODE_SPELLING_CASE, "spelling-case", "one name is spelled in two cases"),
    WARNING(CODE_PROBABLE_TYPO, "probable-typo", "a name is probably a misspelled variable"),

    NOTE(CODE_SINGLETON_VARIABLE, "singleton-variable", "a variable occurs once in its rule"),
    NOTE(CODE_OR_DROPPED, "or-dropped", "`or` was dropped from GDL"),
    NOTE(CODE_KEYWORD_PREMISE, "keyword-premise", "`legal`, `goal` or `terminal` is a premise"),
    NOTE(CODE_UNUSED_FLUENT, "unused-fluent", "nothing ever reads a fluent"),
    NOTE(CODE_IDLE_DISTINCT, "idle-distinct", "the terms of `distinct` can never be equal"),
    NOTE(CODE_GDL_II, "gdl-ii", "the game has hidden information or chance"),

    ERROR(CODE_NO_LEGAL_MOVE, "no-legal-move", "a role has no legal move in a state that is not terminal"),
    ERROR(CODE_NO_GOAL, "no-goal", "a role has no goal value in a terminal state"),
    ERROR(CODE_SEVERAL_GOALS, "several-goals", "a role has several goal values in a terminal state"),
    WARNING(CODE_LONG_MATCH, "long-match", "a random match does not end"),
    WARNING(CODE_HEAVY_STATE, "heavy-state", "a state takes more work than the interpreter allows"),
    WARNING(CODE_UNDECLARED_FLUENT, "undeclared-fluent", "a fluent holds that `base` does not declare"),
    WARNING(CODE_UNDECLARED_MOVE, "undeclared-move", "a move is legal that `input` does not declare"),
};
/* clang-format on */

const CodeInfo *code_info(Code code) {
    assert(code < CODE_COUNT);
    return &codes[code];
}

const CodeInfo *code_find(const char *name) {
    for (size_t i = 0; i < CODE_COUNT; i++)
        if (strcmp(codes[i].name, name) == 0)
            return &codes[i];
    return NULL;
}
