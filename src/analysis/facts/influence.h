/* Influence: what the outputs of a circuit depend on when the values of some nodes are given. 512
 * cases are evaluated at once in three-valued logic, one per lane, each with facts of its own. With
 * a move given, the fluents that an output still depends on are the context in which the move
 * works. With a fluent given, an output that becomes certain shows a contradiction or a victory.
 *
 *     influence_focus(influence, &circuit->next[f], 1);
 *     influence_give_move(influence, lane, move);        // for each lane
 *     influence_evaluate(influence);
 *     influence_trace(influence);
 *     ... influence_used(influence, fluent, true) ...
 */
#pragma once

#include "circuit/circuit.h"
#include "game/mask.h"

typedef struct Influence Influence;

/* Creates an analysis of a circuit, which must outlive it. Use one per thread. */
Influence *influence_create(const Circuit *circuit);
void influence_free(Influence *influence);

/* Selects the cone of these outputs and forgets all facts. All outputs count in all lanes. */
void influence_focus(Influence *influence, const Signal *outputs, size_t count);
/* Until the next focus this output counts only in `count` lanes from the first one on. It is given
 * by its index in the list of influence_focus. */
void influence_confine(Influence *influence, size_t output, uint32_t first_lane, uint32_t count);
/* Only lists nodes, fluents and moves of the cone, unordered. To evaluate them, focus again. */
void influence_list(Influence *influence, const Signal *outputs, size_t count);
/* Forgets all facts. */
void influence_forget(Influence *influence);

/* The nodes of the cone in order of evaluation, and the fluents and moves among them. */
const U32Vector *influence_nodes(const Influence *influence);
const U32Vector *influence_fluents(const Influence *influence);
const U32Vector *influence_moves(const Influence *influence);

/* Gives a node of the cone a value in one lane, regardless of its operands. */
void influence_give(Influence *influence, uint32_t lane, uint32_t node, bool value);
/* Gives a fluent a value in one lane. Does nothing if the cone lacks the fluent. */
void influence_give_fluent(Influence *influence, uint32_t lane, uint32_t fluent, bool value);
/* Gives a role this move and no other in one lane. Call it at most once per lane and role. */
void influence_give_move(Influence *influence, uint32_t lane, uint32_t move);

void influence_evaluate(Influence *influence);
/* Returns the lanes in which a signal of the cone can have the value. */
LaneMask influence_may_be(const Influence *influence, Signal signal, bool value);

/* Finds in every lane the fluents that the outputs still depend on, and their signs. */
void influence_trace(Influence *influence);
/* Returns the lanes in which an output uses the fluent, which is in the cone, with this sign. */
LaneMask influence_used(const Influence *influence, uint32_t fluent, bool plain);
/* Returns the lanes in which an output uses the fluent with either sign. */
LaneMask influence_uses(const Influence *influence, uint32_t fluent);

/* Returns the lanes in which an output uses the move, which must be in the cone, with this sign. */
LaneMask influence_used_move(const Influence *influence, uint32_t move, bool plain);

/* Finds in every lane the fluents in one conjunction with a move of the role whose move is given
 * there; with `that_very_move` only the given move itself counts. Fluents of alternatives that need
 * no move are left out. The result replaces that of an earlier trace. */
void influence_trace_beside(Influence *influence, bool that_very_move);
