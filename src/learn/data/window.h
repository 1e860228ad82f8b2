/* What was learnt last: positions with what was thought of them, as many as the window holds, in
 * number and in bytes; older ones fall out. A position that is drawn for training may be any of its
 * images under symmetries of the rules, those that let players change places included. */
#pragma once

#include "base/random.h"
#include "game/game.h"
#include "learn/networks/dense_layers.h"

/* A row of training: fluents, and outputs in groups with their targets. Outputs are numbered as
 * policy_create does: a value for each role, then the moves as in the circuit. */
typedef struct {
    U32Vector facts, outputs, sizes; /* sizes: of the groups */
    FloatVector targets;             /* of the outputs */
    uint32_t open;                   /* outputs of the group that is not ended yet */
} Lesson;

/* Of a lesson that is all zeros. */
void lesson_begin(Lesson *lesson, const State *state);
void lesson_add_output(Lesson *lesson, uint32_t output, float target);
void lesson_end_group(Lesson *lesson);
/* The memory it takes. */
size_t lesson_bytes(const Lesson *lesson);
void lesson_free(Lesson *lesson);

typedef struct {
    size_t images;  /* of a position at most */
    double seconds; /* of the processor to look for them; 0: as many as it takes */
    size_t bytes;   /* of all positions; 0: 1 GB. The last one stays whatever it takes. */
} WindowOptions;

typedef struct Window Window;
Window *window_create(Game *game, const WindowOptions *options);
void window_free(Window *window);
/* Takes the lesson over. */
void window_add(Window *window, Lesson *lesson);
/* Positions that are drawn from. */
size_t window_rows(const Window *window);
size_t window_images(const Window *window);
/* Adds one, by chance, to a batch and its targets. There must be one. */
void window_draw(const Window *window, Random *random, DenseBatch *batch, FloatVector *targets);
