/* Who takes part in a match: a built-in search with options, a player on the network, or a human.
 *
 *     uct    uct:playouts=1000,c=0.5,seed=7    http://localhost:9147    human */
#pragma once

#include "gpu/leaves.h"
#include "strategy/strategy.h"

typedef enum { CONTESTANT_SEARCH, CONTESTANT_REMOTE, CONTESTANT_HUMAN } ContestantKind;

typedef struct {
    ContestantKind kind;
    char *name;        /* as the user gave it */
    char *label;       /* what records call it; NULL: the name */
    Strategy strategy; /* of a search */
    bool by_processor; /* strategy.seconds are CPU seconds; needs one thread */
    Gpu *gpu;          /* for the strategy's playouts; NULL if it does not want it */
    LeafDevice device; /* the GPU as searches use it */
} Contestant;

/* False with the reason in the report. Free it either way. */
bool contestant_read(Contestant *contestant, const char *text, Report *report);
void contestant_free(Contestant *contestant);
/* The options for a search of this game, valid as long as the contestant stays where it is. False
 * with the reason in the report if the model is about another game. */
bool contestant_options(const Contestant *contestant, Game *game, SearchOptions *options,
                        Report *report);
const char *contestant_label(const Contestant *contestant);
