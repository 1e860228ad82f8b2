/* Search over several trees for several roles, our own extension of MT-MCTS (mtmcts_trees.h).
 * Descents play the whole game; statistics are kept in one tree per part, a part being the fluents
 * of a subgame. A node is a state of a part together with the set of roles that have a choice, so
 * that positions with different players to move differ. */
#pragma once

#include "search/exact/key_table.h"
#include "search/goals.h"
#include "search/multitree/mtmcts.h"
#include "search/multitree/part_masks.h"
#include "search/search.h"

/* The statistics of a role's moves in a node are in slots. Where one role has a choice, moves that
 * lead to the same state of the part share a slot, so that a move known to all trees needs no
 * playout of its own. Where several roles have a choice, each move of each role has a slot of its
 * own (decoupled UCT), since its effect depends on the other roles. Moves that cannot change the
 * part share one slot, so that a tree has no opinion on moves in other subgames. */

enum { MULTITREE_NONE = UINT32_MAX, MULTITREE_IDLE = UINT32_MAX - 1, MULTITREE_MAX_ROLES = 32 };

/* A state of a part, with a set of roles that have a choice. */
typedef struct {
    uint32_t visits;
    uint32_t first_slot;
} MultiTreeNode;

typedef struct {
    uint32_t next; /* the next slot of the same node; MULTITREE_NONE ends the list */
    uint32_t role;
    /* One role has a choice: number of the part's state that the moves lead to. Several: the move,
     * or MULTITREE_IDLE. */
    uint32_t target;
    uint32_t visits;
    double score, greatest; /* sums over visits: the role's value; the most left possible */
} MultiTreeSlot;

/* A state of the whole game. */
typedef struct {
    uint32_t choosers; /* bit set of the roles with a choice */
    uint32_t mover;    /* the only role with a choice; MULTITREE_NONE if several have one */
    uint32_t first[MULTITREE_MAX_ROLES + 1]; /* by role: index of its first move in `moves` */
    uint32_t *moves;
    uint32_t *visits; /* by move */
    uint32_t *slots;  /* by subgame, then by move; MULTITREE_NONE: not tried in that tree */
    uint32_t *nodes;  /* by subgame: the node of this position */
    uint32_t *after;  /* by move of the mover: the next position */
    double *values;   /* by role, 0 to 1, if the position is terminal or proven; NULL otherwise */
    bool is_open;     /* moves and nodes are filled in */
} MultiTreePosition;

/* A visit of a node on the path of a descent. */
typedef struct {
    uint32_t part, node, slot;
} MultiTreeStep;

typedef struct {
    Search search;
    SearchOptions options;
    GameWork *work;
    Random random;
    PartMasks parts; /* the subgames; none before the first run */
    uint32_t word_count;
    uint64_t *acting; /* by subgame: bit set of the circuit's moves that can change it */
    GoalRange ranges[MULTITREE_MAX_ROLES];
    bool joins_by_sum;  /* a subgame alone can give a role its greatest goal */
    bool is_zero_sum;   /* two players, whose values added up to 1 in every final state seen */
    bool has_misjudged; /* a final state had another sum: proofs so far may be wrong */

    VECTOR(MultiTreeNode) nodes;
    VECTOR(MultiTreeSlot) slots;
    VECTOR(MultiTreePosition) positions;
    KeyTable part_keys; /* numbers of the states of parts */
    KeyTable node_keys, position_keys;
    Arena arena;

    State root;
    VECTOR(MultiTreeStep) path;
    U32Vector passed; /* positions on the path of the present descent */

    /* Scratch. */
    State state, next;
    U32Vector legal, untried;
    VECTOR(uint32_t) votes;
    double *local; /* by subgame and role: the greatest value left possible */
} MultiTree;

static inline uint32_t *multitree_slots(const MultiTreePosition *p, uint32_t roles,
                                        uint32_t subgame) {
    return p->slots + (size_t)subgame * p->first[roles];
}

/* Creates the search for a game with these parts. NULL: the first run decomposes the game. */
Search *multitree_create(Game *game, uint32_t role, const GameParts *parts,
                         const SearchOptions *options);

/* By subgame: the set of moves that can change it (GameParts.part_moves). The caller frees it. */
uint64_t *multitree_find_acting(const Game *game, const GameParts *parts);

static inline uint64_t *multitree_acting(const MultiTree *t, uint32_t subgame) {
    return t->acting + subgame * bitset_words(t->search.game->circuit->move_count);
}

/* ---- multitree_store.c ---- */

/* The number of the position with this state; added if new, with its values if it is terminal. */
uint32_t multitree_position(MultiTree *t, const State *state);
/* Fills in the moves, the nodes and, if one role has a choice, the positions that follow. */
void multitree_open(MultiTree *t, uint32_t id);
/* Tries to prove the position from its successors: it takes the values of the mover's best move if
 * that is known to be best, and its values for all roles are certain. True if it is proven. */
bool multitree_prove(MultiTree *t, uint32_t id);
/* The slot of a move in a tree. If there was none, it is made and `is_new` is set to true. */
uint32_t multitree_slot(MultiTree *t, uint32_t position, uint32_t subgame, uint32_t role,
                        uint32_t index, bool *is_new);
/* The state of a position; it must not be changed. */
static inline State multitree_state(const MultiTree *t, uint32_t position) {
    return key_table_to_state(&t->position_keys, position);
}
void multitree_forget(MultiTree *t);
size_t multitree_bytes(const MultiTree *t);
