/* What the parts of board recognition share: facts as rows of symbols, sampled states, orders. */
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

/* The columns of one more term, as nodes. False if it is of no family. */
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
    uint32_t seen_fluents; /* the first ones: those that held in some state */
    U32Vector facts;       /* fluents of the states, state after state */
    U32Vector first_fact;  /* by state, and the end */
    U32Vector step;        /* by state: turns since the start */
    U32Vector mover; /* by state: the only role with a choice, BOARD_NONE if none or several */
} Sample;

void sample_play(Sample *sample, Game *game, const BoardOptions *options);
void sample_free(Sample *sample);

static inline uint32_t sample_states(const Sample *sample) {
    return (uint32_t)sample->step.count;
}

/* The columns that say what stands on a square, as one text; the functor where there are none. */
Symbol family_contents(Board *board, const BoardFamily *family, const uint32_t *row);
bool family_has_contents(const BoardFamily *family);

/* What looks for a board has to go by. */
typedef struct {
    Board *board;
    const Sample *sample;
    const TermRows *terms;
} BoardSearch;

/* What stands on empty squares of a family with contents; SYMBOL_NONE if nothing does. */
Symbol blank_find(const BoardSearch *search, uint32_t family);
/* Of a family without contents: whether it holds on all squares at the start. */
bool blank_is_floor(const BoardSearch *search, uint32_t family, size_t squares);
/* Whether turns take it away from one square at most, for good. */
bool blank_is_lost(const BoardSearch *search, uint32_t family);

/* Relations of the rules that no move can change, over symbols of the board. */
typedef struct {
    uint32_t relation, arity;
    Symbol values[4];
} StaticRow;

typedef VECTOR(StaticRow) StaticRows;

/* Rows of binary relations and of those with four arguments. */
void static_rows_collect(StaticRows *rows, Board *board, const Game *game);
/* Sorts the values; the relation that gave the order in *relation, BOARD_NONE if none did. */
BoardOrder order_values(const Board *board, const StaticRows *rows, U32Vector *values,
                        uint32_t *relation);
uint32_t axis_index(const BoardAxis *axis, Symbol value);

/* Finds out which columns of moves are coordinates of which grid, and which of its axes is the
 * horizontal one. */
void moves_point_at_squares(Board *board, const Game *game);
/* Gives each piece of the grid its mark. */
void grid_mark_pieces(const Board *board, BoardGrid *grid);
