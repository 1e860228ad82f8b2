/* States as pictures on standard output or standard error, for the verbs that show them. */
#pragma once

#include <stdio.h>

#include "analysis/board/picture.h"

/* Build options for games that are only drawn. Building a circuit is worth some seconds: it knows
 * squares that no random match reaches. */
extern const GameOptions picture_build;

typedef struct {
    Board *board;
    PictureOptions options;
} Drawing;

/* Recognises the board of the game. Colours and width are those of the terminal, if `out` is
 * one. */
void drawing_start(Drawing *drawing, Game *game, FILE *out, bool ascii, uint64_t width);
void drawing_end(Drawing *drawing);
/* Returns false, with an error in the report, if the text is not a state. */
bool drawing_print(const Drawing *drawing, const char *state, FILE *out, Report *report);
