/* Functions that the files of board recognition share: facts as rows of symbols, sampled states and
 * orders of values. */
#pragma once

#include "analysis/board/board.h"

typedef VECTOR(char *) StringVector;

/* Terms as rows: term i belongs to families[family[i]] and is row[i] of its rows. */
typedef struct {
    BoardFamilies *families; /* not owned */
    VECTOR(U32Vector) rows;  /* by family: symbols, row after row */
    U32Vector family, row;   /* by term */
} TermRows;

/* Sorts terms, in prefix notation, into families. */
void rows_read(TermRows *rows, Board *board, BoardFamilies *families, const StringVector *terms);
void rows_free(TermRows *rows);
uint32_t rows_count(const TermRows *rows, uint32_t family);
const uint32_t *rows_get(const TermRows *rows, uint32_t family, uint32_t row);

/* Finds the family of a term and its columns, as nodes. False if it has no family. */
bool family_match(const Board *board, const BoardFamilies *families, const Syntax *syntax,
                  uint32_t node, uint32_t *family, uint32_t *columns);
/* Appends the node in lower case. */
void node_text(const Syntax *syntax, uint32_t node, Text *out);
/* The symbol spelled like the node; SYMBOL_NONE if there is none. */
Symbol node_symbol(const Board *board, const Syntax *syntax, uint32_t node);
/* Reads terms in prefix notation; NULL with errors in the report. */
Syntax *terms_read(const char *name, const char *text, size_t length, Report *report);

/* Random matches. Terms are numbered as they turn up. */
typedef struct {
    StringVector fluents, moves;
    uint32_t seen_fluents; /* so many of the first fluents were true in some state */
    U32Vector facts;       /* fluents that are true, state after state */
    U32Vector first_fact;  /* by state: where its facts begin; and the end */
    U32Vector step;        /* by state: turns since the start of the match */
    U32Vector mover; /* by state: the only role with a choice; BOARD_NONE if none or several */
} Sample;

void sample_play(Sample *sample, Game *game, const BoardOptions *options);
void sample_free(Sample *sample);

static inline uint32_t sample_states(const Sample *sample) {
    return (uint32_t)sample->step.count;
}

/* The contents of a square: the columns that are no coordinates, as one text; the functor if there
 * are none. */
Symbol family_contents(Board *board, const BoardFamily *family, const uint32_t *row);
bool family_has_contents(const BoardFamily *family);

/* The input of the search for blanks. */
typedef struct {
    Board *board;
    const Sample *sample;
    const TermRows *terms;
} BoardSearch;

/* The contents of empty squares of a family with contents; SYMBOL_NONE if there are none. */
Symbol blank_find(const BoardSearch *search, uint32_t family);
/* True if the family, which has no contents, is true on all squares at the start. */
bool blank_is_floor(const BoardSearch *search, uint32_t family, size_t squares);
/* True if every turn removes the fact from at most one square, and it never returns. */
bool blank_is_lost(const BoardSearch *search, uint32_t family);

/* A row of a relation of the rules that no move can change, over symbols of the board. */
typedef struct {
    uint32_t relation, arity;
    Symbol values[4];
} StaticRow;

typedef VECTOR(StaticRow) StaticRows;

/* Collects the rows of relations with two and with four arguments. */
void static_rows_collect(StaticRows *rows, Board *board, const Game *game);
/* Sorts the values. Writes the relation that gave the order, or BOARD_NONE. */
BoardOrder order_values(const Board *board, const StaticRows *rows, U32Vector *values,
                        uint32_t *relation);
uint32_t axis_index(const BoardAxis *axis, Symbol value);

/* Finds the columns of moves that are coordinates of a grid, and the horizontal axis of the grid.
 */
void moves_point_at_squares(Board *board, const Game *game);
/* Gives each piece of the grid its mark. */
void grid_mark_pieces(const Board *board, BoardGrid *grid);
