/* The states of a game as an explicit graph, built on demand. Each state is stored once, with its
 * successors in the order of joint moves, so that the rules are evaluated once per state. */
#pragma once

#include <assert.h>

#include "game/successors.h"
#include "search/exact/key_table.h"

enum { STATE_NODE_NONE = UINT32_MAX, MOVER_NONE = UINT8_MAX };

typedef enum {
    NODE_NEW,          /* nothing is known but the state */
    NODE_TERMINAL,     /* its goals are in `goals` from first_edge on */
    NODE_STUCK,        /* a role has no legal move: every goal is 0 */
    NODE_OPEN,         /* not terminal, successors not made yet */
    NODE_EXPANDED,     /* edges from first_edge on, one per joint move */
    NODE_SIMULTANEOUS, /* more than one role has a choice */
} NodeKind;

typedef struct {
    uint32_t parent;     /* the node that led here first; STATE_NODE_NONE at the root */
    uint32_t first_edge; /* into `edges`, or `goals` of a terminal node */
    uint32_t edge_count;
    uint32_t depth;      /* turns from the root on the path that found it first */
    uint8_t kind;        /* NodeKind */
    uint8_t mover;       /* the role with a choice, except chance; MOVER_NONE if there is none */
    uint16_t best;       /* the edge that decided the last question */
    int16_t low, high;   /* proven bounds of the first role's value */
    int16_t open_value;  /* it is unknown whether it reaches this value ... */
    uint16_t open_depth; /* ... within so many turns */
} StateNode;

typedef struct {
    Game *game;
    GameWork *work;
    VECTOR(StateNode) nodes;
    U32Vector edges;   /* successors */
    VECTOR(int) goals; /* goals of terminal nodes, one per role; undefined ones count as 0 */
    KeyTable keys;     /* the states, by node */
    size_t byte_limit;
    bool is_full; /* the memory limit is exceeded: no more nodes are added */
    struct {
        uint32_t first, end;  /* nodes whose moves were made */
        U32Vector first_made; /* by node from `first` on: its first question to `made` */
    } ahead;
    Successors *asked; /* the nodes of `ahead` themselves, one question each */
    Successors *made;  /* their joint moves */
    State state;       /* scratch */
    U32Vector *legal;  /* scratch, by role */
    uint32_t *joint;   /* scratch, by role */
} StateGraph;

void state_graph_init(StateGraph *graph, Game *game, const State *root, size_t byte_limit);
void state_graph_free(StateGraph *graph);
size_t state_graph_bytes(const StateGraph *graph);

/* Evaluates whether a new node is terminal, and its goals. The node becomes terminal or open. */
void state_graph_classify(StateGraph *graph, uint32_t node);
/* Makes the successors of an open node, and classifies those that are new. */
void state_graph_expand(StateGraph *graph, uint32_t node);
/* Classifies and expands the node, as far as that is not done yet. Quick for nodes in the order of
 * their numbers. */
void state_graph_settle(StateGraph *graph, uint32_t node);

/* The state of a node; it must not be changed. */
static inline State state_graph_state(const StateGraph *graph, uint32_t node) {
    return key_table_to_state(&graph->keys, node);
}

static inline uint32_t state_graph_child(const StateGraph *graph, const StateNode *node,
                                         uint32_t edge) {
    assert(node->kind == NODE_EXPANDED && edge < node->edge_count);
    return graph->edges.items[node->first_edge + edge];
}

/* True if no match goes on from the node. */
static inline bool is_end_of_match(const StateNode *node) {
    return node->kind == NODE_TERMINAL || node->kind == NODE_STUCK;
}

/* The role's goal in a node where the match ends; 0 for a role that could not move. */
static inline int state_graph_goal(const StateGraph *graph, const StateNode *node, uint32_t role) {
    return node->kind == NODE_TERMINAL ? graph->goals.items[node->first_edge + role] : 0;
}

/* The joint move behind an edge of an expanded node. */
void state_graph_joint_move(StateGraph *graph, uint32_t node, uint32_t edge, uint32_t *joint);
/* Sets the line to the joint moves from the root to a node, on the path that found it first. */
void state_graph_line_to(StateGraph *graph, uint32_t node, U32Vector *line);
/* The number of legal moves of the role at an expanded node. */
uint32_t state_graph_choices(StateGraph *graph, uint32_t node, uint32_t role);

/* The greatest goal value the rules can give the role. */
int greatest_goal_of(const Game *game, uint32_t role);
