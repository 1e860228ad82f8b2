/* Symmetries of a game: permutations of fluents, of moves and perhaps of roles that map legal moves
 * to legal moves, next states to next states, ends to ends and goals to goals. They are the
 * automorphisms of a coloured graph of the ground rules, found by nauty (McKay and Piperno 2014).
 * The initial state is left out, so that they hold for all states.
 *
 * Each generator is tried out in random matches; one that fails is dropped and counted. */
#pragma once

#include "analysis/certainty.h"
#include "game/game.h"

typedef struct {
    uint32_t *fluents, *moves, *roles; /* images by index; moves are numbered as in the circuit */
} GamePermutation;

void permutation_free(GamePermutation *permutation);

typedef struct {
    uint32_t fluent_count, move_count, role_count;
    VECTOR(GamePermutation) generators;
    char *order; /* order of the group as a decimal number; NULL if the search did not finish */
    double log10_order;      /* decimal logarithm of the order; 0 if the search did not finish */
    uint32_t *fluent_orbits; /* by fluent: the least fluent of its orbit */
    uint32_t *move_orbits;   /* by move: the least move of its orbit */
    bool is_complete;        /* every symmetry of the rules is a product of the generators */
    uint32_t refuted;  /* number of generators that failed in play; nonzero only by a defect */
    uint32_t vertices; /* number of vertices of the graph */
    size_t edges;      /* number of edges of the graph */
    double cpu_seconds;
} Symmetries;

typedef struct {
    double seconds;  /* CPU seconds; 0 stands for the default of 10 */
    uint64_t seed;   /* seed of the random matches that test generators */
    bool swap_roles; /* players may be exchanged with each other; the random role never is */
    bool unverified; /* generators are not tested in random matches */
} SymmetryOptions;

/* Returns NULL if the game has no circuit or its rules take too long to prepare. */
Symmetries *symmetry_find(Game *game, const SymmetryOptions *options);
void symmetry_free(Symmetries *symmetries);
/* The symmetries that keep every role in its place, and those that may exchange players, each with
 * half of the seconds. *swapping is NULL if there is only one player, or *fixed is NULL. */
void symmetry_find_both(Game *game, const SymmetryOptions *options, Symmetries **fixed,
                        Symmetries **swapping);

/* Finds the automorphisms of another graph of the game, as permutations of fluents and moves. The
 * vertices of fluents, moves and roles may be VERTEX_NONE. */
struct SymmetryGraph;
Symmetries *symmetry_of_graph(Game *game, const struct SymmetryGraph *graph,
                              const SymmetryOptions *options);

/* Plays random matches together with their images. True if the image of each state has the same end
 * and goals, and its legal moves and its next state are the images of those of the state. */
bool symmetry_holds_in_play(Game *game, const GamePermutation *permutation, uint64_t seed,
                            CpuBudget budget);

/* All elements of a small group. */
typedef struct {
    uint32_t fluent_count;
    VECTOR(GamePermutation) items; /* the identity first */
} SymmetryGroup;

/* Returns at most `most` elements, products of few generators first. Of elements that differ only
 * in moves, one is listed. */
SymmetryGroup *symmetry_some_elements(const Symmetries *symmetries, size_t most);
/* Returns all elements; NULL if there are more than `most`. */
SymmetryGroup *symmetry_elements(const Symmetries *symmetries, size_t most);
void symmetry_group_free(SymmetryGroup *group);
void symmetry_apply(const GamePermutation *permutation, uint32_t fluent_count, const State *state,
                    State *image);
/* Computes the least image of the state under the group, which is equal for all states of an orbit.
 * Returns the index of the element that maps the state to it. */
size_t symmetry_canonical(const SymmetryGroup *group, const State *state, State *canonical);
