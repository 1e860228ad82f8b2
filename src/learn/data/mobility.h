/* Mobility: how many moves of a group are legal. States stand side by side in the lanes of a batch,
 * so that one pass of the circuit tells the legal moves of 512 of them. */
#pragma once

#include "game/lanes.h"
#include "learn/data/features.h"

/* The moves of the groups of some features in a game. Immutable: all threads may share it. */
typedef struct {
    U32Vector starts; /* by group, and the number of moves at the end */
    U32Vector moves;  /* of the circuit */
} Mobility;

/* The game must have a circuit. */
void mobility_make(Mobility *mobility, const Features *features, Game *game);
void mobility_free(Mobility *mobility);
/* Whether every group has moves. */
bool mobility_is_whole(const Mobility *mobility);

static inline uint32_t mobility_groups(const Mobility *mobility) {
    return (uint32_t)mobility->starts.count - 1;
}

/* counts[lane * groups + group] of the lanes below `lanes`, whose answers are evaluated. */
void mobility_count(const Mobility *mobility, const LaneBatch *batch, uint32_t lanes,
                    uint32_t *counts);

/* The same for the rows of a set, whose facts are fluents by their texts: counts[row * groups +
 * group], to be freed. */
uint32_t *mobility_of_rows(const Features *features, Game *game, const DataSet *set);

/* By fact: the fluent of that text, UINT32_MAX if the game has none. To be freed. */
uint32_t *fluents_of_facts(Game *game, const Symbols *facts);
