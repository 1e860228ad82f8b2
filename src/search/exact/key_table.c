/* The bytes of keys lie in an arena; a hash table leads from a hash to the numbers of its keys. */
#include "search/exact/key_table.h"

#include <assert.h>
#include <string.h>

void key_table_clear(KeyTable *t) {
    vector_free(&t->keys);
    table_clear(&t->table);
    arena_free(&t->arena);
    t->arena = (Arena){0};
}

void key_table_free(KeyTable *t) {
    key_table_clear(t);
    table_free(&t->table);
    vector_free(&t->scratch);
}

size_t key_table_bytes(const KeyTable *t) {
    size_t slots = t->table.slots ? t->table.mask + 1 : 0;
    return t->arena.bytes + t->keys.capacity * sizeof *t->keys.items +
           slots * sizeof *t->table.slots;
}

static uint32_t find(const KeyTable *t, uint64_t hash, const void *key, size_t length) {
    uint32_t id;
    for (TableProbe p = table_probe(&t->table, hash); table_next(&t->table, &p, &id);) {
        const Key *known = &t->keys.items[id];
        if (known->length == length && (!length || memcmp(known->bytes, key, length) == 0))
            return id;
    }
    return KEY_NONE;
}

uint32_t key_table_find(const KeyTable *t, const void *key, size_t length) {
    return find(t, hash_bytes(key, length), key, length);
}

uint32_t key_table_number(KeyTable *t, const void *key, size_t length) {
    uint64_t hash = hash_bytes(key, length);
    uint32_t id = find(t, hash, key, length);
    if (id != KEY_NONE)
        return id;
    void *own = arena_alloc(&t->arena, length + !length);
    if (length)
        memcpy(own, key, length);
    id = (uint32_t)t->keys.count;
    assert(id < KEY_NONE);
    vector_push(&t->keys, ((Key){own, length}));
    table_insert(&t->table, hash, id);
    return id;
}

/* The bytes of a state up to its last word that is not zero. */
static size_t state_length(const State *state) {
    uint32_t words = state->word_count;
    while (words && !state->words[words - 1])
        words--;
    return words * sizeof *state->words;
}

uint32_t key_table_find_state(const KeyTable *t, const State *state) {
    return key_table_find(t, state->words, state_length(state));
}

uint32_t key_table_state(KeyTable *t, const State *state) {
    return key_table_number(t, state->words, state_length(state));
}

/* Puts the key of a part of a state into the scratch memory and returns its length in bytes. */
static size_t make_part(KeyTable *t, uint64_t label, const State *state, const uint64_t *mask,
                        uint32_t word_count) {
    vector_clear(&t->scratch);
    uint64_t *key = vector_extend(&t->scratch, word_count + 1);
    for (uint32_t w = 0; w < word_count; w++)
        key[w] = w < state->word_count ? state->words[w] & (mask ? mask[w] : UINT64_MAX) : 0;
    key[word_count] = label;
    return t->scratch.count * sizeof *key;
}

uint32_t key_table_find_part(KeyTable *t, uint64_t label, const State *state, const uint64_t *mask,
                             uint32_t word_count) {
    size_t length = make_part(t, label, state, mask, word_count);
    return key_table_find(t, t->scratch.items, length);
}

uint32_t key_table_part(KeyTable *t, uint64_t label, const State *state, const uint64_t *mask,
                        uint32_t word_count) {
    size_t length = make_part(t, label, state, mask, word_count);
    return key_table_number(t, t->scratch.items, length);
}

const void *key_table_key(const KeyTable *t, uint32_t number) {
    assert(number < t->keys.count);
    return t->keys.items[number].bytes;
}

State key_table_to_state(const KeyTable *t, uint32_t number) {
    uint64_t *words = (uint64_t *)key_table_key(t, number);
    return (State){words, (uint32_t)(t->keys.items[number].length / sizeof *words)};
}
