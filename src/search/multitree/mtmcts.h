/* The method `mtmcts` and its parts. A part is a set of fluents that gets a tree of its own: a
 * subgame of the decomposition, or a set that may overlap with others. From a decomposition this
 * makes the parts, and from the parts the trees of MT-MCTS (mtmcts_trees.h). */
#pragma once

#include "analysis/decompose/decompose.h"
#include "search/multitree/mtmcts_trees.h"
#include "search/search_options.h"
#include "search/single/nested.h"

/* Share of the first run's time that decomposition may take (untuned). */
#define MTMCTS_DECOMPOSITION_SHARE 0.25

enum { MTMCTS_CUTS = 3 };

/* One part per useful subgame with moves, or the whole game. Fluents in no subgame are in all. */
GameParts mtmcts_parts(const Game *game, const Decomposition *decomposition);
/* Makes one part of all fluents. */
GameParts mtmcts_whole_game(const Game *game);

/* How parts that may share fluents are found. */
typedef enum {
    OVERLAP_NONE,     /* they share none: the subgames of the decomposition */
    OVERLAP_SUBGOALS, /* the fluents that each sub-goal reads, the smallest sets that score */
    OVERLAP_DEMANDS /* the fluents that each demand of the greatest goal reads; in a nonogram, rows
                       and columns */
} Overlap;

/* Returns overlapping parts, and the subgames that are in none of them (OVERLAP_DEMANDS: that are
 * not in their union). */
GameParts mtmcts_overlapping_parts(const Game *game, const Decomposition *decomposition,
                                   Overlap overlap);
/* Decomposes the game, from the initial state if `start` is NULL, and makes its parts. When the
 * deadline has passed, parts may be larger than necessary. */
GameParts mtmcts_find_parts(Game *game, const State *start, Overlap overlap, uint64_t seed,
                            Deadline deadline);
void mtmcts_parts_free(GameParts *parts);

/* Several cuts of a game into parts, from one decomposition: first subgames that share no fluents,
 * then the cuts by sub-goals and by demands, in the order of their largest parts, smaller first. */
typedef struct {
    GameParts items[MTMCTS_CUTS]; /* a cut without parts does not exist */
} MtmctsCuts;

/* Decomposes from the initial state; see mtmcts_find_parts for the deadline. */
MtmctsCuts mtmcts_find_cuts(Game *game, uint64_t seed, Deadline deadline);
void mtmcts_cuts_free(MtmctsCuts *cuts);

typedef struct {
    TreesOptions trees;
    bool is_undivided; /* one tree for the whole game, which is not decomposed */
    bool drops_rest;   /* a single subgame gets a tree without the rest of the state */
    Overlap overlap;
    /* Descents without a better match before another cut is tried; 0: 20000. */
    uint64_t first_slice;
    /* For mtmcts_solve: after so many playouts the best move is made, as in a match; 0: never. */
    uint64_t move_playouts;
    bool redecomposes; /* looks for subgames again after every move made */
    bool is_published; /* as published: KEYS_DEPTH, and ignores_untried */
} MtmctsOptions;

/* The table rows of the parameters of the algorithm. FIELD(member) is the place of a member of
 * MtmctsOptions. */
#define MTMCTS_OPTIONS(FIELD)                                                                      \
    {"alpha", VALUE_REAL, COUNT_RANGE("0.5", 1), "weight of the score against the local estimate", \
     FIELD(trees.alpha)},                                                                          \
        {"local", VALUE_WORD, WORD_RANGE("greatest", "greatest|least|middle"),                     \
         "local estimate: of the scores that a subgame's last state leaves possible",              \
         FIELD(trees.local)},                                                                      \
        {"join", VALUE_WORD, WORD_RANGE("auto", "auto|product|sum"),                               \
         "how the values of a move in all subgames are combined", FIELD(trees.join)},              \
        {"keys", VALUE_WORD, WORD_RANGE("passage", "depth|passage"),                               \
         "how nodes with the same part of a state are told apart", FIELD(trees.keys)},             \
        {"overlap", VALUE_WORD, WORD_RANGE("none", "none|subgoals|demands"),                       \
         "parts that may share fluents", FIELD(overlap)},                                          \
    {                                                                                              \
        "published", VALUE_FLAG, FLAG_RANGE,                                                       \
            "as published: keys=depth, and untried moves are never looked for",                    \
            FIELD(is_published)                                                                    \
    }

/* The options of `uct1`: the whole game is one part ("UCT-1SJ" in the literature). There is a node
 * for each state and depth, and one transition for all moves with the same successor. With every
 * seed it does step by step what search by depth does in a game with a single subgame. */
MtmctsOptions mtmcts_uct1_options(void);

/* Creates the search `mtmcts` for a game that is decomposed already: one tree per subgame, or one
 * for the whole game if there is a single subgame. The caller still frees the cuts. */
Search *mtmcts_create(Game *game, MtmctsCuts *cuts, const SearchOptions *options);

typedef struct {
    NestedResult result;          /* `cpu_seconds` is without decomposition */
    double decomposition_seconds; /* CPU time to decompose and make trees; 0 with `is_undivided` */
    TreesCounts counts;
    uint64_t work[MTMCTS_CUTS]; /* by cut: units of work of its trees */
} MtmctsSolution;

/* Decomposes the game and searches from the initial state until a match with the greatest goal is
 * found or the budget is spent. The game must have one role and a circuit. Times are CPU seconds.
 * Free the result with nested_result_free. */
void mtmcts_solve(Game *game, const MtmctsOptions *options, const SearchBudget *budget,
                  MtmctsSolution *solution);
