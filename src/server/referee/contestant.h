/* Who takes part in a match: a built-in search with options, a player on the network, or a human.
 *
 *     uct    random    uct:playouts=1000,c=0.5,seed=7    http://localhost:9147    human
 *     uct:model=FILE,cutoff=4,prior=10    uct:gpu=1 */
#pragma once

#include "gpu/leaves.h"
#include "learn/play/model_gate.h"
#include "search/search.h"

typedef enum { CONTESTANT_SEARCH, CONTESTANT_REMOTE, CONTESTANT_HUMAN } ContestantKind;

typedef struct {
    ContestantKind kind;
    char *name;   /* as it was given */
    char *label;  /* what records call it; NULL: the name */
    char *method; /* of a search */
    SearchOptions options;
    bool has_seed;
    double seconds;              /* a move; 0: what the clock allows */
    bool by_processor;           /* these are seconds of the processor; needs one thread */
    uint64_t playouts;           /* a move; 0: what time allows */
    ModelUse use;                /* as the text says; zeros: as the model's file says */
    Model *model;                /* of model=FILE; NULL without */
    Evaluator *evaluator;        /* the same at work */
    SearchEvaluation evaluation; /* what options.evaluation points at then */
    bool wants_gpu;              /* for its playouts */
    Gpu *gpu;                    /* NULL if it does not want it */
    LeafDevice device;           /* what options.device points at then */
} Contestant;

/* False with the reason in the report. Free it either way. */
bool contestant_read(Contestant *contestant, const char *text, Report *report);
void contestant_free(Contestant *contestant);
/* The options for a search of this game. False with the reason in the report if the model is about
 * another one. */
bool contestant_options(const Contestant *contestant, Game *game, SearchOptions *options,
                        Report *report);
const char *contestant_label(const Contestant *contestant);
