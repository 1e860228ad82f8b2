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

#include "analysis/board/glyphs.h"
#include "game/game.h"

#define BOARD_NONE UINT32_MAX
enum {
    BOARD_MAX_AXIS_LENGTH = 100, /* greatest number of values of a coordinate (untuned) */
    BOARD_MAX_COLUMNS = 8        /* greatest number of arguments of a fluent or move (untuned) */
};

/* Source of the order of an axis, best first. */
typedef enum {
    ORDER_CHAIN,     /* a relation of the rules */
    ORDER_NUMBERS,   /* the values are numbers */
    ORDER_LETTERS,   /* the values are letters */
    ORDER_APPEARANCE /* the values come in the order in which the rules mention them */
} BoardOrder;

typedef struct {
    U32Vector values; /* symbols of Board.symbols, in the order of the axis */
    BoardOrder order;
    uint32_t block; /* squares of one inner board in a board of boards; 0 elsewhere */
} BoardAxis;

typedef enum {
    FAMILY_GRID,    /* facts place pieces on squares */
    FAMILY_TURN,    /* names the role whose turn it is */
    FAMILY_STEP,    /* counts turns */
    FAMILY_COUNTER, /* a value, or a value for each key */
    FAMILY_HEAPS,   /* an amount for each key, such as the size of a heap */
    FAMILY_STACKS,  /* facts say which thing stands on which */
    FAMILY_HANDS,   /* facts say which things each role has, or which things there are */
    FAMILY_LINKS,   /* facts name two squares: lines or walls between them */
    FAMILY_FACTS,   /* anything else */
} FamilyKind;

/* An expanded argument, always a term with one functor, whose arguments replace it. */
typedef struct {
    uint32_t column;
    Symbol functor;
    uint32_t arity;
} FamilyExpansion;

/* Two arguments that give one coordinate together: that of a board among boards, and that on it. */
typedef struct {
    uint32_t outer, inner; /* columns */
} FamilyJoin;

/* All fluents, or all moves, with one functor and arity. Columns are their arguments. */
typedef struct {
    Symbol functor;
    uint32_t arity;
    VECTOR(FamilyExpansion) expansions; /* in the order in which they are applied */
    uint32_t column_count;
    FamilyJoin joins[2]; /* x and y; column_count and column_count + 1 are their columns */
    uint32_t join_count; /* 0 or 2 */
    FamilyKind kind;
    uint32_t grid; /* index of its grid; for moves the grid whose squares they name */
    /* y_column is BOARD_NONE in a row, plane_column without planes. */
    uint32_t x_column, y_column, plane_column;
    /* Counters, heaps and stacks have a value and maybe a key. Hands may have a key, the role. */
    uint32_t key_column, value_column;
    /* Links: the coordinates of the other end are the columns after x and y. */
    bool joins_corners; /* links are between the lower left corners of squares, not their centres */
    uint32_t index_column;  /* hands only: numbers the things of one hand */
    uint32_t amount_column; /* rows only: an amount; none is an empty square */
    Symbol blank;           /* contents of empty squares; SYMBOL_NONE if no contents mean empty */
    bool shows_absence;     /* squares without a fact of the family are drawn */
    U32Vector amounts;      /* heaps only: the values in ascending order */
    uint8_t axes[BOARD_MAX_COLUMNS]; /* moves only, by column: 'x', 'y', 'p' (plane), 'X', 'Y'
                                        (outer) or 0 */
} BoardFamily;

typedef VECTOR(BoardFamily) BoardFamilies;

enum { MAX_LABEL = 12 /* bytes of a label with its end (untuned) */ };

/* How a kind of piece looks. No two kinds of a grid look the same. */
typedef struct {
    const Glyph *glyph;    /* GLYPH_NONE if the label is all there is to see */
    char label[MAX_LABEL]; /* a number or letters; mostly empty */
    uint32_t side;         /* the role that owns the piece, or BOARD_NONE */
    uint32_t fill;         /* 0xRRGGBB */
    bool is_small, is_hollow;
    bool is_ringed; /* its side has a colour as light as that of another side */
} PieceLook;

/* A kind of piece: one of the contents that squares of one family can have. */
typedef struct {
    uint32_t family;
    Symbol text;  /* contents separated by blanks, or the functor if there are none */
    char mark[8]; /* one to three letters, different for each piece of a grid */
    bool is_blank;
    bool is_absence; /* stands for the squares on which no fact of the family is true */
    PieceLook look;
} BoardPiece;

