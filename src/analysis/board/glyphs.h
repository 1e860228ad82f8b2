/* Drawn symbols for things that stand on boards, and the words that mean them. All pictures of
 * pieces, on the page, in the library and in files, come from here. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a symbol takes the colours of its piece. */
typedef enum {
    PAINT_PIECE,   /* the body has the colour of the side that owns it */
    PAINT_STROKE,  /* it is drawn in lines of that colour */
    PAINT_THING,   /* it has a colour of its own, unless a side owns it */
    PAINT_EDGE,    /* it is a wall on one side of its square */
    PAINT_TERRAIN, /* it fills its square, below all pieces */
} GlyphPaint;

/* A symbol in a square of 40 x 40 units with the origin in the centre. */
typedef struct {
    const char *name;
    const char *body;   /* path that is filled, or drawn in lines (PAINT_STROKE) */
    const char *detail; /* path of thin lines over it; may be empty */
    GlyphPaint paint;
    uint32_t colour; /* colour of things and terrain without an owner: 0xRRGGBB */
} Glyph;

#define GLYPH_NONE NULL

/* The symbol that a word in lower case means, or a known word at its end or beginning (redrobot);
 * GLYPH_NONE if there is none. */
const Glyph *glyph_of_word(const char *word, size_t length);
/* The chess piece that a letter stands for; GLYPH_NONE for other letters. */
const Glyph *glyph_of_chess_letter(char letter);
/* The face of a die that the text shows, where the name of the fact says that it tells of dice. */
const Glyph *glyph_of_die(const char *fact, const char *text);
/* The symbol with this name, which must exist. */
const Glyph *glyph_named(const char *name);

/* The colour that a word names; false if it names none. */
bool colour_of_word(const char *word, size_t length, uint32_t *colour);
