/* A network as a model for other solvers, so that they can check its deterministic part: MiniZinc,
 * and the format of the XCSP3 competitions. Chance variables become free ones, and what a player is
 * paid becomes the objective: the optimum is what chance and everybody else could give it at best.
 * Functions, which no table says, are left out; a comment tells how many. */
#pragma once

#include "scsp/network/template.h"

void export_minizinc(const Template *template, const Scsp *network, uint32_t player, Text *out);
void export_xcsp(const Template *template, const Scsp *network, uint32_t player, Text *out);
