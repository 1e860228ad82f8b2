/* What the files of `trees` share: search over several trees for several roles, an extension of
 * MT-MCTS (multitree.h) of our own. States are those of the whole game. A tree has a node for each
 * part of a state and each set of roles with a choice there, so that the turn, which is no part of
 * any subgame, counts. What is known of a role's moves in a node stands in slots: where one role
 * has a choice, moves that lead to the same part share a slot, so that a move known to all trees
 * needs no playout of its own; where several have one, each move of each role has its own
 * (decoupled UCT), since what it leads to depends on the others, but for those that cannot change
 * the part at all: they share one, so that a tree has no opinion on moves that are not its own. */
#pragma once

#include "search/exact/key_table.h"
#include "search/goals.h"
#include "search/multitree/mtmcts.h"
#include "search/multitree/part_masks.h"
#include "search/search.h"

enum { MULTIROLE_NONE = UINT32_MAX, MULTIROLE_IDLE = UINT32_MAX - 1, MULTIROLE_MOST_ROLES = 32 };

/* What a tree knows about a part of a state where certain roles have a choice. */
typedef struct {
    uint32_t visits;
    uint32_t first_slot;
} RoleNode;

typedef struct {
    uint32_t next; /* of the same node */
    uint32_t role;
    /* Part that the moves lead to. If several roles choose, the move, or MULTIROLE_IDLE. */
    uint32_t target;
    uint32_t visits;
    double score, greatest; /* sums of values for the role */
} RoleSlot;

/* A state of the whole game. */
typedef struct {
    uint32_t choosers; /* roles with a choice, as bits */
    uint32_t mover;    /* the only role that chooses; MULTIROLE_NONE if there are several */
    uint32_t first[MULTIROLE_MOST_ROLES + 1]; /* moves of a role among `moves` */
    uint32_t *moves;
    uint32_t *visits; /* by move */
    uint32_t *slots;  /* by subgame, then by move; MULTIROLE_NONE: not tried there */
    uint32_t *nodes;  /* by subgame */
    uint32_t *after;  /* by move of the mover: positions */
    double *values;   /* by role, at the end of a match or where it is proven; NULL elsewhere */
    bool is_open;     /* moves are known */
} RolePosition;

/* A visit of a node on the way down. */
typedef struct {
    uint32_t subgame, node, slot;
} RoleStep;

typedef struct {
    Search search;
    SearchOptions options;
    double exploration, alpha;
    GameWork *work;
    Random random;
    PartMasks parts; /* the subgames; none before the first run */
    uint32_t word_count;
    uint64_t *acting; /* by subgame, a bit set of the circuit's moves that can change it */
    GoalRange ranges[MULTIROLE_MOST_ROLES];
    bool joins_by_sum;  /* some subgame alone can give a role the most there is */
    uint32_t players;   /* roles that are not chance */
    bool is_zero_sum;   /* two players, and no end was seen in which they do not share one point */
    bool has_misjudged; /* proofs rest on such sums although an end had another one */

    VECTOR(RoleNode) nodes;
    VECTOR(RoleSlot) slots;
    VECTOR(RolePosition) positions;
    KeyTable part_keys; /* parts of states in subgames */
    KeyTable node_keys, position_keys;
    Arena arena;

    State root;
    VECTOR(RoleStep) path;
    U32Vector passed; /* positions of the present descent */
    uint64_t playouts;
    uint32_t deepest;
    double cpu_seconds;

    /* Scratch. */
    State state, next;
    U32Vector legal, untried;
    VECTOR(uint32_t) votes;
    double *local; /* by subgame and role */
} MultiRole;

static inline uint32_t *multirole_slots(const RolePosition *p, uint32_t roles, uint32_t subgame) {
    return p->slots + (size_t)subgame * p->first[roles];
}

/* The search for a game that is decomposed already; NULL: it decomposes in its first run. */
Search *multirole_create(Game *game, uint32_t role, const MultiTreeParts *parts,
                         const SearchOptions *options);

/* For parts that several searches are made of: moves that can change each, to be kept with them. */
uint64_t *multirole_find_acting(const Game *game, const MultiTreeParts *parts);

static inline uint64_t *multirole_acting(const MultiRole *t, uint32_t subgame) {
    return t->acting + subgame * bitset_words(t->search.game->circuit->move_count);
}

/* ---- multirole_store.c ---- */

/* The position of a state, with its goals if the match is over there. */
uint32_t multirole_position(MultiRole *t, const State *state);
/* Finds the moves, nodes and, where one role chooses, what follows. */
void multirole_open(MultiRole *t, uint32_t id);
/* Takes over the best of what follows if it is known to be best for the only role that chooses, and
 * known what that means for the others: true if the position is proven now. */
bool multirole_prove(MultiRole *t, uint32_t id);
/* The slot of a move in a tree, made if there is none; true in `is_new` if it was. */
uint32_t multirole_slot(MultiRole *t, uint32_t position, uint32_t subgame, uint32_t role,
                        uint32_t index, bool *is_new);
/* The state of a position; it must not be changed. */
static inline State multirole_state(const MultiRole *t, uint32_t position) {
    return key_table_to_state(&t->position_keys, position);
}
void multirole_forget(MultiRole *t);
size_t multirole_bytes(const MultiRole *t);
