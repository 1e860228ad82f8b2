/* Upper confidence bounds on graphs (Kocsis and Szepesvari 2006), for any number of roles. Each
 * role has its own statistics over its own moves in a node and chooses by them alone, whether the
 * others move at the same time or not; `random` chooses uniformly. Values are goals of a role
 * scaled to 0..1 by the lowest and highest goal that the rules give it. */
#pragma once

#include <pthread.h>

#include "base/pool.h"
#include "game/batch.h"
#include "game/successors.h"
#include "search/goals.h"
#include "search/search_options.h"
#include "search/uct/tree.h"

/* One pass gathers leaves, lets playouts start in all of them at once, and backs their values up.
 * Until then a visit counts as lost for everyone (virtual loss), so that leaves differ.
 *
 * Variants of UCT are sets of hooks; this header is for them. */

typedef struct Uct Uct;
typedef struct UctWorker UctWorker;

/* Callback for every root-to-leaf path before its playouts are counted, called by one thread at a
 * time: keys of the positions and their numbers of visits. For studies. */
typedef struct {
    void (*path)(void *context, const uint64_t *keys, const uint32_t *visits, size_t count);
    void *context;
} PathWatcher;

/* Own options of `uct` and of the searches derived from it. */
typedef struct {
    bool no_virtual_losses; /* leaves in progress do not count against their moves */
    bool is_decisive;       /* playouts take a move that wins at once */
    double amaf_bias;       /* how soon a move's own mean takes over from AMAF; 0: no AMAF */
    uint32_t amaf_visits;   /* visits of a node before its AMAF is used; 0: the default */
    bool merges_twins;      /* moves of a single mover that lead to one state count as one move */
    /* Means are those of all visits, as in published UCT: neither a proven value of a better move
     * nor that of a proven node replaces them. */
    bool keeps_means;
    const PathWatcher *paths; /* NULL: nobody watches */
} UctOptions;

/* Own options of `grave`; 0 stands for the default. */
typedef struct {
    double bias;     /* how soon a move's own mean takes over */
    uint32_t visits; /* visits of a node before its statistics are used */
} GraveOptions;

/* The table rows of the options of `uct`, for the searches derived from `uct`. */
#define UCT_OPTIONS                                                                                \
    SEARCH_OPTION_C("0.4, or 1.25 if a model advises on moves"),                                   \
        SEARCH_OPTION_LEAF("8, 32 on a GPU, 1 without a circuit"),                                 \
        SEARCH_OPTION_BATCH("64, 1 without a circuit"), SEARCH_OPTIONS_COMMON,                     \
        {"amaf",                                                                                   \
         VALUE_REAL,                                                                               \
         "0, none",                                                                                \
         0,                                                                                        \
         1000,                                                                                     \
         NULL,                                                                                     \
         "how soon a move's own mean takes over from that of playouts in which it occurs",         \
         OWN_FIELD(UctOptions, amaf_bias)},                                                        \
        {"ref", VALUE_UINT32, COUNT_RANGE("400", UINT32_MAX),                                      \
         "visits of a node before its memory of moves is used",                                    \
         OWN_FIELD(UctOptions, amaf_visits)},                                                      \
        {"novirtual", VALUE_FLAG, FLAG_RANGE, "leaves under way do not count as losses",           \
         OWN_FIELD(UctOptions, no_virtual_losses)},                                                \
    {                                                                                              \
        "decisive", VALUE_FLAG, FLAG_RANGE, "playouts take a move that wins at once",              \
            OWN_FIELD(UctOptions, is_decisive)                                                     \
    }

/* A path from the root: per step a node, and an arm for each role. Where the mover prefers a proven
 * move, the step explores another one, and the backup passes on the proven value instead. */
typedef struct {
    VECTOR(TreeNode *) nodes;
    U32Vector arms;                           /* role after role */
    VECTOR(const TreeNode *) proven_children; /* by step: the proven child, or NULL */
} UctPath;

/* What is known of a leaf's playouts, for uct_amaf.c. */
typedef struct {
    /* By move of the circuit, over the playouts in which it was made: sums of its role's values,
     * 0..1, and their numbers. */
    float *totals, *counts;
    float *values;     /* by playout and role */
    uint8_t *playouts; /* scratch, by move: set of eight playouts in which it was made */
} LeafAmaf;

/* What a descent waits for before its next step. */
typedef enum {
    WAITS_FOR_NOTHING,
    WAITS_FOR_ARMS,  /* the legal moves of `end` */
    WAITS_FOR_CHILD, /* the state after the joint move that was chosen in the last node of the path
                      */
} UctWait;

