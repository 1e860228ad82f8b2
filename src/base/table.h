/* A hash table from 64-bit hashes to 32-bit ids. The things themselves live elsewhere (a vector,
 * an arena); the caller compares them while probing. Slots contain the upper half of the hash and
 * the id. That half is the start of linear probing, filters nearly all mismatches, and is enough to
 * grow the table. Zero-initialise to use. Ids must be below UINT32_MAX. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Example:
 *     uint32_t id;
 *     for (TableProbe p = table_probe(&t, hash); table_next(&t, &p, &id);)
 *         if (equal(things[id], wanted)) return id;
 *     table_insert(&t, hash, new_id);
 */

typedef struct {
    uint64_t *slots; /* 0 = empty, else (hash high half) << 32 | id + 1 */
    size_t mask;     /* slot count - 1, a power of two less one */
    size_t count;
} Table;

typedef struct {
    size_t slot;
    uint32_t tag;
} TableProbe;

static inline TableProbe table_probe(const Table *table, uint64_t hash) {
    uint32_t tag = (uint32_t)(hash >> 32);
    return (TableProbe){tag & table->mask, tag};
}

/* Steps to the next candidate with this tag; false when there is none. */
static inline bool table_next(const Table *table, TableProbe *probe, uint32_t *id) {
    if (!table->slots)
        return false;
    for (;;) {
        uint64_t slot = table->slots[probe->slot];
        if (!slot)
            return false;
        probe->slot = (probe->slot + 1) & table->mask;
        if ((uint32_t)(slot >> 32) == probe->tag) {
            *id = (uint32_t)slot - 1;
            return true;
        }
    }
}

/* Adds an entry without looking for an equal one. */
void table_insert(Table *table, uint64_t hash, uint32_t id);
void table_clear(Table *table);
/* Copies a table into an empty one. */
void table_copy(Table *to, const Table *from);
void table_free(Table *table);

/* Mixes one more word into a hash; start from any constant. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t word) {
    hash ^= word * 0x9e3779b97f4a7c15ull;
    return (hash << 29 | hash >> 35) * 0xbf58476d1ce4e5b9ull;
}

/* Finishes a chain of hash_mix, so that all bits can be used for masks and tags. */
static inline uint64_t hash_finish(uint64_t hash) {
    hash = (hash ^ (hash >> 32)) * 0xd6e8feb86659fd93ull;
    return hash ^ (hash >> 32);
}

uint64_t hash_bytes(const void *bytes, size_t length);
