/* UCT for hidden information. Every descent starts from a state drawn from what the searching role
 * believes, and each role chooses by the statistics of its own information set: by what it knows in
 * that match, never by the state itself (Cowling, Powley and Whitehouse 2012, several observers).
 * So no role in the tree acts on information that is hidden from it.
 *
 * Variants are sets of hooks, as in uct.h. */
#pragma once

#include "game/batch.h"
#include "search/goals.h"
#include "search/hidden/infosets.h"
#include "search/search.h"

typedef struct InfoUct InfoUct;

typedef struct {
    InfoSet *set;
    uint32_t arm;
} InfoStep;

typedef struct {
    VECTOR(InfoStep) steps; /* decisions of all roles on the path, in order */
    State state;            /* where playouts start */
    bool is_known;          /* the match has ended; no playout is needed */
    double *values;         /* by role: sum over the playouts, 0 to 1 each */
} InfoLeaf;

/* Hooks may be NULL. With `choose` or `learn`, playouts are made one by one and recorded. */
typedef struct {
    /* Make and free the hooks' own data, as in uct.h. */
    void *(*open)(const Search *search, const SearchOptions *options);
    void (*close)(void *own, const Search *search);
    /* The bound by which a role chooses an arm of the set, in place of UCB1. */
    double (*bound)(const InfoUct *uct, const InfoSet *set, const InfoArm *arm, double log_visits);
    /* Chooses a move in a playout: an index into the legal moves. */
    size_t (*choose)(InfoUct *uct, uint32_t role, const U32Vector *legal);
    /* Called after each playout; uct->record has its moves. */
    void (*learn)(InfoUct *uct, const InfoLeaf *leaf, const double *values);
} InfoHooks;

struct InfoUct {
    Search search;
    SearchOptions options; /* defaults filled in */
    const InfoHooks *hooks;
    void *own; /* the hooks' own data */
    GameWork *work;
    Batch *batch; /* NULL: playouts are made one by one */
    Random random;
    InfoSets sets;
    Belief belief;
    U32Vector root_moves; /* legal in all states of the belief */
    GoalRange *ranges;    /* by role */
    InfoLeaf *leaves;     /* options.batch of them */
    PlayoutStart *starts;
    PlayoutResult *results;
    U32Vector *legal;          /* scratch, by role */
    InfoSet **deciding;        /* scratch, by role: NULL if it has no choice */
    const InfoSet **reference; /* by role: its last set on the path that has an extra */
    uint64_t *knowledge;       /* scratch, by role: hash of what it knows in the present descent */
    uint64_t *keys;            /* scratch */
    uint32_t *joint;           /* scratch */
    double *values;            /* scratch: by role, values of one playout */
    State next;                /* scratch */
    U32Vector record;          /* joint moves of the last single playout, role after role */
};

/* Returns NULL with several threads; root.c then makes one tree per thread. */
Search *infouct_create(const SearchMethod *method, const InfoHooks *hooks, Game *game,
                       uint32_t role, const SearchOptions *options);
void infouct_free(Search *search);
void infouct_set_belief(Search *search, const Belief *belief);
void infouct_run(Search *search, const SearchBudget *budget);
void infouct_result(Search *search, SearchResult *result);

/* The method behind `uct`, `grave` or `mast` in games with hidden information. */
#define INFOUCT_METHOD(title)                                                                      \
    {                                                                                              \
        .name = title, .free = infouct_free, .set_belief = infouct_set_belief, .run = infouct_run, \
        .result = infouct_result                                                                   \
    }

/* Creates the search without hooks, which `uct` uses for games with hidden information. */
Search *infouct_create_plain(Game *game, uint32_t role, const SearchOptions *options);
