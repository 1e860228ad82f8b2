/* The gate measures whether a model makes a search stronger. The search with the model plays the
 * same search without it, in pairs of matches with swapped sides and equal CPU time per move. Only
 * a model that wins is used. */
#pragma once

#include "base/clock.h"
#include "base/pool.h"
#include "learn/play/evaluator.h"
#include "search/search.h"

typedef struct {
    const SearchMethod *method; /* search of both sides; NULL: uct */
    double seconds;             /* CPU time per move */
    uint64_t playouts;          /* playouts per move, instead of seconds; 0: seconds count */
    uint64_t matches;           /* matches to play, at most; rounded up to an even number */
    Deadline deadline;          /* no pair of matches starts after it; {0}: none */
    const bool *stopped;        /* set by another thread to end; NULL: nobody does */
    uint64_t seed;
} GateOptions;

/* The first two roles that are not chance play each other; further roles move at random. */
void gate_measure(Game *game, const SearchOptions *with, const SearchOptions *without,
                  const GateOptions *options, Pool *pool, GateResult *result);

/* The share of points, 0..1, where a draw is half a point; and its standard error. */
double gate_share(const GateResult *result);
double gate_error(const GateResult *result);
/* True if the share exceeds one half by more than one standard error. */
bool gate_is_open(const GateResult *result);

/* True if the model is to be used: it is not gated, or its gate is open. */
bool model_helps(const Model *model);

/* Makes a search use an evaluation. If leaves are evaluated without playouts, they are gathered in
 * smaller batches, unless the options say otherwise. */
void gate_set_options(const SearchEvaluation *evaluation, SearchOptions *options);

/* Tries a few uses of the model and keeps the best one. Unless that one clearly lost, it is
 * measured again, and the result in the model comes from the new matches alone, or from the trial
 * if no time is left. Without any match the model is not used. */
void gate_choose_use(Game *game, Model *model, const GateOptions *options, Pool *pool);
