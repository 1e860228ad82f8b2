/* Enumerates the elements of small groups, and finds a canonical state for each orbit. */
#include <assert.h>
#include <string.h>

#include "analysis/symmetry/symmetry.h"
#include "base/bitset.h"

static uint32_t *identity(uint32_t count) {
    uint32_t *images = memory_alloc((count + 1) * sizeof *images);
    for (uint32_t i = 0; i < count; i++)
        images[i] = i;
    return images;
}

/* Returns the permutation that applies a and then b. */
static uint32_t *composed(const uint32_t *a, const uint32_t *b, uint32_t count) {
    uint32_t *images = memory_alloc((count + 1) * sizeof *images);
    for (uint32_t i = 0; i < count; i++)
        images[i] = b[a[i]];
    return images;
}

static uint64_t hash_of(const Symmetries *s, const GamePermutation *p) {
    uint64_t hash = hash_bytes(p->fluents, s->fluent_count * sizeof *p->fluents);
    return hash_finish(hash_mix(hash, hash_bytes(p->roles, s->role_count * sizeof *p->roles)));
}

/* True if both permute fluents and roles in the same way, whatever they do to moves. */
static bool do_the_same(const Symmetries *s, const GamePermutation *a, const GamePermutation *b) {
    return memcmp(a->fluents, b->fluents, s->fluent_count * sizeof *a->fluents) == 0 &&
           memcmp(a->roles, b->roles, s->role_count * sizeof *a->roles) == 0;
}

void permutation_free(GamePermutation *p) {
    memory_free(p->fluents, p->moves, p->roles);
}

/* Adds the element unless there is an equal one. Takes ownership of it. */
static void add_element(SymmetryGroup *group, const Symmetries *s, Table *known,
                        GamePermutation *p) {
    assert(p->fluents && p->moves && p->roles);
    uint64_t hash = hash_of(s, p);
    uint32_t id;
    for (TableProbe probe = table_probe(known, hash); table_next(known, &probe, &id);)
        if (do_the_same(s, &group->items.items[id], p)) {
            permutation_free(p);
            return;
        }
    table_insert(known, hash, (uint32_t)group->items.count);
    vector_push(&group->items, *p);
}

SymmetryGroup *symmetry_some_elements(const Symmetries *s, size_t most) {
    SymmetryGroup *group = memory_zalloc(sizeof *group);
    Table known = {0};
    group->fluent_count = s->fluent_count;
    GamePermutation one = {identity(s->fluent_count), identity(s->move_count),
                           identity(s->role_count)};
    add_element(group, s, &known, &one);
    for (size_t i = 0; i < group->items.count; i++)
        for (size_t g = 0; g < s->generators.count && group->items.count < most; g++) {
            const GamePermutation *a = &group->items.items[i], *b = &s->generators.items[g];
            GamePermutation product = {composed(a->fluents, b->fluents, s->fluent_count),
                                       composed(a->moves, b->moves, s->move_count),
                                       composed(a->roles, b->roles, s->role_count)};
            add_element(group, s, &known, &product);
        }
    table_free(&known);
    return group;
}

SymmetryGroup *symmetry_elements(const Symmetries *s, size_t most) {
    SymmetryGroup *group = symmetry_some_elements(s, most + 1);
    if (group->items.count <= most)
        return group;
    symmetry_group_free(group);
    return NULL;
}

void symmetry_group_free(SymmetryGroup *group) {
    if (!group)
        return;
    for (size_t i = 0; i < group->items.count; i++)
        permutation_free(&group->items.items[i]);
    vector_free(&group->items);
    free(group);
}

void symmetry_apply(const GamePermutation *p, uint32_t fluent_count, const State *state,
                    State *image) {
    state_clear(image);
    for (size_t f = bitset_next(state->words, state->word_count, 0);
         f != BITSET_END && f < fluent_count;
         f = bitset_next(state->words, state->word_count, f + 1))
        state_set(image, p->fluents[f]);
}

static uint64_t word_of(const State *s, uint32_t word) {
    return word < s->word_count ? s->words[word] : 0;
}

static bool is_less(const State *a, const State *b) {
    uint32_t words = a->word_count > b->word_count ? a->word_count : b->word_count;
    while (words-- > 0)
        if (word_of(a, words) != word_of(b, words))
            return word_of(a, words) < word_of(b, words);
    return false;
}

size_t symmetry_canonical(const SymmetryGroup *group, const State *state, State *canonical) {
    assert(group->items.count > 0);
    State image = {0};
    size_t best = 0;
    state_copy(canonical, state);
    for (size_t i = 1; i < group->items.count; i++) {
        symmetry_apply(&group->items.items[i], group->fluent_count, state, &image);
        if (is_less(&image, canonical)) {
            state_copy(canonical, &image);
            best = i;
        }
    }
    state_free(&image);
    return best;
}
