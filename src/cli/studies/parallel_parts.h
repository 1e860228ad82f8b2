/* The single measurements of `experiment parallel`. */
#pragma once

#include "game/game.h"
#include "gpu/leaves.h"
#include "server/referee/duel.h"

typedef struct {
    double matches; /* number of matches, playouts or messages */
    double seconds; /* wall-clock time */
    double points;  /* points of the first side in duels; a draw is half a point */
} Measured;

/* True if mpirun can start several processes on this machine. */
bool parallel_has_mpirun(void);
/* Measures random matches by that many processes under mpirun. False if they fail. */
bool parallel_measure_ranks(const char *game, unsigned ranks, double seconds, Measured *measured);
/* Measures messages of that many bytes between the first process and the others. */
bool parallel_measure_messages(const char *game, unsigned ranks, unsigned bytes, double seconds,
                               Measured *measured);

typedef enum { THREADS_KEPT, THREADS_SPIN, THREADS_RESTARTED } ThreadCare;
/* Measures rounds in which every thread plays a few matches and all wait for the last one. Threads
 * are kept and sleep between rounds, are kept and spin, or are created anew for each round. */
void parallel_measure_rounds(Game *game, ThreadCare care, unsigned threads, double seconds,
                             Measured *measured);

/* Measures playouts from batches of that many states on a device, one batch after the other. The
 * time includes everything from the call to the sums. False if the device fails. */
bool parallel_measure_leaves(Game *game, const LeafDevice *device, uint32_t states, double seconds,
                             Measured *measured);

/* Plays duels, `at_a_time` of them in parallel, and measures the points of the first side. False if
 * they cannot be played. */
bool parallel_measure_strength(const DuelSetup *setup, unsigned matches, unsigned at_a_time,
                               Measured *measured);
