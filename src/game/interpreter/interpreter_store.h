/* The ground terms that an interpreter has met, as numbers shared by all threads. Terms are only
 * added and never move, so a thread that has a number may read its term without a lock. A new term
 * is first looked up in a table of the calling thread; the lock is taken only for terms that this
 * thread has not met, which soon becomes rare. Fluents, moves and percepts have a second number,
 * dense within their kind, assigned at first use. */
#pragma once

#include <pthread.h>

#include "base/symbols.h"
#include "base/table.h"

typedef uint32_t Value;
#define VALUE_NONE UINT32_MAX
#define NUMBER_NONE UINT32_MAX

typedef enum { NUMBER_FLUENT, NUMBER_MOVE, NUMBER_PERCEPT, NUMBER_KINDS } NumberKind;

typedef struct {
    Symbol symbol;
    uint32_t arity;
    uint32_t written; /* bytes of its text */
    uint32_t depth;   /* 0 for a constant */
    uint32_t numbers[NUMBER_KINDS];
    const Value *arguments;
} GroundTerm;

/* Chunk k has TERM_STORE_CHUNK << k items, so there are few chunks and items never move. */
enum { TERM_STORE_CHUNK = 1024, TERM_STORE_CHUNKS = 21 };
/* Terms beyond these bounds (TERM_MAX_WRITTEN, TERM_MAX_DEPTH) come only from rules that derive
 * terms without end. */
enum { STORE_MAX_WRITTEN = 1 << 16, TERM_STORE_MAX_DEPTH = 1000 };

typedef struct {
    uint32_t *chunks[TERM_STORE_CHUNKS];
    uint32_t count;
} TermStoreNumbers;

typedef struct {
    const Symbols *symbols; /* names in the terms */
    GroundTerm *chunks[TERM_STORE_CHUNKS];
    uint32_t count;
    Table table;
    Arena arena; /* arguments */
    TermStoreNumbers numbers[NUMBER_KINDS];
    pthread_mutex_t mutex;
} TermStore;

void term_store_start(TermStore *store, const Symbols *symbols);
void term_store_end(TermStore *store);

static inline uint32_t term_store_chunk_of(uint32_t index, uint32_t *within) {
    uint32_t chunk = 31 - (uint32_t)__builtin_clz(index / TERM_STORE_CHUNK + 1);
    *within = index - ((1u << chunk) - 1) * TERM_STORE_CHUNK;
    return chunk;
}

static inline GroundTerm *term_store_get(const TermStore *store, Value value) {
    uint32_t within, chunk = term_store_chunk_of(value, &within);
    return &store->chunks[chunk][within];
}

/* The term with these arguments, or VALUE_NONE if it would be beyond the bounds. The mirror, a
 * table of the calling thread, may be NULL. */
Value term_store_make(TermStore *store, Table *mirror, Symbol symbol, const Value *arguments,
                      uint32_t arity);
/* The number of a term within its kind, assigned now if it has none. */
uint32_t term_store_number(TermStore *store, NumberKind kind, Value value);
/* The term that has a number. */
static inline Value term_store_numbered(const TermStore *store, NumberKind kind, uint32_t number) {
    uint32_t within, chunk = term_store_chunk_of(number, &within);
    return store->numbers[kind].chunks[chunk][within];
}
/* The number of numbers of a kind assigned so far. */
uint32_t store_number_count(TermStore *store, NumberKind kind);
