/* States with what they are worth to each role: what evaluations are learnt from. A row is a set of
 * facts, written sparsely, and a score for each role. Rows know the match they come from, because
 * positions of one match resemble each other: a set is split by matches, never by rows.
 *
 * Two formats, told apart by their first bytes and specified in docs/learning.md: text, one state a
 * line as the thesis of 2013 wrote them, and a compact one. */
#pragma once

#include <stdbool.h>

#include "base/report.h"
#include "base/source_text.h"
#include "base/symbols.h"
#include "base/table.h"
#include "base/text.h"
#include "base/vector.h"

enum { DATASET_MOST_ROLES = 64, DATASET_MOST_FACTS = 1 << 20, DATASET_HIGHEST_SCORE = 1 << 20 };

typedef struct {
    uint32_t role_count;
    Symbols facts;         /* texts, numbered as they turned up */
    U32Vector starts;      /* by row: its first member; and the number of members at the end */
    U32Vector members;     /* facts of the rows, ascending in each */
    VECTOR(double) scores; /* by row and role: goals of the rules */
    U32Vector counts;      /* by row: how often it was met */
    U32Vector matches;     /* by row: where */
    VECTOR(bool) ends;     /* by row: the game is over there */
} DataSet;

DataSet *dataset_create(uint32_t role_count);
/* An empty set with the roles and facts of another one. */
DataSet *dataset_like(const DataSet *set);
void dataset_free(DataSet *set);

static inline size_t dataset_rows(const DataSet *set) {
    return set->counts.count;
}

static inline uint32_t dataset_fact_count(const DataSet *set) {
    return (uint32_t)set->facts.names.count;
}

static inline uint32_t dataset_size(const DataSet *set, size_t row) {
    return set->starts.items[row + 1] - set->starts.items[row];
}

static inline const uint32_t *dataset_facts(const DataSet *set, size_t row) {
    return set->members.items + set->starts.items[row];
}

static inline const double *dataset_scores(const DataSet *set, size_t row) {
    return set->scores.items + row * set->role_count;
}

bool dataset_holds(const DataSet *set, size_t row, uint32_t fact);

typedef struct {
    const uint32_t *facts; /* in any order, possibly repeated */
    size_t fact_count;
    const double *scores;
    uint32_t count, match;
    bool is_end;
} DataRow;

void dataset_add(DataSet *set, const DataRow *row);

/* A new set with equal states merged: their scores averaged, their counts added up. */
DataSet *dataset_distinct(const DataSet *set);
/* The same by pieces: adds the rows of another set, facts under the same numbers. The table knows
 * the rows of `into`; both are empty at first. */
void dataset_merge(DataSet *into, Table *known, const DataSet *from);
/* New sets: about that share of the matches, drawn at random, into *test, the others into *train.
 */
void dataset_split(const DataSet *set, double share, uint64_t seed, DataSet **train,
                   DataSet **test);
/* A new set without some facts, given as a bitset; numbers of facts stay as they are. */
DataSet *dataset_without(const DataSet *set, const uint64_t *dropped);
/* A new set with the facts of these texts under these numbers, and no others. */
DataSet *dataset_renumbered(const DataSet *set, const Symbols *facts);
/* A new set of the rows for which `keep` is set; all facts stay. */
DataSet *dataset_select(const DataSet *set, const bool *keep);

/* NULL with the reason in the report. Reads either format; takes the source over. */
DataSet *dataset_read(Source *source, Report *report);
/* Whether bytes look like a data set rather than like rules. */
bool dataset_recognise(const char *bytes, size_t length);
void dataset_write_text(const DataSet *set, Text *out);
void dataset_write_compact(const DataSet *set, Text *out);

/* For dataset_read: the compact format. */
bool dataset_is_compact(const char *bytes, size_t length);
DataSet *dataset_read_compact(const Source *source, Report *report);
