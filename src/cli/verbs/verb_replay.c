/* marelle replay: recorded matches, state by state, as pictures. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cli/drawing.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "server/json/inside_json.h"
#include "server/referee/played.h"

typedef struct {
    const char *game, *step, *from, *to;
    uint64_t match, width;
    double delay;
    bool ascii;
} VerbOptions;

static const Option options[] = {
    {"game", 0, OPTION_TEXT, "GAME", OWN(game), "the rules (default: those in the record)"},
    {"match", 0, OPTION_COUNT, "N", OWN(match), "only the Nth match of the file"},
    {"step", 0, OPTION_TEXT, "N", OWN(step), "only the state after N turns"},
    {"from", 0, OPTION_TEXT, "N", OWN(from), "states from that after N turns"},
    {"to", 0, OPTION_TEXT, "N", OWN(to), "states up to that after N turns"},
    {"delay", 0, OPTION_SECONDS, "S", OWN(delay), "wait S seconds after each state"},
    {"ascii", 0, OPTION_FLAG, NULL, OWN(ascii), "draw with plain ASCII"},
    {"width", 0, OPTION_COUNT, "N", OWN(width),
     "characters in a line (default: the terminal's, else 80)"},
};

typedef struct {
    const Command *command;
    const PlayedMatch *match;
    Drawing drawing;
    size_t first, last; /* turns */
} Replayer;

/* Opens the rules in the record, or else the game that it names. */
static Game *open_recorded_game(const Command *command, const PlayedMatch *match, int *status) {
    if (!match->rules) {
        if (match->game)
            return open_game(command, match->game, &picture_build, status);
        complain("the record has no rules: name the game with --game");
        *status = STATUS_USAGE;
        return NULL;
    }
    Report report = {0};
    Rules *rules =
        rules_read_text("rules of the record", match->rules, strlen(match->rules), &report);
    Game *game = rules ? game_create(rules, &picture_build, &report) : NULL;
    if (!game) {
        print_failure(&report);
        *status = STATUS_USAGE;
    }
    report_free(&report);
    return game;
}

/* Reads a number of turns. The option is a text because OPTION_COUNT cannot tell 0 from absent. */
static bool read_turns(const char *text, const char *name, size_t most, size_t *turns) {
    char *end;
    if (!text)
        return true;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || value > most)
        return complain("--%s must be a number from 0 to %zu, not `%s`", name, most, text);
    *turns = (size_t)value;
    return true;
}

static bool choose_states(Replayer *r) {
    const VerbOptions *own = r->command->options;
    size_t most = r->match->states.count - 1;
    r->first = 0;
    r->last = most;
    if (own->step) {
        bool ok = read_turns(own->step, "step", most, &r->first);
        r->last = r->first;
        return ok;
    }
    return read_turns(own->from, "from", most, &r->first) &&
           read_turns(own->to, "to", most, &r->last);
}

static void print_names(const PlayedMatch *m) {
    printf("match %s", m->id ? m->id : "-");
    if (m->game)
        printf(" of %s", m->game);
    for (uint32_t r = 0; m->players && r < m->role_count; r++)
        printf("%s %s: %s", r ? "," : ";", m->roles[r], m->players[r]);
    puts("");
}

static void print_moves(const PlayedMatch *m, size_t turn) {
    printf("turn %zu:", turn + 1);
    for (uint32_t r = 0; r < m->role_count; r++)
        printf("  %s %s", m->roles[r], m->moves.items[turn][r]);
    for (size_t i = 0; i < m->faults.count; i++)
        if (m->faults.items[i].turn == turn)
            printf("  [%s: %s]", m->faults.items[i].role ? m->faults.items[i].role : "-",
                   m->faults.items[i].message);
    puts("");
}

static void print_goals(const PlayedMatch *m) {
    printf(m->goals ? "result:" : "not completed");
    for (uint32_t r = 0; m->goals && r < m->role_count; r++) {
        bool has_goal = m->goals[r] != GOAL_NONE;
        printf(has_goal ? " %s %d" : " %s -", m->roles[r], m->goals[r]);
    }
    puts("");
}

static void print_match_json(const Replayer *r) {
    const PlayedMatch *m = r->match;
    json_t *goals = json_object();
    for (uint32_t i = 0; m->goals && i < m->role_count; i++)
        object_add(goals, m->roles[i], goal_json(m->goals[i]));
    print_json(object_of("match", text_json(m->id), "game", text_json(m->game), "roles",
                         texts_json(m->roles, m->role_count), "players",
                         m->players ? texts_json(m->players, m->role_count) : json_null(), "turns",
                         count_json(m->moves.count), "completed", json_boolean(m->goals), "goals",
                         goals, "board", boards_json(r->drawing.board)));
}

