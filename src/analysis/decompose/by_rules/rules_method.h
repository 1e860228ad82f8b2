/* Decomposition by analysis of the rules. Disjunctive normal forms tell which actions may change
 * which fluents and what the actions need. The connected components of that graph are the subgames;
 * components that one sub-goal spans are joined. The method is quick if the rules write effects
 * out. If they only imply them, as in Chomp, its confidence is 0. */
#pragma once

#include "analysis/decompose/by_rules/dnf.h"
#include "analysis/decompose/decompose.h"

/* Returns NULL without a circuit, if time ran out or if a normal form has too many clauses. */
Decomposition *rules_decompose(Game *game, DnfKind kind, Deadline deadline);
