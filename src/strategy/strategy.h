/* All search methods, and how a user names one of them with its options:
 *
 *     uct    uct:playouts=1000,c=0.5,seed=7    uct:model=FILE,cutoff=4,prior=10    uct:gpu=1
 *
 * What a method takes is written in its own table of options (search/search_options.h). Options
 * that every method takes, and those for models and GPUs, are listed in strategy.c. */
#pragma once

#include "learn/play/acceptance.h"
#include "search/search_options.h"

/* All methods, ended by NULL. */
extern const SearchMethod *const strategy_methods[];

/* Finds a method by name or alias; NULL if there is none. */
const SearchMethod *strategy_find_method(const char *name);
/* Like strategy_find_method, but adds an error that lists the names to the report if there is none.
 */
const SearchMethod *strategy_require_method(const char *name, Report *report);

/* `auto`: the method that suits a game, by what is known before the first move (auto.c). */
typedef struct {
    const SearchMethod *method;
    const char *reason; /* reason for the choice, a clause without a full stop */
} AutoChoice;

AutoChoice auto_choose(const Game *game);
extern const SearchMethod auto_search;

/* The method itself, or the one that `auto` chooses for the game. */
const SearchMethod *strategy_resolve(const SearchMethod *method, const Game *game);
/* Creates a search of the method with that name. Returns NULL with an error in the report if there
 * is no such method, or if it cannot play the game. */
Search *strategy_create_named(const char *name, Game *game, uint32_t role,
                              const SearchOptions *options, Report *report);
/* The option of a method with this number: first the options of all methods, then its own, then
 * those for models and GPUs if it takes them. NULL after the last. */
const SearchOption *strategy_option(const SearchMethod *method, size_t number);

/* A method with the options that a user gave. */
typedef struct {
    char *text; /* the text as the user gave it */
    const SearchMethod *method;
    SearchOptions search; /* options without the model: see strategy_search_options */
    void *own;            /* search.own points here */
    bool has_seed;        /* a seed was given */
    double seconds;       /* time per move; 0: as the clock allows */
    uint64_t playouts;    /* playouts per move; 0: as many as time allows */
    bool samples_beliefs; /* beliefs are always sampled, however few states they have */
    ModelUse use;         /* how the model is used; zeros: as its file says */
    Model *model;         /* NULL: no model */
    Evaluator *evaluator; /* NULL without a model */
    SearchEvaluation evaluation;
    bool wants_gpu; /* the creator of the search opens the GPU and sets SearchOptions.device */
} Strategy;

/* Reads NAME[:key=value,...]. False with the reason in the report. Free the strategy either way. */
bool strategy_read(Strategy *strategy, const char *text, Report *report);
void strategy_free(Strategy *strategy);
/* Uses this model, which belongs to the strategy from now on, even if it is refused. False with the
 * reason in the report if the method takes no models. */
bool strategy_use_model(Strategy *strategy, Model *model, Report *report);
/* Sets one option that is not about models. False with the reason in the report. */
bool strategy_set(Strategy *strategy, const char *key, const char *value, Report *report);
/* Fills in the options for a search of this game, including the model. They are valid as long as
 * the strategy is. False with the reason in the report if the model is for another game. */
bool strategy_search_options(const Strategy *strategy, Game *game, SearchOptions *options,
                             Report *report);
/* Creates a search. The options may differ from the strategy's own in seed and memory. */
Search *strategy_create_search(const Strategy *strategy, Game *game, uint32_t role,
                               const SearchOptions *options, Report *report);
