/* Meta-actions: moves of one role that have the same effect in the same circumstances. A move that
 * acts on two boards at once belongs to two of them, one a board, so that a graph over meta-actions
 * does not tie the boards together. A move that stands alone is a meta-action of one. */
#ifndef MARELLE_ANALYSIS_METAACTIONS_H
#define MARELLE_ANALYSIS_METAACTIONS_H

#include "analysis/evidence.h"
#include "analysis/influence.h"

typedef struct {
    Effect effect;
    double weight; /* the mean probability over the moves */
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

/* Fluents that are `ignored` never tell moves apart; `clocks` (one a fluent, both) do only where
 * they stand beside a move of the role. Without `clocks` all do only where they stand beside the
 * very move. After the deadline nothing does: effects alone make sets of moves, larger ones. */
void metaactions_find(const ActionEffects *effects, Influence *influence, const Circuit *circuit,
                      const bool *ignored, const bool *clocks, Deadline deadline,
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

#endif
