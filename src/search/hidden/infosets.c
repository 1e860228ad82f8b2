/* Information sets in a hash table, within a budget of bytes. */
#include "search/hidden/infosets.h"

#include <assert.h>

/* Bytes of a set beside its own blocks: table, list, allocator (untuned). */
enum { SET_OVERHEAD = 64 };

void infosets_clear(InfoSets *sets) {
    for (size_t i = 0; i < sets->sets.count; i++)
        memory_free(sets->sets.items[i]->extra, sets->sets.items[i]->arms, sets->sets.items[i]);
    vector_clear(&sets->sets);
    table_clear(&sets->table);
    sets->bytes = 0;
}

void infosets_free(InfoSets *sets) {
    infosets_clear(sets);
    vector_free(&sets->sets);
    table_free(&sets->table);
}

static uint64_t hash_of(uint32_t role, uint64_t knowledge) {
    return hash_finish(hash_mix(knowledge, role));
}

InfoSet *infosets_find(const InfoSets *sets, uint32_t role, uint64_t knowledge) {
    uint32_t id;
    for (TableProbe p = table_probe(&sets->table, hash_of(role, knowledge));
         table_next(&sets->table, &p, &id);)
        if (sets->sets.items[id]->role == role && sets->sets.items[id]->knowledge == knowledge)
            return sets->sets.items[id];
    return NULL;
}

InfoSet *infosets_add(InfoSets *sets, uint32_t role, uint64_t knowledge, const U32Vector *legal) {
    assert(!infosets_find(sets, role, knowledge) && legal->count);
    size_t bytes = sizeof(InfoSet) + legal->count * sizeof(InfoArm) + SET_OVERHEAD;
    if (sets->bytes + bytes > sets->max_bytes)
        return NULL;
    InfoSet *set = memory_zalloc(sizeof *set);
    set->role = role;
    set->knowledge = knowledge;
    set->arm_count = (uint32_t)legal->count;
    set->arms = memory_zalloc((legal->count + 1) * sizeof *set->arms);
    for (size_t i = 0; i < legal->count; i++)
        set->arms[i].move = legal->items[i];
    table_insert(&sets->table, hash_of(role, knowledge), (uint32_t)sets->sets.count);
    vector_push(&sets->sets, set);
    sets->bytes += bytes;
    return set;
}

void *infosets_alloc_extra(InfoSets *sets, InfoSet *set, size_t bytes) {
    assert(!set->extra);
    if (sets->bytes + bytes > sets->max_bytes)
        return NULL;
    set->extra = memory_zalloc(bytes);
    sets->bytes += bytes;
    return set->extra;
}

uint32_t infoset_arm(InfoSets *sets, InfoSet *set, uint32_t move, uint32_t guess) {
    if (guess < set->arm_count && set->arms[guess].move == move)
        return guess;
    for (uint32_t a = 0; a < set->arm_count; a++)
        if (set->arms[a].move == move)
            return a;
    set->arms = memory_realloc(set->arms, (set->arm_count + 1) * sizeof *set->arms);
    set->arms[set->arm_count] = (InfoArm){.move = move};
    sets->bytes += sizeof *set->arms;
    return set->arm_count++;
}
