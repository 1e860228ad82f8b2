/* Facts of data sets and models are texts, fluents of a game are numbers: maps between them. */
#pragma once

#include "base/symbols.h"
#include "game/game.h"
#include "learn/data/dataset.h"

/* Adds the texts of the first `count` fluents to `names`, with the numbers of the fluents. */
void fluents_add_names(GameWork *work, uint32_t count, Symbols *names);
/* Returns for each fact the fluent with the same text; UINT32_MAX if the game has none.
 * *facts_of_fluents, unless NULL, becomes the fact of each fluent, or SYMBOL_NONE. The caller frees
 * both. */
uint32_t *fluents_of_facts(Game *game, const Symbols *facts, Symbol **facts_of_fluents);
/* A new set with the numbers of the game's fluents as facts. NULL with the reason, half a sentence,
 * if the set is about another game, or this one has no circuit. */
DataSet *dataset_of_game(const DataSet *set, Game *game, Text *why_not);
