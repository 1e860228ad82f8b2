/* Shared by the files of sums.h: states of parts and their classes (sums_classes.c), parts in which
 * the players move at the same time (sums_step.c), and combinations of classes (sums.c). */
#pragma once

#include <assert.h>
#include <string.h>

#include "search/exact/key_table.h"
#include "search/sums/sumparts.h"
#include "search/sums/sums.h"

enum {
    SUMS_NONE = UINT32_MAX,
    SUMS_NODES_PER_UNIT = 64,       /* evaluated nodes of the circuit per unit of work (untuned) */
    SUMS_WORK_BETWEEN_CHECKS = 2000 /* units of work between two looks at the clock (untuned) */
};

/* A local: a state of a part. */
typedef struct {
    uint32_t part;
    uint32_t class;    /* SUMS_NONE until known */
    U32Vector options; /* pairs: a turn, and the local that a move at that turn leads to */
    bool is_open;      /* on the stack of the depth-first search, with its options */
} SumLocal;

/* A class: states of a part that can replace each other. */
typedef struct {
    const uint32_t *key;   /* part, view; then per turn the number of options, and the options */
    const uint32_t *first; /* by turn: index of its options in the key */
    uint32_t local;        /* one member of the class */
} SumClass;

/* An outlook: terminal, goals and passing, which follow from a phase and the views of all parts. */
typedef struct {
    bool is_terminal, can_pass[2];
    int goals[2];
} SumOutlook;

typedef struct {
    const uint32_t *key; /* the phase, followed by the class of each part */
    int value;           /* goal of the first role under perfect play */
    bool is_open;        /* on the stack of the depth-first search */
    bool is_known;       /* the value is exact */
} SumPosition;

struct Sums {
    Game *game;
    GameWork *rules;
    SumParts parts;
    SearchBudget budget;       /* budget of the present call */
    uint64_t work, next_check; /* units of work in this call; look at the clock at so many */
    bool is_out_of_time;
    size_t byte_limit;
    size_t option_count; /* numbers stored in the options of all locals */
    bool is_too_large;   /* the memory limit is exceeded; stays true */
    State base;          /* the first state; gives the values of fixed fluents */
    bool is_ready;       /* all parts are explored, and the kind of sum is known */
    bool is_in_step;     /* both players move at once, each in a part of its own */
    bool is_refuted;     /* there will be no answer */
    VECTOR(SumLocal) locals;
    VECTOR(SumClass) classes;
    VECTOR(SumOutlook) outlooks;
    VECTOR(SumPosition) positions;
    /* Keys of the lists above. The key of a view is the part, followed by its concepts. */
    KeyTable local_keys, class_keys, outlook_keys, position_keys, view_keys;
    int goal_sum;            /* sum of both goals; GOAL_NONE before the first terminal state */
    int base_goal;           /* in step: goal of the first role if all parts add 0 */
    VECTOR(int) part_values; /* in step: by class and phase; see sums_part_value */
    Arena arena;
    State here;        /* the state of the present call */
    State state, next; /* scratch */
    U32Vector legal, key, successors;
};

/* True if so many more bytes would exceed the limit; stays true. */
static inline bool sums_are_too_large(Sums *s, size_t more) {
    s->is_too_large = s->is_too_large || sums_bytes(s) + more > s->byte_limit;
    return s->is_too_large;
}

/* Counts units of work. True if the budget is spent, the search is stopped, or the memory is used
 * up; it stays true until the next call of sums_moves. */
static inline bool sums_are_out_of_time(Sums *s, uint64_t work) {
    s->work += work;
    if (!s->is_out_of_time && s->work >= s->next_check) {
        s->next_check = s->work + SUMS_WORK_BETWEEN_CHECKS;
        s->is_out_of_time =
            (s->budget.playouts && s->work / SUMS_WORK_PER_PLAYOUT >= s->budget.playouts) ||
            search_must_stop(&s->budget) || sums_are_too_large(s, 0);
    }
    return s->is_out_of_time;
}

/* Units of work to ask the rules about a state. */
static inline uint64_t sums_question_cost(const Sums *s) {
    return 1 + s->game->circuit->aig.nodes.count / SUMS_NODES_PER_UNIT;
}

/* The words of a local: the fluents of its part, all others 0. */
static inline const uint64_t *sums_local_words(const Sums *s, uint32_t local) {
    return key_table_key(&s->local_keys, local);
}

/* Copies the bits inside the mask. */
static inline void sums_put(uint64_t *into, const uint64_t *from, const uint64_t *mask,
                            uint32_t words) {
    for (uint32_t w = 0; w < words; w++)
        into[w] = (into[w] & ~mask[w]) | (from[w] & mask[w]);
}

/* ---- sums_classes.c ---- */

/* The local of a part in a state of the whole game, added if it is new. */
uint32_t sums_local(Sums *s, uint32_t part, const uint64_t *words);
/* Finds the classes of a local and of all it leads to. False if time is up or the sum refuted. */
bool sums_classify(Sums *s, uint32_t id);

/* The classes that a move in the part leads to at the turn: their number, and the classes. */
static inline uint32_t sums_option_count(const Sums *s, uint32_t class, uint32_t turn) {
    assert(class < s->classes.count && turn < s->parts.turns.count);
    const SumClass *c = &s->classes.items[class];
    return c->key[c->first[turn] - 1];
}

static inline const uint32_t *sums_options(const Sums *s, uint32_t class, uint32_t turn) {
    const SumClass *c = &s->classes.items[class];
    return c->key + c->first[turn];
}

/* The number of the class's view: what the whole game sees of it. */
static inline uint32_t sums_view(const Sums *s, uint32_t class) {
    assert(class < s->classes.count);
    return s->classes.items[class].key[1];
}

/* ---- sums.c ---- */

/* The outlook of a position: a phase and the class of each part. Valid until the next call. */
const SumOutlook *sums_outlook(Sums *s, const uint32_t *position);
/* True if both goals are defined and have the constant sum. */
bool sums_have_goals(Sums *s, const SumOutlook *outlook);

/* ---- sums_step.c ---- */

/* Solves every part by itself. False if the parts depend on each other, or time is up. */
bool sums_solve_in_step(Sums *s);

/* The amount that a part of the position adds to the first role's goal. */
static inline int sums_part_value(const Sums *s, const uint32_t *position, uint32_t part) {
    return s->part_values.items[(size_t)position[part + 1] * s->parts.phases.count + position[0]];
}
