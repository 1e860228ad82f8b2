/* A match between searches within one thread, played turn by turn, so that it can pause between two
 * turns: for studies, the test of learnt models, and `challenge`. Time is CPU time unless
 * wall-clock time is asked for, so that other programs do not decide who wins. */
#pragma once

#include "search/search.h"

/* How a role plays in a match. */
typedef struct {
    Search *search;    /* NULL: the role plays at random */
    uint64_t playouts; /* per move at most; 0: as many as time allows */
    uint64_t playouts_made,
        decisions; /* playouts made, and decisions with more than one legal move */
} BoutSeat;

typedef struct {
    Game *game;
    GameWork *work;
    State state;
    BoutSeat *seats;        /* by role */
    double seconds;         /* per decision; INFINITY where playouts are counted */
    bool counts_wall_clock; /* seconds are wall-clock time, for searches with several threads */
    const bool *stopped;    /* stop flag, may be set by another thread; NULL: nobody sets it */
    uint32_t turns;         /* turns played so far */
    Random random;          /* for roles that play at random */
    uint32_t *joint;        /* scratch */
    U32Vector legal;        /* scratch */
    SearchResult thought;   /* scratch */
} Bout;

/* Begins a match from the state (NULL: the initial one). Roles without a search play at random. */
void bout_init(Bout *bout, Game *game, const State *from, uint64_t seed);
void bout_free(Bout *bout);
/* Seats a search for its own role and tells it the state. It belongs to the match from now on. */
void bout_seat(Bout *bout, Search *search, uint64_t playouts);
/* Lets every search think before the first move, for so many seconds each. */
void bout_think_ahead(Bout *bout, double seconds);
/* Plays a turn. False if the match is over, a role has no legal move, or the stop flag is set. */
bool bout_turn(Bout *bout);
/* The goal of a role, and the mean of the others (at least one); undefined goals count as 0. */
void bout_goals(const Bout *bout, uint32_t role, double *own, double *others);
/* The present goals of all players, by their numbers, as values: 0 for the lowest goal of any
 * player or an undefined goal, 1 for the highest. */
void bout_values(const Bout *bout, double *values);

/* The role of the player with that number; players are the roles that are not chance. */
uint32_t bout_player(const Game *game, uint32_t number);
