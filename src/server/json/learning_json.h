/* Data sets and learners as JSON, for `marelle learn --json` and the library. */
#pragma once

#include <jansson.h>

#include "game/game.h"
#include "learn/data/audit.h"
#include "learn/learners/genetic.h"
#include "learn/learners/neat.h"

/* The game, for the names of its roles, may be NULL. */
json_t *audit_json(const Audit *audit, const Game *game);
/* All learners with their options. */
json_t *learners_json(void);
/* How the settings of the genetic algorithm did, and the number of the best one. */
json_t *genetic_runs_json(const GeneticRun *runs, size_t count, size_t best);
json_t *neat_result_json(const NeatResult *result);
