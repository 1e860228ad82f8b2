/* Decomposition: which independent games are inside a game. The fluents that change are divided
 * into subgames such that the moves of one neither help nor hinder the others and such that each
 * has something of its own to play for. Found by experiments on random play and by the circuit;
 * names never matter.
 *
 * Too few subgames do no harm but to speed, too many make play wrong, so doubt keeps things
 * together.
 *
 *     DecomposeOptions options = {.playouts = 5000, .deadline = deadline_in(5)};
 *     Decomposition *d = decompose(game, &options);
 *     for (size_t i = 0; i < d->subgames.count; i++) ... d->subgames.items[i] ...
 *
 * A game may fall apart during a match. For a player who asks again from where it stands:
 *
 *     options.start = &state;
 *     Decomposition *rest = decompose(game, &options);
 *
 * Fluents that were never seen to change from there on, because they are settled, are in no
 * subgame; otherwise all numbers of fluents, moves and roles are those of the game. If the deadline
 * passes before the first attempt is complete, everything is one subgame, with confidence 0.
 */
#pragma once

#include "analysis/decompose/metaactions.h"
#include "analysis/decompose/subgoals.h"
#include "game/recorder.h"

#define SUBGAME_NONE UINT32_MAX

typedef struct {
    bool has_actions;    /* moves matter to it (AD); else it runs by itself (AI) */
    bool is_useful;      /* terminal or scoring, or it must be played before one that is, or one
                            who runs out of moves in it must make one that counts */
    bool is_terminal;    /* `terminal` looks at it */
    bool is_scoring;     /* some goal looks at it */
    bool is_control;     /* says whose turn it is */
    bool is_stepper;     /* counts turns */
    bool is_synchronous; /* a move in it is a move in another one as well */
    uint32_t order;      /* in a series: 1 for the first, and so on; 0 if it is in none */
    U32Vector fluents;   /* those seen to change first */
    U32Vector actions;   /* numbers of its meta-actions */
} Subgame;

/* Why a fluent is where it is. */
typedef enum {
    FLUENT_UNSEEN,  /* never seen to change: placed by what it would depend on, if at all */
    FLUENT_CLOCK,   /* the same at the same turn of all matches */
    FLUENT_DERIVED, /* changes with the state; no move makes a difference at once */
    FLUENT_ACTED,   /* some move makes a difference */
} FluentKind;

typedef enum {
    LINK_EFFECT,
    LINK_CONTEXT,
    LINK_CONDITION,
    LINK_PREMISE,
    LINK_GOAL,
    LINK_CHOICE
} LinkKind;

/* Two things that belong together, and why. Fluents are numbered as in the circuit, meta-actions
 * after them. */
typedef struct {
    uint32_t a, b;
    LinkKind kind;
    float weight;
    bool is_cut; /* it leads from one subgame of a series to the next, or was found too weak */
} DependencyLink;

typedef enum {
    STEP_CIRCUIT,
    STEP_PLAYOUTS,
    STEP_ACTIONS,
    STEP_GOALS,
    STEP_GRAPH,
    STEP_CHECKS,
    STEP_COUNT
} DecomposeStep;

/* How the subgames with actions are put together. */
typedef enum {
    COMPOSITION_SINGLE,       /* there is at most one */
    COMPOSITION_SERIAL,       /* the end of one lets another begin */
    COMPOSITION_PARALLEL,     /* side by side; no match was seen that tells how */
    COMPOSITION_SYNCHRONOUS,  /* every turn is a turn in each that has not ended */
    COMPOSITION_ASYNCHRONOUS, /* one may rest while another is played */
} Composition;

typedef struct {
    VECTOR(Subgame) subgames; /* those with actions first */
    uint32_t *subgame_of;     /* by fluent; SUBGAME_NONE for fluents of every subgame */
    FluentKind *kinds;        /* by fluent */
    MetaActions actions;
    SubGoals subgoals;
    VECTOR(DependencyLink) links;
    VECTOR(U32Vector)
    crossings;          /* of the statistical method: literals, 2 * fluent + 1 if it holds,
                           that must hold together for the rest of a series to begin */
    U32Vector unplayed; /* moves that random play never tried */
    bool is_compound;   /* a single move may act in several subgames */
    bool is_multiple;   /* some, but not all, subgames with actions are useless */
    bool has_stepper;   /* some subgame counts turns */
    bool is_impartial;  /* a hint: at the end the score looks at nothing but whose turn it is */
    bool is_imperfect;  /* something was never tried or time ran out: more playouts may change it */
    double confidence;  /* 0 to 1 */
    uint64_t playouts;
    bool is_recorded; /* the playouts were those of a recorder, and nothing was wrong with them */
    double cpu_seconds, step_seconds[STEP_COUNT];
} Decomposition;

typedef struct {
    uint64_t playouts; /* at most, fewer if attempts agree; 0: the default of 10,000 */
    Deadline deadline; /* zero-initialised: none */
    uint64_t seed;
    const State *start; /* a later state of a match, not a terminal one; NULL: the initial one */
    const MatchRecorder *recorder; /* plays the playouts; NULL: they are played here */
} DecomposeOptions;

const char *decompose_step_name(DecomposeStep step);
const char *composition_name(Composition composition);

/* NULL if the game has no circuit. */
Decomposition *decompose(Game *game, const DecomposeOptions *options);
void decomposition_free(Decomposition *decomposition);

/* How many subgames have actions, run by themselves, and how many of each are useless. */
typedef struct {
    uint32_t ad, uad, ai, uai;
} DecompositionCounts;

DecompositionCounts decomposition_counts(const Decomposition *decomposition);

/* How the subgames are put together. Where there are several with actions and no order among them
 * is known, 512 random matches are watched: by the seed, the start and the deadline of the
 * options. */
Composition decomposition_class(const Decomposition *decomposition, Game *game,
                                const DecomposeOptions *options);
