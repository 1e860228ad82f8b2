/* Mobility: the number of legal moves of a group. One pass of the circuit finds the legal moves of
 * 512 states, one per lane. */
#pragma once

#include "game/lanes.h"
#include "learn/data/features.h"

/* The moves of each group of some features in a game. Immutable, so threads may share it. */
typedef struct {
    U32Vector starts; /* by group, and the number of moves at the end */
    U32Vector moves;  /* of the circuit */
} Mobility;

/* The game must have a circuit. */
void mobility_make(Mobility *mobility, const Features *features, Game *game);
void mobility_free(Mobility *mobility);
/* True if every group has moves. */
bool mobility_is_whole(const Mobility *mobility);

static inline uint32_t mobility_groups(const Mobility *mobility) {
    return (uint32_t)mobility->starts.count - 1;
}

/* Fills counts[lane * groups + group] for the lanes below `lanes`, whose answers are evaluated. */
void mobility_count(const Mobility *mobility, const LaneBatch *batch, uint32_t lanes,
                    uint32_t *counts);

/* Returns counts[row * groups + group] for the rows of a set, whose facts are fluents by their
 * texts. The caller frees it. */
uint32_t *mobility_of_rows(const Features *features, Game *game, const DataSet *set);

/* Adds the texts of the first `count` fluents, so that names have the numbers of fluents. */
void name_fluents(GameWork *work, uint32_t count, Symbols *names);
/* By fact: the fluent of that text, UINT32_MAX if the game has none. The caller frees it. */
uint32_t *fluents_of_facts(Game *game, const Symbols *facts);