typedef enum {
    GRID_SQUARES,
    GRID_HEXAGONS,
    GRID_PLACES /* a row of named places that lie anywhere in the plane */
} GridShape;

/* Where a named place lies; y grows upwards. Neighbours are about 1 apart. */
typedef struct {
    double x, y;
} BoardPoint;

/* Two places that the rules call neighbours. */
typedef struct {
    uint32_t from, to;
} BoardLink;

typedef VECTOR(BoardLink) BoardLinks;

/* A number that the rules give for a row or column of a puzzle. */
typedef struct {
    bool is_row;
    uint32_t line;
    Symbol text;
} BoardClue;

typedef struct {
    BoardAxis x, y;   /* y grows upwards; in a row y has no values */
    BoardAxis planes; /* one value per board of the same shape; mostly empty */
    GridShape shape;
    int slant;        /* hexagons only, 1 or -1: (1, -slant) and (-1, slant) are neighbours */
    uint64_t *exists; /* bitset of squares by y * width + x; squares not in it are never occupied */
    bool is_main;     /* moves point at it, or it is the only one */
    bool is_chequered; /* pieces move about on it */
    uint32_t bottom;   /* the role whose pieces start at the bottom, or BOARD_NONE */
    VECTOR(BoardPiece) pieces;
    BoardPoint *points; /* places only, by square; places with a y are points on lines */
    BoardLinks links;   /* places only */
    bool is_lattice;    /* places only: they are squares of a grid with gaps */
    VECTOR(BoardClue) clues;
    BoardLinks signs;  /* between squares: the number on the first is the smaller one */
    uint32_t *colours; /* by square: 0x1RRGGBB, or 0 for the usual one; NULL without any */
    uint32_t edges[4]; /* hexagons only: the roles of the left, right, lower and upper edge */
    U32Vector mirror; /* tracks only: by place, where the second side's things of that number are */
    uint32_t track;   /* rows only: the first places, in two lines; the others stand beside them */
} BoardGrid;

/* Two families of counters that tell where something is, or one family with two keys. */
typedef struct {
    uint32_t x_family, y_family, grid;
    Symbol x_key, y_key; /* SYMBOL_NONE if the families are two; their keys are then the things */
    Symbol text;         /* what stands there if no key tells */
} BoardPair;

typedef struct {
    Symbols symbols; /* in lower case; those of the rules come first */
    BoardFamilies fluents, moves;
    VECTOR(BoardGrid) grids;
    VECTOR(BoardPair) pairs;
    U32Vector roles;        /* symbols */
    U32Vector role_colours; /* by role: 0xRRGGBB */
} Board;

typedef struct {
    uint64_t seed;
    double seconds; /* CPU seconds for random matches; 0 for no bound on time */
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

/* One piece on its square in a state. */
typedef struct {
    uint32_t grid, plane, x, y; /* plane is 0 if the grid has no planes */
    uint32_t family;
    const char *text;
    const BoardPiece *piece; /* NULL if recognition never met this kind of piece */
} PlacedPiece;

typedef struct {
    uint32_t family;
    const char *key, *value; /* key NULL if there is none */
    uint32_t amount;         /* size of a heap; BOARD_NONE for all others */
} ViewCounter;

/* A line or wall between two squares, or their corners. */
typedef struct {
    uint32_t family, grid;
    uint32_t x, y, to_x, to_y;
} ViewLink;

/* One state, sorted by the meaning of its facts. The arena owns the texts. */
typedef struct {
    Arena arena;
    VECTOR(PlacedPiece) pieces;
    VECTOR(ViewCounter) counters; /* counters, turns, steps, heaps, stacks and hands */
    VECTOR(ViewLink) links;
    VECTOR(const char *) facts; /* facts of no recognised family */
} BoardView;

/* Reads a state given as facts in prefix notation separated by blanks, or as ((true FACT) ...), the
 * form in match records. NULL with an error in the report if the text is no list of facts. */
BoardView *board_view(const Board *board, const char *state, Report *report);
/* Makes a view of the given facts only; squares without a fact stay empty. */
BoardView *board_view_facts(const Board *board, const char *facts, Report *report);
void board_view_free(BoardView *view);

/* A square. If one coordinate is BOARD_NONE, it stands for a whole row or column of squares. */
typedef struct {
    uint32_t grid, plane, x, y;
} BoardSquare;

typedef VECTOR(BoardSquare) BoardSquares;

/* Appends the squares that a move in prefix notation names, in the order of its arguments. */
void board_move_squares(const Board *board, const char *move, BoardSquares *squares);
