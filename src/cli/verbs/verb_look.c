/* marelle look: one look inside a game, as the page shows it. The server runs this verb in a
 * process of its own for every look, so that its limits hold whatever the game is. */
#include <sys/resource.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "cli/games.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "server/page/inside.h"

typedef struct {
    uint64_t limit;
} VerbOptions;

static const Option options[] = {
    {"limit", 0, OPTION_COUNT, "MB", OWN(limit), "address space in mebibytes (default: no limit)"},
};

static void lower(int resource, rlim_t most) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0 || most >= limit.rlim_cur)
        return;
    limit.rlim_cur = most;
    setrlimit(resource, &limit);
}

/* Limits this process. Sanitizers reserve more addresses than any limit allows. */
static void limit_process(const CommonOptions *common, uint64_t megabytes) {
    lower(RLIMIT_CORE, 0);
    if (common->seconds > 0)
        lower(RLIMIT_CPU, (rlim_t)common->seconds + 1);
#ifndef MEMORY_SANITIZED
    if (megabytes) {
        lower(RLIMIT_AS, (rlim_t)megabytes << 20);
        memory_share_heap();
        memory_guard(NULL);
    }
#else
    (void)megabytes;
#endif
}

static int look(const Command *command) {
    const VerbOptions *own = command->options;
    InsideView *view = inside_find_view(command->arguments[0]);
    Report report = {0};
    if (!view)
        return wrong_usage("there is no look `%s`; there are " INSIDE_LOOKS, command->arguments[0]);
    limit_process(&command->common, own->limit);
    Rules *rules = game_read(command->arguments[1], &report);
    Game *game = rules ? game_create(rules, &inside_build, &report) : NULL;
    if (game) {
        json_t *found = view(game);
        if (interrupt_is_late() || memory_was_short())
            object_add(found, "final", json_boolean(false));
        print_json(found);
    } else {
        print_failure(&report);
    }
    game_free(game);
    report_free(&report);
    return game ? STATUS_DONE : STATUS_NO;
}

const Verb verb_look = {
    .name = "look",
    .arguments = "LOOK GAME [--time S] [--limit MB]",
    .summary = "one look inside a game, as the page shows it, as JSON",
    .description =
        "LOOK is one of " INSIDE_LOOKS ".\n"
        "Prints one JSON object, documented in docs/reference/api.md. A look has a budget of a "
        "few\n"
        "seconds of its own; --time and --limit end the whole process in any case. `serve` runs\n"
        "every look of the page this way.",
    .example = "look circuit tic_tac_toe",
    VERB_OPTIONS,
    .unused = "seed threads playouts quiet verbose",
    .takes = {2, 2},
    .run = look,
};
