/* Acceptance of a model, the option `--gate`: the search with the model plays the same search
 * without it, in pairs of matches with swapped sides and equal CPU time per move. Only a model that
 * wins is used. */
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
} AcceptanceOptions;

/* The first two roles that are not chance play each other; further roles move at random. */
void acceptance_measure(Game *game, const SearchOptions *with, const SearchOptions *without,
                        const AcceptanceOptions *options, Pool *pool, AcceptanceResult *result);

/* The share of points, 0..1, where a draw is half a point; and its standard error. */
double acceptance_share(const AcceptanceResult *result);
double acceptance_error(const AcceptanceResult *result);
/* True if the share exceeds one half by more than one standard error. */
bool acceptance_is_given(const AcceptanceResult *result);

/* True if the model is to be used: it needs no acceptance, or has it. */
bool model_helps(const Model *model);

/* Makes a search use an evaluation. If leaves are evaluated without playouts, they are gathered in
 * smaller batches, unless the options say otherwise. */
void acceptance_set_options(const SearchEvaluation *evaluation, SearchOptions *options);

/* Tries a few uses of the model and keeps the best one. Unless that one clearly lost, it is
 * measured again, and the result in the model comes from the new matches alone, or from the trial
 * if no time is left. Without any match the model is not used. */
void acceptance_choose_use(Game *game, Model *model, const AcceptanceOptions *options, Pool *pool);
