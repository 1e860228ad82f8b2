/* Options that a user gives to a search as `key=value`. Every method lists the ones it takes in a
 * table next to its code: key, type, default, range and meaning. From these tables come the reader
 * of options (strategy/strategy.h), the help text, the shell completions and the manual.
 *
 * The rows below are for options that several methods share. */
#pragma once

#include <stddef.h>

#include "search/search.h"

typedef enum {
    VALUE_FLAG,      /* 0 or 1; a bool */
    VALUE_UINT32,    /* a whole number; a uint32_t */
    VALUE_COUNT,     /* a whole number; a uint64_t */
    VALUE_REAL,      /* a number; a double */
    VALUE_MEGABYTES, /* a whole number of megabytes; a size_t in bytes */
    VALUE_WORD,      /* one of several words; an enum, by the index of the word */
    VALUE_FILE       /* the path of a file */
} ValueType;

typedef enum {
    FIELD_SHARED,  /* a field of SearchOptions */
    FIELD_OWN,     /* a field of the method's own struct */
    FIELD_STRATEGY /* a field of Strategy: strategy/strategy.h */
} OptionPlace;

struct SearchOption {
    const char *key; /* NULL ends a table */
    ValueType type;
    const char *default_text; /* the default, as text for users */
    double least, most;       /* range of numbers, both included */
    const char *words;        /* for VALUE_WORD: the words, separated by | */
    const char *meaning;      /* one line, without a full stop */
    OptionPlace place;
    size_t field; /* offset of the field in its struct, in bytes */
};

#define SHARED_FIELD(member) FIELD_SHARED, offsetof(SearchOptions, member)
#define OWN_FIELD(type, member) FIELD_OWN, offsetof(type, member)
#define FLAG_RANGE "0", 0, 1, NULL
#define COUNT_RANGE(initial, most) initial, 0, most, NULL
#define WORD_RANGE(initial, words) initial, 0, 0, words

#define SEARCH_OPTION_C(initial)                                                                   \
    {                                                                                              \
        "c", VALUE_REAL, initial, 0.001, 1000, NULL,                                               \
            "exploration constant: weight of the confidence bound against the mean, both in 0..1", \
            SHARED_FIELD(exploration)                                                              \
    }
#define SEARCH_OPTION_LEAF(initial)                                                                \
    {                                                                                              \
        "leaf", VALUE_UINT32, COUNT_RANGE(initial, SEARCH_MAX_PLAYOUTS),                           \
            "playouts per visit of a leaf", SHARED_FIELD(leaf_playouts)                            \
    }
#define SEARCH_OPTION_BATCH(initial)                                                               \
    {                                                                                              \
        "batch", VALUE_UINT32, COUNT_RANGE(initial, SEARCH_MAX_PLAYOUTS),                          \
            "leaves gathered for one pass of playouts", SHARED_FIELD(batch)                        \
    }
#define SEARCH_OPTION_MEMORY                                                                       \
    {                                                                                              \
        "memory", VALUE_MEGABYTES, COUNT_RANGE("1024", (1 << 24) - 1),                             \
            "megabytes of memory for the search", SHARED_FIELD(node_bytes)                         \
    }
/* The options of nearly every method: the length of playouts, memory and threads. */
#define SEARCH_OPTIONS_COMMON                                                                      \
    {"steps", VALUE_UINT32, COUNT_RANGE("10000", UINT32_MAX), "most joint moves of one playout",   \
     SHARED_FIELD(step_limit)},                                                                    \
        SEARCH_OPTION_MEMORY,                                                                      \
        {"threads", VALUE_UINT32, COUNT_RANGE("1", SEARCH_MAX_THREADS), "threads that search",     \
         SHARED_FIELD(threads)},                                                                   \
        {"parallel", VALUE_WORD, WORD_RANGE("auto", "auto|leaf|tree|root"),                        \
         "what threads share: the playouts of one tree, one tree, or nothing but their roots",     \
         SHARED_FIELD(parallel)},                                                                  \
    {                                                                                              \
        "merge", VALUE_WORD, WORD_RANGE("sum", "sum|sum10|best|raw|vote"),                         \
            "how the roots of several trees agree on a move", SHARED_FIELD(merge)                  \
    }
