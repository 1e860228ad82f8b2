/* Monte Carlo search over several trees at once (MT-MCTS, Hufschmitt, Vittaut and Jouandeau 2019),
 * for a game of one role that falls into subgames. Simulate globally, store locally: the state is
 * always that of the whole game, so moves are legal and scores exact whatever the decomposition is
 * worth; but statistics are kept in one graph for each subgame, whose nodes are the subgame's part
 * of a state at a depth (or passage, see NodeKeys) and whose transitions know all moves that cause
 * them. Moves that the graphs have evaluated already need no playout of their own, whichever
 * combination they stand in.
 *
 * With one subgame that is the whole game this is, by depth, `uct1` (mtmcts_uct1_options).
 *
 *     MultiTree *trees = multitree_create(game, &parts, &options);
 *     multitree_set_state(trees, &state);
 *     while (!multitree_is_solved(trees) && ...) multitree_run(trees, &budget);
 */
#pragma once

#include "search/search.h"

#define MULTITREE_DEFAULT_BYTES ((size_t)1 << 30)

/* Where a fluent belongs that is in no single subgame. */
enum {
    MULTITREE_EVERYWHERE = UINT32_MAX, /* in the nodes of all trees */
    MULTITREE_NOWHERE = UINT32_MAX - 1 /* in none: it runs by itself or does not matter */
};

typedef struct {
    uint32_t count;             /* of subgames with a tree */
    const uint32_t *subgame_of; /* by fluent: below count, or one of the two above */
    /* Or, for subgames that overlap: their fluents as sets, one after the other. NULL: as above. */
    const uint64_t *fluents;
    /* Moves as a set, which playouts make only if there are no others: those that end the match
     * for nothing or never change the score. NULL: none. */
    const uint64_t *idle_ends;
    /* Of several roles: moves that can change a subgame, as sets one after the other, where they
     * were found already (multirole_find_acting). NULL: they were not. */
    const uint64_t *acting;
} MultiTreeParts;

/* What a transition is worth beside the mean score of matches through it: the mean of the greatest
 * score that the subgame's last state leaves possible, of the least, or of both. */
typedef enum { LOCAL_GREATEST, LOCAL_LEAST, LOCAL_MIDDLE } LocalEstimate;

/* What tells nodes with the same part of a state apart. The depth, so that graphs have no cycles
 * and every subgame counts its own steps; or how often the descent has come back to that part,
 * which keeps what is known about a part in one place however many moves were made elsewhere
 * ("passage matrix", a row for each passage). Moves elsewhere are no way back; a move that changes
 * nothing at all is. */
typedef enum { KEYS_DEPTH, KEYS_PASSAGE } NodeKeys;

/* How the subgames' values of a move are joined. */
typedef enum { JOIN_AUTO, JOIN_PRODUCT, JOIN_SUM } JoinValues;

typedef struct {
    uint64_t seed;
    double exploration; /* 0.4 */
    double alpha;       /* weight of the global score, the rest for the local estimate; 0.5 */
    LocalEstimate local;
    JoinValues join;
    NodeKeys keys;
    bool
        keeps_terminal_moves; /* for experiments: moves that end the match are chosen like others */
    bool forgets_explored;    /* for experiments, by depth: no marks on explored moves */
    bool keeps_to_values;     /* for experiments: also where matches all come out the same */
    uint64_t descent_limit;   /* of one run: most may end without a playout; 0: none */
    uint32_t step_limit;      /* turns of one playout; 0: 10000 */
    size_t byte_limit;        /* of all trees and positions; 0: the default */
} MultiTreeOptions;

MultiTreeOptions multitree_default_options(void);

typedef struct {
    uint64_t descents,
        playouts; /* every playout comes with an expansion; a descent may end without */
    uint64_t nodes, transitions; /* of all trees */
    uint64_t positions;          /* of the whole game looked at closely */
    uint64_t work; /* steps, one for each move and tree: time that does not depend on the machine */
    uint64_t illegal_merges; /* times a decomposition turned out to be inconsistent */
    uint32_t subgames;       /* now: inconsistent ones are joined */
    int best_score;          /* of any match played; GOAL_NONE before the first */
    double cpu_seconds;
} MultiTreeCounts;

typedef struct MultiTree MultiTree;

/* The game must have one role and a circuit; NULL otherwise. It must outlive the trees. */
MultiTree *multitree_create(Game *game, const MultiTreeParts *parts,
                            const MultiTreeOptions *options);
void multitree_free(MultiTree *trees);

/* Whether these are the subgames that have trees, in whichever order. */
bool multitree_has_parts(const MultiTree *trees, const MultiTreeParts *parts);

/* Starts over from this state. */
void multitree_set_state(MultiTree *trees, const State *state);
/* The match has moved on: nodes below stay, and the best line if it leads to this state. */
void multitree_advance(MultiTree *trees, const State *next);
/* From the next run on, in place of those of the options. */
void multitree_limit_descents(MultiTree *trees, uint64_t descents);
void multitree_limit_bytes(MultiTree *trees, size_t bytes);
/* Until the budget is spent, a match with the greatest goal is found, or all are known. */
void multitree_run(MultiTree *trees, const SearchBudget *budget);

/* A match with the greatest goal was found from the present state on. */
bool multitree_is_solved(const MultiTree *trees);
/* Every match from the present state on was followed to its end or to one that is no better than
 * the best line, which is the best there is. By depth hardly ever found out. */
bool multitree_is_exhausted(const MultiTree *trees);
/* The moves of the best match found from the present state on; empty if none was played. */
const U32Vector *multitree_best_line(const MultiTree *trees);
MultiTreeCounts multitree_counts(const MultiTree *trees);

typedef struct {
    uint32_t move;
    double value; /* expected goal */
    uint64_t visits;
    bool ends; /* the match; the value is exact */
} MultiTreeMove;

/* The moves of the present state, one for each successor, the one to play first. If it goes on with
 * the best line, that line begins with it. */
typedef VECTOR(MultiTreeMove) MultiTreeMoves;
void multitree_moves(MultiTree *trees, MultiTreeMoves *moves);
