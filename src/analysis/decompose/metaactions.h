/* Meta-actions: sets of moves of one role that have the same effect in the same context. A move
 * that acts on two boards at once belongs to two meta-actions, one per board, so that a graph over
 * meta-actions does not tie the boards together. A meta-action may have a single move. */
#pragma once

#include "analysis/decompose/by_evidence/evidence.h"
#include "analysis/facts/influence.h"

/* How the effect of a move depends on clocks. */
typedef enum {
    TIMING_NONE,
    TIMING_STAMP, /* it can happen at one time only, so it records the time */
    TIMING_SWITCH /* it can happen at some times and not at others */
} Timing;

/* Numbers of clocks that an effect depends on. */
typedef struct {
    uint32_t rounds;  /* cyclic ones */
    uint32_t moments; /* true at one time only */
    uint32_t records; /* never become false again */
} ClockReadings;

/* An effect that needs a clock of one moment can happen at that time only, whatever records it
 * depends on. */
Timing timing_of(const ClockReadings *readings);

typedef struct {
    Effect effect;
    double weight; /* mean probability over the moves, 0 to 1 */
    Timing timing;
} WeighedEffect;

typedef struct {
    uint32_t fluent;
    double weight; /* greatest weight of the effects that depend on it */
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
    uint32_t at; /* index into Contexts.lists of literals 2 * fluent + plain, ended by UINT32_MAX */
    Timing timing;
} KnownContext;

/* Contexts of effects, kept from one attempt to the next, so that a later attempt studies only new
 * pairs of fluent and move. Zero-initialise to begin. */
typedef struct {
    Table table; /* of known, by fluent and move */
    VECTOR(KnownContext) known;
    U32Vector lists;
    uint64_t kinds; /* hash of the kinds of fluents they are valid for */
} Contexts;

void contexts_free(Contexts *contexts);
/* The literals that the fluent's next value depends on beside the move, ended by UINT32_MAX, once
 * metaactions_find has studied the two by neighbours; NULL if it has not. */
const uint32_t *contexts_of(const Contexts *contexts, uint32_t fluent, uint32_t move);

typedef struct {
    Influence *influence;
    const Circuit *circuit;
    const bool *ignored; /* by fluent: it never tells moves apart */
    const bool *clocks;  /* by fluent: it does so only in a conjunction with a move of the role */
    const bool *cyclic;  /* by fluent: a cyclic clock */
    const bool *lasting; /* by fluent: a clock that never becomes false */
    bool by_neighbours;  /* all fluents tell moves apart only in a conjunction with the very move,
                            and ignored fluents are listed, too */
    Contexts *contexts;
    Deadline deadline; /* for studying contexts */
} MetaActionStudy;

/* Finds the meta-actions behind the effects. Clocks belong to the contexts only if one switches an
 * effect or if some moves have no effects but time stamps. False, with nothing found, if the
 * deadline passed before all contexts were known. */
bool metaactions_find(const MetaActionStudy *study, const ActionEffects *effects,
                      MetaActions *found);

/* What the legality of each move depends on. */
typedef struct {
    uint32_t move_count;
    U32Vector *premises; /* by move: literals 2 * fluent + plain, ascending */
    bool is_complete;    /* false if time ran out */
} Legality;

Legality legality_study(const Circuit *circuit, Influence *influence, Deadline deadline);
void legality_free(Legality *legality);

/* Fills in the conditions and splits meta-actions whose moves have no condition in common. */
void metaactions_find_conditions(MetaActions *actions, const Legality *legality,
                                 const bool *ignored, uint32_t fluent_count);
void metaactions_free(MetaActions *actions);
