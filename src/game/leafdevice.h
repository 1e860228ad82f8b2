/* Random play from many states on something other than this processor, such as a GPU: what a search
 * may feed its leaves to. A batch is started and asked for later, and several are under way at a
 * time, so that a search goes on meanwhile and does not wait for the device. */
#pragma once

#include "game/game.h"

typedef struct {
    uint64_t seed;
    uint32_t batches;    /* that can be under way at a time */
    uint32_t states;     /* of one batch, at most */
    uint32_t playouts;   /* from each state, a multiple of the device's lanes */
    uint32_t step_limit; /* turns after which a playout is given up, at least */
} LeafOptions;

/* What the playouts from one state came to. */
typedef struct {
    uint32_t ended; /* playouts that reached an end; the others were given up */
    double *goals;  /* one a role: sums over those; owned by the caller */
} LeafSums;

/* One thread's. */
typedef struct LeafPlayer LeafPlayer;

typedef struct {
    void *context;  /* shared by all threads */
    uint32_t lanes; /* playouts that one state has at least */
    /* For a game with a circuit, which must outlive it. NULL with the reason in the report. */
    LeafPlayer *(*open)(void *context, Game *game, const LeafOptions *options, Report *report);
    void (*close)(LeafPlayer *player);
    /* Begins to play and returns; the states may change then. `batch` is a number below `batches`
     * that is not under way. False if the device fails. */
    bool (*start)(LeafPlayer *player, uint32_t batch, const State *const *states, size_t count);
    /* Whether the batch that was started can be had without waiting. */
    bool (*is_done)(LeafPlayer *player, uint32_t batch);
    /* Waits for the batch; sums[i] belongs to states[i]. False if the device fails. */
    bool (*finish)(LeafPlayer *player, uint32_t batch, LeafSums *sums);
} LeafDevice;
