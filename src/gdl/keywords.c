/* The table of GDL's words and their arities. */
#include "gdl/keywords.h"

#include <assert.h>
#include <string.h>

static const struct {
    const char *name;
    int arity;
} keywords[KEYWORD_COUNT] = {
    [KEYWORD_IMPLIES] = {"<=", -1},
    [KEYWORD_NOT] = {"not", 1},
    [KEYWORD_OR] = {"or", -1},
    [KEYWORD_AND] = {"and", -1},
    [KEYWORD_DISTINCT] = {"distinct", 2},
    [KEYWORD_ROLE] = {"role", 1},
    [KEYWORD_BASE] = {"base", 1},
    [KEYWORD_INPUT] = {"input", 2},
    [KEYWORD_INIT] = {"init", 1},
    [KEYWORD_TRUE] = {"true", 1},
    [KEYWORD_DOES] = {"does", 2},
    [KEYWORD_NEXT] = {"next", 1},
    [KEYWORD_LEGAL] = {"legal", 2},
    [KEYWORD_GOAL] = {"goal", 2},
    [KEYWORD_TERMINAL] = {"terminal", 0},
    [KEYWORD_SEES] = {"sees", 2},
    [KEYWORD_RANDOM] = {"random", -1},
};

void keywords_intern(Symbols *symbols) {
    for (Symbol k = 0; k < KEYWORD_COUNT; k++) {
        Symbol symbol = symbols_intern(symbols, keywords[k].name, strlen(keywords[k].name));
        assert(symbol == k);
        (void)symbol;
    }
}

int keyword_arity(Symbol symbol) {
    return symbol < KEYWORD_COUNT ? keywords[symbol].arity : -1;
}
