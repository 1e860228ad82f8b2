/* What the files of the search over several trees share. Moves are sets of bits everywhere: what a
 * transition is labelled with, what was tested or explored in a node, what is legal in a position.
 * So a tree recommends moves, and the trees vote, by a few words a transition. */
#pragma once

#include "game/goal.h"
#include "search/exact/key_table.h"
#include "search/multitree/part_masks.h"
#include "search/single/lookahead.h"

enum {
    NONE = UINT32_MAX,
    ROOTS = 4096 /* numbers of visits whose roots are kept */
};

typedef struct {
    uint32_t subgame;
    uint32_t row; /* depth, or passages before this one */
    uint32_t visits;
    uint32_t first_transition;
    uint32_t base;         /* the node of the first passage; by depth itself */
    uint32_t next_row;     /* the node of the next passage; NONE without */
    uint32_t passages;     /* of a base: returns to it in the descent of that number */
    uint32_t distance;     /* of a base: no untried move can be reached with fewer moves */
    uint64_t descent;      /* the last one that came here */
    const uint64_t *words; /* the subgame's fluents of the state */
} PartNode;

typedef struct {
    uint32_t child; /* node */
    uint32_t next;  /* transition of the same node */
    uint32_t visits;
    uint64_t descent;              /* the last one that counted as a visit */
    double score, greatest, least; /* sums */
    double mean;                   /* of scores; 0 without visits */
    double value;                  /* that counts in the selection */
    double width;                  /* 1 / sqrt(visits) */
} Transition;

/* A state of the whole game at a depth, with all that one step ahead shows. */
typedef struct {
    uint32_t depth, move_count;
    const uint64_t *words;
    uint32_t *moves;      /* one for each successor, ascending */
    uint64_t *legal;      /* the same as a set */
    uint64_t *ends;       /* those that end the match */
    uint64_t *open;       /* the others, but for those that are known to lead to dead ends alone */
    uint64_t *successors; /* word_count a move */
    int *goals;           /* by index of a move; GOAL_NONE where the match goes on */
    uint32_t *positions;  /* by index: after it; NONE: not found yet */
    uint32_t *nodes;      /* by subgame: those of the descent that was here last; NONE before */
    uint32_t winning;     /* index of a move with the greatest goal; NONE without */
    bool is_tested;       /* every move has a transition in every tree */
    bool is_evaluated;
} Position;

typedef struct {
    uint32_t transition;
    double bound;
} Recommended;

struct MultiTree {
    Game *game;
    MultiTreeOptions options;
    PartMasks parts;     /* the subgames */
    uint32_t word_count; /* of states */
    uint32_t set_words;  /* of sets of moves */
    uint64_t *idle_ends; /* moves; NULL if there are none */
    int greatest_goal;
    bool joins_by_sum;
    LookAhead ahead;
    Random random;

    VECTOR(PartNode) nodes;
    VECTOR(uint64_t) node_sets; /* of each node: tested moves */
    VECTOR(uint64_t) mark_sets; /* of each node: explored moves; by depth alone */
    VECTOR(Transition) transitions;
    VECTOR(uint64_t) transition_sets; /* of each transition: the moves that cause it */
    VECTOR(Position) positions;
    KeyTable part_keys;   /* the parts of nodes, by subgame and depth */
    U32Vector part_nodes; /* by part: its node, or the one of its first passage */
    KeyTable position_keys;
    Arena position_arena;

    State root;
    uint32_t root_depth;
    uint64_t descent;     /* number of the present one */
    U32Vector path;       /* transitions, subgame after subgame, step after step */
    U32Vector path_nodes; /* the nodes they leave */
    U32Vector path_positions;
    U32Vector played; /* moves of the present descent and match */
    U32Vector best_line;
    int best_score;
    bool is_solved;
    bool is_exhausted;
    uint64_t dead_ends, dead_end_limit; /* in a row */
    MultiTreeCounts counts;

    uint64_t alike;   /* playouts in a row that came out the same in all trees */
    bool was_blind;   /* they were many at some time */
    uint32_t deepest; /* moves from the first state to a node when it was made, at most */
    bool knows_all;   /* no untried move is as near as that, but for those of later passages */
    U32Vector way;    /* indices of moves, to an untried one */
    U32Vector way_positions, way_nodes; /* on the way, with both ends; subgame after subgame */
    U32Vector way_limits;               /* moves left at most, likewise */

