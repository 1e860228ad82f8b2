/* Numbers keys from 0 on, in the order in which they are first met. A key is a sequence of bytes: a
 * whole state, the part of a state that a subgame sees, or a list of numbers. Keys are stored and
 * compared, so equal numbers always mean equal keys. What a search knows about a key stands in its
 * own vector at the key's number:
 *
 *     uint32_t id = key_table_part(&table, label, &state, mask, word_count);
 *     if (id == nodes.count)
 *         vector_push(&nodes, new_node);
 *
 * Zero-initialise to use. */
#pragma once

#include "base/table.h"
#include "game/game.h"

enum { KEY_NONE = UINT32_MAX };

typedef struct {
    const void *bytes; /* aligned to 16 bytes; they stay in place until the table is cleared */
    size_t length;     /* in bytes */
} Key;

typedef struct {
    VECTOR(Key) keys; /* by number */
    Table table;
    Arena arena;
    VECTOR(uint64_t) scratch; /* the key that is looked up */
} KeyTable;

void key_table_clear(KeyTable *table);
void key_table_free(KeyTable *table);
/* Memory in use, in bytes. */
size_t key_table_bytes(const KeyTable *table);

/* The number of the key; KEY_NONE if it was never added. */
uint32_t key_table_find(const KeyTable *table, const void *key, size_t length);
/* The number of the key, which is added if it is new. */
uint32_t key_table_number(KeyTable *table, const void *key, size_t length);

/* Finds or adds a list of numbers as a key. */
static inline uint32_t key_table_list(KeyTable *table, const uint32_t *items, size_t count) {
    return key_table_number(table, items, count * sizeof *items);
}

/* Find, or find and add, a whole state as a key; zero words at its end make no difference. */
uint32_t key_table_find_state(const KeyTable *table, const State *state);
uint32_t key_table_state(KeyTable *table, const State *state);

/* Find, or find and add, the fluents of a state inside the mask (NULL: all of them) as a key. The
 * label, for instance a subgame or a depth, keeps equal words apart. Stored keys begin with the
 * masked words. */
uint32_t key_table_find_part(KeyTable *table, uint64_t label, const State *state,
                             const uint64_t *mask, uint32_t word_count);
uint32_t key_table_part(KeyTable *table, uint64_t label, const State *state, const uint64_t *mask,
                        uint32_t word_count);

/* The bytes of the key with that number. */
const void *key_table_key(const KeyTable *table, uint32_t number);
/* The state with that number; it belongs to the table and must not be changed. */
State key_table_to_state(const KeyTable *table, uint32_t number);