typedef struct {
    UctPath path;
    UctWait wait;
    uint32_t question; /* its number in worker->questions, if the descent waits */
    uint64_t joint;    /* the number of the joint move chosen last, if it is_numbered */
    bool is_numbered;
    bool is_closed;  /* the arm chosen last was proven before: all were */
    bool lacks_room; /* the tree had no room for the arms of `end` */
    /* Node of the leaf, or the node that the descent has reached; NULL if the tree had no room. */
    TreeNode *end;
    const TreeNode *reference; /* last node of the descent that has an extra */
    State state;               /* where playouts start */
    bool is_known;             /* the values are exact; no playout is needed */
    double *values;            /* by role: sum of values over the playouts */
    LeafAmaf amaf;             /* without memory if AMAF is not used */
    /* Only with an evaluation that advises on moves: */
    bool is_advised;      /* `goals` and `shares` are filled in, but not yet in the tree */
    U32Vector moves;      /* moves of the arms of `end` */
    VECTOR(float) shares; /* by move: its share, 0..1 */
    double *goals;        /* by role: expected goal */
} UctLeaf;

/* Hooks may be NULL. With `choose` or `learn`, playouts are made one by one and recorded. */
typedef struct {
    /* Make and free the hooks' own data. */
    void *(*open)(const Search *search, const SearchOptions *options);
    void (*close)(void *own, const Search *search);
    bool has_own_options; /* the method's own options are not UctOptions */
    /* The bound by which the role chooses an arm, in place of UCB1. */
    double (*bound)(const UctWorker *worker, uint32_t role, const Arm *arm, double log_visits);
    /* Chooses a move in a playout: an index into the legal moves. */
    size_t (*choose)(UctWorker *worker, uint32_t role, const U32Vector *legal);
    /* Called when a node has got its arms. It may fill in exact values of the node. */
    void (*expanded)(UctWorker *worker, TreeNode *node, const State *state);
    /* Called after each playout; worker->record has its moves. */
    void (*learn)(UctWorker *worker, const UctLeaf *leaf, const double *values);
} UctHooks;

/* A node whose successors are asked about, to see where the match ends. */
typedef struct {
    TreeNode *node;
    uint32_t turn;         /* of the node */
    int mover;             /* as in a node; never MOVER_SEVERAL */
    uint32_t first, count; /* questions in worker->ahead, one for each move of the mover */
} UctLook;

/* How often the match ends after the new nodes of a turn: of those looked at lately. */
typedef struct {
    uint32_t looks, ends, skipped;
} UctLookRate;

/* The memory of one thread for descents and playouts. */
struct UctWorker {
    Uct *uct;
    GameWork *work;
    /* What the descents of a round ask, answered all at once: about nodes that they have reached,
     * and about the successors of new nodes. */
    Successors *questions, *ahead;
    VECTOR(UctLook) looks;
    Batch *batch; /* NULL: playouts are made one by one */
    Random random;
    UctLeaf *leaves;
    uint32_t leaf_count;
    PlayoutStart *starts;
    PlayoutResult *results;
    size_t playout_count;      /* playouts of the present pass, in `starts` and `results` */
    void *evaluation;          /* this thread's data from evaluation->open, or the shared context */
    const State **evaluated;   /* scratch: states to be evaluated */
    double *evaluations;       /* scratch: their goals, role after role */
    Advice *asked;             /* scratch: states to ask the evaluation about */
    U32Vector *legal;          /* scratch, by role */
    uint32_t *joint, *chosen;  /* scratch */
    double *values;            /* scratch: by role, values of one playout */
    State next, whole;         /* scratch */
    U32Vector record;          /* joint moves of the last single playout, role after role */
    const TreeNode *reference; /* that of the descent whose arm is being chosen */
    bool saw_other_sum; /* a terminal state had values that do not add up to 1; not yet copied to
                           Uct */
    double cpu_seconds; /* CPU time of playouts made for another worker; not yet added to Uct */
};

/* Fluents that the keys of positions leave out, and their values at each turn: uct_clock.c. */
typedef struct {
    bool is_used;
    uint64_t *ignored;
    uint32_t words;
    uint32_t turn;       /* turn of the root; 0 when the state was set */
    VECTOR(State) times; /* by turn: values of the ignored fluents */
} UctClock;

enum { UCT_PASSES = 8 }; /* passes in progress on a device at the same time (untuned) */

/* A device that makes the playouts: uct_run.c. */
typedef struct {
    LeafPlayer *player; /* NULL: playouts are made on this processor */
    const State **states;
    LeafSums *sums; /* scratch: sums of goals of one pass */
} UctDevice;

