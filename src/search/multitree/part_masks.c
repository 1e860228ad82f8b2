/* The sets come from the decomposition. One evaluator of bounds handles a fixed number of parts. */
#include "search/multitree/part_masks.h"

#include <assert.h>
#include <string.h>

static bool is_in_part(const GameParts *parts, uint32_t fluent, uint32_t part, uint32_t count) {
    uint32_t own = parts->subgame_of[fluent];
    return own == part || own == PARTS_EVERYWHERE || /* the last part has the rest */
           (own < PARTS_NOWHERE && own > part && part + 1 == count);
}

PartMasks part_masks_of(const Game *game, const GameParts *parts, uint32_t most) {
    assert(game_has_circuit(game) && parts->count > 0 && most > 0);
    PartMasks p = {.count = parts->count < most ? parts->count : most,
                   .fluent_count = game->circuit->fluent_count,
                   .word_count = (uint32_t)bitset_words(game->circuit->fluent_count)};
    size_t words = (size_t)p.count * p.word_count;
    p.masks = memory_zalloc((words + 1) * sizeof *p.masks);
    if (parts->fluents) {
        assert(parts->count <= most);
        memcpy(p.masks, parts->fluents, words * sizeof *p.masks);
        return p;
    }
    for (uint32_t f = 0; f < p.fluent_count; f++)
        for (uint32_t k = 0; k < p.count; k++)
            if (is_in_part(parts, f, k, p.count))
                bitset_set(part_mask(&p, k), f);
    return p;
}

static uint32_t group_count(const PartMasks *p) {
    return (p->count + BOUNDS_MAX_PARTS - 1) / BOUNDS_MAX_PARTS;
}

void part_masks_drop_bounds(PartMasks *p) {
    for (uint32_t g = 0; p->bounds && g < group_count(p); g++)
        bounds_free(p->bounds[g]);
    free(p->bounds);
    p->bounds = NULL;
}

void part_masks_free(PartMasks *p) {
    part_masks_drop_bounds(p);
    free(p->masks);
    *p = (PartMasks){0};
}

void part_masks_make_bounds(PartMasks *p, const Game *game) {
    part_masks_drop_bounds(p);
    p->bounds = memory_zalloc((group_count(p) + 1) * sizeof(GoalBounds *));
    uint64_t *parts_of = memory_alloc((p->fluent_count + 1) * sizeof *parts_of);
    for (uint32_t first = 0; first < p->count; first += BOUNDS_MAX_PARTS) {
        uint32_t left = p->count - first;
        uint32_t count = left < BOUNDS_MAX_PARTS ? left : BOUNDS_MAX_PARTS;
        for (uint32_t f = 0; f < p->fluent_count; f++) {
            parts_of[f] = 0;
            for (uint32_t k = 0; k < count; k++)
                parts_of[f] |= (uint64_t)bitset_get(part_mask(p, first + k), f) << k;
        }
        p->bounds[first / BOUNDS_MAX_PARTS] = bounds_create(game, parts_of, count);
    }
    free(parts_of);
}
