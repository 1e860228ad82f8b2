/* The verbs of the program. A new one is a file that defines its Verb, a line here and a line in
 * the table of main.c. */
#pragma once

#include "cli/options.h"

extern const Verb verb_analyze;
extern const Verb verb_bench;
extern const Verb verb_check;
extern const Verb verb_circuit;
extern const Verb verb_decompose;
extern const Verb verb_demo;
extern const Verb verb_experiment;
extern const Verb verb_format;
extern const Verb verb_games;
extern const Verb verb_gdl_perf;
extern const Verb verb_ground;
extern const Verb verb_help;
extern const Verb verb_info;
extern const Verb verb_learn;
extern const Verb verb_match;
extern const Verb verb_perft;
extern const Verb verb_player;
extern const Verb verb_replay;
extern const Verb verb_scsp;
extern const Verb verb_search;
extern const Verb verb_serve;
extern const Verb verb_show;
extern const Verb verb_simulate;
extern const Verb verb_solve;
extern const Verb verb_symmetry;
extern const Verb verb_tournament;
extern const Verb verb_trace_check;
extern const Verb verb_translate;
extern const Verb verb_version;

/* In the order of a user's day, NULL at the end. */
extern const Verb *const all_verbs[];

const Verb *verb_find(const char *name);
/* Tells standard error that there is no such verb. */
void complain_unknown_verb(const char *name);
