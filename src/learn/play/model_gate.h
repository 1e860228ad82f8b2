/* Whether a model makes a search stronger: it plays against the same search without it, sides
 * swapped, the same processor time a move. Only what wins is switched on. */
#pragma once

#include "base/clock.h"
#include "base/pool.h"
#include "learn/play/evaluator.h"
#include "search/search.h"

typedef struct {
    const SearchMethod *method; /* of both sides; NULL: uct */
    double seconds;             /* of the processor, a move */
    uint64_t playouts;          /* a move, in place of seconds if above 0 */
    uint64_t matches;           /* at most; made even */
    Deadline deadline;          /* no pair of matches begins after it; {0}: never */
    const bool *stopped;        /* may be set by another thread; NULL if nobody will */
    uint64_t seed;
} GateOptions;

/* Two players at the first two roles that are not random; others move at random. */
void gate_measure(Game *game, const SearchOptions *with, const SearchOptions *without,
                  const GateOptions *options, Pool *pool, GateResult *result);

/* The share of points, a draw being half of one; and its standard error. */
double gate_share(const GateResult *result);
double gate_error(const GateResult *result);
/* Whether the share is above a half by more than an error. */
bool gate_is_open(const GateResult *result);

/* Whether the model is to be used: nobody asked for a measurement, or it won. */
bool model_helps(const Model *model);

/* Makes a search use an evaluation. Leaves that are judged at once need no lanes to be filled and
 * are gathered in smaller batches, unless the options say otherwise. */
void gate_set_options(const SearchEvaluation *evaluation, SearchOptions *options);

/* Tries a few ways to use the model and keeps the one that won most points. If that one did not
 * clearly lose, it is measured again: what is written into the model is of these matches alone, or
 * of the trial if time leaves none. Without any match at all the model is not used. */
void gate_choose_use(Game *game, Model *model, const GateOptions *options, Pool *pool);
