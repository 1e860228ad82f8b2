/* MAC-UCB (Koriche and others 2016) treats a match as a sequence of networks of one turn. Most of
 * the time goes to solving such networks, which gives all joint actions and their outcomes. The
 * rest goes to estimating the actions of the latest solved nodes by playouts, chosen by upper
 * confidence bounds: a playout through an action is called a pull of it. Values and proven bounds
 * are backed up exactly, weighted by the probabilities of chance. This header is for the files of
 * the search and for its tests. */
#pragma once

#include "analysis/symmetry/symmetry.h"
#include "base/table.h"
#include "game/batch.h"
#include "game/lanes.h"
#include "scsp/exact/micro.h"
#include "search/goals.h"
#include "search/search_options.h"

extern const SearchMethod mac_ucb_search, mac_ucb_sym_search;

enum {
    MACUCB_MAX_JOINT_MOVES =
        4096,                /* a node with more joint actions is not solved but flat (untuned) */
    MACUCB_MAX_WORLDS = 256, /* greatest number of states of a belief (untuned) */
    MACUCB_MIN_VALUE_PULLS = 30, /* pulls that a node needs before its value is used (untuned) */
    MACUCB_LANES = 512,          /* pulls made together: the lanes of a batch */
    MACUCB_MIN_SOLVED_PULLS =
        64, /* least number of pulls that a solved node gets at once (untuned) */
    MACUCB_NODES_PER_BATCH = 8, /* nodes solved together: MACUCB_LANES / MACUCB_MIN_SOLVED_PULLS */
    MACUCB_MAX_DEPTH = 200,     /* greatest number of nodes on a path (untuned) */
};

/* The options of `mac-ucb` and `mac-ucb-sym` beyond those of every search.
 *
 * MAC-UCB-SYM also uses symmetries. With those of the rules (template_symmetry.h) symmetric states
 * share one node, until that turns out to save next to nothing below a root. The method of the
 * paper examines each solved network with its nogoods, the actions predicted to be bad, and stores
 * the images of its state. A stored state is never solved but takes the values of the first one. */
typedef struct {
    /* Share of the time for solving; 0 stands for 0.75, or 0.5 with symmetries of nodes. */
    double solve_share;
    double symmetry_share;       /* share of the time for symmetries of nodes; 0 stands for 0.25 */
    bool uses_nogood_symmetries; /* use the paper's symmetries, which need not hold */
    bool solves_by_constraints;  /* solve turns by constraints instead of the reasoner */
    bool is_tree;                /* do not merge equal states that different paths reach */
    /* Assume that the others minimise the role's value instead of maximising their own. */
    bool is_paranoid;
    bool follows_hopeless;       /* follow actions that cannot reach the threshold, too */
    bool halves_unknown_fluents; /* use the paper's beliefs: an unknown fluent is true with
                                    probability 1/2 */
    bool never_solves_match;     /* never solve to the end of the match */
} MacUcbOptions;

typedef enum {
    MAC_NEW,
    MAC_PLANNED,   /* about to be solved */
    MAC_SOLVED,    /* its edges are known */
    MAC_EVALUATED, /* solved, and pulled often enough for its parents to use its value */
    MAC_FLAT,      /* it has too many joint actions, and therefore only arms */
    MAC_TERMINAL,  /* its state is terminal, or a role has no move */
} MacUcbStatus;

/* A possible state of a belief. The worlds of a node own their states; other worlds do not.
 *
 * With hidden information a node is a belief: an action must be legal in all its states, and
 * outcomes are distinguished by the percepts of the role. If players have different information,
 * the others are assumed to move at random. */
typedef struct {
    State state;
    double weight; /* probability, 0 to 1 */
} MacUcbWorld;

