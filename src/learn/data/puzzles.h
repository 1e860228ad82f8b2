/* Small data sets for measuring learners, from the literature and the thesis of 2013. */
#pragma once

#include "learn/data/dataset.h"

/* Two facts, of which exactly one must hold. */
DataSet *puzzle_exclusive_or(void);
/* Two of the numbers 1 to 4; an even sum wins. The counts are those of the thesis's file. */
DataSet *puzzle_paire(void);
/* Ends of Nim: all heaps are empty, and whoever is to move has lost. */
DataSet *puzzle_nim(void);
/* Ends of random matches of Roshambo (stone, paper, scissors, well): ten rounds, or five points. */
DataSet *puzzle_roshambo(uint64_t seed, size_t rows);
/* Ends of Point Grab: thirty turns of ten actions, two of which pay five points unless both chose
 * the same; a hundred points end it. Players are of different eagerness, so that scores spread. */
DataSet *puzzle_point_grab(uint64_t seed, size_t rows);
/* All boards over x, o, b; those with a line of x win. */
DataSet *puzzle_lines_27(void);
/* All 958 ends of Tictactoe. */
DataSet *puzzle_tictactoe(void);
