/* A smaller network with the same policies. Values without support go; a table is cut down by every
 * other whose variables are all among its own, and the other is dropped if it has the same ones
 * (intersection: finished constraints all have to hold); a column in which every value left goes
 * with every other row is dropped; what one variable alone must satisfy becomes its domain.
 * Repeated until nothing changes. Variables and values keep their numbers. */
#pragma once

#include "scsp/network/template.h"

/* False if no assignment satisfies the constraints. Free the result with scsp_free in any case; the
 * rules of functions still belong to whom they belonged before. */
bool preprocess(Scsp *smaller, const Scsp *network);

/* The template for states that are reached and not terminal: fluents have the values that some way
 * from the initial state may give them, one variable at a time. */
bool preprocess_turn(Scsp *smaller, const Template *template);