/* While several threads run, the lock protects the tree and all fields outside the workers. */
struct Uct {
    Search search;
    SearchOptions options; /* defaults filled in */
    UctOptions uct_options;
    const UctHooks *hooks;
    void *own;  /* the hooks' own data */
    Pool *pool; /* NULL with one thread */
    UctWorker *workers;
    uint32_t worker_count;
    pthread_mutex_t lock;
    Tree tree;
    TreeNode *root;
    bool has_moved; /* the root has changed since the last run */
    UctClock clock;
    UctDevice device;
    GoalRange *ranges; /* by role */
    bool is_zero_sum;  /* two players, and values added up to 1 in all terminal states seen */
    const SearchBudget *budget;     /* budget of the run in progress */
    uint32_t virtual_losses;        /* virtual losses of an arm per leaf in progress */
    uint32_t amaf_moves;            /* moves of the circuit if AMAF is used, else 0 */
    bool looks_ahead;               /* ends of the match one turn after a new node are found */
    VECTOR(UctLookRate) look_rates; /* by turn */
};

Search *uct_create(const SearchMethod *method, const UctHooks *hooks, Game *game, uint32_t role,
                   const SearchOptions *options);
void uct_free(Search *search);
void uct_set_state(Search *search, const State *state);
void uct_advance(Search *search, const uint32_t *joint, const State *next);
void uct_run(Search *search, const SearchBudget *budget);
void uct_result(Search *search, SearchResult *result);
/* The functions of a method that differs from `uct` only in its hooks. */
#define UCT_FUNCTIONS                                                                              \
    .free = uct_free, .set_state = uct_set_state, .advance = uct_advance, .run = uct_run,          \
    .result = uct_result

/* Callback for every position of the tree with at least so many visits: its state, and the expected
 * goals by role (uct_result.c). The search must not leave fluents out of its keys. */
typedef void (*UctNote)(void *context, const State *state, const double *goals);
void uct_visit_nodes(const Search *search, uint32_t min_visits, UctNote note, void *context);

/* New nodes and their arms, many at a time: uct_expand.c. */
/* Ask for the legal moves of leaf->end, and for the state after the joint move in worker->joint,
 * which was chosen in `node`. */
void uct_ask_for_arms(UctWorker *worker, UctLeaf *leaf, uint32_t turn);
void uct_ask_for_child(UctWorker *worker, UctLeaf *leaf, const TreeNode *node, uint32_t turn);
/* Answers the questions of all descents that wait, and looks ahead from the nodes that are new or
 * have got their arms. */
void uct_answer(UctWorker *worker, UctLeaf *leaves, const uint32_t *open, uint32_t count);
/* Gives a node its arms if it has none, between descents. False if there is no room. */
bool uct_expand(UctWorker *worker, TreeNode *node, uint32_t turn);

/* Descents and backups: uct_descent.c. */
/* The arm of the mover, not a twin, that is known to lead to the child; NULL if there is none. */
Arm *uct_arm_to(const Uct *uct, const TreeNode *node, uint32_t role, const TreeNode *child);
/* Called when a move was tried for the first time. If another move of the mover leads to the same
 * child, that move takes over the visit and stands for both from now on. */
void uct_merge_twin(Uct *uct, TreeNode *node, const TreeNode *child, UctLeaf *leaf);
/* Gathers leaves, whose visits count as losses until they are backed up. */
void uct_descend(UctWorker *worker, UctLeaf *leaves, size_t count);
void uct_back_up(Uct *uct, UctLeaf *leaf);

/* All moves as first: uct_amaf.c. Nothing is done if it is not used. */
void uct_open_amaf(Uct *uct, bool one_by_one);
void uct_amaf_open_leaf(const Uct *uct, UctLeaf *leaf);
void uct_amaf_close_leaf(UctLeaf *leaf);
void uct_amaf_clear(const Uct *uct, UctLeaf *leaf);
/* Adds the playouts of the leaf; their values are in leaf->amaf. */
void uct_amaf_add_playouts(const Uct *uct, UctLeaf *leaf, const PlayoutResult *results);
/* Adds the move of a step of the leaf's path, by each role, to what is known of the leaf. */
void uct_amaf_add_step(const Uct *uct, UctLeaf *leaf, const TreeNode *node, const uint32_t *chosen);
/* Adds what is known of a leaf below to the node's memory of moves. */
void uct_amaf_remember(Uct *uct, TreeNode *node, const UctLeaf *leaf);
/* The bound of an arm in a node; `reference` is the node or the last one before it with a memory.
 */
float uct_amaf_bound(const Uct *uct, const TreeNode *reference, uint32_t role, const Arm *arm,
                     float exploration);

