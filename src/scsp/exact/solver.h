/* Domains and propagation. Everything that a search takes back lies in one array of words; the
 * first change of a word after a mark is written down, and undoing restores it. Propagation makes
 * every table generalised arc consistent, runs unit propagation on clauses and evaluates functions
 * whose inputs are known, until nothing changes. Forward checking does the same, but looks only at
 * tables with one open variable.
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

typedef size_t SolverMark; /* length of the trail */

typedef struct {
    uint32_t index;
    uint32_t stamp; /* the word's stamp before */
    uint64_t word;
} SavedWord;

typedef struct {
    const Scsp *network; /* not owned */
    uint64_t *words;     /* all that can be undone */
    uint32_t *stamps;    /* by word: the mark after which it was last saved */
    uint32_t stamp, next_stamp;
    VECTOR(SavedWord) trail;
    U32Vector marks;      /* stamps that marks replaced */
    uint32_t *domains;    /* by variable: the first word of its values */
    uint32_t *sizes;      /* by variable: the word that counts them */
    uint32_t *currents;   /* by table: the first word of its rows that are left */
    uint32_t *limits;     /* by table: the word that counts its words that are not 0 */
    uint32_t *last_sizes; /* by table: the first of a word a column: the size it was filtered for */
    uint32_t **orders;    /* by table: its words, those that are not 0 first */
    uint32_t **residues;  /* by table: by column and value a word that supported it last */
    uint64_t *scratch;    /* as many words as the longest table has */
    U32Vector *tables_of; /* by variable */
    U32Vector *functions_of;
    U32Vector *clauses_of;    /* of stochastic variables alone */
    U32Vector *watching;      /* by variable: clauses, twice their number, and which watch */
    uint32_t *watches;        /* two literals a clause, as offsets */
    uint32_t *function_watch; /* by function: an input that was open last */
    uint8_t *function_values; /* scratch: outputs */
    U32Vector changed, table_queue;
    uint8_t *is_changed, *is_queued;
    double *weights; /* by variable: failures of constraints it was part of */
    bool is_failed;
    uint64_t propagations;
} Solver;

/* Makes the network consistent; is_failed if that cannot be. The network must outlive it. */
Solver *solver_create(const Scsp *network);
void solver_free(Solver *solver);

SolverMark solver_mark(Solver *solver);
/* Back to the mark that was made last and not undone yet. */
void solver_undo(Solver *solver, SolverMark mark);

/* False if the variable has no value left. */
bool solver_assign(Solver *solver, uint32_t variable, uint32_t value);
bool solver_remove(Solver *solver, uint32_t variable, uint32_t value);
/* False if some constraint cannot be satisfied. */
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

/* The first value from there on that is left; the variable's size if there is none. */
uint32_t solver_next_value(const Solver *solver, uint32_t variable, uint32_t from);

static inline uint32_t solver_value(const Solver *s, uint32_t variable) {
    return solver_next_value(s, variable, 0);
}

/* Whether no constraint can tell the values left to a stochastic variable apart any more. */
bool solver_is_free(const Solver *solver, uint32_t variable);

/* For the propagators: saves the word, then changes it. */
void solver_set_word(Solver *solver, uint32_t index, uint64_t word);
/* A constraint failed: its variables get weight. */
void solver_blame(Solver *solver, const uint32_t *scope, uint32_t count);
/* compact_table.c: makes one table consistent. */
bool compact_table_propagate(Solver *solver, uint32_t table);
void compact_table_init(Solver *solver, uint32_t table, uint32_t *next_word);
void compact_table_start(Solver *solver, uint32_t table);
