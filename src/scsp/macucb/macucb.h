/* MAC-UCB (Koriche and others 2016): a match as a sequence of networks of one turn. Most of the
 * time such networks are solved, which gives all joint actions and where they lead; the rest goes
 * to estimating the actions of what was solved last by upper confidence bounds on random play.
 * Values and proven bounds are carried up exactly, through the probabilities of what chance does.
 *
 * MAC-UCB-SYM spends a third share on symmetries. With those of the rules (template_symmetry.h)
 * states that map onto each other are one node from the start, until that is seen to save next to
 * nothing below a root. The paper's way is to look at every solved network with its nogoods, the
 * actions predicted to be bad, and to note where its symmetries take the state; a state that was
 * noted is never solved, but takes the other's values.
 *
 * Under hidden information a node is a belief: an action has to be legal in all its states, and
 * outcomes are told apart by what the role perceives. Where the players know different things, the
 * others are taken to move at random.
 *
 * This header is for the files of the search and for its tests. */
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
    MACUCB_MOST_JOINT = 4096, /* joint actions of a node that are solved one by one */
    MACUCB_MOST_WORLDS = 256, /* states of a belief */
    MACUCB_ENOUGH = 30,       /* pulls of a node, at least, before its value is used */
    MACUCB_LANES = 512,       /* pulls at once */
    MACUCB_PULLS = 64,        /* of a solved node at once, at least */
    MACUCB_ABREAST = 8,       /* nodes that are solved, and pulled so often, together */
    MACUCB_DEEPEST = 200,     /* nodes of a way down */
};

/* Own options of `mac-ucb` and `mac-ucb-sym`. */
typedef struct {
    double solve_share;    /* of the time; 0: the default of 0.75, or 0.5 beside symmetries */
    double symmetry_share; /* where symmetries are searched for all the time; 0: 0.25 */
    bool by_nogoods;       /* the paper's symmetries, which need not hold */
    bool by_network;       /* turns are solved by constraints instead of the reasoner */
    bool is_tree;          /* equal states reached by different paths are not merged */
    bool is_paranoid;      /* the others want to harm the role, not to gain */
    bool is_unpruned;      /* actions that cannot be good enough are followed all the same */
    bool by_halves;        /* the paper's beliefs: an unknown fluent is true with probability 1/2 */
    bool is_estimated;     /* nothing is solved to the end of the match */
} MacUcbOptions;

typedef enum {
    MAC_NEW,
    MAC_PLANNED,  /* about to be solved */
    MAC_SOLVED,   /* edges are there */
    MAC_JUDGED,   /* and were pulled often enough for its parents to rely on */
    MAC_FLAT,     /* too many joint actions: arms alone */
    MAC_TERMINAL, /* or a role has no move */
} MacStatus;

/* Whose memory the state is depends on where the world is: a node has its own. */
typedef struct {
    State state;
    double weight; /* probability */
} MacWorld;

typedef struct {
    MacWorld *worlds;
    uint32_t world_count;
    uint64_t hash;
    MacStatus status;
    uint32_t mover; /* the role with a choice; MAC_NOBODY, MAC_SEVERAL; MAC_UNKNOWN at first */
    uint32_t first_edge, edge_count;
    uint32_t first_arm; /* of MAC_SEVERAL and MAC_FLAT: arms of all roles, role after role */
    uint32_t arm_count;
    uint32_t pulls, visits;
    uint32_t rewards; /* of MAC_FLAT: pulls whose values are in its mean, all but those under way */
    double told;      /* the value that those above know */
    bool has_proofs;  /* bounds of some edge are not those of ignorance, or it is spent */
    uint32_t waits_for; /* pulls, to be worth more: MacUcb.waiting counts them */
    bool is_sampled;    /* random play from its states gave it a value before it was solved */
    bool is_exact, is_queued, was_analysed;
    bool is_spent;   /* nothing below it is left to solve, whether it is exact or not */
    uint32_t parent; /* edges that lead to it: MAC_NOBODY, or one, and more */
    U32Vector more_parents;
} MacNode;

#define MAC_NOBODY UINT32_MAX
#define MAC_SEVERAL (UINT32_MAX - 1)
#define MAC_UNKNOWN (UINT32_MAX - 2)

typedef struct {
    uint32_t node; /* that it starts from */
    uint32_t first_outcome, outcome_count;
    uint32_t pulls, visits;
    uint32_t twin;                /* an edge before it that leads to the same; else itself */
    bool is_stale;                /* something changed since its figures were made */
    bool is_known;                /* it has a value */
    bool is_drawn;                /* made of a sample: its bounds stay those of ignorance */
    bool is_closed;               /* everything below it is exact, and it is not drawn */
    bool is_spent;                /* nothing below it is left to solve */
    bool is_proved, is_predicted; /* nogoods: cannot be, or is not expected to be, good enough */
} MacEdge;

typedef struct {
    uint32_t node;
    double p;
} MacOutcome;

