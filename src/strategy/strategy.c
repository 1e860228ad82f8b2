/* The list of all search methods, from the layers below, and the reader of their options. */
#include "strategy/strategy.h"

#include <assert.h>
#include <string.h>

#include "scsp/macucb/macucb.h"
#include "strategy/option_text.h"

/* One per line, so that two changes merge. */
/* clang-format off */
const SearchMethod *const strategy_methods[] = {
    &auto_search,
    &uct_search,
    &grave_search,
    &mast_search,
    &cfr_search,
    &challenge_search,
    &uct_relevant_search,
    &single_player_search,
    &mtmcts_search,
    &multitree_search,
    &mac_ucb_search,
    &mac_ucb_sym_search,
    &baseline_uct_search,
    &baseline_grave_search,
    &baseline_cfr_search,
    &random_search,
    &legal_search,
    NULL,
};
/* clang-format on */

#define STRATEGY_FIELD(member) FIELD_STRATEGY, offsetof(Strategy, member)

static const double MAX_SECONDS = 1e9; /* about three decades */

static const SearchOption common_options[] = {
    {"seed", VALUE_COUNT, COUNT_RANGE("of the match", 0x1p64), "seed of the random numbers",
     SHARED_FIELD(seed)},
    {"time", VALUE_REAL, "what the clock allows", 0, MAX_SECONDS, NULL, "seconds per move",
     STRATEGY_FIELD(seconds)},
    {"playouts", VALUE_COUNT, COUNT_RANGE("what time allows", 0x1p64), "playouts per move",
     STRATEGY_FIELD(playouts)},
    {"sampled", VALUE_FLAG, FLAG_RANGE,
     "in games with hidden information, believe in a sample of states, however few there are",
     STRATEGY_FIELD(samples_beliefs)},
    {0}};

static const SearchOption model_options[] = {
    {"model", VALUE_FILE, "none", 0, 0, NULL, "learnt evaluation of positions, from `learn`",
     STRATEGY_FIELD(model)},
    {"cutoff", VALUE_UINT32, COUNT_RANGE("as the model says", UINT32_MAX),
     "joint moves of a playout before the model judges it", STRATEGY_FIELD(use.playout_turns)},
    {"prior", VALUE_REAL, COUNT_RANGE("as the model says", 1e9),
     "visits that the model's value of a move counts for", STRATEGY_FIELD(use.prior_visits)},
    {"bias", VALUE_REAL, COUNT_RANGE("as the model says", 1e9),
     "weight of the model's value of a move in its bound (progressive bias)",
     STRATEGY_FIELD(use.bias)},
    {"mix", VALUE_REAL, COUNT_RANGE("as the model says", 1),
     "share of the model's value of a leaf beside its playouts", STRATEGY_FIELD(use.leaf_share)},
    {0}};

static const SearchOption device_options[] = {
    {"gpu", VALUE_FLAG, FLAG_RANGE, "make the playouts on a GPU", STRATEGY_FIELD(wants_gpu)}, {0}};

const SearchMethod *strategy_find_method(const char *name) {
    assert(name);
    for (const SearchMethod *const *m = strategy_methods; *m; m++)
        if (strcmp((*m)->name, name) == 0 || ((*m)->alias && strcmp((*m)->alias, name) == 0))
            return *m;
    return NULL;
}

const SearchMethod *strategy_require_method(const char *name, Report *report) {
    const SearchMethod *method = strategy_find_method(name);
    Text text = {0};
    for (const SearchMethod *const *m = strategy_methods; *m && !method; m++)
        text_printf(&text, "%s%s", m == strategy_methods ? "" : ", ", (*m)->name);
    if (!method)
        report_error(report, "unknown-search", "there is no search called `%s`; there are %s", name,
                     text_string(&text));
    vector_free(&text);
    return method;
}

const SearchOption *strategy_option(const SearchMethod *method, size_t number) {
    const SearchOption *tables[] = {common_options, method->options,
                                    method->takes_evaluation ? model_options : NULL,
                                    method->takes_device ? device_options : NULL};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const SearchOption *o = tables[t]; o && o->key; o++)
            if (number-- == 0)
                return o;
    return NULL;
}

static const SearchOption *find_option(const SearchMethod *method, const char *key) {
    const SearchOption *option = NULL;
    size_t number = 0;
    while ((option = strategy_option(method, number++)) && strcmp(option->key, key) != 0)
        ;
    return option;
}

/* ---- complaints ---- */

static void complain_about_value(const Strategy *s, const SearchOption *o, Report *report) {
    Text text = {0};
    option_range_text(o, &text);
    report_error(report, "bad-player", "`%s`: %s takes %s", s->text, o->key, text_string(&text));
    vector_free(&text);
}

