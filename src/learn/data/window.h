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
} Lesson;

/* Starts a zero-initialised lesson with the fluents of a state. */
void lesson_begin(Lesson *lesson, const State *state);
void lesson_add_output(Lesson *lesson, uint32_t output, float target);
void lesson_end_group(Lesson *lesson);
/* The memory of the lesson in bytes. */
size_t lesson_bytes(const Lesson *lesson);
void lesson_free(Lesson *lesson);

typedef struct {
    size_t images;  /* images per position, at most */
    double seconds; /* CPU time to find symmetries; 0: no limit */
    size_t bytes;   /* memory of all positions; 0: 1 GB; the newest position always stays */
} WindowOptions;

typedef struct Window Window;
Window *window_create(Game *game, const WindowOptions *options);
void window_free(Window *window);
/* Takes ownership of the lesson. */
void window_add(Window *window, Lesson *lesson);
/* The number of positions. */
size_t window_rows(const Window *window);
size_t window_images(const Window *window);
/* Adds a random position to a batch and its targets. The window must not be empty. */
void window_draw(const Window *window, Random *random, DenseBatch *batch, FloatVector *targets);
