/* Decomposition: finds the independent games, called subgames, inside a game. The fluents that
 * change are divided into subgames such that the moves of one neither help nor hinder the others
 * and such that each has something of its own to play for. The methods use experiments on random
 * play and the circuit; names never matter.
 *
 * Too few subgames only cost speed, whereas too many make play wrong. In doubt, fluents stay
 * together.
 *
 *     DecomposeOptions options = {.playouts = 5000, .deadline = deadline_in(5)};
 *     Decomposition *d = decompose(game, &options);
 *     for (size_t i = 0; i < d->subgames.count; i++) ... d->subgames.items[i] ...
 *
 * A game may fall apart during a match. A player can ask again from the present state:
 *
 *     options.start = &state;
 *     Decomposition *rest = decompose(game, &options);
 *
 * Fluents that never change from there on are in no subgame. Fluents, moves and roles are numbered
 * as in the game. If the deadline passes before the first attempt is complete, the whole game is
 * one subgame, with confidence 0. */
#pragma once

#include "analysis/decompose/metaactions.h"
#include "analysis/decompose/subgoals.h"
#include "game/recorder.h"

#define SUBGAME_NONE UINT32_MAX

typedef struct {
    bool has_actions; /* moves change it (action-dependent); otherwise it is autonomous */
    /* Terminal or scoring, or played before a useful subgame, or roles can wait in it. */
    bool is_useful;
    bool is_terminal;    /* `terminal` depends on it */
    bool is_scoring;     /* some goal depends on it */
    bool is_control;     /* tells whose turn it is */
    bool is_stepper;     /* counts turns */
    bool is_synchronous; /* some move acts in it and in another subgame */
    uint32_t order;      /* place in a series of games, from 1 on; 0 if it is in no series */
    U32Vector fluents;   /* those that were seen to change come first */
    U32Vector actions;   /* indices of its meta-actions */
} Subgame;

typedef enum {
    FLUENT_UNSEEN,  /* never seen to change; its dependencies decide its subgame, if it gets one */
    FLUENT_CLOCK,   /* autonomous: has the same value at the same turn of all matches */
    FLUENT_DERIVED, /* changes, but no choice of move makes a difference at once */
    FLUENT_ACTED,   /* the choice of a move makes a difference */
} FluentKind;

typedef enum {
    LINK_EFFECT,    /* a meta-action changes the fluent */
    LINK_CONTEXT,   /* an effect of a meta-action depends on the fluent */
    LINK_CONDITION, /* the legality of a meta-action depends on the fluent */
    LINK_PREMISE,   /* the next value of one fluent depends on the other */
    LINK_GOAL,      /* one sub-goal, condition of `terminal` or view depends on both */
    LINK_CHOICE     /* moves do not let a role choose freely between the two */
} LinkKind;

/* An edge of the dependency graph. */
typedef struct {
    uint32_t a, b; /* vertices: fluents first, then meta-actions */
    LinkKind kind;
    float weight;     /* probability of an effect, 0 to 1; 1 for all other kinds */
    bool is_cut;      /* ignored, because it joins two stages of a series or is too weak */
    bool is_untested; /* for want of evidence: a condition was never seen to hold */
} DependencyLink;

typedef enum {
    STEP_GROUND, /* the method rules: the rules are ground again, with predicates as they stand */
    STEP_FORMS,  /* the method rules: normal forms of successors and legality */
    STEP_CIRCUIT,
    STEP_PLAYOUTS,
    STEP_ACTIONS,
    STEP_GOALS,
    STEP_GRAPH,
    STEP_CHECKS,
    STEP_COUNT
} DecomposeStep;

/* How the subgames with actions are combined. */
typedef enum {
    COMPOSITION_SINGLE,       /* there is at most one subgame with actions */
    COMPOSITION_SERIAL,       /* one subgame begins when another has ended */
    COMPOSITION_PARALLEL,     /* several are played at once; no match was watched to tell more */
    COMPOSITION_SYNCHRONOUS,  /* every turn acts in each subgame that has not ended */
    COMPOSITION_ASYNCHRONOUS, /* one subgame may rest while another is played */
} Composition;

typedef struct {
    uint32_t with_actions;         /* subgames with actions (action-dependent) */
    uint32_t useless_with_actions; /* useless subgames among those with actions */
    uint32_t autonomous;           /* autonomous subgames (action-independent) */
    uint32_t useless_autonomous;   /* useless subgames among the autonomous ones */
} DecompositionCounts;

/* The result after so many playouts. */
typedef struct {
    uint64_t playouts;
    DecompositionCounts counts;
} DecomposeAttemptResult;

typedef struct {
    VECTOR(Subgame) subgames; /* subgames with actions come first */
    uint32_t *subgame_of;     /* by fluent: its subgame; SUBGAME_NONE if it is in none */
    FluentKind *kinds;        /* by fluent */
    MetaActions actions;
    SubGoals subgoals;
    VECTOR(DependencyLink) links;
    /* Crossing points of the statistical method: sets of literals that must be true together for
     * the rest of a series to begin. Literals are 2 * fluent + value. */
    VECTOR(U32Vector) crossings;
    /* By subgame that the rules alone keep together: a fluent of each group in it that no evidence
     * ties to the others. */
    VECTOR(U32Vector) kept_together;
    U32Vector unplayed; /* moves that were never played */
    /* Fluents that may change and matter, but were never seen to change. What the rules connect
     * through them stays together. */
    uint32_t unseen_count;
    bool is_compound;  /* some move acts in several subgames */
    bool is_multiple;  /* some, but not all, subgames with actions are useless */
    bool has_stepper;  /* some subgame counts turns */
    bool is_impartial; /* a hint only: the final score depends only on whose turn it is */
    bool is_imperfect; /* some move was never tried or time ran out; more playouts may help */
    double confidence; /* trust in the result, 0 to 1 */
    uint64_t playouts;
    bool is_recorded; /* the playouts came from a recorder and no error was found in them */
    double cpu_seconds, step_seconds[STEP_COUNT];
    VECTOR(DecomposeAttemptResult) attempts; /* if the options ask for them */
} Decomposition;

typedef struct {
    uint64_t playouts;  /* upper bound; fewer if attempts agree; 0 stands for 10,000 */
    Deadline deadline;  /* zero-initialised for no deadline */
    uint64_t seed;      /* seed of all random choices */
    const State *start; /* a state that is not terminal; NULL stands for the initial state */
    const MatchRecorder *recorder; /* plays the playouts; NULL to play them in this process */
    bool has_long_forms;           /* the method rules: normal forms are developed to the end */
    /* The method stats: makes an attempt after every 1000 playouts, to the last, and lists all. */
    bool lists_attempts;
} DecomposeOptions;

const char *decompose_step_name(DecomposeStep step);
const char *composition_name(Composition composition);

/* Returns NULL if the game has no circuit. */
Decomposition *decompose(Game *game, const DecomposeOptions *options);
void decomposition_free(Decomposition *decomposition);

/* Appends the graph of dependencies in the language of graphviz, coloured by subgame. */
void decomposition_write_dot(const Game *game, const GameWork *work,
                             const Decomposition *decomposition, Text *out);

DecompositionCounts decomposition_counts(const Decomposition *decomposition);

/* Decides how the subgames are combined. If there are several with actions and their order is
 * unknown, watches 512 random matches with the seed, the start and the deadline of the options. */
Composition decomposition_class(const Decomposition *decomposition, Game *game,
                                const DecomposeOptions *options);
