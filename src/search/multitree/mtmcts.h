/* The method `mtmcts` and its parts: from a decomposition to the trees of MT-MCTS (multitree.h). */
#pragma once

#include "analysis/decompose/decompose.h"
#include "search/multitree/multitree.h"
#include "search/single/nested.h"

/* Share of the first run's time that decomposition may take (guess). */
#define MTMCTS_DECOMPOSITION_SHARE 0.25

enum { MTMCTS_CUTS = 3 };

/* One part for each useful subgame that has moves. Fluents in no subgame are in all parts. Without
 * such a subgame the whole game is one part. */
MultiTreeParts mtmcts_parts(const Game *game, const Decomposition *decomposition);
/* One part that is everything. */
MultiTreeParts mtmcts_whole_game(const Game *game);

/* Subgames that may share fluents. */
typedef enum {
    OVERLAP_NONE,     /* they do not */
    OVERLAP_SUBGOALS, /* what sub-goals look at, the smallest parts that are worth something: in a
                         nonogram cells that a line decides, and lines that decide none */
    OVERLAP_DEMANDS   /* what the greatest goal asks for all at once: in a nonogram all rows and
                         columns */
} Overlap;

/* Such subgames, and beside them those of the decomposition that are not within one of them (of
 * demands: not within all of them together). */
MultiTreeParts mtmcts_overlapping_parts(const Game *game, const Decomposition *decomposition,
                                        Overlap overlap);
/* Decomposes the game, from the initial state if `start` is NULL, and makes its parts. When the
 * deadline has passed, parts may be larger than necessary. */
MultiTreeParts mtmcts_find_parts(Game *game, const State *start, Overlap overlap, uint64_t seed,
                                 Deadline deadline);
void mtmcts_parts_free(MultiTreeParts *parts);

/* Several cuts of a game into parts, from one decomposition: first subgames that share nothing,
 * then by sub-goals and by demands, the cut with the smaller largest part first. */
typedef struct {
    MultiTreeParts items[MTMCTS_CUTS]; /* without parts: there is no such cut */
} MtmctsCuts;

/* From the initial state; for the deadline see mtmcts_find_parts. */
MtmctsCuts mtmcts_find_cuts(Game *game, uint64_t seed, Deadline deadline);
void mtmcts_cuts_free(MtmctsCuts *cuts);

typedef struct {
    MultiTreeOptions trees;
    bool keeps_whole; /* one tree for the whole game, which is not decomposed */
    bool keeps_part;  /* a single subgame has a tree of its own, without what else the state is */
    Overlap overlap;
    uint64_t first_turn; /* descents without a better match before another cut is tried; 0: 20000 */
    /* For mtmcts_solve: the best move is made after so many playouts, as in a match, and the
     * search goes on from there; 0: never. */
    uint64_t move_playouts;
    bool redecomposes; /* subgames are looked for again after every move made */
} MtmctsOptions;

/* `uct1`: the whole game as one subgame ("UCT-1SJ" of the literature), so a node for each state and
 * depth, and one transition for all moves with the same successor. It is what search by depth does
 * with a game in which a single subgame is found, step by step, with every seed. */
MtmctsOptions mtmcts_uct1_options(void);

/* The search of that name for a game that is decomposed already: a tree for each subgame, or one
 * for the whole game if there is only one. Takes over what it has a use for; the cuts are to be
 * freed all the same. */
Search *mtmcts_create(Game *game, MtmctsCuts *cuts, const SearchOptions *options);

typedef struct {
    NestedResult result;          /* its seconds are without decomposition */
    double decomposition_seconds; /* and of making the trees; 0 where the game is kept whole */
    MultiTreeCounts counts;
    uint64_t work[MTMCTS_CUTS]; /* of the trees of each cut, in the order of their turns */
} MtmctsSolution;

/* Decomposes and searches from the initial state until a match with the greatest goal is found or
 * the budget is spent. The game must have one role and a circuit. The seconds are CPU time. Free
 * the result with nested_result_free. */
void mtmcts_solve(Game *game, const MtmctsOptions *options, const SearchBudget *budget,
                  MtmctsSolution *solution);