typedef struct {
    MacUcbWorld *worlds;
    uint32_t world_count;
    uint64_t hash;
    MacUcbStatus status;
    /* The only role with a choice, MAC_NOBODY or MAC_SEVERAL; MAC_UNKNOWN at first. */
    uint32_t mover;
    uint32_t first_edge, edge_count;
    /* MAC_SEVERAL and MAC_FLAT only: index of its first arm; arms are grouped by role. */
    uint32_t first_arm;
    uint32_t arm_count;
    uint32_t pulls, visits;
    uint32_t rewards;      /* MAC_FLAT only: finished pulls in its mean */
    double reported_value; /* the value last backed up to its parents */
    bool has_proofs;       /* some edge has a proven bound or is spent */
    uint32_t waits_for; /* number of pulls it waits for; the sum over all nodes is MacUcb.waiting */
    bool is_sampled;    /* its value comes from playouts made before it was solved */
    bool is_exact, is_queued, was_analysed;
    bool is_spent;   /* nothing below it is left to solve, whether it is exact or not */
    uint32_t parent; /* an edge that leads to it; MAC_NONE if there is none */
    U32Vector more_parents;
} MacUcbNode;

#define MAC_NONE UINT32_MAX   /* no node, edge or arm */
#define MAC_NOBODY UINT32_MAX /* no role */
#define MAC_SEVERAL (UINT32_MAX - 1)
#define MAC_UNKNOWN (UINT32_MAX - 2)

typedef struct {
    uint32_t node; /* the node it starts from */
    uint32_t first_outcome, outcome_count;
    uint32_t pulls, visits;
    uint32_t twin;  /* an earlier edge with the same outcomes; else itself */
    bool is_stale;  /* its values must be computed again */
    bool is_known;  /* it has a value */
    bool is_drawn;  /* its outcomes are a sample, so that nothing is proven about it */
    bool is_closed; /* all outcomes are exact, and it is not drawn */
    bool is_spent;  /* nothing below it is left to solve */
    bool is_proved, is_predicted; /* it is a nogood: too bad by proof, or only by prediction */
} MacUcbEdge;

typedef struct {
    uint32_t node;
    double probability;
} MacUcbOutcome;

typedef struct {
    uint32_t role, move, pulls;
    double sum; /* sum of the role's values in those pulls */
    /* `worth` is the mean value of its joint actions; `weight` is the weight of that mean. */
    double weight, worth;
} MacUcbArm;

/* One outcome of a joint action in one state. */
typedef struct {
    uint32_t joint; /* index in MacUcb.joints, which has a move for each role */
    uint32_t state; /* index of the successor in MacUcb.successors */
    State from;     /* state before the action; owned by a node */
    uint64_t percept;
    double probability;
    bool is_made; /* the successor has been computed */
    bool is_over;
} MacUcbRaw;

/* A node that is being solved, with its outcomes. */
typedef struct {
    uint32_t node;
    uint32_t sampled; /* number of playouts that gave it a value before */
    size_t first_raw, end_raw;
    bool is_drawn; /* its outcomes are a sample */
} MacUcbPlanned;

typedef struct {
    uint64_t solved;            /* number of solved nodes */
    uint64_t hits;              /* number of nodes found as images of others */
    uint64_t analysed;          /* number of nodes whose own symmetries were examined */
    uint64_t proved, predicted; /* number of nogoods by proof, and by prediction */
    double used[3];             /* time in seconds, or work, for solving, pulling and symmetries */
} MacUcbStatistics;