/* Names the methods that have such an option, and the options that this one has. */
static void complain_about_key(const Strategy *s, const char *key, Report *report) {
    Text text = {0};
    const SearchOption *option;
    const char *before = "; it belongs to ";
    for (const SearchMethod *const *m = strategy_methods; *m; m++)
        if (find_option(*m, key)) {
            text_printf(&text, "%s%s", before, (*m)->name);
            before = ", ";
        }
    for (size_t i = 0; (option = strategy_option(s->method, i)); i++)
        text_printf(&text, "%s%s", i ? ", " : "; there are ", option->key);
    report_error(report, "bad-player", "`%s`: %s has no option `%s`%s", s->text, s->method->name,
                 key, text_string(&text));
    vector_free(&text);
}

/* ---- values ---- */

static bool read_model(Strategy *s, const char *path, Report *report) {
    Source *source = source_read(path, report);
    Model *model = source ? model_read(source, report) : NULL;
    if (!model)
        return false;
    model_free(s->model);
    s->model = model;
    return true;
}

bool strategy_set(Strategy *s, const char *key, const char *value, Report *report) {
    assert(s->method && key);
    const SearchOption *option = find_option(s->method, key);
    if (!option) {
        complain_about_key(s, key, report);
        return false;
    }
    if (option->type == VALUE_FILE && value && *value)
        return read_model(s, value, report);
    char *places[] = {
        [FIELD_SHARED] = (char *)&s->search, [FIELD_OWN] = s->own, [FIELD_STRATEGY] = (char *)s};
    assert(places[option->place]);
    if (!value || option->type == VALUE_FILE ||
        !option_read(option, value, places[option->place] + option->field)) {
        complain_about_value(s, option, report);
        return false;
    }
    s->has_seed = s->has_seed || strcmp(key, "seed") == 0;
    return true;
}

/* ---- models ---- */

static bool says_how_to_use_it(const ModelUse *use) {
    return use->playout_turns || use->prior_visits > 0 || use->bias > 0 || use->leaf_share > 0;
}

/* The user's options take precedence over those in the model's file. */
static bool use_model(Strategy *s, Report *report) {
    ModelUse *use = &s->model->use;
    if (s->model->dense && says_how_to_use_it(&s->use)) {
        report_error(report, "bad-player",
                     "`%s`: cutoff, prior, bias and mix are not for a model that advises on moves",
                     s->text);
        return false;
    }
    use->playout_turns = s->use.playout_turns ? s->use.playout_turns : use->playout_turns;
    use->prior_visits = s->use.prior_visits > 0 ? s->use.prior_visits : use->prior_visits;
    use->bias = s->use.bias > 0 ? s->use.bias : use->bias;
    use->leaf_share = s->use.leaf_share > 0 ? s->use.leaf_share : use->leaf_share;
    s->evaluator = evaluator_create(s->model);
    s->evaluation = evaluator_interface(s->evaluator);
    return true;
}

/* ---- strategies ---- */

static bool read_options(Strategy *s, char *options, Report *report) {
    for (char *value; (value = strsep(&options, ","));) {
        const char *key = strsep(&value, "=");
        if (!strategy_set(s, key, value, report))
            return false;
    }
    return true;
}

bool strategy_read(Strategy *s, const char *text, Report *report) {
    char *options = memory_strdup(text), *name = strsep(&options, ":");
    *s = (Strategy){.text = memory_strdup(text), .method = strategy_require_method(name, report)};
    if (s->method && s->method->own_size)
        s->search.own = s->own = memory_zalloc(s->method->own_size);
    if (s->method && s->method->own_defaults)
        memcpy(s->own, s->method->own_defaults, s->method->own_size);
    bool ok = s->method && read_options(s, options, report) && (!s->model || use_model(s, report));
    free(name);
    return ok;
}

bool strategy_use_model(Strategy *s, Model *model, Report *report) {
    evaluator_free(s->evaluator);
    s->evaluator = NULL;
    model_free(s->model);
    s->model = model;
    if (!s->method->takes_evaluation)
        return report_error(report, "bad-player", "`%s` takes no model", s->text);
    return use_model(s, report);
}

void strategy_free(Strategy *s) {
    memory_free(s->text, s->own);
    evaluator_free(s->evaluator);
    model_free(s->model);
    *s = (Strategy){0};
}

bool strategy_search_options(const Strategy *s, Game *game, SearchOptions *options,
                             Report *report) {
    assert(s->method && s->search.own == s->own);
    *options = s->search;
    if (!s->evaluator)
        return true;
    if (!evaluator_fits(s->evaluator, game)) {
        report_error(report, "unfit-model", "`%s`: the model is about another game", s->text);
        return false;
    }
    if (model_helps(s->model))
        acceptance_set_options(&s->evaluation, options);
    return true;
}

const SearchMethod *strategy_resolve(const SearchMethod *method, const Game *game) {
    return method == &auto_search ? auto_choose(game).method : method;
}

Search *strategy_create_search(const Strategy *s, Game *game, uint32_t role,
                               const SearchOptions *options, Report *report) {
    return search_create(strategy_resolve(s->method, game), game, role, options, report);
}

Search *strategy_create_named(const char *name, Game *game, uint32_t role,
                              const SearchOptions *options, Report *report) {
    const SearchMethod *method = strategy_require_method(name, report);
    return method ? search_create(strategy_resolve(method, game), game, role, options, report)
                  : NULL;
}
