/* marelle match: referees matches among any players. With --sides swap each match is repeated with
 * the players rotated by one role, until every player has had every role. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cli/drawing.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "server/referee/client.h"
#include "server/store/store.h"

static const double default_startclock = 10, default_playclock = 5;

typedef struct {
    double startclock, playclock;
    const char *record, *sides, *database;
    uint64_t step_limit, repeat;
    bool watch, ascii;
} VerbOptions;

/* Destinations of records besides standard output; either may be NULL. */
typedef struct {
    FILE *file;
    Store *store;
} MatchKeepers;

static const Option options[] = {
    {"startclock", 0, OPTION_SECONDS, "S", OWN(startclock), "seconds to prepare (default 10)"},
    {"playclock", 0, OPTION_SECONDS, "S", OWN(playclock), "seconds per move (default 5)"},
    {"sides", 0, OPTION_CHOICE, "keep|swap", OWN(sides),
     "swap: play again with the roles exchanged"},
    {"repeat", 0, OPTION_COUNT, "N", OWN(repeat),
     "play N times, with seeds that count up (default 1)"},
    {"record", 0, OPTION_TEXT, "FILE", OWN(record), "write the record as JSON, one match per line"},
    {"db", 0, OPTION_TEXT, "FILE", OWN(database), "store the record in an SQLite database"},
    {"watch", 0, OPTION_FLAG, NULL, OWN(watch), "draw every state, as on a terminal"},
    {"ascii", 0, OPTION_FLAG, NULL, OWN(ascii), "draw with plain ASCII"},
    {"steps", 0, OPTION_COUNT, "N", OWN(step_limit),
     "give the match up after N turns (default 10000)"},
};

/* How the match is shown: a picture of every state, or the moves alone. */
typedef struct {
    Drawing drawing;
    bool pictures;
} Watcher;

static void print_state(const Watcher *watcher, const char *state, FILE *out) {
    Report report = {0};
    if (!drawing_print(&watcher->drawing, state, out, &report))
        fprintf(out, "%s\n", state);
    report_free(&report);
}

/* Prints how searches chose to play, if they measured anything in the start clock. */
static void print_choices(const MatchRecord *record) {
    for (uint32_t r = 0; r < record->role_count; r++)
        if (*record->choices[r])
            printf("      %s: %s\n", record->roles[r], record->choices[r]);
}

static void watch(void *context, const MatchRecord *record) {
    const Watcher *watcher = context;
    size_t turns = record->moves.count;
    if (turns == 1)
        print_choices(record);
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
    if (watcher->pictures)
        print_state(watcher, vector_last(&record->states), stdout);
    fflush(stdout);
}

