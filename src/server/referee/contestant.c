/* Options are a table from key to field, so that a wrong one can be told from a missing one. */
#include "server/referee/contestant.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

typedef enum {
    VALUE_COUNT,
    VALUE_SMALL,
    VALUE_THREADS,
    VALUE_REAL,
    VALUE_SHARE,
    VALUE_MEGABYTES,
    VALUE_FLAG,
    VALUE_PARALLEL,
    VALUE_MERGE,
    VALUE_MODEL
} ValueKind;

static const struct {
    const char *key;
    ValueKind kind;
    size_t field;
} keys[] = {
    {"seed", VALUE_COUNT, offsetof(Contestant, options.seed)},
    {"playouts", VALUE_COUNT, offsetof(Contestant, playouts)},
    {"time", VALUE_REAL, offsetof(Contestant, seconds)},
    {"c", VALUE_REAL, offsetof(Contestant, options.exploration)},
    {"memory", VALUE_MEGABYTES, offsetof(Contestant, options.node_bytes)},
    {"leaf", VALUE_SMALL, offsetof(Contestant, options.leaf_playouts)},
    {"batch", VALUE_SMALL, offsetof(Contestant, options.batch)},
    {"threads", VALUE_THREADS, offsetof(Contestant, options.threads)},
    {"parallel", VALUE_PARALLEL, offsetof(Contestant, options.parallel)},
    {"merge", VALUE_MERGE, offsetof(Contestant, options.merge)},
    {"novirtual", VALUE_FLAG, offsetof(Contestant, options.no_virtual_losses)},
    {"steps", VALUE_SMALL, offsetof(Contestant, options.step_limit)},
    {"again", VALUE_FLAG, offsetof(Contestant, options.looks_again)},
    {"gpu", VALUE_FLAG, offsetof(Contestant, wants_gpu)},
    {"model", VALUE_MODEL, offsetof(Contestant, model)},
    {"cutoff", VALUE_SMALL, offsetof(Contestant, use.playout_turns)},
    {"prior", VALUE_REAL, offsetof(Contestant, use.prior_visits)},
    {"bias", VALUE_REAL, offsetof(Contestant, use.bias)},
    {"mix", VALUE_SHARE, offsetof(Contestant, use.leaf_share)},
    {"solving", VALUE_REAL, offsetof(Contestant, options.mac.solve_share)},
    {"symmetry", VALUE_REAL, offsetof(Contestant, options.mac.symmetry_share)},
    {"nogoods", VALUE_FLAG, offsetof(Contestant, options.mac.by_nogoods)},
    {"network", VALUE_FLAG, offsetof(Contestant, options.mac.by_network)},
    {"tree", VALUE_FLAG, offsetof(Contestant, options.mac.is_tree)},
    {"paranoid", VALUE_FLAG, offsetof(Contestant, options.mac.is_paranoid)},
    {"unpruned", VALUE_FLAG, offsetof(Contestant, options.mac.is_unpruned)},
    {"halves", VALUE_FLAG, offsetof(Contestant, options.mac.by_halves)},
    {"estimated", VALUE_FLAG, offsetof(Contestant, options.mac.is_estimated)},
    {"sampled", VALUE_FLAG, offsetof(Contestant, options.samples_beliefs)},
};

static bool read_model(Contestant *c, const char *path, Report *report) {
    Source *source = source_read(path, report);
    Model *model = source ? model_read(source, report) : NULL;
    if (!model)
        return false;
    model_free(c->model);
    c->model = model;
    return true;
}

static bool read_value(Contestant *c, size_t index, const char *value) {
    char *end;
    void *field = (char *)c + keys[index].field;
    errno = 0;
    if (keys[index].kind == VALUE_PARALLEL)
        return parallel_from_name(value, field);
    if (keys[index].kind == VALUE_MERGE)
        return merge_from_name(value, field);
    double real = strtod(value, &end);
    if (!*value || *end || !(real >= 0 && real < 1e19))
        return false;
    uint64_t count = strtoull(value, &end, 10);
    bool is_whole = *end == '\0' && errno == 0;
    switch (keys[index].kind) {
    case VALUE_REAL:
        *(double *)field = real;
        return true;
    case VALUE_SHARE:
        *(double *)field = real;
        return real <= 1;
    case VALUE_COUNT:
        *(uint64_t *)field = count;
        return is_whole;
    case VALUE_SMALL:
        *(uint32_t *)field = (uint32_t)count;
        return is_whole && count <= UINT32_MAX;
    case VALUE_THREADS:
        *(uint32_t *)field = (uint32_t)count;
        return is_whole && count <= SEARCH_MOST_THREADS;
    case VALUE_MEGABYTES:
        *(size_t *)field = (size_t)count << 20;
        return is_whole && count < (1 << 24);
    case VALUE_FLAG:
        *(bool *)field = count == 1;
        return is_whole && count <= 1;
    case VALUE_PARALLEL:
    case VALUE_MERGE:
    case VALUE_MODEL:
        break;
    }
    return false;
}

