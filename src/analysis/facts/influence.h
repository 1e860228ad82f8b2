/* What the outputs of a circuit depend on when something is known: 512 cases are evaluated at once
 * in three-valued logic, each lane with facts of its own. With a move given, the fluents an output
 * still depends on are the context in which the move works; with a fluent given, an output that is
 * certain shows a contradiction or a victory.
 *
 *     influence_focus(influence, &circuit->next[f], 1);
 *     influence_give_move(influence, lane, move);        // for as many lanes as wanted
 *     influence_evaluate(influence);
 *     influence_trace(influence);
 *     ... influence_used(influence, fluent, true) ...
 */
#pragma once

#include "circuit/circuit.h"
#include "game/mask.h"

typedef struct Influence Influence;

/* One a thread; the circuit must outlive it. */
Influence *influence_create(const Circuit *circuit);
void influence_free(Influence *influence);

/* Turns to the cone of these outputs and forgets all facts. */
void influence_focus(Influence *influence, const Signal *outputs, size_t count);
/* From the next focus on all outputs count in all lanes again; until then this one of them, by its
 * place in that call, counts in so many lanes from the first on and in no other. */
void influence_confine(Influence *influence, size_t output, uint32_t first_lane, uint32_t count);
/* Only lists what the cone consists of, in no order: nothing can be given or evaluated there. */
void influence_list(Influence *influence, const Signal *outputs, size_t count);
/* Forgets all facts. */
void influence_forget(Influence *influence);

/* What the cone consists of: inner nodes and inputs in order of evaluation, and the fluents and
 * moves among them. */
const U32Vector *influence_nodes(const Influence *influence);
const U32Vector *influence_fluents(const Influence *influence);
const U32Vector *influence_moves(const Influence *influence);

/* In one lane this node of the cone, whatever feeds it, has this value. */
void influence_give(Influence *influence, uint32_t lane, uint32_t node, bool value);
/* In one lane a role does this move and therefore no other. Takes one call a lane. */
void influence_give_move(Influence *influence, uint32_t lane, uint32_t move);

void influence_evaluate(Influence *influence);
/* The lanes in which a signal of the cone can have the value. */
LaneMask influence_may_be(const Influence *influence, Signal signal, bool value);

/* Finds in every lane the fluents that the outputs still depend on, plain or negated. */
void influence_trace(Influence *influence);
/* The lanes in which an output uses a fluent with this sign; the cone must contain the fluent. */
LaneMask influence_used(const Influence *influence, uint32_t fluent, bool plain);
/* The same with either sign. */
LaneMask influence_uses(const Influence *influence, uint32_t fluent);

/* The lanes in which an output uses a move with this sign; the cone must contain the move. */
LaneMask influence_used_move(const Influence *influence, uint32_t move, bool plain);

/* Finds in every lane the fluents that stand beside a move of the role whose move is given there,
 * or beside that very move, in one conjunction: not those of alternatives that need no move.
 * Replaces what was traced before. */
void influence_trace_beside(Influence *influence, bool that_very_move);