/* Prompts on standard error, because standard output is for the record. */
static size_t ask_one(void *context, const MatchChoice *choice) {
    char line[64];
    if (choice->state)
        print_state(context, choice->state, stderr);
    else
        fprintf(stderr, "seen: %s\n", choice->percepts);
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

static void ask(void *context, MatchChoice *choices, size_t count) {
    for (size_t i = 0; i < count; i++)
        choices[i].chosen = ask_one(context, &choices[i]);
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
    json_t *object = match_json(record);
    bool ok = json_dumpf(object, file, JSON_COMPACT) == 0 && fputc('\n', file) != EOF &&
              fflush(file) == 0;
    json_decref(object);
    if (!ok)
        complain("cannot write %s: %s", path, strerror(errno));
    return ok;
}

static int keep_record(const VerbOptions *own, const MatchKeepers *keepers,
                       const MatchRecord *record) {
    Report report = {0};
    int status = STATUS_DONE;
    if (keepers->file && !write_record(own->record, keepers->file, record))
        status = STATUS_EXHAUSTED;
    if (keepers->store && !store_add_match(keepers->store, record, &report)) {
        print_failure(&report);
        status = STATUS_EXHAUSTED;
    }
    report_free(&report);
    return status;
}

static int play_one(const Command *command, const MatchSetup *setup, const MatchKeepers *keepers) {
    Report report = {0};
    MatchRecord *record = match_play(setup, &report);
    int status = STATUS_USAGE;
    if (!record) {
        print_failure(&report);
    } else {
        status = keep_record(command->options, keepers, record);
        if (command->common.json)
            print_json(match_json(record));
        else
            print_result(record);
        fflush(stdout);
    }
    match_free(record);
    report_free(&report);
    return status;
}

static int play_all(const Command *command, MatchSetup *setup, const Contestant **order,
                    const MatchKeepers *keepers) {
    const VerbOptions *own = command->options;
    bool swaps = own->sides && strcmp(own->sides, "swap") == 0;
    uint64_t rounds = (swaps ? setup->contestant_count : 1) * (own->repeat ? own->repeat : 1);
    int status = STATUS_DONE;
    for (uint64_t round = 0; round < rounds && status == STATUS_DONE && !interrupt_requested();
         round++) {
        status = play_one(command, setup, keepers);
        if (swaps) {
            const Contestant *first = order[0];
            memmove(order, order + 1, (setup->contestant_count - 1) * sizeof *order);
            order[setup->contestant_count - 1] = first;
        }
        setup->seed++;
    }
    return status;
}

static int keep_and_play_all(const Command *command, MatchSetup *setup, const Contestant **order) {
    const VerbOptions *own = command->options;
    Report report = {0};
    MatchKeepers keepers = {0};
    int status = STATUS_USAGE;
    if (own->database && !(keepers.store = store_open(own->database, &report)))
        print_failure(&report);
    else if (own->record && !(keepers.file = fopen(own->record, "w")))
        complain("cannot write %s: %s", own->record, strerror(errno));
    else
        status = play_all(command, setup, order, &keepers);
    if (keepers.file)
        fclose(keepers.file);
    store_close(keepers.store);
    report_free(&report);
    return status;
}

/* True if a person plays, who must not see the moves of the others. */
static bool any_human(const Contestant *contestants, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (contestants[i].kind == CONTESTANT_HUMAN)
            return true;
    return false;
}

static int run_with(const Command *command, Contestant *contestants, const Contestant **order) {
    const VerbOptions *own = command->options;
    const CommonOptions *common = &command->common;
    size_t count = command->argument_count - 1;
    Report report = {0};
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        ok = contestant_read(&contestants[i], command->arguments[i + 1], &report);
        order[i] = &contestants[i];
    }
    int status = STATUS_USAGE;
    if (!ok)
        print_failure(&report);
    Game *game = ok ? open_game(command, command->arguments[0], NULL, &status) : NULL;
    if (game) {
        bool silent =
            common->quiet || common->json || (game_hides(game) && any_human(contestants, count));
        Watcher watcher = {.pictures = !silent && (own->watch || isatty(STDOUT_FILENO))};
        if (watcher.pictures || any_human(contestants, count))
            drawing_start(&watcher.drawing, game, watcher.pictures ? stdout : stderr, own->ascii,
                          0);
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
                            .post = client_post,
                            .watch = silent ? NULL : watch,
                            .context = &watcher};
        status = keep_and_play_all(command, &setup, order);
        drawing_end(&watcher.drawing);
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
    memory_free(contestants, order);
    return status;
}

const Verb verb_match = {
    .name = "match",
    .arguments = "GAME PLAYER...",
    .summary = "referee a match among players",
    .description =
        "Plays one match and enforces the clocks. There is one PLAYER per role, in the order of\n"
        "the rules; the role `random` needs none. A PLAYER is\n"
        "  STRATEGY[:KEY=VALUE,...]  a search of this program, such as uct:playouts=1000,seed=7;\n"
        "                            `marelle search --help` lists strategies and keys\n"
        "  http://HOST:PORT          a player on the network\n"
        "  human                     you, at the terminal\n"
        "A late, missing or illegal move is replaced by a random one and recorded as an error.",
    .example = "match tic_tac_toe random legal --seed 3",
    VERB_OPTIONS,
    .takes = {2, 100},
    .run = run_match,
};
