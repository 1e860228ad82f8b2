/* State and functions that the files of the decomposition share. All methods use the Decomposer;
 * the functions are grouped by the file that has them. */
#pragma once

#include "analysis/decompose/decompose.h"
#include "base/disjoint_sets.h"

/* Effects less probable than this do not tie subgames together if stronger effects do. The thesis
 * calls the bound omega and sets it to 0.1. */
#define WEAK_EFFECT 0.1

typedef struct {
    Game *game;
    const Circuit *circuit;
    const DecomposeOptions *options;
    Deadline deadline; /* that of the options, or none */
    uint64_t *start;   /* bitset of the fluents of options->start; NULL for the initial state */
    Decomposition *result;
    Influence *influence;
    Observer *observer;
    Evidence *evidence;
    ActionEffects effects; /* what the moves do */
    Contexts contexts;     /* what effects depend on, kept from one attempt to the next */
    /* By fluent f: */
    U32Vector *premises;    /* the fluents that next(f) depends on */
    U32Vector *moves_under; /* the moves that next(f) depends on; filled when first asked for */
    bool *is_moved;         /* next(f) depends on moves */
    bool *is_mentioned;  /* the rules for next(f) mention moves, even if these make no difference */
    bool *is_clock;      /* changes by itself */
    bool *is_cyclic;     /* a clock that returns to earlier values, such as a turn marker */
    bool *is_autonomous; /* next(f) provably depends on autonomous fluents only */
    bool *is_lasting;    /* autonomous and provably never becomes false */
    bool *ignored;       /* a turn marker, which ties nothing together */
    bool *in_terminal;   /* `terminal` depends on it */
    bool *in_goal;       /* some goal depends on it */
    bool *decides_score; /* some goal depends on it once the game is over */
    uint32_t *stage;     /* its stage in a series of games, from 1 on; 0 for none */
    bool *leads_on;      /* autonomous, and lets a later stage begin */
    Arena arena;         /* owns the arrays by fluent */
    Legality legality;
    uint32_t *parent;       /* disjoint sets over the fluents, then the meta-actions */
    uint32_t vertex_count;  /* fluents and meta-actions */
    SubGoals ends;          /* conditions of `terminal` */
    U32Vector turns;        /* the turn markers that `ends` was found for */
    bool ends_known;        /* `ends` is filled */
    bool goals_complete;    /* no time limit cut the search for sub-goals short */
    bool is_studied;        /* the premises of all fluents are known */
    bool is_attempted;      /* the result is that of a complete attempt */
    bool is_cut_short;      /* the deadline passed during the present attempt */
    double weak_effect;     /* WEAK_EFFECT, or the bound that a method sets instead */
    bool is_split;          /* weak effects were cut */
    bool is_judged_by_part; /* every set that scores has a gate of its own under the goals */
} Decomposer;

/* decompose.c */
/* Makes what every method needs before the first playout. NULL if the game has no circuit. */
Decomposer *decomposer_open(Game *game, const DecomposeOptions *options);
/* Frees all but the result and returns that. */
Decomposition *decomposer_close(Decomposer *d);
/* A complete decomposition from all that was seen so far. It fills in d->result, which is empty but
 * for the sub-goals, and sets d->is_cut_short if the deadline passes before its end. */
typedef void DecomposeAttempt(Decomposer *d, void *context);
/* Makes an attempt. False if it was cut short; then the result of the last complete one stays. */
bool decomposer_attempt(Decomposer *d, DecomposeAttempt *attempt, void *context);
/* To be called after the last attempt: finds the confidence of the result. Without a complete
 * attempt the whole game becomes one subgame. `agreeing` attempts in a row had the same result. */
void decomposer_conclude(Decomposer *d, uint64_t playouts, uint32_t agreeing);
/* Adds the CPU time since `since` to the step and returns the present time. */
double decomposer_lap(Decomposer *d, DecomposeStep step, double since);
/* Lists the moves that were never played although they can still become legal. */
void decomposer_list_unplayed(Decomposer *d, const bool *is_played);
/* Finds the meta-actions behind the effects; `by_neighbours` is explained in MetaActionStudy. */
void decompose_find_actions(Decomposer *d, bool by_neighbours);
/* Hash of the result, to compare attempts. */
uint64_t decomposer_hash(const Decomposer *d);
/* True if the deadline has passed; then the present attempt counts as cut short. */
bool decomposer_is_late(Decomposer *d);

/* by_evidence/decompose_fluents.c */
/* Finds what each fluent depends on. False if time ran out. */
bool decompose_study_premises(Decomposer *d);
/* Finds the kind of each fluent. */
void decompose_classify(Decomposer *d);
/* The moves that next(f) depends on. */
const U32Vector *decompose_moves_under(Decomposer *d, uint32_t f);

/* by_evidence/decompose_graph.c */
/* Replaces all links by those of meta-actions and of premises. */
void decompose_build_links(Decomposer *d);
/* Replaces all links by those of meta-actions. */
void decompose_link_actions(Decomposer *d);
void decompose_add_link(Decomposer *d, uint32_t a, uint32_t b, LinkKind kind, double weight);
/* Finds the connected sets of all links that are not cut. */
void decompose_join(Decomposer *d);
/* By vertex, for representatives: true if the set has both a meta-action and a fluent. The caller
 * frees the array. */
bool *decompose_acted_sets(Decomposer *d);
/* The number of such sets. */
uint32_t decompose_count_acted(Decomposer *d);

/* by_evidence/decompose_series.c: cuts the links between the stages of a series. */
void decompose_find_series(Decomposer *d);

/* by_evidence/decompose_merge.c */
/* Merges sets that belong together although no link says so, and divides sets at weak links. */
void decompose_merge(Decomposer *d);
/* The part of decompose_merge that goes by sub-goals, weak effects and freedom of choice. */
void decompose_regroup(Decomposer *d);
/* Links fluents that moves change, though no choice of move makes a difference, to the set whose
 * moves change them, if there is only one. With `at_the_end` they tie several such sets together.
 */
void decompose_attach(Decomposer *d, bool at_the_end);

/* by_evidence/decompose_views.c: joins useless sets that one predicate of the rules depends on. */
void decompose_join_by_views(Decomposer *d);

/* by_evidence/decompose_verify.c: false if subgames were found to depend on each other; then links
 * were added. */
bool decompose_verify(Decomposer *d);

/* decompose_label.c */
/* Makes subgames with labels from the sets. */
void decompose_label(Decomposer *d);
/* Puts all fluents that can change into one subgame, for want of a better result. */
void decompose_label_whole(Decomposer *d);
/* Finds the subgame of each sub-goal. */
void subgoals_place(Decomposition *result);
void subgames_clear(Decomposition *result);

/* by_evidence/decompose_waiting.c: marks useless subgames as useful in which roles can wait. */
void decompose_find_waiting(Decomposer *d);
/* decompose_class.c: finds the traits of the whole, such as compound moves and steppers. */
void decompose_find_traits(Decomposition *d, uint32_t move_count);
