/* marelle match: one match among any players, refereed. With --sides swap a second one follows in
 * which each player has the next one's role. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "server/match.h"

static const double default_startclock = 10, default_playclock = 5;

typedef struct {
    double startclock, playclock;
    const char *record, *sides;
    uint64_t step_limit;
} MatchOptions;

static const Option options[] = {
    {"startclock", 0, OPTION_SECONDS, "S", offsetof(MatchOptions, startclock),
     "seconds to prepare (default 10)"},
    {"playclock", 0, OPTION_SECONDS, "S", offsetof(MatchOptions, playclock),
     "seconds a move (default 5)"},
    {"sides", 0, OPTION_CHOICE, "keep|swap", offsetof(MatchOptions, sides),
     "swap: play a second match with the roles exchanged"},
    {"record", 0, OPTION_TEXT, "FILE", offsetof(MatchOptions, record),
     "write the record as JSON, one match a line"},
    {"steps", 0, OPTION_COUNT, "N", offsetof(MatchOptions, step_limit),
     "give the match up after N turns (default 10000)"},
};

static void watch(void *context, const MatchRecord *record) {
    (void)context;
    size_t turns = record->moves.count;
    printf("%4zu ", turns);
    for (uint32_t r = 0; r < record->role_count; r++)
        printf("  %s %s", record->roles[r], record->moves.items[turns - 1][r]);
    for (size_t i = 0; i < record->errors.count; i++) {
        const MatchError *e = &record->errors.items[i];
        if (e->turn == turns - 1)
            printf("  [%s: %s]", e->role < record->role_count ? record->roles[e->role] : "-",
                   e->message);
    }
    puts("");
    fflush(stdout);
}

/* On standard error: standard output is for the record. */
static size_t ask(void *context, const MatchChoice *choice) {
    (void)context;
    char line[64];
    fprintf(stderr, "%s\n", choice->state);
    for (size_t i = 0; i < choice->legal_count; i++)
        fprintf(stderr, "%4zu  %s\n", i + 1, choice->legal[i]);
    for (;;) {
        fprintf(stderr, "%s moves (1-%zu): ", choice->role, choice->legal_count);
        fflush(stderr);
        if (!fgets(line, sizeof line, stdin))
            return SIZE_MAX;
        char *end;
        unsigned long number = strtoul(line, &end, 10);
        if (end != line && number >= 1 && number <= choice->legal_count)
            return number - 1;
    }
}

static void print_result(const MatchRecord *record) {
    puts(record->is_completed ? "result" : "not completed");
    for (uint32_t r = 0; r < record->role_count; r++) {
        printf("  %-14s %-24s ", record->roles[r], record->players[r]);
        if (record->goals[r] >= 0)
            printf("%3d\n", record->goals[r]);
        else
            puts("  -");
    }
    if (record->errors.count)
        printf("  %zu error%s\n", record->errors.count, record->errors.count == 1 ? "" : "s");
}

static bool write_record(const char *path, FILE *file, const MatchRecord *record) {
    json_t *object = json_match(record);
    bool well = json_dumpf(object, file, JSON_COMPACT) == 0 && fputc('\n', file) != EOF &&
                fflush(file) == 0;
    json_decref(object);
    if (!well)
        complain("cannot write %s: %s", path, strerror(errno));
    return well;
}

static int play_one(const Command *command, const MatchSetup *setup, FILE *file) {
    const MatchOptions *own = command->options;
    Report report = {0};
    MatchRecord *record = match_play(setup, &report);
    int status = STATUS_DONE;
    if (!record) {
        print_failure(&report);
        status = STATUS_USAGE;
    } else {
        if (file && !write_record(own->record, file, record))
            status = STATUS_EXHAUSTED;
        if (command->common.json)
            print_json(json_match(record));
        else
            print_result(record);
        fflush(stdout);
    }
    match_free(record);
    report_free(&report);
    return status;
}

static int play_all(const Command *command, MatchSetup *setup, const Contestant **order) {
    const MatchOptions *own = command->options;
    int rounds = own->sides && strcmp(own->sides, "swap") == 0 ? 2 : 1;
    FILE *file = own->record ? fopen(own->record, "w") : NULL;
    if (own->record && !file) {
        complain("cannot write %s: %s", own->record, strerror(errno));
        return STATUS_USAGE;
    }
    int status = STATUS_DONE;
    for (int round = 0; round < rounds && status == STATUS_DONE && !interrupt_requested();
         round++) {
        status = play_one(command, setup, file);
        const Contestant *first = order[0];
        memmove(order, order + 1, (setup->contestant_count - 1) * sizeof *order);
        order[setup->contestant_count - 1] = first;
        setup->seed++;
    }
    if (file)
        fclose(file);
    return status;
}

static int run_with(const Command *command, Contestant *contestants, const Contestant **order) {
    const MatchOptions *own = command->options;
    const CommonOptions *common = &command->common;
    size_t count = command->argument_count - 1;
    Report report = {0};
    bool well = true;
    for (size_t i = 0; i < count && well; i++) {
        well = contestant_read(&contestants[i], command->arguments[i + 1], &report);
        order[i] = &contestants[i];
    }
    int status = STATUS_USAGE;
    if (!well)
        print_failure(&report);
    Game *game = well ? open_game(command->arguments[0], NULL, &status) : NULL;
    if (game) {
        bool silent = common->quiet || common->json;
        MatchSetup setup = {.game = game,
                            .game_name = command->arguments[0],
                            .contestants = order,
                            .contestant_count = count,
                            .startclock =
                                own->startclock > 0 ? own->startclock : default_startclock,
                            .playclock = own->playclock > 0 ? own->playclock : default_playclock,
                            .seed = common->seed,
                            .step_limit = (uint32_t)own->step_limit,
                            .stopped = interrupt_flag(),
                            .ask = ask,
                            .watch = silent ? NULL : watch};
        status = play_all(command, &setup, order);
    }
    game_free(game);
    report_free(&report);
    return status;
}

static int run_match(const Command *command) {
    size_t count = command->argument_count - 1;
    Contestant *contestants = memory_zalloc(count * sizeof *contestants);
    const Contestant **order = memory_zalloc(count * sizeof *order);
    int status = run_with(command, contestants, order);
    for (size_t i = 0; i < count; i++)
        contestant_free(&contestants[i]);
    free(contestants);
    free(order);
    return status;
}

const Verb verb_match = {
    .name = "match",
    .arguments = "GAME PLAYER...",
    .summary = "referee a match among players",
    .description =
        "Plays one match and keeps the clocks. There is one PLAYER for each role, in the\n"
        "order of the rules; the role `random` needs none. A PLAYER is\n"
        "  STRATEGY[:KEY=VALUE,...]  a search of this program: random, legal, uct, ... with\n"
        "                            seed, playouts, time, c, memory (MB), leaf, batch, steps\n"
        "  http://HOST:PORT          a player on the network\n"
        "  human                     you, at the terminal\n"
        "A late, missing or illegal move is replaced by a random one and recorded as an error.",
    .example = "match tic_tac_toe random legal --seed 3",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .options_size = sizeof(MatchOptions),
    .fewest_arguments = 2,
    .most_arguments = 100,
    .run = run_match,
};
