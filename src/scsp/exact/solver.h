/* Domains of variables and propagation. All state that a search undoes is in one array of words.
 * The first change of a word after a mark is saved on a trail, and undoing restores it. Propagation
 * makes every table generalised arc consistent, runs unit propagation on clauses and evaluates
 * functions whose inputs are known, until nothing changes. Forward checking differs in that it
 * filters only tables with one open variable.
 *
 *     Solver *s = solver_create(&network);
 *     SolverMark mark = solver_mark(s);
 *     if (solver_assign(s, x, v) && solver_propagate(s, PROPAGATE_GAC)) { ... }
 *     solver_undo(s, mark);
 */
#pragma once

#include "base/bitset.h"
#include "scsp/network/constraint_network.h"

typedef enum { PROPAGATE_GAC, PROPAGATE_FORWARD } Propagation;

typedef size_t SolverMark; /* length of the trail when the mark was set */

typedef struct {
    uint32_t index;
    uint32_t stamp; /* stamp of the word before the change */
    uint64_t word;
} SavedWord;

typedef struct {
    const Scsp *network; /* not owned */
    uint64_t *words;     /* all state that can be undone, in 64-bit words */
    uint32_t *stamps;    /* by word: stamp of the mark after which it was last saved */
    uint32_t stamp, next_stamp;
    VECTOR(SavedWord) trail;
    U32Vector marks; /* stamps that were current before each open mark */
    /* The next five arrays contain indices into `words`. */
    uint32_t *domains;  /* by variable: first word of the bitset of its values */
    uint32_t *sizes;    /* by variable: the word with its domain size */
    uint32_t *currents; /* by table: first word of the bitset of its possible rows */
    uint32_t *limits;   /* by table: the word with the number of its nonzero words */
    /* By table: one word per column with the domain size when last filtered. */
    uint32_t *last_sizes;
    uint32_t **orders;    /* by table: permutation of its words, nonzero ones first */
    uint32_t **residues;  /* by table, column and value: the word that supported the value last */
    uint64_t *scratch;    /* scratch with as many words as the longest table */
    U32Vector *tables_of; /* by variable: the tables that contain it */
    U32Vector *functions_of;
    /* By variable: the clauses that contain it; for stochastic variables only. */
    U32Vector *clauses_of;
    U32Vector *watching;      /* by variable: 2 * clause + watch (0 or 1) */
    uint32_t *watches;        /* by clause: offsets of its two watched literals */
    uint32_t *function_watch; /* by function: an input that was open when it was last examined */
    uint8_t *function_values; /* scratch for the outputs of a function */
    U32Vector changed, table_queue;
    uint8_t *is_changed, *is_queued;
    double *weights; /* by variable: number of failures of its constraints (dom/wdeg) */
    bool is_failed;  /* the network is inconsistent */
} Solver;

/* Creates a solver of a network, which must outlive it. Sets is_failed if that is inconsistent. */
Solver *solver_create(const Scsp *network);
void solver_free(Solver *solver);

SolverMark solver_mark(Solver *solver);
/* Restores the state at the latest mark that is not undone. */
void solver_undo(Solver *solver, SolverMark mark);

/* Returns false if the variable has no value left. */
bool solver_assign(Solver *solver, uint32_t variable, uint32_t value);
bool solver_remove(Solver *solver, uint32_t variable, uint32_t value);
/* Returns false if some constraint cannot be satisfied. */
bool solver_propagate(Solver *solver, Propagation propagation);

static inline uint32_t solver_size(const Solver *s, uint32_t variable) {
    return (uint32_t)s->words[s->sizes[variable]];
}

static inline bool solver_is_fixed(const Solver *s, uint32_t variable) {
    return solver_size(s, variable) == 1;
}

static inline bool solver_has(const Solver *s, uint32_t variable, uint32_t value) {
    return bitset_get(s->words + s->domains[variable], value);
}

/* Returns the first value of the domain from `from` on; the number of values if there is none. */
uint32_t solver_next_value(const Solver *solver, uint32_t variable, uint32_t from);

static inline uint32_t solver_value(const Solver *s, uint32_t variable) {
    return solver_next_value(s, variable, 0);
}

/* True if no constraint distinguishes the remaining values of a stochastic variable any more. */
bool solver_is_free(const Solver *solver, uint32_t variable);

/* Callback for every solution, with all variables fixed. False ends the enumeration. */
typedef bool SolutionVisit(Solver *solver, void *context);
/* mac.c: enumerates all solutions over some variables. Leaves the solver as it was. */
void solver_enumerate_solutions(Solver *solver, const uint32_t *variables, uint32_t count,
                                SolutionVisit *visit, void *context);

/* For propagators: saves a word on the trail if needed, then changes it. */
void solver_set_word(Solver *solver, uint32_t index, uint64_t word);
/* Increases the weights of the variables of a constraint that has failed. */
void solver_blame(Solver *solver, const uint32_t *scope, uint32_t count);
/* compact_table.c: filters one table. False if no row is left. */
bool compact_table_propagate(Solver *solver, uint32_t table);
void compact_table_init(Solver *solver, uint32_t table, uint32_t *next_word);
void compact_table_start(Solver *solver, uint32_t table);
