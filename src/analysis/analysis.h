/* Elementary analysis: facts about a game that are found without playing it well. They come from
 * the circuit and from random matches, never from names. A description with other words or with
 * flattened terms gives the same answers.
 *
 *     AnalysisOptions options = {.seconds = 10};
 *     Analysis *a = analysis_run(game, &options);
 *     if (bitset_get(a->clocks->fluents, f)) ... f belongs to a counter or turn marker ...
 *     analysis_free(a);
 *
 * Every statement says whether it is proved or observed. Games without a circuit get
 * observations only. Fluents are numbered as in the game. Moves are pairs of role and move, or bits
 * in the numbering of samples_move_index, which is that of the circuit. */
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
    double seconds;   /* CPU seconds for all analyses; 0 stands for the default of 10 */
    uint64_t matches; /* upper bound on random matches; 0 stands for the default */
    uint64_t seed;
    bool without_proofs; /* only samples and walks over the circuit, which are cheap */
} AnalysisOptions;

typedef struct {
    Game *game;           /* not owned */
    Samples *samples;     /* random matches on which all observations rest */
    Relevance *relevance; /* what each output depends on; NULL without a circuit */
    Clocks *clocks;       /* step counters, turn markers and other autonomous fluents */
    MutexGroups mutexes;
    Latches latches;
    Noops noops;
    Turns turns;
    Scores scores;
    Fragments fragments;
    uint64_t *action_independent;   /* bitset of fluents that no move changes */
    uint64_t *unchanging;           /* bitset of fluents that never change */
    Certainty unchanging_certainty; /* PROVED if every one of them is proved never to change */
    uint64_t *constant;             /* bitset of fluents proved never to change */
    uint32_t fluent_words;          /* 64-bit words of the bitsets */
    uint32_t horizon;               /* upper bound on the turns of a match; 0 if unknown */
    Certainty horizon_certainty;    /* if OBSERVED, the horizon is twice the longest match seen */
    double cpu_seconds;             /* CPU seconds that the analysis took */
    Arena arena;                    /* owns the bitsets */
} Analysis;

/* May exceed the time budget by the length of a single step, a fraction of a second. */
Analysis *analysis_run(Game *game, const AnalysisOptions *options);
void analysis_free(Analysis *analysis);
