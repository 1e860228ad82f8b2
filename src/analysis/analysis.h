/* Elementary analysis: what can be said about a game before anyone plays it well. Everything here
 * is found from the circuit and from random matches, never from names, so a description with other
 * words or with its terms flattened gives the same answers.
 *
 *     AnalysisOptions options = {.seconds = 10};
 *     Analysis *a = analysis_run(game, &options);
 *     if (bitset_get(a->clocks->fluents, f)) ... the fluent is a counter's or a turn marker's ...
 *     analysis_free(a);
 *
 * Statements are proved or observed; each says which. Games without a circuit get what can be
 * observed. Fluents have the numbers of the game; moves are (role, move) pairs, or bits in the
 * numbering of samples_move_index, which is the circuit's. */
#pragma once

#include "analysis/facts/clocks.h"
#include "analysis/facts/fragments.h"
#include "analysis/facts/latches.h"
#include "analysis/facts/mutex.h"
#include "analysis/facts/noops.h"
#include "analysis/facts/relevance.h"
#include "analysis/facts/scores.h"
#include "analysis/facts/turns.h"
#include "analysis/samples.h"

typedef struct {
    double seconds;   /* CPU time; 0: the default of 10 */
    uint64_t matches; /* sampled at most; 0: the default */
    uint64_t seed;
    bool without_proofs; /* only what samples and walks through the circuit show: cheap */
} AnalysisOptions;

typedef struct {
    Game *game;           /* not owned */
    Samples *samples;     /* the random matches observations rest on */
    Relevance *relevance; /* premises and useless things; NULL without a circuit */
    Clocks *clocks;       /* steppers, turn markers and other fluents that move by themselves */
    MutexGroups mutexes;
    Latches latches;
    Noops noops;
    Turns turns;   /* alternating or simultaneous, controls, impartial */
    Scores scores; /* constant-sum, cooperative */
    Fragments fragments;
    uint64_t *action_independent;   /* bitset of fluents no move has an effect on, by the circuit */
    uint64_t *unchanging;           /* bitset of fluents that never change */
    Certainty unchanging_certainty; /* of all of them; see `constant` for those that are proved */
    uint64_t *constant;             /* bitset of fluents proved never to change */
    uint32_t fluent_words;
    uint32_t horizon;            /* turns a match takes at most; 0: unknown */
    Certainty horizon_certainty; /* proved, or observed: twice the longest match seen */
    double cpu_seconds;
} Analysis;

/* Keeps the budget but for single steps, which take a fraction of a second. */
Analysis *analysis_run(Game *game, const AnalysisOptions *options);
void analysis_free(Analysis *analysis);
