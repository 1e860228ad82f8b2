/* A number is stored in its term, with release order, only after the reverse table contains it. So
 * a thread that reads the number can also look up the term. */
#include "game/interpreter/interpreter_store.h"

#include <assert.h>
#include <string.h>

void term_store_start(TermStore *store, const Symbols *symbols) {
    *store = (TermStore){.symbols = symbols};
    pthread_mutex_init(&store->mutex, NULL);
}

void term_store_end(TermStore *store) {
    for (uint32_t i = 0; i < TERM_STORE_CHUNKS; i++) {
        free(store->chunks[i]);
        for (uint32_t k = 0; k < NUMBER_KINDS; k++)
            free(store->numbers[k].chunks[i]);
    }
    table_free(&store->table);
    arena_free(&store->arena);
    pthread_mutex_destroy(&store->mutex);
}

static uint64_t hash_of(Symbol symbol, const Value *arguments, uint32_t arity) {
    uint64_t hash = hash_mix(arity, symbol);
    for (uint32_t i = 0; i < arity; i++)
        hash = hash_mix(hash, arguments[i]);
    return hash_finish(hash);
}

static Value find(const TermStore *store, const Table *table, uint64_t hash, Symbol symbol,
                  const Value *arguments, uint32_t arity) {
    uint32_t id;
    for (TableProbe p = table_probe(table, hash); table_next(table, &p, &id);) {
        const GroundTerm *term = term_store_get(store, id);
        if (term->symbol == symbol && term->arity == arity &&
            (arity == 0 || memcmp(term->arguments, arguments, arity * sizeof *arguments) == 0))
            return id;
    }
    return VALUE_NONE;
}

static Value append(TermStore *store, Symbol symbol, const Value *arguments, uint32_t arity) {
    GroundTerm term = {.symbol = symbol, .arity = arity};
    size_t written = symbols_length(store->symbols, symbol) + (arity > 0 ? 2 : 0);
    for (uint32_t k = 0; k < NUMBER_KINDS; k++)
        term.numbers[k] = NUMBER_NONE;
    for (uint32_t i = 0; i < arity; i++) {
        const GroundTerm *argument = term_store_get(store, arguments[i]);
        if (argument->depth >= term.depth)
            term.depth = argument->depth + 1;
        written += 1 + argument->written;
    }
    if (arity > 0 && (written > STORE_MAX_WRITTEN || term.depth > TERM_STORE_MAX_DEPTH))
        return VALUE_NONE;
    term.written = written > STORE_MAX_WRITTEN ? STORE_MAX_WRITTEN : (uint32_t)written;
    if (arity > 0) {
        Value *copy = arena_alloc(&store->arena, arity * sizeof *copy);
        memcpy(copy, arguments, arity * sizeof *copy);
        term.arguments = copy;
    }
    uint32_t within, chunk = term_store_chunk_of(store->count, &within);
    assert(chunk < TERM_STORE_CHUNKS);
    if (!store->chunks[chunk])
        store->chunks[chunk] = memory_alloc(((size_t)TERM_STORE_CHUNK << chunk) * sizeof term);
    store->chunks[chunk][within] = term;
    return store->count++;
}

Value term_store_make(TermStore *store, Table *mirror, Symbol symbol, const Value *arguments,
                      uint32_t arity) {
    assert(arguments || arity == 0);
    uint64_t hash = hash_of(symbol, arguments, arity);
    Value value = mirror ? find(store, mirror, hash, symbol, arguments, arity) : VALUE_NONE;
    if (value != VALUE_NONE)
        return value;
    pthread_mutex_lock(&store->mutex);
    value = find(store, &store->table, hash, symbol, arguments, arity);
    if (value == VALUE_NONE) {
        value = append(store, symbol, arguments, arity);
        if (value != VALUE_NONE)
            table_insert(&store->table, hash, value);
    }
    pthread_mutex_unlock(&store->mutex);
    if (mirror && value != VALUE_NONE)
        table_insert(mirror, hash, value);
    return value;
}

uint32_t term_store_number(TermStore *store, NumberKind kind, Value value) {
    assert(kind < NUMBER_KINDS && value != VALUE_NONE);
    uint32_t *place = &term_store_get(store, value)->numbers[kind];
    uint32_t number = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (number != NUMBER_NONE)
        return number;
    pthread_mutex_lock(&store->mutex);
    number = *place;
    if (number == NUMBER_NONE) {
        TermStoreNumbers *numbers = &store->numbers[kind];
        number = numbers->count;
        uint32_t within, chunk = term_store_chunk_of(number, &within);
        assert(chunk < TERM_STORE_CHUNKS);
        if (!numbers->chunks[chunk])
            numbers->chunks[chunk] =
                memory_alloc(((size_t)TERM_STORE_CHUNK << chunk) * sizeof number);
        numbers->chunks[chunk][within] = value;
        numbers->count++;
        __atomic_store_n(place, number, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&store->mutex);
    return number;
}

uint32_t store_number_count(TermStore *store, NumberKind kind) {
    pthread_mutex_lock(&store->mutex);
    uint32_t count = store->numbers[kind].count;
    pthread_mutex_unlock(&store->mutex);
    return count;
}
