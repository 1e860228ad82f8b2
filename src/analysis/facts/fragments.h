/* The fragments of GDL-II in which stochastic constraint networks are exact: games whose chance
 * nobody can influence, and games in which all players share all information. The form of the rules
 * shows it, or all states of a small game, or random matches. */
#pragma once

#include "analysis/samples.h"

enum { MAX_TWIN_MOVES = 5040 /* largest number of moves of a twin (untuned: 7!) */ };

typedef enum {
    OBLIVIOUS_NO_CHANCE, /* there is no random role */
    OBLIVIOUS_SYNTACTIC, /* the form of the rules shows that its legal moves depend on no state */
    OBLIVIOUS_SEMANTIC,  /* its legal moves were the same in all examined states */
    OBLIVIOUS_WEAK,      /* the number of its legal moves was the same in all examined states */
    OBLIVIOUS_NOT        /* none of these */
} Oblivious;

typedef enum {
    SEES_NONE,       /* there are no rules for `sees`: everybody learns all moves */
    SEES_SOLO,       /* there is one player */
    SEES_SHARED_SH1, /* every rule for `sees` holds for any role */
    SEES_SHARED_SH2, /* the rules for `sees` are closed under exchanging the players */
    SEES_SHARED_SEM, /* all players had the same percepts in all examined turns */
    SEES_PRIVATE     /* none of these */
} Sees;

typedef struct {
    Oblivious oblivious;
    Sees sees;
    bool moves_public; /* in all examined turns the percepts tell every player all moves */
    bool legal_known;  /* in random matches the percepts told every player its legal moves */
    /* The random role can be replaced by a twin with this many moves, equally likely in every
     * state. 0 if these would be too many; 1 without chance. */
    uint32_t twin_moves;
    uint64_t all_states; /* number of states if all were examined, otherwise 0 */
} Fragments;

void fragments_find(Fragments *fragments, const Samples *samples, CpuBudget budget);

const char *oblivious_name(Oblivious oblivious);
const char *sees_name(Sees sees);
