/* The single measurements of `experiment parallel`. */
#pragma once

#include "game/game.h"
#include "gpu/leaves.h"
#include "server/referee/duel.h"

typedef struct {
    double matches; /* or playouts, messages ...: what is counted */
    double seconds; /* of the clock */
    double points;  /* of duels; a draw is half of one */
} Measured;

/* Whether processes can be started together here. */
bool parallel_has_mpirun(void);
/* Random matches by that many processes under mpirun. False if they fail. */
bool parallel_measure_ranks(const char *game, unsigned ranks, double seconds, Measured *measured);
/* Messages of so many bytes that the others exchange with the first process. */
bool parallel_measure_messages(const char *game, unsigned ranks, unsigned bytes, double seconds,
                               Measured *measured);

typedef enum { THREADS_KEPT, THREADS_SPIN, THREADS_RESTARTED } ThreadCare;
/* Rounds in which every thread plays a few matches and all wait for the last: with threads that
 * live on and sleep, that live on and look for work all the time, or that are new in each round. */
void parallel_measure_rounds(Game *game, ThreadCare care, unsigned threads, double seconds,
                             Measured *measured);

/* Playouts from batches of so many states on a device, one batch after the other, everything
 * between the call and the sums in the time. False if the device cannot. */
bool parallel_measure_leaves(Game *game, const LeafDevice *device, uint32_t states, double seconds,
                             Measured *measured);

/* What so many matches bring the first side, some of them at a time. False if they cannot be
 * played. */
bool parallel_measure_strength(const DuelSetup *setup, unsigned matches, unsigned at_a_time,
                               Measured *measured);
