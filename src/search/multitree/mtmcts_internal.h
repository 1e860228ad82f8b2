/* Shared by the files of the search over several trees. Sets of moves are bit sets: the label of a
 * transition, the tested or explored moves of a node, the legal moves of a position. So the
 * recommendations and votes of trees take a few words per transition. */
#pragma once

#include "game/goal.h"
#include "search/exact/key_table.h"
#include "search/multitree/part_masks.h"
#include "search/single/lookahead.h"

enum {
    TREES_NONE = UINT32_MAX,
    TABULATED_VISITS = 4096 /* visit counts below this have tabulated square roots (untuned) */
};

typedef struct {
    uint32_t part;
    uint32_t row; /* the depth, or the number of passages before this one */
    uint32_t visits;
    uint32_t first_transition;
    uint32_t base;         /* the node of the first passage; by depth the node itself */
    uint32_t next_row;     /* the node of the next passage; TREES_NONE if there is none */
    uint32_t passages;     /* in a base: how often `descent` has returned to it */
    uint32_t distance;     /* in a base: lower bound of the number of moves to an untried move */
    uint64_t descent;      /* number of the last descent that came here */
    const uint64_t *words; /* the subgame's fluents in the state */
} PartNode;

typedef struct {
    uint32_t child; /* the node that it leads to */
    uint32_t next;  /* the next transition of the same node; TREES_NONE ends the list */
    uint32_t visits;
    uint64_t descent;              /* number of the last descent that counted as a visit */
    double score, greatest, least; /* sums over visits of values from 0 to 1 */
    double mean;                   /* mean score, 0 to 1; 0 without visits */
    double value; /* exploitation term of the bound: score and local estimate, weighted */
    double width; /* 1 / sqrt(visits) */
} Transition;

/* A state of the whole game at a depth, with all its successors. */
typedef struct {
    uint32_t depth, move_count;
    const uint64_t *words;
    uint32_t *moves; /* one per successor, ascending */
    uint64_t *legal; /* set of these moves */
    uint64_t *ends;  /* set of the moves that end the match */
    uint64_t *open;  /* set of the other moves, without those known to lead to dead ends only */
    uint64_t *successors; /* by index of a move: word_count words */
    int *goals; /* by index of a move: goal of the final state; GOAL_NONE where the match goes on */
    uint32_t *positions; /* by index of a move: the next position; TREES_NONE: not known yet */
    uint32_t
        *nodes; /* by subgame: the node of the last descent here; TREES_NONE before the first */
    uint32_t winning; /* index of a move with the greatest goal; TREES_NONE if there is none */
    bool is_tested;   /* every move has a transition in every tree */
    bool is_evaluated;
} TreesPosition;

typedef struct {
    uint32_t transition;
    double bound;
} Recommended;

struct MtmctsTrees {
    Game *game;
    TreesOptions options;
    PartMasks parts;             /* the subgames' fluents and bounds */
    uint32_t word_count;         /* words per state */
    uint32_t set_words;          /* words per set of moves */
    uint64_t *last_resort_moves; /* set of moves (GameParts); NULL if there are none */
    int greatest_goal;
    bool joins_by_sum;
    LookAhead ahead;
    Random random;

    VECTOR(PartNode) nodes;
    VECTOR(uint64_t) node_sets; /* by node: set of tested moves */
    VECTOR(uint64_t) mark_sets; /* by node: set of explored moves; only with KEYS_DEPTH */
    VECTOR(Transition) transitions;
    VECTOR(uint64_t) transition_sets; /* by transition: set of the moves that cause it */
    VECTOR(TreesPosition) positions;
    KeyTable part_keys;   /* states of parts, labelled by subgame and depth */
    U32Vector part_nodes; /* by state of a part: its node, or that of its first passage */
    KeyTable position_keys;
    Arena position_arena;

    State root;
    uint32_t root_depth;
    uint64_t descent;     /* number of the present descent */
    U32Vector path;       /* transitions taken so far, step after step, subgame after subgame */
    U32Vector path_nodes; /* the nodes that these transitions leave */
    U32Vector path_positions;
    U32Vector played; /* moves of the present descent and its playout */
    U32Vector best_line;
    int best_score;
    bool is_solved;
    bool is_exhausted;
    uint64_t dead_ends, dead_end_limit; /* dead ends in a row, and how many are allowed */
    TreesCounts counts;

    uint64_t equal_playouts; /* playouts in a row with the same result in all trees */
    bool was_uninformative;  /* `equal_playouts` was large at some time */
    uint32_t deepest;        /* greatest depth of a node when it was made, in moves from the root */
    bool has_no_untried;     /* no untried move is within that depth, except in later passages */
    U32Vector route;         /* path to an untried move: indices of moves */
    U32Vector route_positions,
        route_nodes;        /* nodes along the route, including both ends; subgame after subgame */
    U32Vector route_limits; /* by position on the route: how many moves may follow at most */

