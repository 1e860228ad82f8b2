/* Shared by the files that find out how pieces look. */
#pragma once

#include "analysis/board/board_internal.h"

/* A word within the text of a piece. */
typedef struct {
    const char *start;
    size_t length;
} Word;

enum { MAX_WORDS = 8 /* words of the name of a piece that are looked at (untuned) */ };

typedef struct {
    Word items[MAX_WORDS];
    size_t count;
} Words;

/* What is known of a kind of piece before it gets its look. */
typedef struct {
    uint32_t *gained; /* by role: arrivals on squares in turns of that role */
    uint32_t arrivals, moves;
    double height; /* sum of the rows on which it starts, from 0 to 1 */
    uint32_t starts;
    Words words; /* the name without what tells the side */
} PieceLife;

typedef struct {
    const BoardFacts *facts;
    Board *board;
    const U32Vector *roles;
    uint32_t role_count, players; /* all roles; those that are not chance */
    BoardGrid *grid;              /* the one looked at */
    PieceLife *lives;             /* by piece of the grid */
    U32Vector piece_of;           /* by fluent of the sample: piece of the grid, or BOARD_NONE */
    Arena arena;
} Looker;

static inline const char *look_text(const Looker *l, Symbol symbol) {
    return symbols_name(&l->board->symbols, symbol);
}

/* Splits a text into runs of letters and runs of digits. */
Words words_split(const char *text);

/* Follows the pieces of the grid through the matches and finds whose they are. */
void sides_find(Looker *looker);
/* Finds the colours of the roles, when the sides of all pieces are known. */
void sides_colour_roles(Board *board);
/* The letter with which the names of all pieces of the side begin; 0 if there is none. */
char side_letter(const Board *board, uint32_t side);
/* The colour that a word of the text names, also as its beginning: `redpawn`. */
bool colour_in_text(const char *text, uint32_t *colour);
bool role_is_chance(const Board *board, uint32_t role);
