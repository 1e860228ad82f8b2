/* All ways to solve a game, and how a user names one of them with its options:
 *
 *     exact    nrpa:level=4,seed=7    mtmcts:alpha=0.25,keys=depth,overlap=subgoals
 *
 * `exact` gives the value for every role; the others are for one role and bring a line of moves to
 * the best goal they find. What a method takes is in its table of options in solving.c. */
#pragma once

#include "base/report.h"
#include "search/exact/exact.h"
#include "search/multitree/mtmcts.h"
#include "search/search_options.h"

/* Options of all methods; solving_read fills in the defaults. */
typedef struct {
    uint64_t seed;
    uint32_t level; /* of nested searches; 0: 2 for nmcs, 3 for nrpa */
    size_t bytes;   /* memory for states; 0: what the method thinks right */
    double exploration;
    bool merges_twins; /* uct: moves that lead to one state count as one move */
    MtmctsOptions mtmcts;
} SolvingOptions;

typedef struct SolvingMethod SolvingMethod;
struct Solved;

struct SolvingMethod {
    const char *name, *summary;
    const SearchOption *options; /* ended by a row without a key; fields of SolvingOptions */
    bool for_one_role, needs_circuit;
    bool starts_anywhere; /* from any state, not from the initial one alone */
    void (*run)(Game *game, const State *from, const SolvingOptions *options,
                const SearchBudget *budget, struct Solved *solved);
};

/* All methods, ended by NULL. */
extern const SolvingMethod *const solving_methods[];

/* A method with the options that a user gave. */
typedef struct {
    const SolvingMethod *method;
    SolvingOptions options;
} Solving;

/* Reads NAME[:key=value,...]. False with the reason in the report. */
bool solving_read(Solving *solving, const char *text, Report *report);

/* What solving came to. */
typedef struct Solved {
    const char *method;
    uint64_t seed;
    bool is_solved;
    bool has_exact;    /* `exact` says more */
    ExactResult exact; /* all zero if exact solving was not tried */
    /* The rest is about one role, or the line of best play. */
    bool has_score;
    double score;   /* goal of the first role */
    U32Vector line; /* joint moves, role after role */
    uint64_t playouts;
    double cpu_seconds; /* without decomposition */
    double decomposition_cpu_seconds;
    TreesCounts counts; /* of searches over several trees; of uct its descents; else zeros */
} Solved;

/* True if it solves the game exactly, for every role, or says why it cannot. */
bool solving_is_exact(const Solving *solving, const Game *game);
/* Why a game cannot be solved in this way; NULL if it can. */
const char *solving_complaint(const Solving *solving, const Game *game, const State *from);
/* Solves from the state; NULL: the initial one. There must be no complaint. Always free the
 * result. */
void solving_run(const Solving *solving, Game *game, const State *from, const SearchBudget *budget,
                 Solved *solved);
void solved_free(Solved *solved);
