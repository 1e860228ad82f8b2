/* Symmetries of the network of a turn as automorphisms of a coloured graph: its vertices are
 * variables, values, tables, rows, clauses and rules, its edges join things that belong together
 * (the microstructure of Cohen and others 2006). Each value of a current fluent is tied to that of
 * the next state, so that an automorphism acts on states, moves and successors alike. It is a
 * symmetry of the game: the states that it maps onto each other have the same values. */
#pragma once

#include "analysis/symmetry/symmetry.h"
#include "scsp/network/template.h"

/* The rows that become vertices: allowed or forbidden ones, or whichever are fewer. */
typedef enum { ROWS_FEWER, ROWS_ALLOWED, ROWS_FORBIDDEN } RowChoice;

typedef struct {
    const uint16_t *state; /* by group: its value */
    const uint32_t *joint; /* by role: its move; MOVE_NONE for any move */
} TemplateNogood;

typedef struct {
    double seconds; /* CPU seconds */
    uint64_t seed;  /* seed of the matches that verify symmetries */
    RowChoice rows;
    const uint16_t *state; /* by group: value that gets a colour of its own; NULL for none */
    /* Leave the ties out, as in Koriche and others (2016), who add one vertex for each move that a
     * search predicts to be bad. They may hold for one turn only and are not tested. */
    bool is_untied;
    const TemplateNogood *nogoods;
    size_t nogood_count;
} TemplateSymmetryOptions;

/* Returns NULL if the graph is too large even with small tables. */
Symmetries *template_symmetries(const Template *template, const TemplateSymmetryOptions *options);
