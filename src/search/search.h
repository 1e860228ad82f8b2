/* Searches behind one small interface: a budget goes in, values of moves come out; a search can be
 * stopped at any time and goes on with what it knows when the match has moved. A method is a table
 * of functions; a Search is one thread's or one match's instance of it, for one role of a game.
 *
 *     Search *search = search_create("uct", game, role, &options, &report);
 *     search_set_state(search, &state);
 *     search_run(search, &(SearchBudget){.deadline = deadline_in(5)});
 *     search_result(search, &result);        -> the best move, and every move's value and visits
 *     search_advance(search, joint, &next);  -> keep what was learnt below that joint move
 *
 * If the game hides something (game_hides), a search gets search_set_belief instead of states.
 */
#pragma once

#include "base/clock.h"
#include "game/belief.h"
#include "game/leafdevice.h"
#include "search/evaluation.h"

typedef struct {
    Deadline deadline;
    uint64_t playouts;   /* at most; 0: as many as time allows */
    const bool *stopped; /* may be set by another thread; NULL if nobody will */
    const bool *is_over; /* the same, for searches that are part of another one */
    /* All of the start clock, in seconds or, where playouts are counted, in those, if it is what
     * is spent: time to find out how to play. 0: a move is due. */
    double start;
} SearchBudget;

static inline bool search_is_stopped(const SearchBudget *budget) {
    return (budget->stopped && __atomic_load_n(budget->stopped, __ATOMIC_RELAXED)) ||
           (budget->is_over && __atomic_load_n(budget->is_over, __ATOMIC_RELAXED));
}

/* Stopped, or out of time. */
static inline bool search_must_stop(const SearchBudget *budget) {
    return search_is_stopped(budget) || deadline_passed(budget->deadline);
}

typedef struct {
    uint32_t move; /* of the searching role */
    double value;  /* expected goal of the role, 0..100 */
    uint64_t visits;
    bool is_proven; /* the value is exact */
} SearchMove;

typedef struct {
    uint32_t best;            /* move of the role; MOVE_NONE if it has none */
    VECTOR(SearchMove) moves; /* best first */
    /* Nothing better than the best move exists, so to search on would be in vain. A proven move
     * alone does not say so: others may be better, as far as is known. */
    bool is_decided;
    U32Vector line;    /* principal line: joint moves, role after role */
    uint64_t playouts; /* since the last set_state or advance */
    uint64_t nodes;
    uint32_t depth; /* longest line looked at inside the tree */
    double cpu_seconds;
} SearchResult;

/* What several threads do. */
typedef enum {
    PARALLEL_AUTO, /* root: every method can, and nobody waits for a lock */
    PARALLEL_LEAF, /* one thread in the tree, all play out what it finds */
    PARALLEL_TREE, /* all of them in one tree */
    PARALLEL_ROOT  /* a tree each; the statistics of their roots are added up */
} Parallel;

/* How trees that know nothing of each other agree on a move (Méhat and Cazenave 2011, Soejima and
 * others 2010). A proof goes before all of them. */
typedef enum {
    MERGE_SUM,   /* the most visits, added up */
    MERGE_SUM10, /* the same, of the ten most visited moves of each tree alone */
    MERGE_BEST,  /* the choice of the tree that expects most of its choice */
    MERGE_RAW,   /* the best mean over all visits */
    MERGE_VOTE   /* the choice of most trees; of those, the one with most visits */
} RootMerge;

enum { SEARCH_NODE_BYTES = 1 << 30 /* the default */, SEARCH_MOST_THREADS = 1024 };

/* By the words leaf, tree, root, auto. */
bool parallel_from_name(const char *name, Parallel *parallel);
/* By the words sum, sum10, best, raw, vote. */
bool merge_from_name(const char *name, RootMerge *merge);

/* Is told of every way from the root to a leaf before its playouts are counted, by one thread at a
 * time: keys of the positions and how often they were visited. Of uct; for studies. */
typedef struct {
    void (*path)(void *context, const uint64_t *keys, const uint32_t *visits, size_t count);
    void *context;
} PathWatcher;

/* Of mac-ucb and mac-ucb-sym: src/scsp/macucb/macucb.h. */
typedef struct {
    double solve_share;    /* of the time; 0: the default of 0.75, or 0.5 beside symmetries */
    double symmetry_share; /* where symmetries are searched for all the time; 0: 0.25 */
    bool by_nogoods;       /* the paper's symmetries, which need not hold */
    bool by_network;       /* turns are solved by constraints instead of the reasoner */
    bool is_tree;          /* equal states reached in two ways are not taken for one */
    bool is_paranoid;      /* the others want the role's harm, not their own good */
    bool is_unpruned;      /* actions that cannot be good enough are followed all the same */
    bool by_halves;        /* the paper's beliefs: what is unknown of a fluent is even */
    bool is_estimated;     /* nothing is solved to the end of the match */
} MacUcbOptions;

