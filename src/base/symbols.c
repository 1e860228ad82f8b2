/* Names are converted to lower case before they are hashed and compared. */
#include "base/symbols.h"

#include <assert.h>
#include <string.h>

/* The name in lower case and its hash. The buffer on the stack is used unless the name is long. */
typedef struct {
    char small[128];
    char *fold;
    size_t length;
    uint64_t hash;
} Folded;

static void fold(Folded *f, const char *name, size_t length) {
    f->fold = length <= sizeof f->small ? f->small : memory_alloc(length);
    f->length = length;
    for (size_t i = 0; i < length; i++)
        f->fold[i] = ascii_lower(name[i]);
    f->hash = hash_bytes(f->fold, length);
}

static void unfold(Folded *f) {
    if (f->fold != f->small)
        free(f->fold);
}

static bool equals_folded(const SymbolName *name, const Folded *f) {
    if (name->length != f->length)
        return false;
    for (size_t i = 0; i < f->length; i++)
        if (ascii_lower(name->name[i]) != f->fold[i])
            return false;
    return true;
}

static Symbol find_folded(const Symbols *symbols, const Folded *f) {
    uint32_t id;
    for (TableProbe p = table_probe(&symbols->table, f->hash);
         table_next(&symbols->table, &p, &id);)
        if (equals_folded(&symbols->names.items[id], f))
            return id;
    return SYMBOL_NONE;
}

Symbol symbols_find(const Symbols *symbols, const char *name, size_t length) {
    Folded f;
    fold(&f, name, length);
    Symbol found = find_folded(symbols, &f);
    unfold(&f);
    return found;
}

Symbol symbols_intern(Symbols *symbols, const char *name, size_t length) {
    assert(name || length == 0);
    Folded f;
    fold(&f, name, length);
    Symbol symbol = find_folded(symbols, &f);
    if (symbol == SYMBOL_NONE) {
        symbol = (Symbol)symbols->names.count;
        const char *copy = arena_copy(&symbols->arena, name, length);
        vector_push(&symbols->names, ((SymbolName){copy, (uint32_t)length}));
        table_insert(&symbols->table, f.hash, symbol);
    }
    unfold(&f);
    return symbol;
}

const char *symbols_name(const Symbols *symbols, Symbol symbol) {
    assert(symbol < symbols->names.count);
    return symbols->names.items[symbol].name;
}

uint32_t symbols_length(const Symbols *symbols, Symbol symbol) {
    assert(symbol < symbols->names.count);
    return symbols->names.items[symbol].length;
}

void symbols_free(Symbols *symbols) {
    arena_free(&symbols->arena);
    table_free(&symbols->table);
    vector_free(&symbols->names);
    *symbols = (Symbols){0};
}
