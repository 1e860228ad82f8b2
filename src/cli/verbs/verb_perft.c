/* marelle perft: positions and sequences of joint moves by depth. */
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "game/perft.h"

enum { DEFAULT_MEGABYTES = 4096 };

typedef struct {
    const char *reasoner;
    uint64_t depth, megabytes;
} VerbOptions;

static const Option options[] = {
    {"depth", 0, OPTION_COUNT, "D", OWN(depth), "joint moves to make"},
    {"reasoner", 0, OPTION_CHOICE, "auto|interpreter|scalar|incremental", OWN(reasoner),
     "who reasons; auto takes scalar where it can"},
    {"memory", 0, OPTION_COUNT, "MB", OWN(megabytes), "memory for positions (default 4096)"},
};

static json_t *column_json(const Perft *p, size_t field) {
    json_t *array = json_array();
    for (size_t i = 0; i < p->depths.count; i++) {
        const char *row = (const char *)&p->depths.items[i];
        uint64_t value;
        memcpy(&value, row + field, sizeof value);
        array_push(array, json_integer((json_int_t)value));
    }
    return array;
}

static void print_as_json(const Command *command, const Perft *p) {
    static const struct {
        const char *name;
        size_t field;
    } columns[] = {
        {"positions", offsetof(PerftDepth, positions)},
        {"terminal_positions", offsetof(PerftDepth, terminal_positions)},
        {"stuck_positions", offsetof(PerftDepth, stuck_positions)},
        {"sequences", offsetof(PerftDepth, sequences)},
        {"terminal_sequences", offsetof(PerftDepth, terminal_sequences)},
    };
    json_t *object = object_of("game", text_json(command->arguments[0]));
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        json_object_set_new(object, columns[i].name, column_json(p, columns[i].field));
    json_object_set_new(object, "complete", json_boolean(p->end == PERFT_DONE));
    print_json(object);
}

static void print_row(const char *name, const PerftDepth *d) {
    printf("%-6s %14lu %14lu %20lu %20lu\n", name, (unsigned long)d->positions,
           (unsigned long)d->terminal_positions, (unsigned long)d->sequences,
           (unsigned long)d->terminal_sequences);
}

static void print_as_text(const Perft *p) {
    PerftDepth sum = {0};
    printf("%-6s %14s %14s %20s %20s\n", "depth", "positions", "terminal", "sequences", "terminal");
    for (size_t i = 0; i < p->depths.count; i++) {
        const PerftDepth *d = &p->depths.items[i];
        char depth[24];
        snprintf(depth, sizeof depth, "%zu", i);
        print_row(depth, d);
        sum.positions += d->positions;
        sum.terminal_positions += d->terminal_positions;
        sum.stuck_positions += d->stuck_positions;
        sum.sequences += d->sequences;
        sum.terminal_sequences += d->terminal_sequences;
    }
    print_row("sum", &sum);
    if (sum.stuck_positions)
        printf("in %lu positions that are not terminal a role has no legal move\n",
               (unsigned long)sum.stuck_positions);
}

static int status_of_end(PerftEnd end) {
    static const char *const reasons[] = {
        [PERFT_NO_TIME] = "the time is spent (--time)",
        [PERFT_NO_MEMORY] = "the positions need more memory than --memory allows",
        [PERFT_OVERFLOW] = "the number of sequences passes 2^63",
    };
    if (end == PERFT_DONE || end == PERFT_INTERRUPTED)
        return STATUS_DONE;
    complain("stopped after the last complete depth: %s", reasons[end]);
    return STATUS_EXHAUSTED;
}

static int count(const Command *command, Game *game, Reasoner reasoner) {
    const VerbOptions *own = command->options;
    PerftPlan plan = {.game = game,
                      .reasoner = reasoner,
                      .depth = own->depth > UINT32_MAX ? UINT32_MAX : (uint32_t)own->depth,
                      .threads = (unsigned)command->common.threads,
                      .seconds = command_seconds_left(command),
                      .bytes = own->megabytes ? own->megabytes << 20
                                              : memory_share((size_t)DEFAULT_MEGABYTES << 20, 0.5),
                      .stopped = interrupt_flag(),
                      .label = command->common.quiet ? NULL : "perft"};
    Perft perft;
    perft_count(&plan, &perft);
    if (command->common.json)
        print_as_json(command, &perft);
    else
        print_as_text(&perft);
    vector_free(&perft.depths);
    fflush(stdout);
    return status_of_end(perft.end);
}

static int run_perft(const Command *command) {
    const VerbOptions *own = command->options;
    if (!own->depth)
        return wrong_usage("`perft` needs a depth of at least 1: --depth D");
    int status = STATUS_DONE;
    GameOptions game_options = {.interpreter_only =
                                    own->reasoner && !strcmp(own->reasoner, "interpreter")};
    Game *game = open_game(command, command->arguments[0], &game_options, &status);
    Reasoner reasoner;
    if (game && choose_reasoner(game, own->reasoner, &reasoner, &status))
        status = count(command, game, reasoner);
    game_free(game);
    return status;
}

const Verb verb_perft = {
    .name = "perft",
    .arguments = "GAME --depth D",
    .summary = "count positions and move sequences by depth",
    .description =
        "Counts the different positions after each number of joint moves and the sequences\n"
        "of joint moves that lead to them, terminal ones among them. Ends early where no\n"
        "match goes on. Exit status 3, with the depths that were completed, when --time\n"
        "or --memory is spent.",
    .example = "perft tic_tac_toe --depth 9",
    VERB_OPTIONS,
    .unused = "seed playouts verbose",
    .takes = {1, 1},
    .run = run_perft,
};
