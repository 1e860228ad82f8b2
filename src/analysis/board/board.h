/* Boards recognised from the structure of a game's fluents, never from names: which fluents are
 * squares of a grid, rows, heaps, stacks, counters, turn markers. What states do in random matches
 * says which arguments determine which; binary relations of the rules say in which order
 * coordinates come. docs/how-it-works/boards.md explains the method.
 *
 *     Board *board = board_recognise(game, NULL);
 *     BoardView *view = board_view(board, "(cell 1 1 x) (control o)", &report);
 *     ... view->pieces: what stands where ...
 *
 * A Board is immutable and belongs to nobody's thread; it does not need the game any longer. */
#pragma once

#include "game/game.h"

#define BOARD_NONE UINT32_MAX
enum { BOARD_LONGEST_AXIS = 100, BOARD_MOST_COLUMNS = 8 };

/* How the values of an axis came into their order, best first. */
typedef enum { ORDER_CHAIN, ORDER_NUMBERS, ORDER_LETTERS, ORDER_APPEARANCE } BoardOrder;

typedef struct {
    U32Vector values; /* symbols of Board.symbols, in order */
    BoardOrder order;
} BoardAxis;

typedef enum {
    FAMILY_GRID,    /* one piece on a square */
    FAMILY_TURN,    /* whose turn it is */
    FAMILY_STEP,    /* counts turns */
    FAMILY_COUNTER, /* a value, or a value for each key */
    FAMILY_HEAPS,   /* the same, and values are amounts */
    FAMILY_STACKS,  /* what stands on what */
    FAMILY_HANDS,   /* what each role holds */
    FAMILY_FACTS,   /* nothing of the kind */
} FamilyKind;

/* An argument that is always a term with one functor is taken apart into its arguments. */
typedef struct {
    uint32_t column;
    Symbol functor;
    uint32_t arity;
} FamilyExpansion;

/* All fluents, or all moves, with one functor and arity. Columns are their arguments. */
typedef struct {
    Symbol functor;
    uint32_t arity;
    VECTOR(FamilyExpansion) expansions; /* in the order in which they are done */
    uint32_t column_count;
    FamilyKind kind;
    uint32_t grid;                             /* of FAMILY_GRID; for moves the one they point at */
    uint32_t x_column, y_column, plane_column; /* y BOARD_NONE in a row; plane mostly BOARD_NONE */
    /* Of counters, heaps and stacks; the key may be none. Of hands the key alone: the role. */
    uint32_t key_column, value_column;
    Symbol blank;                     /* what stands on empty squares; SYMBOL_NONE: nothing */
    bool shows_absence;               /* squares without a fact of the family are what is drawn */
    U32Vector amounts;                /* of heaps: values from the smallest on */
    uint8_t axes[BOARD_MOST_COLUMNS]; /* of moves: 'x', 'y', 'p' (plane) or 0, by column */
} BoardFamily;

typedef VECTOR(BoardFamily) BoardFamilies;

/* A kind of piece: all different contents of squares of one family. */
typedef struct {
    uint32_t family;
    Symbol text;  /* contents separated by blanks, or the functor where there are none */
    char mark[8]; /* one to three letters, different for each piece of a grid */
    bool is_blank;
    bool is_absence; /* stands where no fact of the family holds */
} BoardPiece;

typedef enum { GRID_SQUARES, GRID_HEXAGONS } GridShape;

typedef struct {
    BoardAxis x, y;   /* y grows upwards; no values in a row */
    BoardAxis planes; /* boards of the same shape, mostly none */
    GridShape shape;
    int slant;        /* of hexagons: the sixth neighbours are at (1, -slant) and (-1, slant) */
    uint64_t *exists; /* bitset of squares, y * width + x; others can never hold anything */
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
    double seconds; /* random matches end after so long; 0: they are bounded by steps alone */
} BoardOptions;

/* `options` may be NULL. Never fails: at worst everything is FAMILY_FACTS. */
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
    uint32_t amount;         /* of heaps; else BOARD_NONE */
} ViewCounter;

/* One state sorted by what its facts mean. Texts belong to the arena. */
typedef struct {
    Arena arena;
    VECTOR(PlacedPiece) pieces;
    VECTOR(ViewCounter) counters; /* also turns, steps, stacks and hands; see the family */
    VECTOR(const char *) facts;   /* the rest */
} BoardView;

/* The state as facts in prefix notation separated by blanks; also ((true FACT) ...), as records of
 * matches have it. NULL with an error in the report if the text is no list of facts. */
BoardView *board_view(const Board *board, const char *state, Report *report);
/* The same for some facts of a state: of what is not among them nothing is drawn. */
BoardView *board_view_facts(const Board *board, const char *facts, Report *report);
void board_view_free(BoardView *view);

/* A square, a row of squares or a column of squares: BOARD_NONE for the coordinate left open. */
typedef struct {
    uint32_t grid, plane, x, y;
} BoardSquare;

typedef VECTOR(BoardSquare) BoardSquares;

/* Appends the squares that a move in prefix notation speaks about, in the order it names them. */
void board_move_squares(const Board *board, const char *move, BoardSquares *squares);
