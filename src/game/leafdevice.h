/* A device other than this processor, such as a GPU, that plays random matches from the leaves of a
 * search. A batch is started first and fetched later, and several can be in progress, so that the
 * search does not wait for the device. */
#pragma once

#include "game/game.h"

typedef struct {
    uint64_t seed;
    uint32_t batches;    /* most batches in progress at a time */
    uint32_t states;     /* most states of one batch */
    uint32_t playouts;   /* from each state; a multiple of `lanes` below */
    uint32_t step_limit; /* a playout that is not over after so many turns is given up */
} LeafOptions;

/* The results of all playouts from one state. */
typedef struct {
    uint32_t ended; /* playouts that reached an end; the others were given up */
    double *goals;  /* one per role: sum of its goal values over the playouts that ended; owned by
                       the caller */
} LeafSums;

/* The workspace of one thread. */
typedef struct LeafPlayer LeafPlayer;

typedef struct {
    void *context;  /* shared by all threads */
    uint32_t lanes; /* least number of playouts of a state */
    /* The game must have a circuit and outlive the player. NULL with an error in the report. */
    LeafPlayer *(*open)(void *context, Game *game, const LeafOptions *options, Report *report);
    void (*close)(LeafPlayer *player);
    /* Starts a batch and returns; the states may change afterwards. `batch` is a number below
     * `batches` that is not in progress. False if the device fails. */
    bool (*start)(LeafPlayer *player, uint32_t batch, const State *const *states, size_t count);
    /* True if `finish` would not wait. */
    bool (*is_done)(LeafPlayer *player, uint32_t batch);
    /* Waits for the batch; sums[i] belongs to states[i]. False if the device fails. */
    bool (*finish)(LeafPlayer *player, uint32_t batch, LeafSums *sums);
} LeafDevice;