    /* Scratch. */
    State state, end;
    U32Vector untested, legal;
    U32Vector successor_slots; /* hash table of the successors of one position */
    bool *ends;                /* by index of a move of one position */
    uint64_t *candidates, *allowed, *voted, *planes; /* sets of moves */
    uint32_t plane_count;
    VECTOR(Recommended) recommended;
    double *gains;                        /* by move */
    double *local_greatest, *local_least; /* by subgame: left possible by the last playout */
    double last_score;                    /* score of the last playout */
    double *inverse_roots, *log_roots;    /* 1 / sqrt(n) and sqrt(ln n) for small n */
};

static inline uint64_t *tested_moves(const MtmctsTrees *t, uint32_t node) {
    return t->node_sets.items + (size_t)node * t->set_words;
}

static inline uint64_t *explored_moves(const MtmctsTrees *t, uint32_t node) {
    return t->mark_sets.items + (size_t)node * t->set_words;
}

/* True if two nodes have the same state of the part; passages may differ. */
static inline bool is_same_base(const MtmctsTrees *t, uint32_t node, uint32_t other) {
    return t->nodes.items[node].base == t->nodes.items[other].base;
}

static inline uint64_t *transition_moves(const MtmctsTrees *t, uint32_t transition) {
    return t->transition_sets.items + (size_t)transition * t->set_words;
}

static inline const uint64_t *successor_of(const MtmctsTrees *t, const TreesPosition *position,
                                           uint32_t index) {
    return position->successors + (size_t)index * t->word_count;
}

/* ---- mtmcts_trees.c ---- */

/* Expands the position that t->played leads to. Moves that end the match count as matches. */
void mtmcts_trees_look_at(MtmctsTrees *t, uint32_t id);

/* ---- mtmcts_nodes.c: the trees ---- */

/* True if the state agrees with the node in the fluents of its subgame. */
bool mtmcts_trees_is_part(const MtmctsTrees *t, uint32_t node, const uint64_t *words);
/* The node of a subgame for a state, made if it is new: at that depth, or of the first passage. */
uint32_t mtmcts_trees_node(MtmctsTrees *t, uint32_t subgame, uint32_t depth, const uint64_t *words);
/* The node of the descent's present passage through a base. `is_return`: it is back at the base. */
uint32_t mtmcts_trees_passage(MtmctsTrees *t, uint32_t base, bool is_return);
/* The transition that a tested move causes in the node. */
uint32_t mtmcts_trees_transition(const MtmctsTrees *t, uint32_t node, uint32_t move);
/* Records that an untested move leads to the child. True if the transition is new. */
bool mtmcts_trees_label(MtmctsTrees *t, uint32_t node, uint32_t move, uint32_t child);
void mtmcts_trees_forget_trees(MtmctsTrees *t);
void mtmcts_trees_forget_marks(MtmctsTrees *t);

/* ---- mtmcts_positions.c: states of the whole game, one step ahead ---- */

uint32_t mtmcts_trees_position(MtmctsTrees *t, uint32_t depth, const uint64_t *words);
uint32_t mtmcts_trees_position_after(MtmctsTrees *t, uint32_t id, uint32_t index);
/* Finds the moves, successors and ends of a position; the caller finds its nodes. */
void mtmcts_trees_look_ahead(MtmctsTrees *t, uint32_t id);
/* The index of a legal move among the position's moves. */
uint32_t mtmcts_trees_index_of(const TreesPosition *position, uint32_t move);
void mtmcts_trees_forget_positions(MtmctsTrees *t);

/* For a move that leads to another node of the subgame than in an earlier position with the same
 * node: joins the subgames that made the difference. All trees start over. */
void mtmcts_trees_resolve(MtmctsTrees *t, uint32_t subgame, uint32_t move, uint32_t position);

/* ---- mtmcts_untried.c: where values say nothing ---- */

/* Finds t->route, a shortest path to a position with an untried or a winning move. False if there
 * is none (t->has_no_untried, t->is_exhausted) or the search takes too long. Overwrites t->played.
 */
bool mtmcts_trees_find_untried(MtmctsTrees *t);

/* ---- mtmcts_select.c: votes and expected gains ---- */

/* The index of the move to make among t->candidates, which must not be empty. `heeds_marks`: moves
 * that are not marked as explored go first; only with KEYS_DEPTH. */
uint32_t mtmcts_trees_choose(MtmctsTrees *t, const TreesPosition *position, double exploration,
                             bool heeds_marks);
/* Computes mean, value and width of a transition after a visit. */
void mtmcts_trees_refresh(const MtmctsTrees *t, Transition *transition);
