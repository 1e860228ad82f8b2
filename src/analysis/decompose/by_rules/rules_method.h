/* Decomposition by analysis of the rules (method R): normal forms say which actions may change
 * which fluents and what they need; the connected parts of that graph, joined again where a
 * sub-goal spans several, are the subgames. Quick where effects are written out in the rules;
 * where they are only implied (Chomp) its confidence is 0. */
#pragma once

#include "analysis/decompose/by_rules/dnf.h"
#include "analysis/decompose/decompose.h"

/* NULL if the game has no circuit, or if time or clauses did not suffice for the normal forms. */
Decomposition *rules_decompose(Game *game, DnfKind kind, Deadline deadline);
