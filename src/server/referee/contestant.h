/* A participant of a match: a built-in search with options, a player on the network, or a human.
 *
 *     uct    uct:playouts=1000,c=0.5,seed=7    http://localhost:9147    human */
#pragma once

#include "gpu/leaves.h"
#include "strategy/strategy.h"

typedef enum { CONTESTANT_SEARCH, CONTESTANT_REMOTE, CONTESTANT_HUMAN } ContestantKind;

typedef struct {
    ContestantKind kind;
    char *name;              /* as the user gave it */
    char *label;             /* name in records; NULL: `name` */
    Strategy strategy;       /* options of a search */
    bool counts_cpu_seconds; /* strategy.seconds are CPU seconds; needs one thread */
    Gpu *gpu;                /* GPU for the strategy's playouts; NULL if it does not use one */
    LeafDevice device;       /* the GPU in the form that searches use */
} Contestant;

/* Returns false with the reason in the report. Call contestant_free in both cases. */
bool contestant_read(Contestant *contestant, const char *text, Report *report);
void contestant_free(Contestant *contestant);
/* Fills the options for a search of this game. They are valid as long as the contestant is not
 * moved in memory. False with the reason in the report if the model belongs to another game. */
bool contestant_options(const Contestant *contestant, Game *game, SearchOptions *options,
                        Report *report);
const char *contestant_label(const Contestant *contestant);
