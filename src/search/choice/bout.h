/* A match between searches within one process and thread, turn by turn, so that it can stop between
 * two turns and go on later: what studies, the gate of models and choices by evidence play. Seconds
 * are those of the processor unless the clock is asked for, so that other programs do not decide
 * who wins. */
#pragma once

#include "search/search.h"

/* How a role plays. */
typedef struct {
    Search *search;           /* NULL: at random */
    uint64_t playouts;        /* a move at most; 0: as many as time allows */
    uint64_t made, decisions; /* playouts so far, of moves that were a choice, and those moves */
} BoutSeat;

typedef struct {
    Game *game;
    GameWork *work;
    State state;
    BoutSeat *seats;      /* by role */
    double seconds;       /* a move that is a choice; INFINITY where playouts are counted */
    bool by_the_clock;    /* seconds of the clock: for searches with several threads */
    const bool *stopped;  /* may be set by another thread; NULL if nobody will */
    uint32_t turns;       /* that were made */
    Random random;        /* of those who play at random */
    uint32_t *joint;      /* scratch */
    U32Vector legal;      /* scratch */
    SearchResult thought; /* scratch */
} Bout;

/* From the state on, or the initial one if it is NULL. Everybody plays at random at first. */
void bout_init(Bout *bout, Game *game, const State *from, uint64_t seed);
void bout_free(Bout *bout);
/* The role is the search's own. It is told of the state, and belongs to the match from now on. */
void bout_seat(Bout *bout, Search *search, uint64_t playouts);
/* What everybody with a search knows before the first move, after so many seconds each. */
void bout_think_ahead(Bout *bout, double seconds);
/* Makes a turn. False if the match is over, a role has no move, or it is stopped: then the turn is
 * not made. */
bool bout_turn(Bout *bout);
/* What a role has now, and what the other players have on average; what is not defined counts as 0.
 * For games of at least two players. */
void bout_goals(const Bout *bout, uint32_t role, double *own, double *others);
/* What all players have now, by their numbers: from 0 for the least goal that the rules give any of
 * them, or none at all, to 1 for the greatest. */
void bout_values(const Bout *bout, double *values);

/* The role of that number among those that are not chance. */
uint32_t bout_player(const Game *game, uint32_t number);
