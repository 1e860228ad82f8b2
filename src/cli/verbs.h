/* The list of verbs. To add one, write a file that defines `const Verb verb_NAME` and add a line
 * here; help, completions and the manual page follow from the Verb itself. */
#pragma once

#include "cli/options.h"

/* Verbs in the order in which a user meets them, one per line so that two changes merge. */
#define VERBS(VERB)                                                                                \
    VERB(check)                                                                                    \
    VERB(format)                                                                                   \
    VERB(translate)                                                                                \
    VERB(info)                                                                                     \
    VERB(games)                                                                                    \
    VERB(show)                                                                                     \
    VERB(analyze)                                                                                  \
    VERB(symmetry)                                                                                 \
    VERB(decompose)                                                                                \
    VERB(simulate)                                                                                 \
    VERB(search)                                                                                   \
    VERB(solve)                                                                                    \
    VERB(scsp)                                                                                     \
    VERB(learn)                                                                                    \
    VERB(match)                                                                                    \
    VERB(tournament)                                                                               \
    VERB(replay)                                                                                   \
    VERB(player)                                                                                   \
    VERB(serve)                                                                                    \
    VERB(look)                                                                                     \
    VERB(bench)                                                                                    \
    VERB(experiment)                                                                               \
    VERB(ground)                                                                                   \
    VERB(circuit)                                                                                  \
    VERB(perft)                                                                                    \
    VERB(trace_check)                                                                              \
    VERB(gdl_perf)                                                                                 \
    VERB(demo)                                                                                     \
    VERB(version)                                                                                  \
    VERB(help)

#define DECLARE_VERB(name) extern const Verb verb_##name;
VERBS(DECLARE_VERB)
#undef DECLARE_VERB

/* All verbs; ends with NULL. */
extern const Verb *const all_verbs[];

/* NULL if there is no such verb. */
const Verb *verb_find(const char *name);
/* Prints what the program is, its verbs and three commands to begin with. (verb_help.c) */
void print_overview(void);
/* Prints to standard error that there is no such verb, with a suggestion if a name is close. */
void complain_unknown_verb(const char *name);
