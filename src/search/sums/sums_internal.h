/* What the files of sums.h share: states of parts and the classes they fall into (sums_classes.c),
 * parts that move in step (sums_step.c), and all together (sums.c). */
#pragma once

#include <string.h>

#include "search/exact/key_table.h"
#include "search/sums/sumparts.h"
#include "search/sums/sums.h"

enum {
    SUMS_NONE = UINT32_MAX,
    SUMS_NODES = 64,        /* of a circuit evaluated are a unit of work, or so is one look-up */
    SUMS_CHECK_EVERY = 2000 /* units between looks at the clock: a fraction of a millisecond */
};

/* A state of a part. */
typedef struct {
    uint32_t part;
    uint32_t class;    /* SUMS_NONE until known */
    U32Vector options; /* pairs of a turn and a local */
    bool is_open;      /* its options are being looked at */
} SumLocal;

/* States of a part that can stand for each other. */
typedef struct {
    const uint32_t *key; /* part, view, then for each turn the number of options and the options */
    const uint32_t *first; /* by turn: where its options begin in the key */
    uint32_t local;        /* one of them */
} SumClass;

/* What the end, the goals and passing are, given what is seen of each part. */
typedef struct {
    bool is_terminal, can_pass[2];
    int goals[2];
} SumOutlook;

typedef struct {
    const uint32_t *key; /* the phase, then the class of each part */
    int value;           /* of the first role */
    bool is_open, is_known;
} SumPosition;

struct Sums {
    Game *game;
    GameWork *rules;
    SumParts parts;
    SearchBudget budget;       /* of the question under way */
    uint64_t work, next_check; /* units since it began */
    bool is_out_of_time;
    size_t byte_limit;
    size_t option_count; /* numbers in the options of all locals */
    bool is_too_large;   /* for the limit; for good */
    State base;          /* what is in no part and not in the rest is as it is here */
    bool is_ready;       /* all parts are known, and what kind of sum it is */
    bool is_in_step, is_refuted;
    VECTOR(SumLocal) locals;
    VECTOR(SumClass) classes;
    VECTOR(SumOutlook) outlooks;
    VECTOR(SumPosition) positions;
    /* Keys of the above, and of what is seen of a part: the part, then its concepts. */
    KeyTable local_keys, class_keys, outlook_keys, position_keys, view_keys;
    int goal_sum;            /* of both; GOAL_NONE until one is seen */
    int base_goal;           /* in step: what the first role has, beside what the parts bring */
    VECTOR(int) part_values; /* in step: by class and phase */
    Arena arena;
    State here;        /* the one asked about */
    State state, next; /* scratch */
    U32Vector legal, key, successors;
};

/* So many bytes more would be too much. */
static inline bool sums_are_too_large(Sums *s, size_t more) {
    s->is_too_large = s->is_too_large || sums_bytes(s) + more > s->byte_limit;
    return s->is_too_large;
}

/* After so many units of work: whether the budget is spent, the search was stopped, or memory is
 * used up. Stays true until the next question. */
static inline bool sums_are_out_of_time(Sums *s, uint64_t work) {
    s->work += work;
    if (!s->is_out_of_time && s->work >= s->next_check) {
        s->next_check = s->work + SUMS_CHECK_EVERY;
        s->is_out_of_time =
            (s->budget.playouts && s->work / SUMS_WORK_OF_PLAYOUT >= s->budget.playouts) ||
            search_must_stop(&s->budget) || sums_are_too_large(s, 0);
    }
    return s->is_out_of_time;
}

/* The work of asking the rules something about a state. */
static inline uint64_t sums_question(const Sums *s) {
    return 1 + s->game->circuit->aig.nodes.count / SUMS_NODES;
}

/* The fluents of the local's part, all others 0. */
static inline const uint64_t *sums_local_words(const Sums *s, uint32_t local) {
    return key_table_key(&s->local_keys, local);
}

static inline void sums_put(uint64_t *into, const uint64_t *from, const uint64_t *mask,
                            uint32_t words) {
    for (uint32_t w = 0; w < words; w++)
        into[w] = (into[w] & ~mask[w]) | (from[w] & mask[w]);
}

/* ---- sums_classes.c ---- */

/* The part of that state; it may be new. */
uint32_t sums_local(Sums *s, uint32_t part, const uint64_t *words);
/* Finds the class of a local and of all that it leads to. False if there was no time, or it is
 * refuted. */
bool sums_classify(Sums *s, uint32_t id);

/* Classes that a class leads to if its part is moved in at the turn. */
static inline uint32_t sums_option_count(const Sums *s, uint32_t class, uint32_t turn) {
    const SumClass *c = &s->classes.items[class];
    return c->key[c->first[turn] - 1];
}

static inline const uint32_t *sums_options(const Sums *s, uint32_t class, uint32_t turn) {
    const SumClass *c = &s->classes.items[class];
    return c->key + c->first[turn];
}

static inline uint32_t sums_view(const Sums *s, uint32_t class) {
    return s->classes.items[class].key[1];
}

/* ---- sums.c ---- */

/* Of the position with that key: its phase and the class of each part. Valid until the next one. */
const SumOutlook *sums_outlook(Sums *s, const uint32_t *position);
/* Both goals are there, and have the sum that they always have. */
bool sums_have_goals(Sums *s, const SumOutlook *outlook);

/* ---- sums_step.c ---- */

/* Solves every part by itself. False if the parts are not independent of each other in all things,
 * or if there is no time to find that out. */
bool sums_solve_in_step(Sums *s);

/* What a part of the position adds to the goal of the first role. */
static inline int sums_part_value(const Sums *s, const uint32_t *position, uint32_t part) {
    return s->part_values.items[(size_t)position[part + 1] * s->parts.phases.count + position[0]];
}
