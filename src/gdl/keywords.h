/* The words that GDL reserves. They are interned first, so a keyword's Symbol is its enum value. */
#pragma once

#include <stdbool.h>

#include "base/symbols.h"

typedef enum {
    KEYWORD_IMPLIES, /* <= */
    KEYWORD_NOT,
    KEYWORD_OR,
    KEYWORD_AND,
    KEYWORD_DISTINCT,
    KEYWORD_ROLE,
    KEYWORD_BASE,
    KEYWORD_INPUT,
    KEYWORD_INIT,
    KEYWORD_TRUE,
    KEYWORD_DOES,
    KEYWORD_NEXT,
    KEYWORD_LEGAL,
    KEYWORD_GOAL,
    KEYWORD_TERMINAL,
    KEYWORD_SEES,
    KEYWORD_RANDOM,
    KEYWORD_COUNT
} Keyword;

void keywords_intern(Symbols *symbols);

static inline bool is_connective(Symbol symbol) {
    return symbol <= KEYWORD_DISTINCT;
}

/* role ... sees: the relations whose meaning GDL fixes. */
static inline bool is_keyword_relation(Symbol symbol) {
    return symbol >= KEYWORD_ROLE && symbol <= KEYWORD_SEES;
}

/* Number of arguments of a keyword relation, `distinct` or `not`; -1 where any number goes. */
int keyword_arity(Symbol symbol);
