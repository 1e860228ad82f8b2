/* Searches behind one small interface: a budget goes in, values of moves come out. A search can be
 * stopped at any time, and keeps what it knows when the match moves on. A SearchMethod is a table
 * of functions; a Search is one instance of it, for one role of one game.
 *
 *     Search *search = search_create(&uct_search, game, role, &options, &report);
 *     search_set_state(search, &state);
 *     search_run(search, &(SearchBudget){.deadline = deadline_in(5)});
 *     search_result(search, &result);        -> the best move, and every move's value and visits
 *     search_advance(search, joint, &next);  -> keep what was learnt below that joint move
 *
 * In a game with hidden information (game_hides) a search gets search_set_belief instead of states.
 * Methods by name, and options as texts: strategy/strategy.h.
 */
#pragma once

#include "base/clock.h"
#include "game/belief.h"
#include "game/leafdevice.h"
#include "search/evaluation.h"

typedef struct {
    Deadline deadline;
    uint64_t playouts;   /* at most; 0: as many as time allows */
    const bool *stopped; /* stop flag, may be set by another thread; NULL: nobody sets it */
    const bool
        *outer_stopped; /* second stop flag, set by an enclosing search; NULL: there is none */
    /* Length of the start clock, if this budget is spent in it: in playouts if `playouts` is given,
     * else in seconds. The search may find out how to play. 0: a move is due. */
    double start_clock;
} SearchBudget;

static inline bool search_is_stopped(const SearchBudget *budget) {
    return work_must_end((Deadline){0}, budget->stopped) || flag_is_set(budget->outer_stopped);
}

/* True if it is stopped or out of time. */
static inline bool search_must_stop(const SearchBudget *budget) {
    return search_is_stopped(budget) || deadline_passed(budget->deadline);
}

typedef struct {
    uint32_t move; /* a legal move of the searching role */
    double value;  /* expected goal of the role, 0..100 */
    uint64_t visits;
    bool is_proven; /* the value is exact */
} SearchMove;

typedef struct {
    uint32_t best;            /* best move of the role; MOVE_NONE if it has none */
    VECTOR(SearchMove) moves; /* best first */
    /* True if nothing is better than the best move, so searching on is useless. A proven best move
     * alone is not enough: others may turn out to be better. */
    bool is_decided;
    U32Vector line;    /* principal variation: joint moves, role after role */
    uint64_t playouts; /* since the last set_state or advance */
    uint64_t nodes;
    uint32_t depth; /* joint moves of the longest path inside the tree */
    double cpu_seconds;
} SearchResult;

/* How several threads work together (Chaslot, Winands and van den Herik 2008). */
typedef enum {
    PARALLEL_AUTO, /* chooses root: every method can do it, and no thread waits for a lock */
    PARALLEL_LEAF, /* one thread descends the tree, all make playouts from the leaves it gathers */
    PARALLEL_TREE, /* all threads descend one tree */
    PARALLEL_ROOT  /* a tree per thread; the statistics of the roots are added up */
} Parallel;

/* How independent trees agree on a move (Méhat and Cazenave 2011, Soejima et al. 2010). A proven
 * move takes precedence over all of these rules. */
typedef enum {
    MERGE_SUM,   /* the most visits, summed over the trees */
    MERGE_SUM10, /* the same sum, but only over the ten most visited moves of each tree */
    MERGE_BEST,  /* the choice of the tree that expects the highest value of its choice */
    MERGE_RAW,   /* the best mean over all visits of all trees */
    MERGE_VOTE   /* the choice of most trees; ties go to the most visits */
} RootMerge;

enum {
    SEARCH_DEFAULT_NODE_BYTES = 1 << 30, /* default memory for a tree (untuned) */
    SEARCH_MAX_THREADS = 1024,
    SEARCH_MAX_PLAYOUTS = 1 << 16 /* largest `batch` and `leaf_playouts` */
};

/* Options that several methods share. Each method says which of them it reads: see
 * search_options.h. Zero always means the method's default. */
typedef struct {
    uint64_t seed;
    uint32_t threads; /* SEARCH_MAX_THREADS at most; 0: one */
    Parallel parallel;
    RootMerge merge;        /* merge rule, with one tree per thread */
    double exploration;     /* weight of the confidence bound against the mean, both in 0..1 */
    size_t node_bytes;      /* memory for the tree */
    uint32_t leaf_playouts; /* playouts per visit of a leaf */
    uint32_t batch;         /* leaves gathered for one pass of playouts */
    uint32_t step_limit;    /* joint moves of one playout; longer ones count as lost by everybody */
    /* A learnt evaluation, read by the UCT family. NULL: none. It outlives the search. */
    const SearchEvaluation *evaluation;
    /* Makes the playouts. NULL: they are made on this processor. It outlives the search. */
    const LeafDevice *device;
    /* Bit set of fluents, such as step counters, that may be left out when positions are compared.
     * It may contain all fluents: those for which this would be unsound are compared all the same.
     * Read by the UCT family while the search is created. NULL: none. */
    const uint64_t *ignored;
    uint32_t ignored_words;
    bool skips_sums; /* another search of the same positions looks for sums of games; this one need
                         not */
    /* The method's own struct, which its options fill in. Read by create. NULL: its defaults. */
    const void *own;
    Report *report; /* where create says why it cannot; set by search_create */
} SearchOptions;

typedef struct Search Search;

typedef struct SearchOption SearchOption; /* search_options.h */
typedef struct SearchChoice SearchChoice; /* choice/search_choice.h */

typedef struct SearchMethod SearchMethod;

