/* The parts of a state that get a tree of their own, as sets of fluents, and what each of them says
 * about the goals when the rest of the state is unknown (game/bounds.h). For all searches by
 * subgames. */
#pragma once

#include "base/bitset.h"
#include "game/bounds.h"
#include "search/multitree/mtmcts_trees.h"

typedef struct {
    uint32_t count;        /* number of parts */
    uint32_t fluent_count; /* fluents of the game */
    uint32_t word_count;   /* words per set and per state */
    uint64_t *masks;       /* by part: its fluents, word_count words */
    GoalBounds **bounds;   /* evaluators, one per BOUNDS_MAX_PARTS parts */
} PartMasks;

/* Makes the sets, without bounds. Parts with numbers from `most` - 1 on are joined into one. */
PartMasks part_masks_of(const Game *game, const GameParts *parts, uint32_t most);
void part_masks_free(PartMasks *parts);

/* Makes the bounds. Call it after the sets are made or changed; earlier bounds are freed. */
void part_masks_make_bounds(PartMasks *parts, const Game *game);
/* Frees the bounds. Call it before the number of parts is changed. */
void part_masks_drop_bounds(PartMasks *parts);

static inline uint64_t *part_mask(const PartMasks *parts, uint32_t part) {
    return parts->masks + (size_t)part * parts->word_count;
}

/* Evaluates the state for the part and all with the same quotient by BOUNDS_MAX_PARTS. */
static inline void part_masks_evaluate(const PartMasks *parts, uint32_t part, const State *state) {
    bounds_evaluate(parts->bounds[part / BOUNDS_MAX_PARTS], state);
}

/* The least and greatest goal that the part leaves possible in the state evaluated last. */
static inline void part_masks_goal(const PartMasks *parts, uint32_t part, uint32_t role, int *least,
                                   int *greatest) {
    bounds_goal(parts->bounds[part / BOUNDS_MAX_PARTS], part % BOUNDS_MAX_PARTS, role, least,
                greatest);
}
