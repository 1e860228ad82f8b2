/* Decomposition by analysis of the rules. Disjunctive normal forms tell which actions may change
 * which fluents and what they need. The connected parts of that graph are the subgames; parts that
 * one sub-goal spans are joined. The method is quick if effects are written out in the rules. If
 * they are only implied, as in Chomp, its confidence is 0. */
#pragma once

#include "analysis/decompose/by_rules/dnf.h"
#include "analysis/decompose/decompose.h"

/* NULL if the game has no circuit, if time ran out or if a normal form has too many clauses. */
Decomposition *rules_decompose(Game *game, DnfKind kind, Deadline deadline);