struct SearchMethod {
    const char *name;
    const char *alias;   /* an older name that is still accepted; NULL: none */
    const char *summary; /* one line of plain English */
    /* Table of the options that a user may set, ended by a row without a key, and the size of the
     * method's own struct. NULL and 0 without options. */
    const SearchOption *options;
    size_t own_size;
    const void *own_defaults; /* that struct before any option is set; NULL: zeros */
    Search *(*create)(const SearchMethod *method, Game *game, uint32_t role,
                      const SearchOptions *options);
    void (*free)(Search *search);
    void (*set_state)(Search *search, const State *state);
    /* After the joint move the state is `next`. NULL: set_state is called instead. */
    void (*advance)(Search *search, const uint32_t *joint, const State *next);
    /* Does slow work that is needed once. NULL: there is none. */
    void (*prepare)(Search *search, const SearchBudget *budget, double seconds);
    void (*run)(Search *search, const SearchBudget *budget); /* NULL: it does not search */
    /* Fills in an empty result, in which there are only the counts of the Search. */
    void (*result)(Search *search, SearchResult *result);
    /* With hidden information: sets what the role believes. NULL: it needs the state. */
    void (*set_belief)(Search *search, const Belief *belief);
    /* Gives a model of how the other roles play, used for the next belief. NULL: at random. */
    void (*model)(const Search *search, BeliefModel *model);
    /* Describes how the search chose the method that plays. NULL: it does not choose. */
    void (*describe)(const Search *search, SearchChoice *choice);
    bool is_mixed;         /* the best move is drawn from a mixture; visits are its probabilities */
    bool for_one_role;     /* only for games with one role and without chance */
    bool takes_evaluation; /* reads SearchOptions.evaluation */
    bool takes_device;     /* reads SearchOptions.device */
    bool deals_out_threads; /* passes its threads on to the searches that it runs */
};

/* Every method's instance begins with this. Counts restart with each state and go to the result. */
struct Search {
    const SearchMethod *method;
    Game *game;
    uint32_t role;
    uint32_t depth; /* SearchResult.depth */
    uint64_t playouts;
    double cpu_seconds;
};

/* NULL, with an error in the report, if the method cannot play this game with these options. */
Search *search_create(const SearchMethod *method, Game *game, uint32_t role,
                      const SearchOptions *options, Report *report);
void search_free(Search *search);
void search_set_state(Search *search, const State *state);
void search_advance(Search *search, const uint32_t *joint, const State *next);
/* In games with hidden information, call this before the first turn and after every turn. The
 * search is given no other information about the state. */
void search_set_belief(Search *search, const Belief *belief);
/* The model is valid until the search goes on. It is uniform if the search has no opinion. */
BeliefModel search_model(const Search *search);
/* Fills in how the search chose which method plays; false if it does not choose. */
bool search_describe(const Search *search, SearchChoice *choice);
/* Does slow work that is needed once, before the first turn. It ends after so many CPU seconds, at
 * the budget's deadline, or when it is stopped. If the budget has a number of playouts, methods
 * that can count playouts use these instead of seconds. Otherwise the first run does this work, as
 * far as there is time; a choice among methods is then not made. */
void search_prepare(Search *search, const SearchBudget *budget, double seconds);
void search_run(Search *search, const SearchBudget *budget);
/* Runs until so many CPU seconds or the budget are spent, and fills in the result. CPU time does
 * not depend on other programs. For searches with one thread. */
void search_think(Search *search, const SearchBudget *budget, double seconds, SearchResult *result);
/* Replaces the contents of the result; free it with search_result_free. */
void search_result(Search *search, SearchResult *result);
void search_result_free(SearchResult *result);
/* True if the result says that nothing better than the goal exists: it is decided, its best move is
 * proven, and no move is proven to be worth more. The principal line may be worth less. */
bool search_knows_no_better(const SearchResult *result, double goal);

/* ---- for methods ---- */

/* Makes an instance of the method, of so many bytes: a Search followed by zeros. */
void *search_instance(const SearchMethod *method, Game *game, uint32_t role, size_t bytes);
/* The options with defaults for memory, threads and steps; `own`, which may not last, is NULL. */
SearchOptions search_defaults(const SearchOptions *given);
/* Fills in the method's own struct from options->own, or with zeros. */
void search_own_options(const SearchOptions *options, void *own, size_t size);
/* The entry of a move in the result; NULL if it has none. */
SearchMove *search_find_move(const SearchResult *result, uint32_t move);
/* Puts an entry first, if there is one; the order of the others stays. */
void search_put_first(SearchResult *result, uint32_t move);
/* Adds the role's legal moves, without values. */
void search_list_legal(const Search *search, GameWork *work, const State *state,
                       SearchResult *result);
/* The leaves of a batch that the budget allows after so many playouts. */
size_t search_leaves_allowed(const SearchOptions *options, const SearchBudget *budget,
                             uint64_t done);
/* Puts the best move first and orders the others by their visits. */
void search_sort_moves(SearchResult *result);
/* A seed for each thread; the first thread gets the seed itself. */
uint64_t search_seed_of_thread(uint64_t seed, uint32_t thread);
/* Adds up the results of several searches of one position; `sum` is replaced. */
void search_add_results(const SearchResult *results, size_t count, bool is_mixed, RootMerge merge,
                        SearchResult *sum);
/* Creates one independent search of the method per thread: root.c. */
Search *search_create_root(const SearchMethod *method, Game *game, uint32_t role,
                           const SearchOptions *options);

/* ---- the methods of this layer, each defined in its own file ---- */

extern const SearchMethod random_search, legal_search, uct_search, grave_search, mast_search,
    single_player_search, cfr_search, mtmcts_search, uct_relevant_search, baseline_uct_search,
    baseline_grave_search, baseline_cfr_search, multitree_search, challenge_search;
