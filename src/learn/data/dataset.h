/* Training data: states with a score for each role. A row is a sparse set of facts with its scores.
 * Rows know their match, because positions of one match resemble each other: a set is split by
 * matches, never by rows.
 *
 * There are two file formats, specified in docs/reference/formats.md and told apart by their first
 * bytes: text with one state per line, as in the thesis of 2013, and a compact one. */
#pragma once

#include <assert.h>
#include <stdbool.h>

#include "base/report.h"
#include "base/source_text.h"
#include "base/symbols.h"
#include "base/table.h"
#include "base/text.h"
#include "base/vector.h"

enum { DATASET_MAX_ROLES = 64, DATASET_MAX_FACTS = 1 << 20, DATASET_MAX_SCORE = 1 << 20 };

typedef struct {
    uint32_t role_count;
    Symbols facts;         /* texts of facts, numbered in order of appearance */
    U32Vector starts;      /* by row: its first member; one more item for the end */
    U32Vector members;     /* facts of all rows, ascending within a row */
    VECTOR(double) scores; /* by row and role: goals, 0 to DATASET_MAX_SCORE */
    U32Vector counts;      /* by row: how often the state occurred, at least 1 */
    U32Vector matches;     /* by row: number of the match */
    VECTOR(bool) ends;     /* by row: true if the state is terminal */
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
    assert(row < dataset_rows(set));
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
    const uint32_t *facts; /* numbers of facts, in any order, possibly repeated */
    size_t fact_count;
    const double *scores;
    uint32_t count, match;
    bool is_end;
} DataRow;

void dataset_add(DataSet *set, const DataRow *row);

/* A new set with equal states merged: scores are averaged, counts added. */
DataSet *dataset_distinct(const DataSet *set);
/* Merges the rows of a set into another one that numbers its facts alike. The table `known` indexes
 * the rows of `into`; both are empty at first. */
void dataset_merge(DataSet *into, Table *known, const DataSet *from);
/* Makes two new sets: about `share` (0..1) of all matches goes to *test, the rest to *train. */
void dataset_split(const DataSet *set, double share, uint64_t seed, DataSet **train,
                   DataSet **test);
/* A new set without the facts of a bitset; the other facts keep their numbers. */
DataSet *dataset_without(const DataSet *set, const uint64_t *dropped);
/* A new set without the facts of a relation, such as `control`. */
DataSet *dataset_without_relation(const DataSet *set, const char *relation);
/* A new set with the score of one role alone. */
DataSet *dataset_of_role(const DataSet *set, uint32_t role);
/* A new set with only the facts whose texts are in `facts`, under the numbers they have there. */
DataSet *dataset_renumbered(const DataSet *set, const Symbols *facts);
/* A new set of the rows for which `keep` is set; all facts stay. */
DataSet *dataset_select(const DataSet *set, const bool *keep);

/* Reads either format. NULL with the reason in the report. Takes ownership of the source. */
DataSet *dataset_read(Source *source, Report *report);
/* True if bytes look like a data set rather than like rules. */
bool dataset_recognise(const char *bytes, size_t length);
void dataset_write_text(const DataSet *set, Text *out);
void dataset_write_compact(const DataSet *set, Text *out);

/* True if the bytes are in the compact format; used by dataset_read. */
bool dataset_is_compact(const char *bytes, size_t length);
DataSet *dataset_read_compact(const Source *source, Report *report);
