/* Simplifies a network without changing its policies. Values without support are removed. A table
 * is joined with every table over a subset of its variables; one over the same variables is then
 * dropped. A column is dropped if each of its values occurs with each combination in the other
 * columns. A table over one variable becomes its domain. This is repeated until nothing changes.
 * Variables and values keep their numbers. */
#pragma once

#include "scsp/network/template.h"

/* Returns false if no assignment satisfies the constraints. Free the result with scsp_free in any
 * case. The rules of functions and the rows of payments still belong to the original network. */
bool preprocess(Scsp *smaller, const Scsp *network);

/* Simplifies the template for reachable states that are not terminal. Fluents are restricted to the
 * values that are reachable from the initial state, considering one variable at a time. */
bool preprocess_turn(Scsp *smaller, const Template *template);