/* Asks the evaluation, if there is one, about the moves of a node just expanded: uct_evaluate.c. */
void uct_evaluate_moves(UctWorker *worker, TreeNode *node, const State *state);
/* The bound of an arm with a prior, in place of UCB1. */
double uct_bound_with_prior(const Uct *uct, const Arm *arm, double log_visits);
/* True if playouts are cut off and evaluated. */
bool uct_uses_evaluation(const Uct *uct);
/* Evaluates the states in worker->evaluated. Their values, role after role: worker->evaluations. */
void uct_evaluate_states(UctWorker *worker, size_t count);

/* True if leaves are evaluated by an evaluation that advises on moves, which are chosen by PUCT. */
bool uct_advises(const Uct *uct);
/* The terms of PUCT that are the same for all moves of a role in a node. */
typedef struct {
    double spread;  /* exploration bonus of an untried move with a share of 1 */
    double untried; /* value of an untried move, 0..1 */
    double share;   /* share of moves without a prior, 0..1 */
} UctWeighing;
UctWeighing uct_weigh(const Uct *uct, const TreeNode *node, uint32_t role);
double uct_bound_with_share(const UctWeighing *weighing, const Arm *arm);
/* True if the evaluation has to be asked about the leaf. */
bool uct_needs_advice(const Uct *uct, const UctLeaf *leaf);
/* Makes the question. Its answer will be written into the leaf. */
Advice uct_ask(UctLeaf *leaf, const Uct *uct);
/* Converts the answer into values of the leaf. */
void uct_take_advice(const Uct *uct, UctLeaf *leaf);
/* Stores the advice in the tree. */
void uct_note_advice(Uct *uct, UctLeaf *leaf);
void uct_advise_leaves(UctWorker *worker, UctLeaf *leaves, size_t count);

/* Evaluates leaves with the memory of the worker, which must suffice for them: uct_playout.c. */
void uct_play_out(UctWorker *worker, UctLeaf *leaves, size_t count);

/* The device for playouts: uct_run.c. False if one is wanted that cannot play this game. */
bool uct_open_device(Uct *uct);
void uct_close_device(Uct *uct);

/* Proofs: uct_proof.c. uct_notice_end is called for every terminal state. */
void uct_notice_end(UctWorker *worker, const double *values);
/* Fills in the exact values, if any, of a node that was just added. */
void uct_find_exact_values(UctWorker *worker, TreeNode *node, uint32_t turn);
/* The same for a new node that the question was about. */
void uct_take_end(UctWorker *worker, TreeNode *node, const Successors *answers, uint32_t question);
/* Learns where the match ends after a node, from the answers in worker->ahead: proves its arms, and
 * the node if that suffices. */
void uct_learn_ends(UctWorker *worker, const UctLook *look);
/* After a child was proven: marks the arm, and proves the node if that suffices. */
bool uct_prove(Uct *uct, TreeNode *node, uint32_t turn, const uint32_t *chosen,
               const TreeNode *child);

/* Keys of positions without the time: uct_clock.c. Nothing is done without ignored fluents. */
void uct_open_clock(Uct *uct);
void uct_close_clock(Uct *uct);
void uct_restart_clock(Uct *uct);
/* The first removes the ignored fluents from a state, the second adds those of a turn. */
void uct_forget_time(const Uct *uct, State *state);
void uct_tell_time(const Uct *uct, uint32_t turn, State *state);
/* True if the ignored fluents are known at this turn. They must be learnt turn after turn. */
bool uct_knows_time(const Uct *uct, uint32_t turn);
void uct_learn_time(Uct *uct, uint32_t turn, const State *state);
/* The node's state at that turn, with the ignored fluents; valid until the worker's next call. */
const State *uct_whole_state(UctWorker *worker, const TreeNode *node, uint32_t turn);
/* Call this before a node is used at a turn: it discards proofs that are valid for another turn. */
void uct_enter(UctWorker *worker, TreeNode *node, uint32_t turn);
bool uct_is_proven_at(const Uct *uct, const TreeNode *node, uint32_t turn);

/* Used to evaluate the leaves of many searches together, each with one thread and one leaf at a
 * time: uct_run.c. Returns the next leaf that the evaluation has to be asked about, or NULL once
 * the search has made so many playouts or its root is decided. */
UctLeaf *uct_next_leaf(Search *search, uint64_t visits);
/* Call this after the goals and shares of the leaf were filled in. */
void uct_return_leaf(Search *search, UctLeaf *leaf);
/* The node of the present state. */
const TreeNode *uct_root(const Search *search);
/* Seeds the random numbers again. */
void uct_reseed(Search *search, uint64_t seed);
