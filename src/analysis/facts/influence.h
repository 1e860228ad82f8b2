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

/* Use one per thread. The circuit must outlive it. */
Influence *influence_create(const Circuit *circuit);
void influence_free(Influence *influence);

/* Selects the cone of these outputs and forgets all facts. All outputs count in all lanes. */
void influence_focus(Influence *influence, const Signal *outputs, size_t count);
/* Until the next focus this output, given by its place in that call, counts only in `count` lanes
 * from the first one on. */
void influence_confine(Influence *influence, size_t output, uint32_t first_lane, uint32_t count);
/* Only lists the nodes, fluents and moves of the cone, in no order. Facts cannot be given and
 * nothing can be evaluated until the next focus. */
void influence_list(Influence *influence, const Signal *outputs, size_t count);
/* Forgets all facts. */
void influence_forget(Influence *influence);

/* The nodes of the cone in order of evaluation, inputs included, and the fluents and moves among
 * them. */
const U32Vector *influence_nodes(const Influence *influence);
const U32Vector *influence_fluents(const Influence *influence);
const U32Vector *influence_moves(const Influence *influence);

/* Gives a node of the cone a value in one lane, whatever its operands are. */
void influence_give(Influence *influence, uint32_t lane, uint32_t node, bool value);
/* In one lane a role makes this move and no other. To be called once per lane and role. */
void influence_give_move(Influence *influence, uint32_t lane, uint32_t move);

void influence_evaluate(Influence *influence);
/* The lanes in which a signal of the cone can have the value. */
LaneMask influence_may_be(const Influence *influence, Signal signal, bool value);

/* Finds in every lane the fluents that the outputs still depend on, and with which sign. */
void influence_trace(Influence *influence);
/* The lanes in which an output uses the fluent with this sign. The cone must contain the fluent. */
LaneMask influence_used(const Influence *influence, uint32_t fluent, bool plain);
/* The lanes in which an output uses the fluent with either sign. */
LaneMask influence_uses(const Influence *influence, uint32_t fluent);

/* The lanes in which an output uses the move with this sign. The cone must contain the move. */
LaneMask influence_used_move(const Influence *influence, uint32_t move, bool plain);

/* Finds in every lane the fluents that stand in one conjunction with a move of the role whose move
 * is given there, or with that very move. Fluents of alternatives that need no move do not count.
 * The result replaces that of an earlier trace. */
void influence_trace_beside(Influence *influence, bool that_very_move);