typedef struct {
    uint32_t role, move, pulls;
    double sum;           /* of the role's values in those pulls */
    double weight, worth; /* mean of the joint actions it is part of, and how much that says */
} MacArm;

/* What may happen after one joint action in one state. */
typedef struct {
    uint32_t joint; /* into MacUcb.joints: a move for each role */
    uint32_t state; /* into MacUcb.successors */
    State from;     /* where it happens: a node's */
    uint64_t percept;
    double p;
    bool is_made; /* the successor is there already */
    bool is_over;
} MacRaw;

/* A node whose turn is being solved, and what may happen there. */
typedef struct {
    uint32_t node;
    uint32_t sampled; /* random matches that gave it a value before */
    size_t first_raw, end_raw;
    bool is_drawn; /* not all that may happen is there */
} MacPlanned;

typedef struct {
    uint64_t solved, hits, pulls, analysed; /* networks solved, taken from others, ... */
    uint64_t proved, predicted;             /* nogoods */
    double used[3];                         /* time or work for solving, pulling, symmetries */
} MacStatistics;

typedef struct {
    Search search;
    SearchOptions options;
    MacUcbOptions own;
    bool with_symmetries, is_hidden, others_are_chance;
    GameWork *work;
    Batch *batch;     /* NULL without a circuit */
    LaneBatch *lanes; /* likewise */
    Random random;
    GoalRange *ranges;
    bool *is_chance, *decides; /* by role */
    uint32_t roles;
    /* Of a node that is not solved, for every way that leads to it. Where somebody has a choice it
     * gets MACUCB_ENOUGH the first time, as far as there are lanes. */
    uint32_t leaf_pulls;
    const Template *template; /* the game's; NULL where not asked for, or it could not be made */
    Micro *micro;
    MicroResult micro_result;
    const SymmetryGroup *group; /* likewise; NULL without symmetries */
    bool is_prepared;

    VECTOR(MacNode) nodes;
    VECTOR(MacEdge) edges;
    VECTOR(MacOutcome) outcomes;
    VECTOR(MacArm) arms;
    U32Vector edge_joints;      /* by edge and role; MOVE_NONE for those that do not decide */
    VECTOR(double) node_values; /* by node and role: value, lowest, highest */
    VECTOR(double) edge_values; /* by edge and role: value, lowest, highest, sum of pulls */
    Table table, base;          /* nodes by belief; the base: images under the paper's symmetries */
    VECTOR(State) base_states;
    U32Vector base_nodes;
    size_t bytes;

    Belief belief; /* of the root */
    uint32_t root;
    bool root_is_drawn;   /* its worlds are a sample of those that may be real */
    size_t root_element;  /* of the group: leads from the real root to the node's state */
    uint32_t mapped;      /* beliefs looked for by their images since the root was set, ... */
    uint32_t mapped_hits; /* and found as images of others */
    U32Vector newest;     /* nodes on ways down that were not pulled enough */
    uint32_t waiting;     /* pulls that they wait for, but for those of roots before */
    U32Vector queue;      /* for backups */
    double threshold;     /* what is sure for the role */

    struct BeliefSolver *solver;            /* of this match; NULL until it is needed */
    const struct BeliefSolver *solved_game; /* of all matches; NULL if it is not solved */
    bool awaits_solution;                   /* of the game, which another search is working on */
    bool is_endless;            /* some match may go on for ever: nothing is solved to the end */
    bool is_too_large;          /* what is left of the match is, for the memory */
    VECTOR(SearchMove) settled; /* moves of the root that were, the best among them; or none */

    VECTOR(MacPlanned) planned; /* scratch of solving */
    VECTOR(MacRaw) raws;
    U32Vector joints;
    VECTOR(State) successors, images;
    VECTOR(MacWorld) worlds;
    uint32_t successor_count;
    VECTOR(uint64_t) successor_words;
    U32Vector *legal;
    State state, image;
    MacStatistics statistics;
    uint64_t playouts;
    uint32_t depth;
    double cpu_seconds;
} MacUcb;

/* Figures by role: the last one of edges only. */
enum { MAC_VALUE, MAC_LOWEST, MAC_HIGHEST, MAC_SUM, MAC_FIGURES };

static inline double *macucb_node_values(MacUcb *m, uint32_t node, uint32_t which) {
    return m->node_values.items + ((size_t)node * 3 + which) * m->roles;
}

static inline double *macucb_edge_values(MacUcb *m, uint32_t edge, uint32_t which) {
    return m->edge_values.items + ((size_t)edge * MAC_FIGURES + which) * m->roles;
}

/* macucb_nodes.c: the node of a belief, made if it is new. The worlds become those of the node, but
 * stay the caller's. *element, if wanted, says which symmetry leads to them. */
uint32_t macucb_node(MacUcb *m, MacWorld *worlds, uint32_t count, size_t *element);
void macucb_clear_nodes(MacUcb *m);
/* Forgets which nodes are to be pulled: those of another root. */
void macucb_stop_waiting(MacUcb *m);
/* The least hash of the belief's images: the same for all that symmetries map onto each other.
 * *element says which image has it. */
