/* Monte Carlo search over several trees at once (MT-MCTS, Hufschmitt, Vittaut and Jouandeau 2019),
 * for a game of one role that falls into subgames. It simulates globally and stores locally: states
 * are those of the whole game, so moves are legal and scores exact even if the decomposition is
 * wrong; statistics are kept in one graph per subgame. A node of such a graph is the subgame's part
 * of a state at a depth (or passage, see NodeKeys). A transition stores all moves that cause it. A
 * move that all graphs have evaluated needs no playout of its own, in whichever combination. */
#pragma once

#include "search/search.h"

/* With one subgame that is the whole game this is, by depth, `uct1` (mtmcts_uct1_options).
 *
 *     MtmctsTrees *trees = mtmcts_trees_create(game, &parts, &options);
 *     mtmcts_trees_set_state(trees, &state);
 *     while (!mtmcts_trees_is_solved(trees) && ...) mtmcts_trees_run(trees, &budget); */

/* Values of `subgame_of` for a fluent that does not belong to exactly one subgame. */
enum {
    PARTS_EVERYWHERE = UINT32_MAX, /* it is in the nodes of all trees */
    PARTS_NOWHERE = UINT32_MAX - 1 /* it is in no tree: autonomous or irrelevant */
};

typedef struct {
    uint32_t count;             /* subgames that have a tree */
    const uint32_t *subgame_of; /* by fluent: below count, or one of the two values above */
    /* In place of subgame_of if subgames overlap: by subgame, its set of fluents. NULL: unused. */
    const uint64_t *fluents;
    /* Set of moves that playouts make only if there are no others: they end the match with the
     * least goal, or act only in subgames without a score. NULL: none. */
    const uint64_t *last_resort_moves;
    /* For several roles, by subgame: the moves that can change it (multitree_find_acting). */
    const uint64_t *part_moves;
} GameParts;

/* The second term of a transition's value, beside the mean score of its matches: the mean of the
 * greatest score that the subgame's last state leaves possible, of the least, or of both. */
typedef enum { LOCAL_GREATEST, LOCAL_LEAST, LOCAL_MIDDLE } LocalEstimate;

/* How nodes with the same part of a state are told apart. By depth, as published: graphs have no
 * cycles. By passage, that is by how often the descent has come back to the part: statistics of a
 * part stay in one place, however many moves were made elsewhere ("passage matrix", a row for each
 * passage). A move elsewhere does not count as coming back; a move that changes nothing does. */
typedef enum { KEYS_DEPTH, KEYS_PASSAGE } NodeKeys;

/* How the values of a move in all subgames are combined. */
typedef enum { JOIN_AUTO, JOIN_PRODUCT, JOIN_SUM } JoinValues;

typedef struct {
    uint64_t seed;
    double exploration; /* constant c of UCB1; default 0.4 */
    double alpha;       /* weight of score against local estimate, 0 to 1; default 0.5 */
    LocalEstimate local;
    JoinValues join;
    NodeKeys keys;
    bool keeps_terminal_moves; /* for studies: moves that end the match are chosen like others */
    bool forgets_explored;     /* for studies, by depth: explored moves are not marked */
    bool ignores_untried;      /* for studies: untried moves are never looked for (see .c) */
    uint64_t descent_limit;    /* descents of one run at most; 0: no limit */
    uint32_t step_limit;       /* turns of one playout at most; default DEFAULT_STEP_LIMIT */
    size_t byte_limit;         /* for all trees and positions; default SEARCH_DEFAULT_NODE_BYTES */
} TreesOptions;

/* The defaults of what is no budget. */
#define TREES_DEFAULTS .exploration = 0.4, .alpha = 0.5, .keys = KEYS_PASSAGE

TreesOptions mtmcts_trees_default_options(void);

typedef struct {
    uint64_t descents;           /* iterations; some end without a playout */
    uint64_t playouts;           /* each comes with an expansion */
    uint64_t nodes, transitions; /* totals over all trees */
    uint64_t positions;          /* states of the whole game that were expanded */
    uint64_t work; /* steps times trees: a measure of time that does not depend on the machine */
    uint64_t illegal_merges; /* how often the decomposition turned out to be inconsistent */
    uint32_t subgames;       /* subgames at present, after inconsistent ones were joined */
    int best_score;          /* best score of any match played; GOAL_NONE before the first */
    double cpu_seconds;
} TreesCounts;

typedef struct MtmctsTrees MtmctsTrees;

/* Returns NULL unless the game has one role and a circuit. The game must outlive the trees. */
MtmctsTrees *mtmcts_trees_create(Game *game, const GameParts *parts, const TreesOptions *options);
void mtmcts_trees_free(MtmctsTrees *trees);

/* True if the trees have these parts, in any order. */
bool mtmcts_trees_has_parts(const MtmctsTrees *trees, const GameParts *parts);

/* Starts over from this state. */
void mtmcts_trees_set_state(MtmctsTrees *trees, const State *state);
/* The match has moved on to this state. Keeps the trees, and the best line if it leads there. */
void mtmcts_trees_advance(MtmctsTrees *trees, const State *next);
/* Replace the limits given in the options, from the next run on. */
void mtmcts_trees_limit_descents(MtmctsTrees *trees, uint64_t descents);
void mtmcts_trees_limit_bytes(MtmctsTrees *trees, size_t bytes);
/* Runs until the budget is spent, the greatest goal is reached, or all matches are explored. */
void mtmcts_trees_run(MtmctsTrees *trees, const SearchBudget *budget);

/* True if a match with the greatest goal was found from the present state on. */
bool mtmcts_trees_is_solved(const MtmctsTrees *trees);
/* True if all matches from the present state on are explored; hardly ever known with KEYS_DEPTH. */
bool mtmcts_trees_is_exhausted(const MtmctsTrees *trees);
/* The moves of the best match found from the present state on; empty if none was played. */
const U32Vector *mtmcts_trees_best_line(const MtmctsTrees *trees);
TreesCounts mtmcts_trees_counts(const MtmctsTrees *trees);

/* Lists the moves, one per successor, the best one first. Those that end the match are proven. */
void mtmcts_trees_moves(MtmctsTrees *trees, SearchResult *result);
