/* Meta-actions: moves of one role that have the same effect in the same circumstances. A move that
 * acts on two boards at once belongs to two of them, one a board, so that a graph over meta-actions
 * does not tie the boards together. A move that stands alone is a meta-action of one. */
#pragma once

#include "analysis/decompose/by_evidence/evidence.h"
#include "analysis/facts/influence.h"

/* How the effect of a move depends on clocks. */
typedef enum {
    TIMING_NONE,
    TIMING_STAMP, /* it can happen at one moment only, so it writes the time down */
    TIMING_SWITCH /* at some moments and not at others */
} Timing;

/* Clocks that something depends on. */
typedef struct {
    uint32_t rounds;  /* those that come round */
    uint32_t moments; /* that come once */
    uint32_t records; /* that stay once they hold */
} ClockReadings;

/* What needs a moment that comes once can happen at no other, whatever it reads of what was written
 * down before. */
Timing timing_of(const ClockReadings *readings);

typedef struct {
    Effect effect;
    double weight; /* the mean probability over the moves */
    Timing timing;
} WeighedEffect;

typedef struct {
    uint32_t fluent;
    double weight; /* of the effect that depends on it */
} WeighedContext;

typedef struct {
    uint32_t role;
    U32Vector moves; /* of the circuit, ascending */
    VECTOR(WeighedEffect) effects;
    VECTOR(WeighedContext) contexts; /* fluents on which the effects depend */
    U32Vector conditions;            /* fluents on which the legality of all its moves depends */
    uint32_t subgame;                /* filled in by the decomposition */
} MetaAction;

typedef VECTOR(MetaAction) MetaActions;

typedef struct {
    uint32_t fluent, move;
    uint64_t hash;
    uint32_t at; /* into Contexts.lists: literals 2 * fluent + plain; UINT32_MAX ends the list */
    Timing timing;
} KnownContext;

/* What effects depend on once the move is given, kept from one attempt to the next: a later one
 * studies only what is new to it. Zero-initialised: nothing yet. */
typedef struct {
    Table table; /* of known, by fluent and move */
    VECTOR(KnownContext) known;
    U32Vector lists;
    uint64_t kinds; /* hash of the kinds of fluents it holds for */
} Contexts;

void contexts_free(Contexts *contexts);
/* The literals that the fluent's next value depends on beside the move, ended by UINT32_MAX, once
 * metaactions_find has studied the two by neighbours; NULL if it has not. */
const uint32_t *contexts_of(const Contexts *contexts, uint32_t fluent, uint32_t move);

typedef struct {
    Influence *influence;
    const Circuit *circuit;
    const bool *ignored; /* by fluent: never tells moves apart */
    const bool *clocks;  /* by fluent: does so only where it stands beside a move of the role */
    const bool *cyclic;  /* by fluent: a clock that comes round */
    const bool *lasting; /* by fluent: a clock that stays once it holds */
    bool by_neighbours;  /* all fluents tell moves apart only where they stand beside the very move,
                            and ignored ones are listed all the same */
    Contexts *contexts;
    Deadline deadline; /* of studying contexts */
} MetaActionStudy;

/* Clocks belong to what meta-actions depend on if one switches an effect, or if some moves do
 * nothing but leave time stamps. Time stamps beside other effects alone do not count. False, with
 * nothing found, if the deadline passed before all contexts were known. */
bool metaactions_find(const MetaActionStudy *study, const ActionEffects *effects,
                      MetaActions *found);
/* What the legality of each move depends on: literals 2 * fluent + plain, ascending. */
typedef struct {
    uint32_t move_count;
    U32Vector *premises; /* by move */
    bool is_complete;    /* false if time ran out */
} Legality;

Legality legality_study(const Circuit *circuit, Influence *influence, Deadline deadline);
void legality_free(Legality *legality);

/* Fills in the conditions; sets whose moves have no condition in common are split. */
void metaactions_find_conditions(MetaActions *actions, const Legality *legality,
                                 const bool *ignored, uint32_t fluent_count);
void metaactions_free(MetaActions *actions);
