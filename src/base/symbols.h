/* Interned strings. A Symbol is a small number for a name. Case is ignored, as in every GDL
 * competition, and the first spelling met is the one printed. Numbers are assigned in order of
 * first appearance. */
#pragma once

#include <stdint.h>

#include "base/memory.h"
#include "base/table.h"
#include "base/vector.h"

/* Letters of other alphabets stay as they are. */
static inline char ascii_lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

typedef uint32_t Symbol;
#define SYMBOL_NONE UINT32_MAX

typedef struct {
    const char *name; /* NUL-terminated */
    uint32_t length;
} SymbolName;

typedef struct {
    Arena arena;
    Table table;
    VECTOR(SymbolName) names;
} Symbols;

Symbol symbols_intern(Symbols *symbols, const char *name, size_t length);
/* SYMBOL_NONE if the name was never interned. */
Symbol symbols_find(const Symbols *symbols, const char *name, size_t length);
const char *symbols_name(const Symbols *symbols, Symbol symbol);
uint32_t symbols_length(const Symbols *symbols, Symbol symbol);
void symbols_free(Symbols *symbols);
