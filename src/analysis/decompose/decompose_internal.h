/* What the files of the decomposition share: the work under way. */
#pragma once

#include "analysis/decompose/decompose.h"
#include "base/disjoint_sets.h"

/* Effects less probable than this do not tie subgames together where others do. */
#define WEAK_EFFECT 0.1

typedef struct {
    Game *game;
    const Circuit *circuit;
    const DecomposeOptions *options;
    Deadline deadline; /* that of the options, or none */
    uint64_t *start;   /* the state of the options, a bit a fluent; NULL for the initial one */
    Decomposition *result;
    Influence *influence;
    Observer *observer;
    Evidence *evidence;
    ActionEffects effects;  /* what the moves do */
    Contexts contexts;      /* what that depends on, as far as attempts have looked */
    U32Vector *premises;    /* by fluent: those next(f) depends on, for fluents no move makes a
                               difference to */
    U32Vector *moves_under; /* by fluent: the moves under next(f), once someone has asked */
    bool *is_moved;         /* by fluent: moves are among what next(f) depends on */
    bool *is_mentioned;     /* by fluent: moves are mentioned in its rules, needed or not */
    bool *is_clock;         /* by fluent */
    bool *is_cyclic;        /* by fluent: a clock that comes round again: whose turn it is */
    bool *is_autonomous;    /* by fluent: provably depends on fluents of the kind only */
    bool *is_lasting;       /* by fluent: such a one that provably stays once it holds */
    bool *ignored;          /* by fluent: turn markers, which tie nothing together */
    Legality legality;
    bool *in_terminal, *in_goal; /* by fluent: premises */
    bool *decides_score;         /* by fluent: a premise of a goal when the game is over */
    uint32_t *stage;  /* by fluent: in a series the stage it belongs to, from 1; else 0 */
    bool *leads_on;   /* by fluent: runs by itself and lets a later stage begin */
    uint32_t *parent; /* of the fluents, then of the meta-actions: a forest of sets */
    SubGoals ends;    /* conditions of `terminal`, once someone has asked */
    U32Vector turns;  /* the turn markers they were found for */
    bool ends_known;
    bool goals_complete;
    bool is_studied;        /* the premises of all fluents are known */
    bool is_attempted;      /* the result is that of a complete attempt */
    bool is_cut_short;      /* the deadline passed in the middle of the present one */
    double weak_effect;     /* WEAK_EFFECT, where nobody wants another bound */
    bool is_split;          /* weak effects were cut */
    bool is_judged_by_part; /* each set that scores has a gate of its own under the goals */
    uint32_t vertex_count;
} Decomposer;

/* decompose.c: what every method needs before the first playout, and its end. */
Decomposer *decomposer_open(Game *game, const DecomposeOptions *options);
/* Everything but the result, which is handed over. */
Decomposition *decomposer_close(Decomposer *d);
/* A whole attempt on all that was seen so far: fills in d->result, which is empty but for the
 * sub-goals, and says in d->is_cut_short if the deadline kept it from its end. */
typedef void DecomposeAttempt(Decomposer *d, void *context);
/* Makes one; false if it did not come to its end: then the last complete one stays. */
bool decomposer_attempt(Decomposer *d, DecomposeAttempt *attempt, void *context);
/* After the last attempt: how sure the result is. Without a complete one all is one subgame. */
void decomposer_conclude(Decomposer *d, uint64_t playouts, uint32_t agreeing);
double decomposer_lap(Decomposer *d, DecomposeStep step, double since);
void decomposer_list_unplayed(Decomposer *d, const bool *is_played);
/* The meta-actions behind the effects; `by_neighbours` as in MetaActionStudy. */
void decompose_find_actions(Decomposer *d, bool by_neighbours);
uint64_t decomposer_hash(const Decomposer *d);
/* True if the deadline has passed, and remembers it of the present attempt. */
bool decomposer_is_late(Decomposer *d);

/* decompose_fluents.c: what kind of fluent each is. */
/* False if time ran out. */
bool decompose_study_premises(Decomposer *d);
void decompose_classify(Decomposer *d);
/* The moves that rules for next(f) mention. */
const U32Vector *decompose_moves_under(Decomposer *d, uint32_t f);

/* decompose_graph.c: links and the sets they make. */
void decompose_build_links(Decomposer *d);
/* The part of it that concerns meta-actions: begins anew with their links. */
void decompose_link_actions(Decomposer *d);
void decompose_add_link(Decomposer *d, uint32_t a, uint32_t b, LinkKind kind, double weight);
/* Finds the sets anew from all links that are not cut. */
void decompose_join(Decomposer *d);
/* One a vertex, at the representatives: whether the set has a meta-action and a
 * fluent. The caller frees it. */
bool *decompose_acted_sets(Decomposer *d, uint32_t *count);

/* decompose_series.c: cuts what links the stages of a series. */
void decompose_find_series(Decomposer *d);

/* decompose_merge.c: what belongs together although no link says so, and the reverse. */
void decompose_merge(Decomposer *d);
/* The part of it that sub-goals, weak effects and the freedom of choice decide. */
void decompose_regroup(Decomposer *d);
/* Fluents that moves change, though none makes a difference, go to the set whose moves change them,
 * if there is but one; at the end they hold all those sets together. */
void decompose_attach(Decomposer *d, bool at_the_end);

/* decompose_views.c: joins useless sets that a predicate of the rules speaks of. */
void decompose_join_by_views(Decomposer *d);

/* decompose_verify.c: false if subgames turned out to depend on each other; then links were added.
 */
bool decompose_verify(Decomposer *d);

/* decompose_label.c: the sets become subgames with labels. */
void decompose_label(Decomposer *d);
/* All fluents that can change in one subgame: what can be said when nothing is known. */
void decompose_label_whole(Decomposer *d);
/* decompose_waiting.c: useless subgames that one may run out of, and must not, are useful. */
void decompose_find_waiting(Decomposer *d);
/* decompose_class.c: compound moves, useless subgames, steppers. */
void decompose_find_traits(Decomposition *d, uint32_t move_count);
/* Finds out to which subgame each sub-goal belongs. */
void subgoals_place(Decomposition *result);
void subgames_clear(Decomposition *result);
