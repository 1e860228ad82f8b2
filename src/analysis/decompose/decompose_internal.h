/* State and functions shared by the files of the decomposition. All methods use the Decomposer. The
 * functions are grouped by the file that defines them. */
#pragma once

#include "analysis/decompose/decompose.h"
#include "base/disjoint_sets.h"

/* Less probable effects tie no subgames together if stronger ones do. The thesis calls it omega. */
#define WEAK_EFFECT 0.1

typedef struct {
    Game *game;
    const Circuit *circuit;
    const DecomposeOptions *options;
    Deadline deadline; /* deadline of the options, or none */
    uint64_t *start;   /* bitset of options->start; NULL for the initial state */
    Decomposition *result;
    Influence *influence;
    Observer *observer;
    Evidence *evidence;
    ActionEffects effects; /* effects of all moves */
    Contexts contexts;     /* fluents that effects depend on; kept from one attempt to the next */
    /* The following arrays are indexed by fluent f. */
    U32Vector *premises;    /* fluents that next(f) depends on */
    U32Vector *moves_under; /* moves that next(f) depends on; computed on demand */
    bool *is_moved;         /* next(f) depends on moves */
    bool *is_mentioned;  /* the rules for next(f) mention moves, even if these make no difference */
    bool *is_clock;      /* f changes by itself */
    bool *is_cyclic;     /* a clock that returns to earlier values, such as a turn marker */
    bool *is_autonomous; /* next(f) provably depends on autonomous fluents only */
    bool *is_lasting;    /* autonomous and provably never becomes false */
    bool *ignored;       /* f is a turn marker, which ties nothing together */
    bool *in_terminal;   /* `terminal` depends on it */
    bool *in_goal;       /* some goal depends on it */
    bool *decides_score; /* some goal depends on it once the game is over */
    uint32_t *stage;     /* stage of f in a series of games, from 1 on; 0 if it has none */
    bool *leads_on;      /* f is autonomous and lets a later stage begin */
    bool *is_recorded;   /* f is a clock, and the end or a goal looks at a record of it */
    Arena arena;         /* owns the other arrays indexed by fluent */
    Legality legality;
    uint32_t *parent;          /* disjoint sets over the fluents, then the meta-actions */
    uint32_t vertex_count;     /* number of fluents and meta-actions */
    SubGoals ends;             /* conditions of `terminal` */
    U32Vector turns;           /* the turn markers for which `ends` was computed */
    bool ends_known;           /* `ends` was computed */
    bool goals_complete;       /* the search for sub-goals was not cut short by a deadline */
    bool is_studied;           /* the premises of all fluents are known */
    bool is_attempted;         /* the result is that of a complete attempt */
    bool is_cut_short;         /* the deadline passed during the current attempt */
    double weak_effect;        /* WEAK_EFFECT, or another bound set by the method */
    bool is_split;             /* weak effects were cut */
    bool is_evaluated_by_part; /* every set that scores has a gate of its own under the goals */
} Decomposer;

/* decompose.c */
/* Prepares what a method needs before the first playout. NULL if the game has no circuit. */
Decomposer *decomposer_open(Game *game, const DecomposeOptions *options);
/* Frees everything except the result and returns the result. */
Decomposition *decomposer_close(Decomposer *d);
/* A complete decomposition from all evidence so far. It fills in d->result, which is empty except
 * for the sub-goals, and sets d->is_cut_short if the deadline passes before its end. */
typedef void DecomposeAttempt(Decomposer *d, void *context);
/* Makes an attempt. False if it was cut short; then the last complete result stays. */
bool decomposer_attempt(Decomposer *d, DecomposeAttempt *attempt, void *context);
/* Computes the confidence of the result after the last attempt. Without a complete attempt the
 * whole game becomes one subgame. The last `agreeing` attempts had the same result. */
void decomposer_conclude(Decomposer *d, uint64_t playouts, uint32_t agreeing);
/* Adds the CPU seconds since `since` to the step and returns the current time. */
double decomposer_lap(Decomposer *d, DecomposeStep step, double since);
/* Lists the moves that were never played although they can still become legal. */
void decomposer_list_unplayed(Decomposer *d, const bool *is_played);
/* Finds the meta-actions behind the effects. MetaActionStudy explains `by_neighbours`. */
void decompose_find_actions(Decomposer *d, bool by_neighbours);
/* Returns a hash of the result, to compare attempts. */
uint64_t decomposer_hash(const Decomposer *d);
/* True if the deadline has passed; then the current attempt counts as cut short. */
bool decomposer_is_late(Decomposer *d);

/* by_evidence/decompose_fluents.c */
/* Finds the fluents that each fluent depends on. False if time ran out. */
bool decompose_study_premises(Decomposer *d);
/* Finds the kind of each fluent. */
void decompose_classify(Decomposer *d);
/* Returns the moves that next(f) depends on. */
const U32Vector *decompose_moves_under(Decomposer *d, uint32_t f);

/* by_evidence/decompose_graph.c */
/* Replaces all links by those of meta-actions and of premises. */
void decompose_build_links(Decomposer *d);
/* Replaces all links by those of meta-actions. */
void decompose_link_actions(Decomposer *d);
void decompose_add_link(Decomposer *d, uint32_t a, uint32_t b, LinkKind kind, double weight);
/* Finds the connected sets of all links that are not cut. */
void decompose_join(Decomposer *d);
/* Returns, by vertex, true for representatives of sets with actions. The caller frees it. */
bool *decompose_acted_sets(Decomposer *d);
/* Returns the number of sets with both a meta-action and a fluent. */
uint32_t decompose_count_acted(Decomposer *d);

/* by_evidence/decompose_series.c: cuts the links between the stages of a series. */
void decompose_find_series(Decomposer *d);

/* by_evidence/decompose_merge.c */
/* Merges sets that belong together although no link says so, and divides sets at weak links. */
void decompose_merge(Decomposer *d);
/* The steps of decompose_merge that use sub-goals, weak effects and freedom of choice. */
void decompose_regroup(Decomposer *d);
/* Links fluents that moves change, although no choice of move makes a difference, to the set whose
 * moves change them if there is only one such set. `at_the_end` they tie several sets. */
void decompose_attach(Decomposer *d, bool at_the_end);

/* by_evidence/decompose_unseen.c: links fluents that never changed to what they depend on. */
void decompose_tie_unseen(Decomposer *d);
/* Lists the groups that nothing but these links keeps in one subgame. */
void decompose_list_kept_together(Decomposer *d);

/* by_evidence/decompose_views.c: joins useless sets that one predicate of the rules depends on. */
void decompose_join_by_views(Decomposer *d);

/* by_evidence/decompose_verify.c: returns false and adds links if subgames depend on each other. */
bool decompose_verify(Decomposer *d);
/* Makes a state with the fluents of one subgame taken from another state. With kinds given, clocks
 * are not replaced. */
void decompose_cross(State *crossed, const State *state, const Subgame *subgame, const State *other,
                     const FluentKind *kinds);

/* decompose_label.c */
/* Makes subgames with labels from the sets. */
void decompose_label(Decomposer *d);
/* Puts all fluents that can change into one subgame, for lack of a better result. */
void decompose_label_whole(Decomposer *d);
/* Finds the subgame of each sub-goal. */
void subgoals_place(Decomposition *result);
void subgames_clear(Decomposition *result);

/* by_evidence/decompose_waiting.c: marks useless subgames as useful if roles can wait in them. */
void decompose_find_waiting(Decomposer *d);
/* decompose_class.c: finds properties of the whole game, such as compound moves. */
void decompose_find_traits(Decomposition *d, uint32_t move_count);