typedef struct {
    Search search;
    SearchOptions options;
    MacUcbOptions own;
    bool with_symmetries, is_hidden, others_are_chance;
    GameWork *work;
    Batch *batch;     /* NULL without a circuit */
    LaneBatch *lanes; /* NULL without a circuit */
    Random random;
    GoalRange *ranges;
    bool *is_chance, *decides; /* by role: it is chance; the search decides for it */
    uint32_t roles;
    /* Pulls that an unsolved node gets for each path that ends there. A node where a role has a
     * choice gets MACUCB_MIN_VALUE_PULLS the first time, if there are enough lanes. */
    uint32_t leaf_pulls;
    const Template *template; /* template of the game; NULL if it is not wanted or too large */
    Micro *micro;
    MicroResult micro_result;
    /* Symmetries of the rules; NULL if there are none or they are not wanted. */
    const SymmetryGroup *group;
    bool is_prepared;

    VECTOR(MacUcbNode) nodes;
    VECTOR(MacUcbEdge) edges;
    VECTOR(MacUcbOutcome) outcomes;
    VECTOR(MacUcbArm) arms;
    U32Vector edge_joints; /* by edge and role: the move; MOVE_NONE for roles that do not decide */
    VECTOR(double) node_values; /* by node and role: value, lowest, highest */
    VECTOR(double) edge_values; /* by edge and role: value, lowest, highest, sum of pulls */
    /* `table` finds nodes by belief, `base` by images under symmetries of single nodes. */
    Table table, base;
    VECTOR(State) base_states;
    U32Vector base_nodes;
    size_t bytes;

    Belief belief; /* belief of the root */
    uint32_t root;
    bool root_is_drawn;  /* its worlds are a sample of the possible states */
    size_t root_element; /* symmetry that maps the real root to the state of its node */
    bool uses_images;    /* beliefs below this root are looked up by their images, too */
    U32Vector newest;    /* nodes on recent paths that need pulls, the newest last */
    uint32_t waiting;    /* number of pulls that nodes wait for since the root was set */
    U32Vector queue;     /* nodes whose values must be backed up */
    double threshold;    /* value that the searching role can already count on */

    struct BeliefSolver *solver; /* solver of this match; NULL until it is needed */
    /* Solver of all matches of the game; NULL if the game is not solved. */
    const struct BeliefSolver *solved_game;
    bool awaits_solution; /* another search is solving the game */
    bool is_endless;      /* some match may never end, so that nothing is solved exactly */
    bool is_too_large;    /* the rest of the match does not fit into memory */
    /* Solved moves of the root, including a best one; empty if the root is not solved. */
    VECTOR(SearchMove) settled;

    VECTOR(MacUcbPlanned)
    planned; /* planned nodes; this and the following are scratch of solving */
    VECTOR(MacUcbRaw) raws;
    U32Vector joints;
    VECTOR(State) successors, images;
    VECTOR(MacUcbWorld) worlds;
    uint32_t successor_count;
    VECTOR(uint64_t) successor_words;
    U32Vector *legal;
    State state, image;
    MacUcbStatistics statistics;
} MacUcb;

/* Values stored by role. MAC_SUM, the sum of its pulls, exists for edges only. */
enum { MAC_VALUE, MAC_LOWEST, MAC_HIGHEST, MAC_SUM, MAC_FIGURES };

static inline double *macucb_node_values(MacUcb *m, uint32_t node, uint32_t which) {
    return m->node_values.items + ((size_t)node * 3 + which) * m->roles;
}

static inline double *macucb_edge_values(MacUcb *m, uint32_t edge, uint32_t which) {
    return m->edge_values.items + ((size_t)edge * MAC_FIGURES + which) * m->roles;
}

/* macucb_nodes.c: returns the node of a belief, which is added if it is new. Maps the worlds, which
 * stay the caller's, to those of the node. *element, unless NULL, becomes the symmetry used. */
uint32_t macucb_node(MacUcb *m, MacUcbWorld *worlds, uint32_t count, size_t *element);

/* macucb_nodes.c: true if some symmetry but the identity maps the belief to itself. */
bool macucb_is_symmetric(MacUcb *m, const MacUcbWorld *worlds, uint32_t count);
void macucb_clear_nodes(MacUcb *m);
/* Clears the list of nodes that wait for pulls, for a new root. */
void macucb_stop_waiting(MacUcb *m);
/* Returns the least hash of all images of the belief, which is equal for symmetric beliefs.
 * *element becomes the symmetry that gives it. */
uint64_t macucb_class(MacUcb *m, const MacUcbWorld *worlds, uint32_t count, size_t *element);
/* Reduces the worlds to at most `most` by systematic sampling; weights add up to 1. */
void macucb_thin(MacUcb *m, MacUcbWorld *worlds, uint32_t *count, uint32_t most);

/* macucb_solve.c: true if no role has a choice at the node. */
bool macucb_has_no_choice(MacUcb *m, uint32_t node);
/* Returns an estimate of the number of chance outcomes of the node. */
double macucb_draws(MacUcb *m, uint32_t node);
/* Plans a node: collects its outcomes. macucb_solve_planned then solves all planned nodes together.
 * Nodes that are too large, or without a legal move, are finished at once. */
void macucb_plan(MacUcb *m, uint32_t node);
void macucb_solve_planned(MacUcb *m);
/* Marks the root as terminal if its match is over. Other terminal nodes are found by solving. */
void macucb_end_if_over(MacUcb *m, uint32_t node);