static bool read_option(Contestant *c, char *option, Report *report) {
    char *value = strchr(option, '=');
    if (value)
        *value++ = '\0';
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(keys[i].key, option) != 0)
            continue;
        c->has_seed = c->has_seed || i == 0;
        if (keys[i].kind == VALUE_MODEL && value && *value)
            return read_model(c, value, report);
        if (value && read_value(c, i, value))
            return true;
        report_error(report, "bad-player", "`%s`: %s needs %s", c->name, option,
                     keys[i].kind == VALUE_PARALLEL ? "leaf, tree, root or auto"
                     : keys[i].kind == VALUE_MODEL  ? "a file"
                                                    : "a number");
        return false;
    }
    report_error(report, "bad-player", "`%s`: there is no option `%s`", c->name, option);
    return false;
}

static bool says_how_to_use_it(const Contestant *c) {
    return c->use.playout_turns || c->use.prior_visits > 0 || c->use.bias > 0 ||
           c->use.leaf_share > 0;
}

/* What was said goes before what the model's file says. */
static bool use_model(Contestant *c, Report *report) {
    ModelUse *use = &c->model->use;
    if (c->model->dense && says_how_to_use_it(c)) {
        report_error(report, "bad-player",
                     "`%s`: cutoff, prior, bias and mix are not for a model that advises on moves",
                     c->name);
        return false;
    }
    use->playout_turns = c->use.playout_turns ? c->use.playout_turns : use->playout_turns;
    use->prior_visits = c->use.prior_visits > 0 ? c->use.prior_visits : use->prior_visits;
    use->bias = c->use.bias > 0 ? c->use.bias : use->bias;
    use->leaf_share = c->use.leaf_share > 0 ? c->use.leaf_share : use->leaf_share;
    c->evaluator = evaluator_create(c->model);
    c->evaluation = evaluator_interface(c->evaluator);
    return true;
}

static bool open_gpu(Contestant *c, Report *report) {
    Report reason = {0};
    c->gpu = gpu_open(&reason);
    if (c->gpu)
        c->device = gpu_leaf_device(c->gpu);
    else
        report_error(report, "no-gpu", "`%s`: %s", c->name, reason.items.items[0].message);
    report_free(&reason);
    return c->gpu != NULL;
}

static bool read_search(Contestant *c, Report *report) {
    c->method = memory_strdup(c->name);
    char *options = strchr(c->method, ':');
    if (options)
        *options++ = '\0';
    if (!search_method(c->method)) {
        report_error(report, "bad-player",
                     "`%s` is no player: there is no strategy `%s`, and it is neither `human` nor "
                     "an address http://HOST:PORT",
                     c->name, c->method);
        return false;
    }
    while (options) {
        char *next = strchr(options, ',');
        if (next)
            *next++ = '\0';
        if (!read_option(c, options, report))
            return false;
        options = next;
    }
    if (c->model && !use_model(c, report))
        return false;
    return !c->wants_gpu || open_gpu(c, report);
}

bool contestant_read(Contestant *c, const char *text, Report *report) {
    *c = (Contestant){.name = memory_strdup(text)};
    if (strncasecmp(text, "http://", 7) == 0) {
        c->kind = CONTESTANT_REMOTE;
        return true;
    }
    if (strcmp(text, "human") == 0) {
        c->kind = CONTESTANT_HUMAN;
        return true;
    }
    return read_search(c, report);
}

void contestant_free(Contestant *c) {
    free(c->name);
    free(c->label);
    free(c->method);
    gpu_close(c->gpu);
    evaluator_free(c->evaluator);
    model_free(c->model);
    *c = (Contestant){0};
}

bool contestant_options(const Contestant *c, Game *game, SearchOptions *options, Report *report) {
    *options = c->options;
    if (c->gpu)
        options->device = &c->device;
    if (!c->evaluator)
        return true;
    if (!evaluator_fits(c->evaluator, game)) {
        report_error(report, "unfit-model", "`%s`: the model is about another game", c->name);
        return false;
    }
    if (model_helps(c->model))
        gate_set_options(&c->evaluation, options);
    return true;
}

const char *contestant_label(const Contestant *c) {
    return c->label ? c->label : c->name;
}
