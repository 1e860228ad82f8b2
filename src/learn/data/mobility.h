/* Mobility: the number of legal moves of a group. One pass counts those of 512 states. */
#pragma once

#include "game/lanes.h"
#include "learn/data/features.h"

/* The moves of each group of some features in a game. Immutable, so threads may share it. */
typedef struct {
    U32Vector starts; /* by group: its first move; one more item for the end */
    U32Vector moves;  /* numbers of moves in the circuit */
} Mobility;

/* The game must have a circuit. */
void mobility_create(Mobility *mobility, const Features *features, Game *game);
void mobility_free(Mobility *mobility);
/* True if every group has at least one move in the game. */
bool mobility_is_whole(const Mobility *mobility);

static inline uint32_t mobility_groups(const Mobility *mobility) {
    return (uint32_t)mobility->starts.count - 1;
}

/* Fills counts[lane * groups + group] for the lanes below `lanes` of an evaluated batch. */
void mobility_count(const Mobility *mobility, const LaneBatch *batch, uint32_t lanes,
                    uint32_t *counts);

/* Returns counts[row * groups + group] for a set with fluents as facts. The caller frees it. */
uint32_t *mobility_of_rows(const Features *features, Game *game, const DataSet *set);
