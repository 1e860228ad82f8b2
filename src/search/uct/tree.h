/* The search tree, which is a graph: transpositions share a node, found by its hash and compared
 * exactly. The statistics of a role's move (an arm) are stored in the node where the move is made,
 * never in the child. So nodes can be dropped at any time: the budget of bytes is kept by dropping
 * unreachable nodes and those with the fewest visits. */
#pragma once

#include <math.h>

#include "base/memory.h"
#include "base/table.h"
#include "game/game.h"

#define TREE_NODE_NONE UINT32_MAX

/* Values of `mover` if not exactly one role has a choice. */
enum { MOVER_NOBODY = -1, MOVER_SEVERAL = -2 };

#define ARM_NO_PRIOR (-1.0f)

/* What is known of the successors of a node, at the turn for which its proofs are valid. */
typedef enum {
    ENDS_UNKNOWN, /* nobody looked */
    ENDS_NONE,    /* the match ends in none of them */
    ENDS_SOME     /* it ends in some of them */
} KnownEnds;

typedef struct TreeNode TreeNode;

typedef struct {
    double total;    /* sum of the role's values, 0..1 each, over the finished visits */
    TreeNode *child; /* where the mover's move leads; NULL: not known, or several roles choose */
    uint32_t visits; /* including virtual visits of playouts in progress */
    uint32_t move;   /* a move of the role */
    union {
        float exact; /* the role's exact value, 0..1, if proven */
        float prior; /* until proven: an evaluation's value or share, 0..1; ARM_NO_PRIOR: none */
    };
    uint16_t proof_depth;  /* turns to the end of the match after this arm, if proven */
    bool is_proven : 1;    /* only in nodes with one mover */
    bool is_twin : 1;      /* leads to the same child as another arm, which stands for both */
    bool is_postponed : 1; /* to be searched once all other arms are closed */
} Arm;

/* What a descent reads of an arm; tree_rate keeps it up to date. The arm's bound is the mean plus
 * the spread times a factor that all arms of the node share. Closed arms (proven, twins, postponed)
 * have minus infinity as their mean, untried ones infinity. */
typedef struct {
    float mean, spread; /* total / visits; 1 / sqrt(visits) */
} ArmRate;

typedef struct {
    uint64_t joint; /* number of the joint move in its node */
    uint32_t node;  /* number of the child; TREE_NODE_NONE: a free place */
} TreeLink;

/* What a descent reads comes first: it shares a cache line. */
struct TreeNode {
    Arm *arms; /* arms of all roles, role after role; NULL until expanded */
    ArmRate *rates;
    uint32_t *first_arm;
    void *extra;     /* the method's own data, from tree_alloc_extra */
    uint32_t visits; /* including virtual visits of playouts in progress */
    int mover;       /* the only role with a choice, or MOVER_NOBODY or MOVER_SEVERAL */
    uint16_t proof_depth;
    bool is_terminal, is_proven, is_stuck, is_reached;
    bool has_proven_arm;
    bool is_advised;     /* priors are shares for PUCT, and values come from an evaluation */
    uint8_t ends;        /* KnownEnds */
    uint32_t proof_turn; /* if keys leave out the time: the turn that the proofs are valid for */
    uint32_t id;
    uint64_t descents; /* set of the descents in progress that have passed the node, a bit each */
    double *values;    /* by role, 0..1; valid if proven or advised */
    State state;
    uint64_t hash;
    TreeLink *links; /* if several roles choose: hash table of children, with open addressing */
    uint32_t link_count, link_places;
    size_t extra_bytes;
};

typedef struct {
    uint32_t role_count;
    Arena memory;             /* nodes, arms and links */
    size_t max_bytes, bytes;  /* bytes allowed, and in use */
    VECTOR(TreeNode *) nodes; /* by number; NULL if the node was dropped */
    U32Vector free_ids;
    Table table;
    size_t count;
    bool is_full; /* an allocation failed since the last collection */
} Tree;

void tree_init(Tree *tree, uint32_t role_count, size_t budget);
/* Changes the budget of bytes; the next collection drops what exceeds it. */
void tree_set_budget(Tree *tree, size_t budget);
void tree_clear(Tree *tree);
void tree_free(Tree *tree);

TreeNode *tree_find(const Tree *tree, const State *state);
/* Adds a node. NULL if the budget is spent, unless it is forced. There must be no equal node. */
TreeNode *tree_add(Tree *tree, const State *state, bool forced);
/* Gives the node its arms: `legal` has a list for each role. False if the budget is spent. */
bool tree_expand(Tree *tree, TreeNode *node, const U32Vector *legal, bool forced);
/* Gives the node zeroed memory for the method. NULL if the budget is spent. */
void *tree_alloc_extra(Tree *tree, TreeNode *node, size_t bytes);

static inline uint32_t tree_arm_count(const TreeNode *node, uint32_t role) {
    return node->first_arm[role + 1] - node->first_arm[role];
}

static inline Arm *tree_arms(const TreeNode *node, uint32_t role) {
    return node->arms + node->first_arm[role];
}

/* Call it after an arm has changed. Arms of roles without a choice need no rate. */
static inline void tree_rate(const TreeNode *node, const Arm *arm) {
    ArmRate *rate = &node->rates[arm - node->arms];
    bool is_closed = arm->is_proven || arm->is_twin || arm->is_postponed;
    if (is_closed || !arm->visits) {
        *rate = (ArmRate){is_closed ? -INFINITY : INFINITY, 0};
        return;
    }
    float part = 1.0f / (float)arm->visits;
    *rate = (ArmRate){(float)arm->total * part, sqrtf(part)};
}

/* The number of a joint move, an arm for each role. False if joint moves exceed 64 bits. */
bool tree_joint(const Tree *tree, const TreeNode *node, const uint32_t *chosen, uint64_t *joint);
/* The child by a joint move; NULL if it is not linked. */
TreeNode *tree_child(const Tree *tree, const TreeNode *node, uint64_t joint);
/* Stores the link if the budget allows it; otherwise the child is found again by its state. */
void tree_link(Tree *tree, TreeNode *node, uint64_t joint, TreeNode *child);

/* Drops nodes until at most half of the room is used, or only the root is left. Nodes move in
 * memory: returns the root, and all other pointers to nodes are invalid. */
TreeNode *tree_collect(Tree *tree, TreeNode *root);
