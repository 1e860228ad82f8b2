/* The table of keywords.h as data. */
#include "gdl/keywords.h"

#include <assert.h>
#include <string.h>

static const struct {
    const char *name;
    int arity;
} keywords[KEYWORD_COUNT] = {
#define KEYWORD_ROW(id, spelling, arity) {spelling, arity},
    KEYWORDS(KEYWORD_ROW)
#undef KEYWORD_ROW
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