typedef struct {
    uint64_t seed;
    uint32_t threads; /* 0: one; SEARCH_MOST_THREADS at most */
    Parallel parallel;
    RootMerge merge;          /* of several trees */
    bool no_virtual_losses;   /* leaves under way do not count against their moves; of uct */
    const PathWatcher *paths; /* NULL: nobody watches */
    double exploration;       /* of UCT; 0: the default */
    size_t node_bytes;        /* memory for the tree; 0: the default of 1 GB */
    uint32_t leaf_playouts;   /* a leaf and visit; 0: chosen by the method */
    uint32_t batch;           /* leaves gathered for one pass; 0: chosen by the method */
    uint32_t step_limit;      /* turns of one playout; 0: the default of 10000 */
    const SearchEvaluation *evaluation; /* of the UCT family; NULL: none; outlives the search */
    /* Makes the playouts of uct and parts; NULL: they are made here. It outlives the search. */
    const LeafDevice *device;
    /* Fluents, as a bitset, by which positions need not differ, such as step counters; it may hold
     * all fluents, since those for which that would not be sound are heeded all the same. Of the
     * UCT family; NULL: none. Only read while the search is made. */
    const uint64_t *ignored;
    uint32_t ignored_words;
    double grave_bias;     /* of grave: how soon a move's own mean takes over; 0: the default */
    uint32_t grave_visits; /* of grave: from which on a node remembers moves; 0: the default */
    bool merges_twins;     /* moves of a single mover that lead to one state are searched as one */
    bool leaves_sums;      /* of parts: another search of the same positions solves sums of games */
    bool looks_again;      /* of parts: a match may fall into a sum of games later than at first */
    /* What the role can know is a sample, however few states explain it: for whoever keeps beliefs.
     */
    bool samples_beliefs;
    MacUcbOptions mac;
    Report *report; /* where creating says why it cannot; set by search_create */
} SearchOptions;

typedef struct Search Search;

typedef struct {
    const char *name, *summary;
    Search *(*create)(Game *game, uint32_t role, const SearchOptions *options);
    void (*free)(Search *search);
    void (*set_state)(Search *search, const State *state);
    /* After the joint move the state is `next`. */
    void (*advance)(Search *search, const uint32_t *joint, const State *next);
    /* What takes long and is done once; NULL if there is no such thing. */
    void (*prepare)(Search *search, const SearchBudget *budget, double seconds);
    void (*run)(Search *search, const SearchBudget *budget);
    void (*result)(Search *search, SearchResult *result);
    /* For games with hidden information, in place of set_state and advance: what the role believes
     * now. Without it the search is told of states. */
    void (*set_belief)(Search *search, const Belief *belief);
    /* How the search expects the others to play, for the next belief. May be NULL. */
    void (*model)(const Search *search, BeliefModel *model);
    bool is_mixed;     /* the best move is drawn from a mixture; visits are its probabilities */
    bool is_alone;     /* for games with one role and nobody else */
    bool takes_device; /* that makes the playouts */
    bool deals_out_threads; /* to the searches that it is made of */
} SearchMethod;

/* Every instance starts with this. */
struct Search {
    const SearchMethod *method;
    Game *game;
    uint32_t role;
};

/* All there are, NULL at the end; listed by the layer that knows all of them (scsp/methods.c). */
extern const SearchMethod *const search_methods[];
const SearchMethod *search_method(const char *name);
/* NULL with an error in the report if there is no such method or it cannot play this game, or not
 * with threads of that kind. */
Search *search_create(const char *method, Game *game, uint32_t role, const SearchOptions *options,
                      Report *report);
void search_free(Search *search);
void search_set_state(Search *search, const State *state);
void search_advance(Search *search, const uint32_t *joint, const State *next);
/* For searches of games with hidden information, before and after a turn; no other state is shown
 * to them. */
void search_set_belief(Search *search, const Belief *belief);
/* Valid until the search goes on; uniform moves if it has no opinion. */
BeliefModel search_model(const Search *search);
/* Before the first turn, for at most so many seconds of the processor, until the budget's deadline
 * passes or it is stopped: what takes long and is done once. Methods that can do it in playouts do
 * so if the budget has a number of them. A search that was not prepared does it in its first run,
 * as far as there is time, or not at all if it is to find out how to play. */
void search_prepare(Search *search, const SearchBudget *budget, double seconds);
void search_run(Search *search, const SearchBudget *budget);
/* Runs until so many seconds of the processor are spent, or the budget is, so that it does not
 * matter what else the machine does; then `result` is what was found out. For searches with one
 * thread. */
void search_think(Search *search, const SearchBudget *budget, double seconds, SearchResult *result);
/* Replaces what the result held; free it with search_result_free. */
void search_result(Search *search, SearchResult *result);
void search_result_free(SearchResult *result);
/* Whether the result says that nothing better than the goal exists: it is decided, its best move is
 * proven, and no move is proven to be worth more. Its line may be worth less: it may end inside the
 * tree. */
bool search_knows_no_better(const SearchResult *result, double goal);

/* For methods: the best first, the others by their visits. */
void search_sort_moves(SearchResult *result);
/* A seed for each thread; that of the first is the seed itself. */
uint64_t search_seed_of_thread(uint64_t seed, uint32_t thread);
/* What several searches of one position know together; `sum` is replaced. */
void search_add_results(const SearchResult *results, size_t count, bool is_mixed, RootMerge merge,
                        SearchResult *sum);
/* Several searches of one method that know nothing of each other: root.c. */
Search *search_create_root(const SearchMethod *method, Game *game, uint32_t role,
                           const SearchOptions *options);
