/* The memory in which lanes play: their states, and the final states of those whose match has
 * ended, which are kept until their goals are read. In each turn only few matches end, and the
 * network of the goals may be larger than that of a turn, so it runs once for many of them. */
#pragma once

#include "circuit/turn.h"
#include "game/mask.h"

typedef struct {
    size_t rows;       /* kept fluents */
    uint32_t phases;   /* 0: keeping states costs more than reading the goals at once */
    Lanes *states;     /* phase after phase, a row per kept fluent */
    LaneMask *waiting; /* by phase: lanes whose goals have not been read */
} FinalStates;

typedef struct {
    const TurnNetworks *turn;
    Lanes *state, *other; /* the present state and the next; rows as in circuit/turn.h */
    Lanes *goals, *scratch;
    FinalStates finals;
} TurnArea;

TurnArea turn_area_create(const TurnNetworks *turn);
void turn_area_free(TurnArea *area);

ALWAYS_INLINE const Lanes *final_states_of(const FinalStates *f, uint32_t phase) {
    return f->states + phase * f->rows;
}

/* True if one of these lanes still waits in this phase; then the phase must be read first. */
ALWAYS_INLINE bool final_states_clash(const FinalStates *f, uint32_t phase, const LaneMask *ended) {
    LaneMask both = mask_and(&f->waiting[phase], ended);
    return mask_any(&both);
}

ALWAYS_INLINE void final_states_keep(FinalStates *f, uint32_t phase, const LaneMask *ended,
                                     const Lanes *state) {
    Lanes mask, *kept = f->states + phase * f->rows;
    memcpy(&mask, ended, sizeof mask);
    for (size_t i = 0; i < f->rows; i++)
        kept[i] = (kept[i] & ~mask) | (state[i] & mask);
    mask_add(&f->waiting[phase], ended);
}
