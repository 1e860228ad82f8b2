/* Symmetries of the network of a turn, as automorphisms of a coloured graph: a vertex for each
 * variable, for each value, for each table, row, clause and rule, with edges between what belongs
 * together (the microstructure of Cohen and others 2006). Fluents now and after the moves are tied
 * value by value, so that an automorphism acts on states, moves and successors alike: it is a
 * symmetry of the whole game, and states that it maps onto each other are worth the same for any
 * number of turns.
 *
 * The paper leaves the ties out and adds what a search predicts to be bad moves of a state, one
 * vertex for each; such symmetries may be accidents of one turn. */
#pragma once

#include "analysis/symmetry/symmetry.h"
#include "scsp/network/template.h"

/* Rows that a table has, or those that it has not. */
typedef enum { ROWS_FEWER, ROWS_ALLOWED, ROWS_FORBIDDEN } RowChoice;

typedef struct {
    const uint16_t *state; /* values of the groups */
    const uint32_t *joint; /* a move for each role; MOVE_NONE: any */
} TemplateNogood;

typedef struct {
    double seconds; /* CPU time */
    uint64_t seed;  /* of the matches that verify */
    RowChoice rows;
    const uint16_t *state; /* values of the groups get a colour of their own; NULL: none */
    bool is_untied;        /* the paper's: not verified then */
    const TemplateNogood *nogoods;
    size_t nogood_count;
} TemplateSymmetryOptions;

/* NULL if the graph is too large, even where tables are small. */
Symmetries *template_symmetries(const Template *template, const TemplateSymmetryOptions *options);
