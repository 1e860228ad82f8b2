/* marelle match: referees matches among any players. With --sides swap each match is repeated with
 * the players rotated by one role, until every player has had every role. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
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
    Text path; /* where the file is while it is written */
    bool has_record;
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
    bool pictures, has_drawn; /* a state, after the last turn */
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
        if (*record->method_choices[r])
            printf("      %s: %s\n", record->roles[r], record->method_choices[r]);
}

static void watch(void *context, const MatchRecord *record) {
    Watcher *watcher = context;
    size_t turns = record->moves.count;
    if (turns == 1)
        print_choices(record);
    printf("%4zu ", turns);
    for (uint32_t r = 0; r < record->role_count; r++)
        printf("  %s %s", record->roles[r], record->moves.items[turns - 1][r]);
    for (size_t i = 0; i < record->faults.count; i++) {
        const MatchFault *e = &record->faults.items[i];
        if (e->turn == turns - 1)
            printf("  [%s: %s]", e->role < record->role_count ? record->roles[e->role] : "-",
                   e->message);
    }
    puts("");
    if (watcher->pictures)
        print_state(watcher, vector_last(&record->states), stdout);
    watcher->has_drawn = watcher->pictures;
    fflush(stdout);
}

/* Writes a line as moves are written: lower case, single blanks, none at the ends. */
static void tidy(const char *line, Text *out) {
    text_clear(out);
    for (const char *c = line; *c; c++) {
        bool is_blank = isspace((unsigned char)*c);
        bool needs_blank = !is_blank && c > line && isspace((unsigned char)c[-1]) && out->count > 0;
        if (needs_blank)
            text_add_char(out, ' ');
        if (!is_blank)
            text_add_char(out, (char)tolower((unsigned char)*c));
    }
}

/* The move that a person means: a number, or the text of a move with or without its parentheses.
 * SIZE_MAX if it is none. */
static size_t move_meant(const MatchQuestion *choice, const char *typed) {
    char *end;
    unsigned long number = strtoul(typed, &end, 10);
    if (end != typed && !*end && number >= 1 && number <= choice->legal_count)
        return number - 1;
    size_t length = strlen(typed);
    for (size_t i = 0; i < choice->legal_count; i++) {
        const char *move = choice->legal[i];
        bool is_bare =
            *move == '(' && strlen(move) == length + 2 && strncasecmp(move + 1, typed, length) == 0;
        if (is_bare || strcasecmp(move, typed) == 0)
            return i;
    }
    return SIZE_MAX;
}

static void list_moves(const MatchQuestion *choice) {
    for (size_t i = 0; i < choice->legal_count; i++)
        fprintf(stderr, "%4zu  %s\n", i + 1, choice->legal[i]);
}

/* Asks until there is an answer; at the end of the input the match is given up. Prompts go to
 * standard error, because standard output is for the record. */
static void ask_one(Watcher *watcher, MatchQuestion *choice) {
    char *line = NULL;
    size_t capacity = 0;
    Text typed = {0};
    if (choice->state && !watcher->has_drawn)
        print_state(watcher, choice->state, stderr);
    else if (!choice->state)
        fprintf(stderr, "seen: %s\n", choice->percepts);
    list_moves(choice);
    while (choice->chosen >= choice->legal_count && !choice->resigned) {
        fprintf(stderr, "%s moves (1-%zu, a move, or ?): ", choice->role, choice->legal_count);
        fflush(stderr);
        choice->resigned = getline(&line, &capacity, stdin) < 0;
        if (choice->resigned)
            break;
        tidy(line, &typed);
        choice->chosen = move_meant(choice, text_string(&typed));
        if (strcmp(text_string(&typed), "?") == 0)
            list_moves(choice);
        else if (typed.count && choice->chosen == SIZE_MAX)
            fprintf(stderr, "`%.60s` is no legal move; ? lists them\n", text_string(&typed));
    }
    free(line);
    vector_free(&typed);
}

static void ask(void *context, MatchQuestion *choices, size_t count) {
    for (size_t i = 0; i < count; i++)
        ask_one(context, &choices[i]);
}

static void print_errors(const MatchRecord *record) {
    enum { SHOWN = 10 };
    for (size_t i = 0; i < record->faults.count && i < SHOWN; i++) {
        const MatchFault *e = &record->faults.items[i];
        printf("  error: turn %zu, %s: %s\n", (size_t)e->turn + 1,
               e->role < record->role_count ? record->roles[e->role] : "the match", e->message);
    }
    if (record->faults.count > SHOWN)
        printf("  and %zu more errors\n", record->faults.count - SHOWN);
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
    print_errors(record);
}

/* Records go to a file beside the one that was asked for, which takes its place only when a match
 * is complete: an earlier record is never lost for nothing. A device or a pipe is written at once.
 */
static bool open_record(MatchKeepers *keepers, const char *path) {
    struct stat status;
    bool is_special = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    if (is_special)
        text_add(&keepers->path, path);
    else
        text_printf(&keepers->path, "%s.part", path);
    keepers->file = fopen(text_string(&keepers->path), "w");
    if (!keepers->file)
        return complain("cannot write %s: %s", path, strerror(errno));
    return true;
}

static bool close_record(MatchKeepers *keepers, const char *path) {
    const char *written = text_string(&keepers->path);
    bool ok = fclose(keepers->file) == 0;
    if (strcmp(written, path) != 0)
        ok = keepers->has_record ? ok && rename(written, path) == 0 : unlink(written) == 0;
    return ok || complain("cannot write %s: %s", path, strerror(errno));
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

static int keep_record(const VerbOptions *own, MatchKeepers *keepers, const MatchRecord *record) {
    Report report = {0};
    int status = STATUS_DONE;
    if (keepers->file && !write_record(own->record, keepers->file, record))
        status = STATUS_EXHAUSTED;
    keepers->has_record |=
        status == STATUS_DONE && (record->is_completed || !interrupt_requested());
    if (keepers->store && !store_add_match(keepers->store, record, &report)) {
        print_failure(&report);
        status = STATUS_EXHAUSTED;
    }
    report_free(&report);
    return status;
}

static int play_one(const Command *command, const MatchSetup *setup, MatchKeepers *keepers) {
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
                    MatchKeepers *keepers) {
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
    bool is_unplayed = setup->seed == command->common.seed && status == STATUS_DONE;
    if (is_unplayed && interrupt_requested())
        complain("stopped before the match began");
    return status;
}

static int keep_and_play_all(const Command *command, MatchSetup *setup, const Contestant **order) {
    const VerbOptions *own = command->options;
    Report report = {0};
    MatchKeepers keepers = {0};
    int status = STATUS_USAGE;
    if (own->database && !(keepers.store = store_open(own->database, &report)))
        print_failure(&report);
    else if (!own->record || open_record(&keepers, own->record))
        status = play_all(command, setup, order, &keepers);
    if (keepers.file && !close_record(&keepers, own->record))
        status = STATUS_EXHAUSTED;
    store_close(keepers.store);
    vector_free(&keepers.path);
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
    .unused = "threads playouts verbose",
    .takes = {2, 100},
    .run = run_match,
};
