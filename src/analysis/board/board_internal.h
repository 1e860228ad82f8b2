/* Shared by the files of board recognition: facts as rows of symbols, samples, orders of values. */
#pragma once

#include "analysis/board/board.h"

typedef VECTOR(char *) StringVector;

/* Terms as rows: term i belongs to families[family[i]] and is row[i] of its rows. */
typedef struct {
    BoardFamilies *families; /* not owned */
    VECTOR(U32Vector) rows;  /* by family: the symbols of its rows, one row after the other */
    U32Vector family, row;   /* by term */
} TermRows;

/* Sorts terms, in prefix notation, into families. */
void board_rows_read(TermRows *rows, Board *board, BoardFamilies *families,
                     const StringVector *terms);
void board_rows_free(TermRows *rows);
/* Gives the rows of a family two more columns, which join others. */
void rows_join(TermRows *rows, Board *board, uint32_t family, const FamilyJoin joins[2]);
/* The symbol of two values with a blank between them. */
Symbol symbol_joined(Board *board, Symbol outer, Symbol inner);
static inline uint32_t family_row_width(const BoardFamily *family) {
    return family->column_count + family->join_count;
}
uint32_t board_rows_count(const TermRows *rows, uint32_t family);
const uint32_t *board_rows_get(const TermRows *rows, uint32_t family, uint32_t row);

/* Finds the family of a term and the syntax nodes of its columns. False if it has no family. */
bool board_family_match(const Board *board, const BoardFamilies *families, const Syntax *syntax,
                        uint32_t node, uint32_t *family, uint32_t *columns);
/* True if the column is no coordinate. */
bool family_is_content(const BoardFamily *family, uint32_t column);
/* Appends the text of a column, given the syntax nodes of the columns that are no joins. */
void column_text(const BoardFamily *family, const Syntax *syntax, const uint32_t *columns,
                 uint32_t column, Text *out);
/* Appends the node in lower case. */
void board_node_text(const Syntax *syntax, uint32_t node, Text *out);
/* Returns the symbol spelled like the node; SYMBOL_NONE if there is none. */
Symbol board_node_symbol(const Board *board, const Syntax *syntax, uint32_t node);
/* Reads terms in prefix notation; NULL with errors in the report. */
Syntax *board_terms_read(const char *name, const char *text, size_t length, Report *report);

/* Random matches. Fluents and moves are numbered in the order in which they appear. */
typedef struct {
    StringVector fluents, moves;
    uint32_t seen_fluents; /* fluents with a lower number than this were true in some state */
    U32Vector facts;       /* fluents that are true, state after state */
    U32Vector first_fact;  /* by state: index of its first fact; one more entry for the end */
    U32Vector step;        /* by state: turns since the start of the match */
    U32Vector mover; /* by state: the only role with a choice; BOARD_NONE if none or several */
} BoardSample;

void board_sample_play(BoardSample *sample, Game *game, const BoardOptions *options);
void board_sample_free(BoardSample *sample);

static inline uint32_t board_sample_states(const BoardSample *sample) {
    return (uint32_t)sample->step.count;
}

/* Returns the contents of a square: columns that are no coordinates, or the functor without any. */
Symbol board_family_contents(Board *board, const BoardFamily *family, const uint32_t *row);
bool board_family_has_contents(const BoardFamily *family);

/* Input of the search for blank contents. */
typedef struct {
    Board *board;
    const BoardSample *sample;
    const TermRows *terms;
} BoardFacts;

/* Returns one number per square and plane. */
uint64_t board_square_of(const BoardFamily *family, const uint32_t *row);
/* Lists the row numbers of the family's facts in a sampled state. */
void board_list_rows(const BoardFacts *facts, uint32_t family, uint32_t state, U32Vector *rows);
/* Returns the contents that mean an empty square; SYMBOL_NONE if there are none. */
Symbol board_blank_find(const BoardFacts *facts, uint32_t family);
/* True if the family, which has no contents, is true on all squares at the start. */
bool board_blank_is_floor(const BoardFacts *facts, uint32_t family, size_t squares);
/* True if every turn removes the fact from at most two squares, and it never returns. */
bool board_blank_is_lost(const BoardFacts *facts, uint32_t family);

/* One row of a relation that the rules define and no move can change, in symbols of the board. */
typedef struct {
    uint32_t relation, arity;
    Symbol values[4];
} StaticRow;

typedef VECTOR(StaticRow) StaticRows;

/* Collects the rows of relations with two, three and four arguments. */
void static_rows_collect(StaticRows *rows, Board *board, const Game *game);
/* Sorts the values. Writes the relation that gave the order, or BOARD_NONE. */
BoardOrder order_values(const Board *board, const StaticRows *rows, U32Vector *values,
                        uint32_t *relation);
static inline uint32_t axis_index(const BoardAxis *axis, Symbol value) {
    return u32_index_of(&axis->values, value);
}

/* Finds the columns of moves that are coordinates, and which axis of a grid is horizontal. */
void moves_point_at_squares(Board *board, const Game *game);
/* Makes the vertical axis of a grid the horizontal one. */
void board_exchange_axes(Board *board, uint32_t grid);
/* Finds the looks of the pieces of all grids, and the colours of the roles. */
void board_find_looks(const BoardFacts *facts, Board *board);
/* Gives each piece of the grid its mark. */
void grid_mark_pieces(const Board *board, BoardGrid *grid);
