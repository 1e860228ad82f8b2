/* The fragments of GDL-II in which stochastic constraint networks are exact: games whose chance
 * nobody can influence, and games in which all players share all information. Either the rules show
 * it by their form, or it is checked in all states of a small game and in random matches of a large
 * one. */
#pragma once

#include "analysis/samples.h"

enum { MOST_TWIN_MOVES = 5040 /* largest number of moves of a twin (guess: 7!) */ };

typedef enum {
    OBLIVIOUS_NO_CHANCE, /* no random role */
    OBLIVIOUS_SYNTACTIC, /* by the form of the rules its legal moves depend on no state */
    OBLIVIOUS_SEMANTIC,  /* its legal moves were the same in all states looked at */
    OBLIVIOUS_WEAK,      /* the number of its legal moves was the same */
    OBLIVIOUS_NOT        /* neither */
} Oblivious;

typedef enum {
    SEES_NONE,       /* no `sees`: everybody learns all moves */
    SEES_SOLO,       /* one player */
    SEES_SHARED_SH1, /* every rule for `sees` holds for any role */
    SEES_SHARED_SH2, /* the rules for `sees` are closed under exchanging the players */
    SEES_SHARED_SEM, /* all players perceived the same in all turns looked at */
    SEES_PRIVATE     /* none of these */
} Sees;

typedef struct {
    Oblivious oblivious;
    Sees sees;
    bool moves_public; /* in all turns looked at, percepts tell every player all moves */
    bool legal_known;  /* in random matches players knew their legal moves from their percepts */
    /* A twin of the random role with this many moves of equal probability in every state could take
     * its place. 0 if they would be too many; 1 without chance. */
    uint32_t twin_moves;
    uint64_t all_states; /* number of states if all were looked at, else 0 */
} Fragments;

void fragments_find(Fragments *fragments, const Samples *samples, CpuBudget budget);

const char *oblivious_name(Oblivious oblivious);
const char *sees_name(Sees sees);
