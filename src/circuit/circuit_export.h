/* Circuits for other programs. AIGER 1.9 (Biere, Heljanko and Wieringa 2011) is what model
 * checkers and hardware synthesis read: fluents are latches that start with the initial state,
 * moves are inputs, and terminal, legal, goals and percepts are outputs. The format knows no loops,
 * so rules that recurse are unrolled until nothing more can become true. DOT is for looking at
 * small circuits. */
#pragma once

#include "circuit/circuit.h"

/* Binary if the path ends in ".aig", else ASCII; "-" is standard output. Names are those of the
 * grounding the circuit was built from. False with an error in the report if the file cannot be
 * written ("unwritable") or unrolled loops would be too large ("too-large"). */
bool circuit_write_aiger(const Circuit *circuit, const Grounding *grounding, const char *path,
                         Report *report);

/* Graphviz. Refuses circuits of which no drawing could be read ("too-large"). */
enum { DOT_MAX_NODES = 2000 };
bool circuit_write_dot(const Circuit *circuit, const Grounding *grounding, const char *path,
                       Report *report);
