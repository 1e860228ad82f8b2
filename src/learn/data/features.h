/* What a model looks at in a state: conjunctions of facts, shares of sets of facts, and how many
 * moves are legal. The first two are one counter of literals that hold, so that a state that
 * differs from the last one in a few facts costs a few additions; moves are counted anew in every
 * state (mobility.h). */
#pragma once

#include "game/game.h"
#include "learn/data/examples.h"
#include "learn/data/mirror.h"

typedef enum {
    FEATURE_ALL,   /* 1 if all literals hold */
    FEATURE_SHARE, /* the share of them that do */
    FEATURE_MOVES  /* how many moves of a group are legal, 1: as many as ever in training */
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
    uint32_t first, count; /* literals; or the group of moves, and the number that makes 1 */
} Feature;

/* Moves that are counted together: all of a role, or those with one first word. */
typedef struct {
    uint32_t role;
    Symbol word; /* SYMBOL_NONE: all */
} MoveGroup;

typedef struct {
    VECTOR(Feature) items;
    U32Vector literals;
    VECTOR(MoveGroup) groups;
    Symbols words; /* of groups */
} Features;

void features_free(Features *features);
/* A conjunction or a share. */
void features_add(Features *features, FeatureKind kind, const FactLiteral *literals, size_t count);
/* A group of moves with a feature; `most` legal ones make 1. An empty word: all of the role; files
 * of models hold words of up to 63 bytes. */
void features_add_moves(Features *features, uint32_t role, const char *word, uint32_t most);
/* A feature for each fact that is not the same in all rows and, with a mirror, their images. */
void features_add_facts(Features *features, const DataSet *set, const Mirror *mirror);
/* Shares of groups of facts: factgroups.h. */
void features_add_counts(Features *features, const DataSet *set);
/* Conjunctions of fluents that the goals and the end of the game are made of, whole and as shares:
 * clauses of their normal forms. Facts of the set are fluents of the game,
 * under the same numbers. At most so many. */
void features_add_subgoals(Features *features, Game *game, size_t most);
/* How many moves are legal, for each role and, where a role has moves of several kinds, for each
 * first word: those numbers that are not the same in all rows, nor in each row the same as one
 * before. No more than a model may have (MODEL_MOST_GROUPS). Facts of the set are fluents of the
 * game by their texts. Nothing without a circuit. */
void features_add_mobility(Features *features, Game *game, const DataSet *set);
/* "(cell 1 1 x) and no (cell 2 2 b)". */
void features_write(const Features *features, size_t feature, const Symbols *facts, Text *out);

/* Who must be told when a fact changes. */
typedef struct {
    uint32_t feature;
    int32_t change; /* of its counter when the fact comes to hold */
} FeatureUse;

typedef struct {
    uint32_t fact_count, feature_count;
    U32Vector starts; /* by fact, and the number of uses */
    VECTOR(FeatureUse) uses;
    VECTOR(int32_t) at_first; /* by feature: its counter in a state without facts */
} FeatureIndex;

void feature_index_make(FeatureIndex *index, const Features *features, uint32_t fact_count);
void feature_index_free(FeatureIndex *index);

static inline float feature_value(const Feature *feature, int32_t counter) {
    if (feature->kind == FEATURE_ALL)
        return counter == (int32_t)feature->count;
    return (float)counter / (float)feature->count;
}

/* The rows of a data set as values of features. Where moves are counted, facts are fluents of the
 * game by their texts; it may be NULL where none are. */
Examples *examples_of_features(const Features *features, Game *game, const DataSet *set,
                               const ScoreRange *ranges, Weighing weighing);
/* The same for all images of the rows (NULL: for themselves), in the order of mirror_data, made
 * when they are read: of a set that fills a gigabyte they would fill ten. Everything given must
 * outlive them. */
Examples *examples_of_images(const Features *features, Game *game, const DataSet *set,
                             const Mirror *mirror, const ScoreRange *ranges, Weighing weighing);
