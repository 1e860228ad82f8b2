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
    double seconds;             /* CPU time per move; the least for acceptance_choose_use */
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
/* True if the side with the model is clearly stronger: the verdict of a sequential test by betting,
 * which may be looked at after every match. Six wins without a loss are enough. */
bool acceptance_is_given(const AcceptanceResult *result);

/* True if the model is to be used: it needs no acceptance, or has it. */
bool model_helps(const Model *model);

/* Makes the model evaluate leaves in place of playouts and foresee moves. */
void acceptance_let_judge(Model *model);

/* Makes a search use an evaluation. If leaves are evaluated without playouts, they are gathered in
 * smaller batches and explored less, unless the options say otherwise. */
void acceptance_set_options(const SearchEvaluation *evaluation, SearchOptions *options);

/* Tries a few uses of the model at once until one of them is accepted, all are clearly worse, or
 * matches or time are spent. The most promising use plays most of the matches. The model gets the
 * best use and its result. With a deadline, moves may get more time than the options say, as long
 * as there is time for enough matches. Without any match the model is not used. */
void acceptance_choose_use(Game *game, Model *model, const AcceptanceOptions *options, Pool *pool);
