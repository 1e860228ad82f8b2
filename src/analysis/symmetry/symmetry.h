/* Symmetries of a game: permutations of fluents, of moves and perhaps of roles that map legal moves
 * to legal moves, next states to next states, ends to ends and goals to goals. They are the
 * automorphisms of a coloured graph of the ground rules, found by nauty (McKay and Piperno 2014).
 * The initial state is left out, so that they hold for all states.
 *
 * Each generator is tried out in random matches; one that fails is dropped and counted. */
#pragma once

#include "analysis/certainty.h"
#include "game/game.h"

/* Images; moves are numbered as in the circuit. */
typedef struct {
    uint32_t *fluents, *moves, *roles;
} GamePermutation;

typedef struct {
    uint32_t fluent_count, move_count, role_count;
    VECTOR(GamePermutation) generators;
    char *order;             /* of the group, in decimals; NULL if the search was broken off */
    double log10_order;      /* 0 then */
    uint32_t *fluent_orbits; /* by fluent: the least member of its orbit */
    uint32_t *move_orbits;   /* by move */
    bool is_complete;        /* every symmetry of the rules is a product of the generators */
    uint32_t refuted;        /* generators that failed in play: 0, or something is wrong */
    uint32_t vertices;       /* of the graph */
    size_t edges;
    double cpu_seconds;
} Symmetries;

typedef struct {
    double seconds;  /* CPU time; 0: the default of 10 */
    uint64_t seed;   /* of the matches that verify */
    bool swap_roles; /* players may change places; random never does */
    bool unverified; /* generators are not tried out */
} SymmetryOptions;

/* NULL if the game has no circuit or its rules take too long to prepare. */
Symmetries *symmetry_find(Game *game, const SymmetryOptions *options);
void symmetry_free(Symmetries *symmetries);

/* The automorphisms of some other graph of the same game, as what they do to fluents and moves. Its
 * vertices of fluents, moves and roles may be VERTEX_NONE. */
struct SymmetryGraph;
Symmetries *symmetry_of_graph(Game *game, const struct SymmetryGraph *graph,
                              const SymmetryOptions *options);

/* Subgames are given by their fluents: part_of has one number below `parts` a fluent, UINT32_MAX
 * for fluents of none. Writes for each part the least part that a symmetry maps onto it. */
void symmetry_of_parts(const Symmetries *symmetries, const uint32_t *part_of, uint32_t parts,
                       uint32_t *class_of);

/* All elements of a small group. */
typedef struct {
    uint32_t fluent_count;
    VECTOR(GamePermutation) items; /* the identity first */
} SymmetryGroup;

/* As many elements as allowed, those that need few generators first. Of those that do the same to
 * states and exchange nothing but moves there is one. */
SymmetryGroup *symmetry_some_elements(const Symmetries *symmetries, size_t most);
/* NULL if there are more than `most`. */
SymmetryGroup *symmetry_elements(const Symmetries *symmetries, size_t most);
void symmetry_group_free(SymmetryGroup *group);
void symmetry_apply(const GamePermutation *permutation, uint32_t fluent_count, const State *state,
                    State *image);
/* The least image of the state under the group: the same for all states of its orbit. Answers which
 * element leads to it. */
size_t symmetry_canonical(const SymmetryGroup *group, const State *state, State *canonical);
