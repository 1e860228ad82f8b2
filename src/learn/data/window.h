/* The replay window: the latest positions with their targets, bounded in number and in bytes; older
 * ones are dropped. A position drawn for training is replaced by one of its images under symmetries
 * of the rules, including those that exchange players. */
#pragma once

#include "base/random.h"
#include "game/game.h"
#include "learn/networks/dense_layers.h"

/* One training position: its fluents, and groups of outputs with their targets. Outputs have the
 * numbers of policy_create: one value per role, then the moves as in the circuit. */
typedef struct {
    U32Vector facts, outputs, sizes; /* sizes: number of outputs per group */
    FloatVector targets;             /* by output: target, 0..1 */
    uint32_t open;                   /* number of outputs in the group that is being filled */
} TrainingPosition;

/* Starts a zero-initialised position with the fluents of a state. */
void training_position_begin(TrainingPosition *position, const State *state);
void training_position_add_output(TrainingPosition *position, uint32_t output, float target);
void training_position_end_group(TrainingPosition *position);
/* The memory of the position in bytes. */
size_t training_position_bytes(const TrainingPosition *position);
void training_position_free(TrainingPosition *position);

typedef struct {
    size_t images;  /* images per position, at most */
    double seconds; /* CPU time to find symmetries; 0: no limit */
    size_t bytes;   /* memory of all positions; 0: 1 GB; the newest position always stays */
} WindowOptions;

typedef struct Window Window;
Window *window_create(Game *game, const WindowOptions *options);
void window_free(Window *window);
/* Takes ownership of the position. */
void window_add(Window *window, TrainingPosition *position);
/* The number of positions. */
size_t window_rows(const Window *window);
size_t window_images(const Window *window);
/* Adds a random position to a batch and its targets. The window must not be empty. */
void window_draw(const Window *window, Random *random, DenseBatch *batch, FloatVector *targets);
