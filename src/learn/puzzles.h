/* Small data sets on which learners are measured, as the literature and the thesis have them. */
#ifndef MARELLE_LEARN_PUZZLES_H
#define MARELLE_LEARN_PUZZLES_H

#include "learn/dataset.h"

/* Two facts, of which exactly one must hold. */
DataSet *puzzle_exclusive_or(void);
/* Two of the numbers 1 to 4; an even sum wins. The counts are those of the thesis's file. */
DataSet *puzzle_paire(void);
/* Ends of Nim: all heaps are empty, and whoever is to move has lost. */
DataSet *puzzle_nim(void);

#endif
