/* Recognition of boards from the structure of a game's fluents, never from names: which fluents are
 * squares of a grid, rows, heaps, stacks, counters or turn markers. States of random matches show
 * which arguments determine which others. Binary relations of the rules give the order of
 * coordinates. docs/how-it-works/boards.md explains the method.
 *
 *     Board *board = board_recognise(game, NULL);
 *     BoardView *view = board_view(board, "(cell 1 1 x) (control o)", &report);
 *     ... view->pieces: what stands where ...
 *
 * A Board is immutable, may be used by several threads and does not need the game any longer. */
#pragma once

#include "game/game.h"

#define BOARD_NONE UINT32_MAX
enum {
    BOARD_LONGEST_AXIS = 100, /* values of a coordinate (guess) */
    BOARD_MOST_COLUMNS = 8    /* arguments of a fluent or move (guess) */
};

/* Where the order of an axis comes from, best first. */
typedef enum {
    ORDER_CHAIN,     /* a relation of the rules */
    ORDER_NUMBERS,   /* the values are numbers */
    ORDER_LETTERS,   /* the values are letters */
    ORDER_APPEARANCE /* the order in which the rules mention them */
} BoardOrder;

typedef struct {
    U32Vector values; /* symbols of Board.symbols, in order */
    BoardOrder order;
} BoardAxis;

typedef enum {
    FAMILY_GRID,    /* one piece on a square */
    FAMILY_TURN,    /* whose turn it is */
    FAMILY_STEP,    /* counts turns */
    FAMILY_COUNTER, /* a value, or a value for each key */
    FAMILY_HEAPS,   /* an amount for each key */
    FAMILY_STACKS,  /* things on things */
    FAMILY_HANDS,   /* the things that each role has */
    FAMILY_FACTS,   /* anything else */
} FamilyKind;

/* An argument that always is a term with one functor is replaced by the arguments of that term. */
typedef struct {
    uint32_t column;
    Symbol functor;
    uint32_t arity;
} FamilyExpansion;

/* All fluents, or all moves, with one functor and arity. Columns are their arguments. */
typedef struct {
    Symbol functor;
    uint32_t arity;
    VECTOR(FamilyExpansion) expansions; /* in the order in which they are applied */
    uint32_t column_count;
    FamilyKind kind;
    uint32_t grid;                             /* of FAMILY_GRID; for moves the one they point at */
    uint32_t x_column, y_column, plane_column; /* y BOARD_NONE in a row; plane mostly BOARD_NONE */
    /* Counters, heaps and stacks have a value and maybe a key. Hands have a key, the role. */
    uint32_t key_column, value_column;
    Symbol blank;                     /* contents of empty squares; SYMBOL_NONE for nothing */
    bool shows_absence;               /* squares without a fact of the family are drawn */
    U32Vector amounts;                /* heaps: the values in ascending order */
    uint8_t axes[BOARD_MOST_COLUMNS]; /* moves: by column 'x', 'y', 'p' (plane) or 0 */
} BoardFamily;

typedef VECTOR(BoardFamily) BoardFamilies;

/* A kind of piece: one content of squares of one family. */
typedef struct {
    uint32_t family;
    Symbol text;  /* contents separated by blanks, or the functor if there are none */
    char mark[8]; /* one to three letters, different for each piece of a grid */
    bool is_blank;
    bool is_absence; /* stands where no fact of the family is true */
} BoardPiece;

typedef enum { GRID_SQUARES, GRID_HEXAGONS } GridShape;

typedef struct {
    BoardAxis x, y;   /* y grows upwards; no values in a row */
    BoardAxis planes; /* boards of the same shape, mostly none */
    GridShape shape;
    int slant;        /* hexagons: the other neighbours are at (1, -slant) and (-1, slant) */
    uint64_t *exists; /* bitset of squares, y * width + x; the others are never occupied */
    VECTOR(BoardPiece) pieces;
} BoardGrid;

typedef struct {
    Symbols symbols; /* names in lower case, those of the rules in order of appearance */
    BoardFamilies fluents, moves;
    VECTOR(BoardGrid) grids;
    U32Vector roles; /* symbols */
} Board;

typedef struct {
    uint64_t seed;
    double seconds; /* wall-clock time for random matches; 0 for no bound but that on steps */
} BoardOptions;

/* `options` may be NULL. It never fails: at worst all families are FAMILY_FACTS. */
Board *board_recognise(Game *game, const BoardOptions *options);
void board_free(Board *board);

static inline uint32_t grid_width(const BoardGrid *grid) {
    return (uint32_t)grid->x.values.count;
}

static inline uint32_t grid_height(const BoardGrid *grid) {
    return grid->y.values.count ? (uint32_t)grid->y.values.count : 1;
}

/* A piece of a state on its square. */
typedef struct {
    uint32_t grid, plane, x, y; /* plane 0 where there are none */
    uint32_t family;
    const char *text;
    const BoardPiece *piece; /* NULL if recognition never met it */
} PlacedPiece;

typedef struct {
    uint32_t family;
    const char *key, *value; /* key NULL if there is none */
    uint32_t amount;         /* of a heap, else BOARD_NONE */
} ViewCounter;

/* One state sorted by the meaning of its facts. Texts belong to the arena. */
typedef struct {
    Arena arena;
    VECTOR(PlacedPiece) pieces;
    VECTOR(ViewCounter) counters; /* counters, turns, steps, heaps, stacks and hands */
    VECTOR(const char *) facts;   /* all others */
} BoardView;

/* The state as facts in prefix notation separated by blanks; also ((true FACT) ...), as records of
 * matches have it. NULL with an error in the report if the text is no list of facts. */
BoardView *board_view(const Board *board, const char *state, Report *report);
/* A view of some facts of a state; nothing else is drawn. */
BoardView *board_view_facts(const Board *board, const char *facts, Report *report);
void board_view_free(BoardView *view);

/* A square, or a whole row or column of squares with BOARD_NONE for the open coordinate. */
typedef struct {
    uint32_t grid, plane, x, y;
} BoardSquare;

typedef VECTOR(BoardSquare) BoardSquares;

/* Appends the squares that a move in prefix notation names, in its order. */
void board_move_squares(const Board *board, const char *move, BoardSquares *squares);
