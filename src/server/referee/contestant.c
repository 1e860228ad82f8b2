/* Reads contestants. The form of the text tells the kind: an address, the word `human`, or a
 * strategy. */
#include "server/referee/contestant.h"

#include <string.h>

static bool names_search(const char *text) {
    char *name = memory_strdup(text);
    name[strcspn(name, ":")] = '\0';
    bool is_known = strategy_find_method(name) != NULL;
    free(name);
    return is_known;
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
    if (names_search(text))
        return strategy_read(&c->strategy, text, report) &&
               (!c->strategy.wants_gpu || open_gpu(c, report));
    return report_error(
        report, "bad-player",
        "`%s` is no player: there is no strategy `%.*s`, and it is neither `human` nor an "
        "address http://HOST:PORT",
        text, (int)strcspn(text, ":"), text);
}

void contestant_free(Contestant *c) {
    memory_free(c->name, c->label);
    gpu_close(c->gpu);
    strategy_free(&c->strategy);
    *c = (Contestant){0};
}

bool contestant_options(const Contestant *c, Game *game, SearchOptions *options, Report *report) {
    bool fits = strategy_search_options(&c->strategy, game, options, report);
    if (c->gpu)
        options->device = &c->device;
    return fits;
}

const char *contestant_label(const Contestant *c) {
    return c->label ? c->label : c->name;
}