/* macucb_values.c */
/* True if the actions of the node are known well enough to follow one of them. */
bool macucb_is_evaluated(const MacUcbNode *node);
/* True if paths continue below the node, as they do at once where no role has a choice. */
bool macucb_is_open(const MacUcbNode *node);
/* True if the parents of the node may use its value. */
bool macucb_has_value(const MacUcbNode *node);
/* Returns the number of pulls that a node still needs for a value. Where no role has a choice it is
 * 0, because the value of such a node comes from below once it is solved. */
uint32_t macucb_lacking(const MacUcbNode *node);
/* Makes the node wait for that many more pulls. */
void macucb_wait(MacUcb *m, uint32_t node, uint32_t pulls);
/* Returns the number of pulls that the node gets when it is pulled next. */
uint32_t macucb_wanted_pulls(const MacUcbNode *node);
/* Returns the value for the mover, from values by role. */
double macucb_value_for_mover(const MacUcb *m, uint32_t mover, const double *values);
/* True if each path ends with a few pulls. Evidence is then counted in pulls, else in paths. */
bool macucb_has_small_leaves(const MacUcb *m);
/* Returns a lower bound of the pulls made at the ends of that many paths. */
double macucb_pulls_of_paths(const MacUcb *m, double ways);
/* Returns a lower bound of the pulls behind the value of an edge. */
double macucb_edge_evidence(const MacUcb *m, uint32_t edge);
/* Updates values and bounds of the nodes and of all their ancestors. */
void macucb_back_up(MacUcb *m, const uint32_t *nodes, uint32_t count);
/* macucb_select.c: a path from the root. */
typedef struct {
    uint32_t nodes[MACUCB_MAX_DEPTH], edges[MACUCB_MAX_DEPTH], length;
    uint32_t last;    /* its last solved node; MAC_NONE if there is none */
    double threshold; /* value that the next node must reach */
} MacUcbPath;
/* Walks from the root to a node that is not solved or waits for pulls; MAC_NONE if none. */
uint32_t macucb_select(MacUcb *m, MacUcbPath *path);
/* Continues a path from its last node, which has just been solved. */
uint32_t macucb_go_on(MacUcb *m, MacUcbPath *path);
/* Takes back the visits of an abandoned path, which will be walked again. */
void macucb_forget_path(MacUcb *m, const MacUcbPath *path);
/* Raises the threshold below which actions are nogoods. */
void macucb_tighten(MacUcb *m);

/* macucb_pull.c: pulls each node as it needs, then all until the lanes are full. Returns the
 * pulls. */
uint32_t macucb_pull(MacUcb *m, const uint32_t *nodes, uint32_t count);
/* Orders joint actions by the moves of the roles that decide; 0 if they are equal. */
int macucb_compare_joints(const MacUcb *m, const uint32_t *a, const uint32_t *b);
/* Returns the edge of a joint action, which must exist. */
uint32_t macucb_find_edge(const MacUcb *m, const MacUcbNode *node, const uint32_t *joint);

/* macucb_exact.c: if one role plays alone, tries to solve the whole match within both limits. */
void macucb_prepare_exact(MacUcb *m, const SearchBudget *budget, double seconds);
/* Returns the bytes that exact solving leaves to the tree: at least an eighth of all. */
size_t macucb_tree_bytes(const MacUcb *m);
/* True if the rest of the match is solved. */
bool macucb_find_solved_root(MacUcb *m);
/* Tries to solve the rest of the match with a share of the budget. */
void macucb_settle_root(MacUcb *m, const SearchBudget *budget);

/* macucb_symmetry.c: makes the template and finds symmetries of the rules in that CPU time. */
void macucb_prepare(MacUcb *m, double seconds);
/* Returns at most `most` elements of the symmetry group of the rules, the identity first; NULL if
 * there was no time. *found describes the group; the caller frees it. */
SymmetryGroup *macucb_group(const Template *template, size_t most, double seconds, uint64_t seed,
                            Symmetries **found);
/* Finds the symmetries of one solved network, as in the paper. False if no node is left. */
bool macucb_analyse(MacUcb *m, double seconds);
