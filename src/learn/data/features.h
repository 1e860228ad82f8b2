/* Features of a state: conjunctions of facts, shares of sets of facts that hold, and numbers of
 * legal moves. A conjunction or share is a counter of literals that hold, so that a change of a few
 * facts costs a few additions. Legal moves are counted anew in every state (mobility.h). */
#pragma once

#include "game/game.h"
#include "learn/data/examples.h"
#include "learn/data/mirror.h"

typedef enum {
    FEATURE_ALL,   /* conjunction: 1 if all literals hold, else 0 */
    FEATURE_SHARE, /* share of the literals that hold, 0..1 */
    FEATURE_MOVES  /* number of legal moves of a group, divided by the most seen in training */
} FeatureKind;

/* A fact, or its absence. */
typedef uint32_t FactLiteral;
static inline FactLiteral literal_of(uint32_t fact, bool is_absent) {
    return 2 * fact + is_absent;
}
static inline uint32_t literal_fact(FactLiteral literal) {
    return literal >> 1;
}
static inline bool literal_is_absence(FactLiteral literal) {
    return literal & 1;
}

typedef struct {
    FeatureKind kind;
    /* Range of literals; for FEATURE_MOVES the group and the divisor of its number of moves. */
    uint32_t first, count;
} Feature;

/* Moves that are counted together: all moves of a role, or those with one first word. */
typedef struct {
    uint32_t role;
    Symbol word; /* first word of the moves; SYMBOL_NONE: all moves of the role */
} MoveGroup;

typedef struct {
    VECTOR(Feature) items;
    U32Vector literals;
    VECTOR(MoveGroup) groups;
    Symbols words; /* first words of groups of moves */
} Features;

void features_free(Features *features);
/* Adds a conjunction or a share. */
void features_add(Features *features, FeatureKind kind, const FactLiteral *literals, size_t count);
/* Adds a group of moves and its feature, which is 1 if `most` of them are legal. An empty word
 * means all moves of the role. Files of models allow words of up to 63 bytes. */
void features_add_moves(Features *features, uint32_t role, const char *word, uint32_t most);
/* Adds each fact that is not constant over all rows and, with a mirror, their images. */
void features_add_facts(Features *features, const DataSet *set, const Mirror *mirror);
/* Adds the shares of groups of facts (factgroups.h). */
void features_add_counts(Features *features, const DataSet *set);
/* Adds conjunctions of fluents from the normal forms of the goals and of terminal, each as a whole
 * and as a share; at most `most` features. Facts are the fluents of the game. */
void features_add_subgoals(Features *features, Game *game, size_t most);
/* Adds numbers of legal moves: per role and, if a role has several kinds of moves, per first word.
 * Numbers that are constant over the rows or equal to an earlier one in each row are left out.
 * There are at most MODEL_MAX_GROUPS. Facts of the set are fluents of the game by their texts.
 * Does nothing without a circuit. */
void features_add_mobility(Features *features, Game *game, const DataSet *set);
/* Writes a feature for people: "(cell 1 1 x) and no (cell 2 2 b)". */
void features_write(const Features *features, size_t feature, const Symbols *facts, Text *out);

/* A counter that changes with a fact. */
typedef struct {
    uint32_t feature;
    int32_t change; /* change of the counter when the fact becomes true: 1 or -1 */
} FeatureUse;

typedef struct {
    uint32_t fact_count, feature_count;
    U32Vector starts; /* by fact: its first use; one more item for the end */
    VECTOR(FeatureUse) uses;
    VECTOR(int32_t) at_first; /* by feature: its counter in a state without facts */
} FeatureIndex;

void feature_index_create(FeatureIndex *index, const Features *features, uint32_t fact_count);
void feature_index_free(FeatureIndex *index);

static inline float feature_value(const Feature *feature, int32_t counter) {
    if (feature->kind == FEATURE_ALL)
        return counter == (int32_t)feature->count;
    return (float)counter / (float)feature->count;
}

/* The rows of a data set as values of features. The game may be NULL if no feature counts moves;
 * else facts are its fluents by their texts. */
Examples *examples_of_features(const Features *features, Game *game, const DataSet *set,
                               const ScoreRange *ranges, Weighing weighing);
/* Makes rows for all images of the states (mirror NULL: the states alone), in the order of
 * mirror_data. They are made when they are read, because the images of a large set would take ten
 * times its memory. All arguments must outlive the examples. */
Examples *examples_of_images(const Features *features, Game *game, const DataSet *set,
                             const Mirror *mirror, const ScoreRange *ranges, Weighing weighing);
