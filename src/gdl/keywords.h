/* The words that GDL reserves. They are interned first, so a keyword's Symbol is its enum value. */
#pragma once

#include <stdbool.h>

#include "base/symbols.h"

/* Name, spelling, and number of arguments; -1 if any number is allowed. */
/* clang-format off */
#define KEYWORDS(X) \
    X(IMPLIES, "<=", -1) \
    X(NOT, "not", 1) \
    X(OR, "or", -1) \
    X(AND, "and", -1) \
    X(DISTINCT, "distinct", 2) \
    X(ROLE, "role", 1) \
    X(BASE, "base", 1) \
    X(INPUT, "input", 2) \
    X(INIT, "init", 1) \
    X(TRUE, "true", 1) \
    X(DOES, "does", 2) \
    X(NEXT, "next", 1) \
    X(LEGAL, "legal", 2) \
    X(GOAL, "goal", 2) \
    X(TERMINAL, "terminal", 0) \
    X(SEES, "sees", 2) \
    X(RANDOM, "random", -1)
/* clang-format on */

#define KEYWORD_ENUM(id, spelling, arity) KEYWORD_##id,
typedef enum { KEYWORDS(KEYWORD_ENUM) KEYWORD_COUNT } Keyword;
#undef KEYWORD_ENUM

/* Must be called before any other symbol is interned. */
void keywords_intern(Symbols *symbols);

static inline bool is_connective(Symbol symbol) {
    return symbol <= KEYWORD_DISTINCT;
}

/* True for role ... sees, the relations whose meaning GDL fixes. */
static inline bool is_keyword_relation(Symbol symbol) {
    return symbol >= KEYWORD_ROLE && symbol <= KEYWORD_SEES;
}

/* Number of arguments of a keyword; -1 if any number is allowed or the symbol is no keyword. */
int keyword_arity(Symbol symbol);
