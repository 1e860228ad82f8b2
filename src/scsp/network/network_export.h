/* Writes a network as a model for other solvers, in MiniZinc or in the XCSP3 format of the
 * competitions, so that they can check its deterministic constraints. Stochastic variables become
 * free, and the payment of a player becomes the objective: the optimum is the best case over chance
 * and all other players. Functions are left out; a comment gives their number. */
#pragma once

#include "scsp/network/template.h"

void export_minizinc(const Template *template, const Scsp *network, uint32_t player, Text *out);
void export_xcsp(const Template *template, const Scsp *network, uint32_t player, Text *out);