static bool print_state_json(const Replayer *r, size_t step, Report *report) {
    const PlayedMatch *m = r->match;
    BoardView *view = board_view(r->drawing.board, m->states.items[step], report);
    if (!view)
        return false;
    print_json(object_of("match", text_json(m->id), "step", count_json(step), "moves",
                         step < m->moves.count ? texts_json(m->moves.items[step], m->role_count)
                                               : json_null(),
                         "view", board_view_json(r->drawing.board, view)));
    board_view_free(view);
    return true;
}

static bool print_state(const Replayer *r, size_t step, Report *report) {
    if (!drawing_print(&r->drawing, r->match->states.items[step], stdout, report))
        return false;
    if (step < r->match->moves.count)
        print_moves(r->match, step);
    else
        print_goals(r->match);
    return true;
}

static void sleep_for(double seconds) {
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    fflush(stdout);
    nanosleep(&time, NULL); /* an interrupt ends the pause early */
}

/* On a terminal, each state of a replay with pauses replaces the one before. */
static void clear_terminal(double delay) {
    if (delay > 0 && isatty(STDOUT_FILENO))
        clear_screen();
}

static int replay_match(Replayer *r) {
    const VerbOptions *own = r->command->options;
    bool json = r->command->common.json;
    Report report = {0};
    bool ok = choose_states(r);
    if (ok && json)
        print_match_json(r);
    else if (ok && !r->command->common.quiet)
        print_names(r->match);
    for (size_t step = r->first; ok && step <= r->last && !interrupt_requested(); step++) {
        clear_terminal(own->delay);
        ok = json ? print_state_json(r, step, &report) : print_state(r, step, &report);
        if (!ok) {
            complain("state %zu of match %s is no list of facts", step,
                     r->match->id ? r->match->id : "-");
            print_failure(&report);
        } else if (own->delay > 0 && step < r->last) {
            sleep_for(own->delay);
        }
    }
    report_free(&report);
    return ok ? STATUS_DONE : STATUS_USAGE;
}

/* Most files contain matches of one game, whose board is then recognised only once. */
static bool is_same_game(const PlayedMatch *a, const PlayedMatch *b) {
    return (a->rules == b->rules || (a->rules && b->rules && strcmp(a->rules, b->rules) == 0)) &&
           (a->game == b->game || (a->game && b->game && strcmp(a->game, b->game) == 0));
}

static int replay_all(const Command *command, const Played *played) {
    const VerbOptions *own = command->options;
    Replayer r = {.command = command};
    int status = STATUS_DONE;
    for (size_t i = 0; i < played->matches.count && status == STATUS_DONE && !interrupt_requested();
         i++) {
        const PlayedMatch *match = &played->matches.items[i];
        if (own->match && own->match != i + 1)
            continue;
        if (!r.match || (!own->game && !is_same_game(r.match, match))) {
            Game *game = own->game ? open_game(command, own->game, &picture_build, &status)
                                   : open_recorded_game(command, match, &status);
            if (!game)
                break;
            drawing_end(&r.drawing);
            drawing_start(&r.drawing, game, stdout, own->ascii, own->width);
            game_free(game);
        }
        r.match = match;
        status = replay_match(&r);
    }
    drawing_end(&r.drawing);
    return status;
}

static int run_replay(const Command *command) {
    const VerbOptions *own = command->options;
    Report report = {0};
    int status = STATUS_USAGE;
    Played *played = played_read(command->arguments[0], &report);
    if (!played)
        print_failure(&report);
    else if (own->match > played->matches.count)
        complain("%s has %zu matches, not %llu", command->arguments[0], played->matches.count,
                 (unsigned long long)own->match);
    else
        status = replay_all(command, played);
    played_free(played);
    report_free(&report);
    return status;
}

const Verb verb_replay = {
    .name = "replay",
    .arguments = "RECORD",
    .summary = "draw recorded matches state by state",
    .description =
        "Draws every state of the matches in a file, with the moves between them and the goals\n"
        "at the end. The file has records as `marelle match --record` writes them, or a trace\n"
        "(docs/reference/formats.md), which needs --game. --json: one line for a match and its "
        "board,\n"
        "then one for each state.",
    .example = "replay games/tic_tac_toe.trace --game tic_tac_toe --match 1 --from 0 --to 2",
    VERB_OPTIONS,
    .unused = "seed threads playouts verbose",
    .takes = {1, 1},
    .run = run_replay,
};