    /* Scratch. */
    State state, end;
    U32Vector untested, legal;
    U32Vector successor_slots;                       /* hash table of one position */
    bool *ends;                                      /* by index of a move of one position */
    uint64_t *candidates, *allowed, *voted, *planes; /* sets of moves */
    uint32_t plane_count;
    VECTOR(Recommended) recommended;
    double *gains;                        /* by move */
    double *local_greatest, *local_least; /* by subgame, of the last playout */
    double last_score;                    /* its score */
    double *inverse_roots, *log_roots;    /* 1 / sqrt(n) and sqrt(ln n) for small n */
};

static inline uint64_t *tested_moves(const MultiTree *t, uint32_t node) {
    return t->node_sets.items + (size_t)node * t->set_words;
}

static inline uint64_t *explored_moves(const MultiTree *t, uint32_t node) {
    return t->mark_sets.items + (size_t)node * t->set_words;
}

/* Whether two nodes are the same part of a state, by whatever key. */
static inline bool is_same_base(const MultiTree *t, uint32_t node, uint32_t other) {
    return t->nodes.items[node].base == t->nodes.items[other].base;
}

static inline uint64_t *transition_moves(const MultiTree *t, uint32_t transition) {
    return t->transition_sets.items + (size_t)transition * t->set_words;
}

static inline const uint64_t *successor_of(const MultiTree *t, const Position *position,
                                           uint32_t index) {
    return position->successors + (size_t)index * t->word_count;
}

/* ---- multitree.c ---- */

/* Looks ahead, the first time, from a position to which t->played leads: ends are as good as
 * matches played. */
void multitree_look_at(MultiTree *t, uint32_t id);

/* ---- multitree_nodes.c: the trees ---- */

/* Whether a state has the node's part. */
bool multitree_is_part(const MultiTree *t, uint32_t node, const uint64_t *words);
/* The node of a subgame for a state, made if there is none: the one at that depth, or that of the
 * first passage. */
uint32_t multitree_node(MultiTree *t, uint32_t subgame, uint32_t depth, const uint64_t *words);
/* The node of the descent's present passage through a base, which has come back to it or not. */
uint32_t multitree_passage(MultiTree *t, uint32_t base, bool is_return);
/* The transition that a tested move causes. */
uint32_t multitree_transition(const MultiTree *t, uint32_t node, uint32_t move);
/* Notes where an untested move leads; true if no other move was known to lead there. */
bool multitree_label(MultiTree *t, uint32_t node, uint32_t move, uint32_t child);
void multitree_forget_trees(MultiTree *t);
void multitree_forget_marks(MultiTree *t);

/* ---- multitree_positions.c: states of the whole game, one step ahead ---- */

uint32_t multitree_position(MultiTree *t, uint32_t depth, const uint64_t *words);
uint32_t multitree_position_after(MultiTree *t, uint32_t id, uint32_t index);
/* Moves, successors and ends; nodes are found by the caller. */
void multitree_look_ahead(MultiTree *t, uint32_t id);
/* Among the position's moves. */
uint32_t multitree_index_of(const Position *position, uint32_t move);
void multitree_forget_positions(MultiTree *t);

/* ---- multitree_parts.c: subgames, and decompositions that turn out wrong ---- */

/* In this position the move leads elsewhere in the subgame than it did in another with the same
 * node: joins what made the difference. All trees start over. */
void multitree_resolve(MultiTree *t, uint32_t subgame, uint32_t move, uint32_t position);

/* ---- multitree_untried.c: where values say nothing ---- */

/* Finds t->way, the shortest to a position with an untried or a winning move. False if there is
 * none (t->knows_all, t->is_exhausted) or it would take longer than a descent should; t->played is
 * overwritten. */
bool multitree_find_untried(MultiTree *t);

/* ---- multitree_select.c: votes and expected gains ---- */

/* Index of the move to make among t->candidates, which must not be empty. Marks, which are there by
 * depth alone, may be ignored. */
uint32_t multitree_choose(MultiTree *t, const Position *position, double exploration,
                          bool heeds_marks);
/* After a visit. */
void multitree_refresh(const MultiTree *t, Transition *transition);
