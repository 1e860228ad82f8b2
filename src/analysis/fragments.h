/* The fragments of GDL-II in which stochastic constraint networks are exact: chance that nobody can
 * influence, and information that all players share. */
#ifndef MARELLE_ANALYSIS_FRAGMENTS_H
#define MARELLE_ANALYSIS_FRAGMENTS_H

#include "analysis/samples.h"

typedef enum {
    OBLIVIOUS_NO_CHANCE, /* no random role */
    OBLIVIOUS_SYNTACTIC, /* its legal moves depend on no state, by the rules */
    OBLIVIOUS_SEMANTIC,  /* they were the same in all samples */
    OBLIVIOUS_WEAK,      /* their number was */
    OBLIVIOUS_NOT
} Oblivious;

typedef enum {
    SEES_NONE,       /* no `sees`: everybody learns all moves */
    SEES_SOLO,       /* one player */
    SEES_SHARED_SH1, /* every rule is about any role */
    SEES_SHARED_SH2, /* the rules are closed under exchanging the players */
    SEES_SHARED_SEM, /* players perceived the same in all samples */
    SEES_PRIVATE
} Sees;

typedef struct {
    Oblivious oblivious;
    Sees sees;
    bool moves_public; /* what players perceive tells all their moves, in all samples */
} Fragments;

void fragments_find(Fragments *fragments, const Samples *samples, CpuBudget budget);

const char *oblivious_name(Oblivious oblivious);
const char *sees_name(Sees sees);

#endif
