/* The fragments of GDL-II in which stochastic constraint networks are exact: chance that nobody can
 * influence, and information that all players share. Rules that show it are enough; else all states
 * are looked at where there are few, and those of random matches where there are many. */
#pragma once

#include "analysis/samples.h"

enum { MOST_TWIN_MOVES = 5040 };

typedef enum {
    OBLIVIOUS_NO_CHANCE, /* no random role */
    OBLIVIOUS_SYNTACTIC, /* its legal moves depend on no state, by the rules */
    OBLIVIOUS_SEMANTIC,  /* they were the same in all states looked at */
    OBLIVIOUS_WEAK,      /* their number was */
    OBLIVIOUS_NOT
} Oblivious;

typedef enum {
    SEES_NONE,       /* no `sees`: everybody learns all moves */
    SEES_SOLO,       /* one player */
    SEES_SHARED_SH1, /* every rule is about any role */
    SEES_SHARED_SH2, /* the rules are closed under exchanging the players */
    SEES_SHARED_SEM, /* players perceived the same in all turns looked at */
    SEES_PRIVATE
} Sees;

typedef struct {
    Oblivious oblivious;
    Sees sees;
    bool moves_public; /* what players perceive tells all their moves, wherever it was looked at */
    /* Players who did and saw the same had the same legal moves, in random matches. */
    bool legal_known;
    /* Chance with this many moves of equal probability everywhere could take the place of the one
     * that the game has; 0 if that would be too many. 1 without chance. */
    uint32_t twin_moves;
    uint64_t all_states; /* how many there are, if all were looked at; else 0 */
} Fragments;

void fragments_find(Fragments *fragments, const Samples *samples, CpuBudget budget);

const char *oblivious_name(Oblivious oblivious);
const char *sees_name(Sees sees);