uint64_t macucb_class(MacUcb *m, const MacWorld *worlds, uint32_t count, size_t *element);
/* At most so many worlds, drawn systematically; weights add up to 1. */
void macucb_thin(MacUcb *m, MacWorld *worlds, uint32_t *count, uint32_t most);

/* macucb_solve.c: whether no role has a choice at the node. */
bool macucb_is_nobodys(MacUcb *m, uint32_t node);
/* What chance may do there, at least. */
double macucb_draws(MacUcb *m, uint32_t node);
/* What may happen in a node is planned for one after the other, and then solved for
 * all together. Nodes that are too large, or where nobody can move, are done with at once. */
void macucb_plan(MacUcb *m, uint32_t node);
void macucb_solve_planned(MacUcb *m);
/* A match may start where it ends. Whether it goes on elsewhere is known from solving. */
void macucb_end_if_over(MacUcb *m, uint32_t node);

/* macucb_values.c */
/* Whether its actions are known well enough to follow one of them. */
bool macucb_is_judged(const MacNode *node);
/* Whether ways down go on below it: where nobody has a choice nothing needs to be known for that.
 */
bool macucb_is_open(const MacNode *node);
/* Whether those above may use its value. */
bool macucb_has_value(const MacNode *node);
/* The pulls that a node still needs to have one; where nobody has a choice, none: the value of such
 * a node, once solved, comes from below. */
uint32_t macucb_lacking(const MacNode *node);
/* Lets it wait for so many, or so many more. */
void macucb_wait(MacUcb *m, uint32_t node, uint32_t pulls);
/* Those that it is given when its turn comes. */
uint32_t macucb_wanted_pulls(const MacNode *node);
/* What values by role are worth to the mover. */
double macucb_worth(const MacUcb *m, uint32_t mover, const double *values);
/* Whether ways end with few pulls, so that values rest on many of them. How well something is known
 * is counted in pulls then, and in ways otherwise. */
bool macucb_has_small_leaves(const MacUcb *m);
/* The pulls that so many ways stand for: no more than the least that each of them ends with. */
double macucb_pulls_of_ways(const MacUcb *m, double ways);
/* The pulls that the value of an edge rests on, at least. */
double macucb_edge_evidence(const MacUcb *m, uint32_t edge);
/* Values and bounds of the nodes and of all above them. */
void macucb_back_up(MacUcb *m, const uint32_t *nodes, uint32_t count);
/* macucb_select.c: a way from the root down. */
typedef struct {
    uint32_t nodes[MACUCB_DEEPEST], edges[MACUCB_DEEPEST], length;
    uint32_t last;    /* node that is solved; MAC_NOBODY if there is none */
    double threshold; /* what the next node has to be worth */
} MacWay;
/* The way from the root to a node that is not solved, or waits for pulls; answers it, or
 * MAC_NOBODY. */
uint32_t macucb_select(MacUcb *m, MacWay *way);
/* The same from the last node of the way, which has just been solved. */
uint32_t macucb_go_on(MacUcb *m, MacWay *way);
/* A way that only has to wait, or is given up at its last node, does not count: it will be gone
 * again. */
void macucb_forget_way(MacUcb *m, const MacWay *way);
/* Raises the threshold, by which ways down tell nogoods. */
void macucb_tighten(MacUcb *m);

/* macucb_pull.c: pulls arms of the nodes, each as often as it lacks pulls, and all of them until
 * the lanes are full; answers how often in all. */
uint32_t macucb_pull(MacUcb *m, const uint32_t *nodes, uint32_t count);
/* The edge of a joint action. */
uint32_t macucb_find_edge(const MacUcb *m, const MacNode *node, const uint32_t *joint);

/* macucb_exact.c: solves the whole match, within the CPU time and the budget's, if one role plays
 * alone. */
void macucb_prepare_exact(MacUcb *m, const SearchBudget *budget, double seconds);
/* What solving leaves to the tree of the memory for nodes: an eighth of it at least. */
size_t macucb_tree_bytes(const MacUcb *m);
/* Whether what is left of the match is solved. */
bool macucb_look_root_up(MacUcb *m);
/* Solves it, if a part of the budget is enough for that. */
void macucb_settle_root(MacUcb *m, const SearchBudget *budget);
void macucb_free_exact(MacUcb *m);

/* macucb_symmetry.c: the translation and the rules' symmetries, within the CPU time. */
void macucb_prepare(MacUcb *m, double seconds);
/* Elements of the group of the rules' symmetries, at most so many and with the identity; NULL if
 * none were looked for in time. *found is what is known of the group: the caller's to free. */
SymmetryGroup *macucb_group(const Template *template, size_t most, double seconds, uint64_t seed,
                            Symmetries **found);
/* The paper's symmetries of one solved network; false if there is none left to look at. */
bool macucb_analyse(MacUcb *m, double seconds);
