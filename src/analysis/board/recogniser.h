/* Shared by the files that look for grids in the sample. */
#pragma once

#include "analysis/board/board_internal.h"

enum { MIN_PLACES = 5 /* places of a board that is no grid (a guess) */ };

typedef struct {
    U32Vector values; /* in the order of the axis; empty if they are too many */
    BoardOrder order;
    uint32_t relation; /* the relation that gave the order, or BOARD_NONE */
    uint32_t block;    /* joins only: the number of inner values */
    bool has_role;     /* some value is a role */
} Column;

/* Evidence of the sample about one family. */
typedef struct {
    Column columns[BOARD_MAX_COLUMNS + 2]; /* joins come last */
    U32Vector rows;      /* row numbers of the family's facts, state after state */
    U32Vector first_row; /* by state: index of its first entry in `rows`; one more for the end */
    uint32_t min_facts, max_facts; /* least and greatest number of facts in one state */
    uint32_t keys;                 /* bitset of columns; each of them alone determines all others */
} FamilyEvidence;

typedef struct {
    Board *board;
    BoardSample sample;
    TermRows terms;
    StaticRows statics;
    FamilyEvidence *evidence; /* by family */
    U32Vector states;         /* indices of the sampled states that are examined */
    bool knows_all_fluents;   /* false if there may be squares that no match has reached */
} Recogniser;

/* True if a relation of the rules orders the column. Numbers and letters are only names. */
static inline bool is_ordered(const Column *c) {
    return c->order == ORDER_CHAIN;
}

static inline bool same_values(const U32Vector *a, const U32Vector *b) {
    return a->count == b->count && u32_is_subset(a, b);
}

/* True if no state has two facts that agree in these columns (a bitset), so they determine the
 * others. */
bool columns_determine(const Recogniser *recogniser, uint32_t family, uint32_t columns);
/* Where named places lie. */
typedef struct {
    BoardPoint *points; /* by value */
    BoardLinks links;
    bool is_lattice;
} Places;

/* Lays places out from relations between them and from their names; false if neither tells how. */
bool places_find(const Recogniser *recogniser, const U32Vector *values, Places *places);
void places_free(Places *places);

/* Squares are hexagons if a relation between them has steps along both axes and one diagonal. */
void hexagons_find(const Recogniser *recogniser, BoardGrid *grid);
/* True if facts name pairs of squares, such as lines between dots. */
bool links_squares(const Recogniser *recogniser, uint32_t family);
/* Finds out if the facts of a family link squares of a grid, or dots; it may widen the grid. */
bool links_find(Recogniser *recogniser, uint32_t family);
/* Finds the grids that moves point at, and their likes; without any, all are main grids. */
void grids_find_main(Board *board);
/* True if the family has the same facts in all states. */
bool family_is_static(const Recogniser *recogniser, uint32_t family);

/* Finds the family's coordinates of boards within boards, and joins them to two columns. Returns
 * false if there are none. */
bool nested_find(Recogniser *recogniser, uint32_t family);

/* Puts the family on the first grid it fits, else on a grid of its own; y and plane may be
 * BOARD_NONE. */
void place_family(Recogniser *recogniser, uint32_t family, uint32_t x, uint32_t y, uint32_t plane);
/* Makes a track of a family of owners, places and amounts. False if it is none. */
bool track_find(Recogniser *recogniser, uint32_t family);
/* Makes a track of heaps that the rules link to a ring. False if they are none. */
bool track_of_heaps(Recogniser *recogniser, uint32_t family, uint32_t key);
/* Finds counters that are the coordinates of things. */
void pairs_find(Recogniser *recogniser);
/* True if facts say which thing stands on which: no thing carries two, and there is no cycle. */
bool makes_stacks(const Recogniser *recogniser, uint32_t family, uint32_t key, uint32_t value);
/* Finds out what the families are that are no grids. */
void rest_classify(Recogniser *recogniser);
