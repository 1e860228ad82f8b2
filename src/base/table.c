/* The table doubles its size when it is two thirds full. */
#include "base/table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/memory.h"

static void place(uint64_t *slots, size_t mask, uint64_t entry) {
    size_t slot = (entry >> 32) & mask;
    while (slots[slot])
        slot = (slot + 1) & mask;
    slots[slot] = entry;
}

static void grow(Table *table) {
    size_t old = table->slots ? table->mask + 1 : 0;
    size_t size = old ? 2 * old : 16;
    uint64_t *slots = memory_zalloc(size * sizeof *slots);
    for (size_t i = 0; i < old; i++)
        if (table->slots[i])
            place(slots, size - 1, table->slots[i]);
    free(table->slots);
    table->slots = slots;
    table->mask = size - 1;
}

void table_insert(Table *table, uint64_t hash, uint32_t id) {
    assert(id < UINT32_MAX);
    if (!table->slots || 3 * table->count >= 2 * (table->mask + 1))
        grow(table);
    place(table->slots, table->mask, (hash & 0xffffffff00000000ull) | (id + 1));
    table->count++;
}

void table_clear(Table *table) {
    if (table->count)
        memset(table->slots, 0, (table->mask + 1) * sizeof *table->slots);
    table->count = 0;
}

void table_copy(Table *to, const Table *from) {
    *to = *from;
    if (!from->slots)
        return;
    size_t bytes = (from->mask + 1) * sizeof *to->slots;
    to->slots = memcpy(memory_alloc(bytes), from->slots, bytes);
}

void table_free(Table *table) {
    free(table->slots);
    *table = (Table){0};
}

uint64_t hash_bytes(const void *bytes, size_t length) {
    return XXH3_64bits(bytes, length);
}
